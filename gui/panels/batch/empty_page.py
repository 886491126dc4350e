"""What stands in the panel while no batch is open: what to do, and one target."""

from PySide6.QtCore import Signal

from gui.theme.theme import Theme
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.drop_zone import DropZone
from gui.widgets.inputs.start_area import StartArea


class EmptyPage(StartArea):
    """One sentence, a place to drop, and two buttons."""

    files_requested = Signal()
    folder_requested = Signal()
    dropped = Signal(list)

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme,
            self.tr("Summarise many documents at once."),
            self.tr(
                "A file that cannot be read never stops the others. You can close the window: the "
                "work goes on, and no document is done twice."
            ),
        )
        self.files = Button(
            theme, self.tr("Add files"), kind="primary", icon="file-text", height=36
        )
        self.folder = Button(theme, self.tr("Add a folder"), icon="folder-open", height=36)
        self.files.triggered.connect(self.files_requested)
        self.folder.triggered.connect(self.folder_requested)
        zone = DropZone(
            theme,
            self.tr("Drop files, folders or tables here"),
            self.tr(
                "Each document, and each row of a CSV, JSON Lines or Parquet table, is summarised."
            ),
            [self.files, self.folder],
            [("Ctrl O", self.tr("add files"))],
        )
        zone.files_dropped.connect(self.dropped)
        self.add(zone)

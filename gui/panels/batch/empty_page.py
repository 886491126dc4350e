"""What stands in the panel while no batch is open: what to do, and one target."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.button import Button
from gui.widgets.drop_zone import DropZone
from gui.widgets.label import Label
from gui.widgets.plane import Plane

_WIDTH_PX = 720


class EmptyPage(QScrollArea):
    """One sentence, a place to drop, and two buttons."""

    files_asked = Signal()
    folder_asked = Signal()
    dropped = Signal(list)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = Plane(theme, "surface")
        outer = QHBoxLayout(content)
        outer.setContentsMargins(24, 24, 24, 24)
        centre = QWidget()
        centre.setMaximumWidth(_WIDTH_PX)
        outer.addStretch(1)
        outer.addWidget(centre, 100)
        outer.addStretch(1)
        self._fill(theme, QVBoxLayout(centre))
        self.setWidget(content)

    def _fill(self, theme: Theme, column: QVBoxLayout) -> None:
        self.files = Button(
            theme, self.tr("Add files"), kind="primary", icon="file-text", height=36
        )
        self.folder = Button(theme, self.tr("Add a folder"), icon="folder-open", height=36)
        self.files.triggered.connect(self.files_asked)
        self.folder.triggered.connect(self.folder_asked)
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
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addStretch(1)
        column.addWidget(
            Label(theme, self.tr("Summarise many documents at once."), "display", wrap=True)
        )
        column.addSpacing(8)
        told = self.tr(
            "A file that cannot be read never stops the others. You can close the window: the "
            "work goes on, and no document is done twice."
        )
        column.addWidget(Label(theme, told, "body", "text2", wrap=True))
        column.addSpacing(26)
        column.addWidget(zone)
        column.addStretch(1)

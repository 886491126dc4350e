"""The head of the Models panel: how many there are, and the way to import one."""

from PySide6.QtCore import Signal

from core.models.model_file import SUFFIX
from gui.panels.models.words import tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.support import layouts

HEIGHT_PX = 52


class Header(Plane):
    """Title and facts at the left; where there is room for one side, the switch of two."""

    side_chosen = Signal(str)
    """ "models" or "details", from the two-part switch."""
    import_asked = Signal()
    """An exported file is to be imported."""
    gguf_asked = Signal()
    """A GGUF file is to be imported."""
    folder_asked = Signal()
    """A folder is to be imported."""
    trash_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEIGHT_PX)
        self._facts = Label(theme, "", "body", "text2", elide=True)
        self.switch = SegmentedControl(
            theme,
            [("models", tr("Models")), ("details", tr("Details"))],
            value="models",
            name=tr("What is shown"),
        )
        self.switch.chosen.connect(self.side_chosen)
        self.importing = Button(
            theme,
            tr("Import…"),
            icon="folder-input",
            tooltip=tr("Take in a model from a folder or a file"),
        )
        self.importing.triggered.connect(self._offer)
        self.trash = icon_button(theme, "trash-2", tr("What is in the trash"))
        self.trash.triggered.connect(self.trash_asked)
        layouts.row(
            Label(theme, tr("Models"), "title"),
            (self._facts, 1),
            self.switch,
            self.trash,
            self.importing,
            into=self,
            margins=(24, 0, 16, 1),
            spacing=8,
        )

    def _offer(self) -> None:
        menu = Menu(self._theme, tr("Import a model"), self)
        menu.add(
            tr("Hugging Face folder…"),
            self.folder_asked.emit,
            icon="folder-open",
            detail=tr("BART, LED, T5, chat models"),
        )
        menu.add(
            tr("GGUF file…"),
            self.gguf_asked.emit,
            icon="file-text",
            detail=tr("from other programs"),
        )
        menu.add(tr("Exported model…"), self.import_asked.emit, icon="box", detail=SUFFIX)
        menu.open_below(self.importing, flush_right=True)

    def show_facts(self, facts: str) -> None:
        """Says how many there are."""
        self._facts.setText(facts)

    def fold(self, wide: bool) -> None:
        """Shows the switch where there is room for one side only."""
        self.switch.setVisible(not wide)

"""The head of the History panel, and the strip over its list."""

from PySide6.QtCore import Signal

from core.library.history import Shown
from gui.panels.history.words import tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button
from gui.widgets.inputs.field import FindField
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.support import layouts

HEIGHT_PX = 52


class Header(Plane):
    """Title and facts at the left; where there is room for one side, the switch of two."""

    side_chosen = Signal(str)
    """ "list" or "summary", from the two-part switch."""
    emptying_asked = Signal()
    """The trash is to be emptied."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEIGHT_PX)
        self._facts = Label(theme, "", "body", "text2", elide=True)
        self.switch = SegmentedControl(
            theme,
            [("list", tr("List")), ("summary", tr("Summary"))],
            value="list",
            name=tr("What is shown"),
        )
        self.switch.chosen.connect(self.side_chosen)
        self.emptying = Button(theme, tr("Empty trash…"), kind="danger", icon="trash-2")
        self.emptying.triggered.connect(self.emptying_asked)
        self.emptying.hide()
        layouts.row(
            Label(theme, tr("History"), "title"),
            (self._facts, 1),
            self.switch,
            self.emptying,
            into=self,
            margins=(24, 0, 16, 1),
            spacing=8,
        )

    def show_facts(self, facts: str) -> None:
        """Says how many there are, or that nothing is kept at the moment."""
        self._facts.setText(facts)
        self._facts.setToolTip(facts)


class Strip(Plane):
    """Which summaries are shown, and the field that searches them."""

    changed = Signal()
    entered = Signal()
    """The person is through with typing, and goes to what was found."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window")
        self._shown = SegmentedControl(
            theme,
            [("all", tr("All")), ("starred", tr("Starred")), ("trash", tr("Trash"))],
            value="all",
            name=tr("Which summaries are shown"),
            height=STRIP_HEIGHT_PX,
        )
        self.find_field = FindField(
            theme,
            name=tr("Search titles, summaries and notes"),
            placeholder=tr("Search"),
            icon="search",
            height=STRIP_HEIGHT_PX,
        )
        layouts.row(
            (self.find_field, 1), self._shown, into=self, margins=(24, 12, 24, 8), spacing=8
        )
        self._shown.chosen.connect(lambda value: self.changed.emit())
        self.find_field.textChanged.connect(lambda text: self.changed.emit())
        self.find_field.returnPressed.connect(self.entered)

    @property
    def shown(self) -> Shown:
        """Which summaries are shown."""
        shown: Shown = self._shown.value  # type: ignore[assignment]
        return shown

    def show_list(self, shown: Shown) -> None:
        """Turns to another list."""
        self._shown.set_value(shown)
        self.changed.emit()

    @property
    def wanted(self) -> str:
        """The words that are looked for."""
        return self.find_field.text()

    def focus_find(self) -> None:
        """Puts the keyboard into the field, as Ctrl F does."""
        self.find_field.setFocus()
        self.find_field.selectAll()

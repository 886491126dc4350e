"""The head of the Settings panel: its title, and the field that finds a setting."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QPaintEvent

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.field import FindField
from gui.widgets.support import layouts
from gui.widgets.support.paint import painter_on

HEIGHT_PX = 53  # its line included
_FIELD_PX = 220


class Header(Plane):
    """Title left, find field right."""

    wanted = Signal(str)
    """The words looked for."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEIGHT_PX)
        self.find_field = FindField(
            theme,
            name=self.tr("Find a setting"),
            placeholder=self.tr("Find a setting"),
            icon="search",
        )
        self.find_field.setFixedWidth(_FIELD_PX)
        self.find_field.textChanged.connect(self.wanted)
        layouts.row(
            Label(theme, self.tr("Settings"), "title"),
            (Label(theme, self.tr("changes apply at once"), "body", "text2"), 1),
            self.find_field,
            into=self,
            margins=(24, 0, 16, 2),
            spacing=8,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = painter_on(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()

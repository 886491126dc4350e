"""A row of controls over a column."""

from gui.theme.theme import Theme
from gui.widgets.display.plane import Plane
from gui.widgets.support import layouts

STRIP_PX = 45


class Strip(Plane):
    """A row of controls, 44 px high, with a line under it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(STRIP_PX - 1)
        self.row = layouts.row(into=self, margins=(24, 0, 16, 0), spacing=8)

"""An icon on its own, as the sign of a state."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.support.paint import RunningRing, draw_icon, painter_on

_ICON_PX = 16
_RUNNING = "loader-circle"


class Sign(QWidget):
    """An icon that says a state: its words stand beside it."""

    def __init__(
        self,
        theme: Theme,
        icon: str,
        color: str = "text2",
        size: int = _ICON_PX,
        parent: QWidget | None = None,
        *,
        beside: str = "",
    ) -> None:
        """An icon.

        Args:
            theme: The look.
            icon: Lucide's name.
            color: Token.
            size: Logical px.
            parent: Qt's owner.
            beside: Font role of the words beside it, if it stands at the top of them: it is in
                the middle of their first line then.
        """
        super().__init__(parent)
        self._theme, self._icon, self._color, self._size = theme, icon, color, size
        self._ring = RunningRing(self, theme)
        self._height = theme.line_height(beside) if beside else size
        self.setFixedSize(size, self._height)
        self.set_icon(icon, color)
        theme.changed.connect(self.update)

    @property
    def icon(self) -> str:
        """Lucide's name of what is shown."""
        return self._icon

    def set_icon(self, icon: str, color: str) -> None:
        """Shows another icon in another token; the running ring turns."""
        self._icon, self._color = icon, color
        self._ring.stop()
        if icon == _RUNNING:
            self._ring.start()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        at, angle = QPointF(0, (self._height - self._size) // 2), self._ring.angle
        draw_icon(painter, self._theme, self._icon, self._color, at, self._size, angle)
        painter.end()

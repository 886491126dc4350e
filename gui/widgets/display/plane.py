"""Surfaces of one colour, and the separator line of 1 px."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from gui.theme.theme import Theme
from gui.widgets.support.paint import painter_on


class Divider(QFrame):
    """A separator of 1 px between surfaces or groups."""

    def __init__(
        self,
        theme: Theme,
        orientation: Qt.Orientation = Qt.Orientation.Horizontal,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        if orientation == Qt.Orientation.Horizontal:
            self.setFixedHeight(1)
        else:
            self.setFixedWidth(1)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        painter.fillRect(self.rect(), self._theme.color("line"))
        painter.end()


class Plane(QWidget):
    """A surface of one colour: "window" for side columns and strips, "surface" for content."""

    def __init__(self, theme: Theme, color: str = "window", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._color = theme, color
        theme.changed.connect(self.update)

    def set_color(self, color: str) -> None:
        """Takes the colour of another token."""
        self._color = color
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        painter.fillRect(event.rect(), self._theme.color(self._color))
        painter.end()

"""Text on its way: grey lines where sentences will stand."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.support.paint import draw_plate, painter_on

_LINE_PX = 14
_PITCH_PX = 25
_LENGTHS = (1.0, 0.943, 0.971, 0.595)  # ragged like a paragraph


class Skeleton(QWidget):
    """Lines of 14 px for text that is not there yet. Still: nothing blinks."""

    def __init__(self, theme: Theme, num_lines: int = 4, parent: QWidget | None = None) -> None:
        """Grey lines.

        Args:
            theme: The look.
            num_lines: How many.
            parent: Qt's owner.
        """
        super().__init__(parent)
        self._theme, self._num_lines = theme, num_lines
        self.setAccessibleName(self.tr("The text is loading"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(320, max(0, self._num_lines * _PITCH_PX - (_PITCH_PX - _LINE_PX)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        for line in range(self._num_lines):
            is_last = line == self._num_lines - 1
            share = _LENGTHS[-1] if is_last else _LENGTHS[line % (len(_LENGTHS) - 1)]
            box = QRectF(0, line * _PITCH_PX, self.width() * share, _LINE_PX)
            draw_plate(painter, box, 3, self._theme.color("hover"))
        painter.end()

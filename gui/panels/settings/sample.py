"""A few lines as source and summary are set now, with evidence lit."""

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.panels.settings.state import matches
from gui.theme.theme import Theme
from gui.widgets.reading.text_block import Ink, TextBlock, paint_mark
from gui.widgets.support.paint import draw_plate, painter_on

_EDGE_X_PX, _EDGE_Y_PX = 21, 15
_LETTER_PX = 559 / 75 / 17  # width of a character of `read`, in sizes; as in the reading view
_RADIUS_PX = 8
_ABOVE_PX = 4  # clear of the row above


class ReadingSample(QWidget):
    """The sample under the reading settings; it follows the theme and the line width."""

    def __init__(self, theme: Theme, line_width: int) -> None:
        """A sample.

        Args:
            theme: Face, size and colours.
            line_width: Characters to a line.
        """
        super().__init__()
        self._theme, self._line_width = theme, line_width
        before = self.tr(
            "To stop the reaction, a layer of lithium nitride between 30 and 80 nm thick"
        )
        evidence = self.tr("is grown on the lithium surface before assembly")
        after = self.tr("by exposing the foil to dry nitrogen at 60 °C for four to nine minutes.")
        self._text = f"{before} {evidence}, {after}"
        self._start = self._text.index(evidence)
        self._end = self._start + len(evidence)
        self.setAccessibleName(self.tr("Sample"))
        self.setAccessibleDescription(self._text)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._dress)

    def set_line_width(self, characters: int) -> None:
        """Characters to a line."""
        self._line_width = characters
        self._dress()

    def matches(self, wanted: str) -> bool:
        """It goes with the whole list only."""
        return matches(wanted, self.accessibleName())

    def heightForWidth(self, width: int) -> int:
        return self._block(width).height + 2 * _EDGE_Y_PX + _ABOVE_PX

    def sizeHint(self) -> QSize:
        return QSize(400, self.heightForWidth(400))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        frame = QRectF(self.rect()).adjusted(0, _ABOVE_PX, 0, 0)
        draw_plate(painter, frame, _RADIUS_PX, color("surface"), color("line"))
        at = frame.topLeft() + QPointF(_EDGE_X_PX, _EDGE_Y_PX)
        block = self._block(self.width())
        words = [rect.translated(at) for rect in block.rects(self._start, self._end)]
        paint_mark(painter, words, "lit", self._theme)
        ink = Ink(self._start, self._end, color("evStrongText"))
        block.draw(painter, at, color("text"), [ink])
        painter.end()

    def _block(self, width: int) -> TextBlock:
        theme = self._theme
        wished = round(self._line_width * _LETTER_PX * theme.reading_size) + 1
        room = max(80, width - 2 * _EDGE_X_PX)
        return TextBlock(
            self._text, theme.font("read"), theme.line_height("read"), min(wished, room)
        )

    def _dress(self) -> None:
        self.updateGeometry()
        self.update()

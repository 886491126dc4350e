"""Chip: a short fact in a capsule; not clickable."""

from typing import Final, Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from gui.theme.theme import Theme
from gui.widgets.support.paint import draw_icon, draw_plate, painter_on

State = Literal["ok", "warn", "err", "accent", "plain", "outline"]

CHIP_PX = 20
_ICON_PX = 12
_PADDING_PX = 8
# Fill, ink, border, icon
_LOOKS: Final[dict[State, tuple[str, str, str, str]]] = {
    "ok": ("okSoft", "ok", "", "circle-check"),
    "warn": ("warnSoft", "warn", "", "triangle-alert"),
    "err": ("errSoft", "err", "", "octagon-x"),
    "accent": ("accentSoft", "accent", "", "loader-circle"),
    "plain": ("sunken", "text2", "", ""),
    "outline": ("surface", "text2", "line", ""),
}


class Chip(QLabel):
    """A capsule with a state, shown by an icon as well as by its colour."""

    def __init__(
        self, theme: Theme, text: str, state: State = "plain", parent: QWidget | None = None
    ) -> None:
        """A chip.

        Args:
            theme: The look.
            text: Two or three words.
            state: Gives colour and icon.
            parent: Qt's owner.
        """
        super().__init__(text, parent)
        self._theme, self._state = theme, state
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFixedHeight(CHIP_PX)
        self.setFont(theme.font("cap"))
        theme.changed.connect(self.update)

    def set_state(self, text: str, state: State) -> None:
        """Changes the text."""
        self._state = state
        self.setText(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(chip_width(self._theme, self.text(), self._state), CHIP_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        paint_chip(painter, self._theme, QRectF(self.rect()), self.text(), self._state)
        painter.end()


def chip_width(theme: Theme, text: str, state: State) -> int:
    """How wide a chip is, in px."""
    words = QFontMetricsF(theme.font("cap")).horizontalAdvance(text)
    icon = _ICON_PX + 4 if _LOOKS[state][3] else 0
    return round(words) + 2 * _PADDING_PX + icon


def paint_chip(painter: QPainter, theme: Theme, box: QRectF, text: str, state: State) -> None:
    """Paints a chip.

    Args:
        painter: Where.
        theme: The look.
        box: As wide as `chip_width` says, `CHIP_PX` high.
        text: Two or three words.
        state: Gives colour and icon.
    """
    fill, ink, border, icon = _LOOKS[state]
    color = theme.color
    draw_plate(painter, box, CHIP_PX / 2, color(fill), color(border) if border else None)
    x = _PADDING_PX - 1 if icon else _PADDING_PX
    if icon:
        at = box.topLeft() + QPointF(x, (CHIP_PX - _ICON_PX) / 2)
        draw_icon(painter, theme, icon, ink, at, _ICON_PX)
        x += _ICON_PX + 4
    painter.setFont(theme.font("cap"))
    painter.setPen(color(ink))
    align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.drawText(box.adjusted(x, 0, 0, 0), align, text)

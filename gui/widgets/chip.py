"""Chip: a short fact in a capsule; not clickable."""

from typing import Final, Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from gui.theme.theme import Theme
from gui.widgets.paint import draw_icon, draw_plate, painter_on

State = Literal["ok", "warn", "err", "accent", "plain", "outline"]

_HEIGHT_PX = 20
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
        self.setFixedHeight(_HEIGHT_PX)
        self.setFont(theme.font("cap"))
        theme.changed.connect(self.update)

    def set_state(self, text: str, state: State) -> None:
        """Changes the text."""
        self._state = state
        self.setText(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        icon = _ICON_PX + 4 if _LOOKS[self._state][3] else 0
        return QSize(round(words) + 2 * _PADDING_PX + icon, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        fill, ink, border, icon = _LOOKS[self._state]
        painter, color = painter_on(self), self._theme.color
        edge = color(border) if border else None
        draw_plate(painter, QRectF(self.rect()), _HEIGHT_PX / 2, color(fill), edge)
        x = _PADDING_PX - 1 if icon else _PADDING_PX
        if icon:
            at = QPointF(x, (_HEIGHT_PX - _ICON_PX) / 2)
            draw_icon(painter, self._theme, icon, ink, at, _ICON_PX)
            x += _ICON_PX + 4
        painter.setFont(self.font())
        painter.setPen(color(ink))
        box = QRectF(x, 0, self.width() - x, _HEIGHT_PX)
        align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(box, align, self.text())
        painter.end()

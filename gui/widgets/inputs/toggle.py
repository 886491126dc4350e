"""Check box, radio button and switch, painted; Qt's own classes give keys and roles."""

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QRadioButton, QWidget

from gui.theme.theme import Theme
from gui.widgets.support.cut_words import fitted, tell_cut_words
from gui.widgets.support.paint import draw_plate, painter_on

_BOX_PX = 16
_GAP_PX = 8
_HEIGHT_PX = 24
_SWITCH_W_PX, _SWITCH_H_PX = 30, 18


class CheckBox(QCheckBox):
    """A box with a tick and words."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = theme
        _prepare(self, theme)

    def sizeHint(self) -> QSize:
        return _size(self, _BOX_PX)

    def hitButton(self, pos: object) -> bool:
        return True

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: round the box."""
        return _box(self, _BOX_PX, _BOX_PX), 4

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        box, on = QRectF(_box(self, _BOX_PX, _BOX_PX)), self.isChecked()
        if not self.isEnabled():
            draw_plate(painter, box, 4, color("sunken"), color("line"))
        elif on:
            draw_plate(painter, box, 4, color("accent"))
        else:
            draw_plate(painter, box, 4, color("surface"), color("line2"))
        if on:
            self._draw_tick(painter, box)
        _draw_words(self, self._theme, painter, _BOX_PX)
        painter.end()

    def _draw_tick(self, painter: QPainter, box: QRectF) -> None:
        ink = self._theme.color("accentText" if self.isEnabled() else "disabled")
        cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        painter.setPen(QPen(ink, 1.75, Qt.PenStyle.SolidLine, cap, join))
        corners = ((4.25, 8.25), (7.0, 11.0), (11.75, 5.25))
        painter.drawPolyline([box.topLeft() + QPointF(x, y) for x, y in corners])


class RadioButton(QRadioButton):
    """A ring with a dot and words."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = theme
        _prepare(self, theme)

    def sizeHint(self) -> QSize:
        return _size(self, _BOX_PX)

    def hitButton(self, pos: object) -> bool:
        return True

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: round the ring."""
        return _box(self, _BOX_PX, _BOX_PX), _BOX_PX // 2

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        box, on = QRectF(_box(self, _BOX_PX, _BOX_PX)), self.isChecked()
        usable = self.isEnabled()
        ring = color("line" if not usable else "accent" if on else "line2")
        draw_plate(painter, box, 8, color("surface" if usable else "sunken"), ring)
        if on:
            dot = box.adjusted(4, 4, -4, -4)
            draw_plate(painter, dot, 4, color("accent" if usable else "disabled"))
        _draw_words(self, self._theme, painter, _BOX_PX)
        painter.end()


class Switch(QCheckBox):
    """On or off, only for what acts at once."""

    def __init__(
        self, theme: Theme, text: str = "", *, name: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self._theme = theme
        _prepare(self, theme)
        self.setAccessibleName(name or text)

    def sizeHint(self) -> QSize:
        return _size(self, _SWITCH_W_PX)

    def hitButton(self, pos: object) -> bool:
        return True

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: round the switch."""
        return _box(self, _SWITCH_W_PX, _SWITCH_H_PX), _SWITCH_H_PX // 2

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        box, on = QRectF(_box(self, _SWITCH_W_PX, _SWITCH_H_PX)), self.isChecked()
        usable, radius = self.isEnabled(), _SWITCH_H_PX / 2
        if on and usable:
            draw_plate(painter, box, radius, color("accent"))
        else:
            fill, border = ("surface", "line2") if usable else ("sunken", "line")
            draw_plate(painter, box, radius, color(fill), color(border))
        knob = QRectF(box.right() - 15 if on else box.left() + 3, box.top() + 3, 12, 12)
        ink = "disabled" if not usable else "accentText" if on else "line2"
        draw_plate(painter, knob, 6, color(ink))
        _draw_words(self, self._theme, painter, _SWITCH_W_PX)
        painter.end()


def _prepare(button: QAbstractButton, theme: Theme) -> None:
    button.setFont(theme.font("body"))
    button.setMinimumHeight(_HEIGHT_PX)
    tell_cut_words(button)
    theme.changed.connect(button.update)


def _size(button: QAbstractButton, width: int) -> QSize:
    words = QFontMetricsF(button.font()).horizontalAdvance(button.text())
    return QSize(width + (round(words) + _GAP_PX + 2 if button.text() else 0), _HEIGHT_PX)


def _box(button: QAbstractButton, width: int, height: int) -> QRect:
    return QRect(0, (button.height() - height) // 2, width, height)


def _draw_words(button: QAbstractButton, theme: Theme, painter: QPainter, width: int) -> None:
    painter.setFont(button.font())
    painter.setPen(theme.color("text" if button.isEnabled() else "disabled"))
    box = QRectF(button.rect()).adjusted(width + _GAP_PX, 0, 0, 0)
    align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    words = fitted(painter, button.text(), box.adjusted(0, 0, 1, 0))
    painter.drawText(box, align, words)

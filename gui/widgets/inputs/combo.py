"""Combo box: choose one of many."""

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QFrame, QStyledItemDelegate, QWidget

from gui.theme.compositing import round_corners
from gui.theme.theme import Theme
from gui.widgets.inputs.button import HEIGHT_PX
from gui.widgets.support.cut_words import fitted, tell_cut_words
from gui.widgets.support.paint import HoverFade, draw_icon, draw_plate, mixed, painter_on

_RADIUS_PX, _POPUP_RADIUS_PX = 6, 10
_PADDING_PX = 11
_ARROW_PX = 14


class ComboBox(QComboBox):
    """Combo box that paints itself while closed; the style sheet styles the open list."""

    def __init__(
        self,
        theme: Theme,
        *,
        name: str,
        width: int = 0,
        height: int = HEIGHT_PX,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        """A combo box; fill it with `addItem(words, value)`.

        Args:
            theme: The look.
            name: Accessible name.
            width: In px; 0 takes what the longest item needs.
            height: 32, or 28 in strips.
            elide: Where words too long for the box lose their letters.
            parent: Qt's owner.
        """
        super().__init__(parent)
        self._theme, self._elide = theme, elide
        self._hover = HoverFade(self, theme)
        self.setAccessibleName(name)
        self.view().setAccessibleName(name)
        self.setFixedHeight(height)
        if width:
            self.setFixedWidth(width)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setItemDelegate(QStyledItemDelegate(self))  # the plain one ignores the sheet
        popup = self.view().window()
        popup.setWindowFlags(
            Qt.WindowType.Popup
            | Qt.WindowType.FramelessWindowHint
            | Qt.WindowType.NoDropShadowWindowHint
        )
        round_corners(popup, _POPUP_RADIUS_PX)
        tell_cut_words(self)
        self._dress()
        theme.changed.connect(self._dress)

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        words = [metrics.horizontalAdvance(self.itemText(i)) for i in range(self.count())]
        width = round(max(words, default=0)) + 2 * _PADDING_PX + _ARROW_PX + 8
        return QSize(width, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(72, self.height())

    def focus_shape(self) -> tuple[QRect, int]:
        """The focus ring surrounds the whole box."""
        return self.rect(), _RADIUS_PX

    def showPopup(self) -> None:
        popup = self.view().window()
        if isinstance(popup, QFrame):  # the style gives it a square frame of its own
            popup.setFrameShape(QFrame.Shape.NoFrame)
        width = self.sizeHint().width()  # whole words, however narrow the box
        if self.count() > self.maxVisibleItems():
            width += self.view().verticalScrollBar().sizeHint().width()
        self.view().setMinimumWidth(width)
        super().showPopup()
        round_corners(popup, _POPUP_RADIUS_PX)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # scrolling a page must not change a choice on the way

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        usable = self.isEnabled()
        fill = mixed(color("raised"), color("hover"), self._hover.amount)
        if not usable:
            fill = color("sunken")
        draw_plate(
            painter, QRectF(self.rect()), _RADIUS_PX, fill, color("line2" if usable else "line")
        )
        room = self.width() - 2 * _PADDING_PX - _ARROW_PX - 4
        text = self.currentText() or self.placeholderText()
        painter.setFont(self.font())
        ink = "text" if self.currentText() else "text3"
        painter.setPen(color(ink if usable else "disabled"))
        box = QRectF(_PADDING_PX, 0, room + 1, self.height())
        words = fitted(painter, text, box, self._elide)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        at = QPointF(self.width() - _PADDING_PX - _ARROW_PX + 2, (self.height() - _ARROW_PX) / 2)
        ink = "text2" if usable else "disabled"
        draw_icon(painter, self._theme, "chevron-down", ink, at, _ARROW_PX)
        painter.end()

    def _dress(self) -> None:
        self.setFont(self._theme.font("body"))
        self.view().setFont(self._theme.font("body"))
        self.update()

"""The rail: the panels of the window, one below the other; Settings at the foot."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QVBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.tooltip import set_tooltip
from gui.widgets.support import layouts
from gui.widgets.support.enter_key import pressed_by_enter
from gui.widgets.support.paint import HoverFade, clear, draw_icon, draw_plate, mixed, painter_on

WIDE_PX = 72
NARROW_PX = 48

_WIDE_ITEM_PX, _NARROW_ITEM_PX = 56, 44
_LEAST_ITEM_PX, _NAMED_ITEM_PX = 24, 50
"""In a low window items are lower: without a name below the second height."""
_HEAD_PX, _FOOT_PX = 52, 7
_ICON_PX = 20
_RADIUS_PX = 8
_BAR_PX = (3, 24)


@dataclass(frozen=True)
class RailItem:
    """One panel in the rail.

    Attributes:
        value: What is sent when it is chosen.
        text: Its name.
        icon: Lucide's name.
        keys: Its shortcut as shown in the tooltip.
        at_foot: Whether it stands at the foot.
    """

    value: str
    text: str
    icon: str
    keys: str = ""
    at_foot: bool = False


class _ItemButton(QAbstractButton):
    """One item: a radio button to the keyboard and to screen readers."""

    def __init__(self, theme: Theme, item: RailItem, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._item = theme, item
        self._narrow, self._room_px = False, _WIDE_ITEM_PX
        self._hover = HoverFade(self, theme)
        self.setText(item.text)
        self.setAccessibleName(item.text)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_narrow(self, narrow: bool, room_px: int) -> None:
        """Shows the icon only, with the name as tooltip.

        Args:
            narrow: Whether there is no room for names.
            room_px: How high it may be.
        """
        self._narrow, self._room_px = narrow, room_px
        text = "" if self._is_named else self._item.text
        set_tooltip(self, self._theme, text, self._item.keys, beside=True)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        if self._narrow:
            return QSize(NARROW_PX - 1, min(_NARROW_ITEM_PX, self._room_px))
        return QSize(WIDE_PX - 1, min(_WIDE_ITEM_PX, self._room_px))

    @property
    def _is_named(self) -> bool:
        return not self._narrow and self._room_px >= _NAMED_ITEM_PX

    def focus_shape(self) -> tuple[QRect, int]:
        return self._plate().toRect().adjusted(2, 2, -2, -2), _RADIUS_PX - 2

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        rail, focus = self.parentWidget(), self.window().focusWidget()
        if rail is not None and focus is not None and rail.isAncestorOf(focus):
            # The focus, and with it the ring, must not stay on the item that was left.
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = painter_on(self), self._theme
        on = self.isChecked()
        hover = theme.color("hover")
        fill = theme.color("accentSoft") if on else mixed(clear(hover), hover, self._hover.amount)
        draw_plate(painter, self._plate(), _RADIUS_PX, fill)
        if on:
            self._paint_bar(painter)
        ink = "accent" if on else "text2"
        x = (self.width() - _ICON_PX) / 2 + 0.5
        y = 9.0 if self._is_named else (self.height() - _ICON_PX) / 2
        draw_icon(painter, theme, self._item.icon, ink, QPointF(round(x), y), _ICON_PX)
        if self._is_named:
            painter.setFont(theme.font("capb" if on else "cap"))
            painter.setPen(theme.color(ink))
            box = QRectF(0, 32, self.width() + 1, 16)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()

    def _plate(self) -> QRectF:
        side = 6 if self._narrow else 4
        return QRectF(self.rect()).adjusted(side, 2, -side, -2)

    def _paint_bar(self, painter: QPainter) -> None:
        width, height = _BAR_PX[0], min(_BAR_PX[1], self.height() - 8)
        bar = QRectF(-width, (self.height() - height) / 2, 2 * width, height)
        draw_plate(painter, bar, 2, self._theme.color("accent"))


class Rail(QWidget):
    """The panels by name. Arrow keys move along them; Tab leaves."""

    chosen = Signal(str)
    """The panel chosen by the user; not emitted when the program sets it."""

    def __init__(
        self, theme: Theme, items: tuple[RailItem, ...], parent: QWidget | None = None
    ) -> None:
        """A rail with its first item chosen.

        Args:
            theme: The look.
            items: In order; those at the foot last.
            parent: Qt's owner.
        """
        super().__init__(parent)
        self._theme = theme
        self._buttons: dict[str, _ItemButton] = {}
        self._group = QButtonGroup(self)
        self.setAccessibleName(self.tr("Panels"))
        column = layouts.column(into=self, margins=(0, _HEAD_PX, 1, _FOOT_PX))
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        in_order = sorted(items, key=lambda item: item.at_foot)
        for item in in_order:
            if item.at_foot and not any(button._item.at_foot for button in self._buttons.values()):
                column.addStretch()
            button = _ItemButton(theme, item, self)
            self._buttons[item.value] = button
            self._group.addButton(button)
            column.addWidget(button)
        if not any(item.at_foot for item in items):
            column.addStretch()
        self.set_narrow(False)
        self.set_value(in_order[0].value)
        self._group.buttonClicked.connect(self._on_clicked)
        theme.changed.connect(self.update)

    @property
    def value(self) -> str:
        """The panel shown."""
        return next(value for value, button in self._buttons.items() if button.isChecked())

    @property
    def is_narrow(self) -> bool:
        """Whether only icons are shown."""
        return self.width() == NARROW_PX

    def set_value(self, value: str) -> None:
        """Selects a panel without a signal; raises KeyError for an unknown value."""
        self._buttons[value].setChecked(True)
        for button in self._buttons.values():
            checked = button.isChecked()
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if checked else Qt.FocusPolicy.NoFocus)

    def set_narrow(self, narrow: bool) -> None:
        """48 px and icons only, or 72 px with names."""
        self.setFixedWidth(NARROW_PX if narrow else WIDE_PX)
        self._share_height()
        self.update()

    def _share_height(self) -> None:
        """Makes the items as high as there is room for all of them."""
        room_px = (self.height() - _HEAD_PX - _FOOT_PX) // len(self._buttons)
        for button in self._buttons.values():
            button.set_narrow(self.is_narrow, max(_LEAST_ITEM_PX, room_px))

    def minimumSizeHint(self) -> QSize:
        # Of the least items: else they could never get lower again.
        height = _HEAD_PX + _FOOT_PX + _LEAST_ITEM_PX * len(self._buttons)
        return QSize(self.width(), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()

    def button(self, value: str) -> QAbstractButton:
        """The button of an item."""
        return self._buttons[value]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        values = list(self._buttons)
        self._choose(values[(values.index(self.value) + step) % len(values)])
        self._buttons[self.value].setFocus(Qt.FocusReason.TabFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        painter.fillRect(self.rect(), color("window"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), color("line"))
        self._paint_mark(painter)
        painter.end()

    def _paint_mark(self, painter: QPainter) -> None:
        # Three lines of text, one of them evidence.
        left = 26.0 if not self.is_narrow else 14.0
        for y, width, token in ((19, 20, "line2"), (25, 13, "ev"), (31, 20, "line2")):
            draw_plate(painter, QRectF(left, y, width, 2), 1, self._theme.color(token))

    def _on_clicked(self, button: QAbstractButton) -> None:
        self.set_value(self.value)
        self.chosen.emit(self.value)

    def _choose(self, value: str) -> None:
        if value != self.value:
            self.set_value(value)
            self.chosen.emit(value)

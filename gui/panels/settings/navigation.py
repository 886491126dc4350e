"""The pages of the Settings panel by name, one below the other."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.support import layouts
from gui.widgets.support.enter_key import pressed_by_enter
from gui.widgets.support.paint import HoverFade, clear, draw_icon, draw_plate, mixed, painter_on

WIDTH_PX = 221  # its line included
_ITEM_PX = 38
_EDGE_PX = 12
_RADIUS_PX = 8


@dataclass(frozen=True)
class Page:
    """One page.

    Args:
        value: Its name in the program.
        title: Its name for a person.
        icon: Lucide's name.
    """

    value: str
    title: str
    icon: str


class _Item(QAbstractButton):
    """One page: a radio button to the keyboard and to screen readers."""

    def __init__(self, theme: Theme, page: Page, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._icon = theme, page.icon
        self._hover = HoverFade(self, theme)
        self.setText(page.title)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH_PX - 1 - 2 * _EDGE_PX, _ITEM_PX)

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: round the item."""
        return self.rect().adjusted(1, 1, -1, -1), _RADIUS_PX - 1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color, on = painter_on(self), self._theme.color, self.isChecked()
        hover = color("hover")
        fill = color("accentSoft") if on else mixed(clear(hover), hover, self._hover.amount)
        border = color("accentLine") if on else None
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, fill, border)
        ink = "accent" if on else "text2"
        draw_icon(painter, self._theme, self._icon, ink, QPointF(13, (_ITEM_PX - 16) / 2))
        painter.setFont(self._theme.font("section" if on else "body"))
        painter.setPen(color(ink))
        words = QRectF(self.rect()).adjusted(38, 0, -8, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()


class Navigation(QWidget):
    """A choice of pages. Arrow keys move along them; Tab leaves."""

    chosen = Signal(str)
    """The page the person chose; not sent when the program sets it."""

    def __init__(self, theme: Theme, pages: tuple[Page, ...]) -> None:
        super().__init__()
        self._theme = theme
        self._items: dict[str, _Item] = {}
        self._group = QButtonGroup(self)
        self.setFixedWidth(WIDTH_PX)
        self.setAccessibleName(self.tr("Settings pages"))
        column = layouts.column(into=self, margins=(_EDGE_PX, _EDGE_PX, _EDGE_PX + 1, _EDGE_PX))
        for page in pages:
            item = self._items[page.value] = _Item(theme, page, self)
            self._group.addButton(item)
            column.addWidget(item)
        column.addStretch()
        self.set_value(pages[0].value)
        self._group.buttonClicked.connect(lambda: self._choose(self.value))
        theme.changed.connect(self.update)

    @property
    def value(self) -> str:
        """The page marked."""
        return next(value for value, item in self._items.items() if item.isChecked())

    def set_value(self, value: str) -> None:
        """Marks a page without a signal; a value that is none is a KeyError."""
        self._items[value].setChecked(True)
        for item in self._items.values():
            on = item.isChecked()
            item.setFocusPolicy(Qt.FocusPolicy.StrongFocus if on else Qt.FocusPolicy.ClickFocus)

    def item(self, value: str) -> QAbstractButton:
        """The button of a page."""
        return self._items[value]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        step = steps.get(Qt.Key(event.key()))
        values = list(self._items)
        if step is None:
            super().keyPressEvent(event)
            return
        self._choose(values[(values.index(self.value) + step) % len(values)])
        self._items[self.value].setFocus(Qt.FocusReason.TabFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        painter.fillRect(self.rect(), color("window"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), color("line"))
        painter.end()

    def _choose(self, value: str) -> None:
        self.set_value(value)
        self.chosen.emit(value)

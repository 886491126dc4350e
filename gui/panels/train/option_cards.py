"""Cards of which one is chosen: each with a title, a line or two, and facts at the right."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.support import layouts
from gui.widgets.support.cut_words import tell_cut_words, write_line
from gui.widgets.support.enter_key import pressed_by_enter
from gui.widgets.support.leaving import let_go
from gui.widgets.support.paint import HoverFade, draw_icon, draw_plate, mixed, painter_on

_CARD_PX = 68


@dataclass(frozen=True)
class Option:
    """What may be chosen.

    Args:
        value: In the program.
        title: For a person.
        text: What it is, one line.
        facts: At the right, in a few words.
        icon: Lucide's name.
        refusal: Why it cannot be chosen; empty where it can.
    """

    value: Hashable
    title: str
    text: str = ""
    facts: str = ""
    icon: str = ""
    refusal: str = ""


class OptionCard(QAbstractButton):
    """One of them: a radio button to the keyboard and to screen readers."""

    def __init__(self, theme: Theme, option: Option, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.option = theme, option
        self._hover = HoverFade(self, theme)
        self.setText(option.title)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setEnabled(not option.refusal)
        told = ". ".join(filter(None, (option.title, option.text, option.facts, option.refusal)))
        self.setAccessibleName(told)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_CARD_PX)
        tell_cut_words(self)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(320, _CARD_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, _CARD_PX)

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes."""
        return self.rect(), 8

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color, on = painter_on(self), self._theme.color, self.isChecked()
        usable = self.isEnabled()
        fill = mixed(color("surface"), color("hover"), self._hover.amount / 2)
        fill = color("accentSoft") if on else fill if usable else color("sunken")
        edge = color("accentLine" if on else "line")
        draw_plate(painter, QRectF(self.rect()), 8, fill, edge)
        left = 16.0
        if self.option.icon:
            ink = "accent" if on else "text2" if usable else "disabled"
            draw_icon(painter, self._theme, self.option.icon, ink, QPointF(16, 24), 20)
            left = 52.0
        box = QRectF(left, 13, self.width() - left - 16, 20)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        ink, low = ("text", "text2") if usable else ("disabled", "text3")
        write = partial(write_line, painter, self._theme)
        facts = write(box, self.option.facts, "small", "text2", right)
        write(box.adjusted(0, 0, -facts - 12, 0), self.option.title, "strong", ink)
        write(box.translated(0, 22), self.option.refusal or self.option.text, "small", low)
        painter.end()


class OptionCards(QWidget):
    """The cards, one below the other."""

    chosen = Signal(object)
    """The value the person chose."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._options: tuple[Option, ...] = ()
        self._cards: dict[Hashable, OptionCard] = {}
        self._group = QButtonGroup(self)
        self._column = layouts.column(into=self, spacing=8)
        self.setAccessibleName(name)

    @property
    def cards(self) -> tuple[OptionCard, ...]:
        """The cards, from the top."""
        return tuple(self._cards.values())

    def card(self, value: Hashable) -> OptionCard:
        """The card of a value; one that is none is a KeyError."""
        return self._cards[value]

    def show_options(self, options: Sequence[Option], value: Hashable) -> None:
        """Shows what may be chosen, and what is."""
        if tuple(options) != self._options:
            self._options = tuple(options)
            focused = next((c.option.value for c in self.cards if c.hasFocus()), None)
            for card in self.cards:
                self._group.removeButton(card)
                self._column.removeWidget(card)
                let_go(card)
            self._cards = {each.value: OptionCard(self._theme, each, self) for each in options}
            for card in self.cards:
                self._group.addButton(card)
                self._column.addWidget(card)
                card.show()
                card.clicked.connect(lambda _=False, c=card: self.chosen.emit(c.option.value))
                if focused is not None and card.option.value == focused:
                    card.setFocus()
        if value in self._cards:
            self._cards[value].setChecked(True)
        elif checked := self._group.checkedButton():
            self._group.setExclusive(False)
            checked.setChecked(False)
            self._group.setExclusive(True)

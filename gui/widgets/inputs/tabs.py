"""Tabs: the parts of a panel, one below the head at a time; the chosen one is underlined."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.plane import Plane
from gui.widgets.support import layouts
from gui.widgets.support.enter_key import pressed_by_enter
from gui.widgets.support.paint import HoverFade, mixed, painter_on

HEIGHT_PX = 41  # its line included
_LINE_PX = 2
_GAP_PX = 24


class _Tab(QAbstractButton):
    """One tab: a radio button to the keyboard and to screen readers."""

    def __init__(self, theme: Theme, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hover = HoverFade(self, theme)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_words(text)

    def set_words(self, text: str) -> None:
        self.setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def focus_shape(self) -> tuple[QRect, int]:
        return self.rect().adjusted(-4, 6, 4, -6), 4

    def sizeHint(self) -> QSize:
        # The weight of the chosen one, so that nothing moves when another is chosen.
        metrics = QFontMetricsF(self._theme.font("section"))
        return QSize(round(metrics.horizontalAdvance(self.text())) + 2, HEIGHT_PX - 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, chosen = painter_on(self), self._theme, self.isChecked()
        amount = 1.0 if chosen else self._hover.amount
        painter.setFont(theme.font("section" if chosen else "body"))
        painter.setPen(mixed(theme.color("text2"), theme.color("text"), amount))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if chosen:
            line = QRectF(0, self.height() - _LINE_PX, self.width(), _LINE_PX)
            painter.fillRect(line, theme.color("accent"))
        painter.end()


class Tabs(Plane):
    """A row of tabs with a line below. Arrow keys move the choice; Tab leaves it."""

    chosen = Signal(str)
    """The value the person chose; not sent when the program sets it."""

    def __init__(self, theme: Theme, parts: Sequence[tuple[str, str]], *, name: str) -> None:
        """Tabs, the first of them chosen.

        Args:
            theme: The look.
            parts: Value and words of each.
            name: Accessible name of the whole.
        """
        super().__init__(theme, "surface")
        self._group = QButtonGroup(self)
        self._tabs: dict[str, _Tab] = {}
        row = layouts.row(into=self, margins=(24, 0, 16, 1), spacing=_GAP_PX)
        for value, words in parts:
            tab = self._tabs[value] = _Tab(theme, words, self)
            self._group.addButton(tab)
            row.addWidget(tab)
        row.addStretch(1)
        self.setFixedHeight(HEIGHT_PX)
        self.setAccessibleName(name)
        self.set_value(parts[0][0])
        self._group.buttonToggled.connect(self._on_toggled)

    @property
    def value(self) -> str:
        """The chosen value."""
        return next(value for value, tab in self._tabs.items() if tab.isChecked())

    def set_value(self, value: str) -> None:
        """Chooses without a signal; a value that is none is a KeyError."""
        blocked = self._group.blockSignals(True)
        self._tabs[value].setChecked(True)
        self._group.blockSignals(blocked)
        for tab in self._tabs.values():  # Tab enters at the chosen one
            strong, click = Qt.FocusPolicy.StrongFocus, Qt.FocusPolicy.ClickFocus
            tab.setFocusPolicy(strong if tab.isChecked() else click)
            tab.update()

    def set_words(self, value: str, words: str) -> None:
        """Names a tab anew, as where its count has changed."""
        self._tabs[value].set_words(words)

    def show_tab(self, value: str, shown: bool) -> None:
        """Shows a tab or hides it."""
        self._tabs[value].setVisible(shown)

    def tab(self, value: str) -> QAbstractButton:
        """The button of a value."""
        return self._tabs[value]

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = painter_on(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()

    def _on_toggled(self, button: QAbstractButton, checked: bool) -> None:
        if checked:
            self.set_value(self.value)
            self.chosen.emit(self.value)

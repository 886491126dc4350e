"""Segmented control: one of two to five, all in sight."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.inputs.button import HEIGHT_PX
from gui.widgets.support import layouts
from gui.widgets.support.enter_key import pressed_by_enter
from gui.widgets.support.paint import HoverFade, draw_plate, mixed, painter_on

_INSET_PX = 2
_RADIUS_PX = 6
_MIN_PARTS, _MAX_PARTS = 2, 5


class _Part(QAbstractButton):
    """One part: a radio button to the keyboard and to screen readers."""

    def __init__(self, theme: Theme, text: str, height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._height = height
        self._hover = HoverFade(self, theme)
        self.setText(text)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def focus_shape(self) -> tuple[QRect, int]:
        return self.rect(), _RADIUS_PX - 1

    def sizeHint(self) -> QSize:
        # The weight of the selected part, so that nothing moves when another is chosen.
        metrics = QFontMetricsF(self._theme.font("section"))
        padding = 13.5 if self._height > 26 else 11.0
        return QSize(round(metrics.horizontalAdvance(self.text()) + 2 * padding), self._height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        theme, chosen = self._theme, self.isChecked()
        if chosen:
            usable = self.isEnabled()
            fill = theme.color("raised" if usable else "sunken")
            border = theme.color("line2" if usable else "line")
            draw_plate(painter, QRectF(self.rect()), _RADIUS_PX - 1, fill, border)
        painter.setFont(theme.font("section" if chosen else "body"))
        ink = mixed(
            theme.color("text2"), theme.color("text"), 1.0 if chosen else self._hover.amount
        )
        painter.setPen(ink if self.isEnabled() else theme.color("disabled"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


class SegmentedControl(QWidget):
    """One choice of two to five. Arrow keys move it; Tab leaves it."""

    chosen = Signal(str)
    """The value the person chose; not sent when the program sets it."""

    def __init__(
        self,
        theme: Theme,
        parts: Sequence[tuple[str, str]],
        *,
        value: str = "",
        height: int = HEIGHT_PX,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """A choice.

        Args:
            theme: The look.
            parts: Value and words of each, two to five.
            value: The one chosen at first; else the first.
            height: 32, or 28 in strips.
            name: Accessible name of the whole.
            parent: Qt's owner.

        Raises:
            ValueError: If there are fewer than two or more than five parts.
        """
        super().__init__(parent)
        if not _MIN_PARTS <= len(parts) <= _MAX_PARTS:
            raise ValueError(f"2 to 5 parts, not {len(parts)}: use a combo box")
        self._theme = theme
        self._group = QButtonGroup(self)
        self._parts: dict[str, _Part] = {}
        row = layouts.row(into=self, margins=_INSET_PX)
        for key, words in parts:
            part = _Part(theme, words, height - 2 * _INSET_PX, self)
            self._parts[key] = part
            self._group.addButton(part)
            row.addWidget(part)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(height)
        self.setAccessibleName(name)
        self.set_value(value or parts[0][0])
        self._group.buttonToggled.connect(self._on_toggled)
        theme.changed.connect(self._dress)

    @property
    def value(self) -> str:
        """The chosen value."""
        return next(key for key, part in self._parts.items() if part.isChecked())

    def set_value(self, value: str) -> None:
        """Chooses without a signal; a value that is none is a KeyError."""
        blocked = self._group.blockSignals(True)
        self._parts[value].setChecked(True)
        self._group.blockSignals(blocked)
        for part in self._parts.values():  # Tab enters at the chosen one
            checked = part.isChecked()
            part.setFocusPolicy(
                Qt.FocusPolicy.StrongFocus if checked else Qt.FocusPolicy.ClickFocus
            )
            part.update()

    def set_words(self, value: str, words: str) -> None:
        """Changes the words of a part, such as a count in them."""
        part = self._parts[value]
        if part.text() != words:
            part.setText(words)
            part.updateGeometry()
            part.update()

    def part(self, value: str) -> QAbstractButton:
        """The button of one value, to give it a tooltip or disable it."""
        return self._parts[value]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        color = self._theme.color
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, color("sunken"), color("line"))
        painter.end()

    def _on_toggled(self, button: QAbstractButton, checked: bool) -> None:
        if checked:
            self.set_value(self.value)
            self.chosen.emit(self.value)

    def _dress(self) -> None:
        for part in self._parts.values():
            part.updateGeometry()
            part.update()
        self.update()

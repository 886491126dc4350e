"""The field of the length control: takes what ``--length`` takes, and plain numbers."""

import re
from decimal import Decimal

from PySide6.QtCore import QCoreApplication, QEvent, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QKeySequence, Qt

from core.errors import EpitomeError
from core.numbers import format_count
from core.summaries.length import Length, LengthUnit
from gui.theme.theme import Theme
from gui.widgets.inputs.field import TextField
from gui.widgets.support.numbers import format_decimal, parse_decimal

_HEIGHT_PX = 28
_ROUND_PX = 30
"""Borders, padding and the cursor, beside the digits."""
_FEWEST_DIGITS = "100"
_PAGE = 10
_UNITS: dict[str, LengthUnit] = {"s": "sentences", "w": "words", "%": "share", "p": "share"}
"""By the first letter of what is typed."""
_PARTS = re.compile(r"(.*?)\s*(s|sentences?|w|words?|%|percent)?\s*", re.IGNORECASE)
_HIGHEST = 10**9


def parse_length(text: str, unit: LengthUnit) -> Length:
    """Reads "12", "4,000", "120 words", "5s" or "10 %".

    Args:
        text: As typed.
        unit: What a plain number counts.

    Returns:
        The length.

    Raises:
        EpitomeError: If it is no length; the sentence says what is possible.
    """
    parts = _PARTS.fullmatch(text)
    number = parse_decimal(parts[1]) if parts else None
    if parts is None or number is None:
        raise _no_length(_tr("Enter a number, or a length such as 5s, 120w or 10%."))
    unit = _UNITS[parts[2][0].lower()] if parts[2] else unit
    return Length(_checked(number, unit), unit)


def _checked(number: Decimal, unit: LengthUnit) -> float:
    if unit == "share" and not 0 < number <= 100:
        raise _no_length(_tr("A share is more than 0 % and at most 100 %."))
    if unit != "share" and (number < 1 or number != number.to_integral_value()):
        raise _no_length(_tr("Sentences and words are whole numbers from 1."))
    return min(float(number), _HIGHEST)


def _no_length(sentence: str) -> EpitomeError:
    return EpitomeError(sentence, "")


def _tr(text: str) -> str:
    return QCoreApplication.translate("LengthField", text)


class LengthField(TextField):
    """A length in the unit that is chosen, or in any other when it is typed with it.

    It is checked on leaving the field or Enter, and mended on typing. A wrong length stays.
    """

    length_entered = Signal(object)
    """A new `Length` entered by the user."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name=name, height=_HEIGHT_PX)
        self._length, self._most = Length(), 1
        self.editingFinished.connect(self._check)
        self.show_length(self._length, 1)

    @property
    def value(self) -> float:
        """The last valid length, in the unit that is chosen."""
        return self._length.value

    @property
    def _shown(self) -> str:
        return format_decimal(float(self._length.value))

    def show_length(self, length: Length, most: int) -> None:
        """Shows a length, without a signal; what is being typed stays.

        Args:
            length: The length.
            most: The longest summary that the document gives, in its unit: the field has room for
                it.
        """
        is_new = length != self._length
        self._length, self._most = length, most
        if is_new or not self.hasFocus():
            self.setText(self._shown)
            self.set_error("")
        digits = max(self._shown, format_count(most), _FEWEST_DIGITS, key=self._width_of)
        self.setFixedWidth(round(self._width_of(digits)) + _ROUND_PX)

    def finish(self) -> None:
        """Takes what is being typed as entered, because its document is left."""
        if self.text() != self._shown:
            self._check()

    def forget_typing(self) -> None:
        """Shows the last valid length again: what was typed was meant for another document."""
        self.setText(self._shown)
        self.set_error("")

    def _width_of(self, digits: str) -> float:
        return QFontMetricsF(self.font()).horizontalAdvance(digits)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            is_undo = event.matches(keys.Undo) or event.matches(keys.Redo)
            # Once a length is taken, undo belongs to what it did, not to its digits.
            if is_undo and self.text() == self._shown:
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        steps = {keys.Key_Up: 1, keys.Key_Down: -1, keys.Key_PageUp: _PAGE}
        steps[keys.Key_PageDown] = -_PAGE
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.length_entered.emit(self.stepped(step))

    def stepped(self, by: int) -> Length:
        """The length by so much longer or shorter, within what the document gives."""
        top = max(self._most, self._length.value)
        return Length(min(max(1, round(self._length.value) + by), top), self._length.unit)

    def _check(self) -> None:
        try:
            length = parse_length(self.text(), self._length.unit)
        except EpitomeError as error:
            self.set_error(error.message)
            return
        if length == self._length:
            self.setText(self._shown)
            self.set_error("")
        else:
            self.length_entered.emit(length)

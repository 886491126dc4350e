"""The controls of amounts: a number on a slider, and the length of a summary with its unit."""

from contextlib import suppress
from typing import get_args

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget

from core.errors import EpitomeError
from core.numbers import format_count
from core.summaries.length import Length, LengthUnit
from gui.forms.editors import Editor, NumberLine, whole_bounds
from gui.forms.fields import Number
from gui.forms.values import length_raw, title_of
from gui.theme.theme import Theme
from gui.widgets.inputs.field import TextField
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.slider import Slider
from gui.widgets.support.numbers import parse_number

_FIELD_PX = 64
_SLIDER_PX = 140
_USUAL: dict[LengthUnit, float] = {"sentences": 9, "words": 220, "share": 5}
"""Where the number starts when another unit is chosen."""


class _CalmSlider(Slider):
    """A slider that the wheel does not move: the page scrolls under the pointer."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class SliderEditor(Editor):
    """A whole number within bounds: a slider, and a line for the number beside it."""

    def __init__(self, theme: Theme, name: str, kind: Number) -> None:
        """A slider with its line.

        Args:
            theme: The look.
            name: Accessible name.
            kind: The number's bounds.

        Raises:
            ValueError: If it is not whole, or has no bound at one end.
        """
        super().__init__(name)
        low, high = whole_bounds(kind)
        if not kind.whole or low is None or high is None:
            raise ValueError(f"“{name}” cannot be a slider: {kind}")
        self.slider = _CalmSlider(theme, low, high, low, name=name, width=_SLIDER_PX)
        self.slider.setFixedWidth(_SLIDER_PX)
        self.field = NumberLine(theme, name, kind)
        self.field.setFixedWidth(_FIELD_PX)
        self._row.setSpacing(8)
        self._row.addWidget(self.slider)
        self._row.addWidget(self.field)
        self.slider.followed.connect(self._on_slid)
        self.field.textEdited.connect(lambda text: self.edited.emit(text))
        self.field.stepped.connect(self._tell)
        self.field.editingFinished.connect(self.committed)

    def put_ends(self, before: QWidget, after: QWidget) -> None:
        """Puts something before and after the slider, such as a small and a large letter."""
        self._row.insertWidget(0, before)
        self._row.insertWidget(2, after)

    def show_unit(self, unit: str) -> None:
        """Shows a short unit in the line."""
        self.field.set_unit(unit)

    @property
    def control(self) -> QWidget:
        """The slider."""
        return self.slider

    def show_raw(self, raw: object) -> None:
        """Shows a value without a signal; the slider stays where the text is no number."""
        text = "" if raw is None else str(raw)
        if self.field.text() != text:
            self.field.setText(text)
        value = parse_number(text)
        if value is not None and value != self.slider.value():
            self.slider.set_value_quietly(value)

    def set_error(self, sentence: str) -> None:
        """Marks the line; "" takes the mark away."""
        self.field.set_error(sentence)

    def describe(self, text: str) -> None:
        """Tells screen readers what both are for, or what is wrong."""
        self.slider.setAccessibleDescription(text)
        self.field.setAccessibleDescription(text)

    def _on_slid(self, value: int) -> None:
        self.field.setText(format_count(value))
        self._tell(self.field.text())


class LengthEditor(Editor):
    """The length of a summary: a number, and what it counts."""

    def __init__(self, theme: Theme, name: str) -> None:
        """A length.

        Args:
            theme: The look.
            name: Accessible name.
        """
        super().__init__(name)
        self._numbers = dict(_USUAL)
        self.field = TextField(theme, name=name)
        self.field.setFixedWidth(_FIELD_PX)
        words = {"share": self.tr("Share, %")}
        units = [(unit, words.get(unit, title_of(unit))) for unit in get_args(LengthUnit)]
        self.unit = SegmentedControl(theme, units, name=self.tr("Unit: {0}").format(name))
        self._row.setSpacing(8)
        self._row.addWidget(self.field)
        self._row.addWidget(self.unit)
        self.field.textEdited.connect(lambda: self.edited.emit(self._raw()))
        self.field.editingFinished.connect(self._on_finished)
        self.unit.chosen.connect(self._on_unit)

    @property
    def control(self) -> TextField:
        """The line for the number."""
        return self.field

    def show_raw(self, raw: object) -> None:
        """Shows a value without a signal; what is no length stays as it was typed."""
        if raw == self._raw():
            return
        try:
            self._show(Length.parse(str(raw)))
        except EpitomeError:
            self.field.setText("" if raw is None else str(raw))

    def set_error(self, sentence: str) -> None:
        """Marks the line; "" takes the mark away."""
        self.field.set_error(sentence)

    def _show(self, length: Length) -> None:
        self._numbers[length.unit] = length.value
        self.unit.set_value(length.unit)
        self.field.setText(f"{length.value:g}")

    def _raw(self) -> str:
        return length_raw(self.field.text(), self._unit())

    def _on_finished(self) -> None:
        with suppress(EpitomeError):  # it is said by whoever checks it
            self._show(Length.parse(self._raw()))
        self.committed.emit()

    def _on_unit(self) -> None:
        self._show(Length(self._numbers[self._unit()], self._unit()))
        self._tell(self._raw())

    def _unit(self) -> LengthUnit:
        return next(unit for unit in _USUAL if unit == self.unit.value)

"""A row for each kind of setting, made from its field of `Preferences`."""

from dataclasses import replace
from typing import Protocol, get_args, runtime_checkable

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget

from core.errors import EpitomeError
from core.length import Length, LengthUnit
from core.library.preferences import Preferences
from gui.forms.editors import simple_editor
from gui.forms.fields import Number, describe
from gui.panels.settings.rows import Row
from gui.panels.settings.state import USUAL_LENGTHS, parse_length
from gui.theme.theme import Theme
from gui.widgets.field import NumberField, TextField
from gui.widgets.label import Label
from gui.widgets.segmented import SegmentedControl
from gui.widgets.slider import Slider

_FIELD_PX = 64
_SLIDER_PX = 140

translate = QCoreApplication.translate

FIELDS = {field.name: field for field in describe(Preferences)}


class SettingRow(Row):
    """A setting: its words come from its field."""

    chosen = Signal(str, object)
    """Its name, and the value that the person gave."""

    def __init__(self, theme: Theme, name: str, more_help: str = "") -> None:
        """A row without its control.

        Args:
            theme: The look.
            name: The setting's.
            more_help: Goes on after its own line of help.
        """
        self.field = FIELDS[name]
        own = _tr(self.field.help).removesuffix(".")
        help_text = "; ".join(filter(None, (own, more_help)))
        super().__init__(theme, _tr(self.field.title), help_text)

    def _tell(self, value: object) -> None:
        self.chosen.emit(self.field.name, value)


@runtime_checkable
class ShowsValue(Protocol):
    """A row that shows the value of a setting."""

    def show_value(self, value: object) -> None:
        """Shows a value without a signal."""
        ...


class PlainRow(SettingRow):
    """One of a few values, or on and off: the control of a form, acting at once."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name)
        field = replace(self.field, title=self.title)
        self.editor = simple_editor(theme, field, words=_words_of_values(name), at_once=True)
        self.editor.describe(_tr(self.field.help))
        self.editor.edited.connect(self._tell)
        self.add(self.editor)

    def show_value(self, value: object) -> None:
        """Shows a value without a signal."""
        self.editor.show_raw(value)


class _CalmSlider(Slider):
    """A slider that the wheel does not move: the page scrolls under the pointer."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class NumberRow(SettingRow):
    """A whole number: a slider and the field beside it."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        unit: str = "",
        more_help: str = "",
        ends: tuple[QWidget, QWidget] | None = None,
    ) -> None:
        """A row for a number.

        Args:
            theme: The look.
            name: The setting's.
            unit: Shown in the field.
            more_help: Goes on after its own line of help.
            ends: What stands before and after the slider.
        """
        super().__init__(theme, name, more_help)
        kind, title = self.field.kind, _tr(self.field.title)
        assert isinstance(kind, Number)
        lowest, highest = round(kind.low or 0), round(kind.high or 0)
        self.slider = _CalmSlider(theme, lowest, highest, lowest, name=title, width=_SLIDER_PX)
        self.slider.setFixedWidth(_SLIDER_PX)
        self.number = NumberField(
            theme, lowest, highest, lowest, name=title, unit=unit, width=_FIELD_PX
        )
        before, after = ([end] if end else [] for end in ends or (None, None))
        self.add(*before, self.slider, *after, self.number)
        self.slider.followed.connect(self._on_slid)
        self.number.value_changed.connect(self._on_typed)
        self.number.error_changed.connect(self.show_error)

    def show_value(self, value: object) -> None:
        """Shows a value without a signal."""
        assert isinstance(value, int)
        self.slider.set_value_quietly(value)
        if self.number.value != value or not self.number.hasFocus():
            self.number.set_value(value)

    def _on_slid(self, value: int) -> None:
        self.number.set_value(value)
        self._tell(value)

    def _on_typed(self, value: int) -> None:
        self.slider.set_value_quietly(value)
        self._tell(value)


class LengthRow(SettingRow):
    """The length of a new summary: a number and what it counts."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "length")
        title = _tr(self.field.title)
        self._numbers = dict(USUAL_LENGTHS)
        self.number = TextField(theme, name=title)
        self.number.setFixedWidth(_FIELD_PX)
        units = [(unit, _words_of_values()[unit]) for unit in get_args(LengthUnit)]
        self.unit = SegmentedControl(theme, units, name=self.tr("Unit of the length"))
        self.add(self.number, self.unit)
        self.number.editingFinished.connect(self._on_typed)
        self.number.error_changed.connect(self.show_error)
        self.unit.chosen.connect(self._on_unit)

    def show_value(self, value: object) -> None:
        """Shows a value without a signal."""
        length = Length.parse(str(value))
        self._numbers[length.unit] = length.value
        self.unit.set_value(length.unit)
        self.number.setText(f"{length.value:g}")
        self.number.set_error("")

    def _on_typed(self) -> None:
        unit = self._unit()
        try:
            length = parse_length(self.number.text(), unit)
        except EpitomeError as error:
            self.number.set_error(error.message)
            return
        self.show_value(length)
        self._tell(str(length))

    def _on_unit(self) -> None:
        length = Length(self._numbers[self._unit()], self._unit())
        self.show_value(length)
        self._tell(str(length))

    def _unit(self) -> LengthUnit:
        return next(unit for unit in USUAL_LENGTHS if unit == self.unit.value)


def letter_ends(theme: Theme) -> tuple[Label, Label]:
    """A small and a large A, for the ends of the slider of text sizes."""
    return Label(theme, "A", "small", "text2"), Label(theme, "A", "title", "text2")


def _words_of_values(name: str = "") -> dict[object, str]:
    return {
        "source-serif": translate("Settings", "Source Serif"),
        "inter": translate("Settings", "Inter"),
        "system": (
            translate("Settings", "System")
            if name == "text_face"
            else translate("Settings", "As the system")
        ),
        "light": translate("Settings", "Light"),
        "dark": translate("Settings", "Dark"),
        "off": translate("Settings", "Off"),
        "sentences": translate("Settings", "Sentences"),
        "words": translate("Settings", "Words"),
        "share": translate("Settings", "Share, %"),
    }


def _tr(words: str) -> str:
    return translate("Settings", words)

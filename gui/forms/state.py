"""What a form holds, without Qt: what was typed, what is wrong, what differs, and the result."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from core.settings import Settings
from gui.forms.fields import FormField, Number, describe
from gui.forms.problems import ACROSS, sentences
from gui.forms.values import plain, written
from gui.widgets.support.numbers import parse_decimal

S = TypeVar("S", bound=Settings)


class FormState(Generic[S]):
    """The values of a settings class as they are being typed.

    The class itself judges them, so that a form takes what `Settings.checked` takes and nothing
    else.
    """

    def __init__(
        self,
        settings_class: type[S],
        preset: S | None = None,
        values: S | None = None,
        left_out: Collection[str] = (),
        refused: Callable[[S], Mapping[str, str]] = lambda _: {},
        several: str = "",
    ) -> None:
        """The state of a form.

        Args:
            settings_class: What is being set.
            preset: What values are compared with and reset to; the defaults if None.
            values: What the form begins with; the preset if None.
            left_out: Names of fields that are not shown; they keep the value they begin with, as
                do those with a single possible value.
            refused: What is wrong with settings that the class itself allows, by field name: what
                the machine cannot do, for instance.
            several: What is told where several numbers are typed in the place of one; "{0}" stands
                for "batch=2,4". Empty where there is no place for several.
        """
        self._class, self._refused, self._several = settings_class, refused, several
        self.all_fields = describe(settings_class)
        self.fields = tuple(
            field for field in self.all_fields if field.name not in left_out and not field.fixed
        )
        self._by_name = {field.name: field for field in self.all_fields}
        self._preset = preset
        self._raw: dict[str, Any] = {}
        self._settings: S | None = None
        self._problems: dict[str, str] = {}
        begin = values or preset
        for field in self.all_fields:
            value = field.default if begin is None else getattr(begin, field.name)
            self._raw[field.name] = written(field.kind, value)
        self._check()

    @property
    def settings(self) -> S | None:
        """The settings as they stand; None while anything is wrong."""
        return self._settings

    @property
    def problems(self) -> dict[str, str]:
        """One sentence by field name; what is wrong between fields stands under `ACROSS`."""
        return dict(self._problems)

    @property
    def across(self) -> str:
        """What is wrong between fields; empty when nothing is."""
        return self._problems.get(ACROSS, "")

    def field(self, name: str) -> FormField:
        """The description of a field; a name that is none is a KeyError."""
        return self._by_name[name]

    def raw(self, name: str) -> Any:
        """What stands in a field, as `written` makes it."""
        return self._raw[name]

    def put(self, name: str, raw: Any) -> None:
        """Takes what a person typed or chose.

        Args:
            name: Of the field; one that is none is a KeyError.
            raw: As `written` makes it.
        """
        self.field(name)
        self._raw[name] = raw
        self._check()

    def can_hold(self, name: str, raw: Any) -> bool:
        """Whether a value from a file is of the kind that `put` takes for a field, right or not."""
        field, now = self.field(name), self._raw[name]
        if raw is None or (now is not None and type(raw) is not type(now)):
            return raw is None and field.optional
        try:
            plain(field.kind, raw, field.optional)
        except (TypeError, ValueError, KeyError, AttributeError):
            return False
        return True

    def tidy(self, name: str) -> None:
        """Writes an allowed value as the form writes it: "16k" becomes "16 000"."""
        field = self.field(name)
        if name not in self._problems:
            value = self.value(name)
            if not isinstance(value, str):
                self._raw[name] = written(field.kind, value)

    def value(self, name: str) -> Any:
        """The value of a field as the settings would hold it; its text where it is wrong."""
        if self._settings is not None:
            return getattr(self._settings, name)
        field = self.field(name)
        return plain(field.kind, self._raw[name], field.optional)

    def show(self, settings: S) -> None:
        """Takes all values from settings."""
        for field in self.all_fields:
            self._raw[field.name] = written(field.kind, getattr(settings, field.name))
        self._check()

    def set_preset(self, preset: S) -> None:
        """Compares with another preset; a value that was the old one's becomes the new one's."""
        kept = set(self.changed)
        self._preset = preset
        for field in self.all_fields:
            if field.name not in kept:
                self._raw[field.name] = written(field.kind, getattr(preset, field.name))
        self._check()

    def preset_value(self, name: str) -> Any:
        """What a field is compared with and reset to."""
        return self.field(name).default if self._preset is None else getattr(self._preset, name)

    def differs(self, name: str) -> bool:
        """Whether a field holds something else than the preset."""
        field = self.field(name)
        if self._raw[name] == written(field.kind, self.preset_value(name)):
            return False
        return bool(self.value(name) != _comparable(self, name))

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the shown fields that differ from the preset."""
        return tuple(field.name for field in self.fields if self.differs(field.name))

    def reset(self, *names: str) -> None:
        """Takes the preset's value for some fields, or for all that are shown."""
        for name in names or [field.name for field in self.fields]:
            field = self.field(name)
            self._raw[name] = written(field.kind, self.preset_value(name))
        self._check()

    def _check(self) -> None:
        values = {
            field.name: plain(field.kind, self._raw[field.name], field.optional)
            for field in self.all_fields
        }
        self._settings, self._problems = None, {}
        try:
            made = self._class.model_validate(values)
        except ValidationError as error:
            self._problems = self._with_places(sentences(error, self.all_fields))
            return
        self._problems = dict(self._refused(made))
        self._settings = None if self._problems else made

    def _with_places(self, problems: dict[str, str]) -> dict[str, str]:
        """Says where several numbers go, of the fields that take one."""
        for name in problems.keys() & self._by_name.keys() if self._several else ():
            if numbers := _numbers(self.field(name), self._raw[name]):
                problems[name] = self._several.format(f"{name}={','.join(numbers)}")
        return problems


def _numbers(field: FormField, raw: Any) -> list[str]:
    """The numbers that are typed in the place of one; none where there are not several."""
    if not isinstance(field.kind, Number) or not isinstance(raw, str):
        return []
    parts = [part.strip() for part in re.split("[,;] *", raw.strip())]
    numbers = all(parse_decimal(part) is not None for part in parts)
    return parts if numbers and len(parts) > 1 else []


def _comparable(state: FormState[Any], name: str) -> Any:
    """The preset's value, in the shape in which an unfinished form tells its own."""
    value = state.preset_value(name)
    if state.settings is not None:
        return value
    field = state.field(name)
    return plain(field.kind, written(field.kind, value), field.optional)

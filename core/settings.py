"""What all settings have in common: frozen, checked, self-describing, kept as TOML.

A settings class sits in the package that obeys it. From its fields come the command line's
options, the TOML file and, in the window, the form: one name, one help, one default. An optional
setting that is not set reads and is written as "none".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import Any, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.config import JsonDict
from pydantic.fields import FieldInfo

from core.errors import EpitomeError, check_not_newer, explained
from core.storage.atomic_files import write_whole
from core.storage.parsing import is_utf8, parse_edited_toml
from core.storage.regular_files import read_regular
from core.storage.schema import KEY, SCHEMA_VERSION, migrated

NONE = "none"
"""How a file and the command line say that an optional setting is not set."""


class Settings(BaseModel):
    """Base of all settings: frozen; an unknown key is an error; "none" unsets what is optional."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _read_none(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        unset = {
            name: None
            for name, info in cls.model_fields.items()
            if values.get(name) == NONE and is_optional(info)
        }
        return values | unset

    @classmethod
    def checked(cls, values: dict[str, Any]) -> Self:
        """Settings from plain values, with every problem told in words.

        Args:
            values: Field names and values; missing ones take their default.

        Returns:
            The settings.

        Raises:
            EpitomeError: If a name is unknown or a value is not allowed.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            problems = error.errors()
            mended = {problem["loc"][:-1] for problem in problems}
            raise EpitomeError(
                " ".join(
                    _sentence(problem, cls.model_fields)
                    for problem in problems
                    # A row is too short for want of its wrong entries, which are told themselves.
                    if not (problem["type"] == "too_short" and problem["loc"] in mended)
                ),
                "Correct the value; what is left out takes its default.",
            ) from error

    @classmethod
    def load(cls, path: Path) -> Self:
        """Settings from a TOML file.

        Args:
            path: The file that `save` wrote, or one written by hand.

        Returns:
            The settings; what the file leaves out has its default.

        Raises:
            EpitomeError: If the file cannot be read, is no TOML, or holds what is not allowed.
        """
        with explained(f"The settings file {path} cannot be read", "Make it readable."):
            data = read_regular(path)
        try:
            text = data.decode()
        except ValueError as error:
            raise _unreadable(path, error) from error
        return cls.from_toml(text, path)

    @classmethod
    def from_toml(cls, text: str, path: Path) -> Self:
        """Settings from the text of a TOML file.

        Args:
            text: All of the file.
            path: The file, for what is said of it.

        Returns:
            The settings; what the text leaves out has its default.

        Raises:
            EpitomeError: If it is no TOML, holds what is not allowed, or is of a newer program.
        """
        try:
            values = parse_edited_toml(text)
        except ValueError as error:
            raise _unreadable(path, error) from error
        check_not_newer(f"The settings file {path}", values.get(KEY), SCHEMA_VERSION)
        try:
            values = migrated(values)
        except ValueError as error:
            raise EpitomeError(
                f"The settings file {path} {error}.",
                "Delete the file; what is not set takes its default.",
            ) from error
        return cls.checked(values)

    def to_toml(self) -> str:
        """The settings as TOML, each field under its line of help.

        Returns:
            The text.

        Raises:
            EpitomeError: If a value is the name of a file that is not UTF-8, as TOML is.
        """
        import tomlkit  # most processes write no settings, and it takes a tenth of their start

        document = tomlkit.document()
        document.add(KEY, tomlkit.item(SCHEMA_VERSION))
        values = self.model_dump(mode="json")
        for name, info in type(self).model_fields.items():
            value = NONE if values[name] is None else values[name]
            if not is_utf8(value):
                told = f"“{name}” was {value!r}: what is kept in a file should be UTF-8."
                raise EpitomeError(told, "Rename the file or the folder.")
            document.add(tomlkit.comment(info.description or info.title or name))
            document.add(name, tomlkit.item(value))
        return tomlkit.dumps(document)

    def save(self, path: Path) -> None:
        """Writes the settings as TOML, also over others; fails as `write_whole` does."""
        write_whole(path, self.to_toml().encode(), replace=True)


@dataclass(frozen=True)
class SettingsChoice:
    """Settings of one of several classes, told apart by the value of one of their fields.

    Args:
        key: The field.
        classes: By its value, the class.
        default: The value that is meant where nothing is said.
        elsewhere: By values that nobody types, what to do to have their class.
    """

    key: str
    classes: Mapping[str, type[Settings]]
    default: str
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    def of(self, values: Mapping[str, Any]) -> type[Settings]:
        """The class that is meant by values; raises `EpitomeError` if there is no such."""
        name = values.get(self.key, self.default)
        if name not in self.classes:
            raise EpitomeError(
                f"“{self.key}” was {name!r}: it should be {' or '.join(self.classes)}.",
                f"Leave it out for {self.default}.",
            )
        return self.classes[name]

    def checked(self, values: dict[str, Any]) -> Settings:
        """Settings of the class that is meant; fails as `of` and `Settings.checked` do."""
        return self.of(values).checked(values)

    def owners(self, setting: str) -> tuple[str, ...]:
        """Which of the classes have a setting, by their values of `key`."""
        return tuple(name for name, each in self.classes.items() if setting in each.model_fields)


SettingsKind = type[Settings] | SettingsChoice
"""What a table of a job file holds."""


def chosen_class(kind: SettingsKind, values: Mapping[str, Any]) -> type[Settings]:
    """The class of settings that some values are for; raises `EpitomeError` if there is none."""
    return kind.of(values) if isinstance(kind, SettingsChoice) else kind


def field_names(kind: SettingsKind) -> list[str]:
    """The names of all settings that a table may hold."""
    classes = kind.classes.values() if isinstance(kind, SettingsChoice) else [kind]
    return list(dict.fromkeys(name for each in classes for name in each.model_fields))


def option(
    default: Any,
    title: str,
    help: str,
    *,
    unit: str = "",
    basic: bool = False,
    **bounds: Any,
) -> Any:
    """A field of a settings class.

    Args:
        default: Its value when nothing is said.
        title: Its name as a person reads it.
        help: One line: what it does.
        unit: What its number counts.
        basic: Whether it is shown before "more" is asked for.
        **bounds: pydantic's `ge`, `le`, `gt`, `lt`, `min_length`, `pattern`.

    Returns:
        The pydantic field.
    """
    extra: JsonDict = {"unit": unit, "basic": basic}
    return Field(default, title=title, description=help, json_schema_extra=extra, **bounds)


def is_optional(info: FieldInfo) -> bool:
    """Whether a field can be left unset, which is then written as "none"."""
    return NoneType in get_args(info.annotation)


def _unreadable(path: Path, error: Exception) -> EpitomeError:
    return EpitomeError(
        f"The settings file {path} cannot be read ({error}).",
        "Correct the file; what is left out takes its default.",
    )


def _sentence(problem: Any, fields: dict[str, FieldInfo]) -> str:
    where = ".".join(str(part) for part in problem["loc"]) or "settings"
    if problem["type"] == "extra_forbidden":
        return f"“{where}” is not a setting."
    if problem["type"] == "too_short":
        return f"“{where}” was empty: it should have {problem['ctx']['min_length']} or more."
    told = str(problem["msg"]).removeprefix("Value error, ")
    if told.endswith("."):
        return told  # the sentence of a class's own check
    told = told.replace("Input should", "it should").partition(", unable to parse")[0]
    info = fields.get(where)
    if info is not None and is_optional(info):
        told += ", or none"
    return f"“{where}” was {problem['input']!r}: {told}."


def option_words(settings: Settings, default: Settings | None = None) -> list[str]:
    """The options that make settings of others.

    Args:
        settings: What is wanted.
        default: What holds without options; the defaults of the class if None.

    Returns:
        The words of a command line; fields that are the same in both are left out.
    """
    values, base = settings.model_dump(mode="json"), _default_values(settings, default)
    return [
        word
        for name, value in values.items()
        if value != base[name]
        for word in _option(name, value)
    ]


def _default_values(settings: Settings, default: Settings | None) -> dict[str, Any]:
    if default is not None:
        return default.model_dump(mode="json")
    fields = type(settings).model_fields
    whole = settings.model_copy(
        update={
            name: info.get_default(call_default_factory=True, validated_data={})
            for name, info in fields.items()
        }
    )
    return whole.model_dump(mode="json")


def _option(name: str, value: Any) -> Iterator[str]:
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        yield f"--{flag}" if value else f"--no-{flag}"
    elif isinstance(value, list):
        for each in value:
            yield from (f"--{flag}", str(each))
    else:
        yield from (f"--{flag}", NONE if value is None else str(value))

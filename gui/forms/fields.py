"""The fields of a form, read from a settings class: their words, their kinds and their bounds."""

import types
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from core.settings import Settings
from core.summaries.length import LengthText
from gui.control_words import in_window


@dataclass(frozen=True)
class Number:
    """A number within bounds.

    Args:
        whole: Whether it is an integer.
        low: Lowest value; None where there is none.
        high: Highest value; None where there is none.
        low_open: Whether the lowest value itself is not allowed.
        high_open: Whether the highest value itself is not allowed.
    """

    whole: bool
    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True)
class OnOff:
    """True or false."""


@dataclass(frozen=True)
class Choice:
    """One of a few values."""

    values: tuple[object, ...]


@dataclass(frozen=True)
class Text:
    """A line of text."""


@dataclass(frozen=True)
class SummaryLength:
    """How long a summary is: a number and what it counts."""


@dataclass(frozen=True)
class Folder:
    """A path."""


@dataclass(frozen=True)
class Items:
    """Any number of values of one kind."""

    item: "Kind"


@dataclass(frozen=True)
class Table:
    """Any number of rows, each with the same fields."""

    row: type[Settings]
    columns: tuple["FormField", ...]


Kind = Number | OnOff | Choice | Text | SummaryLength | Folder | Items | Table

_LENGTH = get_args(LengthText)[1]


@dataclass(frozen=True)
class FormField:
    """One field of a settings class.

    Args:
        name: In the class.
        title: As a person reads it.
        help: One line: what it does.
        unit: What its number counts; empty where it counts nothing.
        basic: Whether it is shown before more is asked for.
        kind: What may be given.
        optional: Whether none may be given.
        default: Its value when nothing is given.
    """

    name: str
    title: str
    help: str
    unit: str
    basic: bool
    kind: Kind
    optional: bool
    default: object

    @property
    def fixed(self) -> bool:
        """Whether there is a single possible value, such as a model's family."""
        return isinstance(self.kind, Choice) and len(self.kind.values) == 1 and not self.optional


def describe(settings: type[Settings]) -> tuple[FormField, ...]:
    """The fields of a settings class in their order.

    Args:
        settings: The class.

    Returns:
        One description for each field.

    Raises:
        TypeError: If a field has a type that no form can show.
    """
    return tuple(_field(settings, name) for name in settings.model_fields)


def _field(settings: type[Settings], name: str) -> FormField:
    info = settings.model_fields[name]
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    annotation, optional = _without_none(info.annotation)
    default = info.get_default(call_default_factory=True, validated_data={})
    return FormField(
        name,
        info.title or name.replace("_", " ").capitalize(),
        in_window(info.description or ""),
        str(extra.get("unit", "")),
        bool(extra.get("basic", False)),
        _kind(annotation, info.metadata, f"{settings.__name__}.{name}"),
        optional,
        None if info.is_required() else default,
    )


def _without_none(annotation: Any) -> tuple[Any, bool]:
    parts = get_args(annotation)
    if get_origin(annotation) not in (Union, types.UnionType) or types.NoneType not in parts:
        return annotation, False
    others = tuple(part for part in parts if part is not types.NoneType)
    return (others[0] if len(others) == 1 else Union[others]), True  # noqa: UP007


def _kind(annotation: Any, metadata: Iterable[Any], where: str) -> Kind:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kind(parts[0], (*parts[1:], *metadata), where)
    if origin is Literal:
        return Choice(parts)
    if origin is tuple and len(parts) == 2 and parts[1] is ...:
        return _items(parts[0], where)
    if annotation is str and _LENGTH in metadata:
        return SummaryLength()
    simple: dict[Any, Kind] = {bool: OnOff(), str: Text(), Path: Folder()}
    if annotation in simple:
        return simple[annotation]
    if annotation in (int, float):
        return _number(annotation is int, list(metadata))
    raise TypeError(f"{where}: a form cannot show the type {annotation}")


def _items(annotation: Any, where: str) -> Kind:
    if isinstance(annotation, type) and issubclass(annotation, Settings):
        return Table(annotation, describe(annotation))
    return Items(_kind(annotation, (), where))


def _number(whole: bool, metadata: list[Any]) -> Number:
    metadata = [part for item in metadata for part in getattr(item, "metadata", [item])]

    def bound(name: str) -> float | None:
        return next((getattr(item, name) for item in metadata if hasattr(item, name)), None)

    low, high, above, below = bound("ge"), bound("le"), bound("gt"), bound("lt")
    low_open = above is not None and (low is None or above >= low)
    high_open = below is not None and (high is None or below <= high)
    return Number(
        whole, above if low_open else low, below if high_open else high, low_open, high_open
    )

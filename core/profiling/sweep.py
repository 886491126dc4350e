"""From "depth=2,4,8" to the points that are measured.

A sweep varies fields of the model's and of the step's settings; every combination is a point.
`length` stands for the tokens of a row: a language model that reads less is made longer. An
encoder-decoder's rows are as long as it reads and writes.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, TypeGuard, get_args, get_origin

from pydantic.fields import FieldInfo

from core.errors import EpitomeError
from core.models.families import REGISTRY, get_family
from core.models.settings import ModelSettings, SequenceSettings
from core.numbers import format_count
from core.profiling.memory_options import OPTION, options_of
from core.profiling.settings import ProfileSettings
from core.settings import Settings

MOST_POINTS = 10_000
FULL = ("full",)
_SHORTEST = 512  # where comparing with full attention begins when no lengths are named
_NEVER = {"vary", "against_full", "memory_options", "causality", "family"}
_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE]-?\d\d?)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})([x×+])({_NUMBER})")
_FORM = "Write NAME=VALUE,VALUE,… or NAME=FROM..TOxFACTOR or NAME=FROM..TO+STEP."

Value = int | float | str | bool | tuple[str, ...] | None


@dataclass(frozen=True)
class Axis:
    """A field that is varied.

    Args:
        name: Of a field of the model's or of the step's settings.
        values: As they were written, each once, ranges written out; not checked yet.
    """

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Point:
    """One step to be measured.

    Args:
        model: What is trained.
        step: How.
        length: Tokens of a row, source and target together.
        varied: What makes this point differ from the others of its sweep.
    """

    model: ModelSettings
    step: ProfileSettings
    length: int
    varied: dict[str, Value]


def parse_axis(text: str) -> Axis:
    """What is varied, from how it is typed.

    Args:
        text: "NAME=ITEM,…", an item being a value, "FROM..TOxFACTOR" or "FROM..TO+STEP"; a range
            ends with the last value that is not above TO.

    Returns:
        The axis.

    Raises:
        EpitomeError: If it cannot be meant.
    """
    name, equals, items = text.partition("=")
    name = name.strip().replace("-", "_")
    if not (equals and name and items.strip()):
        raise EpitomeError(f"“{text}” does not say what is varied, and how.", _FORM)
    values = [value for item in items.split(",") for value in _written_out(item.strip(), text)]
    return Axis(name, tuple(dict.fromkeys(values)))


def points_of(model: ModelSettings, step: ProfileSettings) -> tuple[Point, ...]:
    """Every point of a sweep, the last axis changing fastest; one point where nothing is varied.

    Args:
        model: The model from which the points differ.
        step: The step from which they differ, and what is varied.

    Returns:
        The points, all checked.

    Raises:
        EpitomeError: If an axis cannot be meant, a value or a combination is not allowed, or
            there are more points than `MOST_POINTS`.
    """
    axes = _axes(model, step)
    count = 1
    for axis in axes:
        count *= len(axis.values)
    if count > MOST_POINTS:
        raise EpitomeError(
            f"The sweep has more than {format_count(MOST_POINTS)} points, which is the most that "
            "is measured.",
            "Vary less, or in larger steps.",
        )
    names = [axis.name for axis in axes]
    typed = [
        dict(zip(names, values, strict=True))
        for values in itertools.product(*(axis.values for axis in axes))
    ]
    if step.memory_options:
        return tuple(point for each in typed for point in _side_by_side(model, step, each))
    return tuple(_point(model, step, each) for each in typed)


def point_at(model: ModelSettings, step: ProfileSettings, name: str, text: str) -> Point:
    """One point of a sweep over a field.

    Args:
        model: The model from which it differs.
        step: The step from which it differs; what it varies does not count.
        name: Of a field of the model or of the step.
        text: Its value, as it is typed.

    Returns:
        The point.

    Raises:
        EpitomeError: If the field cannot be varied, or the value is not allowed.
    """
    _check_name(name, model)
    return _point(model, step, {name: text})


def is_logarithmic(values: Sequence[Value]) -> bool:
    """Whether values are better shown by their ratios: they grow by factors, or far."""
    numbers = sorted({v for v in values if is_number(v)})
    if len(numbers) < 3 or len(numbers) < len(set(values)) or numbers[0] <= 0:
        return False
    steps = [b - a for a, b in itertools.pairwise(numbers)]
    if max(steps) <= 1.01 * min(steps):
        return False
    factors = [b / a for a, b in itertools.pairwise(numbers)]
    return max(factors) <= 1.1 * min(factors) or numbers[-1] > 10 * numbers[0]


def is_number(value: Value) -> TypeGuard[int | float]:
    """Whether a value can be an axis's number; on and off are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def shown(value: Value) -> str:
    """A value as a person reads it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "+".join(value)
    return format_count(value) if isinstance(value, int) else str(value)


def _axes(model: ModelSettings, step: ProfileSettings) -> list[Axis]:
    axes = [parse_axis(text) for text in step.vary]
    names = [axis.name for axis in axes]
    for name in names:
        _check_name(name, model)
        if names.count(name) > 1:
            raise EpitomeError(f"“{name}” is varied twice.", "Name all its values together.")
    asked = "causality" if step.causality else "against_full" if step.against_full else ""
    family = get_family(model)
    if asked and not family.attention_names:
        able = " or ".join(each.name for each in REGISTRY.values() if each.attention_names)
        raise EpitomeError(
            f"“{asked}” compares attention kinds of the family {able}; the family was "
            f"{model.family}.",
            "Leave it out.",
        )
    if not step.against_full:
        return axes
    if "attention" in names or {*family.attention_kinds(model)} == {*FULL}:
        raise EpitomeError(
            "“against_full” compares one choice of attention with full attention; “attention” was "
            f"{'varied' if 'attention' in names else 'full'}.",
            "Name the kinds with --attention, such as lsh.",
        )
    lengths = [] if "length" in names else [Axis("length", _lengths(model.row_length))]
    attention = "+".join(model.model_dump()["attention"])
    return [*lengths, *axes, Axis("attention", (attention, *FULL))]


def _lengths(longest: int) -> tuple[str, ...]:
    """Lengths that double, up to the model's own."""
    lengths = [longest]
    while lengths[0] > _SHORTEST:
        lengths.insert(0, lengths[0] // 2)
    return tuple(map(str, lengths))


def _check_name(name: str, model: ModelSettings) -> None:
    known = sorted({*type(model).model_fields, *ProfileSettings.model_fields} - _NEVER)
    if name not in known:
        near = get_close_matches(name, known, 1)
        raise EpitomeError(
            f"“{name}” cannot be varied; a field of the model or of the step can.",
            f"Write {near[0]}." if near else f"Choose one of {', '.join(known)}.",
        )


def _point(model: ModelSettings, step: ProfileSettings, typed: dict[str, str]) -> Point:
    fields = type(model).model_fields | ProfileSettings.model_fields
    chosen = {name: _meant(fields[name], text) for name, text in typed.items()}
    # What one point is may not hold the sweep: its settings are those of a single step.
    base = step.model_dump() | {"vary": (), "against_full": False, "memory_options": False}
    changed = type(model).checked(model.model_dump() | _of(type(model), chosen))
    single = ProfileSettings.checked(base | _of(ProfileSettings, chosen))
    length = changed.row_length
    if isinstance(model, SequenceSettings) and length < model.length:
        changed = changed.model_copy(update={"length": model.length})
    values = {name: _value(name, changed, single, length) for name in typed}
    return Point(changed, single, length, values)


def _side_by_side(
    model: ModelSettings, step: ProfileSettings, typed: dict[str, str]
) -> Iterator[Point]:
    """A point, and the same with each option that saves memory."""
    plain = _point(model, step, typed)
    for name, changes in options_of(plain.model, plain.step, plain.length):
        changed = _point(model, step, typed | changes)
        yield replace(changed, varied={**plain.varied, OPTION: name})


def _of(settings: type[Settings], values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in settings.model_fields}


def _value(name: str, model: ModelSettings, step: ProfileSettings, length: int) -> Value:
    if name == "length":
        return length
    found: Value = getattr(model if name in type(model).model_fields else step, name)
    return found


def _meant(field: FieldInfo, text: str) -> str | tuple[str, ...] | None:
    """A value in the form its field takes; the settings class checks it."""
    kind = field.annotation
    if get_origin(kind) is tuple:
        return tuple(text.split("+"))
    return None if text == "none" and type(None) in get_args(kind) else text


def _written_out(item: str, text: str) -> list[str]:
    """The values of an item: itself, or all of a range."""
    if not item:
        raise EpitomeError(f"A value of “{text}” is empty.", _FORM)
    if ".." not in item:
        return [item]
    match = _RANGE.fullmatch(item)
    if not match:
        raise EpitomeError(f"“{item}” is no range of numbers.", _FORM)
    low, high, step = Decimal(match[1]), Decimal(match[2]), Decimal(match[4])
    _check_range(item, low, high, step, times=match[3] != "+")
    return [_plain(value) for value in _steps(low, high, step, times=match[3] != "+")]


def _check_range(item: str, low: Decimal, high: Decimal, step: Decimal, *, times: bool) -> None:
    if low > high:
        raise EpitomeError(f"The range “{item}” ends before it begins.", "Write the smaller first.")
    if times and (low <= 0 or step <= 1):
        raise EpitomeError(
            f"The range “{item}” does not grow; it must begin above 0, and its factor must be "
            "above 1.",
            "Write it as 1..8x2.",
        )
    if not times and step <= 0:
        raise EpitomeError(
            f"The range “{item}” does not grow; its step must be above 0.", "Write it as 2..8+2."
        )


def _steps(low: Decimal, high: Decimal, step: Decimal, *, times: bool) -> Iterator[Decimal]:
    # One more than may be measured is enough for whoever counts them to refuse.
    for _ in range(MOST_POINTS + 1):
        if low > high:
            return
        yield low
        low = low * step if times else low + step


def _plain(number: Decimal) -> str:
    """A number without an exponent, or zeros behind its point."""
    return f"{number.normalize():f}"

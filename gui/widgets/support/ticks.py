"""Ticks of a chart: at most six round numbers, and their words; without Qt."""

from collections.abc import Callable
from math import ceil, floor, log10
from typing import Literal

from core.numbers import THIN_SPACE
from gui.widgets.support.numbers import format_decimal

AxisKind = Literal["number", "doubling", "time"]
"""How the numbers of an axis are told: 10 000; 1k, 2k, 4k (powers of two); 10 min."""

MOST = 6
_STEPS = (1.0, 2.0, 2.5, 5.0)
_TIME_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800)
_HOUR_S = 3600
_KILO = 1024
_SUFFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def ticks(
    low: float,
    high: float,
    *,
    log: bool = False,
    kind: AxisKind = "number",
    most: int = MOST,
    whole: bool = False,
) -> list[float]:
    """Round numbers within bounds.

    Args:
        low: Lower bound.
        high: Upper bound.
        log: Whether the axis is logarithmic; the bounds are above 0 then.
        kind: What the numbers are.
        most: How many at most.
        whole: Whether only whole numbers make sense.

    Returns:
        Rising numbers; none when the bounds are equal or not finite.
    """
    if not (high > low) or high - low == float("inf"):
        return []
    if log and low > 0:
        made = _log_ticks(low, high, 2.0 if kind == "doubling" else 10.0, most)
        if len(made) >= 2:
            return made
    steps = _time_steps(high - low) if kind == "time" else _number_steps(high - low)
    best: list[float] = []
    for step in steps:
        if whole and not step.is_integer():
            continue
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        made = [_exact(index, step) for index in range(first, min(last, first + most) + 1)]
        if len(made) < len(best) or (best and len(best) < 2):
            break
        if len(made) <= most and (not best or _reach(made) > _reach(best)):
            best = made
    return best


def _reach(values: list[float]) -> float:
    return values[-1] - values[0] if values else 0.0


def labels(
    values: list[float], kind: AxisKind = "number", *, short: bool = False, padded: bool = True
) -> list[str]:
    """The words of ticks.

    Args:
        values: As `ticks` gives them.
        kind: What they are.
        short: Whether there is little room: thousands are written as k, small fractions as 5e-4.
        padded: Whether all have the same number of decimals.

    Returns:
        One for each.
    """
    if kind == "time":
        return [(_short_duration if short else duration)(value) for value in values]
    if kind == "doubling":
        return [_doubled(value) for value in values]
    if short and values and max(map(abs, values)) >= 1000:
        return [_short(value) for value in values]
    if short and values and 0 < max(map(abs, values)) < 1e-3:
        return [_tiny(value) for value in values]
    return _decimals(values) if padded else [_decimal(value) for value in values]


def fitting_labels(
    values: list[float],
    kind: AxisKind,
    room_px: float,
    width: Callable[[str], float],
    *,
    short: bool = False,
    padded: bool = True,
) -> list[str]:
    """Chooses the words of ticks: short ones where the others are too wide.

    Args:
        values: As `ticks` gives them.
        kind: What they are.
        room_px: How wide the widest may be.
        width: Measures words, in px.
        short: Whether they are short in any case.
        padded: As in `labels`.

    Returns:
        The words, one for each value.
    """
    words = labels(values, kind, short=short, padded=padded)
    if not short and max(map(width, words), default=0) > room_px:
        return labels(values, kind, short=True, padded=padded)
    return words


def duration(seconds: float) -> str:
    """A time as a person reads it: "45 s", "10 min", "2 h 10 min"."""
    total = round(seconds)
    hours, minutes = total // _HOUR_S, total % _HOUR_S // 60
    parts = [(hours, "h"), (minutes, "min")]
    if total < 60:
        return f"{_decimal(seconds)}{THIN_SPACE}s"
    if not hours and total % 60:
        parts.append((total % 60, "s"))
    return " ".join(f"{count}{THIN_SPACE}{unit}" for count, unit in parts if count)


def _short_duration(seconds: float) -> str:
    """A time in its largest unit: "2.5 h"."""
    for size, unit in ((_HOUR_S, "h"), (60, "min")):
        if abs(seconds) >= size:
            return f"{_decimal(round(seconds / size, 1))}{THIN_SPACE}{unit}"
    return f"{_decimal(seconds)}{THIN_SPACE}s"


def readable(value: float, digits: int = 3) -> str:
    """A measured value in a few digits: "2.21", "40.7", "11 240", "0.00062"."""
    if value != value or value in (float("inf"), -float("inf")):
        return str(value)
    if value == 0:
        return "0"
    magnitude = floor(log10(abs(value)))
    rounded = round(value, max(digits - 1 - magnitude, 0))
    if abs(rounded) >= 1000:
        return format_decimal(float(round(rounded)))
    if magnitude < -4:
        return f"{value:.{digits - 1}e}".replace("e-0", "e-")
    return f"{rounded:.{max(digits - 1 - magnitude, 0)}f}"


def _number_steps(span: float) -> list[float]:
    power = floor(log10(span)) - 2
    return [step * 10.0 ** (power + up) for up in range(5) for step in _STEPS]


def _time_steps(span: float) -> list[float]:
    hours = [_HOUR_S * step for step in _number_steps(max(span / _HOUR_S, 1)) if step >= 1]
    below = _number_steps(span) if span < 5 else []
    return [step for step in below if step < 1] + [*map(float, _TIME_STEPS_S), *hours]


def _exact(index: int, step: float) -> float:
    return float(f"{index * step:.12g}")


def _log_ticks(low: float, high: float, base: float, most: int) -> list[float]:
    def powers(every: int, factors: Callable[[float], tuple[float, ...]]) -> list[float]:
        first = floor(_log(low, base) + 1e-9)
        last = ceil(_log(high, base) - 1e-9)
        found = [
            base**power * factor
            for power in range(first, last + 1)
            if power % every == 0
            for factor in factors(base)
        ]
        return [value for value in found if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]

    if base == 10.0:
        for factors in ((1.0, 2.0, 5.0), (1.0, 3.0)):
            made = powers(1, lambda _, each=factors: each)  # type: ignore[misc]
            if len(made) <= most + 1:
                return [float(f"{value:.12g}") for value in made]
    for every in range(1, 64):
        made = powers(every, lambda _: (1.0,))
        if len(made) <= most + (2 if base == 2.0 else 0):
            return made
    return []


def _log(value: float, base: float) -> float:
    return log10(value) / log10(base)


def _doubled(value: float) -> str:
    for size, suffix in ((_KILO**2, "M"), (_KILO, "k")):
        if value >= size:
            whole = value % size == 0 and value < size * _KILO
            return f"{value / size:g}{suffix}" if whole else _short(value)
    return _decimal(value)


def _tiny(value: float) -> str:
    number, _, power = f"{value:.2e}".partition("e")
    return f"{_decimal(float(number))}e{int(power)}" if value else "0"


def _short(value: float) -> str:
    for size, suffix in _SUFFIXES:
        if abs(value) >= size:
            return f"{_decimal(value / size)}{suffix}"
    return _decimal(value)


def _decimal(value: float) -> str:
    return format_decimal(float(f"{value:.12g}"))


def _decimals(values: list[float]) -> list[str]:
    texts = [_decimal(value) for value in values]
    if any("e" in text for text in texts):
        return texts
    places = max((len(text.partition(".")[2]) for text in texts), default=0)
    return [
        text
        if not places or text == "0"
        else f"{text}{'' if '.' in text else '.'}" + "0" * (places - len(text.partition(".")[2]))
        for text in texts
    ]

"""From which length hashing pays: where its steps become faster than those of full attention."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from core.numbers import format_count
from core.profiling.events import PointMeasured
from core.profiling.sweep import FULL, Value, shown

Ratios = dict[int, float]
"""By length in tokens: time with hashing over time with full attention."""


@dataclass(frozen=True)
class Crossing:
    """Where the two curves of step time against length cross.

    Args:
        varied: What else is varied, and its value here.
        shortest: The shortest length at which both were tried, in tokens.
        longest: The longest.
        pays_from: From which length on hashing is faster, in tokens, between two lengths by their
            ratios; the shortest where it always is; None where it is not at the longest.
    """

    varied: dict[str, Value]
    shortest: int
    longest: int
    pays_from: float | None

    def told(self) -> str:
        """One sentence."""
        where = "".join(f", {name} {shown(value)}" for name, value in self.varied.items())
        if self.pays_from is None:
            return f"Hashing is not faster here up to {format_count(self.longest)} tokens{where}."
        if self.pays_from <= self.shortest:
            shortest = format_count(self.shortest)
            return f"Hashing is faster here at all measured lengths, from {shortest} tokens{where}."
        about = format_count(round(float(f"{self.pays_from:.2g}")))
        return f"Hashing is faster here from about {about} tokens{where}."


def crossings(points: Iterable[PointMeasured]) -> list[Crossing]:
    """One crossing for each combination of what is varied beside length and attention.

    Args:
        points: With hashing and with full attention, at several lengths.

    Returns:
        The crossings, in the order of the points. Where only full attention failed, hashing is
        the faster; where hashing failed, nothing is known of that length.
    """
    groups: dict[tuple[tuple[str, Value], ...], dict[int, list[PointMeasured]]] = {}
    for done in points:
        varied = done.point.varied.items()
        others = tuple((name, v) for name, v in varied if name not in ("length", "attention"))
        groups.setdefault(others, {}).setdefault(done.point.length, []).append(done)
    found = [(others, _ratios(lengths)) for others, lengths in groups.items()]
    return [
        Crossing(dict(others), min(ratios), max(ratios), crossing_of(ratios))
        for others, ratios in found
        if ratios
    ]


def _ratios(lengths: dict[int, list[PointMeasured]]) -> Ratios:
    ratios = {}
    for length, pair in sorted(lengths.items()):
        times_s = {p.point.varied["attention"] == FULL: p.found and p.found.step_s for p in pair}
        if (own_s := times_s.get(False)) and True in times_s:
            full_s = times_s[True]
            ratios[length] = own_s / full_s if full_s else 0.0
    return ratios


def crossing_of(ratios: Ratios) -> float | None:
    """From which length on hashing is faster.

    Args:
        ratios: At one length at least, the shortest first.

    Returns:
        The length, as in `Crossing.pays_from`.
    """
    slower = [length for length, ratio in ratios.items() if ratio >= 1]
    if not slower:
        return min(ratios)
    faster = [length for length in ratios if length > slower[-1]]
    if not faster:
        return None
    return _between(slower[-1], ratios[slower[-1]], faster[0], ratios[faster[0]])


def _between(low: int, above: float, high: int, below: float) -> float:
    """Where a ratio passes 1 if its logarithm is straight against that of the length."""
    if below == 0:
        return high
    share = math.log(above) / (math.log(above) - math.log(below))
    return float(low * (high / low) ** share)

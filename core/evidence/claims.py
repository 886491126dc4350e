"""Finds the claims of a sentence that can be checked literally, and where a document has them.

Claims are numbers with their units, dates and names. A number matches in any notation, or if a
number of the document rounds to it (to two digits or more). Its unit matches if the document has
the number with that unit or without one, or exactly as much in another unit. A date matches one
that contains it. Names: see `names.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import groupby

from core.evidence.names import KnownNames, names
from core.evidence.quantities import (
    Day,
    Quantity,
    dates,
    in_other_units,
    may_be_millions,
    quantities,
    rounds_to,
)
from core.summaries.summary import DoubtKind

_MILLION = 10**6


@dataclass(frozen=True)
class Claim:
    """Words of a sentence that can be checked in the document.

    Args:
        start: Their first code point in the sentence.
        end: One past their last.
        kind: Their kind.
        places: Where the document has them, ascending; empty if it does not.
    """

    start: int
    end: int
    kind: DoubtKind
    places: tuple[int, ...]


class CheckableFacts:
    """The numbers, dates and names of a document.

    Args:
        text: Its text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._names = KnownNames(text)

    @cached_property
    def _quantities(self) -> dict[Decimal, list[Quantity]]:
        found: dict[Decimal, list[Quantity]] = {}
        for quantity in quantities(self._text):
            found.setdefault(quantity.value, []).append(quantity)
        return found

    @cached_property
    def _days(self) -> list[Day]:
        return dates(self._text)

    def claims(self, sentence: str) -> list[Claim]:
        """The claims of a sentence.

        Args:
            sentence: The generated sentence.

        Returns:
            The claims in order, without overlaps.
        """
        days = [self._of_day(day) for day in dates(sentence)]
        said = [number for number in quantities(sentence) if number.claimed]
        numbers = [self._of_quantity(number) for number in said]
        units = [range(number.start, number.end) for number in said if number.unit]
        # "16GB" and the "Celsius" of "12 degrees Celsius" are no names.
        names = [
            name
            for name in self._of_names(sentence)
            if not any(name.start in unit and name.end - 1 in unit for unit in units)
        ]
        claims = [*days, *numbers, *names]
        kept: list[Claim] = []
        for claim in sorted(claims, key=lambda claim: (claim.start, -claim.end)):
            if not kept or claim.start >= kept[-1].end:
                kept.append(claim)
        return kept

    def _of_day(self, day: Day) -> Claim:
        places = tuple(known.start for known in self._days if day.within(known))
        return Claim(day.start, day.end, "date", places)

    def _of_quantity(self, number: Quantity) -> Claim:
        exact = self._quantities.get(number.value, [])
        # "12 days" does not make "12 %" wrong where the document has 12.3 %.
        found = exact if _has_unit_of(number, exact) else self._rounding_to(number)
        if not _has_unit_of(number, found) and (same := self._written_otherwise(number)):
            found = same
        elif (exact or found) and not _has_unit_of(number, found):
            return Claim(number.start, number.end, "unit", ())
        places = tuple(sorted(one.start for one in found))
        return Claim(number.start, number.value_end, "number", places)

    def _written_otherwise(self, number: Quantity) -> list[Quantity]:
        """The same quantity in other units, or with an m that may mean millions."""
        found = [
            one
            for value, unit in in_other_units(number)
            for one in self._quantities.get(value, [])
            if one.unit == unit
        ]
        if may_be_millions(number):
            many = self._quantities.get(number.value * _MILLION, [])
            found += [one for one in many if not one.unit]
        if not number.unit:
            few = self._quantities.get(number.value / _MILLION, [])
            found += [one for one in few if may_be_millions(one)]
        return found

    def _rounding_to(self, number: Quantity) -> list[Quantity]:
        return [
            quantity
            for value, some in self._quantities.items()
            if rounds_to(value, number.value)
            for quantity in some
        ]

    def _of_names(self, sentence: str) -> Iterator[Claim]:
        for run in names(sentence, self._names.by_capitals):
            if self._names.has_acronym_of(sentence, run):
                continue
            placed = [(span, self._names.places(sentence[slice(*span)])) for span in run]
            for missing, group in groupby(placed, lambda word: not word[1]):
                words = list(group)
                # Adjacent words that are not in the document form one claim.
                for some in [words] if missing else [[word] for word in words]:
                    yield Claim(some[0][0][0], some[-1][0][1], "name", some[0][1])


def _has_unit_of(number: Quantity, found: list[Quantity]) -> bool:
    """Whether one of the quantities has a number's unit, or none; any goes with a bare number."""
    return any(not number.unit or one.unit in ("", number.unit) for one in found)

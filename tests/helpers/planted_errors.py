"""Errors planted into true sentences: changed numbers, swapped names, denials."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

_DIGITS = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w]|\.\d)")
_WORDS = "two three four five six seven eight nine ten twelve twenty thirty fifty".split()
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")
_NAME = re.compile(r"(?<=[a-z,)] )[A-Z][\w-]*[a-z\d]\b|(?<= )[A-Z]{2,}\b")
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|can|could|may|will|should|must|has|have|does|did)\b(?! not)"
)


@dataclass(frozen=True)
class Planted:
    """A sentence with one error.

    Args:
        kind: What was done.
        text: The sentence.
        start: Where the error begins.
        end: Where it ends.
    """

    kind: str
    text: str
    start: int
    end: int


def plant(text: str, source: str, other: str, chance: random.Random) -> Iterator[Planted]:
    """One error of each kind that a sentence has room for.

    Args:
        text: A true sentence.
        source: Its document: names and numbers are swapped for others of it.
        other: Another document, for names from elsewhere.
        chance: Draws the places and the words.
    """
    numbers = [*_DIGITS.finditer(text), *_NUMBER_WORD.finditer(text)]
    if numbers:
        at = chance.choice(numbers)
        yield _with("changed number", text, at, _changed(at[0], chance))
        yield from _swapped("number of the source", text, at, _DIGITS.findall(source), chance)
    names = list(_NAME.finditer(text))
    if names:
        at = chance.choice(names)
        yield from _swapped("name of the source", text, at, _NAME.findall(source), chance)
        yield from _swapped("name of another source", text, at, _NAME.findall(other), chance)
    verbs = list(_AUXILIARY.finditer(text))
    if verbs:
        after = chance.choice(verbs).end()
        yield Planted("not", f"{text[:after]} not{text[after:]}", after + 1, after + 4)


def _with(kind: str, text: str, at: re.Match[str], new: str) -> Planted:
    whole = text[: at.start()] + new + text[at.end() :]
    return Planted(kind, whole, at.start(), at.start() + len(new))


def _swapped(
    kind: str, text: str, at: re.Match[str], others: list[str], chance: random.Random
) -> Iterator[Planted]:
    found = sorted({other for other in others if other.casefold() not in text.casefold()})
    if found:
        yield _with(kind, text, at, chance.choice(found))


def _changed(number: str, chance: random.Random) -> str:
    if number in _WORDS:
        return chance.choice([word for word in _WORDS if word != number])
    places = [place for place, letter in enumerate(number) if letter.isdigit()]
    place = chance.choice(places)
    digits = [digit for digit in "123456789" if digit != number[place]]
    return number[:place] + chance.choice(digits) + number[place + 1 :]

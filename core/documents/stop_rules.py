"""What a full stop after a word means, language by language.

For English, and where the language is not known, the abbreviations of all languages count together.
For another one its own come first, and its common words are words ("es" in German, "ad es." in
Italian).
"""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from core.documents.abbreviations import (
    ACRONYMS,
    ENDING,
    NAMED,
    NEVER,
    NUMBERED,
    SOMETIMES,
    STARTERS,
    STATES,
    UNITS,
    YEARS,
)
from core.documents.languages import Language, language_of

_LETTERS = frozenset("plnvhκгптж")  # small letters that are abbreviations


@dataclass(frozen=True)
class StopRules:
    """Words by what a full stop after them means; see `core.documents.abbreviations`.

    Args:
        never: Words that bind what follows.
        numbered: Words before a number.
        units: Units.
        ending: Words at the end of a sentence before any capital letter.
        sometimes: Words at the end of one before a word of `starters`.
        names: The same, with a capital letter.
        states: With a capital letter after a comma as `ending`.
        starters: Words that seldom are part of a name, as they begin a sentence.
        bound: Words that a number before them makes no unit.
        letters: Letters that are such words, and no initials.
        own: The language's own ones, which may stand apart ("z. B.") or in capitals ("MM.").
        tails: What its compounds end with ("Goethestr.").
        pairs: Two neighbouring parts each of those that may stand apart.
        ordinals: Whether a number with a full stop is an ordinal.
    """

    never: frozenset[str] = NEVER
    numbered: frozenset[str] = NUMBERED
    units: frozenset[str] = UNITS
    ending: frozenset[str] = ENDING
    sometimes: frozenset[str] = SOMETIMES
    names: frozenset[str] = NAMED | STATES
    states: frozenset[str] = STATES
    starters: frozenset[str] = STARTERS
    bound: frozenset[str] = NEVER | NUMBERED | YEARS
    letters: frozenset[str] = _LETTERS
    own: frozenset[str] = frozenset()
    tails: tuple[str, ...] = ()
    pairs: frozenset[str] = frozenset(("v.chr", "n.chr"))
    ordinals: bool = False

    def whole(self, before: str, word: str) -> str:
        """The abbreviation that a word is, or ends, in small letters."""
        small = word.lower()
        if before.endswith(".") and f"{before.lower()}{small}" in self.own:
            return f"{before.lower()}{small}"
        tail = small.rpartition("-")[2]
        if tail != small and tail in self.numbered:
            return tail  # "Tel.-Nr."
        return next((tail for tail in self.tails if small.endswith(tail)), small)

    def is_cited(self, word: str) -> bool:
        """True if a word before a full stop may be part of a reference ("Ct.", "Rev.", "No.")."""
        small = word.lower()
        return small in self.names or small in self.sometimes or small in self.numbered

    def is_abbreviation(self, word: str) -> bool:
        """Whether a word before a full stop may be one, of any sort."""
        known = (
            self.never, self.numbered, self.ending, self.sometimes, self.names, self.states,
            self.units,
        )  # fmt: skip
        return any(self.whole("", word) in words for words in known)


DEFAULT = StopRules()


@cache
def stop_rules(code: str) -> StopRules:
    """The rules for a language.

    Args:
        code: Its code; empty where it is not known.

    Returns:
        The rules.
    """
    language = language_of(code)
    return _rules_of(language) if language.is_foreign else DEFAULT


def _rules_of(language: Language) -> StopRules:
    sets = (language.never, language.numbered, language.ending, language.sometimes)
    letters = {word for words in sets for word in words if len(word) == 1}
    never, numbered, ending, sometimes = map(_with_parts, sets)
    own = never | numbered | ending | sometimes
    taken = language.function_words | own
    return StopRules(
        never=(NEVER - taken) | never,
        numbered=(NUMBERED - taken) | numbered,
        units=UNITS - numbered - sometimes,
        ending=(ENDING - taken) | ending,
        sometimes=(SOMETIMES - taken) | sometimes,
        names=NAMED - taken,
        states=frozenset(),
        starters=STARTERS | _starters(language),
        bound=((NEVER | NUMBERED | YEARS) - taken) | own,
        letters=(_LETTERS - taken) | letters,
        own=own - ACRONYMS,
        tails=language.tails,
        pairs=_pairs(own),
        ordinals=language.ordinals,
    )


def _starters(language: Language) -> frozenset[str]:
    """Its function words and the like with a capital letter, but for what is elided ("L’")."""
    found = (*language.words, *language.starters)
    return frozenset(word[:1].upper() + word[1:] for word in found) - {
        word.upper() for word in language.elided
    }


def _pairs(abbreviations: frozenset[str]) -> frozenset[str]:
    split = [abbreviation.split(".") for abbreviation in abbreviations]
    return frozenset(".".join(pair) for parts in split for pair in pairwise(parts))


def _with_parts(abbreviations: frozenset[str]) -> frozenset[str]:
    """These in small letters, and what those of three parts end with: they may stand apart."""
    split = [abbreviation.split(".") for abbreviation in abbreviations]
    parts = {".".join(some[first:]) for some in split for first in range(1, len(some) - 1)}
    return frozenset(map(str.lower, abbreviations | parts))

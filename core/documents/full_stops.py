"""Whether a full stop after a word ends the sentence: abbreviations, initials, numbers, units."""

import re
from dataclasses import dataclass

from core.documents.abbreviations import (
    AFTER_HOURS,
    BEFORE_ORDINALS,
    COUNTERS,
    GERMAN_MONTHS,
    LETTER_NAMES,
)
from core.documents.stop_rules import StopRules

_NUMBER = re.compile(r"[\d§$€£#(\[]|[IVXLC]{1,6}\b|[A-Z]{1,6}-?\d|[A-Z][.,;:)\s]|[A-Z]\b(?!['’])")
_ROMAN = re.compile(r"[IVX]{1,5}")
_ACRONYM = re.compile(r"(?:\w\.){1,6}\w|(?:[\w-]{1,20}-)?(?:[^\W\d_]{1,4}\.){1,6}[A-Z]")  # "Rep.R"
_VOWEL = re.compile(r"[aeiouyAEIOUYäöüÄÖÜéè]")
_OF_SECTION = re.compile(r"§(?!§|\s?\d)")  # "200. § szerint", not "in 2020. § 5 says"
_SECTION = re.compile(r"(?:\d{1,4}\. ?)?§")  # "5. §" in Hungarian
# One syllable of a script of India: a letter, perhaps of two joined ones, with its vowel sign.
_SYLLABLE = re.compile(
    "(?:[\u0915-\u0939]\u094d)?[\u0904-\u0939\u0958-\u0961\u0972-\u097f]"
    "[\u0900-\u0903\u093a-\u093c\u093e-\u094c\u094e\u094f]{0,2}"
)
_SYLLABLES = frozenset("है हैं था थे थी हो ना का ते ये".split())  # words that often end a sentence
_WITHIN = (":", ";", "and,")  # before a number of a list within the sentence
_NO = ("No", "Nos", "Nr")
_HOURS = ("a.m", "p.m")
_DAY = re.compile(r"(?:[012]?\d|3[01])\.(?:0?\d|1[0-2])")  # "7.10."


@dataclass(frozen=True, slots=True)
class FullStop:
    """A full stop and what stands about it.

    Args:
        word: The word it follows, without opening marks.
        before: The word before that, as it stands; empty at the head of a sentence.
        rest: The next few characters of the text, opening marks included.
        first: The first word of them.
        capital: Whether that has a capital letter, or is of a script without them.
        dotted: Whether a full stop follows that word at once ("J. R.").
    """

    word: str
    before: str
    rest: str
    first: str
    capital: bool
    dotted: bool

    @property
    def measured(self) -> bool:
        """Whether a number stands before the word."""
        return self.before[-1:].isdigit()

    def names_part(self, rules: StopRules) -> bool:
        """True if what follows is an abbreviation too, as in "S. Ct." or "F. App'x"."""
        is_short = self.dotted or "'" in self.first or "’" in self.first
        return is_short and rules.is_cited(self.first.replace("’", "'"))

    @property
    def numbers(self) -> bool:
        """Whether what follows is a number, or a letter used as one."""
        return _NUMBER.match(self.rest) is not None


def ends_sentence(stop: FullStop, rules: StopRules) -> bool:
    """Whether a sentence ends at a full stop, in a language with these rules."""
    word = stop.word
    if not word or word[-1].isdigit():
        return _number_ends(word, stop, rules)
    if not any(map(str.isalnum, word)):
        return stop.capital
    if _ROMAN.fullmatch(word):
        if stop.before.endswith(_WITHIN):
            return False
        if rules.ordinals and len(word) > 1:
            return starts(stop, rules)  # "Ludwig XIV."
    small = rules.whole(stop.before, word)
    if stop.dotted and f"{small}.{stop.first.lower()}" in rules.pairs:
        return False  # "n. Chr."
    if word[0] >= "\u0904" and _is_indic_initial(word, stop, rules):
        return False  # "पी. चिदंबरम"
    if len(small) == 1 and word not in rules.letters:
        return _letter_ends(word, stop, rules)
    return _word_ends(word, small, stop, rules)


def _is_indic_initial(word: str, stop: FullStop, rules: StopRules) -> bool:
    """True if a syllable stands at the head of a sentence, or beside another initial or a title."""
    if word in _SYLLABLES or not _SYLLABLE.fullmatch(word):
        return False
    following, mark, _ = stop.rest.partition(".")
    before = stop.before.removesuffix(".")
    if not before:
        return True
    if before != stop.before and (before in rules.never or _SYLLABLE.fullmatch(before)):
        return True
    is_initial = following in LETTER_NAMES or _SYLLABLE.fullmatch(following) is not None
    return mark == "." and is_initial


def _word_ends(word: str, small: str, stop: FullStop, rules: StopRules) -> bool:
    if small in _HOURS:
        return stop.capital and stop.first not in AFTER_HOURS
    if stop.measured and (small in rules.units or (word[0].islower() and small not in rules.bound)):
        return stop.capital
    if _has_capitals(word, stop.first) and small not in rules.own:
        return not (small in rules.numbered and stop.numbers)
    if small in rules.never:
        is_case = small == "v" and stop.before.islower() and stop.before.isalpha()
        return is_case and starts(stop, rules)
    if small in rules.numbered:
        if stop.numbers or stop.names_part(rules):
            return False
        return word.islower() or len(word) < 3 or starts(stop, rules)
    return _may_end(word, small, stop, rules)


def _may_end(word: str, small: str, stop: FullStop, rules: StopRules) -> bool:
    named = word[0].isupper()
    if small in rules.ending or (named and small in rules.states and stop.before.endswith(",")):
        return stop.capital
    if small in rules.sometimes or (named and small in rules.names) or _ACRONYM.fullmatch(word):
        return starts(stop, rules)
    is_short = word.islower() and len(word) <= 5 and word.isascii() and word.isalpha()
    if is_short and not _VOWEL.search(word):
        return starts(stop, rules)  # "hwy", "mfg"
    if word.istitle() and len(word) <= 5 and not _VOWEL.search(word) and _SECTION.match(stop.rest):
        return False  # "Kjt. 3. §"
    return stop.capital or not (stop.measured and named)  # "12 Wall. 457"


def _has_capitals(word: str, first: str) -> bool:
    """Whether capitals tell that it is no abbreviation: "CPU" (but "MR. SMITH"), "DCs"."""
    if not word.isalpha() or word.islower() or word.istitle() or word.lower() == word.upper():
        return False
    return not (word.isupper() and first[1:].isupper())


def starts(stop: FullStop, rules: StopRules) -> bool:
    """Whether a word follows that seldom belongs to a name; not the "No." of "Ser. No. 5"."""
    return stop.first in rules.starters and not (stop.dotted and stop.first in _NO)


def _number_ends(word: str, stop: FullStop, rules: StopRules) -> bool:
    if word and stop.rest[:1] == "§" and _OF_SECTION.match(stop.rest):
        return False
    word = word.lstrip("-–")
    if rules.ordinals and _DAY.fullmatch(word):
        is_day = stop.rest.startswith("(") or stop.before.lower() in BEFORE_ORDINALS
        return not is_day or starts(stop, rules)
    if not word.isdigit() or len(word) > 2:
        return True
    if stop.before.endswith(_WITHIN):
        return False
    if rules.ordinals:
        return starts(stop, rules)
    return stop.before.lower() not in BEFORE_ORDINALS and stop.first not in GERMAN_MONTHS


def _letter_ends(word: str, stop: FullStop, rules: StopRules) -> bool:
    """A single letter: an initial, a label ("type B"), a unit, a variable, or half of "z. B."."""
    label = stop.before.lower().rstrip(".") in COUNTERS
    if label or (len(stop.first) == 1 and stop.dotted):
        return label
    if stop.before.endswith(_WITHIN) or (word.isupper() and stop.names_part(rules)):
        return False  # "choose one: a. The red", "129 S. Ct. 1937"
    if stop.before.endswith("°"):
        return True
    if word.islower() and len(stop.before) == 2 and stop.before.endswith("."):
        return stop.first in rules.starters  # "Dr. h. c. Weiss"
    if not stop.capital or not (word.islower() or word.isupper()):
        return False  # scripts without case: an abbreviation
    variable = word.islower() and (word.isascii() or stop.first.isascii())
    return stop.measured or stop.first in rules.starters or variable

"""The names in a sentence, and where a document has them.

A name is a capitalised word that does not begin a sentence, or, anywhere, an acronym or a word with
an inner digit or capital. Capitals are ignored where most words have them, as in titles, and in
documents that capitalise one word in five, as German does. Each word of a name is looked up alone,
so a surname is enough for a person. A document has it if it contains the word, or a form that is up
to three letters longer or shorter ("Europe", "European"), or, for an acronym, consecutive words
with these initials, all capitalised or more than once. A number that a hyphen ties to a name
("GPT-4") belongs to its word; where the document has that word with numbers, it must have this one.
"""

import re
import unicodedata
from collections import defaultdict
from functools import cached_property

Span = tuple[int, int]

_WORD = re.compile(r"[^\W_]+")
_CODED = re.compile(r"[\d_]*[^\W\d_][^\W\d]*\d\w*|\d+[A-Z]\w*|\w+[A-Z]\w*")
_TIED = re.compile(r"[-\u2010\u2011](\d+(?:\.\d+)*)s?(?![\w-]|\.\d)")
_AFTER_START = re.compile(r"(?:\A|[.!?:;•])[\s\"'“‘(\[*–—-]*\Z|[“\"‘]\Z")
_NO_NAMES = frozenset(
    "I A An The Of And Or In On At By For To From With As If It Its He She We They You This That "
    "These Those But Not No Is Are Was Were Be My Our Their His Her Also When While Where What Who "
    "Why How Each All Both Some Many Most More Such Other Another One Two Then There Here".split()
)
_STOPS = (".", "!", "?", ".”", '."', ".)")
_TITLED = 0.6  # share of words with capitals from which a text is a title
_INSIDE = re.compile(r"(?<=[^\s.!?:;\"“)] )[^\W\d_]{2,}")
_LOOKED_AT = 100_000  # code points
_MOST_CAPITALS, _FEWEST = 0.22, 100  # of words inside sentences
_ENDING = 3  # letters by which forms of a name may differ
_SHORTEST = 4  # letters of a name that may have other forms
_NUMBER_BEHIND = re.compile(r"[-\u2010\u2011\u2013\s]?(\d+(?:\.\d+)*)s?(?!\w|\.\d)")
_SHORT_ACRONYM = re.compile(r"[A-Z]{2,5}")
_ACRONYM = re.compile(r"[A-Z]{3,}")


def names(text: str, by_capitals: bool = True) -> list[list[Span]]:
    """The names of one sentence: sequences of adjacent words, a span each.

    Args:
        text: The sentence.
        by_capitals: Whether a capitalised word counts as a name.

    Returns:
        The names, in the order of the text.
    """
    words = list(_WORD.finditer(text))
    capitals = sum(word[0][0].isupper() for word in words)
    is_title = capitals > _TITLED * len(words) and not text.rstrip().endswith(_STOPS)
    plain = by_capitals and not is_title
    runs: list[list[Span]] = []
    for word in words:
        if not _is_name(text, word, plain):
            continue
        tied = _TIED.match(text, word.end())
        span = word.start(), tied.end() if tied else word.end()
        if runs and text[runs[-1][-1][1] : word.start()] in (" ", "-"):
            runs[-1].append(span)
        else:
            runs.append([span])
    return runs


def _is_name(text: str, word: re.Match[str], plain: bool) -> bool:
    if _CODED.fullmatch(word[0]):
        return True
    capital = word[0][0].isupper() and len(word[0]) > 1 and word[0] not in _NO_NAMES
    return capital and plain and not _AFTER_START.search(text[: word.start()])


def _folded(word: str) -> str:
    """The form under which a word is looked up: "Andréy" is "andrey"."""
    if word.isascii():
        return word.lower()
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


class KnownNames:
    """Where a document has names.

    Args:
        text: The document's text.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _spans(self) -> list[Span]:
        return [word.span() for word in _WORD.finditer(self._text)]

    @cached_property
    def _initials(self) -> str:
        return "".join(self._text[start] for start, _ in self._spans)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """The positions of each word."""
        found: dict[str, list[int]] = defaultdict(list)
        for start, end in self._spans:
            found[_folded(self._text[start:end])].append(start)
        return found

    @cached_property
    def by_capitals(self) -> bool:
        """Whether few words inside sentences are capitalised."""
        inside: list[str] = _INSIDE.findall(self._text[:_LOOKED_AT])
        capitals: int = sum(word.istitle() for word in inside)
        return capitals <= _MOST_CAPITALS * max(_FEWEST, len(inside))

    def has_acronym_of(self, text: str, run: list[Span]) -> bool:
        """Whether the document has a name of three or more words as an acronym."""
        initials = "".join(text[start] for start, _ in run)
        return len(run) > 2 and initials.isupper() and _folded(initials) in self._places

    def places(self, name: str) -> tuple[int, ...]:
        """Where the document has a word of a name, or a form of it; empty if it does not."""
        head = _WORD.match(name)
        tied = _TIED.match(name, head.end()) if head else None
        if head and tied:
            return self._with_number(head[0], tied[1])
        word = _folded(name)
        found = self._places.get(word) or self._forms(word)
        if not found and _SHORT_ACRONYM.fullmatch(name):
            found = self._with_points(name)
        if not found and _ACRONYM.fullmatch(name):
            found = self._spelled_out(name)
        return tuple(sorted(found))

    def _with_number(self, word: str, number: str) -> tuple[int, ...]:
        """Where a word stands with a number; where it stands, if it never has one there."""
        if joined := self._places.get(_folded(word + number)):
            return tuple(joined)
        places = self.places(word)
        numbers = {place: _NUMBER_BEHIND.match(self._text, place + len(word)) for place in places}
        found = {place: match[1] for place, match in numbers.items() if match}
        return tuple(place for place in places if found.get(place) == number) if found else places

    def _forms(self, word: str) -> list[int]:
        forms = {word.removesuffix("s"), f"{word}s"}
        if len(word) >= _SHORTEST:
            forms |= {word[:end] for end in range(max(_SHORTEST, len(word) - _ENDING), len(word))}
            longest = len(word) + _ENDING
            forms |= {
                known for known in self._places if known.startswith(word) and len(known) <= longest
            }
        return [place for form in forms for place in self._places.get(form, ())]

    def _with_points(self, acronym: str) -> list[int]:
        """Where an acronym has a point behind each letter: "U.K."."""
        letters = r"\. ?".join(acronym)
        return [match.start() for match in re.finditer(rf"(?<!\w){letters}\b", self._text)]

    def _spelled_out(self, acronym: str) -> list[int]:
        """Where consecutive words have these initials, capitalised or more than once."""
        rows: dict[str, list[int]] = defaultdict(list)
        for match in re.finditer(f"(?={acronym})", self._initials, re.IGNORECASE):
            spans = self._spans[match.start() : match.start() + len(acronym)]
            words = self._text[spans[0][0] : spans[-1][1]]
            capitals = all(self._text[start].isupper() for start, _ in spans)
            rows["" if capitals else words.casefold().removesuffix("s")].append(spans[0][0])
        return [
            place
            for words, places in rows.items()
            if not words or len(places) > 1
            for place in places
        ]

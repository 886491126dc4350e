"""One summary of several documents, made of the best sentences of each.

Sentences of different documents that are nearly the same form a group: a point that the documents
share. A sentence that is nearly the same but for numbers, names or a negation contradicts the
point. All other sentences are points of a single document. A sentence that is weak, or depends on
the one before it, can support or contradict a point, but is none itself.

Letters: S sentences of all documents.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from core.documents.document import count_words
from core.documents.languages import Language, language_of
from core.documents.stems import stemmer_of
from core.documents.words import unicode_words
from core.export.combined import CombinedSummary, Point, Voice, name_of
from core.export.excerpt import KeptSummary
from core.stop import StopToken
from core.summaries.length import Length

DIGEST = Length(40)
"""Length of the summaries of single documents from which the sentences are taken."""
MIN_SIMILARITY = 0.7
"""Least Dice coefficient of the weighted stems of sentences of a group."""
MIN_REPETITION = 0.5
"""Least Dice coefficient of sentences by which a document repeats itself."""
_MIN_POINTS = 3
_MAX_SWAP = 2
_MIN_STEMS = 3
_MAX_FREQUENCY = 400
"""A stem of more sentences distinguishes none, and would cost the square of their number."""
_CAPITAL_NOUNS = ("de", "lb")
_NAME = re.compile(r"(?<=[\w,] )[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]\w+")
_MAY_NEGATE = re.compile(r"\b(?:[^\W\d_]*?n['’]t|[^\W\d_]+)\b(?!\.\s?\d)")
_NUMBER = re.compile(r"\d+(?:[.,\u202f\u00a0' ]\d+)*")
_DECIMAL_COMMA = ("de", "es", "fr", "it", "nl", "pt", "ru")
_IN_GROUPS = {
    sign: re.compile(
        rf"(?P<whole>\d{{1,3}}(?:[{group}\u202f\u00a0' ]\d{{3}})+)(?P<part>(?:\{sign}\d+)?)"
    )
    for sign, group in ((".", ","), (",", "."))
}
"""Numbers with groups of three digits, by the decimal sign."""


@dataclass
class _Statement:
    """A sentence of a document.

    Attributes:
        voice: The document and the sentence.
        rank: Its place among the best of its document, from 0.
        is_weak: True if it can be no point by itself.
        stems: The stems of its words, without function words and numbers.
        order: The same in the order of the sentence, without names.
        numbers: The numbers in it.
        names: Words inside it with a capital letter.
        num_negations: Number of negations.
    """

    voice: Voice
    rank: int
    is_weak: bool
    stems: frozenset[str]
    order: tuple[str, ...]
    numbers: frozenset[str]
    names: frozenset[str]
    num_negations: int

    def differs_in_words(self, other: "_Statement") -> bool:
        """True if both have the same form, with other words in some places of it."""
        steps = SequenceMatcher(None, self.order, other.order, autojunk=False).get_opcodes()
        return any(
            step == "replace" and max(end - start, there_end - there) <= _MAX_SWAP
            for step, start, end, there, there_end in steps
        )

    def agrees(self, other: "_Statement") -> bool:
        """True if numbers, names and negations of both are compatible."""
        same_names = self.names <= other.names or other.names <= self.names
        same_sense = self.num_negations == other.num_negations
        return same_names and same_sense and self.numbers == other.numbers


@dataclass
class _Group:
    """Sentences that are nearly the same.

    Attributes:
        first: The one that represents the group.
        alike: The others, of other documents.
        contrary: Those with other numbers, names or negations, of other documents.
    """

    first: _Statement
    alike: list[_Statement] = field(default_factory=list)
    contrary: list[_Statement] = field(default_factory=list)

    @property
    def documents(self) -> set[int]:
        """The documents of its sentences."""
        statements = (self.first, *self.alike, *self.contrary)
        return {each.voice.document for each in statements}

    @property
    def is_shared(self) -> bool:
        """True if several documents agree on it."""
        return bool(self.alike)

    @property
    def order(self) -> tuple[int, float, int]:
        """Sort key: points of most documents first, then the best sentences."""
        ranks = [each.rank for each in (self.first, *self.alike)]
        return (-len(ranks), sum(ranks) / len(ranks), self.first.voice.document)

    @property
    def point(self) -> Point:
        """The point that the group is, in the order of the documents."""
        others = sorted(self.alike, key=lambda each: each.voice.document)
        voices = (self.first.voice, *(each.voice for each in others))
        return Point(voices, tuple(each.voice for each in self.contrary))


def combine(documents: Sequence[KeptSummary], length: Length, stop: StopToken) -> CombinedSummary:
    """Combines the summaries of several documents.

    Args:
        documents: A summary of `DIGEST` sentences of each document, as the built-in summariser
            makes it.
        length: The length of the one summary; a share is one of all documents together.
        stop: Read before each sentence is grouped.

    Returns:
        The summary. Shared points take half of the room at most, unless nothing else is left.
    """
    statements = [each for at, document in enumerate(documents) for each in _analyse(at, document)]
    weights = _weigh_stems(statements)
    groups = _group(statements, weights, stop)
    shared = sorted((group for group in groups if group.is_shared), key=lambda each: each.order)
    single = _in_turn(_drop_repeats([g for g in groups if not g.is_shared], weights))
    room = _Room(length, documents)
    half = replace(room, left=room.left - room.left // 2)
    first = half.fit(shared)
    room.left -= sum(map(room.cost, first))
    rest = room.fit(single)
    first += room.fit([group for group in shared if group not in first])
    return CombinedSummary(
        tuple(documents),
        tuple(group.point for group in first),
        tuple(group.point for group in sorted(rest, key=_as_read)),
        length,
        tuple(_notes(documents, groups, [*first, *rest])),
    )


def _as_read(group: _Group) -> tuple[bool, int, int]:
    """Sort key: contradictions first, then document by document in the order of the text."""
    evidence = group.first.voice.sentence.evidence
    start = evidence[0].start if evidence else 0
    return (not group.contrary, group.first.voice.document, start)


def _notes(
    documents: Sequence[KeptSummary], groups: Sequence[_Group], taken: Sequence[_Group]
) -> list[str]:
    notes = []
    if not any(group.is_shared for group in groups):
        notes.append("No point was found that several documents share.")
    included = {number for group in taken for number in group.documents}
    silent = [name_of(each) for at, each in enumerate(documents) if at not in included]
    if silent:
        names = ", ".join(silent[:_MIN_POINTS])
        more = len(silent) - _MIN_POINTS
        names += f" and {more} more" if more > 0 else ""
        notes.append(f"Nothing of {names} is in it; a longer summary has more.")
    return notes


def _drop_repeats(groups: Sequence[_Group], weights: dict[str, float]) -> list[_Group]:
    """Removes points that their document already makes in nearly the same words."""
    found: list[_Group] = []
    for group in sorted(groups, key=lambda each: (not each.contrary, each.first.rank)):
        own = group.first
        repeats = (
            other.first.voice.document == own.voice.document
            and _similarity(own.stems, other.first.stems, weights) >= MIN_REPETITION
            for other in found
        )
        if group.contrary or not any(repeats):
            found.append(group)
    return found


@dataclass
class _Room:
    """The room that is left in a summary.

    Attributes:
        length: The requested length.
        documents: The documents.
        left: Sentences or words; -1 computes it from the length.
    """

    length: Length
    documents: Sequence[KeptSummary]
    left: int = -1

    def __post_init__(self) -> None:
        if self.left >= 0:
            return
        if self.length.unit == "share":
            words = sum(document.summary.read.words for document in self.documents)
            self.left = int(words * self.length.value / 100)
        else:
            self.left = int(self.length.value)

    def cost(self, group: _Group) -> int:
        """Returns the sentences or words that a point takes."""
        if self.length.unit == "sentences":
            return 1
        return count_words(group.first.voice.sentence.text)

    def fit(self, groups: Iterable[_Group]) -> list[_Group]:
        """Takes the points that fit, in their order."""
        found = []
        for group in groups:
            if self.cost(group) <= self.left:
                self.left -= self.cost(group)
                found.append(group)
        return found


def _in_turn(groups: Sequence[_Group]) -> list[_Group]:
    """Sorts the best point of each document first, then the second of each, and so on."""
    by_document: defaultdict[int, list[_Group]] = defaultdict(list)
    for group in groups:
        by_document[group.first.voice.document].append(group)
    turns = [
        (turn, document, group)
        for document, several in by_document.items()
        for turn, group in enumerate(
            sorted(several, key=lambda each: (not each.contrary, each.first.rank))
        )
    ]
    turns.sort(key=lambda each: each[:2])
    return [group for _, _, group in turns]


def _analyse(at: int, document: KeptSummary) -> list[_Statement]:
    language = language_of(document.summary.read.language)
    stem = stemmer_of(language)
    known = language if language.words else language_of("en")
    stops = known.function_words
    sentences = document.summary.sentences
    by_score = sorted(range(len(sentences)), key=lambda index: -(sentences[index].score or 0.0))
    ranks = {index: rank for rank, index in enumerate(by_score)}
    has_capital_nouns = language.code in _CAPITAL_NOUNS
    is_weak = [each.score == 0.0 or each.leans for each in sentences]
    if is_weak.count(False) < min(_MIN_POINTS, len(sentences)):  # they are all there is
        is_weak = [False] * len(sentences)
    found = []
    for index, sentence in enumerate(sentences):
        words = [word for word in unicode_words(sentence.text) if word not in stops]
        stems = [stem(word) for word in words if not word.isdigit()]
        numbers = _find_numbers(sentence.text, language)
        names = frozenset(() if has_capital_nouns else _NAME.findall(sentence.text))
        named = {stem(word) for name in names for word in unicode_words(name)}
        order = tuple(each for each in stems if each not in named)
        found.append(
            _Statement(
                Voice(at, sentence), ranks[index], is_weak[index], frozenset(stems), order,
                numbers, names, _count_negations(sentence.text, known),
            )
        )  # fmt: skip
    return found


def _find_numbers(text: str, language: Language) -> frozenset[str]:
    """Finds numbers, and writes each in one form: "1,200.5" and "1 200.5" are "1200.5"."""
    in_groups = _IN_GROUPS["," if language.code in _DECIMAL_COMMA else "."]
    found = set()
    for number in _NUMBER.findall(text):
        parts = in_groups.fullmatch(number)
        # What is in no groups of three may be a date, a section, or several numbers side by side.
        found.add(re.sub(r"\D", "", parts["whole"]) + parts["part"] if parts else number)
    return frozenset(found)


def _count_negations(text: str, language: Language) -> int:
    """Counts negations, without "No. 5" and NO, nitric oxide."""
    words = (match[0] for match in _MAY_NEGATE.finditer(text))
    return sum(
        word.endswith(("n't", "n’t")) or (word[1:].islower() and word.lower() in language.denials)
        for word in words
    )


def _weigh_stems(statements: Sequence[_Statement]) -> dict[str, float]:
    """Weighs stems: the more sentences have one, the less."""
    holders = Counter(stem for each in statements for stem in each.stems)
    return {stem: math.log(1 + len(statements) / count) for stem, count in holders.items()}


def _similarity(one: frozenset[str], other: frozenset[str], weights: dict[str, float]) -> float:
    """Dice coefficient of the weighted stems of two sentences, 0 to 1."""
    both = _weight(one, weights) + _weight(other, weights)
    return 2 * _weight(one & other, weights) / max(1e-9, both)


def _weight(stems: frozenset[str], weights: dict[str, float]) -> float:
    return sum(weights[stem] for stem in stems)


def _group(
    statements: Sequence[_Statement], weights: dict[str, float], stop: StopToken
) -> list[_Group]:
    """Adds each sentence to the most similar group; others that are not weak start one."""
    holders = Counter(stem for each in statements for stem in each.stems)
    groups: list[_Group] = []
    by_stem: defaultdict[str, list[int]] = defaultdict(list)
    for each in sorted(statements, key=lambda one: (one.is_weak, one.rank, one.voice.document)):
        stop.raise_if_set()
        group = _nearest(each, groups, by_stem, weights)
        if group is not None:
            (group.alike if each.agrees(group.first) else group.contrary).append(each)
        elif not each.is_weak:
            for stem in each.stems:
                if holders[stem] <= _MAX_FREQUENCY:
                    by_stem[stem].append(len(groups))
            groups.append(_Group(each))
    return groups


def _nearest(
    each: _Statement,
    groups: Sequence[_Group],
    by_stem: dict[str, list[int]],
    weights: dict[str, float],
) -> _Group | None:
    """Finds the group of other documents whose first sentence is most similar; None if none is."""
    if len(each.stems) < _MIN_STEMS:
        return None
    common: defaultdict[int, float] = defaultdict(float)
    for stem in each.stems:
        for index in by_stem.get(stem, ()):
            common[index] += weights[stem]
    own = _weight(each.stems, weights)
    shares = {
        index: 2 * weight / (own + _weight(groups[index].first.stems, weights))
        for index, weight in common.items()
    }
    near = [index for index, share in shares.items() if share >= MIN_SIMILARITY]
    for index in sorted(near, key=lambda index: (-shares[index], index)):
        group = groups[index]
        is_other = each.voice.document not in group.documents
        if is_other and not each.differs_in_words(group.first):
            return group
    return None

"""One summary of several documents, made of the best sentences of each.

Sentences of different documents that say nearly the same are grouped: what is in a group is a point
that the documents share. A sentence that says nearly the same with other numbers or names is set
against it. All other sentences are what a document alone says.

Letters: S sentences of all documents.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from core.documents.document import count_words
from core.documents.languages import language_of
from core.documents.stems import stemmer_of
from core.documents.words import unicode_words
from core.export.combined import CombinedSummary, Point, Voice
from core.export.excerpt import KeptSummary
from core.length import Length
from core.stop import StopToken

DIGEST = Length(40)
"""How many sentences of each document are looked at."""
ALIKE = 0.6
"""Sentences are alike from this share of their weighted stems in common (Dice)."""
_FEWEST_STEMS = 3
_MOST_HOLDERS = 400
"""A stem of more sentences tells nothing, and would cost the square of them."""
_CAPITAL_NOUNS = ("de", "lb")
_NAME = re.compile(r"(?<=[\w,] )[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]\w+")
_NUMBER = re.compile(r"\d+(?:[.,\u202f\u00a0' ]\d+)*")


@dataclass
class _Said:
    """A sentence of a document.

    Attributes:
        voice: The document and the sentence.
        rank: Its place among the best of its document, from 0.
        stems: What it is about.
        numbers: The numbers in it.
        names: What is written with a capital letter inside it.
    """

    voice: Voice
    rank: int
    stems: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]

    def agrees(self, other: "_Said") -> bool:
        """Whether nothing in one is another number or name in the other."""
        same_names = self.names <= other.names or other.names <= self.names
        return same_names and self.numbers == other.numbers


@dataclass
class _Group:
    """Sentences that say nearly the same.

    Attributes:
        first: The one whose words stand for all.
        alike: The others, of other documents.
        contrary: Those with other numbers or names, of other documents.
    """

    first: _Said
    alike: list[_Said] = field(default_factory=list)
    contrary: list[_Said] = field(default_factory=list)

    @property
    def documents(self) -> set[int]:
        """The documents that are in it."""
        said = (self.first, *self.alike, *self.contrary)
        return {each.voice.document for each in said}

    @property
    def is_shared(self) -> bool:
        """Whether several documents say it, with the same numbers and names."""
        return bool(self.alike)

    @property
    def order(self) -> tuple[int, float, int]:
        """Sorts the points that most documents make first, then the best sentences."""
        ranks = [each.rank for each in (self.first, *self.alike)]
        return (-len(ranks), sum(ranks) / len(ranks), self.first.voice.document)

    @property
    def point(self) -> Point:
        """What is told of it, in the order of the documents."""
        others = sorted(self.alike, key=lambda each: each.voice.document)
        voices = (self.first.voice, *(each.voice for each in others))
        return Point(voices, tuple(each.voice for each in self.contrary))


def combine(documents: Sequence[KeptSummary], length: Length, stop: StopToken) -> CombinedSummary:
    """Makes one summary of several.

    Args:
        documents: A summary of `DIGEST` sentences of each document, as the built-in summariser
            makes it.
        length: How long the one summary may be; a share is one of all documents together.
        stop: The wish to end early.

    Returns:
        The summary. What is shared takes half of the room at most, unless nothing else is left.
    """
    said = [each for at, document in enumerate(documents) for each in _said(at, document)]
    groups = _grouped(said, stop)
    shared = sorted((group for group in groups if group.is_shared), key=lambda each: each.order)
    alone = _in_turn([group for group in groups if not group.is_shared])
    room = _Room(length, documents)
    half = replace(room, left=room.left - room.left // 2)
    first = half.fitting(shared)
    room.left -= sum(map(room.cost, first))
    rest = room.fitting(alone)
    first += room.fitting([group for group in shared if group not in first])
    notes = [] if shared else ["No point was found that several documents share."]
    return CombinedSummary(
        tuple(documents),
        tuple(group.point for group in first),
        tuple(group.point for group in rest),
        length,
        tuple(notes),
    )


@dataclass
class _Room:
    """How much of a summary is still free.

    Attributes:
        length: The requested length.
        documents: What is summarised.
        left: Sentences or words; -1 to find it out.
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
        """What a point takes."""
        if self.length.unit == "sentences":
            return 1
        return count_words(group.first.voice.sentence.text)

    def fitting(self, groups: Iterable[_Group]) -> list[_Group]:
        """The points for which there is room, in their order; the room is taken."""
        found = []
        for group in groups:
            if self.cost(group) <= self.left:
                self.left -= self.cost(group)
                found.append(group)
        return found


def _in_turn(groups: Sequence[_Group]) -> list[_Group]:
    """Contradictions first; then the best of each document, the second of each, and so on."""
    contrary = sorted((group for group in groups if group.contrary), key=lambda each: each.order)
    by_document: defaultdict[int, list[_Group]] = defaultdict(list)
    for group in groups:
        if not group.contrary:
            by_document[group.first.voice.document].append(group)
    turns = [
        (turn, document, group)
        for document, several in by_document.items()
        for turn, group in enumerate(sorted(several, key=lambda each: each.first.rank))
    ]
    turns.sort(key=lambda each: each[:2])
    return [*contrary, *(group for _, _, group in turns)]


def _said(at: int, document: KeptSummary) -> list[_Said]:
    language = language_of(document.summary.read.language)
    stem = stemmer_of(language)
    stops = (language if language.words else language_of("en")).function_words
    sentences = document.summary.sentences
    by_score = sorted(range(len(sentences)), key=lambda index: -(sentences[index].score or 0.0))
    ranks = {index: rank for rank, index in enumerate(by_score)}
    has_capital_nouns = language.code in _CAPITAL_NOUNS
    found = []
    for index, sentence in enumerate(sentences):
        words = unicode_words(sentence.text)
        stems = frozenset(stem(word) for word in words if word not in stops and not word.isdigit())
        numbers = frozenset(_NUMBER.findall(sentence.text))
        names = frozenset(() if has_capital_nouns else _NAME.findall(sentence.text))
        found.append(_Said(Voice(at, sentence), ranks[index], stems, numbers, names))
    return found


def _grouped(said: Sequence[_Said], stop: StopToken) -> list[_Group]:
    """Each sentence in the group it is most alike to, else in one of its own."""
    holders = Counter(stem for each in said for stem in each.stems)
    weights = {stem: math.log(1 + len(said) / count) for stem, count in holders.items()}
    groups: list[_Group] = []
    by_stem: defaultdict[str, list[int]] = defaultdict(list)
    for each in sorted(said, key=lambda one: (one.rank, one.voice.document)):
        stop.raise_if_set()
        group = _nearest(each, groups, by_stem, weights)
        if group is None:
            for stem in each.stems:
                if holders[stem] <= _MOST_HOLDERS:
                    by_stem[stem].append(len(groups))
            groups.append(_Group(each))
        elif each.agrees(group.first):
            group.alike.append(each)
        else:
            group.contrary.append(each)
    return groups


def _nearest(
    each: _Said,
    groups: Sequence[_Group],
    by_stem: dict[str, list[int]],
    weights: dict[str, float],
) -> _Group | None:
    """The group of other documents whose first sentence is most alike; None if none is."""
    if len(each.stems) < _FEWEST_STEMS:
        return None
    common: Counter[int] = Counter()
    for stem in each.stems:
        for index in by_stem.get(stem, ()):
            common[index] += weights[stem]  # type: ignore[assignment]
    own = sum(weights[stem] for stem in each.stems)
    best, best_share = None, ALIKE
    for index, weight in common.items():
        group = groups[index]
        other = sum(weights[stem] for stem in group.first.stems)
        share = 2 * weight / (own + other)
        if share >= best_share and each.voice.document not in group.documents:
            best, best_share = group, share
    return best

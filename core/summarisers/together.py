"""One summary of several documents, made of the best sentences of each.

Sentences of different documents that say nearly the same are grouped: what is in a group is a point
that the documents share. A sentence that says nearly the same with other numbers or names, or
denies it, is set against it. All other sentences are what a document alone says. A sentence that is
weak, or leans on the one before it, supports or contradicts what another says, and is no point of
its own.

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
"""How many sentences of each document are looked at."""
ALIKE = 0.7
"""Sentences are alike from this share of their weighted stems in common (Dice)."""
REPEATED = 0.5
"""From this share on, a document repeats itself."""
_FEWEST_POINTS = 3
_LONGEST_SWAP = 2
_FEWEST_STEMS = 3
_MOST_HOLDERS = 400
"""A stem of more sentences tells nothing, and would cost the square of them."""
_CAPITAL_NOUNS = ("de", "lb")
_NAME = re.compile(r"(?<=[\w,] )[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]\w+")
_MAY_DENY = re.compile(r"\b(?:[^\W\d_]*?n['’]t|[^\W\d_]+)\b(?!\.\s?\d)")
_NUMBER = re.compile(r"\d+(?:[.,\u202f\u00a0' ]\d+)*")
_DECIMAL_COMMA = ("de", "es", "fr", "it", "nl", "pt", "ru")
_IN_GROUPS = {
    sign: re.compile(
        rf"(?P<whole>\d{{1,3}}(?:[{group}\u202f\u00a0' ]\d{{3}})+)(?P<part>(?:\{sign}\d+)?)"
    )
    for sign, group in ((".", ","), (",", "."))
}
"""How thousands are parted, by the decimal sign."""


@dataclass
class _Said:
    """A sentence of a document.

    Attributes:
        voice: The document and the sentence.
        rank: Its place among the best of its document, from 0.
        is_weak: Whether it is no point of its own.
        stems: What it is about.
        order: The same in the order of the sentence, without numbers and names.
        numbers: The numbers in it.
        names: What is written with a capital letter inside it.
        num_denials: How many words in it deny.
    """

    voice: Voice
    rank: int
    is_weak: bool
    stems: frozenset[str]
    order: tuple[str, ...]
    numbers: frozenset[str]
    names: frozenset[str]
    num_denials: int

    def is_of_another(self, other: "_Said") -> bool:
        """Whether the two have the same form, with other words in some places of it."""
        steps = SequenceMatcher(None, self.order, other.order, autojunk=False).get_opcodes()
        return any(
            step == "replace" and max(end - start, there_end - there) <= _LONGEST_SWAP
            for step, start, end, there, there_end in steps
        )

    def agrees(self, other: "_Said") -> bool:
        """Whether nothing in one is another number or name in the other, or denied there."""
        same_names = self.names <= other.names or other.names <= self.names
        same_sense = self.num_denials == other.num_denials
        return same_names and same_sense and self.numbers == other.numbers


@dataclass
class _Group:
    """Sentences that say nearly the same.

    Attributes:
        first: The one whose words stand for all.
        alike: The others, of other documents.
        contrary: Those with other numbers or names, or that deny it, of other documents.
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
    weights = _weights(said)
    groups = _grouped(said, weights, stop)
    shared = sorted((group for group in groups if group.is_shared), key=lambda each: each.order)
    alone = _in_turn(_without_repeats([g for g in groups if not g.is_shared], weights))
    room = _Room(length, documents)
    half = replace(room, left=room.left - room.left // 2)
    first = half.fitting(shared)
    room.left -= sum(map(room.cost, first))
    rest = room.fitting(alone)
    first += room.fitting([group for group in shared if group not in first])
    return CombinedSummary(
        tuple(documents),
        tuple(group.point for group in first),
        tuple(group.point for group in sorted(rest, key=_as_read)),
        length,
        tuple(_notes(documents, groups, [*first, *rest])),
    )


def _as_read(group: _Group) -> tuple[bool, int, int]:
    """Sorts contradictions first, then document by document, as each goes on."""
    evidence = group.first.voice.sentence.evidence
    start = evidence[0].start if evidence else 0
    return (not group.contrary, group.first.voice.document, start)


def _notes(
    documents: Sequence[KeptSummary], groups: Sequence[_Group], taken: Sequence[_Group]
) -> list[str]:
    notes = []
    if not any(group.is_shared for group in groups):
        notes.append("No point was found that several documents share.")
    told = {number for group in taken for number in group.documents}
    silent = [name_of(each) for at, each in enumerate(documents) if at not in told]
    if silent:
        names = ", ".join(silent[:_FEWEST_POINTS])
        more = len(silent) - _FEWEST_POINTS
        names += f" and {more} more" if more > 0 else ""
        notes.append(f"Nothing of {names} is in it; a longer summary has more.")
    return notes


def _without_repeats(groups: Sequence[_Group], weights: dict[str, float]) -> list[_Group]:
    """The points without those that a document has made in nearly the same words."""
    found: list[_Group] = []
    for group in sorted(groups, key=lambda each: (not each.contrary, each.first.rank)):
        own = group.first
        repeats = (
            other.first.voice.document == own.voice.document
            and _alikeness(own.stems, other.first.stems, weights) >= REPEATED
            for other in found
        )
        if group.contrary or not any(repeats):
            found.append(group)
    return found


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
    """The best of each document, the second of each, and so on; contradictions come first."""
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


def _said(at: int, document: KeptSummary) -> list[_Said]:
    language = language_of(document.summary.read.language)
    stem = stemmer_of(language)
    known = language if language.words else language_of("en")
    stops = known.function_words
    sentences = document.summary.sentences
    by_score = sorted(range(len(sentences)), key=lambda index: -(sentences[index].score or 0.0))
    ranks = {index: rank for rank, index in enumerate(by_score)}
    has_capital_nouns = language.code in _CAPITAL_NOUNS
    is_weak = [each.score == 0.0 or each.leans for each in sentences]
    if is_weak.count(False) < min(_FEWEST_POINTS, len(sentences)):  # they are all there is
        is_weak = [False] * len(sentences)
    found = []
    for index, sentence in enumerate(sentences):
        words = [word for word in unicode_words(sentence.text) if word not in stops]
        stems = [stem(word) for word in words if not word.isdigit()]
        numbers = _numbers(sentence.text, language)
        names = frozenset(() if has_capital_nouns else _NAME.findall(sentence.text))
        named = {stem(word) for name in names for word in unicode_words(name)}
        order = tuple(each for each in stems if each not in named)
        found.append(
            _Said(
                Voice(at, sentence), ranks[index], is_weak[index], frozenset(stems), order,
                numbers, names, _num_denials(sentence.text, known),
            )
        )  # fmt: skip
    return found


def _numbers(text: str, language: Language) -> frozenset[str]:
    """The numbers of a text, each in one form: "1,200.5" and "1 200.5" are "1200.5"."""
    in_groups = _IN_GROUPS["," if language.code in _DECIMAL_COMMA else "."]
    found = set()
    for number in _NUMBER.findall(text):
        parts = in_groups.fullmatch(number)
        # What is in no groups of three may be a date, a section, or several numbers side by side.
        found.add(re.sub(r"\D", "", parts["whole"]) + parts["part"] if parts else number)
    return frozenset(found)


def _num_denials(text: str, language: Language) -> int:
    """How many words deny: not "No. 5", and not NO, nitric oxide."""
    words = (match[0] for match in _MAY_DENY.finditer(text))
    return sum(
        word.endswith(("n't", "n’t")) or (word[1:].islower() and word.lower() in language.denials)
        for word in words
    )


def _weights(said: Sequence[_Said]) -> dict[str, float]:
    """How much each stem tells: the less, the more sentences have it."""
    holders = Counter(stem for each in said for stem in each.stems)
    return {stem: math.log(1 + len(said) / count) for stem, count in holders.items()}


def _alikeness(one: frozenset[str], other: frozenset[str], weights: dict[str, float]) -> float:
    """The share of their weighted stems that two sentences have in common, 0 to 1."""
    both = _weight(one, weights) + _weight(other, weights)
    return 2 * _weight(one & other, weights) / max(1e-9, both)


def _weight(stems: frozenset[str], weights: dict[str, float]) -> float:
    return sum(weights[stem] for stem in stems)


def _grouped(said: Sequence[_Said], weights: dict[str, float], stop: StopToken) -> list[_Group]:
    """Each sentence in the group it is most alike to, else in one of its own unless it is weak."""
    holders = Counter(stem for each in said for stem in each.stems)
    groups: list[_Group] = []
    by_stem: defaultdict[str, list[int]] = defaultdict(list)
    for each in sorted(said, key=lambda one: (one.is_weak, one.rank, one.voice.document)):
        stop.raise_if_set()
        group = _nearest(each, groups, by_stem, weights)
        if group is not None:
            (group.alike if each.agrees(group.first) else group.contrary).append(each)
        elif not each.is_weak:
            for stem in each.stems:
                if holders[stem] <= _MOST_HOLDERS:
                    by_stem[stem].append(len(groups))
            groups.append(_Group(each))
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
    common: defaultdict[int, float] = defaultdict(float)
    for stem in each.stems:
        for index in by_stem.get(stem, ()):
            common[index] += weights[stem]
    own = _weight(each.stems, weights)
    shares = {
        index: 2 * weight / (own + _weight(groups[index].first.stems, weights))
        for index, weight in common.items()
    }
    near = [index for index, share in shares.items() if share >= ALIKE]
    for index in sorted(near, key=lambda index: (-shares[index], index)):
        group = groups[index]
        is_other = each.voice.document not in group.documents
        if is_other and not each.is_of_another(group.first):
            return group
    return None

"""The selection of sentences for a length: the best of a ranking that fit.

Nothing here reads the text, so a new length costs milliseconds; the window selects in its own
process, so nothing is imported that splits or ranks a text.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.documents.document import Document
from core.summaries.summary import Length
from core.summarisers.ranking import Ranking


@dataclass(frozen=True)
class Selection:
    """The sentences that were selected for a length.

    Args:
        indices: The pinned ones, ascending, then the others, best first.
        candidates: The sentences that could be selected, best first.
        num_offered: Number of sentences of the order from which these were taken.
        requests_most: True if half of the text or more is requested: then all are offered.
        exceeds_length: True if nothing fitted, and the shortest sentence was taken.
    """

    indices: list[int]
    candidates: list[int]
    num_offered: int
    requests_most: bool
    exceeds_length: bool

    def find_blocked(self, ranking: Ranking) -> list[int]:
        """Returns the candidates that are left out because their antecedents are."""
        there = {-1, *self.indices}
        return [
            index
            for index in self.candidates
            if index not in there and int(ranking.antecedents[index]) not in there
        ]


def get_word_budget(document: Document, length: Length) -> int:
    """Returns the number of words that a length in words, or a share of the text, allows."""
    if length.unit == "share":
        return math.floor(document.reading.words * length.value / 100)
    return int(length.value)


def ranks_needed(document: Document, length: Length) -> int:
    """Returns the number of sentences that have to be ranked for a length.

    Args:
        document: The document.
        length: The requested length.

    Returns:
        That number; for words and shares as if a sentence had two words.
    """
    if length.unit == "sentences":
        return int(length.value)
    return get_word_budget(document, length) // 2


def select_sentences(
    document: Document,
    ranking: Ranking,
    length: Length,
    pinned: frozenset[int] = frozenset(),
    banned: frozenset[int] = frozenset(),
) -> Selection:
    """Selects sentences, best first, until a length is reached.

    Args:
        document: The document.
        ranking: Its sentences, ranked.
        length: The requested length; exceeded by pinned sentences only, or by the one sentence
            that a summary has at least.
        pinned: Indices of sentences that are selected in any case.
        banned: Indices of sentences that are not.

    Returns:
        The selection.
    """
    order = ranking.order_for(length.unit)
    most = _requests_most(document, ranking, length)
    offered = order.indices if most else order.indices[: order.num_offered + len(banned)]
    candidates = [
        index for index in offered.tolist() if index not in pinned and index not in banned
    ]
    indices = sorted(pinned)
    indices += _fit(document, ranking, length, indices, candidates)
    exceeds = not indices and bool(candidates)
    if exceeds:
        independent = [
            index for index in candidates if ranking.antecedents[index] < 0
        ] or candidates
        indices = [min(independent, key=lambda index: (ranking.words[index], index))]
    return Selection(indices, candidates, len(offered), most, exceeds)


def _requests_most(document: Document, ranking: Ranking, length: Length) -> bool:
    """True if half of the text is requested, or more."""
    if length.unit == "sentences":
        return length.value >= ranking.half
    return 2 * get_word_budget(document, length) >= document.reading.words


def _fit(
    document: Document, ranking: Ranking, length: Length, taken: list[int], candidates: list[int]
) -> Iterator[int]:
    """Takes candidates in their order that fit, and whose antecedents are there."""
    by_sentence = length.unit == "sentences"
    costs = np.ones_like(ranking.words) if by_sentence else ranking.words
    room = int(length.value) if by_sentence else get_word_budget(document, length)
    room -= int(costs[taken].sum())
    there = {-1, *taken}
    for index in candidates:
        if int(costs[index]) <= room and int(ranking.antecedents[index]) in there:
            room -= int(costs[index])
            there.add(index)
            yield index

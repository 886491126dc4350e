"""Chooses a summary of a requested length from a ranking.

Nothing here looks at the text but to copy it out, so a new length costs milliseconds.
"""

import math
from collections.abc import Iterator

import numpy as np

from core.documents.document import Document
from core.summarisers.ranking import Order, Ranking
from core.summary import Evidence, Length, Summary, SummarySentence


def ranks_needed(document: Document, length: Length) -> int:
    """How many sentences have to be ranked so that a length can be chosen.

    Args:
        document: The document.
        length: The requested length.

    Returns:
        That many sentences; for words and shares as if a sentence had two words.
    """
    if length.unit == "sentences":
        return int(length.value)
    return _word_budget(document, length) // 2


def choose(
    document: Document,
    ranking: Ranking,
    length: Length,
    *,
    pinned: frozenset[int] = frozenset(),
    banned: frozenset[int] = frozenset(),
    seconds: float = 0.0,
) -> Summary:
    """Picks whole sentences, best first, until the requested length is reached.

    Args:
        document: The document.
        ranking: Its sentences, ranked.
        length: How long the summary may be; never exceeded but by what is pinned, or by the one
            sentence that a summary has at least.
        pinned: Indices of sentences that stay, whatever the length.
        banned: Indices of sentences that are not to be picked.
        seconds: How long reading and ranking took.

    Returns:
        The summary in the order of the document. A document shorter than the wish comes back
        whole, with a note.
    """
    order = ranking.order_for(length.unit)
    candidates = [
        index for index in order.indices.tolist() if index not in pinned and index not in banned
    ]
    picked = sorted(pinned)
    picked += _fitting(document, ranking, length, picked, candidates)
    notes: list[str] = []
    if not picked and candidates:
        alone = [index for index in candidates if ranking.leans_on[index] < 0] or candidates
        shortest = min(alone, key=lambda index: (ranking.words[index], index))
        picked = [shortest]
        notes.append("No sentence is as short as the requested length; this is the shortest one.")
    else:
        needing = [
            index
            for index in candidates
            if index not in picked and ranking.leans_on[index] not in {-1, *picked}
        ]
        if len(picked) + len(needing) >= ranking.eligible - len(banned - pinned):
            notes.append(_whole_note(len(picked), bool(banned), bool(needing)))
    return Summary(
        title=document.title,
        source=document.source,
        sentences=tuple(_sentences(document, ranking, order, sorted(picked), pinned)),
        length=length,
        read=document.reading,
        notes=tuple(notes),
        seconds=seconds,
    )


def _fitting(
    document: Document, ranking: Ranking, length: Length, taken: list[int], candidates: list[int]
) -> Iterator[int]:
    """The candidates, in their order, for which there is still room, and what they lean on."""
    by_sentence = length.unit == "sentences"
    costs = np.ones_like(ranking.words) if by_sentence else ranking.words
    room = int(length.value) if by_sentence else _word_budget(document, length)
    room -= int(costs[taken].sum())
    there = {-1, *taken}
    for index in candidates:
        if int(costs[index]) <= room and int(ranking.leans_on[index]) in there:
            room -= int(costs[index])
            there.add(index)
            yield index


def _word_budget(document: Document, length: Length) -> int:
    if length.unit == "share":
        return math.floor(document.reading.words * length.value / 100)
    return int(length.value)


def _whole_note(count: int, some_banned: bool, some_needing: bool) -> str:
    one = count == 1
    rest = f" that {'was' if one else 'were'} not dropped" if some_banned else ""
    rest += f", and {'does' if one else 'do'} not need one that was" if some_needing else ""
    what = "1 sentence" if one else f"{count} sentences"
    return f"The text has only {what} to choose from{rest}; all of them are here."


def _sentences(
    document: Document,
    ranking: Ranking,
    order: Order,
    indices: list[int],
    pinned: frozenset[int],
) -> Iterator[SummarySentence]:
    scores = dict(zip(order.indices.tolist(), order.scores.tolist(), strict=True))
    for index in indices:
        start, end = int(ranking.starts[index]), int(ranking.ends[index])
        yield SummarySentence(
            text=" ".join(document.text[start:end].split()),
            evidence=(Evidence.at(document, index, start, end),),
            score=scores.get(index),
            pinned=index in pinned,
        )

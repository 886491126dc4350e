"""Chooses a summary of a requested length from a ranking.

Nothing here looks at the text but to copy it out and to trim it, so a new length costs
milliseconds.
"""

import math
from collections.abc import Collection, Iterator

import numpy as np

from core.documents.document import Document, count_words
from core.numbers import format_quantity
from core.summaries.summary import Evidence, Length, Summary, SummarySentence
from core.summarisers.presentation.abbreviations import spelt_out
from core.summarisers.presentation.trimming import trimmed
from core.summarisers.ranking import Order, Ranking
from core.summarisers.rules.discourse import partners_for, told_in_order

SPELT_OUT = "Square brackets spell out abbreviations as the text explains them elsewhere."
_TOO_LONG = "No sentence is as short as the requested length; this is the shortest one."
_FILLED = 0.8
"""A summary with less than this share of the words that were asked for says why."""
_NO_ROOM = "No other good sentence fits into the requested length; the shortest has "
_ALL, _GOOD, _NONE, _MORE = "The text has only ", "Only ", "No sentence seems", "Ask for "


def is_about_size(note: str) -> bool:
    """Whether a note of a summary tells of its length or its form, and of nothing that is missing.

    Args:
        note: One of `Summary.notes`.

    Returns:
        Whether it does.
    """
    return note in (SPELT_OUT, _TOO_LONG) or note.startswith((_NO_ROOM, _ALL, _GOOD, _NONE, _MORE))


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
    trims: bool = True,
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
        trims: Whether what joins a sentence to its place is taken off, and abbreviations are spelt
            out.
        seconds: How long reading and ranking took.

    Returns:
        The summary in the order of the document. Only good sentences are picked, unless half of the
        text or more is wanted; a summary that is shorter than the wish for that reason says so.
    """
    order = ranking.order_for(length.unit)
    most = _wants_most(document, ranking, length)
    offered = order.indices if most else order.indices[: order.good + len(banned)]
    candidates = [
        index for index in offered.tolist() if index not in pinned and index not in banned
    ]
    picked = sorted(pinned)
    picked += _fitting(document, ranking, length, picked, candidates)
    notes = [ranking.doubt] if ranking.doubt else []
    if not picked and candidates:
        alone = [index for index in candidates if ranking.leans_on[index] < 0] or candidates
        shortest = min(alone, key=lambda index: (ranking.words[index], index))
        picked = [shortest]
        notes.append(_TOO_LONG)
    else:
        there = {-1, *picked}
        needing = [
            index
            for index in candidates
            if index not in there and int(ranking.leans_on[index]) not in there
        ]
        of_all = order.eligible if most else len(offered)
        is_all = len(picked) + len(needing) >= of_all - len(banned - pinned)
        if is_all and not (length.unit == "sentences" and len(picked) >= length.value):
            sound = {*order.indices[: order.sound].tolist(), *pinned}
            count = sum(most or index in sound for index in picked)
            rest = len(picked) - count
            notes.append(_whole_note(count, rest, most, bool(banned), bool(needing)))
            if not most and order.eligible > len(offered):
                notes.append(_more_note(ranking, length))
        elif length.unit != "sentences":
            left = {*candidates} - {*picked}
            notes += _no_room_notes(document, ranking, length, picked, left)
    room = math.inf if length.unit == "sentences" else _word_budget(document, length)
    sentences = tuple(_sentences(document, ranking, order, sorted(picked), pinned, trims, room))
    if any(sentence.spelt_out for sentence in sentences):
        notes.append(SPELT_OUT)
    return Summary(
        title=document.title,
        source=document.source,
        sentences=sentences,
        length=length,
        read=document.reading,
        notes=tuple(notes),
        seconds=seconds,
    )


def prepare(language: str) -> None:
    """Makes the patterns that the first choice in a language needs, which takes 40 ms.

    Args:
        language: Its code.
    """
    partners_for(language)
    trimmed("", language)


def _wants_most(document: Document, ranking: Ranking, length: Length) -> bool:
    """Whether half of the text is wanted, or more: then what is less good, too."""
    if length.unit == "sentences":
        return length.value >= ranking.half
    return 2 * _word_budget(document, length) >= document.reading.words


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


def _whole_note(count: int, rest: int, most: bool, some_banned: bool, some_needing: bool) -> str:
    """That no more sentences are there: of `count` good ones, and the best `rest` of the others."""
    if most:
        what = "1 sentence" if count == 1 else f"{count} sentences"
        note = f"{_ALL}{what} to choose from; "
    else:
        some = "1 sentence seems" if count == 1 else f"{count} sentences seem"
        note = f"{_GOOD}{some}" if count else _NONE
        note += " to matter enough and to be clear alone"
        note += "; " if count or rest else "."
    if rest:
        best = "the next best" if count else "the best"
        note += f"{best} one is here" if rest == 1 else f"{best} {rest} are here"
        note += ", too." if count else "."
    elif count or most:
        note += "it is here." if count == 1 else "all of them are here."
    if some_banned:
        needing = ", and what needs them," if some_needing else ""
        note += f" Dropped sentences{needing} are left out."
    return note


def _no_room_notes(
    document: Document, ranking: Ranking, length: Length, picked: list[int], left: Collection[int]
) -> list[str]:
    """Why a summary is far shorter than was asked, though there are good sentences left."""
    budget = _word_budget(document, length)
    if int(ranking.words[picked].sum()) >= _FILLED * budget:
        return []
    there = {-1, *picked}
    alone = [index for index in left if int(ranking.leans_on[index]) in there]
    if not alone:
        return []
    shortest = int(ranking.words[alone].min())
    return [f"{_NO_ROOM}{format_quantity(shortest, 'word')}."]


def _more_note(ranking: Ranking, length: Length) -> str:
    by_sentence = length.unit == "sentences"
    wish = format_quantity(ranking.half, "sentence") if by_sentence else "half of the text"
    return f"{_MORE}{wish} or more to have weaker ones, too."


def _sentences(
    document: Document,
    ranking: Ranking,
    order: Order,
    indices: list[int],
    pinned: frozenset[int],
    trims: bool,
    room: float,
) -> Iterator[SummarySentence]:
    """The sentences at some indices, with `room` words for all of them."""
    wholes = [_words_of(document, ranking, index) for index in indices]
    code = document.reading.language
    counted = told_in_order(dict(zip(indices, wholes, strict=True)), ranking.leans_on, code)
    texts = [
        trimmed(whole, code, ranking.citing, counts=index in counted) if trims else whole
        for index, whole in zip(indices, wholes, strict=True)
    ]
    room -= sum(map(count_words, texts))
    spelt = spelt_out(texts, ranking.short_forms, room) if trims else texts
    scores = dict(zip(order.indices.tolist(), order.scores.tolist(), strict=True))
    there, told_before = {-1, *indices}, -1
    for index, whole, text, told in zip(indices, wholes, texts, spelt, strict=True):
        start, end = int(ranking.starts[index]), int(ranking.ends[index])
        question = ranking.questions.get(index, -1)
        is_known = question == told_before or question in there
        told_before = question
        yield SummarySentence(
            text=told,
            evidence=(Evidence.at(document, index, start, end),),
            score=scores.get(index),
            pinned=index in pinned,
            trimmed=text != whole,
            spelt_out=told != text,
            question="" if is_known else _words_of(document, ranking, question),
            leans=int(ranking.leans_on[index]) >= 0,
        )


def _words_of(document: Document, ranking: Ranking, index: int) -> str:
    start, end = int(ranking.starts[index]), int(ranking.ends[index])
    return " ".join(document.text[start:end].split())

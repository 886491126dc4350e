"""Documents longer than a model: parts that it can read, and how much of the summary each gets.

Letters: S sentences, P parts.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.documents.document import RUNNING_TEXT, Document, count_words
from core.documents.sentences import Sentences
from core.events import Steps
from core.gsg.selection import order
from core.gsg.settings import GapSentenceSettings
from core.gsg.tokens import tokenise
from core.stop import StopToken
from core.summaries.summary import Length

_SCORES = GapSentenceSettings(strategy="independent-document", tokenizer="unicode")


@dataclass(frozen=True)
class Part:
    """A stretch of a document.

    Args:
        ids: Its tokens.
        share: Its share of the summary, from 0 to 1; those of all parts make 1.
        words: Number of its words.
    """

    ids: tuple[int, ...]
    share: float
    words: int


def document_parts(
    document: Document,
    sentences: Sentences,
    encode: Callable[[Sequence[str]], list[list[int]]],
    room: int,
    stop: StopToken,
) -> Steps[list[Part]]:
    """Cuts a document between sentences.

    Args:
        document: The document.
        sentences: Its sentences.
        encode: Makes tokens of texts.
        room: Limit of a part in tokens, 1 or more.
        stop: Read while sentences are scored.

    Yields:
        Progress.

    Returns:
        [P] the parts, in order, as few as there can be; a sentence that is longer than the room is
        cut. What each gets of the summary is the share that its sentences have in the sum of all
        gap-sentence scores.
    """
    whole = encode([document.text])[0]
    if len(whole) <= room:
        return [Part(tuple(whole), 1.0, document.reading.words)]
    texts = _pieces(document.text, sentences)
    scores = yield from _scores(document, sentences, stop)
    drafts = list(_fill_parts(zip(texts, encode(texts), scores.tolist(), strict=True), room))
    total = sum(draft.score for draft in drafts)
    return [
        Part(tuple(draft.ids), draft.score / total if total else 1 / len(drafts), draft.words)
        for draft in drafts
    ]


def _pieces(text: str, sentences: Sentences) -> list[str]:
    """[S] the text, each sentence with all that comes before the next."""
    starts = [0, *sentences.starts[1:].tolist(), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


def _scores(
    document: Document, sentences: Sentences, stop: StopToken
) -> Steps[NDArray[np.float64]]:
    """[S] the gap-sentence score of each sentence; 0 of headings and the like."""
    running = np.flatnonzero(np.isin(document.kinds[sentences.paragraphs], RUNNING_TEXT))
    texts = sentences.texts(document.text)
    words = yield from tokenise([texts[index] for index in running], stop, _SCORES.tokenizer)
    picks = yield from order(words, _SCORES, stop)
    scores = np.zeros(len(sentences))
    scores[running[list(picks.picked)]] = picks.scores
    return scores


@dataclass
class _Draft:
    """A part that is being filled."""

    ids: list[int]
    score: float = 0.0
    words: int = 0


def _fill_parts(pieces: Iterable[tuple[str, list[int], float]], room: int) -> Iterator[_Draft]:
    """Fills parts with as many pieces (text, ids, score) as fit, one after the other."""
    draft = _Draft([])
    for text, ids, score in pieces:
        if draft.ids and len(draft.ids) + len(ids) > room:
            yield draft
            draft = _Draft([])
        draft.ids += ids
        draft.score += score
        draft.words += count_words(text)
        while len(draft.ids) > room:  # one sentence, longer than the model
            rest = draft.ids[room:]
            del draft.ids[room:]
            yield draft
            draft = _Draft(rest)
    yield draft


def portions(total: int, shares: Sequence[float]) -> list[int]:
    """A whole number in whole portions, by the largest remainders.

    Args:
        total: The number, 0 or more.
        shares: [P] of each; they make 1.

    Returns:
        [P] portions whose sum is the total; of equal remainders the earlier is served first.
    """
    exact = [total * share for share in shares]
    whole = [int(each) for each in exact]
    left = sorted(range(len(exact)), key=lambda part: whole[part] - exact[part])
    for part in left[: total - sum(whole)]:
        whole[part] += 1
    return whole


def join_parts(written: Sequence[tuple[int, Sequence[str]]], unit: str) -> list[str]:
    """One summary of what was written for each part.

    A part adds sentences until what it and the parts before it were given is used up. So a long
    sentence is paid for by the parts that follow, and what a part leaves is theirs.

    Args:
        written: [P] how many sentences, or words, each part is given, and the sentences for it.
        unit: "sentences" or "words".

    Returns:
        Whole sentences in order, together no more than was given; but where words were given and
        not one sentence is as short as that, the first.
    """
    limit, given, used = sum(share for share, _ in written), 0, 0
    kept: list[str] = []
    for share, sentences in written:
        given += share
        for sentence in sentences:
            size = measure_size(sentence, unit)
            if used >= given or used + size > limit:
                break
            used += size
            kept.append(sentence)
    return kept or ([sentence for _, some in written for sentence in some][:1] if limit else [])


def without_repeats(sentences: Iterable[str]) -> tuple[str, ...]:
    """Sentences without those that repeat an earlier one word for word.

    Args:
        sentences: In order.

    Returns:
        Each sentence where it occurs first; case and spaces make no difference.
    """
    first: dict[str, str] = {}
    for sentence in sentences:
        first.setdefault(" ".join(sentence.casefold().split()), sentence)
    return tuple(first.values())


def measure_size(text: str, unit: str) -> int:
    """Returns the part of a length that a sentence takes: 1 sentence, or its words."""
    return count_words(text) if unit == "words" else 1


def get_limit(document: Document, length: Length) -> tuple[int, str]:
    """Returns a requested length as a number of sentences or words: (120, "words")."""
    if length.unit == "share":
        return max(1, round(document.reading.words * length.value / 100)), "words"
    return int(length.value), length.unit

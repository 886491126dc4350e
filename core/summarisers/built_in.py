"""The built-in summariser's ranking: a learned ranker over what can be seen of each sentence.

How the ranker was made: `packaging/train_ranker.py`.
"""

import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.documents.document import RUNNING_TEXT, Document, count_words
from core.documents.sentences import Sentences, split_document
from core.events import Steps
from core.resources import resource
from core.stop import StopToken
from core.summarisers.covering import covering_order
from core.summarisers.ranking import Ranking
from core.summarisers.signals.table import Signals, signals_of
from core.summarisers.trees import Trees

MIN_RANKED = 1_000
"""So many sentences are ranked at least, if there are as many; beyond, a tenth of them."""

_FEWEST_WORDS = 3
# What such a sentence says stands in the next one, the next list item, or a figure.
_GOES_ON = re.compile(r"(?:[:,：，]|[\s,;](?:and|or|and/or|but))\Z")
_POINTS_AWAY = re.compile(
    r"(?:shown|depicted|illustrated|given|listed|presented|described|found|provided|seen)"
    r" (?:in|by|at) (?:the )?"
    r"(?:fig(?:ure)?s?\b|tables?\b|appendix|section|equation|following|above|below)[^,;]*\Z",
    re.IGNORECASE,
)
_LONGEST_POINTER = 14  # words


@dataclass(frozen=True, eq=False)
class Candidates:
    """The sentences of a document that may be picked, and what is seen of them.

    Letters: S sentences of the document, E candidates.

    Args:
        sentences: [S] all sentences.
        num_words: [S] int32, words in each.
        indices: [E] int64, which of them may be picked, ascending.
        texts: [E] what these say.
        signals: [E, F] what is seen of them.
    """

    sentences: Sentences
    num_words: NDArray[np.int32]
    indices: NDArray[np.int64]
    texts: list[str]
    signals: Signals

    @property
    def words(self) -> NDArray[np.int32]:
        """[E] words in each candidate."""
        return self.num_words[self.indices]


def candidates_of(document: Document, stop: StopToken) -> Steps[Candidates]:
    """Splits a document, and looks at its sentences.

    Args:
        document: The document.
        stop: The wish to end.

    Yields:
        How far it is.

    Returns:
        The candidates. Headings, captions, tables, footnotes, lists of references and boilerplate
        are none, nor are they part of the text that a sentence has to stand for; the same goes for
        sentences that say nothing alone, and for repetitions of an earlier one.
    """
    sentences = yield from split_document(document, stop)
    texts = sentences.texts(document.text)
    num_words = np.array([count_words(text) for text in texts], np.int32)
    indices = _eligible(document, sentences, texts, num_words)
    signals = yield from signals_of(document, sentences, indices, num_words[indices], stop)
    return Candidates(sentences, num_words, indices, [texts[i] for i in indices], signals)


def rank_document(document: Document, stop: StopToken, *, at_least: int = 0) -> Steps[Ranking]:
    """Splits a document and ranks its sentences.

    Args:
        document: The document.
        stop: The wish to end.
        at_least: Rank so many sentences, even if that is more than usual.

    Yields:
        How far it is.

    Returns:
        The ranking of its candidates that have words.
    """
    found = yield from candidates_of(document, stop)
    worth = _ranker().predict(found.signals.values.astype(np.float32))
    limit = max(MIN_RANKED, len(found.indices) // 10, at_least)
    order, gains = covering_order(worth, found.words, found.signals.tokens, limit)
    return Ranking(
        starts=found.sentences.starts,
        ends=found.sentences.ends,
        words=found.num_words,
        order=found.indices[np.array(order, np.int64)],
        scores=np.array(gains, np.float64),
        eligible=len(found.indices),
    )


def ranker_hash() -> str:
    """The SHA-256 of the shipped ranker, in hex: another one writes other summaries."""
    return sha256(_ranker_file().read_bytes()).hexdigest()


@cache
def _ranker() -> Trees:
    return Trees.load(_ranker_file())


def _ranker_file() -> Path:
    return resource("ranker", "ranker.npz")


def _eligible(
    document: Document, sentences: Sentences, texts: list[str], num_words: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Indices of the sentences in running text that say something alone, each text once.

    Where there are none, those of the running text; where there is none of that, of all.
    """
    kinds = document.kinds[sentences.paragraphs]
    running = np.flatnonzero(np.isin(kinds, RUNNING_TEXT))
    first = {texts[index]: index for index in running[::-1].tolist()}
    telling = [
        index
        for text, index in first.items()
        if num_words[index] >= _FEWEST_WORDS
        and not _GOES_ON.search(text)
        and not (num_words[index] <= _LONGEST_POINTER and _POINTS_AWAY.search(text))
    ]
    if telling:
        return np.array(sorted(telling), np.int64)
    return running if len(running) else np.arange(len(sentences))

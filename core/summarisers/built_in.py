"""The built-in summariser's ranking: a learned ranker over what can be seen of each sentence.

How the ranker was made: `packaging/train_ranker.py`.
"""

from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.documents.document import RUNNING_TEXT, Document, Kind, count_words
from core.documents.languages import language_of
from core.documents.sentences import Sentences, split_document
from core.documents.stems import stemmer_of
from core.documents.words import unicode_words
from core.events import Steps
from core.resources import resource
from core.stop import StopToken
from core.summarisers.checks import checks_for
from core.summarisers.covering import LENGTH_POWER, NUMBER_POWER, covering_order
from core.summarisers.ranker import Ranker
from core.summarisers.ranking import Order, Ranking
from core.summarisers.signals.table import Signals, signals_of

MIN_RANKED = 1_000
"""So many sentences are ranked at least, if there are as many; where words are counted beyond that
a tenth of them."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The sentences of a document that may be picked, and what is seen of them.

    Letters: S sentences of the document, E candidates.

    Args:
        sentences: [S] all sentences.
        num_words: [S] int32, words in each.
        indices: [E] int64, which of them may be picked, ascending.
        texts: [E] what these say.
        leans_on: [E] int64, the candidate before, for one that cannot be understood without it;
            else -1.
        signals: [E, F] what is seen of them.
    """

    sentences: Sentences
    num_words: NDArray[np.int32]
    indices: NDArray[np.int64]
    texts: list[str]
    leans_on: NDArray[np.int64]
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
        sentences with a fault, for those that lean on one that is no candidate, and for
        repetitions of an earlier one.
    """
    sentences = yield from split_document(document, stop)
    texts = sentences.texts(document.text)
    num_words = np.array([count_words(text) for text in texts], np.int32)
    indices, leans_on = _eligible(document, sentences, texts)
    own = [texts[index] for index in indices]
    signals = yield from signals_of(document, sentences, indices, num_words[indices], stop)
    return Candidates(sentences, num_words, indices, own, leans_on, signals)


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
    return (yield from ranked(document, shipped_ranker(), stop, at_least=at_least))


def ranked(
    document: Document, ranker: Ranker, stop: StopToken, *, at_least: int = 0
) -> Steps[Ranking]:
    """As `rank_document`, with any ranker."""
    found = yield from candidates_of(document, stop)
    judged = in_language(ranker, document.reading.language).judge(found.signals, stop)
    fewest = max(MIN_RANKED, at_least)

    def order(power: float, limit: int) -> Order:
        picked, gains = covering_order(judged, found.words, found.leans_on, limit, power)
        return Order(found.indices[np.array(picked, np.int64)], np.array(gains, np.float64))

    leans_on = np.full(len(found.sentences), -1)
    leans_on[found.indices] = np.where(found.leans_on < 0, -1, found.indices[found.leans_on])
    return Ranking(
        starts=found.sentences.starts,
        ends=found.sentences.ends,
        words=found.num_words,
        by_words=order(LENGTH_POWER, max(fewest, len(found.indices) // 10)),
        by_number=order(NUMBER_POWER, fewest),
        leans_on=leans_on,
        eligible=len(found.indices),
    )


def in_language(ranker: Ranker, code: str) -> Ranker:
    """Makes a ranker, which learnt from English documents, one for those in another language.

    Args:
        ranker: What was learnt.
        code: The language's code; empty where it is not known.

    Returns:
        The ranker for it; for English, and where it is not known, the same.
    """
    language = language_of(code)
    if not language.is_foreign:
        return ranker
    words = unicode_words(" ".join((*language.words, *sorted(language.elided))))
    stems = tuple(dict.fromkeys(map(stemmer_of(language), words)))
    return replace(ranker, background=ranker.background.of_language(stems))


def ranker_hash() -> str:
    """The SHA-256 of the shipped ranker, in hex: another one writes other summaries."""
    return sha256(_ranker_file().read_bytes()).hexdigest()


@cache
def shipped_ranker() -> Ranker:
    """The ranker that comes with the program."""
    return Ranker.load(_ranker_file())


def _ranker_file() -> Path:
    return resource("ranker", "ranker.npz")


def _eligible(
    document: Document, sentences: Sentences, texts: list[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """[E] indices of the sentences that may be picked, and [E] which of these each leans on.

    Where all sentences of the running text have faults, all of them; where there is none of that,
    all of the document.
    """
    kinds = document.kinds[sentences.paragraphs]
    running = np.flatnonzero(np.isin(kinds, RUNNING_TEXT))
    first = {texts[index]: index for index in running[::-1].tolist()}
    checks = checks_for(document.reading.language)
    places: dict[int, int] = {}
    leans_on: list[int] = []
    for index in sorted(first.values()):
        if checks.fault_of(texts[index], Kind(kinds[index])):
            continue
        leans = checks.leans_back(texts[index])
        if leans and index - 1 not in places:
            continue
        leans_on.append(places[index - 1] if leans else -1)
        places[index] = len(places)
    if places:
        return np.array(list(places), np.int64), np.array(leans_on, np.int64)
    every = running if len(running) else np.arange(len(sentences))
    return every, np.full(len(every), -1)

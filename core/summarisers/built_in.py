"""The built-in summariser's ranking: a learned ranker over what can be seen of each sentence.

How the ranker was made: `packaging/train_ranker.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.distribution.resources import resource
from core.documents.document import RUNNING_TEXT, Document, count_words
from core.documents.languages import language_of
from core.documents.sentences import Sentences, split_document
from core.documents.stems import stemmer_of
from core.documents.words import unicode_words
from core.events import Steps
from core.gsg.tokens import Tokens
from core.stop import StopToken
from core.summarisers.features.extraction import Signals, signals_of
from core.summarisers.features.independence import standing_signals
from core.summarisers.presentation.context import in_context
from core.summarisers.ranking import Ranking
from core.summarisers.rules.defects import checks_for, is_broken, is_signpost
from core.summarisers.rules.discourse import partners_of
from core.summarisers.scoring.quality import Quality, QualityModel, quality_table
from core.summarisers.scoring.ranker import Judgement, Ranker, Table
from core.summarisers.selection.ordering import ENOUGH, ENOUGH_ELSEWHERE, ranking_of

FEWEST_WORDS = 3
GOES_ON = tuple(":,;：，；、،؛")
LESS_SURE = 0.6
"""What counts of the probability of a fault in a language of which few judged documents are."""
UNSURE = 0.2
"""That probability, at most, where nothing is known of the words."""
SIGNPOST = 0.5
"""That probability, at least, of what only tells where in its document something stands."""
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


@dataclass(frozen=True, eq=False)
class LookedAt:
    """All that is seen of candidates before their quality is told.

    Args:
        candidates: [E] the candidates.
        judgement: What the ranker finds.
        table: [E, F] what is seen of them.
    """

    candidates: Candidates
    judgement: Judgement
    table: Table

    @property
    def told_by(self) -> Tokens:
        """[E] their words, of which phrases are made."""
        return self.candidates.signals.told_by


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
        repetitions of an earlier sentence.
    """
    sentences = yield from split_document(document, stop)
    return (yield from _seen(document, sentences, stop))


def _seen(document: Document, sentences: Sentences, stop: StopToken) -> Steps[Candidates]:
    texts = sentences.texts(document.text)
    num_words = np.array([count_words(text) for text in texts], np.int32)
    indices = _eligible(document, sentences, texts)
    own = [texts[index] for index in indices]
    signals = yield from signals_of(document, sentences, indices, num_words[indices], stop)
    return Candidates(sentences, num_words, indices, own, signals)


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
    sentences = yield from split_document(document, stop)
    seen = yield from looked_at(document, sentences, ranker, stop)
    quality = shipped_quality().assess(seen.table, seen.told_by, stop)
    ranking = ranking_for(document, seen, quality, at_least=at_least)
    stop.raise_if_set()
    return in_context(ranking, document, sentences)


def ranking_for(
    document: Document, seen: LookedAt, quality: Quality, *, at_least: int = 0
) -> Ranking:
    """Ranks what was looked at, as the document's language asks for.

    Args:
        document: The document.
        seen: What is seen of its candidates.
        quality: How good they are.
        at_least: Rank so many sentences, even if that is more than usual.

    Returns:
        The ranking, without what only the document tells.
    """
    code = document.reading.language
    quality = checked(quality, seen.candidates.texts, code)
    enough = ENOUGH_ELSEWHERE if language_of(code).is_foreign else ENOUGH
    partners = partners_of(document, seen.candidates)
    fewest = max(MIN_RANKED, at_least)
    return ranking_of(seen, quality, fewest, enough=enough, partners=partners)


def looked_at(
    document: Document, sentences: Sentences, ranker: Ranker, stop: StopToken
) -> Steps[LookedAt]:
    """Looks at the candidates of a document.

    Args:
        document: The document.
        sentences: [S] its sentences.
        ranker: What tells their worth.
        stop: The wish to end.

    Yields:
        How far it is.

    Returns:
        All that is seen of them.
    """
    found = yield from _seen(document, sentences, stop)
    judged = in_language(ranker, document.reading.language).judge(found.signals, stop)
    spelled = found.signals.spelled
    standing = dict(standing_signals(document, sentences, found.indices, spelled))
    stop.raise_if_set()
    return LookedAt(found, judged, quality_table(judged.seen, judged.worth, standing))


def checked(quality: Quality, texts: Sequence[str], code: str) -> Quality:
    """Makes sure of faults that the signs, or the words of a language, show.

    Args:
        quality: [E] what was found.
        texts: [E] the sentences.
        code: The code of their language.

    Returns:
        For English, and where the language is not known, the same but for sentences that are no
        whole ones, and for signposts. In other languages, what was learnt (of English, most of
        all) says less about faults.
    """
    checks = checks_for(code)
    if checks is None:
        broken = np.array([is_broken(text) for text in texts], bool)
        signposts = np.array([is_signpost(text) for text in texts], bool)
        fault = np.where(signposts, np.maximum(SIGNPOST, quality.fault), quality.fault)
        return replace(
            quality,
            fault=np.where(broken, 1.0, fault),
            leans=np.where(broken, 0.0, quality.leans),
        )
    if language_of(code).pronouns:
        quality = replace(quality, fault=LESS_SURE * quality.fault)
    else:
        unsure = np.minimum(quality.fault, UNSURE)
        quality = replace(quality, fault=unsure, leans=np.zeros(len(unsure)))
    fault = np.array([checks.fault_of(text) is not None for text in texts], bool)
    leans = np.array([checks.leans_back(text) for text in texts], bool) & ~fault
    return replace(
        quality,
        fault=np.where(fault | leans, 1.0, quality.fault),
        leans=np.where(leans, 1.0, np.where(fault, 0.0, quality.leans)),
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
    """The SHA-256 of the shipped models, in hex: others write other summaries."""
    both = _ranker_file().read_bytes() + _quality_file().read_bytes()
    return sha256(both).hexdigest()


@cache
def shipped_ranker() -> Ranker:
    """The ranker that comes with the program."""
    return Ranker.load(_ranker_file())


@cache
def shipped_quality() -> QualityModel:
    """The model of quality that comes with the program."""
    return QualityModel.load(_quality_file())


def _ranker_file() -> Path:
    return resource("ranker", "ranker.npz")


def _quality_file() -> Path:
    return resource("ranker", "quality.npz")


def _eligible(document: Document, sentences: Sentences, texts: list[str]) -> NDArray[np.int64]:
    """[E] indices of the sentences that may be picked: of the running text, each once.

    What goes on in the next one, or has hardly a word, is none if there are others. Where there is
    no running text, all sentences.
    """
    running = np.flatnonzero(np.isin(document.kinds[sentences.paragraphs], RUNNING_TEXT))
    first = {texts[index]: index for index in running[::-1].tolist()}
    whole = [index for text, index in first.items() if _says_something(text)]
    every = sorted(whole or first.values()) or range(len(sentences))
    return np.array(every, np.int64)


def _says_something(text: str) -> bool:
    # Scripts without spaces have no words to count.
    long_enough = not text.isascii() or count_words(text) >= FEWEST_WORDS
    return long_enough and not text.endswith(GOES_ON)

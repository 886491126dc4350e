"""The built-in summariser's ranking: gap sentences of the whole document.

Source: the sequential document-level strategy of Zhang et al. (2020), PEGASUS, section 3.1, over
words of any script.
"""

import numpy as np
from numpy.typing import NDArray

from core.documents.document import RUNNING_TEXT, Document, count_words
from core.documents.sentences import Sentences, split_document
from core.events import Steps
from core.gsg.selection import order
from core.gsg.settings import GapSentenceSettings
from core.gsg.tokens import tokenise
from core.stop import StopToken
from core.summarisers.ranking import Ranking

MIN_RANKED = 1_000
"""So many sentences are ranked at least, if there are as many; beyond, a tenth of them."""

_FEWEST_WORDS = 3
_GOES_ON = (":", ",", "：", "，")

_SETTINGS = GapSentenceSettings(strategy="sequential-document", tokenizer="unicode")


def rank_document(document: Document, stop: StopToken, *, at_least: int = 0) -> Steps[Ranking]:
    """Splits a document and ranks its sentences.

    Args:
        document: The document.
        stop: The wish to end.
        at_least: Rank so many sentences, even if that is more than usual.

    Yields:
        How far it is.

    Returns:
        The ranking. Headings, captions, tables, footnotes, lists of references and boilerplate
        are not ranked, nor are they part of the text that a sentence has to stand for; the same
        goes for sentences that say nothing alone, and for repetitions of an earlier one.
    """
    sentences = yield from split_document(document, stop)
    texts = sentences.texts(document.text)
    num_words = np.array([count_words(text) for text in texts], np.int32)
    eligible = _eligible(document, sentences, texts, num_words)
    words = yield from tokenise([texts[index] for index in eligible], stop, _SETTINGS.tokenizer)
    limit = max(MIN_RANKED, len(eligible) // 10, at_least)
    picks = yield from order(words, _SETTINGS, stop, limit=limit)
    return Ranking(
        starts=sentences.starts,
        ends=sentences.ends,
        words=num_words,
        order=eligible[np.array(picks.picked, np.int64)],
        scores=np.array(picks.scores, np.float64),
        eligible=picks.num_scorable,
    )


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
        if num_words[index] >= _FEWEST_WORDS and not text.endswith(_GOES_ON)
    ]
    if telling:
        return np.array(sorted(telling), np.int64)
    return running if len(running) else np.arange(len(sentences))

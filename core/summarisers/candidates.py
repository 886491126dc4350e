"""The sentences of a document that a summary may contain.

Letters: S sentences of the document, E candidates.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.documents.document import RUNNING_TEXT, Document, count_words
from core.documents.sentences import Sentences
from core.summarisers.rules.defects import CONTINUES, MIN_WORDS


@dataclass(frozen=True, eq=False)
class Candidates:
    """The sentences of a document, and those of them that may be selected.

    Args:
        sentences: [S] all sentences.
        sentence_texts: [S] their texts.
        num_words: [S] int32, words in each.
        indices: [E] int64, the candidates, ascending.
    """

    sentences: Sentences
    sentence_texts: list[str]
    num_words: NDArray[np.int32]
    indices: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.indices)

    @cached_property
    def texts(self) -> list[str]:
        """[E] their texts."""
        return [self.sentence_texts[index] for index in self.indices.tolist()]

    @property
    def words(self) -> NDArray[np.int32]:
        """[E] words in each candidate."""
        return self.num_words[self.indices]

    @property
    def paragraphs(self) -> NDArray[np.int32]:
        """[E] the paragraph of each candidate."""
        return self.sentences.paragraphs[self.indices]


def cut_candidates(document: Document, sentences: Sentences) -> Candidates:
    """Selects the sentences that may be part of a summary.

    Headings, captions, tables, footnotes, lists of references and boilerplate are no candidates,
    nor are repetitions of an earlier sentence, sentences that continue in the next one and those
    of one or two words. If nothing else is there, these are candidates after all; in a document
    without running text all sentences are.

    Args:
        document: The document.
        sentences: [S] its sentences.

    Returns:
        The candidates.
    """
    texts = sentences.texts(document.text)
    num_words = np.array([count_words(text) for text in texts], np.int32)
    running = np.flatnonzero(np.isin(document.kinds[sentences.paragraphs], RUNNING_TEXT))
    first = {texts[index]: index for index in running[::-1].tolist()}
    whole = [index for text, index in first.items() if _is_whole(text, int(num_words[index]))]
    indices = sorted(whole or first.values()) or range(len(sentences))
    return Candidates(sentences, texts, num_words, np.array(indices, np.int64))


def _is_whole(text: str, num_words: int) -> bool:
    # Scripts without spaces have no words to count.
    long_enough = not text.isascii() or num_words >= MIN_WORDS
    return long_enough and not text.endswith(CONTINUES)

"""The words of sentences as numbers; what a word is, is told in `core/documents/words.py`.

Letters: S sentences, K words of all sentences.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.documents.words import Tokenizer
from core.events import Progress, Steps
from core.metrics.words import find_words, porter_stemmer
from core.stop import StopToken

_SENTENCES_A_STEP = 4096


@dataclass(frozen=True, eq=False)
class Tokens:
    """Sentences as numbered words.

    Args:
        starts: [S + 1] int64, where each sentence's words begin in `words`; the last is K.
        words: [K] int32, the number of each word, in the order of the text.
        spellings: What each number stands for; of words of one stem, the stem.
    """

    starts: NDArray[np.int64]
    words: NDArray[np.int32]
    spellings: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def num_words(self) -> int:
        """How many different words there are; numbers are below it."""
        return len(self.spellings)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """[S] how many words each sentence has."""
        return np.diff(self.starts)

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """[K] the sentence of each word."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """[K] the place of each word in its sentence, from 0."""
        return np.arange(len(self.words)) - self.starts[self.owners]

    def reduced(self, reduce: Callable[[str], str]) -> Self:
        """The same sentences, where words that are reduced to the same are one word.

        Args:
            reduce: What a spelling becomes.

        Returns:
            The words with new numbers.
        """
        stems: dict[str, int] = {}
        numbers = [stems.setdefault(reduce(word), len(stems)) for word in self.spellings]
        words = np.array(numbers, np.int32)[self.words]
        return replace(self, words=words, spellings=tuple(stems))


def tokenise(
    sentences: Sequence[str],
    stop: StopToken,
    tokenizer: Tokenizer = "rouge",
    stem: bool = False,
) -> Steps[Tokens]:
    """Turns sentences into numbered words.

    Args:
        sentences: [S] their texts.
        stop: Read every few thousand sentences.
        tokenizer: What a word is.
        stem: Whether English words of more than three letters are compared by Porter stem.

    Yields:
        How many sentences are done.

    Returns:
        The words; sentences without any are empty.
    """
    numbers: dict[str, int] = {}
    found: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
    lengths: list[int] = []
    for done in range(0, len(sentences), _SENTENCES_A_STEP):
        stop.raise_if_set()
        yield Progress(done, len(sentences), "sentences", "Finding words")
        words: list[str] = []  # of these sentences alone: all of them would fill the memory
        for sentence in sentences[done : done + _SENTENCES_A_STEP]:
            before = len(words)
            words.extend(find_words(sentence, tokenizer))
            lengths.append(len(words) - before)
        for word in dict.fromkeys(words):
            numbers.setdefault(word, len(numbers))
        found.append(np.fromiter(map(numbers.__getitem__, words), np.int32, len(words)))
    ends = np.concatenate(([0], np.cumsum(np.array(lengths, np.int64))))
    tokens = Tokens(ends, np.concatenate(found), tuple(numbers))
    return tokens.reduced(porter_stemmer()) if stem else tokens

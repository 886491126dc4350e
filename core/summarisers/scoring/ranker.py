"""The learned ranker: how probable each word and pair is in a summary, and each sentence's worth.

Three sets of trees, each of which sees what the one before says: words, pairs of neighbouring
words, sentences. Letters: E candidates, F signals, W words, P pairs, B words of other documents.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from core.stop import StopToken
from core.summarisers.features.extraction import Signals
from core.summarisers.features.salience import expected_signals
from core.summarisers.features.term_features import pair_signals, term_signals
from core.summarisers.features.terms import Terms
from core.summarisers.scoring.trees import Trees

Floats = NDArray[np.float64]

LIKELY = 0.05
"""Pairs are looked at where both words are so probable in a summary: of a book a sixth of all."""


@dataclass(frozen=True, eq=False)
class Table:
    """Rows for trees.

    Args:
        names: [F] what each column is.
        values: [E, F] (or [W, F], [P, F]) float32.
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]

    @classmethod
    def of(cls, columns: Iterable[tuple[str, Floats]]) -> Self:
        """From names and columns of equal length."""
        found = dict(columns)
        values = np.column_stack([column.astype(np.float32) for column in found.values()])
        return cls(tuple(found), values)


@dataclass(frozen=True, eq=False)
class Background:
    """How words are used in other documents.

    Args:
        spellings: [B] their stems, ascending.
        rarity: [B + 1] the log of one to the share of documents that have each; at the end that of
            a word that is none of them.
        rates: [B + 1] the log of the share of these documents whose summaries have it too.
    """

    spellings: tuple[str, ...]
    rarity: NDArray[np.float32]
    rates: NDArray[np.float32]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {spelling: number for number, spelling in enumerate(self.spellings)}

    def spots(self, spellings: Sequence[str]) -> NDArray[np.int64]:
        """[W] where words stand in it; B for those that do not."""
        other = len(self.spellings)
        return np.array([self._numbers.get(word, other) for word in spellings], np.int64)

    def of_language(self, words: Sequence[str]) -> Self:
        """What can be said of the words of another language.

        Args:
            words: The stems of its function words, the commonest first.

        Returns:
            A background where these are used as the commonest words of this one are; of all
            others nothing is known.
        """
        common = np.argsort(self.rarity[:-1], kind="stable")[: len(words)]
        spots = np.append(common, len(self.spellings))
        known = tuple(words)[: len(common)]
        return replace(self, spellings=known, rarity=self.rarity[spots], rates=self.rates[spots])


@dataclass(frozen=True, eq=False)
class Judgement:
    """What the ranker finds in a document.

    Args:
        seen: [E, F] what is seen of the candidates.
        worth: [E] what each of them alone is worth in a summary, about 0 to 1.
        words: The words of the candidates.
        word_values: [W] how probable each is in a summary.
        pairs: The pairs of neighbouring words that are not improbable.
        pair_values: [P] the same for them.
    """

    seen: Table
    worth: Floats
    words: Terms
    word_values: Floats
    pairs: Terms
    pair_values: Floats


@dataclass(frozen=True, eq=False)
class Ranker:
    """What was learnt from documents with summaries.

    Args:
        background: The words of these.
        words: Gives the log-odds of a word's being in a summary.
        pairs: Gives those of a pair.
        sentences: Gives what a sentence is worth.
    """

    background: Background
    words: Trees
    pairs: Trees
    sentences: Trees

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads a ranker: a NumPy archive without objects, as `save` wrote it."""
        with np.load(path, allow_pickle=False) as arrays:
            spellings = tuple(str(spelling) for spelling in arrays["spellings"])
            background = Background(spellings, arrays["rarity"], arrays["rates"])
            trees = [Trees.of(arrays, name) for name in ("words", "pairs", "sentences")]
        return cls(background, *trees)

    def save(self, path: Path) -> None:
        """Writes it, the same bytes for the same ranker."""
        known = self.background
        parts = {"words": self.words, "pairs": self.pairs, "sentences": self.sentences}
        arrays: dict[str, Any] = {
            f"{part} {name}": array
            for part, trees in parts.items()
            for name, array in trees.arrays().items()
        }
        np.savez_compressed(
            path,
            spellings=np.array(known.spellings),
            rarity=known.rarity,
            rates=known.rates,
            **arrays,
        )

    def judge(self, seen: Signals, stop: StopToken) -> Judgement:
        """Judges the candidates of a document.

        Args:
            seen: What is seen of them.
            stop: The wish to end.

        Returns:
            The judgement.
        """
        words = Terms.of(seen.tokens, 1)
        stop.raise_if_set()
        expected = probabilities(
            self.words.predict(word_table(words, seen, self.background).values)
        )
        stop.raise_if_set()
        pairs = likely_pairs(seen, words, expected)
        together = probabilities(
            self.pairs.predict(pair_table(pairs, seen, words, expected).values)
        )
        stop.raise_if_set()
        rows = sentence_table(seen, words, expected, pairs, together, self.background)
        worth = self.sentences.predict(rows.values)
        return Judgement(rows, worth, words, expected, pairs, together)


def word_table(words: Terms, seen: Signals, background: Background) -> Table:
    """[W, F] what is seen of words, here and in other documents."""
    columns = dict(term_signals(words, seen, 1))
    spots = background.spots(seen.tokens.spellings)[words.keys]
    columns["rarity"] = background.rarity[spots].astype(np.float64)
    columns["rate"] = background.rates[spots].astype(np.float64)
    return Table.of(columns.items())


def likely_pairs(seen: Signals, words: Terms, expected: Floats) -> Terms:
    """The pairs of neighbouring words that are each `LIKELY` in a summary."""
    likely = np.zeros(seen.tokens.num_words, bool)
    likely[words.keys[expected >= LIKELY]] = True
    return Terms.of(seen.tokens, 2, likely)


def pair_table(pairs: Terms, seen: Signals, words: Terms, expected: Floats) -> Table:
    """[P, F] what is seen of pairs, when it is known how probable words are."""
    columns = dict(term_signals(pairs, seen, 2))
    return Table.of({**columns, **dict(pair_signals(pairs, words, expected))}.items())


def sentence_table(
    seen: Signals,
    words: Terms,
    expected: Floats,
    pairs: Terms,
    together: Floats,
    background: Background,
) -> Table:
    """[E, F] what is seen of candidates, when it is known how probable words and pairs are."""
    columns = dict(zip(seen.names, seen.values.T, strict=True))
    spots = background.spots(seen.tokens.spellings)[words.keys]
    rarity = background.rarity[spots].astype(np.float64)
    columns |= dict(expected_signals(words, expected, pairs, together, rarity))
    return Table.of(columns.items())


def probabilities(odds: Floats) -> Floats:
    """Turns log-odds into probabilities."""
    found: Floats = 1 / (1 + np.exp(-odds))
    return found

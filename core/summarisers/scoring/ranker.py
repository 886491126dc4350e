"""The learnt ranker: the probability of words and pairs in a summary, and the utility of sentences.

Three stages of trees, each of which reads the predictions of the one before: words, pairs of
neighbouring words, sentences (`resources/ranker/README.md`).

Letters: E candidates, W words, P pairs, B words of the training documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from core.documents.languages import language_of
from core.documents.stems import stemmer_of
from core.documents.words import unicode_words
from core.stop import StopToken
from core.summarisers.features.extraction import Features
from core.summarisers.features.salience import salience_features
from core.summarisers.features.table import FeatureTable
from core.summarisers.features.term_features import pair_features, term_features
from core.summarisers.features.terms import Terms
from core.summarisers.scoring.trees import Trees

Floats = NDArray[np.float64]

MIN_WORD_PROB = 0.05
"""Least probability of both words of a pair that is scored; in a book a sixth of all pairs is."""


@dataclass(frozen=True, eq=False)
class Background:
    """The use of words in the training documents.

    Args:
        spellings: [B] their stems, ascending.
        idf: [B + 1] inverse document frequency of each; last that of all other words.
        rates: [B + 1] log of the share of its documents whose summaries contain the word, too.
    """

    spellings: tuple[str, ...]
    idf: NDArray[np.float32]
    rates: NDArray[np.float32]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {spelling: number for number, spelling in enumerate(self.spellings)}

    def row_indices(self, spellings: Sequence[str]) -> NDArray[np.int64]:
        """[W] index of each word; B for words that are not known."""
        other = len(self.spellings)
        return np.array([self._numbers.get(word, other) for word in spellings], np.int64)

    def translate(self, words: Sequence[str]) -> Self:
        """Returns a background for another language.

        Args:
            words: The stems of its function words, the commonest first.

        Returns:
            A background in which these are used like the commonest words of this one; all others
            are unknown.
        """
        common = np.argsort(self.idf[:-1], kind="stable")[: len(words)]
        rows = np.append(common, len(self.spellings))
        spellings = tuple(words)[: len(common)]
        return replace(self, spellings=spellings, idf=self.idf[rows], rates=self.rates[rows])


@dataclass(frozen=True, eq=False)
class RankerOutput:
    """Predictions of the ranker for a document.

    Args:
        table: [E] rows; the features that it read of the candidates.
        utility: [E] value of each candidate by itself in a summary, about 0 to 1.
        words: The words of the candidates.
        word_probs: [W] probability of each in a summary.
        pairs: The pairs of neighbouring words that are not improbable.
        pair_probs: [P] probability of each in a summary.
    """

    table: FeatureTable
    utility: Floats
    words: Terms
    word_probs: Floats
    pairs: Terms
    pair_probs: Floats


@dataclass(frozen=True, eq=False)
class Ranker:
    """The ranker, trained on documents with summaries (`packaging/train_ranker.py`).

    Args:
        background: The words of these documents.
        words: Predicts the log-odds of a word in a summary.
        pairs: Predicts those of a pair.
        sentences: Predicts the utility of a sentence.
    """

    background: Background
    words: Trees
    pairs: Trees
    sentences: Trees

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads a ranker: a NumPy archive without objects, as `save` writes it."""
        with np.load(path, allow_pickle=False) as arrays:
            spellings = tuple(str(spelling) for spelling in arrays["spellings"])
            background = Background(spellings, arrays["idf"], arrays["rates"])
            trees = [Trees.from_arrays(arrays, name) for name in ("words", "pairs", "sentences")]
        return cls(background, *trees)

    def save(self, path: Path) -> None:
        """Writes the ranker, the same bytes for the same ranker."""
        known = self.background
        arrays: dict[str, Any] = {
            "spellings": np.array(known.spellings),
            "idf": known.idf,
            "rates": known.rates,
            **self.words.to_arrays("words"),
            **self.pairs.to_arrays("pairs"),
            **self.sentences.to_arrays("sentences"),
        }
        np.savez_compressed(path, **arrays)

    def for_language(self, code: str) -> Self:
        """Returns the ranker for documents in a language.

        Args:
            code: Its code; empty if it is not known.

        Returns:
            This ranker for English, from which it was learnt, and where the language is not known;
            else one that knows the function words of that language only.
        """
        language = language_of(code)
        if not language.is_foreign:
            return self
        words = unicode_words(" ".join((*language.words, *sorted(language.elided))))
        stems = tuple(dict.fromkeys(map(stemmer_of(language), words)))
        return replace(self, background=self.background.translate(stems))

    def predict(self, features: Features, stop: StopToken) -> RankerOutput:
        """Predicts the utility of a document's candidates.

        Args:
            features: [E] their features.
            stop: Read between the stages.

        Returns:
            The predictions of all stages.
        """
        words = Terms.from_tokens(features.stems, 1)
        stop.raise_if_set()
        rows = word_table(words, features, self.background)
        word_probs = sigmoid(self.words.predict(rows.to_matrix(self.words.names)))
        stop.raise_if_set()
        pairs = likely_pairs(features, words, word_probs)
        rows = pair_table(pairs, features, words, word_probs)
        pair_probs = sigmoid(self.pairs.predict(rows.to_matrix(self.pairs.names)))
        stop.raise_if_set()
        table = sentence_table(features, words, word_probs, pairs, pair_probs, self.background)
        utility = self.sentences.predict(table.to_matrix(self.sentences.names))
        return RankerOutput(table, utility, words, word_probs, pairs, pair_probs)


def word_table(words: Terms, features: Features, background: Background) -> FeatureTable:
    """Returns the features of words [W] in this document and in the training documents."""
    rows = background.row_indices(features.stems.spellings)[words.keys]
    used = FeatureTable.build(
        [("idf", background.idf[rows]), ("summary rate", background.rates[rows])]
    )
    return FeatureTable.build(term_features(words, features, 1)) | used


def likely_pairs(features: Features, words: Terms, word_probs: Floats) -> Terms:
    """Returns the pairs of neighbouring words of which both are likely [W] in a summary."""
    likely = np.zeros(features.stems.num_words, bool)
    likely[words.keys[word_probs >= MIN_WORD_PROB]] = True
    return Terms.from_tokens(features.stems, 2, likely)


def pair_table(pairs: Terms, features: Features, words: Terms, word_probs: Floats) -> FeatureTable:
    """Returns the features of pairs [P], given the probabilities of words [W]."""
    table = FeatureTable.build(term_features(pairs, features, 2))
    return table | FeatureTable.build(pair_features(pairs, words, word_probs))


def sentence_table(
    features: Features,
    words: Terms,
    word_probs: Floats,
    pairs: Terms,
    pair_probs: Floats,
    background: Background,
) -> FeatureTable:
    """Returns the features of candidates [E], given the probabilities of words and pairs."""
    rows = background.row_indices(features.stems.spellings)[words.keys]
    idf = background.idf[rows].astype(np.float64)
    salience = salience_features(words, word_probs, pairs, pair_probs, idf)
    return features.table | FeatureTable.build(salience)


def sigmoid(odds: Floats) -> Floats:
    """Turns log-odds into probabilities."""
    probs: Floats = 1 / (1 + np.exp(-odds))
    return probs

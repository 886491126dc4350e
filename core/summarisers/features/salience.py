"""Salience of candidates: the words and pairs in them that the ranker expects in a summary.

Letters: E candidates, W words, P pairs.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.summarisers.features.table import percentile_ranks
from core.summarisers.features.terms import Terms

Floats = NDArray[np.float64]

_RANKED = ("words: sum", "words: mean", "words: F", "pairs: sum", "pairs: mean", "both: F")


def salience_features(
    words: Terms, word_probs: Floats, pairs: Terms, pair_probs: Floats, idf: Floats
) -> Iterator[tuple[str, Floats]]:
    """Sums up the expected words and pairs of candidates.

    Args:
        words: The words of the candidates.
        word_probs: [W] probability of each in a summary.
        pairs: Their pairs of neighbouring words.
        pair_probs: [P] probability of each in a summary.
        idf: [W] inverse document frequency of each word in the training documents.

    Yields:
        A name and [E] numbers.
    """
    columns: dict[str, Floats] = {}
    for name, terms, values in (("words", words, word_probs), ("pairs", pairs, pair_probs)):
        columns |= {f"{name}: {key}": column for key, column in _sums(terms, values)}
    columns["both: F"] = columns["words: F"] + columns["pairs: F"]
    number = np.maximum(1, np.diff(words.starts))
    columns["mean idf"] = words.sum_by_candidate(idf) / number
    columns |= {f"rank: {name}": percentile_ranks(columns[name]) for name in _RANKED}
    for name in ("words: mean", "both: F"):
        columns[f"{name}, previous"] = np.append(0.0, columns[name])[:-1]
        columns[f"{name}, next"] = np.append(columns[name], 0.0)[1:]
    for name, column in columns.items():
        yield f"expected {name}", column


def _sums(terms: Terms, values: Floats) -> Iterator[tuple[str, Floats]]:
    sums = terms.sum_by_candidate(values)
    number = np.diff(terms.starts)
    yield "sum", sums
    yield "mean", sums / np.maximum(1, number)
    # As in ROUGE: what a candidate shares with an expected summary, to the lengths of both.
    yield "F", 2 * sums / np.maximum(1e-9, number + values.sum())
    maxima = np.zeros(len(number))
    np.maximum.at(maxima, terms.rows, values[terms.numbers])
    yield "maximum", maxima

"""What is seen of a candidate when words and pairs are known to be more or less expected.

Letters: E candidates, W words, P pairs.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.summarisers.features.centrality import ranks
from core.summarisers.features.terms import Terms

Floats = NDArray[np.float64]

_RANKED = ("words: sum", "words: mean", "words: F", "pairs: sum", "pairs: mean", "both: F")


def expected_signals(
    words: Terms, word_values: Floats, pairs: Terms, pair_values: Floats, rarity: Floats
) -> Iterator[tuple[str, Floats]]:
    """The signals of expected words and pairs, by name.

    Args:
        words: The words of the candidates.
        word_values: [W] how probable each is in a summary, between 0 and 1.
        pairs: The pairs of neighbouring words.
        pair_values: [P] the same for them.
        rarity: [W] how rare each word is in other documents.

    Yields:
        A name and [E] numbers.
    """
    columns: dict[str, Floats] = {}
    for name, terms, values in (("words", words, word_values), ("pairs", pairs, pair_values)):
        columns |= {f"{name}: {key}": column for key, column in _held(terms, values)}
    columns["both: F"] = columns["words: F"] + columns["pairs: F"]
    number = np.maximum(1, np.diff(words.starts))
    columns["mean rarity"] = words.held(rarity) / number
    columns |= {f"rank: {name}": ranks(columns[name]) for name in _RANKED}
    for name in ("words: mean", "both: F"):
        columns[f"{name} of the one before"] = np.append(0.0, columns[name])[:-1]
        columns[f"{name} of the next"] = np.append(columns[name], 0.0)[1:]
    for name, column in columns.items():
        yield f"expected {name}", column


def _held(terms: Terms, values: Floats) -> Iterator[tuple[str, Floats]]:
    sums = terms.held(values)
    number = np.diff(terms.starts)
    yield "sum", sums
    yield "mean", sums / np.maximum(1, number)
    # As in ROUGE: what both have, to what both have together.
    yield "F", 2 * sums / np.maximum(1e-9, number + values.sum())
    greatest = np.zeros(len(number))
    np.maximum.at(greatest, terms.rows, values[terms.numbers])
    yield "greatest", greatest

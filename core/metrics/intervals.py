"""How sure a mean is: intervals by the bootstrap, and two systems on the same documents.

Documents are drawn anew, with repetition, as many as there are; what the score would have been of
each such draw says how far chance moves it. The same seed draws the same documents, so the scores
of two systems are compared draw by draw.

Source: Efron and Tibshirani (1993); Koehn (2004) for the paired form.

Letters: N documents, R draws, M measures.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.numbers import format_count

NUM_DRAWS = 1_000
LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """Where a score lies.

    Args:
        value: The score of all documents.
        low: It is above this in all but 2.5 % of the draws.
        high: It is below this in all but 2.5 % of the draws.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference(Interval):
    """By how much one system's score is above another's on the same documents.

    Args:
        share_above: Share of the draws in which it is above.
    """

    share_above: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval lies on one side of 0."""
        return self.low > 0 or self.high < 0


def draws(num_documents: int, seed: int = 0) -> Iterator[NDArray[np.int64]]:
    """Draws the documents anew, `NUM_DRAWS` times.

    Args:
        num_documents: How many there are, and how many are drawn each time.
        seed: The same seed draws the same.

    Yields:
        [N] how often each document was drawn.
    """
    chance = np.random.Generator(np.random.PCG64(seed))
    for _ in range(NUM_DRAWS):
        drawn = chance.integers(num_documents, size=num_documents)
        yield np.bincount(drawn, minlength=num_documents)


def interval(value: float, drawn: NDArray[np.float64]) -> Interval:
    """The interval of a score.

    Args:
        value: The score of all documents.
        drawn: [R] the score in each draw.

    Returns:
        The score between the percentiles of the draws.
    """
    low, high = np.quantile(drawn, _tails())
    return Interval(float(value), float(low), float(high))


def difference(value: float, drawn: NDArray[np.float64]) -> Difference:
    """The interval of a difference.

    Args:
        value: The difference over all documents.
        drawn: [R] the difference in each draw.

    Returns:
        It, and the share of the draws in which it is above 0.
    """
    around = interval(value, drawn)
    share = float(np.mean(drawn > 0))
    return Difference(around.value, around.low, around.high, share)


def bootstrap(values: ArrayLike, seed: int = 0) -> Interval:
    """The mean of a measure, with its interval.

    Args:
        values: [N] the measure for each document; at least one.
        seed: Of the draws.

    Returns:
        The mean between its percentiles.
    """
    column = np.asarray(values, np.float64)
    return interval(float(column.mean()), _drawn_means(column, seed))


def paired_bootstrap(first: ArrayLike, second: ArrayLike, seed: int = 0) -> Difference:
    """By how much the second system's mean is above the first's.

    Args:
        first: [N] a measure of the first system for each document; at least one.
        second: [N] the same of the second, on the same documents in the same order.
        seed: Of the draws.

    Returns:
        The difference of the means, with its interval.
    """
    column = np.asarray(second, np.float64) - np.asarray(first, np.float64)
    return difference(float(column.mean()), _drawn_means(column, seed))


def recipe(num_documents: int, seed: int = 0) -> str:
    """How intervals are made, to stand beside them."""
    return (
        f"{LEVEL:.0%} percentile intervals of {format_count(NUM_DRAWS)} bootstrap draws of "
        f"{format_count(num_documents)} document{'' if num_documents == 1 else 's'}, seed {seed}"
    )


def _drawn_means(column: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    return np.array([weights @ column for weights in draws(len(column), seed)]) / len(column)


def _tails() -> list[float]:
    return [(1 - LEVEL) / 2, (1 + LEVEL) / 2]

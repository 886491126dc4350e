"""Bootstrap confidence intervals of a score, and of the difference of two systems.

Documents are resampled with replacement; the distribution of the score over these samples gives its
interval. The same seed gives the same samples, so two systems are compared sample by sample (paired
bootstrap).

Source: Efron and Tibshirani (1993); Koehn (2004) for the paired form.

Letters: N documents, R samples, M metrics.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.numbers import format_count, format_quantity, format_share

NUM_DRAWS = 1_000
LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A score with its confidence interval.

    Args:
        value: The score of all documents.
        low: The 2.5th percentile of the samples.
        high: The 97.5th percentile of the samples.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference(Interval):
    """The difference of two systems' scores on the same documents.

    Args:
        share_above: Share of the samples in which it is above 0.
    """

    share_above: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0


def draws(num_documents: int, seed: int = 0) -> Iterator[NDArray[np.int64]]:
    """Resamples the documents `NUM_DRAWS` times.

    Args:
        num_documents: The number of documents, and of draws in each sample.
        seed: Random seed.

    Yields:
        [N] how often each document is in the sample.
    """
    chance = np.random.Generator(np.random.PCG64(seed))
    for _ in range(NUM_DRAWS):
        drawn = chance.integers(num_documents, size=num_documents)
        yield np.bincount(drawn, minlength=num_documents)


def interval(value: float, drawn: NDArray[np.float64]) -> Interval:
    """The interval of a score.

    Args:
        value: The score of all documents.
        drawn: [R] the score of each sample.

    Returns:
        The score with the percentiles of the samples.
    """
    low, high = np.quantile(drawn, _tails())
    return Interval(float(value), float(low), float(high))


def difference(value: float, drawn: NDArray[np.float64]) -> Difference:
    """The interval of a difference.

    Args:
        value: The difference over all documents.
        drawn: [R] the difference in each sample.

    Returns:
        The difference, and the share of samples in which it is above 0.
    """
    around = interval(value, drawn)
    share = float(np.mean(drawn > 0))
    return Difference(around.value, around.low, around.high, share)


def bootstrap(values: ArrayLike, seed: int = 0) -> Interval:
    """The mean of a metric, with its interval.

    Args:
        values: [N] the metric for each document; at least one.
        seed: Random seed.

    Returns:
        The mean with its interval.
    """
    column = np.asarray(values, np.float64)
    return interval(float(column.mean()), _drawn_means(column, seed))


def paired_bootstrap(first: ArrayLike, second: ArrayLike, seed: int = 0) -> Difference:
    """The difference of two systems' means, second minus first.

    Args:
        first: [N] a metric of the first system for each document; at least one.
        second: [N] the same of the second, on the same documents in the same order.
        seed: Random seed.

    Returns:
        The difference of the means, with its interval.
    """
    column = np.asarray(second, np.float64) - np.asarray(first, np.float64)
    return difference(float(column.mean()), _drawn_means(column, seed))


def recipe(num_documents: int, seed: int = 0) -> str:
    """How intervals are computed, to be reported with them."""
    return (
        f"{format_share(LEVEL, 1)} percentile intervals of {format_count(NUM_DRAWS)} bootstrap "
        f"samples of {format_quantity(num_documents, 'document')}, seed {seed}"
    )


def _drawn_means(column: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    return np.array([weights @ column for weights in draws(len(column), seed)]) / len(column)


def _tails() -> list[float]:
    return [(1 - LEVEL) / 2, (1 + LEVEL) / 2]

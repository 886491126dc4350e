"""Bootstrap confidence intervals of a score, and of the difference of two systems.

Documents are resampled with replacement; the distribution of the score over these samples gives its
interval. The same seed gives the same samples, so two systems are compared sample by sample (paired
bootstrap).

Plain percentiles of few documents are too narrow: those of ten leave out the true mean in 11 % of
cases, not in 5 %. Below `FEW_DOCUMENTS`, wider percentiles are taken, as wide as Student's t.

Source: Efron and Tibshirani (1993); Koehn (2004) for the paired form; Hesterberg (2015), What
teachers should know about the bootstrap, section 5.3, for the expanded percentiles.

Letters: N documents, R samples, M metrics.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.numbers import format_count, format_quantity, format_share

NUM_DRAWS = 1_000
LEVEL = 0.95
FEW_DOCUMENTS = 50
"""From so many documents on, plain percentiles are as good as expanded ones."""


@dataclass(frozen=True)
class Interval:
    """A score with its confidence interval.

    Args:
        value: The score of all documents.
        low: The low end; None for one document, which says nothing about others.
        high: The high end.
    """

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Difference(Interval):
    """The difference of two systems' scores on the same documents.

    Args:
        share_above: Share of the samples in which it is above 0.
    """

    share_above: float


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


def interval(value: float, drawn: NDArray[np.float64], num_documents: int) -> Interval:
    """The interval of a score.

    Args:
        value: The score of all documents.
        drawn: [R] the score of each sample.
        num_documents: N.

    Returns:
        The score with percentiles of the samples.
    """
    if num_documents < 2:
        return Interval(float(value), None, None)
    tail = _tail(num_documents)
    low, high = np.quantile(drawn, (tail, 1 - tail))
    return Interval(float(value), float(low), float(high))


def difference(value: float, drawn: NDArray[np.float64], num_documents: int) -> Difference:
    """The interval of a difference.

    Args:
        value: The difference over all documents.
        drawn: [R] the difference in each sample.
        num_documents: N.

    Returns:
        The difference, and the share of samples in which it is above 0.
    """
    around = interval(value, drawn, num_documents)
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
    return interval(float(column.mean()), _drawn_means(column, seed), len(column))


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
    return difference(float(column.mean()), _drawn_means(column, seed), len(column))


def recipe(num_documents: int, seed: int = 0) -> str:
    """How intervals are computed, to be reported with them."""
    if num_documents < 2:
        return "none: one document says nothing about others"
    kind = "expanded percentile" if num_documents < FEW_DOCUMENTS else "percentile"
    return (
        f"{format_share(LEVEL, 1)} {kind} intervals of {format_count(NUM_DRAWS)} bootstrap "
        f"samples of {format_quantity(num_documents, 'document')}, seed {seed}"
    )


def _drawn_means(column: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    return np.array([weights @ column for weights in draws(len(column), seed)]) / len(column)


@cache
def _tail(num_documents: int) -> float:
    """The share of the samples below an interval, which is that above it."""
    if num_documents >= FEW_DOCUMENTS:
        return (1 - LEVEL) / 2
    freedom = num_documents - 1
    # The standard error of a sample divides by N, that of an estimate by N − 1.
    return NormalDist().cdf(-student_quantile(freedom) * math.sqrt(num_documents / freedom))


def student_quantile(freedom: int) -> float:
    """The value that Student's t exceeds on neither side with probability `LEVEL`.

    Args:
        freedom: Degrees of freedom, at least 1.

    Returns:
        The value, to ten digits.
    """
    low, high = 0.0, 100.0  # of one degree, which has the longest tails: 12.7
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _student_share(middle, freedom) < LEVEL else (low, middle)
    return high


def _student_share(t: float, freedom: int) -> float:
    """P(|T| < t); Abramowitz and Stegun (1964), 26.7.3 and 26.7.4."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, square = math.sin(angle), math.cos(angle) ** 2
    is_odd = freedom % 2 == 1
    total, term = (angle, sine * math.cos(angle)) if is_odd else (0.0, sine)
    for k in range(3 if is_odd else 2, freedom + 1, 2):
        total += term
        term *= square * (k - 1) / k
    return total * 2 / math.pi if is_odd else total

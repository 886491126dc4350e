"""Scores of whole systems, with intervals, and against each other.

Letters: N documents, R draws.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evaluation.scores import Measure, Scores
from core.metrics.intervals import Difference, difference, interval

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """What a system scores.

    Args:
        measure: What was measured.
        value: The score of all documents.
        low: The low end of its interval; None where none was asked for.
        high: The high end.
    """

    measure: Measure
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Extreme:
    """The document in which two systems differ most.

    Args:
        document: What it is called.
        by: By how much the one system's score is above the other's.
    """

    document: str
    by: float


@dataclass(frozen=True)
class Against:
    """A system's score less the first system's, on the same documents.

    Args:
        measure: What was measured.
        difference: The difference, with its interval.
        most_won: The document in which it is highest; None for what only all have (BLEU).
        most_lost: The document in which it is lowest.
    """

    measure: Measure
    difference: Difference
    most_won: Extreme | None = None
    most_lost: Extreme | None = None


@dataclass(frozen=True)
class Comparison:
    """Several systems on the same documents.

    Args:
        tables: For each system, its scores with their intervals.
        differences: For each but the first, how it stands against the first.
    """

    tables: tuple[tuple[Score, ...], ...]
    differences: tuple[tuple[Against, ...], ...]


def table_of(scores: Scores, drawn: Floats | None = None) -> tuple[Score, ...]:
    """The scores of a system over all its documents.

    Args:
        scores: Of each document.
        drawn: What `Scores.drawn` gave, for intervals; None for no intervals.

    Returns:
        One for each measure.
    """
    values = zip(scores.all_measures, scores.of_all.tolist(), strict=True)
    if drawn is None:
        return tuple(Score(measure, value) for measure, value in values)
    found = (
        (measure, interval(value, column, len(scores.values)))
        for (measure, value), column in zip(values, drawn.T, strict=True)
    )
    return tuple(Score(measure, one.value, one.low, one.high) for measure, one in found)


def compare(systems: Sequence[Scores], ids: Sequence[str], seed: int) -> Comparison:
    """Puts systems beside each other.

    Args:
        systems: At least one, all scored on the same documents in the same way.
        ids: [N] what the documents are called.
        seed: Of the draws, which are the same for all systems.

    Returns:
        Their scores, and the differences of each to the first.
    """
    drawn = [scores.drawn(seed) for scores in systems]
    tables = tuple(map(table_of, systems, drawn))
    others = zip(systems[1:], drawn[1:], strict=True)
    return Comparison(
        tables,
        tuple(
            tuple(_against(systems[0], other, columns - drawn[0], ids)) for other, columns in others
        ),
    )


def _against(first: Scores, other: Scores, drawn: Floats, ids: Sequence[str]) -> Iterator[Against]:
    by_document = other.values - first.values
    values = (other.of_all - first.of_all).tolist()
    for index, (measure, value) in enumerate(zip(other.all_measures, values, strict=True)):
        found = difference(value, drawn[:, index], len(by_document))
        if index < by_document.shape[1]:
            yield Against(measure, found, *_extremes(by_document[:, index], ids))
        else:
            yield Against(measure, found)


def _extremes(by: Floats, ids: Sequence[str]) -> tuple[Extreme, Extreme]:
    most, least = int(np.argmax(by)), int(np.argmin(by))
    return Extreme(ids[most], float(by[most])), Extreme(ids[least], float(by[least]))

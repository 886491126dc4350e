"""Histories of runs with any number of steps, made without training."""

from collections.abc import Iterator

import numpy as np

from core.jobs.runs.run_history import COLUMNS, RunNews
from core.runs.follower import Followed
from core.training.events import ValidationDone

_WHEN = "2026-11-22T10:00:00+00:00"


def long_news(steps: int, piece: int, first: int = 1) -> Iterator[RunNews]:
    """News of noisy steps, each piece with one validation at its end.

    Args:
        steps: How many in all.
        piece: Steps of each piece.
        first: Number of the first one.

    Yields:
        The pieces in order.
    """
    draw = np.random.default_rng(0)
    for start in range(first, first + steps, piece):
        end = min(start + piece, first + steps)
        rows = np.zeros((end - start, len(COLUMNS)))
        column = {name: rows[:, at] for at, name in enumerate(COLUMNS)}
        at = np.arange(start, end)
        column["number"][:], column["step"][:] = at, at
        column["loss"][:] = 2 + 600 / (at + 300) + draw.normal(0, 0.3, len(at))
        column["gradient_norm"][:] = draw.gamma(2, 0.5, len(at))
        column["learning_rate"][:] = 2e-3 * np.minimum(at / 2000, (2000 / at) ** 0.5)
        column["tokens"][:], column["seconds"][:] = 4300, draw.gamma(4, 0.1, len(at))
        column["peak_mib"][:] = 1800
        found = ValidationDone(end - 1, 2.0, 9000, {"1": 0.3}, True, 6.0)
        yield RunNews(rows, (Followed(end - 1, _WHEN, found),), None, 0, True)

"""From which length hashing is faster than full attention."""

import math

import pytest

from core.profiling.crossing import Crossing, crossings
from core.profiling.events import PointMeasured
from core.profiling.sweep import FULL
from tests.helpers.measurements import done, failed, sweep

LENGTHS = (1024, 2048, 4096, 8192)


def measured(own_s: list[float | None], full_s: list[float | None]) -> list[PointMeasured]:
    """Pairs of times by length; None for a point that failed."""
    points = sweep(f"length={','.join(map(str, LENGTHS))}", against_full=True)
    times = [time for pair in zip(own_s, full_s, strict=True) for time in pair]
    return [
        failed(point) if time is None else done(point, step_s=time)
        for point, time in zip(points, times, strict=True)
    ]


@pytest.mark.parametrize(
    ("own_s", "full_s", "pays_from", "told"),
    [
        ([2, 2, 2, 2], [1, 1, 4, 9], math.sqrt(2048 * 4096), "from about 2\u202f900 tokens."),
        ([1, 1, 1, 1], [2, 2, 2, 2], 1024, "at all measured lengths, from 1\u202f024 tokens."),
        ([2, 2, 2, 2], [1, 1, 1, 1], None, "Hashing is not faster here up to 8\u202f192 tokens."),
        ([1, 2, 1, 1], [2, 1, 4, 4], 2048 * 2 ** (1 / 3), "from about 2\u202f600 tokens."),
        ([2, 2, 2, 2], [1, 1, 1, None], 8192, "from about 8\u202f200 tokens."),
        ([2, 2, 2, None], [1, 1, 1, None], None, "is not faster here up to 4\u202f096 tokens."),
    ],
)
def test_the_crossing_is_found_between_the_lengths(
    own_s: list[float | None],
    full_s: list[float | None],
    pays_from: float | None,
    told: str,
) -> None:
    (crossing,) = crossings(measured(own_s, full_s))
    assert crossing.pays_from == (pays_from and pytest.approx(pays_from))
    assert crossing.told().endswith(told)


def test_each_combination_of_the_rest_has_its_own() -> None:
    full_s = {2: 0.5, 4: 1.5}
    rows = [
        done(p, step_s=full_s[p.model.depth] if p.model.attention == FULL else 1.0)
        for p in sweep("length=1024,2048", "depth=2,4", against_full=True)
    ]
    assert crossings(rows) == [
        Crossing({"depth": 2}, 1024, 2048, None),
        Crossing({"depth": 4}, 1024, 2048, 1024),
    ]
    assert crossings(rows)[0].told().endswith("up to 2\u202f048 tokens, depth 2.")


def test_nothing_that_ran_is_no_crossing() -> None:
    assert crossings(measured([None] * 4, [1.0] * 4)) == []


def test_a_length_at_which_full_attention_was_not_tried_says_nothing() -> None:
    rows = measured([1.0, 2.0, 4.0, 8.0], [1.2, 4.0, 8.0, 16.0])
    (crossing,) = crossings(rows[:-1])
    assert (crossing.longest, crossing.pays_from) == (4096, 1024)
    assert crossings(rows[:1]) == []

"""Numbers grow without being lost, and no append copies many of those there are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.storage.growable_array import Growing

PIECES = st.lists(st.floats(allow_nan=False), max_size=400)
ACTS = st.lists(PIECES | st.integers(0, 1500), max_size=12)


@given(ACTS)
def test_numbers_are_those_that_were_appended_and_kept(acts: list[list[float] | int]) -> None:
    growing, slow = Growing(), list[float]()
    for act in acts:
        if isinstance(act, int):
            growing.keep(act)
            slow = slow[:act]
        else:
            growing.append(act)
            slow += act
        assert growing.values.tolist() == slow
    assert len(growing) == len(slow)


def test_small_appends_never_copy_all(monkeypatch: pytest.MonkeyPatch) -> None:
    growing, left = Growing(), []
    grow = growing._grow

    def seen(needed: int) -> None:
        left.append(len(growing) - growing._copied)
        grow(needed)

    monkeypatch.setattr(growing, "_grow", seen)
    for start in range(0, 300_000, 3):
        growing.append(np.arange(start, start + 3))
    assert growing.values.tolist() == list(range(300_000))
    assert len(left) > 8 and max(left) <= 256


def test_the_numbers_are_not_to_be_written() -> None:
    growing = Growing()
    growing.append(1.0)
    with pytest.raises(ValueError, match="read-only"):
        growing.values[0] = 1

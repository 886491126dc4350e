"""What is read stays in its place while heights are put right."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gui.widgets.reading.flow import Flow

HEIGHTS = st.lists(st.tuples(st.integers(1, 300), st.integers(1, 300)), min_size=1, max_size=60)
SCREEN = 400


def flow_of(heights: list[tuple[int, int]]) -> Flow:
    guesses = np.array([guess for guess, _ in heights], np.int32)
    return Flow(guesses, lambda item: heights[item][1], before=24, after=40)


@given(HEIGHTS, st.lists(st.integers(-350, 350), max_size=20))
def test_small_steps_move_what_is_on_screen_by_exactly_that(
    heights: list[tuple[int, int]], steps: list[int]
) -> None:
    flow = flow_of(heights)
    shown = dict(flow.fill(SCREEN))
    for step in steps:
        flow.move(step)
        after = dict(flow.fill(SCREEN))
        moved = {shown[item] - after[item] for item in shown.keys() & after.keys()}
        assert len(moved) <= 1  # all together
        if moved and moved != {step}:  # unless an end of the column was reached
            assert flow.value == 0 or 0 in after or len(heights) - 1 in after
        shown = after


@given(HEIGHTS, st.integers(0, 20_000))
def test_items_on_screen_touch_and_fill_it(heights: list[tuple[int, int]], value: int) -> None:
    flow = flow_of(heights)
    flow.jump(value)
    shown = flow.fill(SCREEN)
    for (item, top), (following, next_top) in pairwise(shown):
        assert following == item + 1
        assert next_top == top + heights[item][1]
    first_item, first_top = shown[0]
    last_item, last_top = shown[-1]
    bottom = last_top + heights[last_item][1]
    assert first_top <= 0 or (first_item == 0 and first_top <= 24)
    assert bottom >= SCREEN or last_item == len(heights) - 1
    assert flow.value >= 0


@given(HEIGHTS)
def test_the_end_is_reached_and_not_passed(heights: list[tuple[int, int]]) -> None:
    flow = flow_of(heights)
    for _ in range(200):
        flow.move(SCREEN)
        shown = flow.fill(SCREEN)
    last, top = shown[-1]
    bottom = top + heights[last][1]
    assert last == len(heights) - 1
    assert bottom == SCREEN - 40 or (flow.value == 0 and bottom < SCREEN - 40)
    assert flow.total == 24 + sum(true for _, true in heights) + 40 or flow.num_measured < len(
        heights
    )


def test_a_jump_measures_only_what_is_seen() -> None:
    flow = flow_of([(60, 54)] * 50_000)
    flow.jump(flow.total // 2)
    assert len(flow.fill(SCREEN)) == flow.num_measured <= 10


def test_nothing_is_shown_of_nothing() -> None:
    flow = Flow(np.zeros(0, np.int32), lambda item: 1)
    flow.jump(10)
    assert flow.fill(SCREEN) == []
    assert flow.total == 0

"""Rows beside each other: whole, marked where they are padded, at a place of their own draw."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.data.batches import LabelledTokens
from core.data.batches import collate as collate_with
from core.errors import EpitomeError
from core.models.batch import NO_LOSS, Batch, PairBatch

PAD = 5
collate = partial(collate_with, pad=PAD)
SIZES = st.lists(st.integers(1, 12), min_size=1, max_size=6)


def rows_of(sizes: list[int]) -> list[LabelledTokens]:
    """Rows of different tokens, their labels one more."""
    starts = np.cumsum([10, *sizes])
    return [
        (np.arange(start, start + size), np.arange(start, start + size) + 1)
        for start, size in zip(starts, sizes, strict=False)
    ]


def check_whole(batch: Batch, rows: list[LabelledTokens]) -> None:
    assert batch.labels is not None
    present = torch.ones_like(batch.tokens, dtype=torch.bool)
    present = present if batch.present is None else batch.present
    for row, (tokens, labels) in enumerate(rows):
        assert batch.tokens[row, present[row]].tolist() == tokens.tolist()
        assert batch.labels[row, present[row]].tolist() == labels.tolist()
        places = present[row].nonzero()[:, 0]
        assert places.tolist() == list(range(int(places[0]), int(places[0]) + len(tokens)))
    assert bool((batch.tokens[~present] == PAD).all())
    assert bool((batch.labels[~present] == NO_LOSS).all())


@given(SIZES, st.integers(12, 20), st.integers(0, 3), st.integers(0, 9))
def test_a_fixed_length_pads_on_both_sides(
    sizes: list[int], length: int, seed: int, step: int
) -> None:
    rows = rows_of(sizes)
    batch = collate(rows, length=length, model_length=32, places="random", seed=seed, step=step)
    assert batch.tokens.shape == (len(rows), length)
    assert batch.positions is None
    check_whole(batch, rows)


@given(SIZES, st.integers(12, 20), st.integers(0, 9))
def test_without_one_positions_are_moved_instead(
    sizes: list[int], model_length: int, step: int
) -> None:
    rows = rows_of(sizes)
    batch = collate(rows, length=None, model_length=model_length, places="random", step=step)
    assert batch.tokens.shape == (len(rows), max(sizes))
    check_whole(batch, rows)
    if batch.positions is not None:
        assert batch.positions.max() < model_length
        for row, size in zip(batch.positions, sizes, strict=True):
            first = int(row[0])
            assert row[:size].tolist() == list(range(first, first + size))


@pytest.mark.parametrize("length", [None, 16])
def test_every_place_is_drawn(length: int | None) -> None:
    rows = rows_of([13])
    found = [
        collate(rows, length=length, model_length=16, places="random", step=step)
        for step in range(60)
    ]
    if length is None:
        firsts = {0 if b.positions is None else int(b.positions[0, 0]) for b in found}
    else:
        firsts = {int(b.present[0].nonzero()[0]) for b in found if b.present is not None}
    assert firsts == {0, 1, 2, 3}


def test_a_rows_place_depends_on_its_number_and_not_on_its_neighbours() -> None:
    rows = rows_of([3, 4, 5, 6])
    whole = collate(rows, length=20, model_length=20, places="random", seed=5, step=9)
    half = collate(
        rows[2:], length=20, model_length=20, places="random", seed=5, step=9, numbers=(2, 3)
    )
    assert torch.equal(whole.tokens[2:], half.tokens)
    other = collate(rows, length=20, model_length=20, places="random", seed=6, step=9)
    assert not torch.equal(whole.tokens, other.tokens)


def test_rows_of_one_step_draw_each_their_own() -> None:
    rows = rows_of([4] * 8)
    batch = collate(rows, length=40, model_length=40, places="random")
    assert batch.present is not None
    assert len({int(row.nonzero()[0]) for row in batch.present}) > 3


@pytest.mark.parametrize("length", [None, 16])
def test_left_means_position_0(length: int | None) -> None:
    rows = rows_of([3, 7])
    batch = collate(rows, length=length, model_length=16, places="left")
    assert batch.tokens[:, 0].tolist() == [rows[0][0][0], rows[1][0][0]]
    assert batch.positions is None
    check_whole(batch, rows)


def test_rows_that_fill_the_batch_are_not_masked() -> None:
    batch = collate(rows_of([4, 4]), length=None, model_length=4, places="random")
    assert batch.present is None and batch.positions is None


def test_a_row_that_is_too_long_is_told() -> None:
    with pytest.raises(EpitomeError, match=r"A row of 9 tokens does not fit into 8\. Fit the rows"):
        collate(rows_of([9]), length=8, model_length=16, places="left")
    with pytest.raises(EpitomeError, match=r"A row of 9 tokens does not fit into 8\."):
        collate(rows_of([9]), length=None, model_length=8, places="left")


def test_positions_restart_and_the_summary_begins_behind_the_token_that_divides() -> None:
    rows = [(np.array([7, 2, 8, 9]), np.full(4, NO_LOSS)), (np.array([7, 7]), np.full(2, NO_LOSS))]
    batch = collate(rows, length=None, model_length=9, places="left", divider=2)
    assert batch.segments is not None
    assert batch.segments.tolist() == [[0, 0, 1, 1], [0, 0, 0, 0]]
    assert batch.positions is not None
    assert batch.positions.tolist() == [[0, 1, 0, 1], [0, 1, 2, 3]]
    assert collate(rows, length=None, model_length=9, places="left").segments is None


def test_a_batch_moves_itself_with_all_its_parts() -> None:
    rows = [(np.array([7, 2, 8, 9]), np.full(4, 3)), (np.array([7, 7]), np.full(2, 3))]
    row = collate(rows, length=None, model_length=9, places="random", divider=2)
    for batch in (row, Batch(row.tokens), Batch(row.tokens, positions=row.tokens)):
        moved = batch.to(torch.device("meta"))
        for name, part in vars(batch).items():
            there = getattr(moved, name)
            assert (there is None) == (part is None), name
            assert there is None or (there.is_meta and there.shape == part.shape), name
    pair = PairBatch(Batch(row.tokens), row).to(torch.device("meta"))
    assert pair.source.tokens.is_meta and pair.target.labels is not None
    assert pair.target.labels.is_meta

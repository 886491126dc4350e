"""Position vectors name every place of any length."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.models.parts.positions import AxialPositions, LearnedPositions, axial_shape
from tests.helpers import reformer_twin as twin


@given(st.integers(1, 200_000), st.one_of(st.none(), st.integers(1, 500)))
def test_an_axial_shape_holds_the_length_and_little_more(length, rows):
    first, second = axial_shape(length, rows)
    assert first * second >= length > first * (second - 1)
    if rows is None:
        assert abs(first - second) <= 2
    else:
        assert first == rows


def test_the_papers_shape():
    assert axial_shape(24_576, 96) == (96, 256)
    assert axial_shape(4096) == (64, 64)


@pytest.mark.parametrize("rows", [None, 1, 3, 40])
@pytest.mark.parametrize(("length", "width"), [(1, 4), (2, 4), (12, 6), (29, 7), (30, 2)])
def test_axial_positions_are_their_twin(length, width, rows):
    positions = AxialPositions(length, width, rows).double()
    with torch.no_grad():
        for table in positions.parameters():
            table.normal_(generator=torch.Generator().manual_seed(0))
    places = torch.arange(length).flip(0).expand(2, -1)
    found = positions(places)
    wanted = [twin.axial_position(int(p), positions.first, positions.second) for p in places[0]]
    assert found.shape == (2, length, width)
    assert found[0].equal(torch.stack(wanted))
    assert len({tuple(row.tolist()) for row in found[0]}) == length


def test_learned_positions_are_a_row_for_each_place():
    positions = LearnedPositions(7, 4)
    with torch.no_grad():
        positions.table.normal_(generator=torch.Generator().manual_seed(0))
    places = torch.tensor([[6, 0, 3]])
    assert positions(places)[0].equal(positions.table[places[0]])

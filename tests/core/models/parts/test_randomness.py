"""Dropout leaves out the right share, of each row and layer on its own, and the same again."""

import pytest
import torch

from core.models.parts.randomness import Randomness, generator
from core.models.parts.randomness import dropped as dropped_at

ROW = (1, 200, 300)
COUNT = 200 * 300


def dropped(x, share, randomness, *what):
    """x, all its positions, with what is drawn left out."""
    return dropped_at(x, slice(0, x.shape[1]), share, randomness, *what)


def mask(share, run=0, step=0, row=0, what=(0, "feed-forward")):
    """[COUNT] bool: what is kept of a row."""
    randomness = Randomness(run, step, (row,))
    return dropped(torch.ones(ROW), share, randomness, *what).flatten() != 0


@pytest.mark.parametrize("share", [0.01, 0.1, 0.25, 0.5, 0.9, 0.99])
def test_the_right_share_is_left_out_and_the_rest_scaled_up(share):
    x = torch.randn(3, 200, 300, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    result = dropped(x, share, Randomness(0, 0, (0, 1, 2)), 4, "attention")
    for row, source in zip(result, x, strict=True):
        kept = row != 0
        torch.testing.assert_close(row[kept], source[kept] / (1 - round(share * 65_536) / 65_536))
        deviation = (share * (1 - share) / COUNT) ** 0.5
        assert (~kept).double().mean().item() == pytest.approx(share, abs=4.5 * deviation)


@pytest.mark.parametrize(
    "other",
    [
        {"run": 1},
        {"step": 1},
        {"row": 1},
        {"what": (1, "feed-forward")},
        {"what": (0, "attention")},
    ],
    ids=["run", "step", "row", "layer", "purpose"],
)
def test_masks_of_other_runs_steps_rows_layers_and_purposes_are_independent(other):
    share = 0.3
    one, two = mask(share), mask(share, **other)
    wanted = (1 - share) ** 2
    deviation = (wanted * (1 - wanted) / COUNT) ** 0.5
    assert (one & two).double().mean().item() == pytest.approx(wanted, abs=4.5 * deviation)


@pytest.mark.parametrize("apart", [1, 2, 3, 4, 5, 300])
def test_neighbours_are_left_out_independently(apart):
    """Several decisions are made from one draw."""
    share = 0.4
    kept = mask(share)
    pairs = (kept[apart:] & kept[:-apart]).double()
    wanted = (1 - share) ** 2
    deviation = (3 * wanted * (1 - wanted) / len(pairs)) ** 0.5
    assert pairs.mean().item() == pytest.approx(wanted, abs=4.5 * deviation)


def test_each_place_in_a_draw_has_the_share():
    share = 0.2
    lanes = mask(share).view(-1, 4).double().mean(0)
    deviation = (share * (1 - share) / (COUNT / 4)) ** 0.5
    assert ((lanes - 0.8).abs() < 4.5 * deviation).all()


def test_a_row_is_the_same_in_any_batch():
    x = torch.randn(3, 5, 7, generator=torch.Generator().manual_seed(0))
    together = dropped(x, 0.5, Randomness(1, 2, (8, 3, 5)), 0)
    for number, row in enumerate((8, 3, 5)):
        alone = dropped(x[number, None], 0.5, Randomness(1, 2, (row,)), 0)
        assert alone.equal(together[number, None])
        assert dropped(x[number, None], 0.5, Randomness(1, 2, (row,)), 0).equal(alone)


def test_the_gradient_goes_where_the_values_went():
    x = torch.ones(2, 5, 7, dtype=torch.float64, requires_grad=True)
    result = dropped(x, 0.5, Randomness(0, 0, (0, 1)), 0)
    (gradient,) = torch.autograd.grad(result.sum(), x)
    assert gradient.equal(result.detach())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_numbers_keep_their_type_and_the_mask_does_not_depend_on_it(dtype):
    result = dropped(torch.ones(ROW, dtype=dtype), 0.5, Randomness(0, 0, (0,)), 0, "feed-forward")
    assert result.dtype == dtype
    assert (result.flatten() != 0).equal(mask(0.5))


def test_nothing_is_left_out_in_evaluation_or_without_dropout():
    x = torch.ones(1, 2, 3)
    assert dropped(x, 0.5, None, 0) is x
    assert dropped(x, 0, Randomness(0, 0, (0,)), 0) is x


@pytest.mark.parametrize("width", [1, 3, 16])
def test_a_piece_is_left_out_as_it_is_in_the_whole(width):
    x = torch.ones(2, 300, width)
    randomness = Randomness(0, 0, (0, 1))
    whole = dropped(x, 0.5, randomness, 0)
    for start, stop in [(0, 4), (4, 5), (5, 64), (64, 128), (63, 300), (299, 300), (100, 101)]:
        where = slice(start, stop)
        assert dropped_at(x[:, where], where, 0.5, randomness, 0).equal(whole[:, where])


def test_no_two_places_of_a_row_share_a_decision():
    """Runs of positions, drawn one by one, must not repeat each other."""
    kept = mask(0.5).view(200, 300)
    alike = (kept[:, None] == kept[None]).double().mean(-1)
    assert alike.fill_diagonal_(0.5).sub(0.5).abs().max() < 6 * (0.25 / 300) ** 0.5


@pytest.mark.parametrize("share", [1e-9, 1 - 1e-9])
def test_hardly_anything_and_nearly_all_can_be_left_out(share):
    """Shares that are less than a level away from 0 and 1."""
    x = torch.ones(ROW)
    result = dropped(x, share, Randomness(0, 0, (0,)), 0)
    assert result.isfinite().all()
    assert ((result != 0).double().mean() - (1 - share)).abs() < 1e-3


def test_a_generator_depends_on_what_it_is_told_and_on_nothing_else():
    told = [(0,), (1,), (0, 0), (0, 1), (1, 0), ("a",), (0, "a"), (10, 1), (1, 1, 0), (101,)]
    torch.manual_seed(1)
    drawn = [torch.rand((), generator=generator(*what)).item() for what in told]
    before = torch.get_rng_state()
    assert len(set(drawn)) == len(told)
    assert drawn == [torch.rand((), generator=generator(*what)).item() for what in told]
    assert torch.get_rng_state().equal(before)

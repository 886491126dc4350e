"""What a row gives depends on its own tokens alone: no padding, no neighbour, no later token."""

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from core.models.batch import NO_LOSS, Batch, PairBatch
from core.models.parts import layers
from core.models.parts.randomness import Randomness
from tests.helpers.encoder_decoders import (
    MIXED,
    encoder_decoder,
    mixed_pair,
    pair_of,
    plain_logits,
    results,
)
from tests.helpers.reformers import CLOSE, assert_equal, tokens_of

LEFT = (6, 6, 15)
RIGHT = (0, 0, 0)
BOTH = (4, 0, 2)


def step(number=0, rows=(0, 1), run=0):
    return Randomness(run=run, step=number, rows=rows)


def single(batch, row):
    """One row without its padding."""
    at = slice(None) if batch.present is None else batch.present[row]
    return Batch(batch.tokens[row, at][None], batch.labels[row, at][None])


def summed(parts):
    return {name: sum(each[name] for each in parts) for name in parts[0]}


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("before", [LEFT, RIGHT, BOTH], ids=["left", "right", "both"])
@pytest.mark.parametrize("attention", [("full",), ("local",)])
def test_padding_changes_nothing(attention, before, reversible):
    model = encoder_decoder(encoder_attention=attention, reversible=reversible)
    pair = mixed_pair(before)
    logits = model(*pair)
    assert logits.isfinite().all()
    alone = [tuple(single(batch, row) for batch in pair) for row in range(3)]
    for row, one in enumerate(alone):
        torch.testing.assert_close(logits[row, pair[1].present[row]], model(*one)[0], **CLOSE)
    assert_equal(results(model, pair), summed([results(model, one) for one in alone]))


@pytest.mark.parametrize("attention", [("full",), ("local",)])
def test_what_stands_in_the_padding_does_not_matter(attention):
    model = encoder_decoder(encoder_attention=attention)
    pair = mixed_pair()
    other = [
        Batch(
            torch.where(batch.present, batch.tokens, tokens_of(*batch.tokens.shape, seed=3)),
            batch.labels,
            batch.present,
            batch.positions,
        )
        for batch in pair
    ]
    at = pair[1].present
    assert model(*pair)[at].equal(model(*other)[at])
    found, wanted = results(model, pair), results(model, other)
    tables = {"source_embedding.weight", "target_embedding.weight"}  # rows that only padding uses
    assert all(found[name].equal(wanted[name]) for name in wanted.keys() - tables)


def test_right_padding_needs_no_positions():
    model, pair = encoder_decoder(), mixed_pair(RIGHT)
    bare = [Batch(batch.tokens, batch.labels, batch.present) for batch in pair]
    assert_equal(results(model, bare), results(model, pair))


def test_no_padding_is_what_all_present_means():
    model, pair = encoder_decoder(), pair_of()
    told = [
        Batch(batch.tokens, batch.labels, torch.ones_like(batch.tokens, dtype=torch.bool))
        for batch in pair
    ]
    assert_equal(results(model, told), results(model, pair))


@pytest.mark.parametrize("attention", [("full",), ("local",)])
def test_a_row_without_source_finds_nothing_there(attention):
    model = encoder_decoder(encoder_attention=attention)
    pair = mixed_pair(BOTH, ((0, 8), (23, 17), (5, 0)))
    logits = model(*pair)
    wanted = plain_logits(model, pair)
    at = pair[1].present
    torch.testing.assert_close(logits[at], wanted[at], **CLOSE)
    assert logits.isfinite().all()
    assert all(value.isfinite().all() for value in results(model, pair).values())


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("reversible", [True, False])
def test_later_tokens_of_the_target_change_no_earlier_logit(reversible, dtype):
    model = encoder_decoder(reversible=reversible, dtype=dtype)
    source, target = pair_of(2, 19, 17)
    before = model(source, target)
    for start in (1, 2, 9, 16):
        changed = target.tokens.clone()
        changed[:, start:] = tokens_of(2, 17 - start, seed=start)
        after = model(source, Batch(changed))
        assert after[:, :start].equal(before[:, :start])
        assert not after[:, start:].equal(before[:, start:])


def test_a_prefix_of_the_target_gives_the_same_logits():
    model = encoder_decoder()
    source, target = pair_of(2, 19, 17)
    whole = model(source, target)
    for end in range(1, 17):
        alone = model(source, Batch(target.tokens[:, :end]))
        assert (alone - whole[:, :end]).abs().max() <= 1e-12


def test_no_logit_has_a_gradient_to_a_later_token():
    """Every token occurs once, so that a row of the table is an embedding of the target."""
    model = encoder_decoder()
    source, _ = pair_of(1)
    logits = model(source, Batch(torch.arange(17)[None]))
    for i in range(17):
        table = model.target_embedding.weight
        (gradient,) = torch.autograd.grad(logits[0, i].sum(), table, retain_graph=True)
        assert gradient[: i + 1].any(1).all()
        assert not gradient[i + 1 :].any()


@pytest.mark.parametrize(("attention", "reach"), [("full", 23), ("local", 7)])
def test_every_logit_feels_the_source_to_both_sides(attention, reach):
    """In one layer a position is felt by all others, or by those whose window it is in."""
    model = encoder_decoder(encoder_attention=(attention,), encoder_depth=1)
    source, target = pair_of(1, 23, 17)
    changed = source.tokens.clone()
    changed[0, 11] = (changed[0, 11] + 1) % 31
    moved = (model.encode(source) - model.encode(Batch(changed)))[0].abs().amax(1)
    assert (moved > 0).sum() == reach
    logits = (model(source, target) - model(Batch(changed), target))[0].abs().amax(1)
    assert (logits > 1e-6).all()


@pytest.mark.parametrize("reversible", [True, False])
def test_two_rows_are_two_single_rows(reversible):
    model = encoder_decoder(dropout=0.2, reversible=reversible)
    pair = pair_of()
    alone = [
        results(model, tuple(single(batch, row) for batch in pair), step(2, (number,)))
        for row, number in [(0, 6), (1, 3)]
    ]
    assert_equal(results(model, pair, step(2, (6, 3))), summed(alone))


def test_dropout_differs_by_run_step_and_row():
    model, pair = encoder_decoder(dropout=0.2), pair_of(1)
    different = [step(0, (0,)), step(1, (0,)), step(0, (1,)), step(0, (0,), run=1), None]
    losses = [model.loss(PairBatch(*pair), each).item() for each in different]
    assert len(set(losses)) == 5
    assert losses == [model.loss(PairBatch(*pair), each).item() for each in different]


def test_each_layer_of_each_side_leaves_out_other_numbers(monkeypatch):
    drawn, dropped = [], layers.dropped

    def noted(x, where, share, randomness, *what):
        drawn.append(what)
        return dropped(x, where, share, randomness, *what)

    monkeypatch.setattr(layers, "dropped", noted)
    model = encoder_decoder(encoder_depth=3, decoder_depth=2, dropout=0.2, shared_layers=True)
    model(*pair_of(), step())
    assert len(drawn) == len(set(drawn)) == 3 * 2 + 2 * 3


def test_without_dropout_training_is_evaluation_to_the_bit():
    model, pair = encoder_decoder(dtype=torch.float32), pair_of()
    first = model(*pair)
    torch.manual_seed(99)
    assert model(*pair, step(7)).equal(first)
    dropping = encoder_decoder(dtype=torch.float32, dropout=0.2).train()
    assert dropping(*pair).equal(first)


@pytest.mark.parametrize("reversible", [True, False])
def test_a_step_leaves_the_global_generator_alone(reversible):
    model = encoder_decoder(dropout=0.2, reversible=reversible)
    before = torch.get_rng_state()
    model.loss(PairBatch(*pair_of()), step()).backward()
    assert torch.get_rng_state().equal(before)


class Largest(TorchDispatchMode):
    """The most numbers that any tensor holds."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        made = result if isinstance(result, tuple | list) else [result]
        sizes = [each.untyped_storage().nbytes() for each in made if isinstance(each, torch.Tensor)]
        self.count = max([self.count, *sizes])
        return result


@pytest.mark.parametrize("padding", [0, 100])
@pytest.mark.parametrize("attention", ["full", "local"])
def test_nothing_is_made_for_each_pair_of_positions(attention, padding):
    """Neither in the encoder nor between target and source, with padding or without."""
    model = encoder_decoder(source_length=2000, target_length=500, encoder_attention=(attention,))
    source, target = pair_of(1, 2000, 400)
    present = torch.arange(2000)[None] >= padding
    source = Batch(source.tokens, present=present if padding else None)
    with Largest() as largest:
        model.loss(PairBatch(source, target)).backward()
    assert largest.count < 400 * 2000  # bytes, of which every number takes 8


def in_half(model, pair, dtype):
    with torch.autocast("cpu", dtype):
        return results(model, pair, step(rows=(0, 1)))


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("attention", ["full", "local"])
def test_bf16_is_near_fp32(attention, reversible):
    model = encoder_decoder(
        encoder_attention=(attention,), reversible=reversible, width=64, dtype=torch.float32
    )
    single = results(model, pair_of())
    half = in_half(model, pair_of(), torch.bfloat16)
    assert half["loss"].dtype == torch.float32
    off = {name: (half[name] - value).norm() / value.norm() for name, value in single.items()}
    assert off["loss"] < 0.01
    assert max(off.values()) < 0.1, off


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("attention", ["full", "local"])
def test_masks_hold_in_half_precision(attention, dtype):
    model = encoder_decoder(encoder_attention=(attention,), dtype=torch.float32)
    source, target = mixed_pair(BOTH, ((0, 8), (23, 17), (5, 0)))
    other = torch.where(source.present, source.tokens, tokens_of(3, 23, seed=3))
    with torch.autocast("cpu", dtype):
        logits = model(source, target)
        moved = model(Batch(other, None, source.present, source.positions), target)
        found = results(model, (source, target))
    assert logits[target.present].equal(moved[target.present])
    assert all(value.isfinite().all() for value in found.values())


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("reversible", [True, False])
def test_the_gpu_agrees_with_the_cpu(reversible):
    model = encoder_decoder(reversible=reversible, dropout=0.2)
    for pair, rows in [(pair_of(), (0, 1)), (mixed_pair(), (0, 1, 2))]:
        wanted = results(model.cpu(), pair, step(rows=rows))
        moved = [
            Batch(batch.tokens.cuda(), batch.labels.cuda(), *_of_padding(batch)) for batch in pair
        ]
        found = results(model.cuda(), moved, step(rows=rows))
        assert_equal({name: value.cpu() for name, value in found.items()}, wanted, atol=1e-8)


def _of_padding(batch):
    return (None if part is None else part.cuda() for part in (batch.present, batch.positions))


def test_the_mixed_rows_have_padding():
    """So that the tests above pad something."""
    source, target = mixed_pair()
    assert source.present.sum(1).tolist() == [length for length, _ in MIXED]
    assert target.present.sum(1).tolist() == [length for _, length in MIXED]
    assert (target.labels != NO_LOSS).sum(1).tolist() == [length - 1 for _, length in MIXED]

"""What a row gives depends on its own tokens alone: no padding, no neighbour, no later token."""

import pytest
import torch

from core.models.batch import Batch
from core.models.parts.randomness import Randomness
from tests.helpers.encoder_decoders import mixed_pair, pair_of
from tests.helpers.reformers import CLOSE, assert_equal, tokens_of
from tests.helpers.transformers import DECODER_KINDS, ENCODER_KINDS, results, transformer

LEFT = (6, 6, 15)
RIGHT = (0, 0, 0)
BOTH = (4, 0, 2)
ALL_KINDS = {
    "encoder_attention": ENCODER_KINDS, "encoder_depth": 5,
    "decoder_attention": DECODER_KINDS, "decoder_depth": 3,
}  # fmt: skip
EACH = [{"encoder_attention": (kind,)} for kind in ENCODER_KINDS]
EACH += [{"decoder_attention": (kind,)} for kind in DECODER_KINDS[1:]]
EACH += [{"shortening": 4}]


def step(number=0, rows=(0, 1), run=0):
    return Randomness(run=run, step=number, rows=rows)


def single(batch, row):
    """One row without its padding."""
    at = slice(None) if batch.present is None else batch.present[row]
    return Batch(batch.tokens[row, at][None], batch.labels[row, at][None])


def summed(parts):
    return {name: sum(each[name] for each in parts) for name in parts[0]}


@pytest.mark.parametrize("before", [LEFT, RIGHT, BOTH], ids=["left", "right", "both"])
@pytest.mark.parametrize("changes", EACH, ids=str)
def test_padding_changes_nothing(changes, before):
    model, pair = transformer(**changes), mixed_pair(before)
    logits = model(*pair)
    assert logits.isfinite().all()
    alone = [tuple(single(batch, row) for batch in pair) for row in range(3)]
    for row, one in enumerate(alone):
        torch.testing.assert_close(logits[row, pair[1].present[row]], model(*one)[0], **CLOSE)
    assert_equal(results(model, pair), summed([results(model, one) for one in alone]))


@pytest.mark.parametrize("changes", EACH, ids=str)
def test_what_stands_in_the_padding_does_not_matter(changes):
    model, pair = transformer(**changes), mixed_pair()
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


@pytest.mark.parametrize("kind", DECODER_KINDS)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_later_tokens_of_the_target_change_no_earlier_logit(kind, dtype):
    model = transformer(decoder_attention=(kind,), dtype=dtype)
    source, target = pair_of(2, 19, 17)
    before = model(source, target)
    for start in range(1, 17):
        changed = target.tokens.clone()
        changed[:, start:] = tokens_of(2, 17 - start, seed=start)
        after = model(source, Batch(changed))
        assert after[:, :start].equal(before[:, :start])
        assert not after[:, start:].equal(before[:, start:])


@pytest.mark.parametrize("kind", DECODER_KINDS)
def test_a_prefix_of_the_target_gives_the_same_logits(kind):
    model = transformer(decoder_attention=(kind,))
    source, target = pair_of(2, 19, 17)
    whole = model(source, target)
    for end in range(1, 17):
        alone = model(source, Batch(target.tokens[:, :end]))
        assert (alone - whole[:, :end]).abs().max() <= 1e-12


@pytest.mark.parametrize("kind", DECODER_KINDS)
def test_no_logit_has_a_gradient_to_a_later_token(kind):
    """Every token occurs once, so that a row of the table is an embedding of the target."""
    model = transformer(decoder_attention=(kind,), kernel_size=17)
    source, _ = pair_of(1)
    logits = model(source, Batch(torch.arange(17)[None]))
    for i in range(17):
        table = model.target_embedding.weight
        (gradient,) = torch.autograd.grad(logits[0, i].sum(), table, retain_graph=True)
        assert gradient[i].any()
        assert not gradient[i + 1 :].any()


@pytest.mark.parametrize(
    ("kind", "depth", "reach"),
    [
        ("full", 1, range(23)),
        ("local", 1, range(8, 12)),  # chunks of 4 tokens: 8 to 11
        ("shifted", 1, range(8, 12)),
        ("shifted", 2, range(6, 14)),  # in the second layer 6 to 9 and 10 to 13
        ("light-convolution", 1, range(9, 12)),
        ("memory-compressed", 1, range(23)),
    ],
)
def test_every_kind_reaches_as_far_as_it_says(kind, depth, reach):
    """Which positions of the memory feel a change at position 10."""
    model = transformer(encoder_attention=(kind,), encoder_depth=depth)
    source, _ = pair_of(1, 23, 17)
    changed = source.tokens.clone()
    changed[0, 10] = (changed[0, 10] + 1) % 31
    moved = (model.encode(source).vectors - model.encode(Batch(changed)).vectors)[0].abs().amax(1)
    assert moved.nonzero()[:, 0].tolist() == list(reach)


@pytest.mark.parametrize(
    ("length", "factor", "left"), [(23, 4, 6), (8, 4, 2), (1, 4, 1), (7, 6, 2)]
)
def test_a_shortened_source_gives_fewer_vectors(length, factor, left):
    memory = transformer(shortening=factor).encode(pair_of(1, length)[0])
    assert memory.vectors.shape == (1, left, 8)


def test_two_rows_are_two_single_rows():
    model, pair = transformer(dropout=0.2, **ALL_KINDS), pair_of()
    alone = [
        results(model, tuple(single(batch, row) for batch in pair), step(2, (number,)))
        for row, number in [(0, 6), (1, 3)]
    ]
    assert_equal(results(model, pair, step(2, (6, 3))), summed(alone))


def test_dropout_differs_by_run_step_and_row():
    model, pair = transformer(dropout=0.2), pair_of(1)
    different = [step(0, (0,)), step(1, (0,)), step(0, (1,)), step(0, (0,), run=1), None]
    losses = [results(model, pair, each)["loss"].item() for each in different]
    assert len(set(losses)) == 5
    assert losses == [results(model, pair, each)["loss"].item() for each in different]


def test_without_dropout_training_is_evaluation_to_the_bit():
    model, pair = transformer(dtype=torch.float32), pair_of()
    first = model(*pair)
    torch.manual_seed(99)
    assert model(*pair, step(7)).equal(first)
    dropping = transformer(dtype=torch.float32, dropout=0.2).train()
    assert dropping(*pair).equal(first)


def test_a_step_leaves_the_global_generator_alone():
    models = [transformer(dropout=0.2, checkpointing=each) for each in (False, True)]
    before = torch.get_rng_state()
    for model in models:
        results(model, pair_of(), step())
    assert torch.get_rng_state().equal(before)


def test_bf16_is_near_fp32():
    model = transformer(width=64, dtype=torch.float32, **ALL_KINDS)
    exact = results(model, pair_of())
    with torch.autocast("cpu", torch.bfloat16):
        half = results(model, pair_of(), step())
    assert half["loss"].dtype == torch.float32
    off = {name: (half[name] - value).norm() / value.norm() for name, value in exact.items()}
    assert off["loss"] < 0.01
    assert sorted(off.values())[len(off) // 2] < 0.1, off


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_masks_hold_in_half_precision(dtype):
    model = transformer(dtype=torch.float32, **ALL_KINDS)
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
def test_the_gpu_agrees_with_the_cpu():
    model = transformer(dropout=0.2, **ALL_KINDS)
    for pair, rows in [(pair_of(), (0, 1)), (mixed_pair(), (0, 1, 2))]:
        wanted = results(model.cpu(), pair, step(rows=rows))
        found = results(model.cuda(), tuple(each.to(torch.device("cuda")) for each in pair),
                        step(rows=rows))  # fmt: skip
        assert_equal({name: value.cpu() for name, value in found.items()}, wanted, atol=1e-8)

"""Half precision is near single precision, and no size of number ends in "not a number"."""

import pytest
import torch

from core.models.batch import Batch
from core.models.parts import attention_kinds
from core.models.parts.randomness import Randomness
from tests.helpers.reformers import (
    KINDS,
    batch_of,
    loss_and_gradients,
    padded,
    reformer,
    tokens_of,
)

STEP = Randomness(0, 0, (0, 1))
WIDER = {"dtype": torch.float32, "width": 64, "heads": 4, "depth": 3, "dropout": 0.1}
HALVES = [torch.bfloat16, torch.float16]


def in_half(model, batch, dtype=torch.bfloat16):
    with torch.autocast("cpu", dtype):
        return loss_and_gradients(model, batch, STEP)


def off(found, wanted):
    """How far two results are apart, relative to their size."""
    return {
        name: ((found[name] - value).norm() / value.norm()).item() for name, value in wanted.items()
    }


@pytest.fixture
def same_buckets(monkeypatch):
    """Each hash after the first pass gives again what it gave in that pass."""
    first, calls = [], []
    hash_vectors = attention_kinds.hash_vectors

    def replayed(x, rotations, buckets):
        if len(first) < 3:
            first.append(hash_vectors(x, rotations, buckets))
            return first[-1]
        calls.append(None)
        return first[(len(calls) - 1) % 3]

    monkeypatch.setattr(attention_kinds, "hash_vectors", replayed)


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_bf16_is_near_fp32_given_the_buckets(kind, reversible, same_buckets):
    model = reformer(attention=(kind,), reversible=reversible, weights=1, **WIDER)
    batch = batch_of(2, 29)
    single = loss_and_gradients(model, batch, STEP)
    half = in_half(model, batch)
    assert half["loss"].dtype == torch.float32
    assert off(half, single)["loss"] < 0.01
    assert max(off(half, single).values()) < 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_reversible_and_plain_agree_in_bf16(kind, same_buckets):
    """The recomputation runs in the precision of the forward pass, wherever it is called.

    Buckets are given: halves are rounded by the shape of what is multiplied, which differs.
    """
    results = []
    for reversible, kept_mib in [(True, 0), (True, 100), (False, 0)]:
        model = reformer(attention=(kind,), reversible=reversible, kept_mib=kept_mib, **WIDER)
        with torch.autocast("cpu", torch.bfloat16):
            loss = model.loss(batch_of(2, 29), STEP)
        loss.backward()  # outside, as it should be
        results.append({name: weight.grad for name, weight in model.named_parameters()})
    for found in results[:2]:
        assert max(off(found, results[2]).values()) < 0.05


@pytest.mark.parametrize("dtype", HALVES)
def test_streams_stay_in_single_precision(dtype):
    """A step that half precision would swallow is seen in what comes out."""
    model = reformer(attention=("local", "full"), **WIDER)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "embedding" in name:
                weight.add_(1000)
            if "positions" in name:
                weight.mul_(0.01)
    with torch.no_grad(), torch.autocast("cpu", dtype):
        hidden = model.hidden(batch_of(1, 29))
    assert hidden.dtype == torch.float32
    with torch.no_grad():
        single = model.hidden(batch_of(1, 29))
    assert (hidden - single).abs().max() < 0.1


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("kind", KINDS)
def test_masks_hold_in_half_precision(kind, dtype):
    """What is padded or later moves nothing, short rows are finite."""
    model = reformer(attention=(kind,), **(WIDER | {"dropout": 0}))
    batch = padded([tokens_of(1, n)[0] for n in (1, 9, 29)], (5, 20, 0), 29)
    other = torch.where(batch.present, batch.tokens, tokens_of(3, 29, seed=3))
    with torch.autocast("cpu", dtype):
        logits = model(batch)
        moved = model(Batch(other, None, batch.present, batch.positions))
        results = loss_and_gradients(model, batch)
    assert logits.isfinite().all()
    assert logits[batch.present].equal(moved[batch.present])
    assert all(value.isfinite().all() for value in results.values())


@pytest.mark.parametrize("kind", KINDS)
def test_huge_weights_give_no_nan(kind):
    model = reformer(attention=(kind,), **WIDER)
    for size in (10, 100, 1000):
        with torch.no_grad():
            for weight in model.parameters():
                weight.mul_(10)
        results = loss_and_gradients(model, batch_of(2, 29), STEP)
        assert all(value.isfinite().all() for value in results.values()), size


@pytest.mark.parametrize("kind", KINDS)
def test_vectors_of_zero_and_texts_of_one_word_give_no_nan(kind):
    alike = torch.full((2, 29), 7)
    for size in (0.0, 1.0):
        model = reformer(attention=(kind,), **WIDER)
        with torch.no_grad():
            for name, weight in model.named_parameters():
                if "shared" in name or "positions" in name:
                    weight.mul_(size)
        results = loss_and_gradients(model, Batch(alike, alike), STEP)
        assert all(value.isfinite().all() for value in results.values())


def test_autocast_is_left_as_it_was():
    model = reformer(**WIDER)
    with torch.autocast("cpu", torch.bfloat16):
        loss = model.loss(batch_of(2, 29), STEP)
        assert torch.is_autocast_enabled("cpu")
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.bfloat16
    loss.backward()
    assert not torch.is_autocast_enabled("cpu")


def test_a_step_after_bf16_is_as_if_there_had_been_none():
    model = reformer(**WIDER)
    before = loss_and_gradients(model, batch_of(2, 29), STEP)
    in_half(model, batch_of(2, 29))
    after = loss_and_gradients(model, batch_of(2, 29), STEP)
    assert all(after[name].equal(value) for name, value in before.items())

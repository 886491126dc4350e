"""The loss in pieces, and on some positions only, is the plain loss."""

import math

import pytest
import torch

from core.models.batch import NO_LOSS, Batch
from core.models.parts import attention_kinds, few_queries, layers
from core.models.parts.randomness import Randomness
from core.profiling.flops import count_flops
from tests.helpers import reformer_twin as twin
from tests.helpers.reformers import (
    CLOSE,
    KINDS,
    assert_equal,
    batch_of,
    loss_and_gradients,
    padded,
    reformer,
    tokens_of,
)
from tests.helpers.tensors import Largest, Products

STEP = Randomness(0, 0, (0, 1))


def plain_loss(model, batch, randomness=None):
    """From all logits at once, by the twin."""
    logits = model(batch, randomness)
    return sum(
        twin.cross_entropy(row, labels.tolist(), NO_LOSS)
        for row, labels in zip(logits, batch.labels, strict=True)
    )


def plain_results(model, batch, randomness=None):
    names, parameters = zip(*model.named_parameters(), strict=True)
    loss = plain_loss(model, batch, randomness)
    gradients = torch.autograd.grad(loss, parameters)
    return {"loss": loss.detach(), **dict(zip(names, gradients, strict=True))}


def with_labels(batch, wanted):
    labels = torch.where(wanted, batch.labels, torch.tensor(NO_LOSS))
    return Batch(batch.tokens, labels, batch.present, batch.positions)


def partial(style, rows=2, length=29):
    """[rows, length] bool: which labels stay."""
    places = torch.arange(length).expand(rows, -1)
    row = torch.arange(rows)[:, None]
    return {
        "all": places >= 0,
        "tail": places >= length - 9,
        "one": places == 11,
        "first": places == 0,
        "differs by row": (places + row) % 3 == 0,
        "only in one row": (row == 0) & (places > 4),
        "holes": torch.rand(rows, length, generator=torch.Generator().manual_seed(1)) < 0.3,
    }[style]


STYLES = ["all", "tail", "one", "first", "differs by row", "only in one row", "holes"]


@pytest.mark.parametrize("tied_embeddings", [True, False])
@pytest.mark.parametrize("loss_chunks", [None, 1, 3, 10, 100])
def test_loss_in_pieces_is_the_plain_loss(loss_chunks, tied_embeddings):
    model = reformer(loss_chunks=loss_chunks, tied_embeddings=tied_embeddings)
    for style in STYLES:
        batch = with_labels(batch_of(2, 29), partial(style))
        assert_equal(loss_and_gradients(model, batch), plain_results(model, batch))


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("style", ["tail", "holes", "only in one row"])
def test_loss_on_some_positions_is_the_plain_loss(style, kind, depth, reversible):
    model = reformer(attention=(kind,), depth=depth, dropout=0.2, reversible=reversible)
    batch = padded([tokens_of(1, 21)[0], tokens_of(1, 26)[0]], (7, 1), 29)
    batch = with_labels(batch, partial(style))
    assert_equal(loss_and_gradients(model, batch, STEP), plain_results(model, batch, STEP))


@pytest.mark.parametrize("kind", KINDS)
def test_loss_on_some_positions_is_the_plain_loss_in_small_pieces(kind, monkeypatch):
    """Where runs of positions begin and end, at the last layer's first and last position."""
    monkeypatch.setattr(layers, "_ATTENTION_AT_ONCE", 14)
    monkeypatch.setattr(layers, "_FEED_FORWARD_AT_ONCE", 10)
    model = reformer(attention=(kind,), dropout=0.2, kept_mib=0)
    batch = padded([tokens_of(1, 21)[0], tokens_of(1, 26)[0]], (7, 1), 29)
    places = torch.arange(29).expand(2, -1)
    for first, last in [(0, 28), (1, 9), (3, 4), (4, 5), (5, 12), (8, 27), (13, 14), (24, 28)]:
        some = with_labels(batch, (places >= first) & (places < last))
        assert_equal(loss_and_gradients(model, some, STEP), plain_results(model, some, STEP))


@pytest.mark.parametrize("buckets", [1, 4, 10])
@pytest.mark.parametrize("reversible", [True, False])
def test_loss_on_a_few_positions_of_a_hashed_layer_is_the_plain_loss(
    buckets, reversible, monkeypatch
):
    monkeypatch.setattr(attention_kinds, "_FEW", 1)
    monkeypatch.setattr(few_queries, "_NUMBERS_AT_ONCE", 300)
    model = reformer(
        attention=("local", "lsh"), rounds=3, buckets=buckets, reversible=reversible, dropout=0.2
    )
    batch = padded([tokens_of(1, 21)[0], tokens_of(1, 26)[0]], (7, 1), 29)
    places = torch.arange(29).expand(2, -1)
    for first, last in [(0, 28), (1, 9), (3, 4), (24, 28)]:
        some = with_labels(batch, (places >= first) & (places < last))
        assert_equal(loss_and_gradients(model, some, STEP), plain_results(model, some, STEP))


def test_a_few_positions_of_a_hashed_layer_attend_for_themselves_alone(monkeypatch):
    model = reformer(attention=("lsh",), depth=1, length=640, bucket_size=16, buckets=8)
    batch = with_labels(batch_of(1, 640), torch.arange(640)[None] > 630)
    few = count_flops(lambda: model.loss(batch).backward())
    monkeypatch.setattr(attention_kinds, "_FEW", 10_000)
    assert few < 0.5 * count_flops(lambda: model.loss(batch).backward())


def products_of(kind, style, **changes):
    model = reformer(attention=(kind,), depth=1, **changes)
    with Products() as products:
        model.loss(with_labels(batch_of(2, 29), partial(style))).backward()
    return products.count


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("kind", ["full", "local", "lsh"])
def test_the_last_layer_works_for_positions_with_loss_only(kind, reversible):
    tail, everything = (
        products_of(kind, style, reversible=reversible) for style in ("tail", "all")
    )
    # 9 of 28; the far kinds project all positions, the local one three more than 9.
    assert tail < {"full": 0.55, "lsh": 0.55, "local": 0.4}[kind] * everything


@pytest.mark.parametrize("reversible", [True, False])
def test_no_loss_is_zero(reversible):
    model = reformer(reversible=reversible)
    batch = with_labels(batch_of(2, 29), partial("all") & False)
    assert batch.num_loss_tokens == 0
    results = loss_and_gradients(model, batch)
    assert not any(value.any() for value in results.values())


def test_an_untrained_model_knows_nothing():
    """The sum over tokens of the log of the vocabulary, in nats, when all weights are 0."""
    model = reformer()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    batch = batch_of(2, 29)
    wanted = torch.tensor(batch.num_loss_tokens * math.log(31), dtype=torch.float64)
    assert batch.num_loss_tokens == 56
    torch.testing.assert_close(model.loss(batch).detach(), wanted, **CLOSE)


def largest_of(**changes):
    model = reformer(vocabulary_size=600, length=200, tied_embeddings=True, **changes)
    with Largest() as largest:
        model.loss(batch_of(1, 200), Randomness(0, 0, (0,))).backward()
    return largest.count


def test_logits_of_all_positions_never_exist_at_once():
    assert largest_of(loss_chunks=1) >= 199 * 600
    assert largest_of(loss_chunks=10) < 199 * 600 / 5

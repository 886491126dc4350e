"""Smear and the pointer head in both families: twins, causality, padding, caches."""

from typing import Any

import pytest
import torch

from core.models.batch import NO_LOSS, Batch, PairBatch
from core.models.parts import pointer
from core.models.parts.randomness import Randomness
from tests.core.models.reformer import test_decoding as language_model_decoding
from tests.core.models.reformer.test_encoder_decoder import assert_twin as assert_pair_twin
from tests.core.models.reformer.test_language_model import assert_twin
from tests.helpers.decoding_rows import WRITERS, Rows
from tests.helpers.encoder_decoders import encoder_decoder, mixed_pair, pair_of
from tests.helpers.reformers import (
    CLOSE,
    assert_equal,
    batch_of,
    loss_and_gradients,
    padded,
    reformer,
    tokens_of,
)

SWITCHES: list[dict[str, Any]] = [
    {"smear": True},
    {"pointer": True},
    {"smear": True, "pointer": True, "tied_embeddings": True},
]
BOTH = SWITCHES[2]


def mixed_batch() -> Batch:
    return padded([tokens_of(1, 9)[0], tokens_of(1, 17)[0]], (8, 3), 21)


# --- the language model ---


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_a_language_model_is_its_twin(switches: dict[str, Any]) -> None:
    model = reformer(attention=("local", "full"), **switches)
    assert_twin(model, batch_of(2, 15))
    assert_twin(model, mixed_batch())


def test_rows_without_padding_may_copy_all_up_to_their_own_place() -> None:
    model, batch = reformer(attention=("full",), **BOTH), batch_of(2, 15)
    assert batch.labels is not None and batch.present is None
    log_probs = model(batch)[:, :-1].gather(2, batch.labels[:, :-1, None])
    torch.testing.assert_close(model.loss(batch), -log_probs.sum())


@pytest.mark.parametrize("pieces", [None, 1, 3])
@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_the_loss_and_its_gradients_are_those_of_the_log_probabilities(
    pieces: int | None, smoothing: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pointer, "_SCORES_AT_ONCE", 200)
    model = reformer(attention=("full",), loss_chunks=pieces, **BOTH)
    batch = mixed_batch()
    assert batch.labels is not None
    batch.labels[0, :12] = NO_LOSS
    log_probs = torch.log_softmax(model(batch), -1)
    torch.testing.assert_close(log_probs, model(batch))  # they are log-probabilities already
    at = batch.labels != NO_LOSS
    of_label = log_probs[at].gather(1, batch.labels[at][:, None])
    wanted = -((1 - smoothing) * of_label.sum() + smoothing * log_probs[at].mean(1).sum())
    found = model.loss(batch, smoothing=smoothing)
    torch.testing.assert_close(found, wanted, **CLOSE)
    parameters = list(model.parameters())
    for ours, theirs in zip(
        torch.autograd.grad(found, parameters), torch.autograd.grad(wanted, parameters), strict=True
    ):
        torch.testing.assert_close(ours, theirs, **CLOSE)


def test_no_log_probability_has_a_gradient_to_a_later_token() -> None:
    model = reformer(attention=("local", "lsh"), **BOTH)
    vectors: list[torch.Tensor] = []

    def keep(_module: Any, _args: Any, out: torch.Tensor) -> None:
        out.retain_grad()
        vectors.append(out)

    model.embedding.register_forward_hook(keep)
    model(batch_of(1, 20))[0, 11].sum().backward()
    assert vectors[0].grad is not None
    assert (vectors[0].grad[0, 12:] == 0).all()
    assert (vectors[0].grad[0, :12] != 0).any(1).all()


@pytest.mark.parametrize("before", [(8, 3), (0, 0)])
def test_padding_adds_nothing(before: tuple[int, int]) -> None:
    model = reformer(attention=("local", "lsh"), **BOTH)
    rows = [tokens_of(1, 9)[0], tokens_of(1, 17)[0]]
    found = loss_and_gradients(model, padded(rows, before, 29))
    alone = [loss_and_gradients(model, padded([row], [0], len(row))) for row in rows]
    assert_equal(found, {name: alone[0][name] + alone[1][name] for name in found})


@torch.no_grad()
@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_a_language_model_s_caches_equal_recomputation(switches: dict[str, Any]) -> None:
    rows = language_model_decoding.Rows((9, 20, 1, 14, 0), attention=("local", "lsh"), **switches)
    rows.reorder([1, 1, 0, 4, 3, 2])
    rows.write_until_full()


def test_a_step_of_training_recomputes_to_the_same() -> None:
    found = [
        loss_and_gradients(
            reformer(attention=("local", "lsh"), reversible=reversible, dropout=0.3, **BOTH),
            mixed_batch(),
            Randomness(1, 2, (0, 1)),
        )
        for reversible in (True, False)
    ]
    assert_equal(*found)


def test_bf16_is_near_fp32() -> None:
    model = reformer(attention=("local",), dtype=torch.float32, **BOTH)
    exact = loss_and_gradients(model, batch_of(2, 24))
    with torch.autocast("cpu", torch.bfloat16):
        found = loss_and_gradients(model, batch_of(2, 24))
    assert_equal(found, exact, atol=0.5, rtol=0.2)


# --- the encoder-decoder ---


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_an_encoder_decoder_is_its_twin(switches: dict[str, Any]) -> None:
    model = encoder_decoder(**switches)
    assert_pair_twin(model, pair_of(2, 11, 7))
    assert_pair_twin(model, mixed_pair())


@torch.no_grad()
@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_an_encoder_decoder_s_caches_equal_recomputation(switches: dict[str, Any]) -> None:
    switches = switches | {"tied_embeddings": False}  # the test's model has a bias
    rows = Rows(WRITERS["reformer-encoder-decoder"], (9, 23, 1, 14), **switches)
    for tokens, then in (([3, 4, 5, 6], [2, 2, 0, 1, 3]), ([1, 2, 3, 4, 5], [4, 0, 1])):
        rows.advance(tokens)
        rows.reorder(then)
    rows.advance([7, 8, 9])


def test_only_what_the_source_has_is_copied() -> None:
    model = encoder_decoder(**BOTH)
    source, target = pair_of(1, 5, 6)
    assert model.pointer is not None
    with torch.no_grad():
        model.pointer.gate.bias.fill_(50.0)  # nothing is written
    there = set(source.tokens[0].tolist())
    chances = model(source, target)[0].exp()
    for token in range(31):
        assert bool((chances[:, token] > 1e-9).all()) == (token in there)


# --- switched off ---


def test_models_made_before_are_as_they_were() -> None:
    for model in (reformer(), encoder_decoder()):
        names = set(model.state_dict())
        assert not any("smear" in name or "pointer" in name for name in names)
        assert not model.settings.smear and not model.settings.pointer


def test_the_loss_without_gradients_is_the_same() -> None:
    model, pair = encoder_decoder(**BOTH), PairBatch(*mixed_pair())
    with torch.no_grad():
        assert model.loss(pair).equal(model.loss(pair))
        quiet = float(model.loss(pair))
    assert quiet == pytest.approx(float(model.loss(pair).detach()), abs=1e-10)

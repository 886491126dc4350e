"""The whole encoder-decoder is its plain twin, in logits, loss and the gradient of every weight."""

import pytest
import torch
from safetensors.torch import load, save

from core.errors import EpitomeError
from core.models.batch import NO_LOSS, Batch, PairBatch
from core.models.parts import block_attention, layers, loss
from core.models.parts.randomness import Randomness
from core.models.reformer.encoder_decoder import ReformerEncoderDecoder
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from tests.helpers import reformer_twin
from tests.helpers.encoder_decoders import (
    STEP,
    encoder_decoder,
    mixed_pair,
    pair_of,
    plain_logits,
    results,
)
from tests.helpers.reformers import CLOSE, assert_equal, batch_of

THREE = Randomness(run=1, step=2, rows=(4, 0, 7))


def plain_results(model, pair, randomness=None):
    names, parameters = zip(*model.named_parameters(), strict=True)
    total = sum(
        reformer_twin.cross_entropy(logits, labels.tolist(), NO_LOSS)
        for logits, labels in zip(
            plain_logits(model, pair, randomness), pair[1].labels, strict=True
        )
    )
    gradients = torch.autograd.grad(total, parameters)
    return {"loss": total.detach(), **dict(zip(names, gradients, strict=True))}


def assert_twin(model, pair, randomness=None):
    at = torch.ones_like(pair[1].tokens, dtype=torch.bool)
    at = at if pair[1].present is None else pair[1].present
    found, wanted = model(*pair, randomness), plain_logits(model, pair, randomness)
    torch.testing.assert_close(found[at], wanted[at], **CLOSE)
    assert_equal(results(model, pair, randomness), plain_results(model, pair, randomness))


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("attention", [("full",), ("local",)])
def test_every_kind_is_its_twin(attention, reversible):
    model = encoder_decoder(encoder_attention=attention, reversible=reversible)
    for source, target in ((1, 2), (7, 4), (23, 17)):
        assert_twin(model, pair_of(1, source, target))
    assert_twin(model, pair_of(2))


@pytest.mark.parametrize(
    "changes",
    [
        {"encoder_depth": 1, "decoder_depth": 1},
        {"encoder_depth": 3, "decoder_depth": 2},
        {"encoder_depth": 1, "decoder_depth": 4},
        {"encoder_depth": 3, "decoder_depth": 3, "shared_layers": True},
        {"positions": "learned"},
        {"tied_embeddings": True},
        {"shared_embeddings": True},
        {"tied_embeddings": True, "shared_embeddings": True},
        {"heads": 1},
        {"heads": 8},
        {"feed_forward_width": 5},
        {"window": 1},
        {"window": 100},
        {"width": 9, "heads": 3},
        {"ff_chunks": 3, "loss_chunks": 4},
    ],
    ids=str,
)
def test_every_setting_is_its_twin(changes):
    assert_twin(encoder_decoder(**changes), pair_of(1, 11, 7))


@pytest.mark.parametrize("reversible", [True, False])
def test_training_is_its_twin(reversible):
    model = encoder_decoder(dropout=0.3, reversible=reversible)
    assert_twin(model, pair_of(2, 11, 7), STEP)


def test_padded_rows_are_their_twins():
    model = encoder_decoder(dropout=0.3)
    source, target = mixed_pair()
    assert_twin(model, (source, target), THREE)
    bare = [Batch(each.tokens, each.labels, each.present) for each in (source, target)]
    assert_twin(model, bare)


@pytest.mark.parametrize("pair", [pair_of(2), mixed_pair()], ids=["whole", "padded"])
@pytest.mark.parametrize("kept_mib", [0, 100])
def test_small_pieces_change_nothing(kept_mib, pair, monkeypatch):
    monkeypatch.setattr(block_attention, "_PIECE", 8)
    monkeypatch.setattr(layers, "_FEED_FORWARD_AT_ONCE", 10)
    monkeypatch.setattr(layers, "_ATTENTION_AT_ONCE", 6)
    monkeypatch.setattr(loss, "_LOGITS_AT_ONCE", 100)
    model = encoder_decoder(encoder_depth=2, dropout=0.3, kept_mib=kept_mib)
    assert_twin(model, pair, Randomness(1, 2, tuple(range(len(pair[0].tokens)))))


def labels_at(target, wanted):
    labels = torch.where(wanted, target.labels, torch.tensor(NO_LOSS))
    return Batch(target.tokens, labels, target.present, target.positions)


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("decoder_depth", [1, 2])
def test_loss_on_some_positions_is_the_plain_loss(decoder_depth, reversible, monkeypatch):
    monkeypatch.setattr(layers, "_FEED_FORWARD_AT_ONCE", 6)
    monkeypatch.setattr(layers, "_ATTENTION_AT_ONCE", 6)
    model = encoder_decoder(
        decoder_depth=decoder_depth, encoder_depth=1, dropout=0.2, reversible=reversible, kept_mib=0
    )
    source, target = pair_of()
    places = torch.arange(13).expand(2, -1)
    for first, last in [(0, 13), (9, 12), (0, 1), (4, 7)]:
        pair = source, labels_at(target, (places >= first) & (places < last))
        assert_equal(results(model, pair, STEP), plain_results(model, pair, STEP))
    holes = source, labels_at(target, (places + torch.arange(2)[:, None]) % 3 == 1)
    assert_equal(results(model, holes, STEP), plain_results(model, holes, STEP))


@pytest.mark.parametrize("reversible", [True, False])
def test_no_loss_is_zero(reversible):
    model = encoder_decoder(reversible=reversible)
    source, target = pair_of()
    nothing = labels_at(target, torch.zeros(2, 13, dtype=torch.bool))
    assert not any(value.any() for value in results(model, (source, nothing)).values())


def test_logits_are_the_output_table_on_the_hidden_vectors():
    model, pair = encoder_decoder(), pair_of()
    assert model.hidden(*pair).shape == (2, 13, 8)
    wanted = model.hidden(*pair) @ model.output.weight.T + model.output.bias
    torch.testing.assert_close(model(*pair), wanted, **CLOSE)


def test_every_weight_learns():
    for changes in ({}, {"tied_embeddings": True, "shared_embeddings": True, "kept_mib": 0}):
        model = encoder_decoder(encoder_attention=("local", "full"), **changes)
        model.loss(PairBatch(*pair_of())).backward()
        for name, parameter in model.named_parameters():
            assert parameter.grad is not None and parameter.grad.any(), name


def test_weights_can_be_kept_and_read_again():
    changes = {"tied_embeddings": True, "shared_embeddings": True, "shared_layers": True}
    model, other = encoder_decoder(**changes), encoder_decoder(weights=1, **changes)
    kept = save({name: weight.detach() for name, weight in model.named_parameters()})
    pair = pair_of()
    assert not other(*pair).equal(model(*pair))
    other.load_state_dict(load(kept), strict=False)
    assert other(*pair).equal(model(*pair))


def test_first_weights_come_from_the_models_seed():
    def weights(seed, global_seed):
        torch.manual_seed(global_seed)
        settings = ReformerEncoderDecoderSettings(width=8, vocabulary_size=9, seed=seed)
        return torch.cat([each.flatten() for each in ReformerEncoderDecoder(settings).parameters()])

    assert weights(0, 0).equal(weights(0, 1))
    assert not weights(0, 0).equal(weights(1, 0))


def test_past_the_models_lengths_it_says_so():
    model = encoder_decoder()
    for read in (model, model.hidden, lambda *pair: model.loss(PairBatch(*pair))):
        read(*pair_of(1, 23, 17))
        with pytest.raises(EpitomeError) as error:
            read(*pair_of(1, 24, 17))
        assert error.value.message == "The text has 24 tokens; this model reads at most 23 at once."
        assert error.value.remedy == "Split the text, or use a model of a greater source length."
        with pytest.raises(EpitomeError) as error:
            read(*pair_of(1, 23, 18))
        assert error.value.message == "The summary has 18 tokens; this model writes at most 17."
        assert error.value.remedy == (
            "Shorten the summary, or use a model of a greater target length."
        )
    with pytest.raises(EpitomeError):
        model.encode(batch_of(1, 24))


def test_every_length_can_be_read_written_and_learnt_from():
    model = encoder_decoder(dtype=torch.float32)
    for source in (1, 2, 5, 11, 23):
        for target in (1, 2, 17):
            pair = pair_of(1, source, target)
            assert model(*pair).shape == (1, target, 31)
            assert all(value.isfinite().all() for value in results(model, pair).values())


@pytest.mark.slow
def test_a_long_text_is_its_twin():
    """Pieces, windows and blocks as they are."""
    model = encoder_decoder(source_length=1300, target_length=600, window=64, width=16)
    assert_twin(model, pair_of(1, 1200, 550))

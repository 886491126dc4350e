"""The Transformer is its twin written in loops: logits, loss and the gradient of every weight."""

import pytest
import torch
from safetensors.torch import load, save

from core.errors import EpitomeError
from core.models.batch import Batch, PairBatch
from core.models.parts.positions import SinusoidalPositions
from core.models.parts.randomness import Randomness
from core.models.transformer.model import Transformer
from core.models.transformer.settings import TransformerSettings
from core.models.weights import named_weights
from core.training.settings import StepSettings
from core.training.step import TrainingStep
from tests.helpers.encoder_decoders import mixed_pair, pair_of
from tests.helpers.reformers import CLOSE, assert_equal
from tests.helpers.transformer_twin import wave
from tests.helpers.transformers import (
    DECODER_KINDS,
    ENCODER_KINDS,
    plain_results,
    plain_rows,
    results,
    transformer,
)

CPU = torch.device("cpu")
STEP = Randomness(run=1, step=2, rows=(0, 1))


def assert_twin(model, pair, randomness=None, smoothing=0.0):
    logits, present = model(*pair, randomness), pair[1].present
    at = torch.ones_like(pair[1].tokens, dtype=torch.bool) if present is None else present
    found = results(model, pair, randomness, smoothing) | {"logits": logits[at].detach()}
    assert_equal(found, plain_results(model, pair, randomness, smoothing))


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("kind", ENCODER_KINDS)
def test_every_encoder_kind_is_its_twin(kind, norm):
    model = transformer(encoder_attention=(kind,), norm=norm)
    for source, target in ((1, 2), (9, 3)):
        assert_twin(model, pair_of(1, source, target))


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("kind", DECODER_KINDS)
def test_every_decoder_kind_is_its_twin(kind, norm):
    model = transformer(decoder_attention=(kind,), norm=norm)
    for source, target in ((1, 2), (3, 7)):
        assert_twin(model, pair_of(1, source, target))


@pytest.mark.parametrize(
    "changes",
    [
        {"encoder_depth": 1, "decoder_depth": 3},
        {"encoder_depth": 5, "encoder_attention": ENCODER_KINDS},
        {"decoder_depth": 3, "decoder_attention": DECODER_KINDS},
        {"positions": "learned"},
        {"positions": "none"},
        {"tied_embeddings": True, "shared_embeddings": True},
        {"shared_embeddings": True},
        {"heads": 1, "head_width": None},
        {"heads": 5, "head_width": 7},
        {"width": 9, "heads": 2, "head_width": 4},
        {"feed_forward_width": None},
        {"shortening": 2},
        {"shortening": 3, "encoder_attention": ("shifted",)},
        {"shortening": 12, "positions": "learned"},
        {"encoder_attention": ("local",), "chunk_size": 1},
        {"encoder_attention": ("shifted",), "chunk_size": 5},
        {"encoder_attention": ("shifted",), "chunk_size": 100},
        {"encoder_attention": ("light-convolution",), "kernel_size": 4},
        {"encoder_attention": ("light-convolution",), "kernel_size": 30},
        {"decoder_attention": ("light-convolution",), "kernel_size": 4},
        {"decoder_attention": ("light-convolution",), "kernel_size": 1},
        {"encoder_attention": ("memory-compressed",), "compression": 1},
        {"encoder_attention": ("memory-compressed",), "compression": 40},
        {"decoder_attention": ("memory-compressed",), "compression": 1},
        {"decoder_attention": ("memory-compressed",), "compression": 40},
        {"checkpointing": True, "loss_chunks": 3},
        {"smear": True, "shortening": 2},
        {"pointer": True, "norm": "post"},
    ],
    ids=str,
)
def test_every_setting_is_its_twin(changes):
    assert_twin(transformer(**changes), pair_of(1, 8, 5))


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("checkpointing", [True, False])
def test_training_is_its_twin(norm, checkpointing):
    """Dropout of the embeddings and of every layer, and label smoothing."""
    model = transformer(dropout=0.3, norm=norm, checkpointing=checkpointing, shortening=2)
    assert_twin(model, pair_of(2, 7, 4), STEP, smoothing=0.1)


@pytest.mark.parametrize("kinds", [*((kind, "full") for kind in ENCODER_KINDS),
                                   *(("full", kind) for kind in DECODER_KINDS[1:])])  # fmt: skip
def test_padded_rows_are_their_twins(kinds):
    """Of each row without its padding, before, behind, or on both sides."""
    encoder, decoder = kinds
    model = transformer(
        encoder_attention=(encoder,), decoder_attention=(decoder,), encoder_depth=2, dropout=0.3,
    )  # fmt: skip
    three = Randomness(run=1, step=2, rows=(4, 0, 7))
    assert_twin(model, mixed_pair(lengths=((9, 4), (5, 2), (1, 5))), three)


@pytest.mark.parametrize("changes", [{"shortening": 2}, {"shortening": 6},
                                     {"smear": True, "pointer": True}], ids=str)  # fmt: skip
def test_padded_rows_are_their_twins_when_shortened_or_copied(changes):
    model = transformer(**changes)
    assert_twin(model, mixed_pair(lengths=((9, 4), (5, 2), (1, 5))))


def test_checkpointing_changes_no_bit():
    kinds = {"encoder_attention": ENCODER_KINDS, "encoder_depth": 5, "dropout": 0.2}
    plain, again = (
        results(transformer(checkpointing=each, dtype=torch.float32, **kinds), pair_of(2), STEP)
        for each in (False, True)
    )
    assert all(again[name].equal(value) for name, value in plain.items())


def test_sinusoidal_positions_are_the_papers():
    table = SinusoidalPositions(5000, 6)
    places = torch.tensor([[0, 1], [17, 4999]])
    wanted = torch.stack([torch.stack([wave(int(p), 6) for p in row]) for row in places])
    torch.testing.assert_close(table(places).double(), wanted, rtol=0, atol=1e-12)
    assert table(torch.tensor(0)).tolist() == [0, 1, 0, 1, 0, 1]
    assert not named_weights(table)


def test_logits_are_the_output_table_on_the_hidden_vectors():
    model, pair = transformer(), pair_of()
    assert model.hidden(*pair).shape == (2, 13, 8)
    wanted = model.hidden(*pair) @ model.output.weight.T + model.output.bias
    torch.testing.assert_close(model(*pair), wanted, **CLOSE)


def test_every_weight_learns():
    kinds = {"encoder_attention": ENCODER_KINDS, "decoder_attention": DECODER_KINDS}
    for changes in ({}, {"norm": "post", "positions": "learned", "shortening": 2}):
        model = transformer(encoder_depth=5, decoder_depth=3, **kinds, **changes)
        model.loss(PairBatch(*pair_of())).backward()
        for name, parameter in model.named_parameters():
            assert parameter.grad is not None and parameter.grad.any(), name


def test_weights_can_be_kept_and_read_again():
    changes = {"tied_embeddings": True, "shared_embeddings": True, "shortening": 2}
    model, other = transformer(**changes), transformer(weights=1, **changes)
    kept = save(named_weights(model))
    assert not any("positions" in name for name in load(kept))  # waves are made anew
    pair = pair_of()
    assert not other(*pair).equal(model(*pair))
    other.load_state_dict(load(kept), strict=False)
    assert other(*pair).equal(model(*pair))


def test_first_weights_come_from_the_models_seed():
    def weights(seed, global_seed):
        torch.manual_seed(global_seed)
        settings = TransformerSettings(width=8, vocabulary_size=9, seed=seed, shortening=2)
        return torch.cat([each.flatten() for each in Transformer(settings).parameters()])

    assert weights(0, 0).equal(weights(0, 1))
    assert not weights(0, 0).equal(weights(1, 0))


def test_first_logits_are_moderate():
    """So that learning begins near the loss of guessing, ln V, whatever is shared or shortened."""
    for changes in ({}, {"norm": "post"}, {"shortening": 4}, {"tied_embeddings": False}):
        settings = TransformerSettings(vocabulary_size=1000, width=64, **changes)
        model = Transformer(settings)
        assert 0.1 < model(*pair_of(2, 19, 13)).std() < 1.5, changes


def test_past_the_models_lengths_it_says_so():
    model = transformer()
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


def test_every_length_can_be_read_written_and_learnt_from():
    model = transformer(
        dtype=torch.float32, encoder_attention=ENCODER_KINDS, decoder_attention=DECODER_KINDS,
        encoder_depth=5, decoder_depth=3, shortening=4,
    )  # fmt: skip
    for source in (1, 2, 5, 11, 23):
        for target in (1, 2, 17):
            pair = pair_of(1, source, target)
            assert model(*pair).shape == (1, target, 31)
            assert all(value.isfinite().all() for value in results(model, pair).values())


def test_a_row_without_source_finds_nothing_there():
    model = transformer(encoder_attention=ENCODER_KINDS, encoder_depth=5)
    pair = mixed_pair((0, 0, 0), ((0, 8), (9, 7), (5, 0)))
    rows = torch.cat([plain for plain, _ in plain_rows(model, pair)])
    torch.testing.assert_close(model(*pair)[pair[1].present], rows, **CLOSE)
    assert all(value.isfinite().all() for value in results(model, pair).values())


def test_a_batch_of_one_pair_needs_no_places():
    """Positions are counted from the first token unless they are given."""
    model, (source, target) = transformer(), pair_of(1)
    places = torch.arange(19)[None]
    told = Batch(source.tokens, positions=places)
    assert model(told, target).equal(model(source, target))


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_it_learns_to_copy(norm):
    """With first weights that are too small, the loss stays at chance."""
    settings = TransformerSettings(
        vocabulary_size=12, source_length=6, target_length=6, width=32, heads=2, encoder_depth=1,
        decoder_depth=1, feed_forward_width=32, norm=norm,
    )  # fmt: skip
    step = TrainingStep(Transformer(settings), StepSettings(learning_rate=3e-3), CPU)
    source = torch.Generator().manual_seed(0)
    for _ in range(120):
        text = torch.randint(2, 12, (16, 6), generator=source)
        fed = torch.cat((torch.ones_like(text[:, :1]), text[:, :-1]), 1)
        loss = float(step(PairBatch(Batch(text), Batch(fed, text))).loss)
    assert loss < 1.5  # guessing: 2.3

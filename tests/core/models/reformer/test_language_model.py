"""The whole model is its plain twin, in logits and in the gradient of every weight."""

import pytest
import torch
from safetensors.torch import load, save

from core.models.batch import Batch
from core.models.parts import attention, block_attention, hashing, layers, loss
from core.models.parts.attention_kinds import LSHChunkAttention
from core.models.parts.randomness import Randomness, dropped
from core.models.reformer.attention import layer_rotations
from core.models.reformer.language_model import ReformerLM
from core.models.reformer.settings import ReformerSettings
from tests.helpers import reformer_twin as twin
from tests.helpers.reformers import CLOSE, KINDS, batch_of, padded, reformer, tokens_of

STEP = Randomness(run=1, step=2, rows=(0, 1))


def plain_twin(model, batch, row, randomness=None):
    """The twin of one row, with the model's rotations and dropout masks."""
    s, length = model.settings, batch.tokens.shape[1]

    def rotations(depth):
        kind, count = model.kinds[depth], s.buckets
        if isinstance(kind, LSHChunkAttention):
            count = kind.buckets(length)
        if not s.kinds[depth].startswith("lsh") or count == 1:
            return None
        return layer_rotations(s, depth).drawn(count, randomness).double()

    def factors(depth, layer):
        ones = torch.ones(*batch.tokens.shape, s.width, dtype=torch.float64)
        return dropped(ones, slice(0, length), s.dropout, randomness, depth, layer)[row]

    return twin.LanguageModel(
        dict(model.named_parameters(remove_duplicate=False)),
        s.kinds,
        s.heads,
        s.bucket_size,
        [rotations(depth) for depth in range(s.depth)],
        None if randomness is None or not s.dropout else factors,
    )


def rows_of(batch):
    """What the twin reads of each row."""
    for row, tokens in enumerate(batch.tokens):
        yield (
            tokens.tolist(),
            None if batch.present is None else batch.present[row].tolist(),
            None if batch.positions is None else batch.positions[row].tolist(),
        )


def assert_twin(model, batch, randomness=None):
    names, parameters = zip(*model.named_parameters(), strict=True)
    at = torch.ones_like(batch.tokens, dtype=torch.bool)
    at = at if batch.present is None else batch.present
    found = model(batch, randomness)
    wanted = torch.stack(
        [
            plain_twin(model, batch, row, randomness).logits(*read)
            for row, read in enumerate(rows_of(batch))
        ]
    )
    torch.testing.assert_close(found[at], wanted[at], **CLOSE)
    pull = torch.randn(
        wanted[at].shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64
    )
    ours = torch.autograd.grad((found[at] * pull).sum(), parameters)
    plain = torch.autograd.grad((wanted[at] * pull).sum(), parameters)
    for name, one, other in zip(names, ours, plain, strict=True):
        torch.testing.assert_close(
            one, other, rtol=0, atol=1e-9, msg=lambda told, name=name: f"{name}: {told}"
        )


@pytest.mark.parametrize("reversible", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_its_twin(kind, reversible):
    model = reformer(attention=(kind,), reversible=reversible)
    for length in (1, 7, 16):
        assert_twin(model, batch_of(1, length))
    assert_twin(model, batch_of(2, 29))


@pytest.mark.parametrize(
    "changes",
    [
        {"depth": 1},
        {"depth": 5, "attention": KINDS},
        {"depth": 5, "attention": KINDS, "shared_layers": True},
        {"depth": 3, "attention": ("lsh", "local")},
        {"positions": "learned"},
        {"axial_rows": 3},
        {"tied_embeddings": True},
        {"rotations": "shared", "rounds": 3},
        {"buckets": 1},
        {"buckets": 2, "rounds": 5},
        {"heads": 1},
        {"heads": 16},
        {"feed_forward_width": 5},
        {"bucket_size": 1},
        {"bucket_size": 100},
        {"seed": 5},
        {"width": 15, "heads": 3},
    ],
    ids=str,
)
def test_every_setting_is_its_twin(changes):
    assert_twin(reformer(**{"attention": ("lsh", "local-chunk"), **changes}), batch_of(1, 19))


def test_training_is_its_twin():
    model = reformer(attention=KINDS, depth=5, dropout=0.3)
    assert_twin(model, batch_of(2, 19), STEP)


def test_padded_rows_are_their_twins():
    model = reformer(attention=KINDS, depth=5)
    batch = padded([tokens_of(1, 9)[0], tokens_of(1, 17)[0]], (8, 3), 21)
    assert_twin(model, batch)
    assert_twin(model, Batch(batch.tokens, None, batch.present))


@pytest.mark.parametrize("ff_chunks", [None, 2, 50])
def test_small_pieces_change_nothing(ff_chunks, monkeypatch):
    monkeypatch.setattr(attention, "_SCORES_AT_ONCE", 100)
    monkeypatch.setattr(block_attention, "_PIECE", 8)
    monkeypatch.setattr(hashing, "_SCORES_AT_ONCE", 64)
    monkeypatch.setattr(layers, "_FEED_FORWARD_AT_ONCE", 10)
    monkeypatch.setattr(layers, "_ATTENTION_AT_ONCE", 6)
    monkeypatch.setattr(loss, "_LOGITS_AT_ONCE", 100)
    model = reformer(attention=KINDS, depth=5, dropout=0.3, ff_chunks=ff_chunks, kept_mib=0)
    assert_twin(model, batch_of(2, 17), STEP)
    assert_twin(model, padded([tokens_of(1, 9)[0], tokens_of(1, 17)[0]], (8, 3), 21))


def test_logits_are_the_output_table_on_the_hidden_vectors():
    model = reformer()
    batch = batch_of(2, 11)
    assert model.hidden(batch).shape == (2, 11, 16)
    wanted = model.hidden(batch) @ model.output.weight.T + model.output.bias
    torch.testing.assert_close(model(batch), wanted, **CLOSE)


@pytest.mark.parametrize("tied_embeddings", [True, False])
def test_weights_can_be_kept_and_read_again(tied_embeddings):
    model = reformer(tied_embeddings=tied_embeddings, shared_layers=True, depth=3)
    kept = save({name: weight.detach() for name, weight in model.named_parameters()})
    other = reformer(tied_embeddings=tied_embeddings, shared_layers=True, depth=3, weights=1)
    assert not other(batch_of(1, 9)).equal(model(batch_of(1, 9)))
    other.load_state_dict(load(kept), strict=False)
    assert other(batch_of(1, 9)).equal(model(batch_of(1, 9)))


def test_hashing_switched_off_uses_the_same_weights():
    """One bucket and a window over all: full attention, by the weights of any kind."""
    lsh = reformer(attention=("lsh",), buckets=1, bucket_size=64)
    full = reformer(attention=("full",))
    full.load_state_dict(lsh.state_dict())
    batch = batch_of(2, 29)
    torch.testing.assert_close(lsh(batch), full(batch), **CLOSE)


@pytest.mark.slow
def test_a_long_text_is_its_twin():
    """At the sizes of the presets: pieces, blocks and buckets as they are."""
    model = reformer(
        attention=("lsh", "local"), length=1500, bucket_size=64, buckets=16, width=32, depth=2
    )
    assert_twin(model, batch_of(1, 1300))


@torch.no_grad()
def test_a_fresh_model_tells_tokens_apart_more_than_places() -> None:
    """Small streams made learning break off, and places as far apart as tokens made it slow."""
    model = ReformerLM(ReformerSettings(length=1024))
    tokens = model.embedding(torch.arange(4096)).std().item()
    places = model.positions(torch.arange(1024)).std().item()
    assert tokens == pytest.approx(0.02 * 256**0.5, rel=0.02)
    assert places == pytest.approx(tokens / 5, rel=0.1)

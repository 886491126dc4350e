"""The language model keeps the decoding protocol, and its caches change nothing."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.models.batch import Batch
from core.models.parts.hashing import hash_vectors
from core.models.parts.modules import SharedAttention
from core.models.reformer.attention import layer_rotations
from core.models.reformer.decoding import ReformerDecoder
from core.models.reformer.language_model import ReformerLM
from tests.helpers.reformers import EXACT, padded, reformer, tokens_of

START, END = (2, 7), 1
CACHED = (*EXACT, "local-chunk")
"""The kinds that can write token by token."""
LENGTHS = (9, 20, 1, 14, 0)


def sources_of(lengths: Sequence[int], seed: int = 0) -> list[list[int]]:
    return [tokens_of(1, length, seed=seed + at)[0].tolist() for at, length in enumerate(lengths)]


def recomputed(model: ReformerLM, texts: Sequence[Sequence[int]]) -> Tensor:
    """[N, V] log-probabilities after texts, of a forward pass over all of them."""
    lengths = [len(text) for text in texts]
    batch = padded([torch.tensor(text) for text in texts], [0] * len(texts), max(lengths))
    last = torch.tensor(lengths) - 1
    return model(batch)[torch.arange(len(texts)), last].log_softmax(-1)


class Rows:
    """Rows that are fed and reordered, with the whole text of each."""

    def __init__(self, lengths: Sequence[int], seed: int = 0, **changes: Any) -> None:
        self.model = reformer(**changes)
        self.decoder = ReformerDecoder(self.model, START, END)
        self.texts = sources_of(lengths, seed)
        self.state = self.decoder.begin(self.texts)

    def reorder(self, rows: Sequence[int]) -> None:
        self.state = self.decoder.reorder(self.state, torch.tensor(rows))
        self.texts = [list(self.texts[row]) for row in rows]

    def advance(self, tokens: Sequence[int]) -> Tensor:
        log_probs, self.state = self.decoder.advance(self.state, torch.tensor(tokens))
        assert log_probs.shape == (len(tokens), self.decoder.vocabulary_size)
        self.texts = [[*text, token] for text, token in zip(self.texts, tokens, strict=True)]
        room = [self.model.settings.length - len(text) for text in self.texts]
        assert self.decoder.room(self.state).tolist() == room
        return log_probs

    def advance_rightly(self, tokens: Sequence[int]) -> None:
        log_probs = self.advance(tokens)
        wanted = recomputed(self.model, self.texts)
        assert log_probs.dtype == wanted.dtype == torch.float64
        assert (log_probs - wanted).abs().max() < 1e-10
        log_probs.zero_()  # the caller's to write into

    def write_until_full(self, seed: int = 0) -> None:
        """Rows leave when they have no room."""
        chance = torch.Generator().manual_seed(seed)
        while rows := self.decoder.room(self.state).nonzero()[:, 0].tolist():
            if len(rows) < len(self.texts):
                self.reorder(rows)
            self.advance_rightly(torch.randint(0, 31, (len(rows),), generator=chance).tolist())


# --- the caches ---


@torch.no_grad()
@pytest.mark.parametrize("rounds", [1, 2, 4])
@pytest.mark.parametrize("kind", CACHED)
def test_cached_steps_equal_recomputation_at_every_step(kind: str, rounds: int) -> None:
    """To the model's last place: rings and buckets of 4 are overwritten many times."""
    Rows(LENGTHS, attention=(kind,), rounds=rounds).write_until_full()


@torch.no_grad()
@pytest.mark.parametrize(
    "changes",
    [
        {"attention": ("lsh", "local"), "depth": 3, "shared_layers": True},
        {"attention": ("full", "lsh", "local-chunk", "local"), "depth": 5},
        {"attention": ("lsh", "local"), "positions": "learned", "tied_embeddings": True},
        {"attention": ("lsh",), "axial_rows": 2, "rotations": "shared", "heads": 4},
        {"attention": ("lsh",), "buckets": 1, "rounds": 3},
        {"attention": CACHED, "depth": 4, "bucket_size": 1},
        {"attention": CACHED, "depth": 4, "bucket_size": 40, "buckets": 2},
        {"attention": ("lsh",), "buckets": 200, "bucket_size": 2, "width": 24, "heads": 3},
        {"attention": ("lsh", "local"), "vocabulary_size": 32, "feed_forward_width": 7},
    ],
    ids=str,
)
def test_whatever_the_model_is_made_of(changes: dict[str, Any]) -> None:
    Rows(LENGTHS, **changes).write_until_full()


MODELS = st.fixed_dictionaries(
    {
        "attention": st.lists(st.sampled_from(CACHED), min_size=1, max_size=3).map(tuple),
        "depth": st.integers(1, 3),
        "rounds": st.integers(1, 4),
        "buckets": st.sampled_from([1, 2, 4, 10]),
        "bucket_size": st.integers(1, 12),
        "shared_layers": st.booleans(),
        "weights": st.integers(0, 9),
    }
)


@torch.no_grad()
@settings(max_examples=60)
@given(st.data())
def test_rows_may_be_repeated_dropped_and_mixed_at_any_time(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(0, 20), min_size=1, max_size=4))
    rows = Rows(lengths, **data.draw(MODELS))
    for _ in range(data.draw(st.integers(1, 9))):
        if data.draw(st.booleans()):
            row = st.integers(0, len(rows.texts) - 1)
            rows.reorder(data.draw(st.lists(row, min_size=1, max_size=6)))
        num = len(rows.texts)
        rows.advance_rightly(data.draw(st.lists(st.integers(0, 30), min_size=num, max_size=num)))


@torch.no_grad()
@pytest.mark.parametrize("kind", CACHED)
def test_long_texts_outgrow_the_memory_they_began_with(kind: str) -> None:
    rows = Rows((300, 3), attention=(kind,), length=1200, bucket_size=40, buckets=6)
    fed = tokens_of(600, 2)
    found = torch.stack([rows.advance(tokens) for tokens in fed.tolist()], 1)
    for text, log_probs in zip(rows.texts, found, strict=True):
        wanted = rows.model(Batch(torch.tensor([text])))[0, -600:].log_softmax(-1)
        assert (log_probs - wanted).abs().max() < 1e-10


@torch.no_grad()
def test_single_precision_chooses_the_same_tokens() -> None:
    """Of a model whose tokens are far apart."""
    for weights in range(3):
        chosen = []
        for dtype in (torch.float64, torch.float32):
            rows = Rows(
                (40, 5), attention=("lsh", "local"), length=200, weights=weights, dtype=dtype
            )
            tokens, texts = [2, 2], list[list[int]]()
            for _ in range(150):
                log_probs = rows.advance(tokens)
                assert log_probs.dtype == dtype
                tokens = log_probs.argmax(-1).tolist()
                texts.append(tokens)
            chosen.append(texts)
        assert chosen[0] == chosen[1]
        assert len({token for tokens in chosen[0] for token in tokens}) > 5


@torch.no_grad()
@pytest.mark.parametrize(
    "changes", [{"buckets": 10}, {"buckets": 10, "rotations": "shared"}, {"buckets": 1}], ids=str
)
def test_a_position_alone_is_hashed_as_among_others(changes: dict[str, Any]) -> None:
    """In single precision, whatever the rest is in; so is a vector without a direction."""
    model = reformer(attention=("lsh",), rounds=3, dtype=torch.float32, **changes)
    attention = model.attention[0]
    assert isinstance(attention, SharedAttention)
    vectors = torch.randn(1, 500, 2, 8)
    vectors[0, 7] = 0
    buckets = model.settings.buckets
    rotations = layer_rotations(model.settings, 0).drawn(buckets, None)
    wanted = hash_vectors(vectors, rotations, buckets)  # [1, R, H, T]
    both = torch.stack((vectors[0], vectors[0]), 2)  # [T, H, 2, K]
    with torch.autocast("cpu", torch.bfloat16):
        found = model.kinds[0].cached(attention, 29).hash(both)  # [T, H, R]
    assert found.permute(2, 1, 0).equal(wanted[0].long())


class Work(TorchDispatchMode):
    """Counts the numbers that are made, by whatever operation; views make none."""

    def __init__(self) -> None:
        super().__init__()
        self.made = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for returned, tensor in zip(func._schema.returns, [out], strict=False):
            if returned.alias_info is None and isinstance(tensor, Tensor):
                self.made += tensor.numel()
        return out


@pytest.mark.parametrize("kind", CACHED)
def test_a_token_costs_the_same_after_any_length(kind: str) -> None:
    """But for full attention, which must show that the gauge sees something."""
    made = []
    for length in (200, 800):
        rows = Rows((length,), attention=(kind,), length=1200, bucket_size=8)
        rows.advance([2])
        with Work() as work:
            rows.decoder.advance(rows.state, torch.tensor([3]))
        made.append(work.made)
    assert (made[0] == made[1] > 0) == (kind != "full")


# --- texts ---


def test_a_text_ends_with_the_models_last_place() -> None:
    model = reformer(attention=("lsh", "local"))
    decoder = ReformerDecoder(model, START, model.settings.vocabulary_size)  # never ends itself
    sources = sources_of((29, 28, 27, 26, 20))
    texts = decode_at_once(decoder, sources, DecodingSettings(max_length=40, block_repeats=0))
    assert [len(text.ids) for text in texts] == [0, 0, 1, 2, 8]
    assert {text.ended for text in texts} == {"room"}


# --- what it refuses ---


def test_a_kind_that_looks_ahead_is_refused() -> None:
    with pytest.raises(EpitomeError) as caught:
        ReformerDecoder(reformer(attention=("local", "lsh-chunk")), START, END)
    assert caught.value.message == (
        "Layer 2 has attention of the kind “lsh-chunk”, which cannot write token by token: "
        "which positions it sees changes with those that follow."
    )
    assert caught.value.remedy == "Use the kind “lsh”, which takes the same weights."

"""The Transformer keeps the decoding protocol, and its caches change nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Decoded
from core.errors import EpitomeError
from core.models.batch import Batch
from core.models.transformer.decoding import TransformerDecoder
from core.models.transformer.model import Transformer
from tests.helpers import decoding_twin
from tests.helpers.reformers import padded, tokens_of
from tests.helpers.transformers import DECODER_KINDS, ENCODER_KINDS, plain_twin, transformer

START, END = (2, 7), 1
LENGTHS = (9, 23, 1, 14)
MODELS: tuple[dict[str, Any], ...] = (
    {},
    {"decoder_attention": ("light-convolution",), "norm": "post"},
    {"decoder_attention": ("memory-compressed",)},
    {"decoder_attention": DECODER_KINDS, "decoder_depth": 3, "kernel_size": 5, "compression": 4,
     "encoder_attention": ENCODER_KINDS, "encoder_depth": 5, "shortening": 4},
    {"smear": True, "pointer": True, "encoder_depth": 1, "decoder_depth": 1},
)  # fmt: skip
Text = tuple[list[int], list[int]]
"""What a row has read, and what it was fed."""


def sources_of(lengths: Sequence[int], seed: int = 0) -> list[list[int]]:
    return [tokens_of(1, length, seed=seed + at)[0].tolist() for at, length in enumerate(lengths)]


def decodable(**changes: Any) -> tuple[Transformer, TransformerDecoder]:
    model = transformer(**changes)
    with torch.no_grad():
        model.output.bias[END] += 1  # so that some texts end
    return model, TransformerDecoder(model, START, END)


def recomputed(model: Transformer, texts: Sequence[Text]) -> Tensor:
    """[N, V] log-probabilities after what was fed, of a forward pass over all of it."""
    sources = [torch.tensor(source) for source, _ in texts]
    source = padded(sources, [0] * len(texts), max(map(len, sources)))
    logits = model(source, Batch(torch.tensor([fed for _, fed in texts])))
    log_probs: Tensor = logits[:, -1].log_softmax(-1)
    return log_probs


class Rows:
    """Rows that are fed and reordered, with what each has read and was fed."""

    def __init__(self, lengths: Sequence[int], **changes: Any) -> None:
        self.model, self.decodable = decodable(**changes)
        self.texts = [(source, list[int]()) for source in sources_of(lengths)]
        self.state = self.decodable.begin([source for source, _ in self.texts])

    def reorder(self, rows: Sequence[int]) -> None:
        self.state = self.decodable.reorder(self.state, torch.tensor(rows))
        self.texts = [(self.texts[row][0], list(self.texts[row][1])) for row in rows]

    def advance(self, tokens: Sequence[int]) -> None:
        log_probs, self.state = self.decodable.advance(self.state, torch.tensor(tokens))
        assert log_probs.shape == (len(tokens), 31)
        assert log_probs.dtype == torch.float64
        for (_, fed), token in zip(self.texts, tokens, strict=True):
            fed.append(token)
        assert (log_probs - recomputed(self.model, self.texts)).abs().max() < 1e-10
        log_probs.zero_()  # the caller's to write into
        room = self.model.settings.target_length - len(self.texts[0][1])
        assert self.decodable.room(self.state).tolist() == [room] * len(tokens)


@settings(max_examples=30, deadline=None)
@given(st.data())
@torch.no_grad()
def test_cached_steps_equal_recomputation_whatever_the_rows_do(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(1, 23), min_size=1, max_size=4))
    rows = Rows(lengths, **data.draw(st.sampled_from(MODELS)))
    for _ in range(data.draw(st.integers(1, 6))):
        if data.draw(st.booleans()):
            row = st.integers(0, len(rows.texts) - 1)
            rows.reorder(data.draw(st.lists(row, min_size=1, max_size=6)))
        num = len(rows.texts)
        rows.advance(data.draw(st.lists(st.integers(0, 30), min_size=num, max_size=num)))


@pytest.mark.parametrize("changes", MODELS, ids=str)
@torch.no_grad()
def test_the_last_place_can_be_fed(changes: dict[str, Any]) -> None:
    rows = Rows((23, 3), **changes)
    for step in range(17):
        rows.advance([step, 30 - step])
    assert rows.decodable.room(rows.state).tolist() == [0, 0]


@torch.no_grad()
@pytest.mark.parametrize("kept", [[0, 2], [2, 0, 0], [1], [3, 3, 3]])
def test_rows_may_leave_before_anything_is_fed(kept: list[int]) -> None:
    rows = Rows(LENGTHS)
    rows.reorder(kept)
    rows.advance(list(range(len(kept))))


def test_a_source_is_read_once_and_kept_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model, writer = decodable()
    calls, encode = [], model.encode
    monkeypatch.setattr(model, "encode", lambda source: calls.append(source) or encode(source))
    state = writer.begin(sources_of(LENGTHS))
    first = state.offered
    for rows in ([0, 0, 1, 2, 2, 2, 3], [6, 5, 4, 3, 2, 1], [0, 3, 4, 5]):
        state = writer.reorder(state, torch.tensor(rows))
        assert state.offered is first
        _, state = writer.advance(state, torch.tensor(rows))
    state = writer.reorder(state, torch.tensor([2, 1]))
    assert state.offered.shape[2] == 2  # what nobody reads any more is gone
    assert len(calls) == 1


def test_numbers_of_half_precision_come_out_as_float32() -> None:
    _, writer = decodable(dtype=torch.bfloat16, **MODELS[3])
    state = writer.begin(sources_of(LENGTHS))
    for token in (2, 7):
        log_probs, state = writer.advance(state, torch.full((4,), token))
        assert log_probs.dtype == torch.float32 and not log_probs.requires_grad
        torch.testing.assert_close(log_probs.exp().sum(1), torch.ones(4))


@dataclass(frozen=True)
class Recomputing:
    """Keeps the protocol too, and remembers nothing but what each row read and was fed."""

    model: Transformer
    vocabulary_size: int = 31
    start_ids: tuple[int, ...] = START
    end_id: int = END

    def begin(self, sources: Sequence[Sequence[int]]) -> list[Text]:
        return [(list(source), []) for source in sources]

    def advance(self, state: list[Text], tokens: Tensor) -> tuple[Tensor, list[Text]]:
        new = [
            (source, [*fed, token])
            for (source, fed), token in zip(state, tokens.tolist(), strict=True)
        ]
        return recomputed(self.model, new), new

    def reorder(self, state: list[Text], rows: Tensor) -> list[Text]:
        return [state[row] for row in rows.tolist()]

    def room(self, state: list[Text]) -> Tensor:
        return torch.tensor([self.model.settings.target_length - len(fed) for _, fed in state])


WAYS: list[dict[str, Any]] = [
    {"max_length": 30},
    {"beams": 3, "max_length": 9, "block_repeats": 2, "length_penalty": 2.0},
    {"beams": 5, "max_length": 12, "block_repeats": 0, "end_of_search": "full"},
]


def texts_of(
    values: dict[str, Any], changes: dict[str, Any], weights: int, *, cached: bool = True
) -> list[Decoded]:
    """What the cached model writes, or what the recomputing one does."""
    model, writer = decodable(weights=weights, **changes)
    sources = sources_of(LENGTHS, seed=10 * weights)
    return decode_at_once(
        writer if cached else Recomputing(model), sources, DecodingSettings(**values)
    )


@pytest.mark.parametrize("changes", MODELS, ids=str)
@pytest.mark.parametrize("values", WAYS, ids=str)
def test_texts_equal_those_of_recomputation(
    values: dict[str, Any], changes: dict[str, Any]
) -> None:
    for weights in range(2):
        texts, expected = (
            texts_of(values, changes, weights, cached=cached) for cached in (True, False)
        )
        for text, other in zip(texts, expected, strict=True):
            assert (text.ids, text.ended) == (other.ids, other.ended)
            assert text.normalised == pytest.approx(other.normalised, abs=1e-9)


def test_the_texts_compared_are_of_many_kinds() -> None:
    """So that the test above compares more than empty and endless texts."""
    ways = [(values, changes, seed) for values in WAYS for changes in MODELS for seed in range(2)]
    texts = [text for way in ways for text in texts_of(*way)]
    assert {text.ended for text in texts} == {"end", "length", "room"}
    assert len({text.ids for text in texts}) > len(texts) / 2
    assert len({len(text.ids) for text in texts}) >= 5


@torch.no_grad()
def test_greedy_texts_equal_those_of_the_plain_twins() -> None:
    """The model's twin under the twin of decoding: nothing of `core` in what is expected."""
    model, writer = decodable(weights=1, **MODELS[2])
    sources = sources_of((9, 1, 14), seed=10)
    twin = plain_twin(model)
    texts = decode_at_once(writer, sources, DecodingSettings(max_length=8, block_repeats=2))
    for text, source in zip(texts, sources, strict=True):
        memory = twin.memory(source, range(len(source)))

        def next_log_probs(ids, memory=memory):  # type: ignore[no-untyped-def]
            return twin.logits(memory, ids, range(len(ids)))[-1].log_softmax(-1).tolist()

        ids, score, ended = decoding_twin.greedy(
            decoding_twin.Task(next_log_probs, START, END, 8, 17, 0, 2)
        )
        assert (text.ids, text.ended) == (ids, ended)
        assert text.score == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize("beams", [1, 3])
def test_a_batch_is_written_as_each_alone(beams: int) -> None:
    _, writer = decodable(weights=2, **MODELS[3])
    sources = sources_of(LENGTHS)
    wanted = DecodingSettings(beams=beams, max_length=17)
    alone = [decode_at_once(writer, [source], wanted)[0].ids for source in sources]
    assert [text.ids for text in decode_at_once(writer, sources, wanted)] == alone


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([], "Text 2 has no tokens; one or more are needed."),
        ([5] * 24, "Text 2 has 24 tokens; this model reads up to 23."),
    ],
)
def test_a_source_it_cannot_read_is_refused(source: list[int], message: str) -> None:
    _, writer = decodable()
    with pytest.raises(EpitomeError) as caught:
        writer.begin([[5] * 23, source])
    assert caught.value.message == message

"""The language model keeps the decoding protocol, and its caches change nothing."""

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
from core.errors import EpitomeError
from core.models.batch import Batch
from core.models.language_model.decoding import LanguageModelDecoder
from core.models.language_model.model import LanguageModel
from tests.helpers import decoding_twin
from tests.helpers.language_models import DIVIDER, continued, language_model, pairs_of, twin_of

END = 1
LENGTHS = (9, 23, 1, 14)
MODELS: tuple[dict[str, Any], ...] = (
    {},
    {"norm": "post", "source_embeddings": "none"},
    {"smear": True, "pointer": True},
)
Read = tuple[list[int], list[int]]
"""What a row has read, and what it was fed."""


def sources_of(lengths: Sequence[int], seed: int = 0) -> list[list[int]]:
    return [article for article, _ in pairs_of(*((each, 0) for each in lengths), seed=seed)]


def decodable(**changes: Any) -> tuple[LanguageModel, LanguageModelDecoder]:
    model = language_model(**changes)
    with torch.no_grad():
        model.output.bias[END] += 1  # so that some texts end
    return model, LanguageModelDecoder(model, (DIVIDER,), END)


def recomputed(model: LanguageModel, texts: Sequence[Read]) -> Tensor:
    """[N, V] log-probabilities after what was fed, of a forward pass over all of it."""
    found = []
    for source, fed in texts:
        text = continued(source, fed)
        parts = (torch.tensor([part]) for part in (text.tokens, text.places, text.segments))
        tokens, places, segments = parts
        found.append(model(Batch(tokens, positions=places, segments=segments))[0, -1])
    log_probs: Tensor = torch.stack(found).log_softmax(-1)
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
        room = [29 - len(source) - len(fed) for source, fed in self.texts]
        assert self.decodable.room(self.state).tolist() == room


@settings(max_examples=30, deadline=None)
@given(st.data())
@torch.no_grad()
def test_cached_steps_equal_recomputation_whatever_the_rows_do(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(0, 23), min_size=1, max_size=4))
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
    rows = Rows((19, 3), **changes)
    for step in range(10):
        rows.advance([step, 30 - step])
    assert rows.decodable.room(rows.state).tolist() == [0, 16]


def test_numbers_of_half_precision_come_out_as_float32() -> None:
    _, writer = decodable(dtype=torch.bfloat16)
    state = writer.begin(sources_of(LENGTHS))
    for token in (2, 7):
        log_probs, state = writer.advance(state, torch.full((4,), token))
        assert log_probs.dtype == torch.float32 and not log_probs.requires_grad
        torch.testing.assert_close(log_probs.exp().sum(1), torch.ones(4))


@dataclass(frozen=True)
class Recomputing:
    """Keeps the protocol too, and remembers nothing but what each row read and was fed."""

    model: LanguageModel
    vocabulary_size: int = 31
    start_ids: tuple[int, ...] = (DIVIDER,)
    end_id: int = END

    def begin(self, sources: Sequence[Sequence[int]]) -> list[Read]:
        return [(list(source), []) for source in sources]

    def advance(self, state: list[Read], tokens: Tensor) -> tuple[Tensor, list[Read]]:
        new = [
            (source, [*fed, token])
            for (source, fed), token in zip(state, tokens.tolist(), strict=True)
        ]
        return recomputed(self.model, new), new

    def reorder(self, state: list[Read], rows: Tensor) -> list[Read]:
        return [state[row] for row in rows.tolist()]

    def room(self, state: list[Read]) -> Tensor:
        return torch.tensor([29 - len(source) - len(fed) for source, fed in state])


@pytest.mark.parametrize("changes", MODELS, ids=str)
@pytest.mark.parametrize(
    "values", [{"max_length": 12}, {"beams": 3, "max_length": 9, "block_repeats": 2}], ids=str
)
def test_texts_equal_those_of_recomputation(
    values: dict[str, Any], changes: dict[str, Any]
) -> None:
    for weights in range(2):
        model, writer = decodable(weights=weights, **changes)
        sources, how = sources_of(LENGTHS, seed=10 * weights), DecodingSettings(**values)
        texts = decode_at_once(writer, sources, how)
        expected = decode_at_once(Recomputing(model), sources, how)
        for text, other in zip(texts, expected, strict=True):
            assert (text.ids, text.ended) == (other.ids, other.ended)
            assert text.normalised == pytest.approx(other.normalised, abs=1e-9)


@torch.no_grad()
def test_greedy_texts_with_trigram_blocking_equal_the_plain_twins() -> None:
    """The model's twin under the twin of decoding: nothing of `core` in what is expected."""
    model, writer = decodable(weights=1, depth=1)
    sources, twin = sources_of((9, 1), seed=10), twin_of(model)
    texts = decode_at_once(writer, sources, DecodingSettings(max_length=6, block_repeats=3))
    for text, source in zip(texts, sources, strict=True):

        def next_log_probs(ids, source=source):  # type: ignore[no-untyped-def]
            return twin.logits(continued(source, ids))[-1].log_softmax(-1).tolist()

        room = 29 - len(source)
        ids, score, ended = decoding_twin.greedy(
            decoding_twin.Task(next_log_probs, (DIVIDER,), END, 6, room, 0, 3)
        )
        assert (text.ids, text.ended) == (ids, ended)
        assert text.score == pytest.approx(score, abs=1e-9)


def test_a_batch_is_written_as_each_alone() -> None:
    _, writer = decodable(weights=2)
    sources = sources_of(LENGTHS)
    wanted = DecodingSettings(beams=3, max_length=17)
    alone = [decode_at_once(writer, [source], wanted)[0].ids for source in sources]
    assert [text.ids for text in decode_at_once(writer, sources, wanted)] == alone


def test_a_source_it_cannot_read_is_refused() -> None:
    _, writer = decodable()
    with pytest.raises(EpitomeError) as caught:
        writer.begin([[5] * 29, [5] * 30])
    assert caught.value.message == "Text 2 has 30 tokens; this model reads up to 29."

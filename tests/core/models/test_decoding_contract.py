"""Every family keeps the decoding protocol, and its caches change nothing."""

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Decoded
from core.errors import EpitomeError
from core.models.settings import PairSettings
from tests.helpers.decoding_rows import WRITERS, Recomputing, Rows, Writer, num_left
from tests.helpers.transformers import DECODER_KINDS, ENCODER_KINDS

COPYING: dict[str, Any] = {"smear": True, "pointer": True}
MODELS: dict[str, tuple[dict[str, Any], ...]] = {
    "reformer": (
        {"attention": ("lsh", "local")},
        {"attention": ("full", "lsh", "local-chunk", "local"), "depth": 4, "shared_layers": True},
        {"attention": ("local", "lsh"), **COPYING},
    ),
    "reformer-encoder-decoder": (
        {},
        {"encoder_attention": ("local",), "shared_layers": True},
        COPYING | {"tied_embeddings": False},
    ),
    "transformer": (
        {},
        {"decoder_attention": ("light-convolution",), "norm": "post"},
        {"decoder_attention": ("memory-compressed",)},
        {"decoder_attention": DECODER_KINDS, "decoder_depth": 3, "kernel_size": 5,
         "compression": 4, "encoder_attention": ENCODER_KINDS, "encoder_depth": 5,
         "shortening": 4},
        COPYING | {"encoder_depth": 1, "decoder_depth": 1},
    ),
    "language-model": (
        {},
        {"norm": "post", "source_embeddings": "none"},
        COPYING,
    ),
}  # fmt: skip
EACH = pytest.mark.parametrize("name", WRITERS)
EACH_MODEL = pytest.mark.parametrize(
    ("name", "changes"), [(name, each) for name, several in MODELS.items() for each in several]
)
WAYS: list[dict[str, Any]] = [
    {"max_length": 30},
    {"max_length": 9, "min_length": 4, "block_repeats": 2},
    {"beams": 3, "max_length": 9, "length_penalty": 2.0, "end_of_search": "certain"},
    {"beams": 5, "max_length": 12, "block_repeats": 0, "end_of_search": "full"},
]


@EACH
@settings(max_examples=20, deadline=None)
@given(st.data())
@torch.no_grad()
def test_cached_steps_equal_recomputation_whatever_the_rows_do(
    name: str, data: st.DataObject
) -> None:
    lengths = data.draw(st.lists(st.integers(1, 20), min_size=1, max_size=4))
    rows = Rows(WRITERS[name], lengths, **data.draw(st.sampled_from(MODELS[name])))
    for _ in range(data.draw(st.integers(1, 6))):
        if data.draw(st.booleans()):
            row = st.integers(0, len(rows.texts) - 1)
            rows.reorder(data.draw(st.lists(row, min_size=1, max_size=6)))
        num = len(rows.texts)
        rows.advance(data.draw(st.lists(st.integers(0, 30), min_size=num, max_size=num)))


@EACH_MODEL
@torch.no_grad()
def test_the_last_place_can_be_fed(name: str, changes: dict[str, Any]) -> None:
    rows = Rows(WRITERS[name], (19, 3), **changes)
    left = num_left(rows.model, rows.texts[0])
    for step in range(left):
        rows.advance([step, 30 - step])
    assert rows.decoder.room(rows.state)[0] == 0


@EACH
@pytest.mark.parametrize("kept", [[0, 2], [2, 0, 0], [1], [3, 3, 3]])
@torch.no_grad()
def test_rows_may_leave_before_anything_is_fed(name: str, kept: list[int]) -> None:
    rows = Rows(WRITERS[name], WRITERS[name].lengths)
    rows.reorder(kept)
    rows.advance(list(range(len(kept))))


@EACH
@pytest.mark.parametrize("mixed", [False, True])
def test_numbers_of_half_precision_come_out_as_float32(name: str, mixed: bool) -> None:
    writer = WRITERS[name]
    model, decoder = writer.open(dtype=torch.bfloat16, **MODELS[name][-1])
    decoder = writer.decoder(model.float(), writer.start_ids, 1) if mixed else decoder
    sources = writer.sources(writer.lengths, 0)
    with torch.autocast("cpu", torch.bfloat16, enabled=mixed):
        state = decoder.begin(sources)
        for token in (2, 7):
            log_probs, state = decoder.advance(state, torch.full((len(sources),), token))
    assert log_probs.dtype == torch.float32 and not log_probs.requires_grad
    torch.testing.assert_close(log_probs.exp().sum(1), torch.ones(len(sources)))


def texts_of(
    writer: Writer, changes: dict[str, Any], values: dict[str, Any], weights: int, *, cached: bool
) -> list[Decoded]:
    """What the cached model writes, or what the recomputing one does."""
    model, decoder = writer.open(weights=weights, **changes)
    sources = writer.sources(writer.lengths, 10 * weights)
    writing = decoder if cached else Recomputing(writer, model)
    return decode_at_once(writing, sources, DecodingSettings(**values))


@EACH_MODEL
def test_texts_equal_those_of_recomputation(name: str, changes: dict[str, Any]) -> None:
    for number, values in enumerate(WAYS):
        case = WRITERS[name], changes, values, number % 2
        texts, expected = (texts_of(*case, cached=cached) for cached in (True, False))
        for text, other in zip(texts, expected, strict=True):
            assert (text.ids, text.ended) == (other.ids, other.ended)
            assert text.normalised == pytest.approx(other.normalised, abs=1e-9)


@EACH
def test_the_texts_compared_are_of_many_kinds(name: str) -> None:
    """So that the test above compares more than empty and endless texts."""
    texts = [
        text
        for changes in MODELS[name]
        for number, values in enumerate(WAYS)
        for text in texts_of(WRITERS[name], changes, values, number % 2, cached=True)
    ]
    assert {text.ended for text in texts} == {"end", "length", "room"}
    assert len({text.ids for text in texts}) > len(texts) / 2
    assert len({len(text.ids) for text in texts}) >= 5


@EACH
@pytest.mark.parametrize("beams", [1, 3])
def test_a_batch_is_written_as_each_alone(name: str, beams: int) -> None:
    writer = WRITERS[name]
    _, decoder = writer.open(weights=2, **MODELS[name][-1])
    sources = writer.sources(writer.lengths, 0)
    how = DecodingSettings(beams=beams, max_length=12)
    alone = [decode_at_once(decoder, [source], how)[0].ids for source in sources]
    assert [text.ids for text in decode_at_once(decoder, sources, how)] == alone


@EACH
def test_a_source_it_cannot_read_is_refused(name: str) -> None:
    model, decoder = WRITERS[name].open()
    is_pair = isinstance(model.settings, PairSettings)
    longest = 23 if is_pair else 29
    with pytest.raises(EpitomeError) as caught:
        decoder.begin([[5] * longest, [5] * (longest + 1)])
    assert caught.value.message == (
        f"Text 2 has {longest + 1} tokens; this model reads up to {longest}."
    )
    assert caught.value.remedy == "Split it, or choose a model that reads more."
    if is_pair:
        with pytest.raises(EpitomeError) as caught:
            decoder.begin([[5], []])
        assert caught.value.message == "Text 2 has no tokens; one or more are needed."
        assert caught.value.remedy == "Leave it out."

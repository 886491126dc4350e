"""What a Transformer keeps while it writes, and its texts beside those of its twin."""

import pytest
import torch

from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from tests.helpers import decoding_twin
from tests.helpers.decoding_rows import END, WRITERS
from tests.helpers.transformers import plain_twin

WRITER = WRITERS["transformer"]


def test_a_source_is_read_once_and_kept_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model, writer = WRITER.open()
    calls, encode = [], model.encode
    monkeypatch.setattr(model, "encode", lambda source: calls.append(source) or encode(source))
    state = writer.begin(WRITER.sources(WRITER.lengths, 0))
    first = state.offered
    for rows in ([0, 0, 1, 2, 2, 2, 3], [6, 5, 4, 3, 2, 1], [0, 3, 4, 5]):
        state = writer.reorder(state, torch.tensor(rows))
        assert state.offered is first
        _, state = writer.advance(state, torch.tensor(rows))
    state = writer.reorder(state, torch.tensor([2, 1]))
    assert state.offered.shape[2] == 2  # what nobody reads any more is gone
    assert len(calls) == 1


@torch.no_grad()
def test_greedy_texts_equal_those_of_the_plain_twins() -> None:
    """The model's twin under the twin of decoding: nothing of `core` in what is expected."""
    model, writer = WRITER.open(weights=1, decoder_attention=("memory-compressed",))
    sources = WRITER.sources((9, 1, 14), 10)
    twin = plain_twin(model)
    texts = decode_at_once(writer, sources, DecodingSettings(max_length=8, block_repeats=2))
    for text, source in zip(texts, sources, strict=True):
        memory = twin.memory(source, range(len(source)))

        def next_log_probs(ids, memory=memory):  # type: ignore[no-untyped-def]
            return twin.logits(memory, ids, range(len(ids)))[-1].log_softmax(-1).tolist()

        ids, score, ended = decoding_twin.greedy(
            decoding_twin.Task(next_log_probs, WRITER.start_ids, END, 8, 17, 0, 2)
        )
        assert (text.ids, text.ended) == (ids, ended)
        assert text.score == pytest.approx(score, abs=1e-9)

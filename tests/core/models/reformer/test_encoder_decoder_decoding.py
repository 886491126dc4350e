"""What an encoder-decoder keeps while it writes, and its texts beside those of its twin."""

import pytest
import torch

from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from core.models.batch import Batch
from tests.helpers import decoding_twin
from tests.helpers.decoding_rows import END, WRITERS
from tests.helpers.encoder_decoders import plain_twin

WRITER = WRITERS["reformer-encoder-decoder"]


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


def test_nothing_is_moved_while_tokens_are_fed() -> None:
    _, writer = WRITER.open()
    state = writer.begin(WRITER.sources(WRITER.lengths, 0))
    place, size = state.written.data_ptr(), state.written.shape
    for token in range(17):
        log_probs, state = writer.advance(state, torch.full((4,), token))
        assert not log_probs.requires_grad
    assert (state.written.data_ptr(), state.written.shape) == (place, size)


@torch.no_grad()
def test_greedy_texts_equal_those_of_the_plain_twins() -> None:
    """The model's twin under the twin of decoding: nothing of `core` in what is expected."""
    model, writer = WRITER.open(weights=1)
    sources = WRITER.sources(WRITER.lengths, 10)
    wanted = DecodingSettings(max_length=12, block_repeats=2)
    twin = plain_twin(model, (Batch(torch.tensor(sources[:1])),) * 2, 0)
    for text, source in zip(decode_at_once(writer, sources, wanted), sources, strict=True):
        there, places = [True] * len(source), range(len(source))
        memories = [twin.memory(source, there, places)] * 2

        def next_log_probs(ids, memories=memories, there=there):
            now = list(ids), [True] * len(ids), range(len(ids))
            return twin.logits(memories, there, *now)[-1].log_softmax(-1).tolist()

        task = decoding_twin.Task(next_log_probs, WRITER.start_ids, END, 12, 17, 0, 2)
        ids, score, ended = decoding_twin.greedy(task)
        assert (text.ids, text.ended) == (ids, ended)
        assert text.score == pytest.approx(score, abs=1e-9)

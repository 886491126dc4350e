"""Texts of a language model beside those of its twin."""

import pytest
import torch

from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from tests.helpers import decoding_twin
from tests.helpers.decoding_rows import END, WRITERS
from tests.helpers.language_models import DIVIDER, continued, twin_of


@torch.no_grad()
def test_greedy_texts_with_trigram_blocking_equal_the_plain_twins() -> None:
    """The model's twin under the twin of decoding: nothing of `core` in what is expected."""
    model, writer = WRITERS["language-model"].open(weights=1, depth=1)
    sources, twin = WRITERS["language-model"].sources((9, 1), 10), twin_of(model)
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

"""A model of transformers keeps the decoding protocol, and its cache changes nothing."""

from typing import Any

import pytest
import torch
from torch import Tensor

from core.errors import EpitomeError
from core.models.hugging_face.decoding import HuggingFaceDecoder
from tests.helpers.tiny_bart import END, decoder_of, padded, sources_of, tiny_bart


def recomputed(model: Any, sources: list[list[int]], fed: Tensor) -> Tensor:
    """[N, V] log-probabilities after what was fed, [N, T], of a forward pass without a cache."""
    tokens, present = padded(sources)
    output = model(input_ids=tokens, attention_mask=present, decoder_input_ids=fed, use_cache=False)
    log_probs: Tensor = output.logits[:, -1].log_softmax(-1)
    return log_probs


@pytest.mark.parametrize("seed", range(4))
@torch.no_grad()
def test_cached_steps_equal_recomputation_whatever_the_rows_do(seed: int) -> None:
    model = decoder_of(tiny_bart(seed).double())
    sources, chance = sources_of(seed), torch.Generator().manual_seed(seed)
    state = model.begin(sources)
    reading, fed = list(range(len(sources))), torch.empty(len(sources), 0, dtype=torch.int64)
    for rows in ([0, 1, 2, 3], [2, 2, 0, 1, 3, 1], [5, 4, 3, 3, 3], [0, 1, 2, 3, 4], [4, 2], [1]):
        picked = torch.tensor(rows)
        state, fed, reading = (
            model.reorder(state, picked),
            fed[picked],
            [reading[at] for at in rows],
        )
        for _ in range(2):
            tokens = torch.randint(3, 40, (len(rows),), generator=chance)
            fed = torch.cat([fed, tokens[:, None]], 1)
            log_probs, state = model.advance(state, tokens)
            expected = recomputed(model.model, [sources[at] for at in reading], fed)
            assert log_probs.dtype == torch.float64
            assert (log_probs - expected).abs().max() < 1e-10
            assert model.room(state).tolist() == [48 - fed.shape[1]] * len(rows)


def test_numbers_of_half_precision_come_out_as_float32() -> None:
    model = decoder_of(tiny_bart(0).to(torch.bfloat16))
    with torch.no_grad():
        log_probs, _ = model.advance(model.begin([[5, 6, 7]]), torch.tensor([2]))
    assert log_probs.dtype == torch.float32
    assert log_probs.exp().sum().item() == pytest.approx(1, abs=1e-5)


@torch.no_grad()
def test_writing_drops_nothing_and_leaves_the_model_in_its_mode() -> None:
    model = tiny_bart(0)
    model.train()
    model.model.encoder.layers[0].eval()  # of which somebody wants no dropout
    modes = [module.training for module in model.modules()]
    decoder, before = decoder_of(model), torch.get_rng_state()
    first, again = (decoder.advance(decoder.begin([[5, 6]]), torch.tensor([2]))[0] for _ in "ab")
    assert first.equal(again)
    assert [module.training for module in model.modules()] == modes
    assert torch.get_rng_state().equal(before)


@torch.no_grad()
def test_sources_get_the_frame_that_the_model_knows() -> None:
    model = tiny_bart(0)
    framed = HuggingFaceDecoder(model, (2,), END, before=(0,), after=(END,))
    bare = HuggingFaceDecoder(model, (2,), END)
    a = framed.advance(framed.begin([[5, 6]]), torch.tensor([2]))[0]
    b = bare.advance(bare.begin([[0, 5, 6, END]]), torch.tensor([2]))[0]
    assert a.equal(b)
    with pytest.raises(EpitomeError, match="Text 1 has 49 tokens"):
        framed.begin([[5] * 47])


@pytest.mark.parametrize(
    ("source", "message", "remedy"),
    [
        ([], "Text 2 has no tokens; one or more are needed.", "Leave it out."),
        (
            [5] * 49,
            "Text 2 has 49 tokens; this model reads up to 48.",
            "Split it, or choose a model that reads more.",
        ),
    ],
)
def test_a_source_it_cannot_read_is_refused(source: list[int], message: str, remedy: str) -> None:
    with pytest.raises(EpitomeError) as caught:
        decoder_of(tiny_bart(0)).begin([[5] * 48, source])
    assert (caught.value.message, caught.value.remedy) == (message, remedy)

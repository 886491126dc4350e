"""Rows of a batch do not depend on their neighbours, whatever the family and the lengths."""

from pathlib import Path
from typing import Any

import pytest
import torch

from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from core.models.batch import NO_LOSS, Batch, PairBatch
from core.models.hugging_face.model import HuggingFaceModel
from core.models.parts.randomness import Randomness
from tests.core.models.hugging_face.test_families import opened, padded
from tests.helpers.library_folders import FAMILIES, OTHERS, chat_folder, library_folder

LENGTHS = (70, 3, 24, 50, 8, 33, 50)
SOURCES = [list(range(20 + n, 20 + n + length)) for n, length in enumerate(LENGTHS)]
SPARSE = {"attention_type": "block_sparse", "block_size": 4, "num_random_blocks": 1}
LONG = {
    "rope_type": "longrope", "short_factor": [1.0] * 4, "long_factor": [8.0] * 4,
    "rope_theta": 10000.0,
}  # fmt: skip
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    **{family: (family, {}) for family in (*FAMILIES, *OTHERS)},
    "sparse BigBird": ("bigbird_pegasus", SPARSE),
    "sparse BigBird, more random blocks": ("bigbird_pegasus", SPARSE | {"num_random_blocks": 2}),
    "LED with two windows": ("led", {"attention_window": [8, 16]}),
    "local LongT5": ("longt5", {"encoder_attention_type": "local", "local_radius": 7}),
    "PEGASUS-X in small blocks": ("pegasus_x", {"block_size": 8, "stagger_local_blocks": True}),
}
CHATS: dict[str, tuple[str, dict[str, Any]]] = {
    "Llama": ("Llama", {}),
    "Phi-3": ("Phi3", {}),
    "Phi-3 for long texts": (
        "Phi3",
        {"rope_parameters": LONG, "original_max_position_embeddings": 45},
    ),
    "Bloom": ("Bloom", {}),
    "GPT-NeoX": ("GPTNeoX", {}),
    "OPT": ("OPT", {"word_embed_proj_dim": 16}),
    "a BART without encoder": ("Bart", {"d_model": 16, "decoder_layers": 2, "init_std": 0.8}),
}


def folder_of(variant: str, place: Path, **more: Any) -> Path:
    if variant in CHATS:
        prefix, config = CHATS[variant]
        return chat_folder(place, prefix=prefix, **config, **more)
    family, config = VARIANTS[variant]
    return library_folder(family, place, **config, **more)


def pairs(sources: list[list[int]], pad: int, width: int = 0) -> PairBatch:
    """Sources with a text of three tokens for each, padded to a width."""
    tokens, there = padded([*sources, [pad] * max(1, width)], pad)
    targets = torch.tensor([[20 + n % 5, 21, 22] for n in range(len(sources))])
    return PairBatch(
        Batch(tokens[:-1], present=there[:-1].bool()), Batch(targets, targets.roll(-1, 1))
    )


@pytest.mark.parametrize("variant", [*VARIANTS, *CHATS])
@torch.no_grad()
def test_a_row_is_computed_as_if_it_were_alone(variant: str, tmp_path: Path) -> None:
    model, _, decoder = opened(folder_of(variant, tmp_path / "model"))
    pad = model.settings._token("pad_token_id")
    together = model(pairs(SOURCES, pad, width=80))
    for row, source in enumerate(SOURCES):
        single = pairs([source], pad)
        single.target.tokens[0, 0] = 20 + row % 5
        torch.testing.assert_close(model(single)[0], together[row], rtol=1e-3, atol=2e-3)
    for wanted in (
        DecodingSettings(max_length=6, min_length=6, block_repeats=0),
        DecodingSettings(max_length=6, beams=3, length_penalty=0.6, block_repeats=0),
    ):
        texts = decode_at_once(decoder, SOURCES, wanted)
        for source, text in zip(SOURCES, texts, strict=True):
            assert decode_at_once(decoder, [source], wanted)[0].ids == text.ids


@pytest.mark.parametrize("checkpointing", [False, True])
def test_gradients_of_sparse_attention_follow_from_the_step_alone(
    checkpointing: bool, tmp_path: Path
) -> None:
    """Also where the model computed short texts before, which it attends to fully."""
    folder = folder_of("sparse BigBird", tmp_path, dropout=0.1, attention_dropout=0.1)
    fresh, used = (opened(folder)[0] for _ in range(2))
    for model in (fresh, used):
        model.settings = model.settings.model_copy(update={"checkpointing": checkpointing})
        if checkpointing:
            model.inner.activation_checkpointing_enable()
            model.inner.config.use_cache = False
    with torch.no_grad():
        used.loss(pairs([[11, 12], SOURCES[0]], 0))
    gradients(used, [[11, 12]])
    expected, found = gradients(fresh, SOURCES), gradients(used, SOURCES)
    assert len(expected) > 10
    assert all(a.equal(b) for a, b in zip(expected, found, strict=True))


def test_checkpointing_gives_sparse_attention_the_same_gradients(tmp_path: Path) -> None:
    folder = folder_of("sparse BigBird", tmp_path)
    plain, checkpointed = (opened(folder)[0] for _ in range(2))
    checkpointed.settings = plain.settings.model_copy(update={"checkpointing": True})
    checkpointed.inner.activation_checkpointing_enable()
    checkpointed.inner.config.use_cache = False
    for one, other in zip(gradients(plain, SOURCES), gradients(checkpointed, SOURCES), strict=True):
        torch.testing.assert_close(one, other)


def gradients(model: HuggingFaceModel, sources: list[list[int]]) -> list[torch.Tensor]:
    """Those of one training step, with dropout."""
    model.zero_grad()
    batch = pairs(sources, 0)
    assert batch.target.labels is not None
    batch.target.labels[:, -1] = NO_LOSS
    model.loss(batch, Randomness(1, 2, tuple(range(len(sources))))).backward()
    return [weight.grad for weight in model.parameters() if weight.grad is not None]

"""Makes models that read longer texts: of a BART a Longformer encoder-decoder (LED).

A PEGASUS becomes a PEGASUS-X (`longer_pegasus.py`).

The weights stay. What changes is the encoder: its position table is repeated up to the new length,
and its self-attention, which compares every token with every other, becomes attention within a
window, with global attention from the first token. Source: methods 3; Beltagy et al. 2020, 7.
"""

import json
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from core.errors import EpitomeError
from core.models.hugging_face.conversion import Conversion
from core.models.hugging_face.longer_pegasus import to_pegasus_x, told_of
from core.models.hugging_face.model import HuggingFaceModel, evaluating
from core.models.hugging_face.settings import CONVERTIBLE, HuggingFaceSettings
from core.storage.parsing import parse_json

_OFFSET = 2  # rows of BART's position tables that no position uses
_PROJECTIONS = {"q_proj": "query", "k_proj": "key", "v_proj": "value"}
_COPIED = (
    "vocab_size", "encoder_layers", "encoder_ffn_dim", "encoder_attention_heads", "decoder_layers",
    "decoder_ffn_dim", "decoder_attention_heads", "encoder_layerdrop", "decoder_layerdrop",
    "activation_function", "d_model", "dropout", "attention_dropout", "activation_dropout",
    "init_std", "pad_token_id", "bos_token_id", "eos_token_id", "decoder_start_token_id",
    "forced_bos_token_id", "forced_eos_token_id", "tie_word_embeddings", "task_specific_params",
)  # fmt: skip


def to_longer(
    model: HuggingFaceModel, length: int, window: int, sentence_ends: tuple[int, ...] = ()
) -> HuggingFaceModel:
    """A model that reads longer texts, with the weights of another.

    Args:
        model: A BART, or a PEGASUS.
        length: Tokens that the new one reads at once.
        window: Tokens that each is compared with: half before it, half behind it.
        sentence_ends: Ids of the tokens that end a sentence.

    Returns:
        The new model.

    Raises:
        EpitomeError: If the model is neither, or the lengths are not allowed.
    """
    values = parse_json(model.settings.architecture)
    check_convertible(values, length, window)
    config = {name: values[name] for name in _COPIED if values.get(name) is not None}
    if values["model_type"] == "pegasus":
        return to_pegasus_x(model, config, length, window)
    config |= {
        "model_type": "led",
        "is_encoder_decoder": True,
        "max_encoder_position_embeddings": length,
        "max_decoder_position_embeddings": values["max_position_embeddings"],
        "attention_window": [window] * values["encoder_layers"],
    }
    settings = model.settings.model_dump() | {
        "architecture": json.dumps(config),
        "source_length": length,
        "global_attention": "first",
        "sentence_ends": sentence_ends,
    }
    made = HuggingFaceModel(HuggingFaceSettings.checked(settings))
    made.inner.load_state_dict(_renamed(model.inner.state_dict(), length))
    return made


def check_convertible(values: dict[str, Any], length: int, window: int) -> None:
    """Refuses what cannot be converted.

    Args:
        values: The model's config.json.
        length: Tokens that the new model reads at once.
        window: Tokens that each is compared with.

    Raises:
        EpitomeError: If the model is neither BART nor PEGASUS, or the lengths are not allowed.
    """
    kind, before = values.get("model_type"), int(values.get("max_position_embeddings") or 0)
    if kind not in CONVERTIBLE:
        raise EpitomeError(
            f"Only BART and PEGASUS models can be converted; this model is a {kind}. LED and "
            "PEGASUS-X are these with another attention, and have no place for other weights.",
            "Choose a BART or PEGASUS model.",
        )
    if kind == "bart" and values.get("scale_embedding"):
        raise EpitomeError(
            "This BART scales its token vectors (scale_embedding), which LED cannot.",
            "Choose another BART model.",
        )
    if length <= before:
        raise EpitomeError(
            f"The new length was {length}; it must be above the {before} tokens that the model "
            "reads now.",
            "Choose a greater length.",
        )
    if window < 2 or window % 2 or length % window:
        raise EpitomeError(
            f"The window was {window}; it must be even and divide the new length, {length}.",
            "Choose 512, or another power of two.",
        )


def _renamed(weights: dict[str, Tensor], length: int) -> dict[str, Tensor]:
    """A BART's weights under LED's names, with new positions and copied projections."""
    made = {}
    for name, weight in weights.items():
        new = name.replace("model.", "led.", 1) if name.startswith("model.") else name
        if new == "led.encoder.embed_positions.weight":
            rows = weight[_OFFSET:]
            made[new] = rows.repeat(-(-length // len(rows)), 1)[:length].clone()
        elif new == "led.decoder.embed_positions.weight":
            made[new] = weight[_OFFSET:].clone()
        elif ".encoder.layers." in new and ".self_attn." in new:
            made |= _attention(new, weight)
        else:
            made[new] = weight
    return made


def _attention(name: str, weight: Tensor) -> dict[str, Tensor]:
    """A weight of an encoder layer's self-attention, and its copy for global attention."""
    head, _, tail = name.partition(".self_attn.")
    projection, _, kind = tail.partition(".")
    if projection == "out_proj":
        return {f"{head}.self_attn.output.{kind}": weight}
    place = f"{head}.self_attn.longformer_self_attn.{_PROJECTIONS[projection]}"
    return {f"{place}.{kind}": weight, f"{place}_global.{kind}": weight.clone()}


@torch.no_grad()
def compare(
    before: HuggingFaceModel, after: HuggingFaceModel, source: Tensor, target: Tensor
) -> tuple[float, float]:
    """How differently two models continue a text.

    Args:
        before: A model.
        after: The model that was made of it.
        source: [1, S] tokens that both can read.
        target: [1, T] tokens that follow.

    Returns:
        The largest difference of any log-probability in nats, and the share of positions where
        both expect the same next token.
    """
    from core.models.batch import Batch, PairBatch

    pair = PairBatch(Batch(source), Batch(target))
    found = []
    for model in (before, after):
        with evaluating(model.inner):
            found.append(model(pair).log_softmax(-1))
    same = (found[0].argmax(-1) == found[1].argmax(-1)).float().mean()
    return float((found[0] - found[1]).abs().max()), float(same)


@torch.no_grad()
def read_once(model: HuggingFaceModel, length: int) -> None:
    """Lets the encoder read a random text of that length."""
    from core.models.hugging_face.global_attention import global_attention

    tokens = torch.randint(0, model.settings.vocabulary_size, (1, length))
    present = torch.ones_like(tokens)
    with evaluating(model.inner):
        model.inner.get_encoder()(
            input_ids=tokens,
            attention_mask=present,
            **global_attention(model.settings, tokens, present),
        )


def report_of(source: str, before: HuggingFaceModel, window: int, length: int) -> Conversion:
    """What a conversion does, as far as it follows from the settings alone.

    Args:
        source: Name of the model.
        before: The model.
        window: The new window.
        length: The new length.

    Returns:
        The report; comparison and memory are still to be filled in.
    """
    values = parse_json(before.settings.architecture)
    layers, old = values["encoder_layers"], values["max_position_embeddings"]
    report = Conversion(
        source,
        length,
        old,
        window,
        layers,
        length / old,
        3 * layers,
        ("self-attention of the decoder", "attention of the decoder to the source"),
        0,
        0.0,
        0.0,
    )
    return told_of(report, before) if values["model_type"] == "pegasus" else report


def with_measures(
    report: Conversion, tokens: int, compared: tuple[float, float], peak_bytes: int
) -> Conversion:
    """A report with the comparison and the memory."""
    return replace(
        report,
        compared_tokens=tokens,
        difference=compared[0],
        same_tokens=compared[1],
        peak_mib=peak_bytes / 2**20,
    )

"""How many weights a model has, from its settings alone; torch is not loaded."""

import json
import math
from typing import Any

from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.settings import ReformerSettings
from core.models.settings import ModelSettings


def num_parameters(model: ModelSettings) -> int:
    """How many weights a model has, tied ones once; of Hugging Face models about."""
    match model:
        case ReformerSettings():
            return _of_language_model(model)
        case ReformerEncoderDecoderSettings():
            return _of_encoder_decoder(model)
    return _of_hugging_face(model)


def _of_language_model(model: ReformerSettings) -> int:
    width, inner = model.width, model.feed_forward_width or 4 * model.width
    blocks = 1 if model.shared_layers else model.depth
    block = 3 * width * width + 3 * width + _feed_forward(width, inner)
    positions = _positions(model.positions, model.length, width, model.axial_rows)
    output = 0 if model.tied_embeddings else model.vocabulary_size * (width + 1)
    copying = _copying(width, model.smear, model.pointer)
    return model.vocabulary_size * width + positions + blocks * block + 2 * width + output + copying


def _of_encoder_decoder(model: ReformerEncoderDecoderSettings) -> int:
    width, inner = model.width, model.feed_forward_width or 4 * model.width
    depths = (model.encoder_depth, model.decoder_depth)
    encoders, decoders = (1, 1) if model.shared_layers else depths
    attention = 4 * width * width + 3 * width
    encoder = attention + _feed_forward(width, inner)
    tables = 1 if model.shared_embeddings else 2
    places = sum(
        _positions(model.positions, length, width, None)
        for length in (model.source_length, model.target_length)
    )
    output = 0 if model.tied_embeddings else model.vocabulary_size * (width + 1)
    blocks = encoders * encoder + decoders * (encoder + attention)
    copying = _copying(width, 2 * model.smear, model.pointer)
    return tables * model.vocabulary_size * width + places + blocks + 4 * width + output + copying


def _copying(width: int, smears: int, has_pointer: bool) -> int:
    return smears * width + has_pointer * (2 * width * width + width + 1)


def _feed_forward(width: int, inner: int) -> int:
    return 2 * width * inner + inner + 3 * width


def _positions(kind: str, length: int, width: int, rows: int | None) -> int:
    if kind == "learned":
        return length * width
    first = rows or max(1, math.isqrt(length))
    return first * (width // 2) + -(-length // first) * (width - width // 2)


def _of_hugging_face(model: HuggingFaceSettings) -> int:
    config: dict[str, Any] = json.loads(model.architecture)
    width = int(config.get("d_model", config.get("hidden_size", 512)))
    inner = int(config.get("encoder_ffn_dim", config.get("d_ff", 4 * width)))
    layers = int(config.get("encoder_layers", config.get("num_layers", 6)))
    decoders = int(config.get("decoder_layers", config.get("num_decoder_layers", layers) or layers))
    attention = 4 * width * width + 6 * width
    places = int(config.get("max_position_embeddings", 0) or 0)
    block = attention + _feed_forward(width, inner)
    return (
        model.vocabulary_size * width
        + 2 * places * width
        + layers * block
        + decoders * (block + attention)
    )

"""How many weights a model has, from its settings alone; torch is not loaded."""

import math
from contextlib import suppress
from typing import Any

from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.language_model.settings import LanguageModelSettings
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.settings import ReformerSettings
from core.models.settings import ModelSettings
from core.models.transformer.settings import TransformerSettings
from core.storage.parsing import parse_json

_LORA_TARGETS = 2  # of each attention: the projections of queries and of values


def num_parameters(model: ModelSettings) -> int:
    """How many weights a model has, tied ones once; of Hugging Face models about."""
    match model:
        case ReformerSettings():
            return _of_language_model(model)
        case ReformerEncoderDecoderSettings():
            return _of_encoder_decoder(model)
        case TransformerSettings():
            return _of_transformer(model)
        case LanguageModelSettings():
            return _of_decoder(model)
    return _of_hugging_face(model)


def num_trained(model: ModelSettings) -> int:
    """How many weights training changes: all, or about as many as LoRA adds."""
    if not isinstance(model, HuggingFaceSettings) or not model.lora_rank:
        return num_parameters(model)
    config: dict[str, Any] = parse_json(model.architecture)
    encoders, decoders = _layers(model, config)
    named = model.lora_targets.count(",") + 1 if model.lora_targets else _LORA_TARGETS
    return (encoders + 2 * decoders) * named * 2 * model.lora_rank * _width(config)


def weights_of(settings: ModelSettings) -> int:
    """How many weights settings ask for; 0 where a library's configuration does not say."""
    with suppress(ValueError, TypeError, AttributeError, OverflowError):
        return num_parameters(settings)
    return 0


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


def _of_transformer(model: TransformerSettings) -> int:
    width, norms = model.width, 2 * model.width
    last_norms = 2 * norms if model.norm == "pre" else 0
    feed_forward = 2 * width * model.inner_width + model.inner_width + width
    encoder = sum(_self_layer(model, kind) for kind in model.encoder_kinds)
    encoder += model.encoder_depth * (feed_forward + 2 * norms)
    decoder = sum(_self_layer(model, kind) for kind in model.decoder_kinds)
    decoder += model.decoder_depth * (_self_layer(model, "full") + feed_forward + 3 * norms)
    merging = sum(each * width * width + width for each in model.strides)
    tables = 1 if model.shared_embeddings else 2
    places = model.memory_length + model.target_length if model.positions == "learned" else 0
    output = 0 if model.tied_embeddings else model.vocabulary_size * (width + 1)
    table = tables * model.vocabulary_size * width
    copying = _copying(width, 2 * model.smear, model.pointer)
    around = places * width + merging + last_norms + output + copying
    return table + encoder + decoder + around


def _of_decoder(model: LanguageModelSettings) -> int:
    """Of the decoder-only Transformer."""
    width = model.width
    layer = 4 * width * (width + 1) + 2 * width + _feed_forward(width, model.inner_width)
    last_norm = 2 * width if model.norm == "pre" else 0
    tables = model.vocabulary_size + model.length + 2 * (model.source_embeddings != "none")
    output = 0 if model.tied_embeddings else model.vocabulary_size * (width + 1)
    copying = _copying(width, model.smear, model.pointer)
    return tables * width + model.depth * layer + last_norm + output + copying


def _self_layer(model: TransformerSettings, kind: str) -> int:
    """Weights of an attention layer, or of what stands in its place."""
    width, inner = model.width, model.heads * model.size_of_head
    out = inner * width + width
    if kind == "light-convolution":
        return 2 * inner * (width + 1) + model.heads * model.kernel_size + out
    compressing = 2 * (model.compression * inner * inner + inner)
    return 3 * width * inner + out + (compressing if kind == "memory-compressed" else 0)


def _feed_forward(width: int, inner: int) -> int:
    return 2 * width * inner + inner + 3 * width


def _positions(kind: str, length: int, width: int, rows: int | None) -> int:
    if kind == "learned":
        return length * width
    first = rows or max(1, math.isqrt(length))
    return first * (width // 2) + -(-length // first) * (width - width // 2)


def _width(config: dict[str, Any]) -> int:
    return _first(config, ("d_model", "hidden_size", "n_embd"), 512)


def _first(config: dict[str, Any], names: tuple[str, ...], usual: int) -> int:
    """The value of the first name that a configuration has."""
    return int(next((config[name] for name in names if name in config), usual))


def _layers(model: HuggingFaceSettings, config: dict[str, Any]) -> tuple[int, int]:
    """How many layers read, and how many attend to those; those of a chat model only read."""
    if model.is_chat:
        return _first(config, ("num_hidden_layers", "n_layer", "n_layers"), 6), 0
    layers = int(config.get("encoder_layers", config.get("num_layers", 6)))
    return layers, int(
        config.get("decoder_layers", config.get("num_decoder_layers", layers) or layers)
    )


def _of_hugging_face(model: HuggingFaceSettings) -> int:
    config: dict[str, Any] = parse_json(model.architecture)
    width, (layers, decoders) = _width(config), _layers(model, config)
    attention = 4 * width * width + 6 * width
    if model.is_chat:
        inner = int(config.get("intermediate_size", 4 * width))
        block = attention + 3 * width * inner  # a gate beside the two projections
        tables = 1 if config.get("tie_word_embeddings") else 2
        return tables * model.vocabulary_size * width + layers * block
    inner = int(config.get("encoder_ffn_dim", config.get("d_ff", 4 * width)))
    places = int(config.get("max_position_embeddings", 0) or 0)
    if model.is_led:
        places = (model.longest("encoder") + model.longest("decoder")) // 2
    block = attention + _feed_forward(width, inner)
    return (
        model.vocabulary_size * width
        + 2 * places * width
        + layers * (block + (attention if model.is_led else 0))
        + decoders * (block + attention)
    )

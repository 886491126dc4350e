"""From settings to a model, and from a model to what decoding wants: one table of all families."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psutil
import torch
from torch import Tensor

from core.errors import OutOfMemoryError
from core.models.protocol import Decodable, Model
from core.models.settings import ModelSettings
from core.models.sizes import weights_of
from core.models.special_tokens import SpecialTokens
from core.models.weights import named_weights
from core.numbers import format_size


@dataclass(frozen=True)
class _Family:
    """How the models of a family are made.

    Args:
        build: From settings to a model with its first weights.
        decoder: From a model and special tokens to what `core.decoding.door.decode` takes.
    """

    build: Callable[[Any], Model]
    decoder: Callable[[Any, SpecialTokens], Decodable[Any]]


def build(settings: ModelSettings) -> Model:
    """A model with its first weights, which follow from the settings alone.

    Args:
        settings: What it is made of.

    Returns:
        The model, in float32 on the CPU.

    Raises:
        EpitomeError: If the machine has not the memory for its weights.
    """
    check_memory(settings)
    return _family(settings.family).build(settings)


def weights_on_meta(settings: ModelSettings) -> dict[str, Tensor]:
    """Returns the weights of a model without their numbers, which take no memory.

    Args:
        settings: The architecture of the model.

    Returns:
        Tensors on the meta device, by name.

    Raises:
        EpitomeError: If there is no such model, or a part of the program that it needs.
    """
    with torch.device("meta"):
        return named_weights(_family(settings.family).build(settings))


def check_memory(settings: ModelSettings) -> None:
    """Refuses sizes that no memory of this machine holds, before anything is allocated.

    Args:
        settings: The architecture of the model.

    Raises:
        OutOfMemoryError: If the weights alone take more than there is.
    """
    needed_bytes = 4 * weights_of(settings)
    there_bytes = psutil.virtual_memory().total
    if needed_bytes > there_bytes:
        raise OutOfMemoryError(
            f"The weights of this model need {format_size(needed_bytes)} of memory; the machine "
            f"has {format_size(there_bytes)}.",
            "Make the model smaller: fewer layers, a smaller width or a smaller vocabulary.",
        )


def decoder_of(model: Model, special: SpecialTokens) -> Decodable[Any]:
    """A model as it writes.

    Args:
        model: With its weights as they are now.
        special: The ids of its tokenizer's special tokens.

    Returns:
        What `core.decoding.door.decode` takes.

    Raises:
        EpitomeError: If the model cannot write token by token.
    """
    return _family(model.settings.family).decoder(model, special)


def _family(name: str) -> _Family:
    """The family of this name; only what it needs is imported."""
    return _FAMILIES[name]()


def _reformer() -> _Family:
    from core.models.reformer.decoding import ReformerDecoder
    from core.models.reformer.language_model import ReformerLM

    def decoder(model: ReformerLM, special: SpecialTokens) -> ReformerDecoder:
        return ReformerDecoder(model, (special.summary,), special.end)

    return _Family(ReformerLM, decoder)


def _reformer_encoder_decoder() -> _Family:
    from core.models.reformer.encoder_decoder import ReformerEncoderDecoder
    from core.models.reformer.encoder_decoder_decoding import DecodableEncoderDecoder

    def decoder(model: ReformerEncoderDecoder, special: SpecialTokens) -> DecodableEncoderDecoder:
        settings = model.settings
        return DecodableEncoderDecoder(model, settings.start_ids(special), settings.end_id(special))

    return _Family(ReformerEncoderDecoder, decoder)


def _transformer() -> _Family:
    from core.models.transformer.decoding import TransformerDecoder
    from core.models.transformer.model import Transformer

    def decoder(model: Transformer, special: SpecialTokens) -> TransformerDecoder:
        settings = model.settings
        return TransformerDecoder(model, settings.start_ids(special), settings.end_id(special))

    return _Family(Transformer, decoder)


def _language_model() -> _Family:
    from core.models.language_model.decoding import LanguageModelDecoder
    from core.models.language_model.model import LanguageModel

    def decoder(model: LanguageModel, special: SpecialTokens) -> LanguageModelDecoder:
        return LanguageModelDecoder(model, (special.summary,), special.end)

    return _Family(LanguageModel, decoder)


def _hugging_face() -> _Family:
    from functools import partial

    from core.models.hugging_face.by_length import ByLengthDecoder, needs_equal_lengths
    from core.models.hugging_face.decoding import ChatDecoder, HuggingFaceDecoder
    from core.models.hugging_face.global_attention import global_attention
    from core.models.hugging_face.model import HuggingFaceModel

    def decoder(model: HuggingFaceModel, special: SpecialTokens) -> Decodable[Any]:
        settings = model.settings
        end, *other_ends = settings.end_ids(special)
        made = (ChatDecoder if settings.is_chat else HuggingFaceDecoder)(
            model.inner,
            settings.start_ids(special),
            end,
            special.before,
            special.after,
            other_ends,
            partial(global_attention, settings),
            settings.source_length,
        )
        if settings.is_chat and needs_equal_lengths(model.inner):
            return ByLengthDecoder(made, model.inner.device)
        return made

    return _Family(HuggingFaceModel, decoder)


_FAMILIES: dict[str, Callable[[], _Family]] = {
    "reformer": _reformer,
    "reformer-encoder-decoder": _reformer_encoder_decoder,
    "transformer": _transformer,
    "language-model": _language_model,
    "hugging-face": _hugging_face,
}

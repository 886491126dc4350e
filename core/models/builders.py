"""Makes models from settings, within the memory of the machine."""

from typing import Any

import psutil
import torch
from torch import Tensor

from core.errors import OutOfMemoryError
from core.models.families import estimate_parameters, get_family
from core.models.protocol import Decodable, Model
from core.models.settings import ModelSettings
from core.models.special_tokens import SpecialTokens
from core.models.weights import named_weights
from core.numbers import format_size


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
    return get_family(settings).make_model(settings)


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
        return named_weights(get_family(settings).make_model(settings))


def check_memory(settings: ModelSettings) -> None:
    """Refuses sizes that no memory of this machine holds, before anything is allocated.

    Args:
        settings: The architecture of the model.

    Raises:
        OutOfMemoryError: If the weights alone take more than there is.
    """
    needed_bytes = 4 * estimate_parameters(settings)
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
    return get_family(model.settings).make_decoder(model, special)

"""From settings to a model, and from a model to what decoding wants."""

from collections.abc import Sequence
from typing import Any

from core.models.protocol import Decodable
from core.models.reformer.decoding import ReformerDecoder
from core.models.reformer.language_model import ReformerLM
from core.models.reformer.settings import ReformerSettings


def build(settings: ReformerSettings) -> ReformerLM:
    """A model with its first weights, which follow from the settings' seed.

    Args:
        settings: What it is made of.

    Returns:
        The model, in float32 on the CPU.
    """
    return ReformerLM(settings)


def decoder_of(model: ReformerLM, start_ids: Sequence[int], end_id: int) -> Decodable[Any]:
    """A model as it writes.

    Args:
        model: With its weights as they are now.
        start_ids: What stands between a document and its summary.
        end_id: The token that ends a summary.

    Returns:
        What `core.decoding.door.decode` takes.

    Raises:
        EpitomeError: If the model cannot write token by token.
    """
    return ReformerDecoder(model, start_ids, end_id)

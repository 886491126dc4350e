"""A trained model, out of its run's folder."""

from dataclasses import dataclass
from pathlib import Path

import torch

from core.data.tokenizer import Tokenizer
from core.decoding.settings import DecodingSettings
from core.models.builders import build, decoder_of
from core.models.protocol import Decodable
from core.models.settings import source_room
from core.models.weights import read_weights
from core.training.checkpoint import WEIGHTS_FILE
from core.training.device import open_device
from core.training.settings import StepSettings
from core.training.setup import origin_of


@dataclass(frozen=True)
class OpenedModel:
    """A model that can write.

    Args:
        name: The run's name and the step of its checkpoint.
        decoder: The model, as decoding wants it.
        tokenizer: What makes its tokens.
        room: How many tokens of a document it reads at once.
        decoding: How it wrote when it was validated.
    """

    name: str
    decoder: Decodable[object]
    tokenizer: Tokenizer
    room: int
    decoding: DecodingSettings


def open_model(run: Path, settings: StepSettings | None = None) -> OpenedModel:
    """Loads the best checkpoint of a run, or its newest if none was called the best.

    Args:
        run: The run's folder, wherever it was copied to.
        settings: Device and threads.

    Returns:
        The model.

    Raises:
        EpitomeError: If there is no run, no whole checkpoint, or the model cannot write.
    """
    origin = origin_of(run)
    device = open_device(settings or StepSettings())
    model = build(origin.plan.model)
    read_weights(origin.checkpoint.path / WEIGHTS_FILE, model)
    tokenizer, decoding = Tokenizer.load(origin.tokenizer), origin.plan.decoding
    with torch.no_grad():
        decoder = decoder_of(model.to(device), tokenizer.special)
    return OpenedModel(
        f"{run.name}, step {origin.checkpoint.step}",
        decoder,
        tokenizer,
        source_room(origin.plan.model, tokenizer.special, decoding.max_length),
        decoding,
    )

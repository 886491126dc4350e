"""A trained model that PyTorch computes, opened from the folder of its run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch

from core.data.tokenizer import Tokenizer
from core.decoding.door import decode
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Decided
from core.models.builders import build, decoder_of
from core.models.families import get_family
from core.models.hugging_face.files import is_model_folder
from core.models.hugging_face.folder import check_weights, look_through
from core.models.protocol import Decodable, Model
from core.runs.checkpoints import Checkpoint
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card
from core.stop import StopToken
from core.training.checkpoint import WEIGHTS_FILE
from core.training.device import open_device
from core.training.library_folder import decoding_of, open_tokenizer, unused_note, with_prompt
from core.training.origins import origin_of
from core.training.settings import StepSettings
from core.writing.writing_model import WritingModel


@dataclass(frozen=True, kw_only=True)
class OpenedModel(WritingModel):
    """A model that can write, computed by PyTorch.

    Args:
        model: The model, on its device.
        tokenizer: Its tokenizer.
    """

    model: Model
    tokenizer: Tokenizer

    @cached_property
    def decoder(self) -> Decodable[object]:
        """The model, as decoding wants it."""
        with torch.no_grad():
            return decoder_of(self.model, self.tokenizer.special)

    def write(
        self, sources: Sequence[Sequence[int]], settings: DecodingSettings, stop: StopToken
    ) -> Iterator[Decided]:
        """Writes the text of each source; see `core.decoding.door.decode`."""
        return decode(self.decoder, sources, settings, stop)


def open_model(run: Path, settings: StepSettings | None = None) -> OpenedModel:
    """Loads the best checkpoint of a run, or its newest if none was called the best.

    Args:
        run: The run's folder, wherever it was copied to; or that of a Hugging Face model.
        settings: Device and threads.

    Returns:
        The model, with the prompt that a person gave it.

    Raises:
        EpitomeError: If there is no run, no whole checkpoint, or the model cannot write.
    """
    device = open_device(settings or StepSettings())
    if is_model_folder(run):
        return _of_folder(run, device)
    origin = origin_of(run)
    tokenizer = origin.open_tokenizer()
    model, weights = origin.built(), origin.checkpoint.path / WEIGHTS_FILE
    opened = OpenedModel(
        name=name_of(run, origin.checkpoint),
        model=model.to(device),
        settings=model.settings,
        tokenizer=tokenizer,
        decoding=origin.plan.decoding,
        weights=weights,
        note=origin.note,
    )
    return opened.prompted(read_model_card(RunFolder(run)).prompt)


def name_of(run: Path, checkpoint: Checkpoint) -> str:
    """Returns the name of a model in its summaries."""
    return f"{run.name}, step {checkpoint.step}" if checkpoint.step else run.name


def _of_folder(folder: Path, device: torch.device) -> OpenedModel:
    """A Hugging Face model that was not imported."""
    settings = look_through(folder).settings
    model = build(settings)
    get_family(settings).load_folder(model, folder)
    return OpenedModel(
        name=folder.name,
        model=model.to(device),
        settings=settings,
        tokenizer=with_prompt(open_tokenizer(folder), settings),
        decoding=decoding_of(settings),
        weights=check_weights(folder)[0],
        told=unused_note(settings),
    )

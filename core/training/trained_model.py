"""A trained model out of its run's folder: to write with, or for another run to begin with."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Self

import torch

from core.data.tokenizer import Tokenizer
from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.models.builders import build, decoder_of
from core.models.hugging_face.folder import check_weights, look_through, read_settings
from core.models.hugging_face.settings import HuggingFaceSettings, is_model_folder
from core.models.language_model.gpt2_settings import is_gpt2_folder, settings_of_folder
from core.models.language_model.settings import LanguageModelSettings
from core.models.protocol import Decodable, Model
from core.models.settings import ModelSettings, source_room
from core.models.weights import read_weights
from core.numbers import format_count
from core.runs.checkpoints import Checkpoint, Checkpoints
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card
from core.training.checkpoint import WEIGHTS_FILE
from core.training.device import open_device
from core.training.library_folder import decoding_of, open_tokenizer, with_prompt
from core.training.plan import RunPlan
from core.training.settings import StepSettings


@dataclass(frozen=True)
class Origin:
    """What a new run takes over from another.

    Args:
        plan: The other run's.
        tokenizer: Its folder.
        checkpoint: Its best checkpoint, or its newest.
    """

    plan: RunPlan
    tokenizer: Path
    checkpoint: Checkpoint

    def model(self, given: ModelSettings) -> ModelSettings:
        """The settings of the model; those given, if they are of the same Hugging Face model."""
        theirs = self.plan.model
        if isinstance(theirs, HuggingFaceSettings) and isinstance(given, HuggingFaceSettings):
            return given if given.architecture == theirs.architecture else theirs
        return theirs

    def open_tokenizer(self) -> Tokenizer:
        """Its tokenizer."""
        return Tokenizer.load(self.tokenizer)

    def read_weights(self, model: Model) -> str:
        """Gives a model the weights; says whose they are, as the end of a sentence."""
        read_weights(self.checkpoint.path / WEIGHTS_FILE, model)
        return f", step {format_count(self.checkpoint.step)}"


@dataclass(frozen=True)
class HuggingFaceOrigin:
    """What a new run takes over from a Hugging Face model.

    Args:
        folder: What `save_pretrained` wrote, with the tokenizer beside it.
    """

    folder: Path

    def model(self, given: ModelSettings) -> ModelSettings:
        """The settings of the model; those given, if they are of one."""
        if isinstance(given, HuggingFaceSettings):
            return given
        return read_settings(self.folder)

    def open_tokenizer(self) -> Tokenizer:
        """Its tokenizer."""
        return open_tokenizer(self.folder)

    def read_weights(self, model: Model) -> str:
        """Gives a model the weights; there is no more to say of them."""
        from core.models.hugging_face.model import HuggingFaceModel

        assert isinstance(model, HuggingFaceModel)
        model.read_folder(self.folder)
        return ""


@dataclass(frozen=True)
class GPT2Origin:
    """What a new run takes over from a model of the form of GPT-2.

    Args:
        folder: Its configuration and weights, with the tokenizer beside them.
    """

    folder: Path

    def open_tokenizer(self) -> Tokenizer:
        """Its tokenizer."""
        return open_tokenizer(self.folder)

    def model(self, given: ModelSettings) -> ModelSettings:
        """The settings of the model; those given, if they are of one."""
        return (
            given if isinstance(given, LanguageModelSettings) else settings_of_folder(self.folder)
        )

    def read_weights(self, model: Model) -> str:
        """Gives a model the weights; there is no more to say of them."""
        from core.models.language_model.gpt2 import read_gpt2
        from core.models.language_model.model import LanguageModel

        assert isinstance(model, LanguageModel)
        read_gpt2(model, self.folder)
        return ""


AnyOrigin = Origin | HuggingFaceOrigin | GPT2Origin


def origin_of(run: Path) -> Origin:
    """Opens a run whose weights are to be used.

    Args:
        run: Its folder.

    Returns:
        What can be taken over.

    Raises:
        EpitomeError: If there is no run, or it has no whole checkpoint.
    """
    folder, checkpoints = RunFolder(run), Checkpoints(run)
    plan = RunPlan.load(folder)
    needed = (WEIGHTS_FILE,)  # the optimiser's numbers are not used, and may be large
    checkpoint = checkpoints.named("best", needed) or checkpoints.newest(needed)
    if checkpoint is None:
        raise EpitomeError(
            f"The run {run} has no usable checkpoint.", "Train it further, or choose another run."
        )
    return Origin(plan, folder.tokenizer, checkpoint)


def named_run(name: str) -> Path:
    """The folder of a run that is meant by a name or a path."""
    return named_folder(name, Folders.of_this_user().runs)


def named_origin(name: str) -> AnyOrigin | None:
    """Where weights come from; None if a run begins with first ones."""
    if not name:
        return None
    folder = named_run(name)
    if is_gpt2_folder(folder):
        return GPT2Origin(folder)
    return HuggingFaceOrigin(folder) if is_model_folder(folder) else origin_of(folder)


@dataclass(frozen=True)
class OpenedModel:
    """A model that can write.

    Args:
        name: The run's name and the step of its checkpoint.
        model: The model, on its device.
        settings: Its settings; a prompt in them is that of the tokenizer.
        tokenizer: What makes its tokens, and frames each source.
        decoding: How it wrote when it was validated.
        weights: The file of its weights.
    """

    name: str
    model: Model
    settings: ModelSettings
    tokenizer: Tokenizer
    decoding: DecodingSettings
    weights: Path

    @cached_property
    def decoder(self) -> Decodable[object]:
        """The model, as decoding wants it."""
        with torch.no_grad():
            return decoder_of(self.model, self.tokenizer.special)

    @property
    def room(self) -> int:
        """How many tokens of a document it reads at once."""
        return source_room(self.settings, self.tokenizer.special, self.decoding.max_length)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of its summaries should know, a sentence each."""
        settings = self.settings
        return settings.remarks() if isinstance(settings, HuggingFaceSettings) else ()

    def prompted(self, prompt: str) -> Self:
        """The same model with another prompt.

        Args:
            prompt: Holds {text} once; empty for the model's own.

        Returns:
            The model.

        Raises:
            EpitomeError: If the model takes no prompt, or the prompt is not allowed.
        """
        if not prompt:
            return self
        if not isinstance(self.settings, HuggingFaceSettings):
            raise EpitomeError(
                f"The model {self.name} takes no prompt; only Hugging Face models do.",
                "Leave out the prompt.",
            )
        settings = HuggingFaceSettings.checked(self.settings.model_dump() | {"prompt": prompt})
        tokenizer = with_prompt(self.tokenizer, settings)
        return replace(self, settings=settings, tokenizer=tokenizer)


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
    model, weights = build(origin.plan.model), origin.checkpoint.path / WEIGHTS_FILE
    read_weights(weights, model)
    step = origin.checkpoint.step
    opened = OpenedModel(
        f"{run.name}, step {step}" if step else run.name,
        model.to(device),
        origin.plan.model,
        origin.open_tokenizer(),
        origin.plan.decoding,
        weights,
    )
    return opened.prompted(read_model_card(RunFolder(run)).prompt)


def _of_folder(folder: Path, device: torch.device) -> OpenedModel:
    """A Hugging Face model that was not imported."""
    settings = look_through(folder).settings
    model = build(settings)
    HuggingFaceOrigin(folder).read_weights(model)
    return OpenedModel(
        folder.name,
        model.to(device),
        settings,
        with_prompt(open_tokenizer(folder), settings),
        decoding_of(settings),
        check_weights(folder)[0],
    )

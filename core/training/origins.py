"""Trained models that a run begins with, or that write: their plan, tokenizer and weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from core.events import Failed
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.models.builders import build
from core.models.families import estimate_parameters, get_family, get_folder_family
from core.models.family import ModelFamily
from core.models.protocol import Model
from core.models.settings import ModelSettings
from core.models.weights_header import count_parameters
from core.numbers import format_count
from core.runs.checkpoints import Checkpoint, Checkpoints, step_of
from core.runs.events_file import read_events
from core.runs.folder import JOB_FILE, RunFolder
from core.training.checkpoint import WEIGHTS_FILE, check_tokenizer
from core.training.library_folder import open_tokenizer
from core.training.plan import RunPlan

_SLACK = 1_000_000  # weights


@dataclass(frozen=True)
class Origin:
    """Weights, tokenizer and plan that a new run takes over from another.

    Args:
        plan: The other run's.
        tokenizer: Its folder.
        checkpoint: Its best checkpoint, or its newest.
        note: Says that a damaged checkpoint was replaced; empty where none was.
    """

    plan: RunPlan
    tokenizer: Path
    checkpoint: Checkpoint
    note: str = ""

    def model(self, given: ModelSettings) -> ModelSettings:
        """The settings of the model; those given, if they are of the same imported model."""
        theirs = self.plan.model
        return given if theirs.takes_over(given) else theirs

    def open_tokenizer(self) -> Tokenizer:
        """Its tokenizer; fails as `Tokenizer.load` does, and if it is not that of the weights."""
        tokenizer = Tokenizer.load(self.tokenizer)
        check_tokenizer(self.checkpoint, tokenizer.fingerprint, self.tokenizer)
        return tokenizer

    def read_weights(self, model: Model) -> str:
        """Gives a model the weights; says whose they are, as the end of a sentence."""
        self._give(model)
        told = f", step {format_count(self.checkpoint.step)}"
        return f"{told}; {self.note[0].lower()}{self.note[1:].rstrip('.')}" if self.note else told

    def built(self) -> Model:
        """The model with its weights; what LoRA has learnt is part of them."""
        model = build(self.plan.model.without_lora)
        self._give(model)
        return model

    def _give(self, model: Model) -> None:
        settings = self.plan.model
        get_family(settings).load_weights(model, settings, self.checkpoint.path / WEIGHTS_FILE)


@dataclass(frozen=True)
class FolderOrigin:
    """Weights and tokenizer that a new run takes over from a model of another program.

    Args:
        folder: Its configuration and weights, with the tokenizer beside them.
        family: Its family.
    """

    folder: Path
    family: ModelFamily[Any]

    def model(self, given: ModelSettings) -> ModelSettings:
        """The settings of the model; those given, if they are of its family."""
        if given.family == self.family.name:
            return given
        settings: ModelSettings = self.family.read_folder(self.folder)
        return settings

    def open_tokenizer(self) -> Tokenizer:
        """Its tokenizer."""
        return open_tokenizer(self.folder)

    def read_weights(self, model: Model) -> str:
        """Gives a model the weights; there is no more to say of them."""
        self.family.load_folder(model, self.folder)
        return ""


AnyOrigin = Origin | FolderOrigin


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
    if plan.model.is_gguf:
        raise EpitomeError(
            f"{run.name} is a GGUF file, which writes summaries, but is not trained, converted or "
            "exported.",
            "Choose a model whose weights are safetensors.",
        )
    needed = (WEIGHTS_FILE,)  # the optimiser's numbers are not used, and may be large
    best = checkpoints.named("best", needed)
    checkpoint, damaged = (best, []) if best else checkpoints.search(needed)
    if checkpoint is None:
        raise EpitomeError(
            f"The run {run} has no usable checkpoint.", "Train it further, or choose another run."
        )
    _check_sizes(plan.model, checkpoint.path / WEIGHTS_FILE)
    wanted = checkpoints.step_named("best")
    notes = _replaced(wanted, damaged, checkpoint.step), "" if best else _failure(folder)
    return Origin(plan, folder.tokenizer, checkpoint, " ".join(filter(None, notes)))


def _failure(folder: RunFolder) -> str:
    """One sentence if a run failed that no validation called good; else nothing."""
    *_, last = [None, *read_events(folder.events_file)]
    if last is None or last.kind != Failed.__name__:
        return ""
    return f"The run of this model failed: {last.values.get('message', '')}"


def _replaced(best: int | None, damaged: Sequence[Path], used: int) -> str:
    """One sentence if a checkpoint was passed over because it is damaged; else nothing."""
    steps = {step_of(path) for path in damaged}
    if best is not None and best != used:
        which = f"The best checkpoint (step {format_count(best)}) is damaged or missing"
    elif steps:
        which = f"The newest checkpoint (step {format_count(max(steps))}) is damaged"
    else:
        return ""
    return f"{which}, so step {format_count(used)} is used."


def _check_sizes(model: ModelSettings, weights: Path) -> None:
    """Refuses a plan that asks for far more weights than there are, before it takes the memory."""
    wanted, found = estimate_parameters(model), count_parameters(weights)
    if wanted > 2 * found + _SLACK:
        raise EpitomeError(
            f"{weights} does not fit the model: it holds {format_count(found)} weights, and "
            f"{JOB_FILE} asks for {format_count(wanted)}.",
            f"Put the run's own {JOB_FILE} back.",
        )


def named_run(name: str) -> Path:
    """The folder of a run that is meant by a name or a path."""
    return named_folder(name, Folders.of_this_user().runs)


def named_origin(name: str) -> AnyOrigin | None:
    """Finds the origin of a run's weights; None if it begins with random ones."""
    if not name:
        return None
    folder = named_run(name)
    family = get_folder_family(folder)
    return FolderOrigin(folder, family) if family else origin_of(folder)

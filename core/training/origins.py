"""Trained models that a run begins with, or that write: their plan, tokenizer and weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from core.events import Failed
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.models.builders import build
from core.models.hugging_face.folder import read_settings
from core.models.hugging_face.settings import HuggingFaceSettings, is_model_folder
from core.models.language_model.gpt2_settings import is_gpt2_folder, settings_of_folder
from core.models.language_model.settings import LanguageModelSettings
from core.models.protocol import Model
from core.models.settings import ModelSettings
from core.models.sizes import weights_of
from core.models.weights import read_tensors, read_weights
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
    """What a new run takes over from another.

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
        """The settings of the model; those given, if they are of the same Hugging Face model."""
        theirs = self.plan.model
        if isinstance(theirs, HuggingFaceSettings) and isinstance(given, HuggingFaceSettings):
            return given if given.architecture == theirs.architecture else theirs
        return theirs

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
        settings = self.plan.model
        if isinstance(settings, HuggingFaceSettings):
            settings = settings.without_lora
        model = build(settings)
        self._give(model)
        return model

    def _give(self, model: Model) -> None:
        file, settings = self.checkpoint.path / WEIGHTS_FILE, self.plan.model
        if not isinstance(settings, HuggingFaceSettings):
            read_weights(file, model)
            return
        from core.models.hugging_face.lora import merged
        from core.models.hugging_face.model import HuggingFaceModel

        assert isinstance(model, HuggingFaceModel)
        model.take(merged(read_tensors(file), settings), file)


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
    if isinstance(plan.model, HuggingFaceSettings) and plan.model.is_gguf:
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
    wanted, found = weights_of(model), count_parameters(weights)
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
    """Where weights come from; None if a run begins with first ones."""
    if not name:
        return None
    folder = named_run(name)
    if is_gpt2_folder(folder):
        return GPT2Origin(folder)
    return HuggingFaceOrigin(folder) if is_model_folder(folder) else origin_of(folder)

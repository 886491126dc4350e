"""Describes the models on this machine; loads none of them, nor what would be needed for that."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from core.distribution.parts import part_of
from core.distribution.resources import resource
from core.errors import EpitomeError, NewerFileError
from core.events import Event, Finished
from core.jobs.models.list_models import trained_ns
from core.models.families import num_parameters
from core.models.gguf.folder import FILE as GGUF_FILE
from core.models.hugging_face.conversion import Conversion
from core.models.hugging_face.conversion_report import read_conversion
from core.models.model_file import WEIGHTS
from core.models.settings import ModelSettings
from core.models.special_tokens import SpecialTokens
from core.models.weights_header import count_parameters
from core.runs.about import read_about
from core.runs.checkpoints import Checkpoints, step_of
from core.runs.evaluations import Evaluation, read_evaluations
from core.runs.event_kinds import EventKinds
from core.runs.events_file import MOST_BYTES, recorded_in
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard, read_model_card
from core.stop import StopToken
from core.storage.files import entries_of, folder_size, is_held
from core.storage.parsing import parse_toml
from core.storage.regular_files import read_regular
from core.summarisers.built_in_facts import BuiltInFacts, built_in_facts
from core.training.events import ValidationDone
from core.training.plan import RunPlan

_MOST_KEPT = 4096
_KINDS = EventKinds((ValidationDone,))
_VALIDATION = f'"{ValidationDone.__name__}"'.encode()
_SPECIAL_FILE = "special_tokens.json"


@dataclass(frozen=True)
class DescribedModel:
    """A model as the window shows it.

    Args:
        folder: The folder of its run.
        title: Its name for a person.
        notes: What the person says of it.
        card: Licence, languages, where it came from.
        settings: Its architecture; None where that cannot be read.
        objective: What it was trained for, as in `core.training.settings.Objective`.
        corpus: Name of the corpus it was trained on.
        start_from: The folder it started from; empty for random weights.
        step: The step of the checkpoint that writes: the best, or else the newest.
        last_step: The step of the newest checkpoint.
        steps: Steps planned.
        is_training: Whether a process is at work on it.
        checkpoints: How many are kept.
        room: How many tokens it reads at once; 0 where that is not known.
        parameters: How many; 0 where that is not known.
        size_bytes: The size of its folder.
        trained_ns: When its newest checkpoint was made, in nanoseconds since 1970.
        validation: The validation of its checkpoint; None where there was none.
        validation_rows: How many examples its loss was measured on, at most.
        rouge_rows: How many of them it wrote summaries for, at most.
        evaluations: What it scored where it was evaluated, the newest first.
        conversion: What was done to it to read longer texts; None where nothing was.
        fault: Why it cannot be used, one sentence; empty where it can.
    """

    folder: Path
    title: str
    notes: str = ""
    card: ModelCard = field(default_factory=ModelCard)
    settings: ModelSettings | None = None
    objective: str = ""
    corpus: str = ""
    start_from: str = ""
    step: int = 0
    last_step: int = 0
    steps: int = 0
    is_training: bool = False
    checkpoints: int = 0
    room: int = 0
    parameters: int = 0
    size_bytes: int = 0
    trained_ns: int = 0
    validation: ValidationDone | None = None
    validation_rows: int = 0
    rouge_rows: int = 0
    evaluations: tuple[Evaluation, ...] = ()
    conversion: Conversion | None = None
    fault: str = ""

    @property
    def name(self) -> str:
        """The name of its folder, by which commands know it."""
        return self.folder.name


@dataclass(frozen=True)
class ModelsFound:
    """The models on this machine.

    Args:
        models: Those that were trained or imported, the one trained last first.
        built_in_bytes: The size of the built-in summariser.
        can_write: Whether the training part is installed, without which no model can write.
        built_in_evaluations: What the built-in summariser scored, the newest first.
        built_in: What else is known of it.
    """

    models: tuple[DescribedModel, ...]
    built_in_bytes: int
    can_write: bool
    built_in_evaluations: tuple[Evaluation, ...] = ()
    built_in: BuiltInFacts = field(default_factory=BuiltInFacts)


@dataclass(frozen=True)
class DescribeModelsJob:
    """Looks which runs have a checkpoint, and what is known of each.

    Args:
        runs: The folder of all runs.
        built_in: Where the evaluations of the built-in summariser are kept; None for nowhere.
    """

    runs: Path
    built_in: Path | None = None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with `ModelsFound`.

        Args:
            stop: Ends the job between two models.

        Yields:
            `Finished`, at the end.
        """
        found = []
        for path in entries_of(self.runs):
            stop.raise_if_set()
            if model := described(path):
                found.append(model)
        models = tuple(sorted(found, key=lambda model: -model.trained_ns))
        built_in_bytes = folder_size(resource("ranker"))
        can_write = part_of("training").is_installed
        evaluated = read_evaluations(RunFolder(self.built_in)) if self.built_in else ()
        known = built_in_facts()
        yield Finished(ModelsFound(models, built_in_bytes, can_write, evaluated, known))


def described(path: Path) -> DescribedModel | None:
    """What is known of a model.

    Args:
        path: The folder of its run.

    Returns:
        The model; None where the run has no checkpoint.
    """
    run = RunFolder(path)
    when_ns = trained_ns(run)
    if not when_ns:
        return None
    about, model = read_about(run), DescribedModel(path, path.name)
    stamps = map(_changed_ns, (run.job_file, run.events_file, path / "best.json"))
    with suppress(OSError):
        model = _of_files(path, (when_ns, *stamps))
    return replace(
        model,
        title=about.title or path.name,
        notes=about.notes,
        card=read_model_card(run),
        evaluations=read_evaluations(run),
        conversion=read_conversion(path),
        is_training=is_held(run.lock_file),
        trained_ns=when_ns,
    )


def _changed_ns(file: Path) -> int:
    """When a file was changed last; 0 where there is none."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


@lru_cache(_MOST_KEPT)
def _of_files(path: Path, stamps: tuple[int, ...]) -> DescribedModel:
    """What stands in a run's large files, remembered until one of them changes."""
    run = RunFolder(path)
    model = DescribedModel(
        path,
        path.name,
        checkpoints=sum(1 for _ in run.checkpoints.glob("step-*/state.json")),
        size_bytes=folder_size(path),
    )
    try:
        plan = RunPlan.of(parse_toml(read_regular(run.job_file).decode()))
    except NewerFileError:
        return replace(model, fault="It was made by a newer Epitome.")
    except (EpitomeError, OSError, ValueError, KeyError, TypeError) as error:
        fault = str(error).partition("\n")[0].rstrip(".")
        return replace(model, fault=f"Its file job.toml cannot be read ({fault}).")
    model = replace(
        model,
        settings=plan.model,
        objective=plan.train.objective,
        corpus=Path(plan.run.corpus).name,
        start_from=plan.run.start_from,
        steps=plan.train.steps,
        validation_rows=plan.train.validate_rows,
        rouge_rows=plan.train.rouge_rows,
    )
    settings = plan.model
    try:
        checkpoint = Checkpoints(path).likely((GGUF_FILE if settings.is_gguf else WEIGHTS,))
        if checkpoint is None:
            return replace(model, fault="It has no checkpoint that is whole.")
        room = settings.source_room(_special_tokens(run), plan.decoding.max_length)
        parameters = (
            num_parameters(settings) if settings.is_gguf else count_parameters(checkpoint / WEIGHTS)
        )
    except EpitomeError as error:
        return replace(model, fault=error.message)
    step = step_of(checkpoint)
    validation = validation_of(run, step)
    last_step = Checkpoints(path).step_named("last") or step
    return replace(
        model,
        step=step,
        last_step=last_step,
        room=room,
        parameters=parameters,
        validation=validation,
    )


def validation_of(run: RunFolder, step: int) -> ValidationDone | None:
    """The validation of a run after a step; None where there was none.

    Args:
        run: The run.
        step: The step.

    Returns:
        The last one, where the step was made more than once.
    """
    with suppress(OSError):
        data = read_regular(run.events_file, MOST_BYTES)
        lines = (line for line in data.splitlines(keepends=True) if _VALIDATION in line)
        told = [_KINDS.event_of(each) for each in recorded_in(b"".join(lines))]
        found = [event for event in told if isinstance(event, ValidationDone)]
        return next((event for event in reversed(found) if event.step == step), None)
    return None


def _special_tokens(run: RunFolder) -> SpecialTokens:
    file = run.tokenizer / _SPECIAL_FILE
    return SpecialTokens.load(file) if file.exists() else SpecialTokens.trained()

"""Lists the training runs on the disk, whoever started them, with what is known of each."""

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from core.events import Event, Failed, Finished, Progress, Stopped
from core.runs.about import read_about
from core.runs.checkpoints import Checkpoints
from core.runs.event_kinds import EventKinds
from core.runs.events import Resumed
from core.runs.events_file import recorded_in, that_count
from core.runs.folder import JOB_FILE, RunFolder
from core.runs.model_card import read_model_card
from core.storage.files import entries_of, is_held
from core.storage.parsing import parse_json, parse_toml
from core.storage.regular_files import open_regular, read_regular
from core.training.events import KINDS, StepDone, ValidationDone
from core.training.plan import QUEUED_FILE

RunState = Literal["waiting", "running", "paused", "stopped", "finished", "failed"]

_TAIL_BYTES = 1 << 18
_MOST_KEPT = 4096


@dataclass(frozen=True)
class RunCard:
    """A run as a list shows it.

    Args:
        folder: Its folder.
        title: Its name.
        state: How it is, as its own files tell; the queue may know better.
        objective: What is learnt, as in `TrainSettings`; empty where nobody knows.
        family: Family of the model.
        corpus: Name of its corpus.
        start_from: Name of what it started from; empty for none.
        length: Tokens that the model reads.
        step: Steps made.
        steps: Steps planned.
        validation: The last validation, if it is known.
        failure: Why it failed.
        changed_ns: When its events were last written, in nanoseconds since 1970.
        notes: What the person says of it.
        has_model: Whether it has a checkpoint, and so can write summaries.
        best_step: The step of its best checkpoint; 0 where it was never validated.
    """

    folder: Path
    title: str
    state: RunState = "stopped"
    objective: str = ""
    family: str = ""
    corpus: str = ""
    start_from: str = ""
    length: int = 0
    step: int = 0
    steps: int = 0
    validation: ValidationDone | None = None
    failure: Failed | None = None
    changed_ns: int = 0
    notes: str = ""
    has_model: bool = False
    best_step: int = 0


def list_runs(runs: Path, more: tuple[Path, ...] = ()) -> tuple[RunCard, ...]:
    """Lists the training runs; of long files it reads the end only.

    Args:
        runs: The folder of all runs.
        more: Folders of runs that lie elsewhere.

    Returns:
        The runs, the one that changed last first.
    """
    folders = dict.fromkeys((*entries_of(runs), *more))
    cards = [card for folder in folders if (card := card_of(folder))]
    return tuple(sorted(cards, key=lambda card: -card.changed_ns))


def card_of(path: Path) -> RunCard | None:
    """What is known of a run.

    Args:
        path: Its folder.

    Returns:
        The card; None where there is no run.
    """
    folder = RunFolder(path)
    job = folder.job_file if folder.exists else path / QUEUED_FILE
    with suppress(OSError):
        stamps = tuple(map(_stamp, (job, folder.events_file)))
        if not any(stamps[0]):
            return None
        origin = read_model_card(folder)
        # Of an imported model whose card is damaged it is told that it never made a step.
        has_begun = any(stamps[1]) or job.name == QUEUED_FILE
        if origin.imported or (origin.is_damaged and not has_begun):
            return None  # a model that was trained elsewhere
        about = read_about(folder)
        card = _of_files(path, job, *stamps)
        has_model = (path / "last.json").exists()  # names the newest checkpoint
        card = replace(
            card,
            title=about.title or path.name,
            notes=about.notes,
            has_model=has_model,
            best_step=Checkpoints(path).step_named("best") or 0,
        )
        return _living(card, folder) if is_held(folder.lock_file) else card
    return None


def _stamp(path: Path) -> tuple[int, int]:
    """Changes with a file; zeros where there is none."""
    try:
        about = path.stat() if path.exists() else path.lstat()  # a link may lead nowhere
    except FileNotFoundError:
        return (0, 0)
    return (about.st_mtime_ns, about.st_size)


def _living(card: RunCard, folder: RunFolder) -> RunCard:
    """A run on which a process is at work: its steps are told beside its events."""
    step = card.step
    with suppress(OSError, ValueError, TypeError, KeyError):
        told = parse_json(read_regular(folder.progress_file))
        told.pop("start")
        progress = Progress(**told)
        step = progress.done if progress.unit == "steps" else step
    return replace(card, state="running", step=max(step, card.step), failure=None)


@lru_cache(_MOST_KEPT)
def _of_files(
    path: Path, job: Path, of_job: tuple[int, int], of_events: tuple[int, int]
) -> RunCard:
    """What a run's own files say, remembered until one of them changes."""
    plan, fault = _of_plan(path, job)
    card = replace(plan, changed_ns=max(of_job[0], of_events[0]), failure=fault)
    if job.name == QUEUED_FILE:
        return replace(card, state="waiting")
    events = _last_events(RunFolder(path).events_file)
    for event in events:
        match event:
            case StepDone(step) | Resumed(step=step):
                card = replace(card, step=step)
            case ValidationDone():
                card = replace(card, validation=event)
    return _ended(card, events[-1]) if events else card


def _ended(card: RunCard, last: Event) -> RunCard:
    """A run on which nobody is at work, by its last event."""
    match last:
        case Finished():
            return replace(card, state="finished")
        case Stopped(reason):
            return replace(card, state="paused" if reason == "pause" else "stopped")
        case Failed():
            return replace(card, state="failed", failure=last)
    return replace(card, state="failed", failure=_INTERRUPTED)


_INTERRUPTED = Failed(
    "The run was interrupted: its process ended without saying why.",
    "Resume it; it goes on from its last checkpoint.",
)


_NO_PLAN = Failed(
    f"The settings of this run ({JOB_FILE}) cannot be read.",
    "Put the file back from a copy; the run's checkpoints are still there.",
)


def _of_plan(path: Path, job: Path) -> tuple[RunCard, Failed | None]:
    """What is planned; of a file that cannot be read, nothing, and that it is so."""
    card = RunCard(path, path.name)
    with suppress(OSError, ValueError, TypeError, AttributeError, OverflowError):
        tables: dict[str, Any] = parse_toml(read_regular(job).decode())
        run, model, train = (tables.get(name, {}) for name in ("run", "model", "train"))
        planned = replace(
            card,
            objective=str(train.get("objective", "summary")),
            family=str(model.get("family", "reformer")),
            corpus=Path(str(run.get("corpus", ""))).name,
            start_from=Path(str(run.get("start_from", ""))).name,
            length=int(model.get("length", model.get("source_length", 0))),
            steps=int(train.get("steps", 0)),
        )
        return planned, None
    return card, _NO_PLAN


def _last_events(path: Path) -> list[Event]:
    """The events at the end of a file, without those that a resumed run left behind."""
    try:
        with open_regular(path, "rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL_BYTES))
            data = file.read()
    except OSError:
        return []
    if size > _TAIL_BYTES:
        data = data[data.find(b"\n") + 1 :]
    kinds = EventKinds(KINDS)
    return [kinds.event_of(recorded) for recorded in that_count(recorded_in(data))]

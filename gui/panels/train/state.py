"""What the list of runs shows, and what may be done with each: plain Python, without Qt."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from core.events import Failed
from core.jobs.queue.listing import JobNow
from core.jobs.runs.list_runs import RunCard
from core.models.families import BUILT_FAMILIES
from core.numbers import THIN_SPACE, format_count
from gui.control_words import event_in_window

State = Literal["running", "waiting", "paused", "stopped", "failed", "finished", "cancelled"]
Deed = Literal[
    "pause", "resume", "stop", "cancel", "restore", "duplicate", "move_up", "move_down", "forget",
    "show_folder", "report", "bundle", "continue",
    "fine_tune", "summarise", "forecast",
]  # fmt: skip

OBJECTIVES: Final[Mapping[str, str]] = {
    "gsg": "Gap sentences",
    "language-model": "Language model",
    "summary": "Fine-tune on pairs",
}
_OF_QUEUE: Final[Mapping[str, State]] = {"starting": "running"}
_WORDS: Final[Mapping[State, str]] = {
    "running": "running",
    "waiting": "waiting",
    "paused": "paused",
    "stopped": "stopped",
    "failed": "failed",
    "finished": "done",
    "cancelled": "in the trash",
}
_MOST_EARLIER = 200
_UNKNOWN: Final = Failed("The run ended without saying why.", "Its log is in its folder.")


@dataclass(frozen=True)
class ListedRun:
    """A run as the list shows it.

    Args:
        folder: Its folder, by which it is known.
        title: Its name.
        state: How it is.
        word: The state in a word, or how much is done.
        what: What is learnt, in a few words.
        line: How it stands or ended; may be empty.
        share: How much is done, 0 to 1; None when nobody knows.
        card: What lies on the disk; None for a job of which nothing does.
        job: Its job in the queue; None for a run that is not there.
    """

    folder: Path
    title: str
    state: State
    word: str
    what: str = ""
    line: str = ""
    share: float | None = None
    card: RunCard | None = None
    job: JobNow | None = None

    @property
    def id(self) -> str:
        """Its id in the queue; empty where it is not there."""
        return self.job.id if self.job else ""

    @property
    def is_pausing(self) -> bool:
        """Whether it still runs, but has been asked to end."""
        return self.job is not None and self.job.wish in ("pause", "stop", "cancel")

    @property
    def failure(self) -> Failed | None:
        """Why it failed; None unless it did."""
        if self.state != "failed":
            return None
        told = self.job.failure if self.job else None
        told = told or (self.card.failure if self.card else None) or _UNKNOWN
        return event_in_window(told)

    @property
    def deeds(self) -> frozenset[Deed]:
        """What may be done with it as it stands."""
        if self.state == "cancelled":
            return frozenset({"restore"})
        deeds: set[Deed] = {"show_folder"}
        if self.card is not None and self.card.family in BUILT_FAMILIES.classes:
            deeds |= {"forecast"}
        if self.state == "running":
            # One that was started at the command line can be asked to stop, and nothing else.
            deeds |= {"pause", "stop", "cancel"} if self.id else {"stop"}
        elif self.state == "waiting":
            deeds |= {"pause", "cancel", "duplicate", "move_up", "move_down"}
        else:
            deeds |= {"duplicate", "cancel", "report", "bundle"}
            deeds |= {"resume"} if self.state != "finished" else set()
        if self.state == "running":
            deeds |= {"duplicate", "report", "bundle"}
        if self.card is not None and self.card.has_model:
            deeds |= {"summarise"}
            deeds |= {"continue", "fine_tune"} if self.state != "waiting" else set()
        return frozenset(deeds)


@dataclass(frozen=True)
class Group:
    """Runs under a head."""

    title: str
    runs: tuple[ListedRun, ...]


class TrainState:
    """All runs and which one is open.

    What lies on the disk (cards) and what the queue says (jobs) come at different times; a run is
    known by its folder in both.
    """

    def __init__(self) -> None:
        self.cards: dict[Path, RunCard] = {}
        self.jobs: tuple[JobNow, ...] = ()
        self.left: Mapping[Path, str] = {}
        self.selected: Path | None = None
        self.wanted: Path | None = None
        """A run that is selected as soon as it is listed."""
        self.has_looked = False

    def take_cards(self, cards: Iterable[RunCard]) -> None:
        """Takes the runs that lie on the disk now."""
        self.cards = {card.folder: card for card in cards}
        self.has_looked = True

    def take_jobs(self, jobs: Iterable[JobNow], left: Mapping[Path, str] | None = None) -> None:
        """Takes the jobs of the queue, with how much time each has left, in words."""
        self.jobs = tuple(job for job in jobs if job.kind in ("train", "") or not job.id)
        self.left = left or {}

    @property
    def runs(self) -> tuple[ListedRun, ...]:
        """All runs: running, waiting in their order, then the one that changed last first."""
        return tuple(run for group in self.groups for run in group.runs)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The runs by how they are; groups without any are left out."""
        jobs = {job.folder: job for job in self.jobs}
        listed = [
            listed_run(self.cards.get(folder), jobs.get(folder), self.left.get(folder, ""))
            for folder in dict.fromkeys((*jobs, *self.cards))
        ]
        running = [run for run in listed if run.state == "running"]
        waiting = _in_line([run for run in listed if run.state == "waiting"])
        others = [run for run in listed if run.state not in ("running", "waiting")]
        others.sort(key=lambda run: -(run.card.changed_ns if run.card else 0))
        many = f"Waiting, {len(waiting)}" if len(waiting) > 1 else "Waiting"
        groups = (
            Group("Running", tuple(running)),
            Group(many, tuple(waiting)),
            Group("Earlier", tuple(others[:_MOST_EARLIER])),
        )
        return tuple(group for group in groups if group.runs)

    def run(self, folder: Path | None) -> ListedRun | None:
        """The run in a folder, if it is listed."""
        return next((run for run in self.runs if run.folder == folder), None)

    @property
    def open(self) -> ListedRun | None:
        """The run that is open."""
        return self.run(self.selected)

    def choose(self) -> Path | None:
        """The run to open: the wanted one once it is listed; the first one when none is open."""
        if self.run(self.wanted) is not None:
            self.selected, self.wanted = self.wanted, None
        if self.open is None:
            self.selected = self.runs[0].folder if self.runs else None
        return self.selected


def listed_run(card: RunCard | None, job: JobNow | None, left: str = "") -> ListedRun:
    """A run of what the disk and the queue say of it.

    Args:
        card: What lies on the disk; None for nothing.
        job: Its job; None for none.
        left: The time it still takes, in words.

    Returns:
        The run; one of both must be there.
    """
    state: State = card.state if card else "waiting"
    if job is not None:
        state = _OF_QUEUE.get(job.state, job.state)  # type: ignore[arg-type]
    folder = job.folder if job else card.folder if card else Path()
    title = card.title if card else job.title if job else ""
    share = job.share if job and job.share is not None else _share(card)
    run = ListedRun(folder, title, state, _WORDS[state], _what(card), "", share, card, job)
    if state == "running" and share is not None:
        run = replace(run, word=f"{int(100 * share)}{THIN_SPACE}%")
    return replace(run, line=_line(run, left))


def _share(card: RunCard | None) -> float | None:
    return min(card.step / card.steps, 1.0) if card and card.steps else None


def _what(card: RunCard | None) -> str:
    """What is learnt: "Gap sentences, 16 384 tokens"."""
    if card is None:
        return ""
    told = [OBJECTIVES.get(card.objective, card.objective)]
    if card.length:
        told.append(f"{format_count(card.length)} tokens")
    return ", ".join(filter(None, told))


def _line(run: ListedRun, left: str) -> str:
    job, card = run.job, run.card
    if job and job.wish:
        return job.note
    match run.state:
        case "running":
            return left or (job.note if job and not job.id else "")
        case "failed":
            return run.failure.message if run.failure else ""
        case "cancelled":
            return job.note if job else ""
        case "paused" | "stopped":
            return _kept(card)
        case "finished":
            return _scored(card)
    return ""


def _kept(card: RunCard | None) -> str:
    if card is None or not card.steps:
        return ""
    if not card.step:
        return "before its first step"
    return f"Step {format_count(card.step)} of {format_count(card.steps)}, kept"


def _scored(card: RunCard | None) -> str:
    found = card.validation if card else None
    if found is None:
        return ""
    if "1" in found.rouge:
        return f"ROUGE-1 {100 * found.rouge['1']:.1f}, validation {found.loss:.2f}"
    return f"validation loss {found.loss:.2f}"


def _in_line(waiting: list[ListedRun]) -> list[ListedRun]:
    """Waiting runs with their turn in their lane: "next", "then"."""
    seen: set[str] = set()
    made = []
    for run in waiting:
        lane = run.job.lane if run.job else ""
        word = "waiting" if run.job is None else "then" if lane in seen else "next"
        seen.add(lane)
        made.append(replace(run, word=word))
    return made

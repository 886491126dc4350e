"""What a run has told so far, as columns of numbers: read piece by piece, followed by offset.

`ReadRunJob` reads all there is; of a long run that belongs into another process than the window's.
`FollowRunJob` then passes on what is new. Both give `RunNews`, which `RunHistory` puts together.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from core.events import Event, Failed, Finished, Started, Stopped
from core.runs.event_kinds import EventKinds
from core.runs.events import Resumed
from core.runs.folder import RunFolder
from core.runs.follower import Followed, Follower
from core.stop import StopToken
from core.storage.files import is_held
from core.storage.growable_array import Floats, Growing
from core.training.events import KINDS, SampleWritten, StepDone, ValidationDone

COLUMNS = (
    "number", "step", "epoch", "loss", "gradient_norm", "learning_rate", "loss_tokens", "tokens",
    "seconds", "peak_mib", "data_seconds",
)  # fmt: skip
"""Of each step: the number of its event, then the fields of `StepDone`."""

_LOOK_S, _IDLE_LOOK_S = 0.3, 1.5
_READ_AT_ONCE = 64  # pieces of half a mebibyte


@dataclass(frozen=True, eq=False)
class RunNews(Event):
    """What a run has told since the last look.

    Args:
        steps: [N, len(COLUMNS)] float64, a row for each step; NaN where a run did not tell.
        others: Its other events, with their numbers and times.
        kept: How many of the steps told before still count, by the highest event number that does;
            None for all. A run that was resumed takes steps back.
        offset: Where the next look begins, in bytes of the file of events.
        is_live: Whether a process is at work in the run's folder.
    """

    steps: Floats
    others: tuple[Followed, ...]
    kept: int | None
    offset: int
    is_live: bool


class RunReader:
    """Reads a run's events in pieces.

    Args:
        folder: The run's.
        offset: Where to begin, in bytes, as `RunNews.offset` said.
    """

    def __init__(self, folder: Path, offset: int = 0) -> None:
        self._folder = RunFolder(folder)
        self._follower = Follower(self._folder.events_file, EventKinds(KINDS), offset)

    def poll(self) -> RunNews:
        """What is new, of at most half a mebibyte; fails as `Follower.poll` does."""
        return self._news(self._follower.poll())

    def _news(self, found: list[Followed]) -> RunNews:
        kept: int | None = None
        rows: list[tuple[float, ...]] = []
        others: list[Followed] = []
        for each in found:
            event = each.event
            if isinstance(event, Resumed):
                kept = event.after if kept is None else min(kept, event.after)
                rows = [row for row in rows if row[0] <= event.after]
            if isinstance(event, StepDone):
                rows.append(_row(each.number, event))
            else:
                others.append(each)
        steps = np.array(rows, np.float64).reshape(-1, len(COLUMNS))
        is_live = is_held(self._folder.lock_file)
        return RunNews(steps, tuple(others), kept, self._follower.offset, is_live)


def _row(number: int, event: StepDone) -> tuple[float, ...]:
    values = (getattr(event, name) for name in COLUMNS[1:])
    return (float(number), *(float("nan") if value is None else float(value) for value in values))


@dataclass(frozen=True)
class ReadRunJob:
    """Reads all that a run has told.

    Args:
        folder: The run's.
    """

    folder: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `RunNews` in pieces of some ten thousand steps, and `Finished` with the offset."""
        reader = RunReader(self.folder)
        waiting: list[RunNews] = []
        while True:
            stop.raise_if_set()
            news = reader.poll()
            has_more = len(news.steps) or news.others
            if has_more:
                waiting.append(news)
            if waiting and (not has_more or len(waiting) >= _READ_AT_ONCE or _takes_back(news)):
                yield joined(waiting)
                waiting = []
            if not has_more:
                yield Finished(news.offset)
                return


@dataclass(frozen=True)
class FollowRunJob:
    """Follows a run from where another job has read it to, until it is stopped.

    Args:
        folder: The run's.
        offset: Where to begin, in bytes.
    """

    folder: Path
    offset: int = 0

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `RunNews` as they come; never ends by itself."""
        reader, was_live = RunReader(self.folder, self.offset), None
        while not stop:
            news = reader.poll()
            if len(news.steps) or news.others or news.is_live != was_live:
                was_live = news.is_live
                yield news
                continue
            stop.wait(_LOOK_S if news.is_live else _IDLE_LOOK_S)
        yield Stopped(stop.wish)


def _takes_back(news: RunNews) -> bool:
    return news.kept is not None


def joined(news: list[RunNews]) -> RunNews:
    """Several pieces as one; only the last may take steps back."""
    *before, last = news
    steps = [_kept(each.steps, last.kept) for each in before]
    others = [each for piece in news for each in piece.others]
    return RunNews(
        np.concatenate([*steps, last.steps]), tuple(others), last.kept, last.offset, last.is_live
    )


def _kept(steps: Floats, after: int | None) -> Floats:
    """The steps that still count; they lie in the order of their numbers."""
    if after is None:
        return steps
    return steps[: int(np.searchsorted(steps[:, 0], after, "right"))]


@dataclass(frozen=True)
class LogLine:
    """A line of the log.

    Args:
        number: Of its event.
        time: When, in UTC, ISO 8601.
        event: What happened.
    """

    number: int
    time: str
    event: Event


@dataclass(eq=False)
class RunHistory:
    """A run's curves, samples and log, put together from its news.

    Attributes:
        validations: With the number of each event.
        samples: The same of samples, in their order.
        log: All else, without steps.
        resumed_at: Steps after which the run was resumed.
        version: Grows when steps were taken back, so that curves must be drawn anew.
        ended: Its last event, where that ended it.
    """

    validations: list[tuple[int, ValidationDone]] = field(default_factory=list)
    samples: list[tuple[int, SampleWritten]] = field(default_factory=list)
    log: list[LogLine] = field(default_factory=list)
    resumed_at: list[int] = field(default_factory=list)
    version: int = 0
    ended: Event | None = None
    is_live: bool = False
    _columns: dict[str, Growing] = field(
        default_factory=lambda: {name: Growing() for name in COLUMNS}
    )

    def __len__(self) -> int:
        return len(self._columns["step"])

    def column(self, name: str) -> Floats:
        """[N] The values of all steps, by the name in `COLUMNS`; a view."""
        return self._columns[name].values

    @property
    def step(self) -> int:
        """The last step that was made."""
        return int(self.column("step")[-1]) if len(self) else 0

    def take(self, news: RunNews) -> None:
        """Adds what is new, and leaves out what a resumed run has taken back."""
        if news.kept is not None:
            self._take_back(news.kept)
        self._append(news.steps)
        self.is_live = news.is_live
        for each in news.others:
            self._take(each)
        if len(news.steps):
            last = max((each.number for each in news.others), default=0)
            if last < news.steps[-1, 0]:
                self.ended = None

    def _take(self, each: Followed) -> None:
        event = each.event
        self.ended = event if isinstance(event, Finished | Stopped | Failed) else None
        if isinstance(event, Resumed):
            self._drop_others(event.after)
            if event.step:
                self.resumed_at.append(event.step)
        if isinstance(event, ValidationDone):
            self.validations.append((each.number, event))
        if isinstance(event, SampleWritten):
            self.samples.append((each.number, event))
        elif not isinstance(event, Started):
            self.log.append(LogLine(each.number, each.time, event))

    def _take_back(self, after: int) -> None:
        count = int(np.searchsorted(self.column("number"), after, "right"))
        if count < len(self):
            for column in self._columns.values():
                column.keep(count)
            self.version += 1

    def _drop_others(self, after: int) -> None:
        before = len(self.validations)
        self.validations = [each for each in self.validations if each[0] <= after]
        self.samples = [each for each in self.samples if each[0] <= after]
        self.version += before != len(self.validations)

    def _append(self, steps: Floats) -> None:
        for at, column in enumerate(self._columns.values()):
            column.append(steps[:, at])

    @property
    def best(self) -> ValidationDone | None:
        """The best validation so far."""
        return next((found for _, found in reversed(self.validations) if found.best), None)


def sample_score(sample: SampleWritten) -> float:
    """ROUGE-1 F1 of a sample, from 0 to 1, as validation measures it."""
    from core.metrics.rouge import rouge

    return rouge(sample.text, sample.reference, ("1",))["1"].f1

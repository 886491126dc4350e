"""How far a run is and how long it still takes, in words; without Qt."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from core.jobs.runs.run_history import RunHistory
from core.numbers import THIN_SPACE, format_count, format_quantity, format_seconds
from core.training.events import CheckpointSaved

_RECENT = 200  # steps that the rest is estimated by
_LEAST = 5


@dataclass(frozen=True)
class TimeLeft:
    """What a run still takes.

    Args:
        training_s: Of its steps, without their data.
        validation_s: Of its validations.
        data_s: Of reading rows; 0 in runs of older programs, where the steps include it.
    """

    training_s: float
    validation_s: float
    data_s: float = 0.0

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.data_s + self.training_s + self.validation_s

    def told(self) -> str:
        """ "2 h 10 min left"."""
        return f"{rounded(self.seconds)} left"

    def parts(self) -> str:
        """Its parts, in words: "data 40 s, training 2 min, validation 12 s"."""
        parts = {"data": self.data_s, "training": self.training_s, "validation": self.validation_s}
        told = [f"{name} {rounded(seconds)}" for name, seconds in parts.items() if seconds]
        return ", ".join(told) if len(told) > 1 else ""

    def done_at(self, now: datetime) -> str:
        """ "done about 17:45"; of another day with the day."""
        end = now + timedelta(seconds=self.seconds)
        day = "" if end.date() == now.date() else f"{end:%a} "
        return f"done about {day}{end:%H:%M}"


def time_left(history: RunHistory, steps: int, validate_every: int) -> TimeLeft | None:
    """How long a run still takes, by its last steps and validations.

    Args:
        history: What it has told.
        steps: How many it makes.
        validate_every: Steps from one validation to the next; 0 for none.

    Returns:
        The time; None where too little is known.
    """
    seconds = history.column("seconds")[-_RECENT:]
    left = steps - history.step
    if len(seconds) < _LEAST or left <= 0:
        return None
    took = [found.seconds for _, found in history.validations[-3:]]
    times = history.step // validate_every if validate_every else 0
    validations = -(-steps // validate_every) - times if validate_every and took else 0
    each_s = float(np.mean(took)) if took else 0.0
    whole_s = left * float(np.mean(seconds))
    data_s = left * float(np.nan_to_num(np.mean(history.column("data_seconds")[-_RECENT:])))
    return TimeLeft(whole_s - data_s, max(validations, 0) * each_s, data_s)


def rounded(seconds: float) -> str:
    """A time in two units at most, as forecasts are told: "2 h 10 min", "45 s"."""
    if seconds < 60:
        return f"{max(round(seconds), 1)}{THIN_SPACE}s"
    if seconds < 3600:
        return f"{round(seconds / 60)}{THIN_SPACE}min"
    hours, minutes = divmod(round(seconds / 60), 60)
    rest = f" {minutes}{THIN_SPACE}min" if minutes and hours < 24 else ""
    return f"{hours}{THIN_SPACE}h{rest}"


def place(history: RunHistory, steps: int, now: datetime) -> str:
    """Where a run is: "Step 20 600 of 50 000, epoch 3. Last saved 40 s ago.".

    Of a run that ended after its last checkpoint, the step of that checkpoint is named only.
    """
    if not len(history):
        return ""
    if (
        history.ended is not None
        and not history.is_live
        and (lost := history.step - saved_step(history))
    ):
        return _place_saved(saved_step(history), lost, steps)
    epoch = int(history.column("epoch")[-1]) + 1
    of = f" of {format_count(steps)}" if steps else ""
    told = f"Step {format_count(history.step)}{of}, epoch {format_count(epoch)}."
    return " ".join(filter(None, (told, _saved(history, now))))


def _place_saved(saved: int, lost: int, steps: int) -> str:
    """The last step that is saved, and how many later ones are not."""
    of = f" of {format_count(steps)}" if steps else ""
    later = format_quantity(lost, "step")
    if not saved:
        return f"{later}{of} made, none of them saved."
    are = "is" if lost == 1 else "are"
    return f"Saved up to step {format_count(saved)}{of}. {later} after that {are} lost."


def saved_step(history: RunHistory) -> int:
    """The step of the last checkpoint that a run has told of; 0 for none."""
    saves = (line.event for line in reversed(history.log))
    return next((event.step for event in saves if isinstance(event, CheckpointSaved)), 0)


def _saved(history: RunHistory, now: datetime) -> str:
    saves = (line for line in reversed(history.log) if isinstance(line.event, CheckpointSaved))
    last = next(saves, None)
    if last is None:
        return "Not saved yet." if history.is_live else ""
    if not history.is_live:
        assert isinstance(last.event, CheckpointSaved)
        return f"Last saved after step {format_count(last.event.step)}."
    ago_s = max((now - local_time(last.time)).total_seconds(), 0.0)
    return f"Last saved {format_seconds(round(ago_s / 10) * 10) if ago_s >= 10 else 'just now'}" + (
        " ago." if ago_s >= 10 else "."
    )


def local_time(written: str) -> datetime:
    """A time of a file of events on the clock of this machine."""
    return datetime.fromisoformat(written).astimezone()

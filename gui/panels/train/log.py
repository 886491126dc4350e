"""The log of a run: its events in words, the newest first."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.events import Event, Failed, Finished, Message, Stopped
from core.jobs.runs.run_history import LogLine, RunHistory
from core.numbers import format_count
from core.runs.events import Resumed
from core.training.events import CheckpointSaved, StepSkipped, ValidationDone
from gui.control_words import explain, in_window
from gui.panels.train.progress import local_time

MOST_LINES = 200


@dataclass(frozen=True)
class LogWords:
    """A line of the log as it is shown.

    Args:
        time: "15:32:08".
        words: What happened.
        color: Token of the words.
    """

    time: str
    words: str
    color: str


def log_words(history: RunHistory, most: int = MOST_LINES) -> list[LogWords]:
    """The last lines of a run's log, the newest first."""
    made: list[LogWords] = []
    for line in _newest(history):
        words, color = told(line.event)
        if words:
            made.append(LogWords(_clock(line.time), words, color))
        if len(made) >= most:
            break
    return made


def _newest(history: RunHistory) -> Iterator[LogLine]:
    return reversed(history.log)


def told(event: Event) -> tuple[str, str]:
    """What happened in a few words, and the token of their colour; empty words for nothing."""
    match event:
        case ValidationDone():
            best = ", best so far" if event.best else ""
            return f"validation {event.loss:.2f}{best}", "ok" if event.best else "text2"
        case CheckpointSaved():
            return f"saved step {format_count(event.step)}", "text2"
        case StepSkipped():
            return f"step {format_count(event.step)} skipped: {event.reason}", "warn"
        case Message(level="warning"):
            return in_window(event.text), "warn"
        case Message():
            return in_window(event.text), "text2"
        case Resumed():
            return f"resumed after step {format_count(event.step)}", "text2"
        case Failed():
            return explain(event), "err"
        case Stopped():
            return "paused" if event.reason == "pause" else "stopped", "text2"
        case Finished():
            return "finished", "ok"
    return "", "text2"


def _clock(written: str) -> str:
    try:
        return f"{local_time(written):%H:%M:%S}"
    except ValueError:
        return ""

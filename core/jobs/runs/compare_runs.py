"""Compares runs: their curves, their best values with the steps, and the settings that differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.events import Event, Finished, Progress
from core.jobs.runs.list_runs import card_of
from core.jobs.runs.run_history import ReadRunJob, RunHistory, RunNews
from core.jobs.training.run_plan import PlanLine, plan_in, plan_lines
from core.numbers import format_count, format_seconds
from core.stop import StopToken

_ALIKE = {("run", "tokenizer"), ("train", "threads")}


@dataclass(frozen=True, eq=False)
class ComparedRun:
    """A run among others.

    Args:
        folder: Its folder.
        title: Its name.
        lines: Its settings.
        history: What it has told.
    """

    folder: Path
    title: str
    lines: tuple[PlanLine, ...]
    history: RunHistory


@dataclass(frozen=True)
class CompareRunsJob:
    """Reads runs; of long ones that takes a while, so it belongs into another process.

    Args:
        folders: Of the runs.
    """

    folders: tuple[Path, ...]

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Reads.

        Args:
            stop: Read after each piece.

        Yields:
            How far it is; at the end `Finished` with a tuple of `ComparedRun`.

        Raises:
            EpitomeError: If a run cannot be read.
        """
        found = []
        for number, folder in enumerate(self.folders):
            yield Progress(number, len(self.folders), "runs", "Reading runs")
            history = RunHistory()
            for event in ReadRunJob(folder).run(stop):
                if isinstance(event, RunNews):
                    history.take(event)
            card = card_of(folder)
            title = card.title if card else folder.name
            found.append(ComparedRun(folder, title, tuple(plan_lines(plan_in(folder))), history))
        yield Finished(tuple(found))


@dataclass(frozen=True)
class ComparedLine:
    """A line of the table of what differs.

    Args:
        title: What is compared.
        words: The value of each run, in their order.
        best: Which of them is best; -1 where that cannot be said.
    """

    title: str
    words: tuple[str, ...]
    best: int = -1


def results(runs: Sequence[ComparedRun]) -> list[ComparedLine]:
    """What came of the runs: the best values with their steps, steps and time."""
    histories = [run.history for run in runs]
    lines = [
        _line("Best validation loss", [_best_loss(each) for each in histories], 3, lowest=True),
        *(
            _line(f"Best ROUGE-{name}", [_best_rouge(each, name) for each in histories], 1)
            for name in ("1", "2", "L")
        ),
        _line(
            "Loss of the last 100 steps", [_last_loss(each) for each in histories], 3, lowest=True
        ),
        ComparedLine("Steps", tuple(format_count(each.step) for each in histories)),
        ComparedLine("Time at work", tuple(_time(each) for each in histories)),
    ]
    return [line for line in lines if any(word != "–" for word in line.words)]


def differences(runs: Sequence[ComparedRun]) -> list[ComparedLine]:
    """The settings in which the runs differ."""
    lines = [{(each.table, each.name): each for each in run.lines} for run in runs]
    made = []
    for key in dict.fromkeys(key for each in lines for key in each):
        words = tuple(each[key].words if key in each else "–" for each in lines)
        if len(set(words)) > 1 and key not in _ALIKE:
            title = next(each[key].title for each in lines if key in each)
            made.append(ComparedLine(title, tuple(map(_short, words))))
    return made


def seed_groups(runs: Sequence[ComparedRun]) -> list[tuple[ComparedRun, ...]]:
    """The runs in groups that differ in nothing but the seed; most groups are of one run.

    A run with the settings and the seed of another one stays by itself.
    """
    groups: dict[frozenset[PlanLine], dict[frozenset[PlanLine], ComparedRun]] = {}
    alone = []
    for run in runs:
        lines = frozenset(each for each in run.lines if (each.table, each.name) not in _ALIKE)
        seed = frozenset(each for each in lines if each.name == "seed")
        group = groups.setdefault(lines - seed, {})
        if seed in group:
            alone.append((run,))
        group.setdefault(seed, run)
    return [*(tuple(group.values()) for group in groups.values()), *alone]


def _short(words: str) -> str:
    """A value; of a path its last part."""
    return Path(words).name if words.startswith("/") else words


_Found = tuple[float, int] | None
"""A value and its step."""


def _line(
    title: str, found: Sequence[_Found], decimals: int, *, lowest: bool = False
) -> ComparedLine:
    values = {at: each[0] for at, each in enumerate(found) if each is not None}
    best = -1
    if len(values) > 1 and len(set(values.values())) > 1:
        best = (min if lowest else max)(values, key=lambda at: values[at])
    return ComparedLine(title, tuple(_words(each, decimals) for each in found), best)


def _words(found: _Found, decimals: int) -> str:
    if found is None:
        return "–"
    value, step = found
    words = f"{value:.{decimals}f}"
    return f"{words}, step {format_count(step)}" if step else words


def _best_loss(history: RunHistory) -> _Found:
    found = [(each.loss, each.step) for _, each in history.validations]
    return min(found, default=None)


def _best_rouge(history: RunHistory, name: str) -> _Found:
    found = [
        (100 * each.rouge[name], each.step) for _, each in history.validations if name in each.rouge
    ]
    return max(found, default=None, key=lambda each: each[0])


def _last_loss(history: RunHistory) -> _Found:
    losses = history.column("loss")[-100:]
    return (float(losses.mean()), 0) if len(losses) else None


def _time(history: RunHistory) -> str:
    seconds = float(history.column("seconds").sum())
    seconds += sum(each.seconds for _, each in history.validations)
    return format_seconds(seconds) if seconds else "–"

"""What blind judgements say: wins and ties with intervals, and how far two judges agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import EpitomeError
from core.numbers import format_interval
from core.runs.judgements import FOLDER, Judged, Judgements, read_judgements


@dataclass(frozen=True)
class Outcome:
    """How two systems fared on one question.

    Args:
        question: What was asked.
        first: How often the first system won.
        equal: How often they were equal.
        second: How often the second won.
        neither: How often neither was usable.
        ahead: Wins of the first less those of the second, as a share of all, from -1 to 1.
        low: The low end of its 95 % bootstrap interval over documents; None for one document.
        high: The high end.
    """

    question: str
    first: int
    equal: int
    second: int
    neither: int
    ahead: float
    low: float | None
    high: float | None

    @property
    def total(self) -> int:
        """How many answers there are."""
        return self.first + self.equal + self.second + self.neither

    @property
    def ends(self) -> str:
        """The ends of the interval, in %: "−5 to +40"."""
        low, high = (None if end is None else 100 * end for end in (self.low, self.high))
        return format_interval(low, high, "+.0f")


@dataclass(frozen=True)
class Agreement:
    """How far two judges agree on the documents that both judged.

    Args:
        common: How many questions both answered.
        share: The share of them that both answered alike, from 0 to 1.
        kappa: Cohen's kappa: 1 for full agreement, 0 for what chance alone would give.
        low: The low end of its 95 % bootstrap interval; None for one answer in common.
        high: The high end.
    """

    common: int
    share: float
    kappa: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class FoundSession:
    """A session of a comparison.

    Args:
        path: Its file.
        judgements: What was answered; None if the file is damaged.
        fault: Why it cannot be read; empty if it can.
    """

    path: Path
    judgements: Judgements | None
    fault: str = ""


def list_sessions(folder: Path) -> tuple[FoundSession, ...]:
    """Lists the sessions of a comparison, the latest changed first.

    Args:
        folder: The comparison's.

    Returns:
        The sessions.
    """
    files = sorted((folder / FOLDER).glob("*.jsonl"), key=_changed_ns, reverse=True)
    return tuple(map(_found, files))


@dataclass(frozen=True)
class JudgementsRead:
    """Sessions and what they say.

    Args:
        sessions: As they were read.
        outcomes: For each, how the systems fared.
        agreement: How far two judges agree; None for one session.
    """

    sessions: tuple[Judgements, ...]
    outcomes: tuple[tuple[Outcome, ...], ...]
    agreement: Agreement | None = None


def read_sessions(paths: tuple[Path, ...]) -> JudgementsRead:
    """Reads one session, or two of the same systems.

    Args:
        paths: Their files.

    Returns:
        The judgements, and how far two agree.
    """
    read = tuple(map(read_judgements, paths))
    both = agreement(*read) if len(read) == 2 else None
    return JudgementsRead(read, tuple(map(outcomes, read)), both)


def outcomes(judgements: Judgements) -> tuple[Outcome, ...]:
    """How the systems fared, question by question; only answered questions count."""
    named = judgements.named()
    by_question = {q: [each for each in named if each.question == q]
                   for q in judgements.session.questions}  # fmt: skip
    return tuple(_outcome(question, some) for question, some in by_question.items() if some)


def _outcome(question: str, judged: Sequence[Judged]) -> Outcome:
    from core.metrics.intervals import bootstrap

    ahead = [{0: 1.0, 1: -1.0}.get(-1 if j.winner is None else j.winner, 0.0) for j in judged]
    interval = bootstrap(ahead)
    return Outcome(
        question,
        sum(each.winner == 0 for each in judged),
        sum(each.winner is None and each.usable for each in judged),
        sum(each.winner == 1 for each in judged),
        sum(not each.usable for each in judged),
        interval.value,
        interval.low,
        interval.high,
    )


def agreement(first: Judgements, second: Judgements) -> Agreement:
    """How far two judges agree.

    Args:
        first: The answers of one.
        second: The answers of the other, on the same systems.

    Returns:
        Their agreement on the documents and questions that both answered.

    Raises:
        EpitomeError: If they judged other systems, or nothing in common.
    """
    if set(first.session.systems) != set(second.session.systems):
        raise EpitomeError(
            f"One judge compared {' and '.join(first.session.systems)}, the other "
            f"{' and '.join(second.session.systems)}.",
            "Choose two files on the same systems.",
        )
    one, other = _verdicts(first), _verdicts(second)
    common = sorted(set(one) & set(other))
    if not common:
        raise EpitomeError(
            "The two judges have answered no question in common.",
            "Choose two files on the same documents and questions.",
        )
    return _agreement([one[key] for key in common], [other[key] for key in common])


def _verdicts(judgements: Judgements) -> dict[tuple[str, str], str]:
    """By document and question, the name of the system that won, or what was said instead."""
    systems = judgements.session.systems
    return {
        (each.id, each.question): (
            systems[each.winner] if each.winner is not None
            else "\0equal" if each.usable else "\0neither"
        )
        for each in judgements.named()
    }  # fmt: skip


def _agreement(one: Sequence[str], other: Sequence[str]) -> Agreement:
    import numpy as np

    from core.metrics.intervals import draws, interval

    labels = {label: at for at, label in enumerate(sorted({*one, *other}))}
    table = np.zeros((len(one), len(labels), len(labels)))
    for at, (a, b) in enumerate(zip(one, other, strict=True)):
        table[at, labels[a], labels[b]] = 1
    kappa = _kappa(table.sum(0))
    drawn = np.array([_kappa(np.tensordot(w, table, 1)) for w in draws(len(one))])
    found = interval(kappa, drawn, len(one))
    share = float(np.trace(table.sum(0)) / len(one))
    return Agreement(len(one), share, kappa, found.low, found.high)


def _kappa(table: object) -> float:
    """Cohen's kappa of a table of counts; 1 where chance alone would make all agree."""
    import numpy as np

    counts = np.asarray(table, np.float64)
    total = counts.sum()
    alike = np.trace(counts) / total
    by_chance = float((counts.sum(0) * counts.sum(1)).sum() / total**2)
    return 1.0 if by_chance >= 1.0 else float((alike - by_chance) / (1 - by_chance))


def _changed_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _found(path: Path) -> FoundSession:
    try:
        return FoundSession(path, read_judgements(path))
    except EpitomeError as error:
        return FoundSession(path, None, error.message)

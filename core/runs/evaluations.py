"""Evaluations of a run's model, kept in its folder with the recipe of each score."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from core.errors import check_not_newer, explained
from core.runs.folder import RunFolder
from core.storage.files import CHOOSE_HOME, locked, set_aside, write_json
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular

MIN_STARRED = 20
"""Of fewer documents, no difference is said to be more than chance."""

_MOST_KEPT = 20
_VERSION = 1


@dataclass(frozen=True)
class KeptDifference:
    """By how much a score is higher than another model's, on the same documents.

    Args:
        value: The difference.
        low: The low end of its 95 % interval; None for one document.
        high: The high end.
    """

    value: float
    low: float | None
    high: float | None


class _WithInterval(Protocol):
    @property
    def low(self) -> float | None: ...

    @property
    def high(self) -> float | None: ...


def is_clear(difference: _WithInterval, num_documents: int) -> bool:
    """True if a difference is more than chance: its interval excludes 0, of enough documents."""
    if difference.low is None or difference.high is None or num_documents < MIN_STARRED:
        return False
    return difference.low > 0 or difference.high < 0


@dataclass(frozen=True)
class KeptScore:
    """One score.

    Args:
        measure: What was measured, such as "rouge-1 f1".
        unit: Its unit, such as "%".
        value: The score of all documents.
        low: The low end of its 95 % interval; None where none was asked for.
        high: The high end.
        ahead: How it compares with that of the other model; None where none was compared.
    """

    measure: str
    unit: str
    value: float
    low: float | None = None
    high: float | None = None
    ahead: KeptDifference | None = None


@dataclass(frozen=True)
class KeptGroup:
    """A model's scores on a group of the documents.

    Args:
        by: What makes the groups: kind, novelty or length.
        name: The group's name, such as "extractive".
        documents: How many documents are in it.
        scores: One for each measure.
    """

    by: str
    name: str
    documents: int
    scores: tuple[KeptScore, ...]


@dataclass(frozen=True)
class Evaluation:
    """A model's scores on one set of documents.

    Args:
        pairs: Name of the set.
        sha256: Its hash, so that another set of the same name is told apart.
        documents: How many documents were scored.
        step: The step of the checkpoint that wrote.
        length: How long the summaries could be, as ``--length`` takes it.
        made: When, UTC, ISO 8601.
        scores: One for each measure.
        recipes: How each kind of score is computed.
        split: The split of a corpus; empty for a file.
        against: The model it was compared with; empty for none.
        groups: The scores of groups of the documents, where they were asked for.
    """

    pairs: str
    sha256: str
    documents: int
    step: int
    length: str
    made: str
    scores: tuple[KeptScore, ...]
    recipes: dict[str, str] = field(default_factory=dict)
    split: str = ""
    against: str = ""
    groups: tuple[KeptGroup, ...] = ()

    def score(self, measure: str) -> KeptScore | None:
        """The score of a measure, if it was computed."""
        return next((score for score in self.scores if score.measure == measure), None)


_EVALUATIONS = TypeAdapter(tuple[Evaluation, ...])


def read_evaluations(folder: RunFolder) -> tuple[Evaluation, ...]:
    """The evaluations of a run's model.

    Args:
        folder: The run's.

    Returns:
        The newest first; none where there is no such file, it is damaged, or of a newer program.
    """
    return _read(folder)[1]


def _read(folder: RunFolder) -> tuple[object, tuple[Evaluation, ...]]:
    """The version that the file names, and what this program can read of it."""
    version: object = None
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError, ValidationError):
        told = parse_json(read_regular(folder.evaluations_file))
        version = told["version"]
        if version == _VERSION:
            return version, _EVALUATIONS.validate_python(told["evaluations"])
    return version, ()


def keep_evaluation(folder: RunFolder, evaluation: Evaluation) -> None:
    """Keeps an evaluation; one of the same checkpoint in the same way is replaced.

    Args:
        folder: The run's.
        evaluation: The newest.

    Raises:
        EpitomeError: If it cannot be written, or a newer program wrote the file that is there.
    """
    file = folder.evaluations_file
    told = f"{file} cannot be written"
    with explained(told, CHOOSE_HOME), locked(file.with_suffix(".lock")):  # several may end at once
        version, there = _read(folder)
        check_not_newer(f"The file {file}", version, _VERSION)
        if not there:
            set_aside(file)  # it is damaged, if it is there
        others = [each for each in there if _way(each) != _way(evaluation)]
        newest = (evaluation, *others)[:_MOST_KEPT]
        write_json(file, plain_evaluations(newest))


def _way(evaluation: Evaluation) -> tuple[object, ...]:
    """What makes two evaluations the same one, made twice."""
    measures = tuple(score.measure for score in evaluation.scores)
    return (
        evaluation.sha256,
        evaluation.split,
        evaluation.documents,
        evaluation.step,
        evaluation.length,
        evaluation.against,
        measures,
        {group.by for group in evaluation.groups},
    )


def plain_evaluations(evaluations: Sequence[Evaluation]) -> dict[str, object]:
    """Evaluations as plain values, as they stand in the file."""
    return {"version": _VERSION, "evaluations": list(map(asdict, evaluations))}

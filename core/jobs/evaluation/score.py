"""Scores systems on the same documents: what `epitome evaluate` and `epitome compare` do."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from core.documents.document import count_words
from core.errors import EpitomeError
from core.evaluation.settings import EvaluateSettings, ScoreSettings
from core.evaluation.systems import System
from core.events import Event, Finished, Progress, Started, Steps
from core.jobs.timings import Timings
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.runs.evaluations import (
    Evaluation,
    KeptDifference,
    KeptGroup,
    KeptScore,
    keep_evaluation,
)
from core.runs.folder import RunFolder
from core.stop import StopToken
from core.storage.atomic_files import check_place, write_whole
from core.storage.files import SourceFiles

if TYPE_CHECKING:
    from core.evaluation.groups import GroupScores
    from core.evaluation.pairs import Pairs
    from core.evaluation.scores import Scores
    from core.evaluation.table import Against, Comparison, Score
    from core.runs.comparisons import ComparedGroup

TABLE_FILE = "table.csv"
DOCUMENTS_FILE = "documents.csv"
GROUPS_FILE = "groups.csv"


@dataclass(frozen=True)
class FileRead:
    """A file that was read.

    Args:
        path: Where it lies.
        sha256: Its hash; of a corpus, that of its card.
        words: How many words its texts have.
    """

    path: Path
    sha256: str
    words: int


@dataclass(frozen=True)
class SystemScored:
    """A system's scores over all documents.

    Args:
        name: What it was called.
        description: What it is, with all that changes what it writes.
        scores: One for each measure.
        differences: How it stands against the first system; empty for the first.
    """

    name: str
    description: str
    scores: "tuple[Score, ...]"
    differences: "tuple[Against, ...]" = ()


@dataclass(frozen=True)
class ScoringDone:
    """What was found: tables, no texts. What each document scores lies in `DOCUMENTS_FILE`.

    Args:
        num_documents: How many documents were scored.
        inputs: The pairs, then each file of predictions.
        systems: In the order they were named.
        recipes: How each kind of score is made.
        warnings: What a reader of the scores should know, one sentence each.
        timings_s: Seconds for each part of the work: read, score, draw.
        groups: The scores of groups of documents, where they were asked for.
    """

    num_documents: int
    inputs: tuple[FileRead, ...]
    systems: tuple[SystemScored, ...]
    recipes: dict[str, str]
    warnings: tuple[str, ...]
    timings_s: dict[str, float]
    groups: "tuple[GroupScores, ...]" = ()


@dataclass(frozen=True)
class ScoreJob:
    """Reads pairs, has summaries written or reads them, and scores them.

    Args:
        systems: What is scored; where there are several, all are compared with the first.
        pairs: Documents and references: a Parquet, JSON Lines or CSV file, or a corpus; without
            references also a document or a folder of documents.
        settings: How they are scored.
        out: The folder that keeps tables and predictions, those of several systems in a folder
            each; None for none. A second call goes on with the predictions that are there.
        report: A file for a report in HTML, with scores and the first documents; needs `out`.
        replace: Whether files that are there are replaced. The tables of a job that was the same
            are replaced in any case, as it goes on.
    """

    memory_remedy = "Close other programs, or score fewer documents with a limit."

    systems: tuple[System, ...]
    pairs: Path
    settings: ScoreSettings
    out: Path | None = None
    report: Path | None = None
    replace: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a `ScoringDone`."""
        many = len(self.systems) > 1
        yield Started("Comparing summaries" if many else "Scoring summaries")
        yield Finished((yield from self._steps(stop)))

    def _steps(self, stop: StopToken) -> Steps[ScoringDone]:
        from core.evaluation.scores import cautions_of_pairs, check_packages
        from core.jobs.sources.read_documents import read_scored

        replaces = self._check_places()
        timings, settings = Timings(), self.settings
        pairs = yield from read_scored(self.pairs, settings, stop)
        check_packages(settings, pairs)
        warnings = [*pairs.notes, *cautions_of_pairs(pairs, settings), *self._seen_before()]
        timings.end("read")
        scored = yield from self._scored(pairs, warnings, stop)
        timings.end("score")
        comparison = self._compared(scored, pairs)
        groups = self._grouped(scored, pairs)
        timings.end("draw")
        self._write_tables(scored, comparison, groups, pairs, replaces)
        done = ScoringDone(
            len(pairs),
            tuple(self._inputs(pairs, scored)),
            tuple(_systems(scored, comparison)),
            self._recipes(pairs),
            tuple(warnings),
            timings.parts_s,
            groups,
        )
        self._keep_comparison(scored, done, pairs, replaces)
        if self.report is not None:
            yield from self._write_report(stop)
        return replace(done, warnings=(*warnings, *self._keep(done, scored)))

    def _seen_before(self) -> Iterator[str]:
        if self.settings.split == "train":
            yield (
                "These documents are a training split: a model that was trained on them scores "
                "higher than on others."
            )

    def _keep(self, done: ScoringDone, scored: "tuple[Scores, ...]") -> Iterator[str]:
        """Keeps the scores of each model in its folder; yields what kept it from that."""
        for system, found, scores in zip(self.systems, done.systems, scored, strict=True):
            run = _kept_in(system)
            if run is not None:
                try:
                    keep_evaluation(run, self._evaluation(found, scores.step, done))
                except EpitomeError as error:
                    yield f"The scores are not kept with the model. {error.message}"

    def _evaluation(self, system: SystemScored, step: int, done: ScoringDone) -> Evaluation:
        pairs = done.inputs[0]
        first = done.systems[0]
        return Evaluation(
            pairs.path.name,
            pairs.sha256,
            done.num_documents,
            step,
            self.settings.length,
            datetime.now(UTC).isoformat(timespec="seconds"),
            tuple(_kept_scores(system)),
            done.recipes,
            self._split,
            Path(first.name).name if system is not first else "",
            tuple(
                KeptGroup(each.by, each.group, each.documents, tuple(map(_kept, each.scores)))
                for each in done.groups
                if each.system == system.name
            ),
        )

    @property
    def _split(self) -> str:
        """The split of a corpus; empty for what has none."""
        from core.data.corpus import CARD

        return self.settings.split if (self.pairs / CARD).is_file() else ""

    @property
    def _has_intervals(self) -> bool:
        asked = isinstance(self.settings, EvaluateSettings) and self.settings.intervals
        return asked or len(self.systems) > 1

    def _check_places(self) -> bool:
        """Refuses to replace what is read or was there; gives whether tables are replaced."""
        from core.evaluation.predictions import FILE_NAME
        from core.runs.comparisons import FILES

        if self.out is None:
            return False
        sources = SourceFiles([self.pairs, *(each.name for each in self.systems if each.is_file)])
        models = [each for each in self.systems if not each.is_file]
        kept = [folder / FILE_NAME for folder in map(self._folder_of, models) if folder]
        tables = [self.out / name for name in (TABLE_FILE, DOCUMENTS_FILE, GROUPS_FILE, *FILES)]
        report = [self.report] if self.report else []
        for path in (*tables, *kept, *report):
            sources.check(path)
            if self._is_read(path):
                raise EpitomeError(
                    f"{self.pairs} is a folder that is read, and results are not put into it.",
                    "Choose a folder outside it.",
                )
        replaces = self.replace or self._goes_on(self.out)
        for path in tables:
            check_place(path, "Choose another folder.", replace=replaces)
        for path in report:
            check_place(path, replace=self.replace)
        return replaces

    def _goes_on(self, folder: Path) -> bool:
        """True if a folder keeps what the same job has made."""
        from core.runs.comparisons import read_about

        with suppress(EpitomeError):
            about = read_about(folder)
            systems = [(system.name, system.is_file) for system in about.systems]
            settings = about.settings == self.settings.model_dump(mode="json")
            same = [(system.name, system.is_file) for system in self.systems] == systems
            return settings and same and about.path == str(self.pairs)
        return False

    def _is_read(self, path: Path) -> bool:
        """Whether a file would be taken for a document next time; none in a hidden folder is."""
        if not self.pairs.is_dir() or not path.resolve().is_relative_to(self.pairs.resolve()):
            return False
        inside = path.resolve().relative_to(self.pairs.resolve())
        return not any(part.startswith(".") for part in inside.parts)

    def _folder_of(self, system: System) -> Path | None:
        """Where a system's predictions are kept: models of one name have a folder each."""
        from core.evaluation.pairs import told_apart

        if self.out is None or len(self.systems) == 1:
            return self.out
        names = told_apart(Path(each.name).name for each in self.systems)
        folders = dict(zip(self.systems, names, strict=True))
        return self.out / folders[system]

    def _scored(
        self, pairs: "Pairs", warnings: list[str], stop: StopToken
    ) -> "Steps[tuple[Scores, ...]]":
        from core.evaluation.scores import cautions
        from core.evaluation.scoring import scored

        found = []
        for system in self.systems:
            folder = self._folder_of(system)
            scores, note = yield from scored(system, pairs, self.settings, folder, stop)
            warnings += [note] if note else []
            warnings += cautions(scores, pairs, self.settings)
            found.append(scores)
        return tuple(found)

    def _compared(self, scored: "tuple[Scores, ...]", pairs: "Pairs") -> "Comparison":
        from core.evaluation.table import Comparison, compare, table_of

        if self._has_intervals:
            return compare(scored, pairs.ids, self.settings.seed)
        return Comparison(tuple(map(table_of, scored)), ())

    def _grouped(self, scored: "tuple[Scores, ...]", pairs: "Pairs") -> "tuple[GroupScores, ...]":
        from core.evaluation.groups import group_scores

        return group_scores(scored, pairs, self.settings, has_intervals=self._has_intervals)

    def _recipes(self, pairs: "Pairs") -> dict[str, str]:
        from core.evaluation.groups import recipes as group_recipes
        from core.evaluation.scores import recipes
        from core.metrics import intervals

        found = recipes(self.settings, pairs) | group_recipes(self.settings)
        if self._has_intervals:
            found["intervals"] = intervals.recipe(len(pairs), self.settings.seed)
        return found

    def _write_tables(
        self,
        scored: "tuple[Scores, ...]",
        comparison: "Comparison",
        groups: "tuple[GroupScores, ...]",
        pairs: "Pairs",
        replaces: bool,
    ) -> None:
        from core.evaluation.report import documents_csv, groups_csv, table_csv

        if self.out is not None:
            names = [scores.system for scores in scored]
            files = {
                TABLE_FILE: table_csv(names, comparison.tables),
                DOCUMENTS_FILE: documents_csv(scored, pairs.ids),
            } | ({GROUPS_FILE: groups_csv(groups)} if groups else {})
            for name, data in files.items():
                write_whole(self.out / name, data, "Choose another folder.", replace=replaces)

    def _keep_comparison(
        self, scored: "tuple[Scores, ...]", done: ScoringDone, pairs: "Pairs", replaces: bool
    ) -> None:
        """Keeps texts and scores beside the tables, so that they can be looked at in the window."""
        from core.jobs.evaluation.kept_comparisons import keep_scored

        if self.out is not None:
            totals = [tuple(_kept_scores(system)) for system in done.systems]
            groups = tuple(self._kept_groups(done))
            told = (totals, groups, done.recipes, done.warnings)
            keep_scored(
                self.out,
                self.systems,
                scored,
                *told,
                pairs,
                self.settings,
                self._split,
                replace=replaces,
            )

    def _write_report(self, stop: StopToken) -> Steps[None]:
        """Writes the report of what was just kept."""
        from core.jobs.evaluation.export_comparison import ExportComparisonJob

        assert self.out is not None
        for event in ExportComparisonJob(self.out, self.report, "html", replace=self.replace).run(
            stop
        ):
            if isinstance(event, Progress):
                yield event

    def _kept_groups(self, done: ScoringDone) -> "Iterator[ComparedGroup]":
        from core.runs.comparisons import ComparedGroup

        names = [system.name for system in self.systems]
        for group in done.groups:
            at, scores = names.index(group.system), tuple(map(_kept, group.scores))
            yield ComparedGroup(group.by, group.group, at, group.documents, scores)

    def _inputs(self, pairs: "Pairs", scored: "tuple[Scores, ...]") -> Iterator[FileRead]:
        from core.evaluation.pairs import hash_of_pairs

        words = sum(map(count_words, pairs.documents or pairs.references))
        yield FileRead(pairs.path, hash_of_pairs(pairs), words)
        for system, scores in zip(self.systems, scored, strict=True):
            if system.is_file:
                yield _file_read(Path(system.name), scores.predictions)


def score_models(
    models: Sequence[str],
    pairs: Path,
    settings: ScoreSettings,
    predictions: Sequence[Path] = (),
    out: Path | None = None,
    *,
    replace: bool = False,
) -> ScoreJob:
    """The job that scores models and files of predictions.

    Args:
        models: Their names or folders; where there are several, all are compared with the first.
        pairs: As `ScoreJob` has it.
        settings: How they are scored.
        predictions: Files of ready summaries.
        out: As `ScoreJob` has it.
        replace: As `ScoreJob` has it.

    Returns:
        The job.
    """
    files = (System(str(path), is_file=True) for path in predictions)
    return ScoreJob((*map(System, models), *files), pairs, settings, out, replace=replace)


def _kept_in(system: System) -> RunFolder | None:
    """Where a system's scores are kept; None for what is no model."""
    from core.evaluation.predictors import BUILT_IN

    folders = Folders.of_this_user()
    if system.is_file:
        return None
    if system.name in BUILT_IN:
        return RunFolder(folders.built_in) if system.name == BUILT_IN[0] else None
    run = RunFolder(named_folder(system.name, folders.runs))
    return run if run.exists else None


def _kept_scores(system: SystemScored) -> Iterator[KeptScore]:
    against = {each.measure.name: each.difference for each in system.differences}
    for score in system.scores:
        other = against.get(score.measure.name)
        ahead = None if other is None else KeptDifference(other.value, other.low, other.high)
        yield replace(_kept(score), ahead=ahead)


def _kept(score: "Score") -> KeptScore:
    return KeptScore(score.measure.name, score.measure.unit, score.value, score.low, score.high)


def _systems(scored: "tuple[Scores, ...]", comparison: "Comparison") -> Iterator[SystemScored]:
    differences = ((), *comparison.differences) if comparison.differences else ((),) * len(scored)
    for scores, table, against in zip(scored, comparison.tables, differences, strict=True):
        yield SystemScored(scores.system, scores.description, table, against)


def _file_read(path: Path, texts: tuple[str, ...]) -> FileRead:
    from core.evaluation.pairs import file_hash

    return FileRead(path, file_hash(path), sum(map(count_words, texts)))

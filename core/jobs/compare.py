"""Scores several systems on the same documents: what `epitome compare` does."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.evaluation.settings import ScoreSettings
from core.evaluation.systems import System
from core.events import Event, Finished, Started, Steps
from core.jobs.evaluate import DOCUMENTS_FILE, TABLE_FILE
from core.jobs.laps import Laps
from core.settings import write_whole
from core.stop import StopToken

if TYPE_CHECKING:
    from core.evaluation.pairs import Pairs
    from core.evaluation.scores import Scores
    from core.evaluation.table import Comparison


@dataclass(frozen=True, eq=False)
class Compared:
    """What was found.

    Args:
        pairs: On what the systems were scored.
        systems: The scores of each on each document.
        comparison: Their scores over all of them, and how each stands against the first.
        recipes: How each kind of score is made.
        warnings: What a reader of the scores should know, one sentence each.
        timings_s: Seconds for each part of the work: read, score, draw.
    """

    pairs: "Pairs"
    systems: "tuple[Scores, ...]"
    comparison: "Comparison"
    recipes: dict[str, str]
    warnings: tuple[str, ...]
    timings_s: dict[str, float]

    @property
    def names(self) -> list[str]:
        """What the systems are called."""
        return [scores.system for scores in self.systems]


@dataclass(frozen=True)
class CompareJob:
    """Reads pairs, and scores each system on them.

    Args:
        systems: What is scored; all are compared with the first.
        pairs: Documents and references: a Parquet, JSON Lines or CSV file, or a corpus.
        settings: How they are scored.
        out: The folder that keeps tables, and in a folder for each model its predictions; None
            for none. A second call goes on with the predictions that are there.
    """

    systems: tuple[System, ...]
    pairs: Path
    settings: ScoreSettings
    out: Path | None = None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a `Compared`."""
        yield Started("Comparing summaries")
        yield Finished((yield from self._steps(stop)))

    def _steps(self, stop: StopToken) -> Steps[Compared]:
        from core.evaluation.pairs import read_pairs
        from core.evaluation.scores import cautions_of_pairs, recipes
        from core.evaluation.table import compare
        from core.metrics import intervals

        laps, settings = Laps(), self.settings
        pairs = read_pairs(self.pairs, settings)
        warnings = [*pairs.notes, *cautions_of_pairs(pairs, settings)]
        laps.end("read")
        systems = yield from self._scored(pairs, warnings, stop)
        laps.end("score")
        told = recipes(settings, pairs) | {"intervals": intervals.recipe(len(pairs), settings.seed)}
        comparison = compare(systems, pairs.ids, settings.seed)
        laps.end("draw")
        found = Compared(pairs, systems, comparison, told, tuple(warnings), laps.timings_s)
        if self.out is not None:
            _write_tables(found, self.out)
        return found

    def _scored(
        self, pairs: "Pairs", warnings: list[str], stop: StopToken
    ) -> "Steps[tuple[Scores, ...]]":
        from core.evaluation.scores import cautions
        from core.evaluation.scoring import scored

        systems = []
        for system in self.systems:
            folder = self.out and self.out / Path(system.name).name
            scores, note = yield from scored(system, pairs, self.settings, folder, stop)
            warnings += [note] if note else []
            warnings += cautions(scores, pairs, self.settings)
            systems.append(scores)
        return tuple(systems)


def _write_tables(found: Compared, folder: Path) -> None:
    from core.evaluation.report import documents_csv, table_csv

    write_whole(folder / TABLE_FILE, table_csv(found.names, found.comparison.tables))
    write_whole(folder / DOCUMENTS_FILE, documents_csv(found.systems, found.pairs.ids))

"""Scores one system against references: what `epitome evaluate` does."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.evaluation.settings import EvaluateSettings
from core.evaluation.systems import System
from core.events import Event, Finished, Started, Steps
from core.jobs.laps import Laps
from core.settings import write_whole
from core.stop import StopToken

if TYPE_CHECKING:
    from core.evaluation.pairs import Pairs
    from core.evaluation.scores import Scores
    from core.evaluation.table import Score

TABLE_FILE = "table.csv"
DOCUMENTS_FILE = "documents.csv"


@dataclass(frozen=True, eq=False)
class Evaluated:
    """What was found.

    Args:
        pairs: On what the system was scored.
        scores: Its scores on each document.
        table: Its scores over all of them.
        recipes: How each kind of score is made.
        warnings: What a reader of the scores should know, one sentence each.
        timings_s: Seconds for each part of the work: read, score, draw.
    """

    pairs: "Pairs"
    scores: "Scores"
    table: "tuple[Score, ...]"
    recipes: dict[str, str]
    warnings: tuple[str, ...]
    timings_s: dict[str, float]


@dataclass(frozen=True)
class EvaluateJob:
    """Reads pairs, has summaries written or reads them, and scores them.

    Args:
        system: What is scored.
        pairs: Documents and references: a Parquet, JSON Lines or CSV file, or a corpus.
        settings: How it is scored.
        out: The folder that keeps predictions and tables; None for none. A second call goes on
            with the predictions that are there.
    """

    system: System
    pairs: Path
    settings: EvaluateSettings
    out: Path | None = None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with an `Evaluated`."""
        yield Started("Scoring summaries")
        yield Finished((yield from self._steps(stop)))

    def _steps(self, stop: StopToken) -> Steps[Evaluated]:
        from core.evaluation.pairs import read_pairs
        from core.evaluation.report import documents_csv, table_csv
        from core.evaluation.scores import cautions, cautions_of_pairs, recipes
        from core.evaluation.scoring import scored
        from core.evaluation.table import table_of
        from core.metrics import intervals

        laps, settings = Laps(), self.settings
        pairs = read_pairs(self.pairs, settings)
        laps.end("read")
        scores, note = yield from scored(self.system, pairs, settings, self.out, stop)
        laps.end("score")
        told = recipes(settings, pairs)
        if settings.intervals:
            told["intervals"] = intervals.recipe(len(pairs), settings.seed)
        table = table_of(scores, scores.drawn(settings.seed) if settings.intervals else None)
        laps.end("draw")
        if self.out is not None:
            write_whole(self.out / TABLE_FILE, table_csv([scores.system], [table]))
            write_whole(self.out / DOCUMENTS_FILE, documents_csv([scores], pairs.ids))
        said = (*pairs.notes, note, *cautions_of_pairs(pairs, settings))
        warnings = tuple(line for line in (*said, *cautions(scores, pairs, settings)) if line)
        return Evaluated(pairs, scores, table, told, warnings, laps.timings_s)

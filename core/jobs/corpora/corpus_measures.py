"""Measures a prepared corpus: what `epitome measure` prints, and the Corpus panel shows."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.events import Event, Finished, Started
from core.jobs.corpora.browse_corpus import OpenCorpusJob, OpenedCorpus
from core.jobs.corpora.measure_corpus import MeasurePairsJob, MeasureTokensJob, PairMeasures
from core.jobs.job import Job
from core.jobs.timings import Timings
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.settings import Settings, option
from core.stop import StopToken

_SHARES = (0, 10, 25, 50, 75, 90, 99, 100)
_MEASURES = ("coverage", "density", "compression", "novel_1", "novel_2")
Spread = dict[str, float]


class MeasureSettings(Settings):
    """What is measured of a corpus."""

    length: int | None = option(
        None,
        "Length",
        "Input length of a model; reports the share of documents that are longer.",
        unit="tokens",
        basic=True,
        ge=1,
    )
    tokenizer: str = option(
        "",
        "NAME|FOLDER",
        "Tokenizer to count tokens with; by default one is trained on the corpus.",
        basic=True,
    )
    tokens: bool = option(
        False, "Tokens", "Count tokens also where neither a length nor a tokenizer is given."
    )


@dataclass(frozen=True)
class SuspiciousRow:
    """A pair that looks wrong.

    Args:
        row: Its number in the corpus, from 1.
        reasons: What looks wrong.
        words: Words of the document.
        summary_words: Words of the summary.
    """

    row: int
    reasons: tuple[str, ...]
    words: int
    summary_words: int


@dataclass(frozen=True)
class CorpusMeasures:
    """What was measured of a corpus.

    Args:
        folder: Where it lies.
        make: What its rows are: gsg, pairs or text.
        rows: How many rows each split has.
        skipped: How many rows of its sources were skipped.
        words: Percentiles of the words of a document.
        summary_words: The same of summaries; empty where there are none.
        tokens: The same of tokens; empty where none were counted.
        summary_tokens: The same of summaries.
        tokenizer: What cut the tokens; empty where none were counted.
        longer: Share of the documents that are longer than the model; None without a length.
        pairs: Medians of coverage, density, compression and novelty; empty without pairs.
        suspicious: The pairs that look wrong.
        duplicates: Number of pairs of documents that are the same, or nearly.
        leaks: How many of these lie in two splits.
        recipe: How the pairs were measured.
        timings_s: Seconds for each part of the work.
    """

    folder: Path
    make: str
    rows: dict[str, int]
    skipped: int
    words: Spread
    summary_words: Spread
    tokens: Spread
    summary_tokens: Spread
    tokenizer: str
    longer: float | None
    pairs: dict[str, float]
    suspicious: tuple[SuspiciousRow, ...]
    duplicates: int
    leaks: int
    recipe: str
    timings_s: dict[str, float]


@dataclass(frozen=True)
class MeasureCorpusJob:
    """Measures a corpus; what takes long is kept in its folder.

    Args:
        folder: The corpus.
        settings: What is measured.
    """

    folder: Path
    settings: MeasureSettings

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with `CorpusMeasures`."""
        yield Started("Measuring a corpus")
        timings, settings = Timings(), self.settings
        opened: OpenedCorpus = yield from _inside(OpenCorpusJob(self.folder), stop)
        timings.end("read")
        pairs: PairMeasures | None = None
        if opened.make == "pairs":
            pairs = yield from _inside(MeasurePairsJob(self.folder), stop)
            timings.end("pairs")
        tokens, name = np.empty((0, 2), np.int32), ""
        if settings.length or settings.tokenizer or settings.tokens:
            found = yield from _inside(MeasureTokensJob(self.folder, self._tokenizer()), stop)
            tokens, name = found.lengths, found.tokenizer
            timings.end("tokens")
        duplicates = opened.statistics.get("duplicates", {})
        has_summaries = opened.make != "text"
        yield Finished(
            CorpusMeasures(
                folder=self.folder,
                make=opened.make,
                rows=dict(opened.counts),
                skipped=opened.num_skipped,
                words=_spread(opened.lengths[:, 0]),
                summary_words=_spread(opened.lengths[:, 1]) if opened.make == "pairs" else {},
                tokens=_spread(tokens[:, 0]),
                summary_tokens=_spread(tokens[:, 1]) if has_summaries else {},
                tokenizer=name,
                longer=_share_longer(tokens[:, 0], settings.length),
                pairs=_medians(pairs) if pairs else {},
                suspicious=tuple(_suspicious(pairs, opened)) if pairs else (),
                duplicates=int(duplicates.get("pairs", 0)),
                leaks=int(duplicates.get("in_two_splits", 0)),
                recipe=pairs.recipe if pairs else "",
                timings_s=timings.parts_s,
            )
        )

    def _tokenizer(self) -> Path | None:
        name = self.settings.tokenizer
        return named_folder(name, Folders.of_this_user().tokenizers) if name else None


def _inside(job: Job, stop: StopToken) -> Generator[Event, None, Any]:
    """Runs a job as a part of another one; gives its result."""
    for event in job.run(stop):
        if isinstance(event, Finished):
            return event.result
        if not isinstance(event, Started):
            yield event
    raise AssertionError("a job ends with Finished, or raises")


def _spread(lengths: NDArray[np.int32]) -> Spread:
    if not len(lengths):
        return {}
    values = np.percentile(lengths, _SHARES, method="lower").tolist()
    return dict(zip(map(str, _SHARES), map(int, values), strict=True))


def _share_longer(tokens: NDArray[np.int32], length: int | None) -> float | None:
    return None if length is None or not len(tokens) else float((tokens > length).mean())


def _medians(pairs: PairMeasures) -> dict[str, float]:
    return {name: round(float(np.median(getattr(pairs, name))), 6) for name in _MEASURES}


def _suspicious(pairs: PairMeasures, opened: OpenedCorpus) -> Iterator[SuspiciousRow]:
    for row in np.flatnonzero(pairs.suspicious).tolist():
        words, summary_words = opened.lengths[row].tolist()
        yield SuspiciousRow(row + 1, pairs.reasons(row), words, summary_words)

"""Summarises one source: what `epitome summarise` does."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from core.documents.document import Document
from core.events import Event, Finished, Started
from core.jobs.sources import SourceRef, read_source
from core.settings import Settings, option
from core.stop import StopToken
from core.summary import Length, Summary


class SummariseSettings(Settings):
    """How a source is summarised."""

    length: str = option(
        "9s",
        "Length",
        "How long: whole sentences (5s), words (120w) or a share of the text (10%).",
        basic=True,
    )


@dataclass(frozen=True)
class Summarised:
    """A summary and the document it was made from.

    Args:
        document: What was read.
        summary: Its summary.
        timings_s: Seconds for each part of the work: read, rank, choose.
    """

    document: Document
    summary: Summary
    timings_s: dict[str, float]


@dataclass(frozen=True)
class SummariseJob:
    """Reads a source, ranks its sentences and picks the summary.

    Args:
        source: What to read.
        settings: How to summarise it.
    """

    source: SourceRef
    settings: SummariseSettings

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a `Summarised`."""
        from core.summarisers.built_in import rank_document
        from core.summarisers.choice import choose, ranks_needed

        length = Length.parse(self.settings.length)
        yield Started("Summarising")
        marks_s = [time.perf_counter()]
        document = yield from read_source(self.source, stop)
        marks_s.append(time.perf_counter())
        ranking = yield from rank_document(document, stop, at_least=ranks_needed(document, length))
        marks_s.append(time.perf_counter())
        summary = choose(document, ranking, length, seconds=marks_s[-1] - marks_s[0])
        marks_s.append(time.perf_counter())
        parts = (later - earlier for earlier, later in pairwise(marks_s))
        timings_s = dict(zip(("read", "rank", "choose"), parts, strict=True))
        yield Finished(Summarised(document, summary, timings_s))

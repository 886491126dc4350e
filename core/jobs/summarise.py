"""Summarises one source: what `epitome summarise` does."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.documents.document import Document
from core.events import Event, Finished, Started
from core.jobs.laps import Laps
from core.jobs.sources import SourceRef, read_source
from core.settings import Settings, option
from core.stop import StopToken
from core.summary import Length, LengthText, Summary


class SummariseSettings(Settings):
    """How a source is summarised."""

    length: LengthText = option(
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
        laps = Laps()
        document = yield from read_source(self.source, stop)
        laps.end("read")
        ranking = yield from rank_document(document, stop, at_least=ranks_needed(document, length))
        laps.end("rank")
        summary = choose(document, ranking, length, seconds=laps.total_s)
        laps.end("choose")
        yield Finished(Summarised(document, summary, laps.timings_s))

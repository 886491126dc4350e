"""Makes one summary of several sources: what `epitome summarise --together` does."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.errors import EpitomeError
from core.events import Event, Finished, Progress, Started
from core.export.excerpt import KeptSummary
from core.jobs.batches.summarise_batch import (
    SourceBegun,
    SourceSummarised,
    SummariseBatchJob,
    User,
)
from core.jobs.sources.source_files import NamedSource
from core.jobs.summaries.summarise import BUILT_IN, SummariseSettings
from core.jobs.timings import Timings
from core.stop import StopToken
from core.summaries.length import Length

if TYPE_CHECKING:
    from core.export.combined import CombinedSummary

FEWEST = 2


@dataclass(frozen=True)
class TogetherJob:
    """Reads each source, and makes one summary of all of them.

    Args:
        sources: What to read.
        settings: The length is that of the one summary.
        password: Opens encrypted sources; never shown, kept or logged.
        user: Can be asked; None for no user.
        processes: How many sources are read at a time; None for one for each core.
        cluster: The address of a Dask scheduler, whose workers read the sources; empty for this
            machine.
    """

    memory_remedy = "Close other programs, or name fewer documents."

    sources: tuple[NamedSource, ...]
    settings: SummariseSettings
    password: str = field(default="", repr=False)
    user: User | None = None
    processes: int | None = None
    cluster: str = ""

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Summarises.

        Args:
            stop: The wish to end early.

        Yields:
            `SourceBegun`, `SourceSummarised` and `SourceFailed` as `SummariseBatchJob`; at the end
            `Finished` with a `core.export.combined.CombinedSummary` and the seconds by step.

        Raises:
            EpitomeError: If fewer than two sources can be read, or a trained model is asked for.
        """
        check_model(self.settings)
        yield Started("Summarising together")
        timings, kept = Timings(), list[KeptSummary]()
        batch = SummariseBatchJob(
            self.sources, digest_settings(self.settings), password=self.password,
            with_results=True, user=self.user, processes=self.processes,
            cluster=self.cluster,
        )  # fmt: skip
        for event in batch.run(stop):
            if isinstance(event, SourceSummarised):
                assert event.result is not None
                kept.append(KeptSummary.of(event.result.summary, event.result.document))
                yield replace(event, result=None)
            elif not isinstance(event, Started | Finished):
                yield event
                if isinstance(event, SourceBegun):
                    yield Progress(len(kept), len(self.sources), "documents", "Reading")
        timings.end("read")
        combined = combined_of(kept, self.settings, stop)
        timings.end("combine")
        yield Finished((combined, timings.parts_s))


def check_model(settings: SummariseSettings) -> None:
    """Refuses trained models: what they write cannot be held against other documents.

    Args:
        settings: What is asked for.

    Raises:
        EpitomeError: If the settings name one.
    """
    if settings.model != BUILT_IN:
        raise EpitomeError(
            f"The model {settings.model} summarises one document at a time.",
            f"Use the model {BUILT_IN} for one summary of several.",
        )


def digest_settings(settings: SummariseSettings) -> SummariseSettings:
    """Returns the settings of each document, before the summaries are joined."""
    from core.summarisers.together import DIGEST

    return settings.model_copy(update={"length": str(DIGEST), "model": BUILT_IN})


def combined_of(
    kept: list[KeptSummary], settings: SummariseSettings, stop: StopToken
) -> "CombinedSummary":
    """One summary of several.

    Args:
        kept: A summary of each document, made with `digest_settings`.
        settings: What is asked for.
        stop: The wish to end early.

    Returns:
        The summary.

    Raises:
        EpitomeError: If there are too few.
    """
    from core.summarisers.together import combine

    if len(kept) < FEWEST:
        read = "none" if not kept else "one"
        raise EpitomeError(
            f"One summary of several documents needs two that can be read; {read} could be.",
            "Name more documents.",
        )
    return combine(kept, Length.parse(settings.length), stop)

"""Prepares a corpus, or only its statistics: what `epitome corpus` does."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.data.prepared import PreparedCorpus, corpus_made_by
from core.data.settings import CorpusSettings
from core.errors import EpitomeError, needs_training
from core.events import Event, Finished, Started
from core.jobs.cluster.connection import check_part
from core.jobs.corpora.make_shards import make_shards
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.pool.choice import open_pool
from core.jobs.sources.sources import SILENCE_S
from core.jobs.timings import Timings
from core.stop import StopToken
from core.system.machine import usable_cores

if TYPE_CHECKING:
    from core.data.preparing import MissingBlocks
    from core.data.shards import ShardMaker


@dataclass(frozen=True)
class CorpusMade:
    """A prepared corpus, or its statistics.

    Args:
        prepared: The corpus and its statistics.
        timings_s: Seconds for all of it.
    """

    prepared: PreparedCorpus
    timings_s: dict[str, float]


@dataclass(frozen=True)
class MakeCorpusJob:
    """Prepares a corpus from sources.

    Args:
        sources: Files, folders, data sets as ``hf:name``.
        settings: How to prepare them.
        out: The folder of the corpus; None for statistics only.
        silence_s: Seconds without progress after which a document is skipped.
        name: Stands in the corpus, so that the job finds its own again; empty for none.
        cluster: The address of a Dask scheduler, whose workers make the shards; empty for this
            machine. The corpus is the same.
    """

    memory_remedy = "Close other programs, or use fewer --processes."

    sources: tuple[str, ...]
    settings: CorpusSettings
    out: Path | None = None
    silence_s: float = SILENCE_S
    name: str = ""
    cluster: str = ""

    def made_before(self) -> CorpusMade | None:
        """What this job has made, if it was ended after that and before it could say so."""
        found = corpus_made_by(self.name, self.out) if self.out else None
        return CorpusMade(found, {}) if found else None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Prepares.

        Args:
            stop: Once set, the job ends; finished work is kept for the next call.

        Yields:
            `Finished` with a `CorpusMade` at the end.
        """
        yield Started("Preparing a corpus" if self.out else "Counting")
        if made := self.made_before():
            yield Finished(made)
            return
        if self.cluster:
            check_part()
        with needs_training("Corpora are prepared"):
            from core.data.preparing import prepare
        timings = Timings()
        prepared = yield from prepare(
            self.sources, self.settings, self.out, stop, self._run_blocks, self.name
        )
        timings.end("prepare")
        yield Finished(CorpusMade(prepared, timings.parts_s))

    def _run_blocks(
        self, maker: "ShardMaker", blocks: "MissingBlocks", stop: StopToken
    ) -> Iterator[int]:
        """Makes the shards; yields how many more rows are done."""
        if self.cluster:
            _check_sendable(blocks)
        number = self.settings.processes or max(usable_cores() - 1, 1)
        name = "The process" if number == 1 else "A process"
        process = partial(ChildProcess, name, silence_s=self.silence_s)
        with closing(open_pool(self.cluster, number, stop, process, inline=number == 1)) as pool:
            yield from make_shards(pool, maker, blocks, stop)


def _check_sendable(blocks: "MissingBlocks") -> None:
    """Refuses sources that are not sent to a cluster: files that its workers would have to read."""
    from core.data.sources import FilesSource

    if any(isinstance(source, FilesSource) for source in blocks.sources):
        raise EpitomeError(
            "A cluster gets the rows of tables and corpora only, and the sources have files of "
            "other kinds.",
            "Leave those out with --include or --exclude, or leave out --cluster.",
        )

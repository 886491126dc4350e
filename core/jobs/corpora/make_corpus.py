"""Prepares a corpus, or only its statistics: what `epitome corpus` does."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.data.prepared import PreparedCorpus, corpus_made_by
from core.data.settings import CorpusSettings
from core.errors import needs_training
from core.events import Event, Finished, Started
from core.jobs.laps import Laps
from core.jobs.ray_engine.team import RayShards, check_part
from core.jobs.shard_processes import ShardProcesses, run_blocks_in_turn
from core.jobs.sources.sources import SILENCE_S
from core.stop import StopToken
from core.system.machine import usable_cores

if TYPE_CHECKING:
    from core.data.preparing import BlockRunner

Engine = Literal["local", "ray"]


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
        engine: Who makes the shards; the corpus is the same.
        cluster: The address of a Ray cluster; empty for this machine.
    """

    memory_remedy = "Close other programs, or use fewer --processes."

    sources: tuple[str, ...]
    settings: CorpusSettings
    out: Path | None = None
    silence_s: float = SILENCE_S
    name: str = ""
    engine: Engine = "local"
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
        with needs_training("Corpora are prepared"):
            from core.data.preparing import prepare
        laps = Laps()
        prepared = yield from prepare(
            self.sources, self.settings, self.out, stop, self._runner(), self.name
        )
        laps.end("prepare")
        yield Finished(CorpusMade(prepared, laps.timings_s))

    def _runner(self) -> "BlockRunner":
        """Who makes the shards."""
        wanted = self.settings.processes
        number = wanted or max(usable_cores() - 1, 1)
        if self.engine == "ray":
            check_part()
            return RayShards(wanted if self.cluster else number, self.cluster, self.silence_s)
        if number == 1:
            return partial(run_blocks_in_turn, silence_s=self.silence_s)
        return ShardProcesses(number, self.silence_s)

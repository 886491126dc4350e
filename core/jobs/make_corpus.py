"""Prepares a corpus, or counts what it would hold: what `epitome corpus` does."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.data.settings import CorpusSettings
from core.errors import needs_training
from core.events import Event, Finished, Started
from core.jobs.laps import Laps
from core.jobs.part_processes import SILENCE_S, PartProcesses, here_but_files
from core.machine import usable_cores
from core.stop import StopToken

if TYPE_CHECKING:
    from core.data.preparing import Each, Prepared


@dataclass(frozen=True)
class CorpusMade:
    """What was made, or counted.

    Args:
        prepared: The corpus and its numbers.
        timings_s: Seconds for the whole of it.
    """

    prepared: "Prepared"
    timings_s: dict[str, float]


@dataclass(frozen=True)
class MakeCorpusJob:
    """Prepares a corpus from sources.

    Args:
        sources: Files, folders, data sets as ``hf:name``.
        settings: What becomes of them.
        out: The corpus's folder; None to count only.
        silence_s: How long nothing may be heard of a document that is being read, in seconds; then
            it is left out.
    """

    memory_remedy = "Close other programs, or use fewer --processes."

    sources: tuple[str, ...]
    settings: CorpusSettings
    out: Path | None = None
    silence_s: float = SILENCE_S

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Prepares.

        Args:
            stop: Once set, what is prepared is kept for the next call, and the job ends.

        Yields:
            `Finished` with a `CorpusMade` at the end.
        """
        yield Started("Preparing a corpus" if self.out else "Counting")
        with needs_training("Corpora are prepared"):
            from core.data.preparing import prepare
        laps = Laps()
        number = self.settings.processes or max(usable_cores() - 1, 1)
        one = partial(here_but_files, silence_s=self.silence_s)
        each: Each = one if number == 1 else PartProcesses(number, self.silence_s)
        prepared = yield from prepare(self.sources, self.settings, self.out, stop, each)
        laps.end("prepare")
        yield Finished(CorpusMade(prepared, laps.timings_s))

"""Prepares a corpus, or counts what it would hold: what `epitome corpus` does."""

import queue
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.data.settings import CorpusSettings
from core.errors import EpitomeError, needs_training
from core.events import Event, Failed, Finished, Started
from core.jobs.child_process import ChildProcess
from core.jobs.laps import Laps
from core.machine import usable_cores
from core.stop import StopToken

if TYPE_CHECKING:
    from core.data.parts import PartMaker
    from core.data.preparing import Each, Prepared
    from core.data.rows import Block

_LOOK_S = 0.1  # how long the wish to end may wait for an answer
_AHEAD = 2  # blocks that are read ahead for each process


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
    """

    memory_remedy = "Close other programs, or use fewer --processes."

    sources: tuple[str, ...]
    settings: CorpusSettings
    out: Path | None = None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Prepares.

        Args:
            stop: Once set, what is prepared is kept for the next call, and the job ends.

        Yields:
            `Finished` with a `CorpusMade` at the end.
        """
        yield Started("Preparing a corpus" if self.out else "Counting")
        with needs_training("Corpora are prepared"):
            from core.data.preparing import here, prepare
        laps = Laps()
        number = self.settings.processes or max(usable_cores() - 1, 1)
        each: Each = here if number == 1 else Processes(number)
        prepared = yield from prepare(self.sources, self.settings, self.out, stop, each)
        laps.end("prepare")
        yield Finished(CorpusMade(prepared, laps.timings_s))


@dataclass(frozen=True)
class PartJob:
    """Makes one block's part, in the process it runs in."""

    maker: "PartMaker"
    block: "Block"

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the number of its rows."""
        yield Finished(self.maker(self.block))


@dataclass(frozen=True)
class Processes:
    """Makes blocks in several processes of this machine, which end with this one.

    Args:
        number: How many.
    """

    number: int

    def __call__(
        self, maker: "PartMaker", blocks: "Iterable[Block]", stop: StopToken
    ) -> Iterator[int]:
        """Makes all blocks; gives the rows of each as it is done, in whatever order."""
        free: queue.SimpleQueue[ChildProcess] = queue.SimpleQueue()
        with ExitStack() as closed, ThreadPoolExecutor(self.number) as pool:
            for _ in range(self.number):
                free.put(closed.enter_context(closing(ChildProcess("A process"))))
            running: set[Future[int]] = set()
            given_up = StopToken()
            try:
                for block in blocks:
                    running.add(pool.submit(_made, free, PartJob(maker, block), given_up))
                    while len(running) >= _AHEAD * self.number:
                        yield from _done(running, stop)
                while running:
                    yield from _done(running, stop)
            finally:
                for waiting in running:
                    waiting.cancel()
                given_up.request("cancel")


def _done(running: "set[Future[int]]", stop: StopToken) -> Iterator[int]:
    """Waits a moment; takes out what is done, and gives its results."""
    stop.raise_if_set()
    for future in wait(running, _LOOK_S, FIRST_COMPLETED).done:
        running.remove(future)
        yield future.result()


def _made(free: "queue.SimpleQueue[ChildProcess]", job: PartJob, given_up: StopToken) -> int:
    """Has one of the free processes do a job, and gives the number of its rows."""
    process = free.get()
    try:
        *_, last = process.run(job, given_up)
    finally:
        free.put(process)
    if isinstance(last, Failed):
        raise _not_made(last, job.block.rows[0].origin)
    return last.result if isinstance(last, Finished) else 0


def _not_made(failure: Failed, origin: str) -> EpitomeError:
    if failure.kind != "ended":
        return EpitomeError(failure.message, failure.remedy, failure.kind)
    return EpitomeError(
        f"{failure.message.rstrip('.')}, while it prepared {origin} and what follows it.",
        "Call it again: what is prepared is kept. With fewer --processes it needs less memory.",
    )

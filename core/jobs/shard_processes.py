"""Makes the shards of a corpus in other processes, so that a harmful file is only skipped."""

import queue
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.data.events import FileBegun
from core.errors import EpitomeError
from core.events import Event, Failed, Finished
from core.jobs.child_process import ChildProcess
from core.jobs.sources import SILENCE_S
from core.stop import StopToken

if TYPE_CHECKING:
    from core.data.shards import ShardMaker
    from core.data.source_rows import Block

_LOOK_S = 0.1  # the longest delay before a request to stop is seen
_AHEAD = 2  # blocks that are read ahead for each process
_LOST = ("ended", "silent")  # kinds of failure after which the process is gone


@dataclass(frozen=True)
class ShardJob:
    """Makes the shard of one block, in the process it runs in."""

    maker: "ShardMaker"
    block: "Block"

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields what `ShardMaker.steps` does, then `Finished` with the number of its rows."""
        yield Finished((yield from self.maker.steps(self.block)))


@dataclass(frozen=True)
class ShardProcesses:
    """Makes shards in several processes of this machine, which end with this one.

    A file that crashes its process, or makes no progress for too long, is skipped, and the other
    files of its block are read again.

    Args:
        number: The number of processes.
        silence_s: Seconds without progress after which a file is skipped.
    """

    number: int
    silence_s: float = SILENCE_S

    def __call__(
        self, maker: "ShardMaker", blocks: "Iterable[Block]", stop: StopToken
    ) -> Iterator[int]:
        """Makes all shards in any order; yields the number of rows of each when done."""
        free: queue.SimpleQueue[ChildProcess] = queue.SimpleQueue()
        with ExitStack() as closed, ThreadPoolExecutor(self.number) as pool:
            for _ in range(self.number):
                process = ChildProcess("A process", silence_s=self.silence_s)
                free.put(closed.enter_context(closing(process)))
            running: set[Future[int]] = set()
            given_up = StopToken()
            try:
                for block in blocks:
                    running.add(pool.submit(_made, free, maker, block, given_up))
                    while len(running) >= _AHEAD * self.number:
                        yield from _done(running, stop)
                while running:
                    yield from _done(running, stop)
            finally:
                for waiting in running:
                    waiting.cancel()
                given_up.request("cancel")


def run_blocks_in_turn(
    maker: "ShardMaker", blocks: "Iterable[Block]", stop: StopToken, silence_s: float = SILENCE_S
) -> Iterator[int]:
    """Makes shards one after the other; blocks with files in another process."""
    free: queue.SimpleQueue[ChildProcess] = queue.SimpleQueue()
    with closing(ChildProcess("The process", silence_s=silence_s)) as process:
        free.put(process)
        for block in blocks:
            stop.raise_if_set()
            if any(row.path for row in block.rows):
                yield _made(free, maker, block, stop)
                stop.raise_if_set()
            else:
                yield maker(block)


def _done(running: "set[Future[int]]", stop: StopToken) -> Iterator[int]:
    """Waits briefly, and yields the results of finished blocks."""
    stop.raise_if_set()
    for future in wait(running, _LOOK_S, FIRST_COMPLETED).done:
        running.remove(future)
        yield future.result()


def _made(
    free: "queue.SimpleQueue[ChildProcess]",
    maker: "ShardMaker",
    block: "Block",
    given_up: StopToken,
) -> int:
    """Makes a shard in a free process; returns its number of rows."""
    process = free.get()
    try:
        last, row = _followed(process, ShardJob(maker, block), given_up)
        while isinstance(last, Failed) and last.kind in _LOST and row is not None:
            block = block.without(row, last.message)
            last, row = _followed(process, ShardJob(maker, block), given_up)
    finally:
        free.put(process)
    if isinstance(last, Failed):
        raise _not_made(last, block.rows[0].origin)
    return last.result if isinstance(last, Finished) else 0


def _followed(process: ChildProcess, job: ShardJob, stop: StopToken) -> tuple[Event, int | None]:
    """The last event of a job, and the row whose file was being read then."""
    row: int | None = None
    for event in process.run(job, stop):
        if isinstance(event, FileBegun):
            row = event.row
    return event, row


def _not_made(failure: Failed, origin: str) -> EpitomeError:
    if failure.kind != "ended":
        return EpitomeError(failure.message, failure.remedy, failure.kind)
    return EpitomeError(
        f"{failure.message.rstrip('.')}, while preparing {origin} and the rows after it.",
        "Run the command again: finished work is kept. Fewer --processes need less memory.",
    )

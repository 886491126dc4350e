"""Makes the shards of a corpus in other processes, so that a harmful file is only skipped."""

import queue
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.data.events import FileBegun
from core.errors import EpitomeError
from core.events import Event, Failed, Finished
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.sources.sources import SILENCE_S
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
        """Makes all shards in any order; yields how many more rows are done, again and again."""
        free: queue.SimpleQueue[ChildProcess] = queue.SimpleQueue()
        with ExitStack() as closed, ThreadPoolExecutor(self.number) as pool:
            for _ in range(self.number):
                process = ChildProcess("A process", silence_s=self.silence_s)
                free.put(closed.enter_context(closing(process)))
            running: set[Future[None]] = set()
            told: queue.SimpleQueue[int] = queue.SimpleQueue()
            given_up = StopToken()
            try:
                for block in blocks:
                    running.add(pool.submit(_tell, told, made_apart(free, maker, block, given_up)))
                    while len(running) >= _AHEAD * self.number:
                        yield from _done(running, told, stop)
                while running:
                    yield from _done(running, told, stop)
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
                yield from made_apart(free, maker, block, stop)
                stop.raise_if_set()
            else:
                yield maker(block)


def _done(
    running: "set[Future[None]]", told: "queue.SimpleQueue[int]", stop: StopToken
) -> Iterator[int]:
    """Waits briefly, and yields how many more rows are done."""
    stop.raise_if_set()
    for future in wait(running, _LOOK_S, FIRST_COMPLETED).done:
        running.remove(future)
        future.result()
    with suppress(queue.Empty):
        while True:
            yield told.get_nowait()


def made_apart(
    free: "queue.SimpleQueue[ChildProcess]",
    maker: "ShardMaker",
    block: "Block",
    given_up: StopToken,
) -> Iterator[int]:
    """Makes a shard in a free process; a file that ends it is skipped.

    Args:
        free: The processes that have nothing to do; one is taken, and put back at the end.
        maker: Makes shards.
        block: What the shard is made of.
        given_up: Ends the work.

    Yields:
        How many more rows are done, file by file.

    Raises:
        EpitomeError: If the shard cannot be made.
    """
    process, done = free.get(), 0
    try:
        while True:
            row: int | None = None
            for event in process.run(ShardJob(maker, block), given_up):
                if isinstance(event, FileBegun):
                    row = event.row
                    if row is not None and row > done:
                        yield row - done
                        done = row
            if not (isinstance(event, Failed) and event.kind in _LOST and row is not None):
                break
            block = block.without(row, event.message)
    finally:
        free.put(process)
    if isinstance(event, Failed):
        raise _not_made(event, block.rows[0].origin)
    if isinstance(event, Finished):
        yield event.result - done


def _tell(told: "queue.SimpleQueue[int]", rows: Iterator[int]) -> None:
    for number in rows:
        told.put(number)


def _not_made(failure: Failed, origin: str) -> EpitomeError:
    if failure.kind != "ended":
        return EpitomeError(failure.message, failure.remedy, failure.kind)
    return EpitomeError(
        f"{failure.message.rstrip('.')}, while preparing {origin} and the rows after it.",
        "Run the command again: finished work is kept. Fewer --processes need less memory.",
    )

"""Makes the parts of a corpus in other processes, where a file can do no more than be left out."""

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
from core.stop import StopToken

if TYPE_CHECKING:
    from core.data.parts import PartMaker
    from core.data.rows import Block

SILENCE_S = 300.0
"""How long nothing may be heard of a document that is being read before it is given up."""

_LOOK_S = 0.1  # how long the wish to end may wait for an answer
_AHEAD = 2  # blocks that are read ahead for each process
_LOST = ("ended", "silent")  # kinds of failure after which the process is gone


@dataclass(frozen=True)
class PartJob:
    """Makes one block's part, in the process it runs in."""

    maker: "PartMaker"
    block: "Block"

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields what `PartMaker.steps` does, then `Finished` with the number of its rows."""
        yield Finished((yield from self.maker.steps(self.block)))


@dataclass(frozen=True)
class PartProcesses:
    """Makes blocks in processes of this machine, which end with this one.

    A file that ends its process, or of which nothing is heard for too long, is left out, and the
    others of its block are read again.

    Args:
        number: How many processes.
        silence_s: How long nothing may be heard of a file, in seconds.
    """

    number: int
    silence_s: float = SILENCE_S

    def __call__(
        self, maker: "PartMaker", blocks: "Iterable[Block]", stop: StopToken
    ) -> Iterator[int]:
        """Makes all blocks; gives the rows of each as it is done, in whatever order."""
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


def here_but_files(
    maker: "PartMaker", blocks: "Iterable[Block]", stop: StopToken, silence_s: float = SILENCE_S
) -> Iterator[int]:
    """Makes blocks one after the other: in this process, but those with files in another."""
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
    """Waits a moment; takes out what is done, and gives its results."""
    stop.raise_if_set()
    for future in wait(running, _LOOK_S, FIRST_COMPLETED).done:
        running.remove(future)
        yield future.result()


def _made(
    free: "queue.SimpleQueue[ChildProcess]",
    maker: "PartMaker",
    block: "Block",
    given_up: StopToken,
) -> int:
    """Has one of the free processes make a block, and gives the number of its rows."""
    process = free.get()
    try:
        last, row = _followed(process, PartJob(maker, block), given_up)
        while isinstance(last, Failed) and last.kind in _LOST and row is not None:
            block = block.without(row, last.message)
            last, row = _followed(process, PartJob(maker, block), given_up)
    finally:
        free.put(process)
    if isinstance(last, Failed):
        raise _not_made(last, block.rows[0].origin)
    return last.result if isinstance(last, Finished) else 0


def _followed(process: ChildProcess, job: PartJob, stop: StopToken) -> tuple[Event, int | None]:
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
        f"{failure.message.rstrip('.')}, while it prepared {origin} and what follows it.",
        "Call it again: what is prepared is kept. With fewer --processes it needs less memory.",
    )

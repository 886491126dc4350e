"""Makes the shards of a corpus in other processes, so that a harmful file is only skipped."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.data.events import FileBegun
from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Steps
from core.jobs.pool.pool import JobFeed, Pool
from core.stop import StopToken

if TYPE_CHECKING:
    from core.data.shards import ShardMaker
    from core.data.source_rows import Block

_LOST: Final = ("ended", "silent")  # kinds of failure after which the process is gone


@dataclass(frozen=True)
class ShardJob:
    """Makes the shard of one block, in the process it runs in or on a worker of a cluster.

    Args:
        maker: Makes shards.
        block: The rows.
    """

    remote_noun = "block of rows"

    maker: "ShardMaker"
    block: "Block"

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields what `ShardMaker.steps` does, then `Finished` with the number of its rows."""
        yield Finished((yield from self.maker.steps(self.block)))

    @property
    def is_risky(self) -> bool:
        """True if there are files to read, any of which may end the process."""
        return any(row.path and not row.fault for row in self.block.rows)

    @property
    def num_bytes(self) -> int:
        """The size of the rows."""
        return sum(row.size for row in self.block.rows)

    def write_order(self, stop: StopToken) -> Steps[bytes]:
        """Writes what a worker of a cluster needs."""
        from core.jobs.cluster.shards import write_block

        yield from ()
        return write_block(self.maker, self.block)

    def read_reply(self, reply: object) -> int | Failed:
        """Writes the shard of a worker's reply, and returns the number of its rows."""
        from core.jobs.cluster.shards import save_shard

        return save_shard(reply, self.maker, self.block)


@dataclass
class _Progress:
    """The progress of a block.

    Args:
        block: The rows, without the files that have ended a process.
        done: How many rows are done.
        row: The file that is being read; None between files.
    """

    block: "Block"
    done: int = 0
    row: int | None = None


def make_shards(
    pool: Pool, maker: "ShardMaker", blocks: "Iterable[Block]", stop: StopToken
) -> Iterator[int]:
    """Makes all shards in any order.

    A file that crashes its process, or makes no progress for too long, is skipped, and the other
    files of its block are read again.

    Args:
        pool: Does the work.
        maker: Makes shards.
        blocks: What they are made of; a bounded number of them is held at a time.
        stop: Ends the work; finished shards are kept.

    Yields:
        How many more rows are done.

    Raises:
        EpitomeError: If a shard cannot be made.
        Stopping: If a stop was requested.
    """
    unread = iter(blocks)
    again: deque[Block] = deque()
    held: dict[int, _Progress] = {}

    def next_job() -> tuple[int, ShardJob] | None:
        block = again.popleft() if again else next(unread, None)
        if block is None:
            return None
        held.setdefault(block.number, _Progress(block)).block = block
        return block.number, ShardJob(maker, block)

    for number, event in JobFeed(pool, next_job, stop, large=True).run():
        each = held[number]
        if isinstance(event, FileBegun):
            each.row = event.row
            if event.row is not None and event.row > each.done:
                yield event.row - each.done
                each.done = event.row
        elif isinstance(event, Failed):
            if event.kind not in _LOST or each.row is None:
                raise _not_made(event, each.block.rows[0].origin)
            again.append(each.block.without(each.row, event.message))
            each.row = None
        elif isinstance(event, Finished):
            del held[number]
            yield event.result - each.done
    stop.raise_if_set()


def _not_made(failure: Failed, origin: str) -> EpitomeError:
    if failure.kind != "ended":
        return EpitomeError(failure.message, failure.remedy, failure.kind)
    return EpitomeError(
        f"{failure.message.rstrip('.')}, while preparing {origin} and the rows after it.",
        "Run the command again: finished work is kept. Fewer --processes need less memory.",
    )

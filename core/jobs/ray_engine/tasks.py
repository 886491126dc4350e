"""What the tasks of Ray Data do: one reads the sources, the others make shards.

Ray calls these functions in processes of its own, on this machine or another. A table with one row
and one column travels from task to task; its only cell is a pickled block, shard or failure, and
each such table is a task of its own.
"""

import os
import pickle
import queue
import tempfile
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import pyarrow as pa

from core.data.preparing import MissingBlocks
from core.data.shards import ShardMaker
from core.data.source_rows import Block
from core.events import Failed
from core.jobs.cluster.environment import Environment
from core.jobs.cluster.messages import other_environment
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.run import failed
from core.jobs.shard_processes import made_apart
from core.stop import StopToken

_CELL: Final = "cell"
_SCHEMA: Final = pa.schema([(_CELL, pa.large_binary())])


@dataclass(frozen=True)
class Shard:
    """A shard on its way to the folder it belongs in.

    Args:
        block: The number of its block.
        rows: How many rows the block has, skipped ones included.
        content: The bytes of its file.
    """

    block: int
    rows: int
    content: bytes


def packed(value: Block | Shard | Failed | None) -> pa.Table:
    """A value as the table that travels."""
    return pa.table({_CELL: [pickle.dumps(value)]}, _SCHEMA)


def unpacked(table: pa.Table) -> list[Block | Shard | Failed | None]:
    """The values of a table; Ray may have joined several."""
    return [pickle.loads(cell.as_py()) for cell in table[_CELL]]


@dataclass(frozen=True)
class ReadBlocks:
    """Reads sources block by block, and gives the same blocks whenever it is called.

    Args:
        blocks: What to read.
    """

    blocks: MissingBlocks

    def read(self, _: pa.Table) -> Iterator[pa.Table]:
        """Yields a table for each block; the last one is a failure where a source has ended so."""
        try:
            for block in self.blocks:
                yield packed(block)
        except Exception as error:
            yield packed(failed(error))


@dataclass(frozen=True)
class MakeShards:
    """Makes the shard of a block, as `core.jobs.shard_processes` does on this machine.

    Args:
        maker: Makes shards.
        silence_s: Seconds without progress after which a file is skipped.
        environment: That of the sending process; another one might make other shards.
        here: The folder in which relative names of files begin; empty where there are none.
    """

    maker: ShardMaker
    silence_s: float
    environment: Environment
    here: str

    def make(self, table: pa.Table) -> Iterator[pa.Table]:
        """Yields a table for each block that a table holds: a shard, or why there is none."""
        for value in unpacked(table):
            yield packed(self._made(value) if isinstance(value, Block) else value)

    def _made(self, block: Block) -> Shard | Failed:
        if Environment.here() != self.environment:
            return failed(other_environment("A worker", Environment.here()))
        try:
            if self.here:
                os.chdir(self.here)
            with tempfile.TemporaryDirectory(prefix="shard-") as folder:
                maker = replace(self.maker, folder=Path(folder))
                deque(made_apart(_makers(self.silence_s), maker, block, StopToken()), 0)
                content = maker.path(block.number).read_bytes()
        except Exception as error:
            return failed(error)
        return Shard(block.number, len(block.rows), content)


@cache
def _makers(silence_s: float) -> "queue.SimpleQueue[ChildProcess]":
    """The process beside this one that makes shards, and ends with this one.

    Ray does a task again, without end, whose process it has lost: here a block that ends its
    process is a failure, and a file that does so is skipped.
    """
    free: queue.SimpleQueue[ChildProcess] = queue.SimpleQueue()
    free.put(ChildProcess("A process", silence_s=silence_s))
    return free

"""Makes the shards of a corpus with Ray, on this machine or a cluster.

Ray and whatever belongs to it run in processes of their own, none of which is left at the end.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from core.distribution.parts import part_of
from core.errors import EpitomeError, MissingPartError
from core.events import Failed
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.sources.sources import SILENCE_S
from core.stop import StopToken

if TYPE_CHECKING:
    from core.data.preparing import MissingBlocks
    from core.data.shards import ShardMaker

SYSTEM: Final = sys.platform
_REMEDY: Final = "Run the command again: finished work is kept."
_ENDS_S: Final = 5.0  # the processes of a Ray whose main one has ended notice it in about a second
_LONGEST_FOLDER: Final = 40  # of 107 characters for a socket; Ray's own names take the rest


@dataclass(frozen=True)
class RayShards:
    """Makes shards in tasks of Ray Data.

    Args:
        workers: How many shards are made at a time; None for as many as a cluster can.
        address: The cluster; empty to start Ray on this machine.
        silence_s: Seconds without progress after which a file is skipped.
    """

    workers: int | None
    address: str = ""
    silence_s: float = SILENCE_S

    def __call__(
        self, maker: "ShardMaker", blocks: "MissingBlocks", stop: StopToken
    ) -> Iterator[int]:
        """Makes all shards in any order; yields how many more rows are done.

        Args:
            maker: Makes shards.
            blocks: What they are made of.
            stop: Once set, Ray ends at once; finished shards are kept.

        Yields:
            The number of rows of a block.

        Raises:
            EpitomeError: If Ray cannot be used, or a shard cannot be made.
            Stopping: If an end was asked for.
        """
        from core.jobs.ray_engine.session import RayJob, RowsMade

        check_part()
        if self.address:
            _check_sent(blocks)
        with _folder() as folder, closing(ChildProcess("Ray", _REMEDY)) as process:
            job = RayJob(maker, blocks, folder, self.workers, self.address, self.silence_s)
            for event in process.run(job, stop):
                if isinstance(event, RowsMade):
                    yield event.rows
                elif isinstance(event, Failed):
                    raise EpitomeError(event.message, event.remedy, event.kind)
            stop.raise_if_set()


def check_part() -> None:
    """Refuses to go on without Ray.

    Raises:
        EpitomeError: If this system is not Linux.
        MissingPartError: If the part is not installed.
    """
    if SYSTEM != "linux":
        raise EpitomeError(
            "Ray prepares corpora on Linux only.", "Leave out --engine ray.", kind="not-linux"
        )
    part = part_of("ray")
    if not part.is_installed:
        raise MissingPartError(
            f"The part “{part.title}” (Ray) is not installed, which --engine ray needs.",
            f"Run {part.command}.",
            kind="missing-ray",
        )


def _check_sent(blocks: "MissingBlocks") -> None:
    """Refuses what the machines of a cluster cannot make shards of: files that are here."""
    from core.data.sources import FilesSource

    if any(isinstance(source, FilesSource) for source in blocks.sources):
        raise EpitomeError(
            "A cluster gets the rows of tables and corpora only, and the sources have files of "
            "other kinds.",
            "Leave those out with --include or --exclude, or leave out --cluster.",
        )


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder for Ray's files; at the end no process is left that uses it."""
    usual = tempfile.gettempdir()
    parent = usual if len(usual) <= _LONGEST_FOLDER else "/tmp"
    with tempfile.TemporaryDirectory(
        prefix="epitome-ray-", dir=parent, ignore_cleanup_errors=True
    ) as folder:
        try:
            yield Path(folder)
        finally:
            _end_all(folder)


def _end_all(folder: str) -> None:
    """Waits for the processes that use a folder to end, and ends those that do not."""
    _, left = psutil.wait_procs(_processes_of(folder), timeout=_ENDS_S)
    for process in left:
        with suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(left, timeout=_ENDS_S)


def _processes_of(folder: str) -> list[psutil.Process]:
    from core.jobs.ray_engine.session import MARK

    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(MARK) == folder:
                found.append(process)
    return found

"""Starts Ray, or connects to a cluster, and has it make the shards of a corpus.

All of this happens in a child process, which `core.jobs.ray_engine.team` starts: Ray prints, warns,
answers signals and sets up logging as it likes there, and ends with that process. Ray is imported
inside functions.
"""

import os
import secrets
import socket
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psutil

from core.data.preparing import MissingBlocks
from core.data.shards import ShardMaker
from core.data.staging import put_in_place, writing
from core.errors import EpitomeError
from core.events import Event, Failed, Finished
from core.stop import StopToken
from core.storage.temporary_names import open_temporary

MARK: Final = "EPITOME_RAY_FOLDER"
"""Names the folder of its files in the environment of every process of a Ray that was started."""

_LOCAL: Final = {
    "RAY_AUTH_MODE": "token",  # its own one: that of the person's other Rays is left alone
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # what binds all its ports to 127.0.0.1
}
_ANSWERS_S: Final = 10.0
_STARTS: Final = 3
_LATE: Final = "timed out during startup"  # after half a minute; Ray has no setting for it
_STORE_BYTES: Final = 512 * 2**20
_WORKER_STORE_BYTES: Final = 256 * 2**20
_READER_BYTES: Final = 256 * 2**20  # told to Ray, which would hold 2.6 GiB for each task otherwise
_MAKER_BYTES: Final = 512 * 2**20
_GOES_ON: Final = "Run the command again: finished work is kept."


@dataclass(frozen=True)
class RowsMade(Event):
    """A shard is in its place.

    Args:
        rows: How many rows its block has.
    """

    rows: int


@dataclass(frozen=True)
class RayJob:
    """Makes the missing shards of a corpus with Ray Data.

    Args:
        maker: Makes shards, and knows their folder.
        blocks: What they are made of.
        folder: An empty folder for the files of a Ray that is started.
        workers: How many shards are made at a time; None for as many as a cluster can.
        address: The cluster; empty to start Ray on this machine.
        silence_s: Seconds without progress after which a file is skipped.
    """

    maker: ShardMaker
    blocks: MissingBlocks
    folder: Path
    workers: int | None
    address: str
    silence_s: float

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `RowsMade` for each shard, in the order in which they are done."""
        with _connected(self.address, self.workers, self.folder):
            for table in _tables(self):
                yield from self._kept(table)
        yield Finished()

    def _kept(self, table: Any) -> Iterator[Event]:
        from core.jobs.ray_engine.tasks import Shard, unpacked

        for value in unpacked(table):
            if isinstance(value, Failed):
                raise EpitomeError(value.message, value.remedy, value.kind)
            if isinstance(value, Shard):
                _write(self.maker.path(value.block), value.content)
                yield RowsMade(value.rows)


def _write(path: Path, content: bytes) -> None:
    with writing(path.parent):
        with open_temporary(path) as file:
            file.write(content)
        put_in_place(Path(file.name), path)


@contextmanager
def _connected(address: str, workers: int | None, folder: Path) -> Iterator[None]:
    """Has a Ray to work with; one that was started ends with the block."""
    os.environ |= _environment(folder)
    os.environ.pop("RAY_ADDRESS", None)  # documents go only where a person says so here
    if not address:
        os.environ |= _LOCAL | {"RAY_AUTH_TOKEN": secrets.token_hex(32)}
    import ray

    try:
        if address:
            _knock(address)
        with chdir(folder):  # Ray has its processes import from where it is started
            _begin({"address": address} if address else _options(workers or 1, folder))
    except Exception as error:  # of its own kinds, of gRPC, of the system
        raise _unreachable(address, error) from error
    try:
        yield
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Fails where nobody answers at an address, for which Ray takes minutes."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host.strip("[]"), int(port)), _ANSWERS_S).close()


def _begin(options: dict[str, Any]) -> None:
    """Starts Ray or connects to it; again where a busy machine lets one of its parts come late."""
    import ray

    for left in reversed(range(_STARTS)):
        try:
            ray.init(**options, log_to_driver=False)
            return
        except Exception as error:
            if not left or _LATE not in str(error):
                raise
            for process in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):
                    process.kill()


def _options(workers: int, folder: Path) -> dict[str, Any]:
    """How a Ray of this machine is started."""
    return {
        "address": "local",
        "num_cpus": workers,
        "num_gpus": 0,
        "object_store_memory": _STORE_BYTES + workers * _WORKER_STORE_BYTES,
        "include_dashboard": False,
        "_temp_dir": str(folder),
    }


def _environment(folder: Path) -> dict[str, str]:
    """What Ray and its processes are told."""
    return {
        MARK: str(folder),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
        "TMPDIR": str(folder),
        # Its processes find the same packages as this one, also where an installer has put them.
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }


def _tables(job: RayJob) -> Iterator[Any]:
    """The tables with the shards, as they are made."""
    import ray

    from core.jobs.cluster.environment import Environment
    from core.jobs.ray_engine.tasks import MakeShards, ReadBlocks, packed

    context = ray.data.DataContext.get_current()
    context.target_max_block_size = 1  # each table stays alone, and becomes a task
    context.execution_options.preserve_order = False
    context.execution_no_progress_timeout_s = -1  # large files take their time
    this_node = {"ray.io/node-id": ray.get_runtime_context().get_node_id()}
    here = "" if job.address else os.getcwd()  # noqa: PTH109
    whole: dict[str, Any] = {"batch_size": None, "batch_format": "pyarrow"}
    shards = (
        ray.data.from_arrow(packed(None))
        .map_batches(
            ReadBlocks(job.blocks).read,
            **whole,
            num_cpus=0,
            memory=_READER_BYTES,
            label_selector=this_node,
        )
        .map_batches(
            MakeShards(job.maker, job.silence_s, Environment.here(), here).make,
            **whole,
            num_cpus=1,
            memory=_MAKER_BYTES,
            compute=ray.data.TaskPoolStrategy(job.workers),
        )
    )
    try:
        yield from shards.iter_batches(**whole, prefetch_batches=0)
    except Exception as error:  # of its own kinds
        raise _broken(error) from error


def _unreachable(address: str, error: Exception) -> EpitomeError:
    if not address:
        return EpitomeError(f"Ray cannot be started ({_reason(error)}).", "Use --engine local.")
    return EpitomeError(
        f"The Ray cluster at {address} cannot be reached from this machine ({_reason(error)}).",
        f"Check the address, and join the cluster here: ray start --address {address}.",
        kind="unreachable",
    )


def _broken(error: Exception) -> EpitomeError:
    return EpitomeError(f"Ray could not go on ({_reason(error)}).", _GOES_ON)


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else type(error).__name__

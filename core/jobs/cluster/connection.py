"""Reaches the scheduler of a Dask cluster, and looks whether its workers can be used.

Dask is imported inside functions: only a process that was given an address loads it.
"""

import asyncio
import logging
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.distribution.parts import part_of
from core.errors import EpitomeError, MissingPartError
from core.events import Event, Finished, Started
from core.jobs.cluster import worker
from core.jobs.cluster.environment import Environment
from core.jobs.cluster.messages import other_environment
from core.numbers import format_quantity
from core.stop import StopToken

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S: Final = 10.0
"""How long a scheduler may take to answer."""

_CLOSE_S = 2.0
# Dask's own messages would appear between the command's; what matters is raised as an error.
_QUIET = ("distributed", "distributed.client", "tornado", "tornado.application")


@dataclass(frozen=True)
class ClusterFacts:
    """The workers of a cluster.

    Args:
        workers: How many workers.
        threads: How many threads they have together; each does one task at a time.
    """

    workers: int
    threads: int

    def __str__(self) -> str:
        at_a_time = format_quantity(self.threads, "task")
        return f"{format_quantity(self.workers, 'worker')}, {at_a_time} at a time"


@dataclass(frozen=True)
class CheckClusterJob:
    """Connects to a cluster and looks at its workers.

    Args:
        address: The address of its scheduler.
        timeout_s: How long the scheduler may take to answer.
    """

    address: str
    timeout_s: float = CONNECT_S

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with `ClusterFacts`."""
        yield Started("Connecting to the cluster")
        yield Finished(asyncio.run(self._facts()))

    async def _facts(self) -> ClusterFacts:
        async with connected(self.address, self.timeout_s) as client:
            return await usable_workers(client, self.address)


def check_part() -> None:
    """Refuses to go on without Dask.

    Raises:
        MissingPartError: If the part is not installed.
    """
    part = part_of("cluster")
    if not part.is_installed:
        raise MissingPartError(
            f"The part “{part.title}” (Dask) is not installed, which --cluster needs.",
            f"Run {part.command}.",
            kind="missing-cluster",
        )


@asynccontextmanager
async def connected(address: str, timeout_s: float = CONNECT_S) -> "AsyncIterator[Client]":
    """Connects to a scheduler.

    Args:
        address: Its address.
        timeout_s: How long it may take to answer.

    Yields:
        The connection; it is closed after the block.

    Raises:
        EpitomeError: If Dask is not installed, or the scheduler does not answer.
    """
    check_part()
    _prepare()
    from distributed import Client

    client = None
    try:
        try:
            client = Client(
                address, asynchronous=True, set_as_default=False, timeout=timeout_s, name="epitome"
            )
            # Dask's own limit leaves out the answer to its first message.
            await asyncio.wait_for(client, timeout_s)
        except Exception as error:  # whatever answers there may be anything
            raise _unreachable(address, error, timeout_s) from error
        yield client
    finally:
        if client is not None:
            await _close(client)


async def _close(client: "Client") -> None:
    """Closes a connection, as far as that can be done in time."""
    closing = asyncio.ensure_future(client.close(timeout=None))
    closing.add_done_callback(lambda task: task.cancelled() or task.exception())
    try:
        await asyncio.wait({closing}, timeout=_CLOSE_S)
    finally:
        closing.cancel()
        # Else Dask's finalizer closes it once more, with coroutines that are never awaited.
        client.status = "closed"


def _prepare() -> None:
    """Sets what Dask does in this process: no messages, no warnings of large documents."""
    import dask
    from distributed.versions import VersionMismatchWarning

    dask.config.set({"distributed.admin.large-graph-warning-threshold": "10GB"})
    warnings.filterwarnings("ignore", category=VersionMismatchWarning)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


async def usable_workers(client: "Client", address: str) -> ClusterFacts:
    """Looks at the workers of a cluster.

    Args:
        client: The connection.
        address: The scheduler's address.

    Returns:
        How many there are.

    Raises:
        EpitomeError: If there is none, or one has another version of Epitome.
    """
    threads: dict[str, int] = await client.nthreads()
    if not threads:
        raise no_workers(address)
    replies: dict[str, Any] = await client.run(worker.environment, on_error="return")
    for name, reply in sorted(replies.items()):
        environment = _environment(reply)
        if environment != Environment.here():
            raise other_environment(f"The worker {name}", environment)
    return ClusterFacts(len(threads), sum(threads.values()))


def _environment(reply: object) -> Environment | None:
    with suppress(ValueError, TypeError):
        if isinstance(reply, dict):
            return Environment.of(reply)
    return None


def no_workers(address: str) -> EpitomeError:
    """Returns the error about a cluster without workers."""
    return EpitomeError(
        f"The cluster at {address} has no workers.",
        f"Start one on each machine: dask worker {address}.",
        kind="no-workers",
    )


def lost(address: str) -> EpitomeError:
    """The error about a scheduler that has gone while it was used."""
    return EpitomeError(
        f"The connection to the cluster at {address} was lost; what is done is kept.",
        "Check its scheduler and the network, then start again: the rest is done then.",
        kind="unreachable",
    )


def _unreachable(address: str, error: Exception, timeout_s: float) -> EpitomeError:
    if isinstance(error, TimeoutError):
        reason = f"no scheduler answered in {timeout_s:g} s"
    else:
        reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    return EpitomeError(
        f"The cluster at {address} cannot be reached ({reason}).",
        "Check the address, and whether its scheduler runs: dask scheduler.",
        kind="unreachable",
    )

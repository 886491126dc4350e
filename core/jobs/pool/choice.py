"""The choice of the workers: this process, processes beside it, or a cluster."""

from collections.abc import Callable, Iterable

from core.jobs.lanes.child_process import ChildProcess
from core.jobs.pool.inline_pool import InlinePool
from core.jobs.pool.pool import Pool
from core.jobs.pool.process_pool import ProcessPool
from core.jobs.sources.sources import reading_process
from core.jobs.summaries.summarise import BUILT_IN
from core.stop import StopToken
from core.system.machine import usable_cores


def num_processes(requested: int | None, models: Iterable[str], num_jobs: int | None = None) -> int:
    """Returns the number of processes that summarise documents.

    Args:
        requested: The user's number; None for one for each core.
        models: The models that write. A trained model uses all cores itself, and much memory.
        num_jobs: The number of jobs, if it is known.

    Returns:
        At least 1; 1 for trained models.
    """
    if set(models) != {BUILT_IN}:
        return 1
    number = requested or usable_cores()
    return number if num_jobs is None else max(1, min(number, num_jobs))


def open_pool(
    cluster: str,
    size: int,
    stop: StopToken,
    process: Callable[[], ChildProcess] = reading_process,
    *,
    inline: bool = False,
) -> Pool:
    """Opens the workers of a cluster, or of this machine if no cluster is named.

    Args:
        cluster: The address of a Dask scheduler, or empty.
        size: The number of processes of this machine.
        stop: Ends the waiting for the cluster.
        process: Makes a process of this machine.
        inline: True for this process instead, but for jobs that may end it.

    Returns:
        The workers; close them.

    Raises:
        EpitomeError: If the cluster cannot be used.
        Stopping: If a stop was requested.
    """
    if cluster:
        from core.jobs.cluster.pool import ClusterPool

        return ClusterPool(cluster, stop)
    return InlinePool(stop, process) if inline else ProcessPool(size, process)

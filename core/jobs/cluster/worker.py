"""The work of the workers of a cluster.

Dask calls `run_orders` in a thread of a worker. Each thread has a process beside it that does one
order at a time, as on one machine: a document that ends or blocks that process costs neither the
worker nor the other documents anything.
"""

import threading
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.errors import needs_training
from core.events import Failed, Finished
from core.jobs.cluster import documents
from core.jobs.cluster.environment import Environment
from core.jobs.cluster.messages import read_order, write_environment, write_failure
from core.jobs.job import Job
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.run import failed
from core.jobs.sources.sources import reading_process
from core.stop import StopToken

_OWN = threading.local()


def environment() -> dict[str, Any]:
    """The environment of a worker, as plain values."""
    return asdict(Environment.here())


def run_orders(orders: Sequence[bytes]) -> list[bytes]:
    """Does orders one after the other.

    Args:
        orders: As `core.jobs.cluster.messages.write_order` gives them.

    Returns:
        A reply for each.
    """
    return [_reply_to(order) for order in orders]


def _reply_to(order: bytes) -> bytes:
    try:
        job = _read_job(order)
    except Exception as error:
        return write_failure(failed(error))
    if job is None:
        return write_environment()
    *_, last = _process().run(job, StopToken())
    if isinstance(last, Finished):
        reply: bytes = last.result
        return reply
    assert isinstance(last, Failed)
    return write_failure(last)


def _read_job(order: bytes) -> Job | None:
    """Reads the job of an order; None if the client has another environment."""
    opened = read_order(order)
    if opened is None:
        return None
    kind, head, data = opened
    if kind == documents.KIND:
        return documents.read_job(head, data)
    with needs_training("A worker prepares corpora"):
        from core.jobs.cluster import shards
    if kind == shards.KIND:
        return shards.read_job(head, data)
    raise ValueError(f"there are no orders of the kind “{kind}”")


def _process() -> ChildProcess:
    """The process of this thread."""
    if not hasattr(_OWN, "process"):
        _OWN.process = reading_process()
    process: ChildProcess = _OWN.process
    return process

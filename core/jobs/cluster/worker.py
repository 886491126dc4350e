"""What the workers of a cluster do.

Dask calls `summarise` in a thread of a worker. Each thread has a process beside it that reads and
ranks one document at a time, as on one machine: a document that ends or blocks that process costs
neither the worker nor the other documents anything.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.events import Event, Failed, Finished
from core.jobs.cluster.environment import Environment
from core.jobs.cluster.messages import Answer, read_order, write_reply
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.run import failed
from core.jobs.sources.sources import reading_process
from core.jobs.summaries.summarise import SummariseJob
from core.stop import StopToken

_OWN = threading.local()


@dataclass(frozen=True)
class AnswerJob:
    """Summarises the document of an order, in a process of its own."""

    memory_remedy = SummariseJob.memory_remedy

    job: SummariseJob

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with the reply."""
        for event in self.job.run(stop):
            if isinstance(event, Finished):
                yield Finished(write_reply(Answer.of(event.result)))
            else:
                yield event


def environment() -> dict[str, Any]:
    """The environment of a worker, as plain values."""
    return asdict(Environment.here())


def summarise(orders: Sequence[bytes]) -> list[bytes]:
    """Does orders one after the other.

    Args:
        orders: Documents and settings, as `core.jobs.cluster.messages.write_order` gives them.

    Returns:
        A reply for each.
    """
    return [_reply_to(order) for order in orders]


def _reply_to(order: bytes) -> bytes:
    try:
        job = read_order(order)
    except Exception as error:
        return write_reply(failed(error))
    if job is None:
        return write_reply(Environment.here())
    *_, last = _process().run(AnswerJob(job), StopToken())
    if isinstance(last, Finished):
        reply: bytes = last.result
        return reply
    assert isinstance(last, Failed)
    return write_reply(last)


def _process() -> ChildProcess:
    """The process of this thread."""
    if not hasattr(_OWN, "process"):
        _OWN.process = reading_process()
    process: ChildProcess = _OWN.process
    return process

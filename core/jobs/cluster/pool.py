"""The workers of a Dask cluster as a pool.

One thread has the connection to the scheduler. It sends a bounded number of tasks, each with one
job or a few small ones, so that neither this machine nor the scheduler holds more than some
documents for each worker.
"""

import asyncio
import concurrent.futures
import secrets
import threading
from collections.abc import Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Started, Steps, result_of
from core.jobs.cluster import worker
from core.jobs.cluster.connection import (
    ClusterFacts,
    connected,
    lost,
    no_workers,
    usable_workers,
)
from core.jobs.cluster.messages import OtherEnvironmentError, other_environment
from core.jobs.pool.pool import Pool
from core.jobs.run import failed
from core.stop import Stopping, StopToken

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from distributed import Client

_LOOK_S = 0.2
_WATCH_S = 1.0
_PATIENCE_S = 60.0  # how long a cluster may be without any worker
_ANSWER_S = 60.0  # how long a scheduler that is used may take to answer
_TASKS_A_THREAD = 2  # one that is worked on, and one to go on with
_MOST_TASKS = 2_000
_BUNDLE = 8  # documents of a task, as long as they are short
_BUNDLE_BYTES = 200_000
_BYTES_IN_FLIGHT = 256_000_000


class RemoteJob(Protocol):
    """A job that a worker can do."""

    remote_noun: str
    """Name of the content sent to the worker ("document")."""

    @property
    def num_bytes(self) -> int:
        """The size of what is sent, roughly."""
        ...

    def write_order(self, stop: StopToken) -> Steps[bytes]:
        """Everything that a worker needs; raises `EpitomeError` if none can do the job."""
        ...

    def read_reply(self, reply: object) -> Any:
        """The job's result; a `Failed` if the reply has none."""
        ...


@dataclass(order=True)
class _Waiting:
    """A job that is to be sent."""

    number: int
    submitted: int  # keeps jobs of the same number from being compared
    job: RemoteJob = field(compare=False)
    size: int = field(compare=False)


class _WorkersEndedError(Exception):
    """Several workers ended, one after the other, while they had a task.

    Args:
        number: How many.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class ClusterPool(Pool):
    """Does jobs on the workers of a cluster.

    Args:
        address: The address of its scheduler.
        stop: Ends the waiting for the connection.

    Raises:
        EpitomeError: If the cluster cannot be used.
        Stopping: If a stop was requested.
    """

    def __init__(self, address: str, stop: StopToken) -> None:
        super().__init__(0, _BUNDLE)
        self._address = address
        self._submitted = count()
        self._slots = 0
        self._facts: concurrent.futures.Future[ClusterFacts] = concurrent.futures.Future()
        self._main: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name=f"cluster at {address}", daemon=True)
        self._thread.start()
        try:
            while not concurrent.futures.wait([self._facts], _LOOK_S).done:
                stop.raise_if_set()
            self.facts = self._facts.result()
        except BaseException:
            self.close()
            raise

    def submit(self, number: int, job: RemoteJob) -> None:
        """Has a job done as soon as a worker is free, the lowest number first."""
        waiting = _Waiting(number, next(self._submitted), job, job.num_bytes)
        self._call(self._orders.put_nowait, waiting)

    def stop(self) -> None:
        """Gives up the jobs in hand."""
        if self._given_up:
            return  # a second cancelling would end the closing of the connection
        super().stop()
        if self._main is not None:
            self._call(self._main.cancel)

    def close(self) -> None:
        """Ends the connection."""
        self.stop()
        self._thread.join()

    def _call(self, function: Any, *arguments: Any) -> None:
        with suppress(RuntimeError):  # the connection has ended; `next_event` tells why
            self._loop.call_soon_threadsafe(function, *arguments)

    # In the thread of the connection

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except asyncio.CancelledError:
            self._end(EpitomeError("The work on the cluster was given up.", "Start it again."))
        except BaseExceptionGroup as group:
            self._end(_first(group))
        except Exception as error:
            self._end(error)

    def _end(self, error: Exception) -> None:
        if not self._facts.done():
            self._facts.set_exception(error)
        elif not self._given_up:
            self._events.put((0, error))

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._orders: asyncio.PriorityQueue[_Waiting] = asyncio.PriorityQueue()
        self._room = _Room(_BYTES_IN_FLIGHT)
        self._one_suspect = asyncio.Lock()
        self._main = asyncio.current_task()
        if self._given_up:
            return
        async with connected(self._address) as client:
            facts = await usable_workers(client, self._address)
            async with asyncio.TaskGroup() as group:
                self._open_slots(client, group, facts.threads)
                self._facts.set_result(facts)
                await self._watch(client, group)

    async def _watch(self, client: "Client", group: asyncio.TaskGroup) -> None:
        """Gives workers that come later something to do; ends where none is left."""
        without_s = 0.0
        while True:
            await asyncio.sleep(_WATCH_S)
            try:
                threads = await asyncio.wait_for(client.nthreads(), _ANSWER_S)
            except Exception as error:  # of a scheduler that is gone, Dask says so in many ways
                raise lost(self._address) from error
            self._open_slots(client, group, sum(threads.values()))
            without_s = 0.0 if threads else without_s + _WATCH_S
            if without_s >= _PATIENCE_S:
                raise no_workers(self._address)

    def _open_slots(self, client: "Client", group: asyncio.TaskGroup, threads: int) -> None:
        self.num_workers = max(self.num_workers, threads)
        while self._slots < min(_TASKS_A_THREAD * threads, _MOST_TASKS):
            self._slots += 1
            group.create_task(self._send_tasks(client))

    async def _send_tasks(self, client: "Client") -> None:
        """Sends one task after the other."""
        while True:
            bundle = await self._next_bundle()
            async with self._room.for_bytes(sum(each.size for each in bundle)):
                await self._do(client, bundle)

    async def _next_bundle(self) -> list[_Waiting]:
        """The next job, with some after it where they are short and there are many."""
        bundle = [await self._orders.get()]
        most = min(_BUNDLE, 1 + self._orders.qsize() // self._slots)
        size = bundle[0].size
        while len(bundle) < most and not self._orders.empty():
            after = self._orders.get_nowait()
            size += after.size
            if size > _BUNDLE_BYTES:
                self._orders.put_nowait(after)
                break
            bundle.append(after)
        return bundle

    async def _do(
        self, client: "Client", bundle: Sequence[_Waiting], *, is_alone: bool = False
    ) -> None:
        orders: dict[int, bytes] = {}
        for at, each in enumerate(bundle):
            self.report(each.number, Started("Summarising"))
            order = await asyncio.to_thread(self._order_of, each.job)
            if isinstance(order, bytes):
                orders[at] = order
            else:
                self.report(each.number, order)
        sent = [bundle[at] for at in orders]
        if not sent:
            return
        try:
            replies = await self._replies(client, list(orders.values()))
        except _WorkersEndedError as error:
            if is_alone:
                remedy = "Leave it out, or give the workers more memory, then try again."
                message = _describe_end(error.number, sent[0].job.remote_noun)
                self.report(sent[0].number, Failed(message, remedy, kind="ended"))
            else:
                await self._do_alone(client, sent)
            return
        for at, each in enumerate(sent):
            reply = replies[at] if replies else None
            self.report(each.number, await asyncio.to_thread(self._ending, each.job, reply))

    async def _do_alone(self, client: "Client", suspects: Sequence[_Waiting]) -> None:
        """Tries documents again, one at a time: Dask blames all tasks that a lost worker had."""
        for each in suspects:
            async with self._one_suspect:
                await self._do(client, [each], is_alone=True)

    def _order_of(self, job: RemoteJob) -> bytes | Failed:
        try:
            return result_of(job.write_order(self._given_up))
        except Stopping:
            return Failed("It was given up.", "Try again.")
        except Exception as error:
            return failed(error)

    async def _replies(self, client: "Client", orders: list[bytes]) -> list[Any] | None:
        """Returns a worker's replies, one for each order; None if it returns anything else."""
        from distributed import Future
        from distributed.scheduler import KilledWorker

        name = f"epitome-{secrets.token_hex(8)}"
        future: Future = client.submit(worker.run_orders, orders, key=name, pure=False)
        try:
            replies = await future
        except KilledWorker as error:
            raise _WorkersEndedError(error.allowed_failures + 1) from error
        except concurrent.futures.CancelledError as error:
            raise lost(self._address) from error  # Dask cancels what a lost scheduler had
        except (ImportError, AttributeError) as error:
            raise other_environment("A worker", None) from error
        except Exception as error:
            if "deserialization of the task graph" in str(error):
                raise other_environment("The scheduler", None) from error
            return [_refused(error)] * len(orders)
        finally:
            future.release()
        is_whole = isinstance(replies, list) and len(replies) == len(orders)
        return replies if is_whole else None

    def _ending(self, job: RemoteJob, reply: object) -> Event:
        """How a job ended, from the reply to its order."""
        if isinstance(reply, Failed):
            return reply
        try:
            result = job.read_reply(reply)
        except OtherEnvironmentError:
            raise
        except Exception as error:
            return failed(error)
        return result if isinstance(result, Failed) else Finished(result)


class _Room:
    """How many bytes of documents may be on their way; one document always may."""

    def __init__(self, most: int) -> None:
        self._most, self._held = most, 0
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def for_bytes(self, number: int) -> "AsyncIterator[None]":
        """Waits until there is room, and keeps it for the block."""
        async with self._changed:
            await self._changed.wait_for(
                lambda: not self._held or self._held + number <= self._most
            )
            self._held += number
        try:
            yield
        finally:
            self._held -= number
            async with self._changed:
                self._changed.notify_all()


def _describe_end(number: int, noun: str) -> str:
    """Says that so many workers ended, and as many again when they had this task only."""
    if number == 1:
        return f"A worker ended while it had this {noun}, twice."
    return f"{number} workers ended, one after the other, while they had this {noun}, twice."


def _refused(error: Exception) -> Failed:
    reason = " ".join(str(error).split())[:300] or type(error).__name__
    return Failed(
        f"The cluster could not do it ({type(error).__name__}: {reason}).",
        "Look into the log of its workers, then try again.",
        kind="cluster",
    )


def _first(group: BaseExceptionGroup[BaseException]) -> Exception:
    """Returns the first error of a group, of the program if there is one."""
    errors = [error for error in group.exceptions if isinstance(error, Exception)]
    own = [error for error in errors if isinstance(error, EpitomeError)]
    return [*own, *errors, EpitomeError("The work on the cluster ended.", "Start it again.")][0]

"""The workers of a cluster, used as processes of this machine are.

One thread has the connection to the scheduler. It sends a bounded number of tasks, each with one
document or a few short ones, so that neither this machine nor the scheduler holds more than some
documents for each worker. Results are told as those of a `core.jobs.process_team.ProcessTeam`.
"""

import asyncio
import concurrent.futures
import queue
import secrets
import threading
from collections.abc import Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Started, result_of
from core.jobs.cluster import worker
from core.jobs.cluster.connection import (
    ClusterFacts,
    connected,
    lost,
    no_workers,
    usable_workers,
)
from core.jobs.cluster.messages import file_of, other_environment, read_reply, write_order
from core.jobs.run import failed
from core.jobs.summaries.summarise import Summarised, SummariseJob
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
_HANDED_OUT = 8  # documents for each thread that the client may have in hand
_BUNDLE = 8  # documents of a task, as long as they are short
_BUNDLE_BYTES = 200_000
_BYTES_IN_FLIGHT = 256_000_000


class RemoteJob(Protocol):
    """A job on one document that a worker can do."""

    @property
    def on_document(self) -> SummariseJob:
        """What the worker does."""
        ...

    def made_from(self, result: Summarised) -> Any:
        """The job's own result."""
        ...


@dataclass(order=True)
class _Waiting:
    """A job that is to be sent."""

    number: int
    submitted: int  # keeps jobs of the same number from being compared
    job: RemoteJob = field(compare=False)
    size: int = field(compare=False)


class _WorkersEndedError(Exception):
    """Several workers ended, one after the other, while they had a task."""


class ClusterTeam:
    """Does jobs on the workers of a cluster.

    Args:
        address: The address of its scheduler.
        stop: The wish to end early, while the connection is made.

    Raises:
        EpitomeError: If the cluster cannot be used.
        Stopping: If an end was asked for.
    """

    def __init__(self, address: str, stop: StopToken) -> None:
        self._address = address
        self._said: queue.SimpleQueue[tuple[int, Event | Exception | None]] = queue.SimpleQueue()
        self._given_up = StopToken()
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
        self.size = _HANDED_OUT * self.facts.threads

    def submit(self, number: int, job: RemoteJob) -> None:
        """Has a job done as soon as a worker is free, the lowest number first."""
        waiting = _Waiting(number, next(self._submitted), job, _size_of(job.on_document))
        self._call(self._orders.put_nowait, waiting)

    def say(self, number: int, event: Event) -> None:
        """Tells an event of a job that was not handed out."""
        self._said.put((number, event))

    def hear(self, timeout_s: float = _LOOK_S) -> tuple[int, Event | None]:
        """The next event and the job it is of; None when nothing is told in time.

        Args:
            timeout_s: How long is waited.

        Returns:
            The number of the job, and the event.

        Raises:
            EpitomeError: If the cluster can no longer be used.
        """
        try:
            number, told = self._said.get(timeout=timeout_s)
        except queue.Empty:
            return 0, None
        if isinstance(told, Exception):
            raise told
        return number, told

    def wake(self) -> None:
        """Ends the waiting of `hear`; may be called from a signal handler."""
        self._said.put((0, None))

    def stop(self) -> None:
        """Gives up what is being done."""
        if self._given_up:
            return  # a second cancelling would end the closing of the connection
        self._given_up.request("cancel")
        if self._main is not None:
            self._call(self._main.cancel)

    def close(self) -> None:
        """Ends the connection."""
        self.stop()
        self._thread.join()

    def _call(self, function: Any, *arguments: Any) -> None:
        with suppress(RuntimeError):  # the connection has ended; `hear` tells why
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
            self._said.put((0, error))

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
            self.say(each.number, Started("Summarising"))
            order = await asyncio.to_thread(self._order_of, each.job)
            if isinstance(order, bytes):
                orders[at] = order
            else:
                self.say(each.number, order)
        sent = [bundle[at] for at in orders]
        if not sent:
            return
        try:
            replies = await self._replies(client, list(orders.values()))
        except _WorkersEndedError as error:
            if is_alone:
                remedy = "Leave it out, or give the workers more memory, then try again."
                self.say(sent[0].number, Failed(str(error), remedy, kind="ended"))
            else:
                await self._do_alone(client, sent)
            return
        for at, each in enumerate(sent):
            self.say(each.number, self._ending(each.job, replies[at] if replies else None))

    async def _do_alone(self, client: "Client", suspects: Sequence[_Waiting]) -> None:
        """Tries documents again, one at a time: Dask blames all tasks that a lost worker had."""
        for each in suspects:
            async with self._one_suspect:
                await self._do(client, [each], is_alone=True)

    def _order_of(self, job: RemoteJob) -> bytes | Failed:
        try:
            return result_of(write_order(job.on_document, self._given_up))
        except Stopping:
            return Failed("It was given up.", "Try again.")
        except Exception as error:
            return failed(error)

    async def _replies(self, client: "Client", orders: list[bytes]) -> list[Any] | None:
        """What a worker gives back, one reply for each order; None for anything else."""
        from distributed import Future
        from distributed.scheduler import KilledWorker

        name = f"epitome-{secrets.token_hex(8)}"
        future: Future = client.submit(worker.summarise, orders, key=name, pure=False)
        try:
            found = await future
        except KilledWorker as error:
            raise _WorkersEndedError(_how_often(error.allowed_failures + 1)) from error
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
        is_whole = isinstance(found, list) and len(found) == len(orders)
        return found if is_whole else None

    def _ending(self, job: RemoteJob, reply: object) -> Event:
        """How a job ended, from the reply to its order."""
        if isinstance(reply, Failed):
            return reply
        answer = read_reply(reply)
        if isinstance(answer, Failed):
            return answer
        try:
            return Finished(job.made_from(answer.at(file_of(job.on_document))))
        except Exception as error:
            return failed(error)


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


def _size_of(job: SummariseJob) -> int:
    source = job.source
    if source.path is not None:
        with suppress(OSError, ValueError):  # told when it is read
            return source.path.stat().st_size
        return 0
    return len(source.data or b"") + len(source.text)


def _how_often(number: int) -> str:
    """That so many workers ended, and after that, with the document alone, as many again."""
    if number == 1:
        return "A worker ended while it had this document, twice."
    return f"{number} workers ended, one after the other, while they had this document, twice."


def _refused(error: Exception) -> Failed:
    reason = " ".join(str(error).split())[:300] or type(error).__name__
    return Failed(
        f"The cluster could not do it ({type(error).__name__}: {reason}).",
        "Look into the log of its workers, then try again.",
        kind="cluster",
    )


def _first(group: BaseExceptionGroup[BaseException]) -> Exception:
    """The first error of a group, that a person can understand best."""
    errors = [error for error in group.exceptions if isinstance(error, Exception)]
    told = [error for error in errors if isinstance(error, EpitomeError)]
    return [*told, *errors, EpitomeError("The work on the cluster ended.", "Start it again.")][0]

"""The one door through which the window asks for work; knows in which lane each job runs."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from core.events import Event
from core.jobs.job import Job
from core.jobs.lanes.child_process import run_in_child
from core.library.folders import Folders
from core.stop import StopToken
from gui.job_list import JobList
from gui.workers.child_runner import ChildRunner
from gui.workers.runner import Run
from gui.workers.thread_runner import ThreadRunner

if TYPE_CHECKING:
    from core.jobs.queue.queued import JobSpec
    from gui.workers.queue_reporter import Notifier, QueueReporter, SystemNotifier
    from gui.workers.queue_runner import QueueRunner


_READER = "The part of the program that reads corpora"
_READER_REMEDY = "Nothing is lost, and it has been started again; do the same once more."


@dataclass(frozen=True)
class _Aside:
    """A job that runs in a process of its own.

    Args:
        job: What to do.
    """

    job: Job

    def run(self, stop: StopToken) -> Iterator[Event]:
        """The events of the job."""
        yield from run_in_child(self.job, stop)


class Controller(QObject):
    """Starts jobs and keeps their runs until they are over.

    Args:
        log: A file for the engine child's error output; None throws it away.
        folders: Where the queue lies; None for this user's.
    """

    def __init__(self, log: Path | None = None, folders: Folders | None = None) -> None:
        super().__init__()
        self._folders = folders or Folders.of_this_user()
        self._runs: dict[int, Run] = {}
        self._threads: dict[ThreadRunner, Run] = {}
        self._begun_never: list[Run] = []
        self._next_number = 0
        self.is_closed = False
        """Whether all work has ended; nothing begins any more."""
        self.engine = ChildRunner(log)
        self.engine.happened.connect(self._engine_happened)
        self.engine.start()
        self._log = log
        self._reader: ChildRunner | None = None
        self._queue: QueueRunner | None = None
        self._reporter: QueueReporter | None = None

    def run_in_engine(self, job: Job) -> Run:
        """Runs a job in the warm engine child: reading and ranking documents."""
        return self._run_in(self.engine, job)

    def run_in_reader(self, job: Job) -> Run:
        """Runs a job in a second warm child: corpora, which need not wait for a summary."""
        return self._never() if self.is_closed else self._run_in(self.reader, job)

    def run_aside(self, job: Job) -> Run:
        """Runs a job of minutes in a process of its own, which ends with it and with the window."""
        return self.run_in_thread(_Aside(job))

    @property
    def reader(self) -> ChildRunner:
        """Runs jobs that look into corpora; started when it is first asked for."""
        if self._reader is None:
            self._reader = ChildRunner(self._log, _READER, _READER_REMEDY)
            self._reader.happened.connect(self._engine_happened)
            self._reader.start()
        return self._reader

    def _run_in(self, runner: ChildRunner, job: Job) -> Run:
        if self.is_closed:
            return self._never()
        self._next_number += 1
        number = self._next_number
        run = self._runs[number] = Run()
        run.stop_wished.connect(lambda wish: runner.request_stop(number, wish))
        runner.submit(number, job)
        return run

    def _never(self) -> Run:
        """A run that never begins. It is kept, as others are: who asked connects to its signals."""
        run = Run()
        self._begun_never.append(run)
        return run

    def run_in_thread(self, job: Job) -> Run:
        """Runs a job in a thread: short work, such as writing a file."""
        if self.is_closed:
            return self._never()
        runner = ThreadRunner(job)
        run = self._threads[runner] = Run()
        runner.happened.connect(run.take)
        run.stop_wished.connect(runner.request_stop)
        runner.finished.connect(self._reap_threads)
        runner.start()
        return run

    def queue_job(self, order: "JobSpec") -> Run:
        """Queues a long job; it runs in a process that outlives the window.

        Args:
            order: The job.

        Returns:
            Its run, like that of any other job; closing the window does not end it. It fails
            without having been `queued` where the queue refuses it.
        """
        run, number = self._queued_run()
        self.queue.submit(number, order)
        return run

    def attach(self, id: str) -> Run:
        """Follows a job that is in the queue, from its first event on.

        Args:
            id: The job's, in the queue.

        Returns:
            Its run.
        """
        run, number = self._queued_run()
        self.queue.attach(number, id)
        return run

    @property
    def queue(self) -> "QueueRunner":
        """Follows the queued jobs; made when it is first asked for, after the first paint."""
        if self._queue is None:
            from gui.workers.queue_runner import QueueRunner

            self._queue = QueueRunner(self._folders)
            self._queue.queued.connect(self._queue_has_taken)
            self._queue.happened.connect(self._queue_happened)
        return self._queue

    def report_queue(
        self, jobs: JobList, notify: "Notifier", notify_system: "SystemNotifier | None" = None
    ) -> None:
        """Shows the queue's jobs, also those that another window has left there.

        Args:
            jobs: The list in the status bar.
            notify: Shows a toast.
            notify_system: Shows a notification of the system; None for none.
        """
        from gui.workers.queue_reporter import QueueReporter

        self._reporter = QueueReporter(self.queue, jobs, notify, notify_system)
        self.watch_queue()

    def watch_queue(self) -> None:
        """Begins to watch the queue."""
        if not self.is_closed and not self.queue.isRunning():
            self.queue.start()

    def _queued_run(self) -> tuple[Run, int]:
        self.watch_queue()
        self._next_number += 1
        number = self._next_number
        run = self._runs[number] = Run()
        run.stop_wished.connect(lambda wish: self.queue.ask_of_run(number, wish))
        return run, number

    def close(self) -> None:
        """Ends all work and waits for it, but for the jobs that outlive the window.

        What is asked for from now on, as by an event that was on its way, is not begun: nobody
        would wait for its thread, and Qt ends a program in which one still runs.
        """
        self.is_closed = True
        if self._reporter is not None:
            self._reporter.close()
        if self._queue is not None:
            self._queue.close()
        for runner in list(self._threads):
            runner.request_stop("cancel")
            runner.wait()
        self.engine.close()
        if self._reader is not None:
            self._reader.close()
        # Events still on their way would outlive the program's end and crash it.
        QCoreApplication.sendPostedEvents(self)

    def _engine_happened(self, number: int, event: Event) -> None:
        run = self._runs.get(number)
        if run is None:
            return
        run.take(event)
        if run.over:
            del self._runs[number]

    def _queue_has_taken(self, number: int, id: str) -> None:
        if number in self._runs:
            self._runs[number].queued.emit()

    def _queue_happened(self, number: int, events: list[Event]) -> None:
        for event in events:
            self._engine_happened(number, event)

    def _reap_threads(self) -> None:
        # A thread may be over while its last event is still on its way to the run: not yet then.
        over = [runner for runner, run in self._threads.items() if run.over and runner.isFinished()]
        for runner in over:
            runner.wait()
            del self._threads[runner]

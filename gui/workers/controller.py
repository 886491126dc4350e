"""The one door through which the window asks for work; knows in which lane each job runs."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject

from core.events import Event
from core.jobs.job import Job
from core.stop import Wish
from gui.workers.child_runner import ChildRunner
from gui.workers.runner import Run
from gui.workers.thread_runner import ThreadRunner


class Controller(QObject):
    """Starts jobs and keeps their runs until they are over.

    Args:
        log: A file for the engine child's error output; None throws it away.
    """

    def __init__(self, log: Path | None = None) -> None:
        super().__init__()
        self._runs: dict[int, Run] = {}
        self._threads: dict[ThreadRunner, Run] = {}
        self._next_number = 0
        self.engine = ChildRunner(log)
        self.engine.happened.connect(self._engine_happened)
        self.engine.start()

    def run_in_engine(self, job: Job) -> Run:
        """Runs a job in the warm engine child: reading and ranking documents."""
        self._next_number += 1
        number = self._next_number
        run = Run()
        self._runs[number] = run
        run.stop_wished.connect(lambda wish: self._stop_in_engine(number, wish))
        self.engine.submit(number, job)
        return run

    def run_in_thread(self, job: Job) -> Run:
        """Runs a job in a thread: short work, such as writing a file."""
        run = Run()
        runner = ThreadRunner(job)
        self._threads[runner] = run
        runner.happened.connect(run.take)
        run.stop_wished.connect(runner.request_stop)
        runner.finished.connect(self._reap_threads)
        runner.start()
        return run

    def close(self) -> None:
        """Ends all work and waits for it."""
        for runner in list(self._threads):
            runner.request_stop("cancel")
            runner.wait()
        self.engine.close()
        # Events still on their way would outlive the program's end and crash it.
        QCoreApplication.sendPostedEvents(self)

    def _stop_in_engine(self, number: int, wish: Wish) -> None:
        self.engine.request_stop(number, wish)

    def _engine_happened(self, number: int, event: Event) -> None:
        run = self._runs.get(number)
        if run is None:
            return
        run.take(event)
        if run.over:
            del self._runs[number]

    def _reap_threads(self) -> None:
        # A thread may be over while its last event is still on its way to the run: not yet then.
        over = [runner for runner, run in self._threads.items() if run.over and runner.isFinished()]
        for runner in over:
            runner.wait()
            del self._threads[runner]

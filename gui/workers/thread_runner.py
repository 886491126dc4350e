"""Runs a job in a thread of the window's process: short work that frees the interpreter."""

from PySide6.QtCore import QThread, Signal

from core.jobs.job import Job
from core.jobs.run import run_inline
from core.stop import StopToken, Wish


class ThreadRunner(QThread):
    """A thread for one job.

    Args:
        job: What to do.
    """

    happened = Signal(object)

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job = job
        self._stop = StopToken()

    def request_stop(self, wish: Wish) -> None:
        """Asks the job to end."""
        self._stop.request(wish)

    def run(self) -> None:
        """The thread's own body."""
        for event in run_inline(self._job, self._stop):
            self.happened.emit(event)

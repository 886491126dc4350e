"""Reports a run to the list of jobs in the status bar, where it can be cancelled."""

from itertools import count

from PySide6.QtCore import QCoreApplication

from core.events import Event, Progress
from gui.job_list import JobList, JobWish
from gui.workers.runner import Run

_numbers = count(1)


def report_run(run: Run, jobs: JobList, title: str, *, by_escape: bool) -> None:
    """Lists a run until it has ended.

    Args:
        run: The run.
        jobs: The list.
        title: Its name there.
        by_escape: True if Escape cancels it.
    """
    key = f"run {next(_numbers)}"

    def obey(wish: JobWish) -> None:
        run.stop()

    def report(event: Event | None = None) -> None:
        share = None
        if isinstance(event, Progress) and event.total:
            share = event.done / event.total
        if event is None or share is not None:
            jobs.report(key, title, share=share, by_escape=by_escape, obey=obey)

    report()
    stopped = QCoreApplication.translate("JobReporter", "Stopped.")
    run.happened.connect(report)
    run.finished.connect(lambda result: jobs.end(key, "done", stays=False))
    run.stopped.connect(lambda reason: jobs.end(key, "stopped", stopped, stays=False))
    run.failed.connect(lambda failure: jobs.end(key, "failed", failure.message, stays=False))

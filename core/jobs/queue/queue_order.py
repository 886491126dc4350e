"""Jobs in the list of the queue: found, put in their place, moved to the front of their lane."""

from core.errors import EpitomeError
from core.jobs.queue.queued import LASTING, QueuedJob


def found(jobs: list[QueuedJob], id: str) -> QueuedJob:
    """The job of that id; raises `EpitomeError` if there is none."""
    for job in jobs:
        if job.id == id:
            return job
    raise EpitomeError("This job is not in the queue any more.", "Queue it again.")


def refuse_second(jobs: list[QueuedJob], job: QueuedJob) -> None:
    """Of each folder one job at most waits or runs; raises `EpitomeError` for a second one."""
    others = (each for each in jobs if each.id != job.id and each.folder == job.folder)
    if any(each.state in LASTING for each in others):
        raise EpitomeError(f"A job in {job.folder} has not ended.", "Choose another folder.")


def put(jobs: list[QueuedJob], job: QueuedJob) -> None:
    """Puts a job in the place of what it was."""
    jobs[[each.id for each in jobs].index(job.id)] = job


def put_first(jobs: list[QueuedJob], job: QueuedJob) -> None:
    """Moves a job before all others that wait in its lane."""
    jobs.remove(job)
    waiting = (n for n, each in enumerate(jobs) if (each.lane, each.state) == (job.lane, "waiting"))
    jobs.insert(next(waiting, len(jobs)), job)

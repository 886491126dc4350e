"""The kinds of job that can be queued: by name, so that nothing is ever pickled into a file.

When a job is queued its settings are frozen in its folder, as TOML. Its kind reads them back in the
process that does the work, and knows the classes of its events. What a kind needs is imported when
it is first asked for: a process that does one job loads nothing of the others, and one that only
starts jobs loads none.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import EpitomeError, explained
from core.events import Event
from core.jobs.job import Job
from core.jobs.queue.queued import JobSpec, QueuedJob
from core.runs.event_kinds import EventKinds
from core.storage.files import next_free
from core.storage.regular_files import read_regular


@dataclass(frozen=True)
class JobKind:
    """A kind of job.

    Args:
        load: Gives the job whose settings lie in a folder; it goes on where one was begun.
        events: The classes of its own events.
        files: Where in its folder its frozen settings lie: the first of these that is there.
        keeps_record: Whether the job itself writes its events into its folder, and keeps other
            processes out of it, also when it was not queued.
        again: Orders the work of a folder once more, with an output that is none of those given;
            None where the settings can be copied as they are.
        output: The folder that the work of a job's folder goes to; None where it is the same.
        finished: Tells, from what lies on the disk, that a job was done although its process died
            before it could say so; None where that cannot be.
    """

    load: Callable[[Path], Job]
    events: tuple[type[Event], ...] = ()
    files: tuple[str, ...] = ("queued.toml",)
    keeps_record: bool = False
    again: Callable[[Path, Collection[Path]], JobSpec] | None = None
    output: Callable[[Path], Path] | None = None
    finished: Callable[[Path], Event | None] | None = None


class _MadeLate(Mapping[str, JobKind]):
    """Kinds, each made when it is first asked for.

    Args:
        makers: By its name, what makes it.
    """

    def __init__(self, makers: Mapping[str, Callable[[], JobKind]]) -> None:
        self._makers, self._made = makers, dict[str, JobKind]()

    def __getitem__(self, name: str) -> JobKind:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def _batch() -> JobKind:
    from core.jobs.batches.job_file import JOB_FILE
    from core.jobs.batches.queued import finished_batch, load_batch_job, specify_batch_again

    return JobKind(
        load_batch_job, files=(JOB_FILE,), again=specify_batch_again, finished=finished_batch
    )


def _corpus() -> JobKind:
    from core.jobs.corpora.queued_corpus import (
        CORPUS_FILE,
        corpus_of,
        finished_corpus,
        load_corpus_job,
        specify_corpus_again,
    )

    return JobKind(
        load_corpus_job,
        files=(CORPUS_FILE,),
        again=specify_corpus_again,
        output=corpus_of,
        finished=finished_corpus,
    )


def _profile() -> JobKind:
    from core.jobs.profiling.queued_profile import (
        FIRST_SWEEP,
        load_sweeps_job,
        specify_sweeps_again,
    )

    return JobKind(load_sweeps_job, files=(FIRST_SWEEP,), again=specify_sweeps_again)


def _train() -> JobKind:
    from core.jobs.training.queued_training import load_training_job
    from core.training.events import KINDS
    from core.training.plan import QUEUED_FILE

    return JobKind(load_training_job, KINDS, (QUEUED_FILE, "job.toml"), keeps_record=True)


KINDS: Mapping[str, JobKind] = _MadeLate(
    {"batch": _batch, "corpus": _corpus, "profile": _profile, "train": _train}
)


def kind_of(name: str, kinds: Mapping[str, JobKind] = KINDS) -> JobKind:
    """The kind of that name.

    Args:
        name: As the queue has it.
        kinds: Those that are known.

    Returns:
        The kind.

    Raises:
        EpitomeError: If this program has none of that name.
    """
    if name not in kinds:
        raise EpitomeError(
            f"This program knows no jobs of the kind “{name}”.",
            "Use the newer program that queued it.",
        )
    return kinds[name]


def event_kinds(name: str, kinds: Mapping[str, JobKind] = KINDS) -> EventKinds:
    """How the events of a kind of job are read back; only the base kinds for an unknown one."""
    return EventKinds(kinds[name].events if name in kinds else ())


def outputs_of(jobs: Iterable[QueuedJob], kinds: Mapping[str, JobKind] = KINDS) -> set[Path]:
    """The folders that the work of jobs goes to, or will go to when they are taken up again.

    Args:
        jobs: The jobs.
        kinds: The known kinds.

    Returns:
        The folders; without those of jobs whose settings cannot be read.
    """
    found = set()
    for job in jobs:
        output = kinds[job.kind].output if job.kind in kinds else None
        with suppress(EpitomeError):
            found.add(output(job.trashed or job.folder) if output else job.folder)
    return found


def specify_again(
    job: QueuedJob, kinds: Mapping[str, JobKind] = KINDS, taken: Collection[Path] = ()
) -> JobSpec:
    """The same work once more, in a folder of its own.

    Args:
        job: The job whose settings are taken.
        kinds: The known kinds.
        taken: Folders that it must not use, although nothing is there yet: see `outputs_of`.

    Returns:
        The job.

    Raises:
        EpitomeError: If its settings are not there any more.
    """
    kind = kind_of(job.kind, kinds)
    source = next((job.folder / name for name in kind.files if (job.folder / name).exists()), None)
    if source is None:
        raise EpitomeError(
            f"The settings of “{job.title}” are not in {job.folder} any more.",
            "Take the job back from the trash, or set up a new one.",
        )
    if kind.again is not None:
        return kind.again(job.folder, taken)
    folder = next_free(job.folder, taken)
    with explained(f"{source} cannot be read", "Set up a new job."):
        settings = read_regular(source).decode("utf-8", "surrogateescape")
    return JobSpec(job.kind, folder.name, job.lane, folder, {kind.files[0]: settings})

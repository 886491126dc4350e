"""The kinds of job that can be queued: by name, so that nothing is ever pickled into a file.

When a job is queued its settings are frozen in its folder, as TOML. Its kind reads them back in the
process that does the work, and knows the classes of its events.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import EpitomeError
from core.events import Event
from core.jobs.job import Job
from core.jobs.train import queued_training
from core.runs.event_kinds import EventKinds
from core.training import events as training_events


@dataclass(frozen=True)
class JobKind:
    """A kind of job.

    Args:
        load: Gives the job whose settings lie in a folder; it goes on where one was begun.
        events: The classes of its own events.
        keeps_record: Whether the job itself writes its events into its folder, and keeps other
            processes out of it, also when it was not queued.
    """

    load: Callable[[Path], Job]
    events: tuple[type[Event], ...] = ()
    keeps_record: bool = False


KINDS: dict[str, JobKind] = {
    "train": JobKind(queued_training, training_events.KINDS, keeps_record=True),
}


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

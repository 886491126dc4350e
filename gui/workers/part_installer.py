"""Installs optional parts from the window, one at a time, and says how they stand."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Signal

from core.distribution.parts import Part, PartName, activate, can_install, part_of
from core.events import Event, Failed, Progress
from core.jobs.call import CallJob
from core.jobs.job import Job
from core.numbers import format_quantity, format_size
from gui.job_list import JobList
from gui.workers.controller import Controller
from gui.workers.runner import Run

Status = Literal["missing", "installing", "installed"]


@dataclass(frozen=True)
class PartState:
    """How a part stands.

    Args:
        status: Whether it is there.
        doing: What is done just now, with how much is done.
        share: How much is done, 0 to 1; None when nobody knows.
        failure: Why the last attempt failed; None if none did.
    """

    status: Status
    doing: str = ""
    share: float | None = None
    failure: Failed | None = None


class PartInstaller(QObject):
    """Knows all parts of this installation.

    Args:
        controller: Runs the jobs.
        jobs: The list in the status bar.
        make_job: What installs a part; None for the program's own.
    """

    changed = Signal(str)
    """The part of that name stands otherwise."""
    installed = Signal(str)
    """The part of that name was installed just now."""
    told = Signal(str)
    """A sentence for the person."""

    def __init__(
        self,
        controller: Controller,
        jobs: JobList,
        make_job: Callable[[Part], Job] | None = None,
    ) -> None:
        super().__init__()
        self._controller, self._jobs, self._make_job = controller, jobs, make_job
        self._states: dict[str, PartState] = {}
        self._runs: dict[str, Run] = {}

    def state(self, name: PartName) -> PartState:
        """How a part stands; one that another program installed meanwhile is found."""
        known = self._states.get(name)
        if known is None or (known.status == "missing" and part_of(name).is_installed):
            status: Status = "installed" if part_of(name).is_installed else "missing"
            known = self._states[name] = PartState(status)
        return known

    def can_offer(self, name: PartName) -> bool:
        """Whether it is missing, and can be installed from here."""
        missing = self.state(name).status != "installed"
        return missing and part_of(name).is_offered and can_install()

    def install(self, name: PartName) -> None:
        """Installs a part, unless that is under way."""
        if self.state(name).status != "missing":
            return
        run = self._runs[name] = self._controller.run_in_thread(self._job(part_of(name)))
        run.happened.connect(lambda event: self._follow(name, event))
        run.failed.connect(lambda failure: self._fail(name, failure))
        run.stopped.connect(lambda reason: self._stop(name))
        run.finished.connect(lambda result: self._finish(name))
        self._put(name, PartState("installing", self.tr("Preparing")))

    def _job(self, part: Part) -> Job:
        if self._make_job is not None:
            return self._make_job(part)
        from core.jobs.program.install_part import (
            InstallPartJob,  # the window's start need not wait for it
        )

        return InstallPartJob(part)

    def cancel(self, name: str) -> None:
        """Gives up an installation; files that came whole are not downloaded again."""
        if name in self._runs:
            self._runs[name].stop("cancel")

    def _follow(self, name: PartName, event: Event) -> None:
        if isinstance(event, Progress):
            share = event.done / event.total if event.total else None
            self._put(name, PartState("installing", _told(event), share))

    def _fail(self, name: PartName, failure: Failed) -> None:
        del self._runs[name]
        self._jobs.end(_key(name), "failed", f"{failure.message} {failure.remedy}")
        self._put(name, PartState("missing", failure=failure))

    def _stop(self, name: PartName) -> None:
        del self._runs[name]
        told = self.tr("Stopped. What was downloaded whole is kept for another attempt.")
        self._jobs.end(_key(name), "stopped", told, stays=False)
        self._put(name, PartState("missing"))

    def _finish(self, name: PartName) -> None:
        del self._runs[name]
        activate()
        self._controller.run_in_engine(CallJob(activate))
        self._jobs.end(_key(name), "done", stays=False)
        self._put(name, PartState("installed"))
        self.told.emit(self.tr("{part} is installed").format(part=part_of(name).title))
        self.installed.emit(name)

    def _put(self, name: PartName, state: PartState) -> None:
        self._states[name] = state
        if state.status == "installing":
            title = self.tr("Installing {part}").format(part=part_of(name).title.lower())
            obey = self._obey(name)
            self._jobs.report(
                _key(name), title, share=state.share, note=state.doing, by_escape=False, obey=obey
            )
        self.changed.emit(name)

    def _obey(self, name: PartName) -> Callable[[str], object]:
        return lambda wish: self.cancel(name) if wish in ("cancel", "stop") else None


def _key(name: str) -> str:
    return f"install {name}"


def _told(progress: Progress) -> str:
    """How far it is: "Downloading: 4.2 of 13 MB"."""
    if not progress.total:
        return progress.what
    if progress.unit == "bytes":
        done, total = format_size(progress.done), format_size(progress.total)
        return f"{progress.what}: {done} of {total}" if progress.done else progress.what
    count = format_quantity(progress.total, progress.unit, progress.unit)
    return f"{progress.what}: {progress.done} of {count}"

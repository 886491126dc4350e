"""The window installs a part, shows how far it is, and everything uses it at once."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.distribution import parts
from core.distribution.parts import Part, PartName
from core.errors import EpitomeError
from core.events import Event, Finished, Progress
from core.jobs.job import Job
from core.library.folders import Folders
from core.stop import StopToken
from gui.job_list import JobList
from gui.workers.controller import Controller
from gui.workers.part_installer import PartInstaller, PartState


class Installing:
    """A job that installs a part when it is let go."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.go_on = threading.Event()
        self.fails = ""
        self.there: Callable[[], object] = lambda: None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Half of it, then a wait, then the end."""
        yield Progress(6_000_000, 12_000_000, "bytes", "Downloading")
        while not self.go_on.wait(0.01):
            stop.raise_if_set()
        if self.fails:
            raise EpitomeError(self.fails, "Try again.", "offline")
        self.there()
        yield Finished(None)


class Bench:
    """An installer with its jobs and what it told."""

    def __init__(self, tmp_path: Path, missing: set[str]) -> None:
        self.controller = Controller(folders=Folders.under(tmp_path))
        self.jobs = JobList()
        self.made: list[Installing] = []
        self.missing = missing
        self.parts = PartInstaller(self.controller, self.jobs, self.make)
        self.told: list[str] = []
        self.parts.installed.connect(self.told.append)

    def make(self, part: Part) -> Job:
        """Makes a job that waits."""
        job = Installing(part)
        job.there = lambda: self.missing.discard(part.name)
        self.made.append(job)
        return job

    def status(self, name: PartName = "scans") -> str:
        """How the part stands."""
        return self.parts.state(name).status


@pytest.fixture
def bench(tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    missing = {"scans", "training"}
    found = property(lambda part: part.name not in missing)
    monkeypatch.setattr(parts.Part, "is_installed", found)
    made = Bench(tmp_path, missing)
    yield made
    made.controller.close()


def test_it_tells_how_far_it_is_and_that_it_is_there(qtbot: QtBot, bench: Bench) -> None:
    assert bench.parts.can_offer("scans")
    bench.parts.install("scans")
    assert bench.status() == "installing"
    qtbot.waitUntil(lambda: bench.parts.state("scans").share == 0.5)
    assert bench.parts.state("scans").doing == "Downloading: 6.0\u202fMB of 12\u202fMB"
    (job,) = bench.jobs.jobs
    assert (job.title, job.share, job.can_cancel) == ("Installing text recognition", 0.5, True)
    bench.made[0].go_on.set()
    qtbot.waitUntil(lambda: bench.told == ["scans"])
    assert bench.status() == "installed"
    assert bench.jobs.jobs == ()
    assert not bench.parts.can_offer("scans")
    assert bench.parts.can_offer("training")


def test_cancelling_leaves_it_missing(qtbot: QtBot, bench: Bench) -> None:
    bench.parts.install("scans")
    qtbot.waitUntil(lambda: bench.parts.state("scans").share == 0.5)
    bench.jobs.wish("install scans", "cancel")
    qtbot.waitUntil(lambda: bench.status() == "missing")
    assert bench.parts.state("scans") == PartState("missing")
    assert bench.jobs.jobs == ()
    assert bench.told == []


def test_a_failure_is_kept_until_the_next_attempt(qtbot: QtBot, bench: Bench) -> None:
    bench.parts.install("scans")
    qtbot.waitUntil(lambda: bool(bench.made))
    bench.made[0].fails = "It is offline."
    bench.made[0].go_on.set()
    qtbot.waitUntil(lambda: bench.parts.state("scans").failure is not None)
    failure = bench.parts.state("scans").failure
    assert failure is not None
    assert (failure.message, failure.kind) == ("It is offline.", "offline")
    bench.parts.install("scans")
    assert bench.parts.state("scans").failure is None
    bench.made[1].go_on.set()
    qtbot.waitUntil(lambda: bench.told == ["scans"])


def test_it_is_installed_once(qtbot: QtBot, bench: Bench) -> None:
    bench.parts.install("scans")
    bench.parts.install("scans")
    assert len(bench.made) == 1
    bench.made[0].go_on.set()
    qtbot.waitUntil(lambda: bench.told == ["scans"])
    bench.parts.install("scans")
    assert len(bench.made) == 1


def test_a_part_that_came_meanwhile_is_found(bench: Bench) -> None:
    assert bench.status("training") == "missing"
    bench.missing.clear()
    assert bench.status("training") == "installed"


def test_where_nothing_can_be_installed_nothing_is_offered(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(parts, "CONSTRAINTS", tmp_path / "none.txt")
    assert not bench.parts.can_offer("scans")

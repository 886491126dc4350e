"""Small things are written in order, one at a time, and none is lost."""

import threading
from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from core.errors import EpitomeError
from core.events import Failed
from gui.workers.controller import Controller
from gui.workers.keeper import Keeper


class Disk:
    """A disk that writes when it is allowed to."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.is_free = threading.Event()
        self.most_at_once = self._now = 0

    def writing(self, what: str) -> Callable[[], None]:
        def write() -> None:
            self._now += 1
            self.most_at_once = max(self._now, self.most_at_once)
            self.is_free.wait(60)
            self.written.append(what)
            self._now -= 1

        return write


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def controller(qtbot: QtBot, disk: Disk) -> Iterator[Controller]:
    controller = Controller()
    yield controller
    disk.is_free.set()
    controller.close()


def test_a_newer_write_replaces_a_waiting_one_and_all_go_one_by_one(
    qtbot: QtBot, controller: Controller, disk: Disk
) -> None:
    keeper = Keeper(controller)
    for what, text in (("a", "a1"), ("a", "a2"), ("b", "b1"), ("a", "a3")):
        keeper.keep(what, disk.writing(text))
    disk.is_free.set()
    qtbot.waitUntil(lambda: len(disk.written) == 3)
    assert (disk.written, disk.most_at_once) == (["a1", "b1", "a3"], 1)


def test_a_write_that_fails_is_told_and_the_next_one_goes(
    qtbot: QtBot, controller: Controller, disk: Disk
) -> None:
    keeper, told = Keeper(controller), []
    keeper.failed.connect(told.append)

    def fail() -> None:
        raise EpitomeError("The disk is full.", "Make room.")

    disk.is_free.set()
    keeper.keep("a", fail)
    keeper.keep("b", disk.writing("b"))
    qtbot.waitUntil(lambda: disk.written == ["b"])
    assert told == [Failed("The disk is full.", "Make room.")]


def test_what_still_waits_is_written_when_the_window_closes(qtbot: QtBot, disk: Disk) -> None:
    controller = Controller()
    keeper = Keeper(controller)
    for what in "abc":
        keeper.keep(what, disk.writing(what))
    disk.is_free.set()
    controller.close()
    keeper.close()
    keeper.close()
    assert sorted(disk.written) == ["a", "b", "c"]


def test_of_what_waits_at_the_end_all_is_written_that_can_be(qtbot: QtBot, disk: Disk) -> None:
    controller = Controller()
    keeper = Keeper(controller)

    def fail() -> None:
        raise EpitomeError("The disk is full.", "Make room.")

    keeper.keep("a", disk.writing("a"))
    keeper.keep("b", fail)
    keeper.keep("c", lambda: 1 // 0)
    keeper.keep("d", disk.writing("d"))
    disk.is_free.set()
    controller.close()
    keeper.close()
    assert disk.written == ["a", "d"]


def test_what_is_kept_after_the_end_is_written_at_once(
    qtbot: QtBot, controller: Controller, disk: Disk
) -> None:
    disk.is_free.set()
    controller.close()
    Keeper(controller).keep("a", disk.writing("a1"))
    assert disk.written == ["a1"]

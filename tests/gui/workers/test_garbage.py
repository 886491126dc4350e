"""Garbage of the window is collected on its own thread."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from gui.workers.garbage import GarbageCollector


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[GarbageCollector]:
    """A collector at work; Python's own takes over again after the test."""
    owner = QObject()
    yield GarbageCollector(owner)
    owner.deleteLater()
    gc.enable()
    gc.unfreeze()


def test_a_timer_in_a_cycle_is_destroyed_on_the_window_s_thread(
    qtbot: QtBot, collector: GarbageCollector
) -> None:
    threads: list[int] = []
    _drop_a_running_timer(threads)
    kept: list[list[int]] = []
    allocating = threading.Thread(target=_allocate, args=[kept])
    allocating.start()
    allocating.join()
    qtbot.waitUntil(lambda: bool(threads))
    assert threads == [threading.get_ident()]


def test_older_generations_are_collected_too(qtbot: QtBot, collector: GarbageCollector) -> None:
    threads: list[int] = []
    cycle = _Cycle(threads)
    gc.collect(1)  # it is old now
    del cycle
    for _ in range(201):
        gc.collect(1)  # so the oldest is due
    assert not threads
    qtbot.waitUntil(lambda: bool(threads))


class _Cycle:
    """Notes on which thread it is collected."""

    def __init__(self, threads: list[int]) -> None:
        self.itself = self
        weakref.finalize(self, lambda: threads.append(threading.get_ident()))


def _drop_a_running_timer(threads: list[int]) -> None:
    cycle = _Cycle(threads)
    cycle.timer = QTimer(interval=1000)  # type: ignore[attr-defined]
    cycle.timer.start()  # type: ignore[attr-defined]


def _allocate(kept: list[list[int]]) -> None:
    kept += [[number] for number in range(100_000)]

"""What is known of a batch follows what is on disk, also when it changes while it is looked at."""

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from core.jobs.batches.news import BatchNews
from core.jobs.batches.store import BatchStore, FoundSource
from gui.panels.batch.follower import BatchFollower
from gui.workers.controller import Controller


def documents(*numbers: int) -> list[FoundSource]:
    return [FoundSource(f"/d/{number}", str(number)) for number in numbers]


def test_what_comes_during_a_look_in_pieces_is_told_too(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.jobs.batches.news.MOST_AT_ONCE", 2)
    with BatchStore(tmp_path, make=True) as store:
        store.add(documents(1, 2, 3, 4, 5))
    controller = Controller()
    follower = BatchFollower(controller)
    known: set[str] = set()

    def add_one() -> None:
        with BatchStore(tmp_path) as store:
            store.add(documents(6))
        follower.look()

    def take(news: BatchNews) -> None:
        if not known:
            QTimer.singleShot(0, add_one)  # the next piece is on its way then
        known.update(row.name for row in news.rows)

    follower.told.connect(take)
    follower.open(tmp_path)
    qtbot.waitUntil(lambda: known == {"1", "2", "3", "4", "5", "6"})
    qtbot.waitUntil(lambda: follower._looking is None)
    controller.close()


def test_what_was_asked_of_a_batch_is_done_there_though_another_one_opens(
    qtbot: QtBot, tmp_path: Path
) -> None:
    left, opened, gone = (tmp_path / name for name in ("left", "opened", "gone"))
    for folder in (left, opened):
        with BatchStore(folder, make=True) as store:
            store.add(documents(1, 2))
    controller = Controller()
    follower = BatchFollower(controller)
    failures: list[object] = []
    follower.failed.connect(failures.append)
    follower.open(left)
    follower.change(lambda store: store.skip([1]))
    follower.change(lambda store: store.skip([2]))  # waits for the first
    follower.open(gone)
    follower.change(lambda store: store.skip([1]))  # such as of a batch that is cancelled now
    follower.open(opened)
    failures.clear()
    with qtbot.waitSignal(follower.quiet):
        pass
    for folder, skipped in ((left, 2), (opened, 0)):
        with BatchStore(folder) as store:
            assert store.counts()["skipped"] == skipped
    assert not failures
    qtbot.waitUntil(lambda: follower._looking is None)
    controller.close()

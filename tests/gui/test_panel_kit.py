"""What panels are made of: undo of what was deleted, jobs whose failures are reported."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.errors import EpitomeError
from core.jobs.call import CallJob
from gui.main_window import MainWindow
from gui.panel_kit import TrashUndo
from tests.helpers.windows import toasts


def fail() -> None:
    raise EpitomeError("The quay is full.", "Wait for a berth.")


@pytest.fixture
def trash(window: MainWindow) -> TrashUndo:
    return TrashUndo(window, "ships", window)


def move(folder: Path, place: Path) -> Path:
    place.parent.mkdir(exist_ok=True)
    return folder.rename(place)


def is_told(window: MainWindow, name: str) -> Callable[[], bool]:
    return lambda: any(name in each for each in toasts(window))


def discard(trash: TrashUndo, folder: Path) -> None:
    folder.mkdir(parents=True)
    job = CallJob(move, folder, folder.parents[1] / "trash" / folder.name)
    trash.discard(folder, job, lambda place: (place, f"“{folder.name}” is in the trash", ""))


def test_undo_takes_back_what_was_deleted_last_then_what_was_before(
    qtbot: QtBot, window: MainWindow, trash: TrashUndo, tmp_path: Path
) -> None:
    folders = [tmp_path / "ships" / name for name in ("anna", "berta")]
    for folder in folders:
        discard(trash, folder)
        qtbot.waitUntil(is_told(window, folder.name))
    assert not any(folder.exists() for folder in folders)
    trash.undo()
    qtbot.waitUntil(folders[1].exists)
    assert not folders[0].exists() and not any("berta" in each for each in toasts(window))
    trash.undo()
    qtbot.waitUntil(folders[0].exists)
    trash.undo()  # there is nothing any more


def test_what_cannot_be_taken_back_is_offered_once_more(
    qtbot: QtBot, window: MainWindow, trash: TrashUndo, tmp_path: Path
) -> None:
    folder = tmp_path / "ships" / "anna"
    discard(trash, folder)
    qtbot.waitUntil(is_told(window, "anna"))
    folder.mkdir()
    (folder / "log").write_text("another ship", "utf-8")
    trash.undo()
    qtbot.waitUntil(lambda: any("anna" in each and "trash" not in each for each in toasts(window)))
    (folder / "log").unlink()
    folder.rmdir()
    trash.undo()
    qtbot.waitUntil(folder.exists)


@pytest.mark.parametrize("own", [False, True])
def test_a_failure_is_reported_once_and_a_listed_job_ends(
    qtbot: QtBot, window: MainWindow, own: bool
) -> None:
    failures: list[str] = []
    failed: Callable[..., object] | None = None
    if own:
        failed = lambda failure: failures.append(failure.message)  # noqa: E731
    run = window.run(CallJob(fail), title="Mooring", failed=failed)
    assert [job.title for job in window.jobs.jobs] == ["Mooring"]
    with qtbot.waitSignal(run.ended):
        pass
    assert failures == (["The quay is full."] if own else [])
    assert sum("The quay is full." in each for each in toasts(window)) == (0 if own else 1)
    assert not [job for job in window.jobs.jobs if not job.has_ended]

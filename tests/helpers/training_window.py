"""The Train panel in the real window, with real tiny corpora and runs."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.jobs.training.queued_training import specify_training
from core.library.folders import Folders
from core.training.plan import RunPlan
from gui.main_window import MainWindow
from gui.panels.train.panel import TrainPanel
from gui.panels.train.state import ListedRun
from tests.helpers.queued_jobs import ROOT, end_all
from tests.helpers.windows import WIDE, end_window, show_window


@contextmanager
def train_window(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """A window that shows the Train panel; nothing of its jobs is left at work."""
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{os.environ['PYTHONPATH']}")
    monkeypatch.setenv("EPITOME_HOME", str(home))
    window = show_window(home)
    window.resize(*WIDE)
    window.show_panel("train")
    QApplication.processEvents()
    train(window).ask_leaving = lambda *about: "leave"
    yield window
    end_window(window)
    end_all(home)


def train(window: MainWindow) -> TrainPanel:
    """The panel."""
    panel = window.panel("train")
    assert isinstance(panel, TrainPanel)
    return panel


def runs_folder() -> Path:
    """Where runs lie in a test."""
    return Folders.of_this_user().runs


def queue_run(window: MainWindow, plan: RunPlan, name: str) -> Path:
    """Queues a run as the panel does, and opens it."""
    folder = runs_folder() / name
    window.controller.queue_job(specify_training(plan, folder))
    train(window).desk.state.selected = folder
    return folder


def listed(window: MainWindow, folder: Path) -> ListedRun | None:
    """A run as the panel's list has it."""
    return train(window).desk.state.run(folder)


def wait_for_state(qtbot: QtBot, window: MainWindow, folder: Path, state: str) -> None:
    """Waits until the list says that a run is so."""

    def is_so() -> bool:
        run = listed(window, folder)
        return run is not None and run.state == state

    qtbot.waitUntil(is_so)


def wait_for_steps(qtbot: QtBot, window: MainWindow, steps: int) -> None:
    """Waits until the open run has made so many steps, as its curves show them."""
    qtbot.waitUntil(lambda: len(train(window).view.page.curves._each) >= steps)


def pid_of(folder: Path) -> int:
    """The process at work on a run."""
    found: int = json.loads((folder / "process.json").read_text("utf-8"))["pid"]
    return found

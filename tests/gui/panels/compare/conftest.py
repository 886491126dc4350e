"""The window of these tests, with the process that reads comparisons."""

from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from core.jobs.call import CallJob
from core.jobs.evaluation.kept_comparisons import list_comparisons
from gui.main_window import MainWindow


@pytest.fixture(scope="module")
def shared_window(shared_window: MainWindow) -> MainWindow:
    """The module's window; its reader too is there before the first test looks what it leaves."""
    run = shared_window.controller.run_in_reader(CallJob(list_comparisons, Path("nowhere")))
    while not run.over:
        QTest.qWait(1)
    return shared_window

"""What tests of the window share."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.faults import guard_overrides

guard_overrides()  # as the program does before it loads what it shows
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # as `gui.app` does

from gui.main_window import MainWindow  # noqa: E402
from gui.theme.theme import Theme  # noqa: E402
from gui.widgets.chrome import toast  # noqa: E402
from gui.workers.garbage import collect_due  # noqa: E402
from tests.helpers.patience import PATIENCE_MS, PatientBot  # noqa: E402
from tests.helpers.windows import empty_again, end_window, show_window  # noqa: E402

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Lets pass what the screenless platform says of itself; every other Qt warning fails."""
    mark = pytest.mark.qt_log_ignore("^This plugin does not support", extend=True)
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(mark)


@pytest.fixture(scope="session", autouse=True)
def _empty_clipboard(qapp: QApplication) -> Iterator[None]:
    """Qt's off-screen clipboard crashes the process that ends with rich text on it."""
    yield
    qapp.clipboard().clear()


@pytest.fixture(autouse=True)
def _garbage_is_collected_on_this_thread() -> Iterator[None]:
    """As in the program: Python would collect widgets on whichever thread allocates.

    It stays so between tests of the window; `pytest_runtest_setup` of the other tests ends it.
    """
    gc.disable()
    yield
    collect_due()


@pytest.fixture(autouse=True)
def _toasts_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test on a busy machine may look only when a toast would have gone."""
    monkeypatch.setattr(toast, "SHOWN_MS", PATIENCE_MS)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """Waits as long as it takes on a busy machine."""
    return PatientBot(request)


@pytest.fixture
def theme(qtbot: QtBot) -> Iterator[Theme]:
    """A light theme without motion, so that nothing has to be waited for."""
    theme = Theme(scheme="light", motion="off")
    yield theme
    theme.deleteLater()


@pytest.fixture(scope="module")
def shared_window(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MainWindow]:
    """One window with its engine for all tests of a module."""
    window = show_window(tmp_path_factory.mktemp("home"))
    # Its engine must be there before the first test looks what it may not leave running. It is
    # not warmed up: many a module opens no document, and few open those of all formats.
    window.controller.engine.process.start()
    yield window
    end_window(window)


@pytest.fixture
def window(qtbot: QtBot, shared_window: MainWindow) -> MainWindow:
    """The module's window, empty as at its start."""
    empty_again(qtbot, shared_window)
    return shared_window

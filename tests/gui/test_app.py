"""How the program starts, and how it says that it cannot."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import qWarning
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.distribution.system_libraries import X11, missing_libraries, told
from core.errors import EpitomeError
from core.library.folders import Folders
from core.version import VERSION
from gui import app
from gui.app import _fit_to_screen, main
from tests.helpers.hidden_libraries import without_libraries

pytestmark = pytest.mark.cold_start

ROOT = Path(__file__).parents[2]
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
MISSING = missing_libraries(X11) if sys.platform == "linux" else ()
"""What a window on a display needs and this machine does not have: the tests need no display."""


def test_a_command_is_run_without_a_window(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"epitome {VERSION}\n"


def test_a_word_that_is_neither_command_nor_file_is_wrong_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["sumarise"]) == 2
    assert "sumarise" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a display")
@pytest.mark.parametrize("arguments", [[], ["report.pdf"]])
def test_without_a_display_the_command_line_is_named(arguments: list[str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    code = "import sys; from gui.app import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr == (
        "There is no display to open a window on.\n"
        "Start it from a desktop, or write: epitome summarise FILE\n"
    )


OPEN = [sys.executable, "-c", "import sys; from gui.app import main; sys.exit(main([]))"]


def open_without(
    hidden: list[str], folder: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Starts the window where these system libraries are not installed."""
    before = without_libraries(hidden, folder)
    kept = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    return subprocess.run(
        [*before, *OPEN], env=kept | environment, cwd=ROOT, capture_output=True, text=True
    )


def test_missing_drawing_library_is_named_with_its_package(tmp_path: Path) -> None:
    done = open_without(["libEGL.", "libfontconfig."], tmp_path, QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 1
    first, missing, *commands, last = done.stderr.splitlines()
    assert first == "The window cannot open: Qt does not load."
    assert missing == "The system libraries libEGL.so.1 and libfontconfig.so.1 are missing."
    assert any("libegl1 libfontconfig1" in line for line in commands)
    assert last == "The command line works without a window: epitome summarise FILE"


def test_missing_library_of_the_display_is_named_with_its_package(tmp_path: Path) -> None:
    done = open_without(["libxcb-cursor."], tmp_path, DISPLAY=":54321")
    assert done.returncode == 1
    first, missing, *commands, last = done.stderr.splitlines()
    assert first == "The window cannot open: Qt finds no way to draw it."
    assert missing == told([one for one in X11 if one in MISSING or "cursor" in one.name])
    assert any("libxcb-cursor0" in line for line in commands)
    assert last == "The command line works without a window: epitome summarise FILE"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has displays with names")
@pytest.mark.skipif(bool(MISSING), reason="libraries of the display are missing")
@pytest.mark.parametrize(("name", "display"), [("DISPLAY", ":54321"), ("DISPLAY", "nowhere:0")])
def test_a_display_that_does_not_answer_is_told(name: str, display: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    done = subprocess.run(
        OPEN, env=kept | {name: display}, cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1
    assert done.stderr == (
        "The window cannot open: Qt finds no way to draw it.\n"
        f"The display “{display}” does not answer. Start Epitome from a desktop.\n"
        "The command line works without a window: epitome summarise FILE\n"
    )


def test_unknown_reason_is_told_in_the_words_of_qt() -> None:
    environment = os.environ | {"QT_QPA_PLATFORM": "nonsense"}
    done = subprocess.run(OPEN, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert 'Could not find the Qt platform plugin "nonsense"' in done.stderr.splitlines()[1]


WITHOUT_STREAMS = """
import sys
import gui.app
make = gui.app.make_window
def make_and_close(folders):
    window = make(folders)
    window.first_painted.connect(window.close)
    return window
gui.app.make_window = make_and_close
sys.stdin = sys.stdout = sys.stderr = None
sys.exit(gui.app.main([]))
"""


def test_the_window_opens_and_closes_without_standard_streams() -> None:
    command = [sys.executable, "-c", WITHOUT_STREAMS]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")


@contextmanager
def without_streams(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Takes the standard streams away; yields the texts of the message boxes that are shown."""
    boxes: list[str] = []
    with monkeypatch.context() as patch:  # pytest gives them back after each fixture
        for name in ("stdin", "stdout", "stderr"):
            patch.setattr(sys, name, None)
        patch.setattr(app, "_show_message_box", boxes.append)
        patch.setenv("QT_QPA_PLATFORM", "offscreen")
        yield boxes


def test_a_home_that_cannot_be_used_is_told_in_a_box_without_streams(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> Folders:
        raise EpitomeError("The home is a file.", "Choose another.")

    monkeypatch.setattr(Folders, "of_this_user", refuse)
    with without_streams(monkeypatch) as boxes:
        assert main([]) == 1
    assert boxes == ["The home is a file.\nChoose another."]


def test_a_missing_package_is_told_in_a_box_without_streams(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "PySide6.QtWidgets", None)
    with without_streams(monkeypatch) as boxes:
        assert main([]) == 1
    assert boxes[0].startswith("The window cannot open: ")


def test_a_fault_before_the_window_is_told_in_a_box_without_streams(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(paths: list[Path]) -> int:
        raise ZeroDivisionError("nothing foresaw this")

    monkeypatch.setattr(app, "open_window", fail)
    with without_streams(monkeypatch) as boxes:
        assert main([]) == 1
    assert boxes == ["Epitome cannot start.\nZeroDivisionError: nothing foresaw this"]


def test_an_interruption_without_streams_ends_with_its_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(paths: list[Path]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "open_window", interrupt)
    with without_streams(monkeypatch) as boxes:
        assert main([]) == 130
    assert boxes == ["Interrupted. Nothing was written."]


def test_words_of_qt_are_told_in_a_box_when_it_gives_up_without_streams(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with without_streams(monkeypatch) as boxes:
        app._report_qt_failure(["no display"])
    assert "no display" in boxes[0]


def test_warnings_of_qt_are_dropped_without_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    with without_streams(monkeypatch) as boxes, app._reported_qt_failures():
        qWarning("a font is missing")
    assert boxes == []


def test_a_window_larger_than_the_screen_is_maximised(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    room = window.screen().availableSize()
    window.resize(room)
    _fit_to_screen(window)
    assert not window.isMaximized()
    window.resize(room.width() + 1, room.height())
    _fit_to_screen(window)
    assert window.isMaximized()

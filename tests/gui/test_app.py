"""How the program starts, and how it says that it cannot."""

import os
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.version import VERSION
from gui.app import _fit_to_screen, main


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
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    code = "import sys; from gui.app import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr == (
        "There is no display to open a window on.\n"
        "Start it from a desktop, or write: epitome summarise FILE\n"
    )


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

"""A command stands in the middle of its plate, however many lines it takes."""

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.inputs.command_line import CommandLine

LINE = "epitome models import /home/anna/downloads/models/of-others/bart-large-cnn"


@pytest.mark.parametrize("width", [240, 360, 620, 1200])
def test_words_are_in_the_middle_of_the_plate(qtbot: QtBot, theme: Theme, width: int) -> None:
    command = CommandLine(theme, wrap=True)
    qtbot.addWidget(command)
    command.show_line(LINE)
    command.resize(width, command.heightForWidth(width))
    command.show()
    words = command._words
    lines = words.heightForWidth(words.width())
    above = words.y()
    below = command.height() - above - lines
    assert abs(above - below) <= 1


def test_of_a_very_long_command_the_ends_are_shown_and_all_is_copied(
    qtbot: QtBot, theme: Theme
) -> None:
    command = CommandLine(theme, wrap=True)
    qtbot.addWidget(command)
    line = f"epitome summarise {' '.join(f'/d/{n}.md' for n in range(900))} --out summaries"
    command.show_line(line)
    shown = command._words.text()
    assert len(shown) < 600 and shown.startswith("epitome summarise /d/0.md")
    assert shown.endswith("--out summaries")
    command.copy()
    assert QGuiApplication.clipboard().text() == line
    command.show_line(LINE)
    assert command._words.text() == LINE and not command._words.toolTip()

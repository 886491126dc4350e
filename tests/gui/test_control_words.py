"""Texts of the core in the window: they name controls of the window, never options."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.events import Failed, Finished, Message
from core.installation import Installation
from gui.control_words import event_in_window, in_window
from gui.main_window import MainWindow
from gui.workers.runner import Run
from tests.helpers.windows import toasts

CORE = Path(__file__).parents[2] / "core"
SAID_AT_THE_COMMAND_LINE = {
    "cli",  # is the command line
    "installation.py",  # commands that are shown to be typed
    "run_report.py",  # a file that is read elsewhere, with the command that repeats the run
    "bundle_run.py",
    "meeting.py",  # of `accelerate launch`, which only a command starts
    "install_part.py",
}
OPTION = re.compile(r"(?<![\w“])--[a-z]|\bepitome [a-z]+")


def sentences() -> Iterator[str]:
    """All texts of the core that are made of words and name an option or a command."""
    for file in sorted(CORE.rglob("*.py")):
        if SAID_AT_THE_COMMAND_LINE & set(file.relative_to(CORE).parts):
            continue
        tree = ast.parse(file.read_text("utf-8"))
        said = [node for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.JoinedStr)]
        parts = {
            id(part) for node in said if isinstance(node, ast.JoinedStr) for part in node.values
        }
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in said:
            text = written(node)
            if id(node) not in parts | docs and " " in text and "{{" not in text:
                yield from [text] if OPTION.search(text) and "\n" not in text else []


def written(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(written(each) for each in values)
        case ast.FormattedValue():
            return "{}"
    return ""


SENTENCES = sorted(set(sentences()))


@pytest.mark.parametrize("text", SENTENCES)
def test_no_text_of_the_core_names_an_option_or_a_command_in_the_window(text: str) -> None:
    assert not OPTION.search(in_window(text)), in_window(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Train one with epitome train.", "Train one in the panel Train."),
        ("Leave out --device cuda.", "Leave out “Device: cuda”."),
        ("Name one of these with --summary-column, or add --no-references.",
         "Name one of these with “Summary column”, or turn “References” off."),
        ("Begin with --from /runs/a, or not.", "Begin with “Start from” /runs/a, or not."),
        (f"Run {Installation('source', Path()).adding('training')}.", "Install it in Settings."),
        (f"Run {Installation('deb', Path()).adding('training')}.", "Install it in Settings."),
    ],
)  # fmt: skip
def test_options_are_fields_and_commands_are_panels(text: str, shown: str) -> None:
    assert in_window(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "“--out.txt” cannot be read.",
        "/home/a/--split/x.pdf is damaged.",
        "Runs started with “epitome train” are shown here.",
        "A dash -- and -- another.",
    ],
)
def test_names_of_files_and_quoted_commands_stay(text: str) -> None:
    assert in_window(text) == text


def test_what_a_run_tells_is_in_the_words_of_the_window(qtbot: QtBot) -> None:
    run, heard = Run(), []
    run.happened.connect(heard.append)
    run.failed.connect(heard.append)
    run.take(Message("note", "Use fewer --processes."))
    run.take(Failed("It failed.", "Choose --device cpu.", kind="test"))
    assert heard == [
        Message("note", "Use fewer “Processes”."),
        Failed("It failed.", "Choose “Device: cpu”.", kind="test"),
    ]
    assert event_in_window(Finished("--split")) == Finished("--split")


def test_toasts_are_in_the_words_of_the_window(window: MainWindow) -> None:
    window.notify("err", "There is no run.", "Train one with epitome train.")
    assert toasts(window)[-1].endswith("Train one in the panel Train.")

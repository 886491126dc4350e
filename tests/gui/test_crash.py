"""A window that is killed at any moment: the next start has what was open."""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.documents.document import Document
from core.library.folders import Folders
from core.library.kept_copy import read_copy
from core.library.preferences import WindowState, load_window_state, save_window_state
from core.library.recent import Recents
from core.library.session import Session, left_behind
from core.library.session_state import SessionState
from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase
from gui.widgets.inputs.text_dialog import TextDialog
from tests.helpers.killing import KILL, KILLED_STATUS
from tests.helpers.patience import PATIENCE_S
from tests.helpers.reading import make_document
from tests.helpers.window_program import seen
from tests.helpers.windows import (
    ARTICLE,
    PATENT,
    REPORT,
    desk,
    end_window,
    show_window,
    toasts,
    wait_for,
)

ROOT = Path(__file__).parents[2]
PASTED = (
    "The mill stands on the river since the year of the flood. Its wheel was replaced twice. "
    "The miller keeps a book of every storm. His daughter draws the height of the water on the "
    "door. In dry summers the stones are still, and the bread comes from the town. "
)
STEPS = [["open", str(ARTICLE)], ["length", "5s"], ["pin", 2], ["drop", 0]]
MOMENTS = (1300, 2900)
"""Qt events after which the window is killed: from before the first document to after all steps."""


Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts real windows in processes of their own."""
    running: list[subprocess.Popen[str]] = []

    def begin(steps: list[list[Any]], die_after_events: int = 0) -> subprocess.Popen[str]:
        script = json.dumps({"steps": steps, "die_after_events": die_after_events})
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.window_program", script],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def window(qtbot: QtBot, home: Path) -> Iterator[Callable[[], MainWindow]]:
    """Makes the window of the next start."""
    made: list[MainWindow] = []

    def make() -> MainWindow:
        made.append(show_window(home))
        return made[-1]

    yield make
    for each in made:
        end_window(each)


def until(process: subprocess.Popen[str], condition: Callable[[dict[str, Any]], bool]) -> Any:
    """Reads what a window shows until it is so."""
    assert process.stdout is not None
    for line in process.stdout:
        if condition(json.loads(line)):
            return json.loads(line)
    assert process.stderr is not None
    raise AssertionError(f"the window ended: {process.stderr.read()}")


def kept(home: Path, place: int = 0) -> Any:
    """The last state of a document on disk, or nothing."""
    file = next((home / "data" / "session").glob("*/state.json"), None)
    try:
        return json.loads(file.read_bytes())["documents"][place] if file else {}
    except (FileNotFoundError, IndexError):
        return {}


def kill(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, KILL)
    process.wait()


def test_killed_window_comes_back_with_length_pin_and_recents(
    qtbot: QtBot, start: Start, home: Path, window: Callable[[], MainWindow]
) -> None:
    process = start(STEPS)
    last = until(process, lambda shown: bool(shown.get("dropped")))
    qtbot.waitUntil(
        lambda: kept(home).get("dropped") == last["dropped"] and recents(home) == [str(ARTICLE)]
    )
    kill(process)
    again = window()
    wait_for(qtbot, again)
    assert seen(again) == last
    assert last["pinned"]
    assert toasts(again)[0].startswith("Epitome was not closed properly last time")
    assert recents(home) == [str(ARTICLE)]
    desk(again).state.set_length(desk(again).state.length)
    assert desk(again).summary.length.field.value == 4


@pytest.mark.parametrize("steps", [STEPS[:1], []], ids=["with a document", "empty"])
def test_a_window_that_crashed_offers_its_report_once(
    qtbot: QtBot, start: Start, home: Path, window: Callable[[], MainWindow], steps: list[list[Any]]
) -> None:
    process = start([*steps, *([["length", "2s"]] if steps else []), ["crash", 0]])
    assert process.wait(PATIENCE_S) == -signal.SIGSEGV
    again = window()
    (toast,) = again.toasts.shown
    assert toast.sentence.startswith("Epitome was not closed properly last time")
    assert ("is open again" in toast.sentence) == bool(steps)
    assert toast.action.text() == "Show the report"
    toast.action.triggered.emit()
    (dialog,) = again.findChildren(TextDialog)
    assert "Fatal Python error: Segmentation fault" in dialog.text.toPlainText()
    assert "window_program.py" in dialog.text.toPlainText()
    dialog.copy.triggered.emit()
    assert QGuiApplication.clipboard().text() == dialog.text.toPlainText()
    dialog.close()
    wait_for(qtbot, again) if steps else None
    again.close()
    assert toasts(window()) == []


def test_a_killed_window_has_no_report_to_show(
    qtbot: QtBot, start: Start, home: Path, window: Callable[[], MainWindow]
) -> None:
    process = start(STEPS[:1])
    until(process, lambda shown: bool(shown["title"]))
    qtbot.waitUntil(lambda: bool(kept(home)))
    kill(process)
    (toast,) = window().toasts.shown
    assert toast.sentence.startswith("Epitome was not closed properly last time")
    assert not hasattr(toast, "action")


def test_killed_window_comes_back_on_the_panel_that_was_shown(
    qtbot: QtBot, start: Start, home: Path, window: Callable[[], MainWindow]
) -> None:
    file = Folders.under(home).window_file
    save_window_state(WindowState(panel="train"), file)
    process = start([["panel", "models"], *STEPS[:1], ["panel", "summarise"]])
    qtbot.waitUntil(lambda: load_window_state(file)[0].panel == "summarise")
    kill(process)
    assert window().rail.value == "summarise"


def recents(home: Path) -> list[str]:
    return [recent.path for recent in Recents(Folders.under(home).recents_file).read()]


def test_pasted_text_comes_back(
    qtbot: QtBot, start: Start, home: Path, window: Callable[[], MainWindow]
) -> None:
    process = start([["paste", [PASTED, 3]], ["length", "2s"]])
    last = until(process, lambda shown: shown.get("length") == "2s")
    qtbot.waitUntil(lambda: kept(home).get("length") == "2s")
    kill(process)
    again = window()
    wait_for(qtbot, again)
    assert seen(again) == last
    assert "since the year of the flood" in desk(again).source.view.document.text  # type: ignore[union-attr]


def test_killed_with_several_documents_open_all_of_them_come_back(
    qtbot: QtBot, start: Start, home: Path, window: Callable[[], MainWindow]
) -> None:
    files = [str(path) for path in (PATENT, ARTICLE, REPORT)]
    steps = [["open files", files], ["pin", 2], ["show", 2], ["length", "3s"]]
    process = start(steps)
    last = until(process, lambda shown: shown.get("length") == "3s")
    qtbot.waitUntil(lambda: kept(home, 2).get("length") == "3s")
    kill(process)
    again = window()
    wait_for(qtbot, again)
    assert seen(again) == last
    assert last["files"] == [PATENT.name, ARTICLE.name, REPORT.name]
    panel = desk(again)
    panel.turner.show(panel.documents.all[0])
    wait_for(qtbot, again)
    assert len(seen(again)["pinned"]) == 1
    assert "and 2 other documents are open again, as they were." in toasts(again)[0]


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_any_moment_the_next_start_has_a_state_that_was_shown(
    qtbot: QtBot, start: Start, home: Path, window: Callable[[], MainWindow], seed: int
) -> None:
    moment = random.Random(seed).randint(*MOMENTS)
    process = start([["paste", [PASTED, 3]], *STEPS], die_after_events=moment)
    shown = [json.loads(line) for line in process.communicate(timeout=PATIENCE_S)[0].splitlines()]
    assert process.returncode == KILLED_STATUS
    titles = {each["title"] for each in shown}
    again = window()
    if desk(again).state.phase is Phase.EMPTY:
        assert titles <= {""}, f"{titles} was open after {moment} events"
        return
    wait_for(qtbot, again)
    now = seen(again)
    last = shown[-1] if shown else {"title": ""}
    if now["title"] != last["title"]:
        assert now["length"] == "9s", "read, not shown yet"
        return
    assert any(was_so(now, each) for each in shown)


def was_so(now: dict[str, Any], then: dict[str, Any]) -> bool:
    return all(now[name] == then.get(name) for name in ("title", "length", "pinned", "dropped"))


def test_a_second_window_is_not_taken_for_a_crash(
    qtbot: QtBot, start: Start, home: Path, window: Callable[[], MainWindow]
) -> None:
    process = start([["open", str(ARTICLE)]])
    until(process, lambda shown: bool(shown["title"]))
    second = window()
    assert desk(second).state.phase is Phase.EMPTY
    assert toasts(second) == []
    assert process.poll() is None
    assert len(list((home / "data" / "session").glob("*/lock"))) == 2
    kill(process)
    assert len(left_behind(home / "data" / "session")) == 1, "the second window keeps its own"


@pytest.mark.parametrize("how", ["close", "SIGTERM", "SIGINT"])
def test_an_end_in_order_is_no_crash(start: Start, home: Path, how: str) -> None:
    end = "close" if how == "close" else "rest"
    process = start([["open", str(ARTICLE)], ["length", "4s"], [end, 0]])
    if how != "close":
        until(process, lambda shown: "rests" in shown)
        process.send_signal(getattr(signal, how))
    assert process.wait(timeout=PATIENCE_S) == 0
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    assert left_behind(home / "data" / "session") == []
    assert recents(home) == [str(ARTICLE)]


def leave_behind(home: Path, document: Document) -> Path:
    """What a window leaves that had a document open when it was killed; gives its kept copy."""
    session = Session.begin(home / "data" / "session")
    session.keep_document(document)
    session.keep_state(SessionState(title=document.title, sha256=document.source.sha256))
    session._lock.release()  # as the system does with what the process held
    return session.copy_file()


def test_what_was_not_shown_is_not_deleted(
    qtbot: QtBot, home: Path, window: Callable[[], MainWindow]
) -> None:
    for num_paragraphs in (30, 40):
        leave_behind(home, make_document(num_paragraphs))
    lengths = set()
    for _ in range(2):
        again = window()
        wait_for(qtbot, again)
        lengths.add(len(desk(again).source.view.document.text))  # type: ignore[union-attr]
        again.close()
    assert len(lengths) == 2
    assert left_behind(home / "data" / "session") == []


def test_what_cannot_be_read_is_told_and_stays(
    home: Path, window: Callable[[], MainWindow]
) -> None:
    folder = home / "data" / "session" / "0123456789ab"
    folder.mkdir(parents=True)
    (folder / "state.json").write_text("{torn", "utf-8")
    (folder / "document.bin").write_bytes(b"torn too")
    again = window()
    assert toasts(again)[0].startswith("The document from last time cannot be restored")
    aside = folder.with_name("0123456789ab.damaged")
    assert str(aside) in toasts(again)[0]
    again.close()
    assert (aside / "document.bin").read_bytes() == b"torn too"


def test_half_a_document_is_not_shown_as_if_it_were_whole(
    home: Path, window: Callable[[], MainWindow]
) -> None:
    kept_copy = leave_behind(home, make_document(30))
    whole = kept_copy.read_bytes()
    kept_copy.write_bytes(whole[: len(whole) // 2])
    again = window()
    assert desk(again).state.phase is Phase.EMPTY
    assert "cannot be restored" in toasts(again)[0]
    again.close()
    aside = kept_copy.parent.with_name(f"{kept_copy.parent.name}.damaged")
    assert (aside / "document.bin").read_bytes() == whole[: len(whole) // 2]


def test_a_document_whose_copy_is_damaged_is_read_again_from_its_file(
    qtbot: QtBot, home: Path, window: Callable[[], MainWindow]
) -> None:
    session = Session.begin(home / "data" / "session")
    session.copy_file().write_bytes(b"torn")
    session.keep_state(SessionState(path=str(ARTICLE), title="The clock", length="3s"))
    session._lock.release()
    again = window()
    wait_for(qtbot, again)
    assert seen(again)["length"] == "3s"
    (told,) = toasts(again)
    assert "“The clock” is damaged" in told and "read again from its file" in told
    again.close()
    assert [path.name for path in session.folder.parent.glob("*/*")] == ["document.bin"]


def test_files_named_at_the_start_leave_the_crashed_session_for_later(
    qtbot: QtBot, home: Path
) -> None:
    leave_behind(home, make_document(30))
    window = show_window(home, paths=[ARTICLE])
    wait_for(qtbot, window)
    end_window(window)
    assert len(left_behind(home / "data" / "session")) == 1


def test_a_reader_killed_while_it_takes_up_the_last_session_loses_nothing(
    qtbot: QtBot, home: Path, window: Callable[[], MainWindow]
) -> None:
    document = make_document(6000)
    kept_copy = leave_behind(home, document)
    again = window()
    panel = desk(again)
    qtbot.waitUntil(lambda: panel.state.phase is Phase.RANKING)
    os.kill(again.controller.engine.child_pid, KILL)
    wait_for(qtbot, again, Phase.FAILED)
    assert read_copy(kept_copy).to_bytes() == document.to_bytes()
    panel.intake.retry()
    wait_for(qtbot, again)

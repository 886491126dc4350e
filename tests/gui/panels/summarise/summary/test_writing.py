"""A model that the person trained writes the summary, in the real window."""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from torch import Tensor

from core.documents.readers.door import read_pasted
from core.events import Finished, result_of
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.write_summary import WriteSummaryJob
from core.library.folders import Folders
from core.library.session import LeftBehind, LeftDocument
from core.library.session_state import SessionState
from core.stop import StopToken
from core.summaries.summary import Doubt, Length, Summary, SummarySentence
from gui.main_window import MainWindow
from gui.panels.summarise.state import SummariseState
from gui.panels.summarise.summary.choices import BUILT_IN
from gui.panels.summarise.summary.summary_column import SummaryColumn
from tests.helpers.corpora import TEXTS
from tests.helpers.killing import KILL
from tests.helpers.runs import ruin, run_events, tiny_corpus, tiny_plan
from tests.helpers.windows import (
    desk,
    end_window,
    hover,
    show_window,
    texts,
    the_menu,
    toasts,
    wait_for,
    words_on,
)

LONG = "\n\n".join(TEXTS[:6])
MINE = "2026-11-21-pumps-a1b2"


@pytest.fixture(scope="module")
def run(shared_window: MainWindow, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained run among the runs of the window's person; the engine has loaded what it needs."""
    folder = shared_window.folders.runs / MINE
    corpus = tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")
    plan = tiny_plan(corpus, steps=60, validate_every=60, rouge_rows=0, learning_rate=0.02)
    assert isinstance(run_events(folder, plan)[-1], Finished)
    document = result_of(read_pasted(LONG, "", StopToken()))
    first = shared_window.controller.run_in_engine(WriteSummaryJob(document, folder, Length(1)))
    while not first.over:
        QTest.qWait(1)
    return folder


@pytest.fixture
def ready(qtbot: QtBot, window: MainWindow, run: Path) -> MainWindow:
    """A window with a document, and a model to choose."""
    desk(window).wishes.list_models()
    desk(window).open_source(SourceRef(text=LONG))
    wait_for(qtbot, window)
    qtbot.waitUntil(desk(window).summary.models.isVisible)
    return window


def choose(qtbot: QtBot, window: MainWindow) -> None:
    """Chooses the first trained model with the keyboard."""
    box = desk(window).summary.models
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)


def wait_until_written(qtbot: QtBot, window: MainWindow) -> Summary:
    state = desk(window).state
    qtbot.waitUntil(lambda: state.wish is None)
    assert state.summary is not None
    return state.summary


def written(qtbot: QtBot, window: MainWindow) -> Summary:
    choose(qtbot, window)
    return wait_until_written(qtbot, window)


def test_chosen_model_writes_and_the_built_in_summary_stays_until_then(
    qtbot: QtBot, ready: MainWindow, run: Path
) -> None:
    panel, before = desk(ready), texts(ready)
    assert not panel.summary.writing.isVisible()
    choose(qtbot, ready)
    assert panel.summary.writing.isVisible()
    assert texts(ready) == before
    assert f"Loading {MINE}" in words_on(panel.summary)
    summary = wait_until_written(qtbot, ready)
    assert panel.state.opened is not None
    job = WriteSummaryJob(panel.state.opened.document, run, Length())
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished)
    assert summary.sentences == last.result.sentences
    assert not panel.summary.writing.isVisible()
    assert f"Written by the model {MINE}, step 60" in words_on(panel.summary)
    assert panel.summary.list.summary is summary


def test_a_model_writes_for_the_document_that_is_shown(qtbot: QtBot, ready: MainWindow) -> None:
    panel, first = desk(ready), desk(ready).documents.shown
    choose(qtbot, ready)
    assert panel.state.wish is not None
    panel.turner.add([SourceRef(text=LONG[: len(LONG) // 2]), SourceRef(text=LONG[100:])])
    assert not panel.summary.writing.isVisible()
    wait_for(qtbot, ready)
    assert panel.summary.writing.isVisible(), "the model is chosen for what comes, too"
    assert wait_until_written(qtbot, ready).model.startswith(MINE)
    assert first.state.wish is not None and first.state.summary is not None
    assert first.state.summary.model == BUILT_IN
    panel.turner.show(first)
    assert wait_until_written(qtbot, ready).model.startswith(MINE)
    assert panel.summary.list.summary is first.state.summary


def test_undo_and_redo_go_between_the_summaries_at_once(qtbot: QtBot, ready: MainWindow) -> None:
    panel, before = desk(ready), texts(ready)
    made = written(qtbot, ready)
    panel.undo()
    assert texts(ready) == before
    assert panel.summary.models.currentText() == "Built-in"
    panel.redo()
    assert panel.state.summary is made
    assert panel.summary.models.currentText() == MINE


def test_the_model_that_was_chosen_writes_again_after_a_crash(
    qtbot: QtBot, ready: MainWindow
) -> None:
    panel, session = desk(ready), desk(ready).saver.session
    made = written(qtbot, ready)
    assert session is not None
    file = session.folder / "state.json"
    qtbot.waitUntil(lambda: json.loads(file.read_bytes())["documents"][0]["model"] == MINE)
    copy = panel.documents.shown.copy
    state = SessionState(title="Mine", length=str(panel.state.length), model=MINE, copy=copy)
    panel.state.close()  # the next window begins with nothing
    left = LeftDocument(state, session.copy_file(copy))
    panel.take_up(LeftBehind(session.folder, (left,)), session)
    assert panel.state.summary is None
    qtbot.waitUntil(lambda: _is_again(panel.state.summary, made))


def _is_again(summary: Summary | None, made: Summary) -> bool:
    return summary is not None and (summary.model, summary.sentences) == (
        made.model,
        made.sentences,
    )


@pytest.mark.parametrize("how", ["button", "escape"])
def test_writing_can_be_stopped_and_changes_nothing(
    qtbot: QtBot, ready: MainWindow, how: str
) -> None:
    panel, before = desk(ready), texts(ready)
    choose(qtbot, ready)
    qtbot.waitUntil(lambda: panel.wishes._run is not None)
    if how == "button":
        qtbot.mouseClick(panel.summary.writing.cancel, Qt.MouseButton.LeftButton)
    else:
        qtbot.keyClick(panel.summary.models, Qt.Key.Key_Escape)
    assert panel.state.wish is None
    assert not panel.summary.writing.isVisible()
    assert texts(ready) == before
    assert panel.summary.models.currentText() == "Built-in"
    assert not panel.state.can_undo


@pytest.fixture
def talker(run: Path) -> Iterator[Path]:
    """Another model of the person, which writes 90 tokens of each part."""
    own = shutil.copytree(run, run.with_name("talker"))
    job = own / "job.toml"
    words = job.read_text("utf-8").replace("max_length = 6", "max_length = 90")
    assert "min_length = 0" in words
    job.write_text(words.replace("min_length = 0", "min_length = 90"), "utf-8")
    yield own
    shutil.rmtree(own)


def begin_talking(qtbot: QtBot, window: MainWindow) -> None:
    """Lets that model write a long summary of many parts, and waits for its first words."""
    panel = desk(window)
    panel.open_source(SourceRef(text="\n\n".join(TEXTS)))
    wait_for(qtbot, window)
    panel.wishes.list_models()
    qtbot.waitUntil(lambda: "talker" in panel.state.models)
    panel.state.set_length(Length(400, "words"))
    panel.choose_model("talker")
    qtbot.waitUntil(lambda: bool(panel.state.text))


def test_the_text_is_shown_while_it_is_written(
    qtbot: QtBot, ready: MainWindow, talker: Path
) -> None:
    panel = desk(ready)
    begin_talking(qtbot, ready)
    column = panel.summary
    assert column.stream.isVisible() and not column.list.isVisible()
    assert column.stream.text == panel.state.text
    assert not column.export.isEnabled() and not len(panel.map._marks)
    first = column.stream.text
    qtbot.waitUntil(lambda: len(column.stream.text) > len(first) or panel.state.wish is None)
    summary = wait_until_written(qtbot, ready)
    assert column.list.isVisible() and not column.stream.isVisible()
    assert column.list.summary is summary and column.export.isEnabled()


@pytest.mark.parametrize("how", ["button", "escape"])
def test_what_is_written_is_kept_when_the_writing_is_stopped(
    qtbot: QtBot, ready: MainWindow, talker: Path, how: str
) -> None:
    panel = desk(ready)
    begin_talking(qtbot, ready)
    button = panel.summary.writing.cancel
    assert button.text() == "Stop"
    if how == "button":
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    else:
        qtbot.keyClick(panel.summary.models, Qt.Key.Key_Escape)
    summary = wait_until_written(qtbot, ready)
    assert summary.model.startswith("talker") and summary.sentences
    assert "The writing was stopped" in words_on(panel.summary)
    assert panel.summary.list.isVisible() and panel.state.model == "talker"
    panel.undo()
    assert panel.state.summary is not None and panel.state.summary.model == BUILT_IN


def second_of(window: MainWindow) -> SummariseState:
    """The second of two summaries."""
    second = desk(window).documents.shown.second
    assert second is not None
    return second


def test_a_model_writes_beside_the_built_in_summary(qtbot: QtBot, ready: MainWindow) -> None:
    panel, before = desk(ready), texts(ready)
    qtbot.mouseClick(panel.summary.compare, Qt.MouseButton.LeftButton)
    menu = the_menu(ready)
    offered = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert offered == [MINE, "Another length"]
    menu.actions()[0].trigger()
    menu.close()
    column = panel.comparison.column
    assert column.writing.isVisible() and not panel.summary.writing.isVisible()
    qtbot.waitUntil(lambda: second_of(ready).wish is None)
    assert column.list.summary is not None and column.list.summary.model.startswith(MINE)
    assert texts(ready) == before and panel.state.model == BUILT_IN
    assert column.models.currentText() == MINE


def test_escape_stops_the_writing_of_the_column_with_the_focus(
    qtbot: QtBot, ready: MainWindow
) -> None:
    panel = desk(ready)
    panel.comparison.open(MINE)
    panel.choose_model(MINE)
    assert panel.state.wish is not None and second_of(ready).wish is not None
    qtbot.keyClick(panel.comparison.column.list, Qt.Key.Key_Escape)
    assert second_of(ready).wish is None and panel.state.wish is not None
    qtbot.waitUntil(lambda: panel.state.wish is None)
    assert panel.state.summary is not None and panel.state.summary.model.startswith(MINE)


def test_closing_it_gives_up_what_is_written_there(qtbot: QtBot, ready: MainWindow) -> None:
    panel = desk(ready)
    panel.comparison.open(MINE)
    qtbot.waitUntil(lambda: panel.comparison.wishes._run is not None)
    panel.comparison.close()
    assert panel.comparison.wishes._run is None and not panel.comparison.wishes.cancel()
    assert panel.state.summary is not None and panel.state.summary.model == BUILT_IN


def test_what_goes_wrong_is_told_and_the_built_in_summary_stays(
    qtbot: QtBot, ready: MainWindow, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = Folders.under(tmp_path)
    damaged = folders.runs / "damaged"
    shutil.copytree(run, damaged)
    for weights in damaged.glob("checkpoints/*/model.safetensors"):
        weights.write_bytes(weights.read_bytes()[:-100])
    monkeypatch.setattr(ready, "folders", folders)
    panel, before = desk(ready), texts(ready)
    panel.wishes.list_models()
    qtbot.waitUntil(lambda: list(panel.state.models) == ["damaged"])
    written(qtbot, ready)
    qtbot.waitUntil(lambda: bool(toasts(ready)))
    assert toasts(ready) == [
        f"The run {damaged} has no usable checkpoint. Train it further, or choose another run."
    ]
    assert texts(ready) == before
    assert panel.summary.models.currentText() == "Built-in"
    assert "This summary is by the built-in summariser, not by “damaged”." in words_on(
        panel.summary
    )


def test_where_a_model_is_gone_the_summary_says_that_another_one_made_it(
    qtbot: QtBot, ready: MainWindow
) -> None:
    panel = desk(ready)
    panel.choose_model("gone")
    qtbot.waitUntil(lambda: bool(toasts(ready)))
    said = (
        "This summary is by the built-in summariser, not by “gone”. "
        "The model “gone” is not on this computer any more."
    )
    assert said in words_on(panel.summary)
    for toast in ready.toasts.shown:
        toast.close()
    assert said in words_on(panel.summary)
    panel.choose_model(BUILT_IN)
    assert said not in words_on(panel.summary)


def test_a_model_that_writes_nothing_of_use_is_told_and_the_built_in_is_offered(
    qtbot: QtBot, ready: MainWindow, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = Folders.under(tmp_path)
    shutil.copytree(run, folders.runs / "sound")
    ruined = ruin(shutil.copytree(run, folders.runs / "ruined"), fill_with_nan)
    monkeypatch.setattr(ready, "folders", folders)
    panel = desk(ready)
    panel.wishes.list_models()
    qtbot.waitUntil(lambda: set(panel.state.models) == {"sound", "ruined"})
    panel.choose_model("sound")
    assert wait_until_written(qtbot, ready).model == "sound, step 60"
    panel.choose_model(ruined.name)
    qtbot.waitUntil(lambda: bool(toasts(ready)))
    assert "are not numbers (NaN). Use the built-in summariser or another model" in toasts(ready)[0]
    summary = wait_until_written(qtbot, ready)
    assert summary.model == "sound, step 60", "what was there stays"
    (toast,) = ready.toasts.shown
    assert toast.action is not None and toast.action.text() == "Use built-in"
    toast.action.click()
    assert panel.state.summary is not None and panel.state.summary.model == BUILT_IN


def fill_with_nan(weights: dict[str, Tensor]) -> None:
    for each in weights.values():
        each.fill_(float("nan"))


def test_an_engine_that_dies_while_a_model_writes_is_told(
    qtbot: QtBot, run: Path, tmp_path: Path
) -> None:
    shutil.copytree(run, Folders.under(tmp_path).runs / MINE)
    own = show_window(tmp_path)  # what takes the engine's place is no other test's affair
    try:
        desk(own).open_source(SourceRef(text=LONG))
        wait_for(qtbot, own)
        qtbot.waitUntil(desk(own).summary.models.isVisible)
        before, engine = texts(own), own.controller.engine
        qtbot.waitUntil(lambda: not engine._stops)  # reading is over: what runs next is writing
        choose(qtbot, own)
        qtbot.waitUntil(lambda: bool(engine._stops))
        os.kill(engine.child_pid, KILL)
        qtbot.waitUntil(lambda: bool(toasts(own)))
        assert toasts(own)[0].endswith("Choose the model again, or another one.")
        assert texts(own) == before
    finally:
        end_window(own)


def test_another_length_is_written_when_the_field_is_confirmed(
    qtbot: QtBot, ready: MainWindow
) -> None:
    panel = desk(ready)
    written(qtbot, ready)
    field = panel.summary.length.field
    field.setFocus()
    field.setText("2")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.state.wish is not None
    summary = wait_until_written(qtbot, ready)
    assert (summary.length, len(summary.sentences)) == (Length(2), 2)
    panel.undo()
    assert panel.state.length == Length(9)
    assert panel.summary.length.field.value == 9


def test_another_length_is_written_when_the_slider_is_let_go(
    qtbot: QtBot, ready: MainWindow
) -> None:
    panel = desk(ready)
    written(qtbot, ready)
    slider = panel.summary.length.slider
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(20, 12))
    qtbot.waitUntil(lambda: panel.state.length != Length(9))
    assert panel.state.wish is None
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(20, 12))
    assert panel.state.wish is not None
    assert wait_until_written(qtbot, ready).length == panel.state.length


def test_the_next_document_is_written_by_the_chosen_model(qtbot: QtBot, ready: MainWindow) -> None:
    panel = desk(ready)
    written(qtbot, ready)
    panel.open_source(SourceRef(text=TEXTS[20]))
    wait_for(qtbot, ready)
    assert panel.state.summary is not None
    assert panel.state.summary.model == BUILT_IN
    assert wait_until_written(qtbot, ready).model.startswith(MINE)


def test_written_sentences_are_not_pinned_replaced_or_dropped(
    qtbot: QtBot, ready: MainWindow
) -> None:
    rows = desk(ready).summary.list
    made = written(qtbot, ready)
    rows.setFocus(Qt.FocusReason.TabFocusReason)
    for key in (Qt.Key.Key_P, Qt.Key.Key_R, Qt.Key.Key_Delete):
        qtbot.keyClick(rows, key)
    page = rows.page
    assert page is not None
    top = dict(rows.shown)[0]
    hover(rows.viewport(), page.words(0, top)[0].center().toPoint())
    for tool in page.tool_rects(0, top).values():
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=tool.center().toPoint())
    assert desk(ready).state.summary is made
    assert rows.accessible_count() == len(made.sentences)


def test_sentences_without_support_are_marked_and_counted(ready: MainWindow) -> None:
    panel, state = desk(ready), desk(ready).state
    opened = state.opened
    assert opened is not None and opened.summary is not None
    supported = opened.summary.sentences[0]
    state.choose_model(MINE)
    state.take_written(
        Summary(
            title=opened.document.title,
            source=opened.document.source,
            sentences=(
                replace(supported, doubts=(Doubt(0, 3, "name"),)),
                SummarySentence("The foil keeps for a year.", ()),
            ),
            length=Length(),
            read=opened.document.reading,
            model=f"{MINE}, step 60",
        )
    )
    panel.redraw()
    assert "1 sentence has no support in the source." in words_on(panel.summary)
    assert "1 sentence has words that the source does not confirm." in words_on(panel.summary)
    assert "no support" in panel.summary.list.accessible_part(1).name
    assert {mark.number for mark in panel.map._marks} == {1}
    panel.summary.list.activated.emit(2)
    assert panel.state.summary is not None


def test_what_leaves_the_panel_names_the_model(
    qtbot: QtBot, ready: MainWindow, tmp_path: Path
) -> None:
    outlet = desk(ready).outlet
    written(qtbot, ready)
    clipboard = QGuiApplication.clipboard()
    outlet.copy_summary()
    assert clipboard.text().endswith(f"\nWritten by the model {MINE}, step 60.")
    outlet.copy_command()
    assert clipboard.text() == f"epitome summarise - --length 9s --model {MINE}"
    outlet.export_to(tmp_path / "summary.md")
    qtbot.waitUntil((tmp_path / "summary.md").exists)
    exported = (tmp_path / "summary.md").read_text("utf-8")
    assert f"with the model {MINE}, step 60" in exported
    assert "built-in" not in exported


def test_without_a_run_nothing_is_offered(
    qtbot: QtBot, ready: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = desk(ready)
    monkeypatch.setattr(ready, "folders", Folders.under(tmp_path))
    panel.wishes.list_models()
    qtbot.waitUntil(lambda: panel.state.models == {})
    assert not panel.summary.models.isVisible()


def test_a_run_trained_meanwhile_is_offered_when_the_person_comes_back(
    qtbot: QtBot, window: MainWindow, run: Path
) -> None:
    desk(window).open_source(SourceRef(text=LONG))
    wait_for(qtbot, window)
    desk(window).state.models = {}
    other = shutil.copytree(run, run.with_name("another"))
    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    elsewhere.show()
    elsewhere.activateWindow()
    qtbot.waitUntil(elsewhere.isActiveWindow)
    window.activateWindow()
    qtbot.waitUntil(lambda: set(desk(window).state.models) == {MINE, "another"})
    shutil.rmtree(other)


def spans(column: SummaryColumn) -> list[tuple[int, int]]:
    """From where to where the parts of the strips reach, that with the models last."""
    strip = [column.head._name, *column.length.findChildren(QWidget), column.models]
    parts = [part for part in strip if part.isVisible() and part.parent() is not column.length.unit]
    lefts = [part.mapTo(column, QPoint(0, 0)).x() for part in parts]
    return [(left, left + part.width()) for left, part in zip(lefts, parts, strict=True)]


@pytest.mark.parametrize("width", [1440, 1200, 1000, 720])
def test_the_box_has_its_place_at_any_width(qtbot: QtBot, ready: MainWindow, width: int) -> None:
    column = desk(ready).summary
    ready.resize(width, 700)

    def has_its_place() -> None:
        reached = 0
        for left, right in spans(column):
            assert reached <= left
            reached = right
        assert reached <= column.width()
        assert column.head.height() == 44
        assert column.models.isVisible()

    qtbot.waitUntil(has_its_place)


def test_in_a_slim_column_the_box_gets_a_strip_of_its_own(qtbot: QtBot, ready: MainWindow) -> None:
    column, columns = desk(ready).summary, desk(ready).columns
    share = columns.share
    columns.set_share(0.8)
    qtbot.waitUntil(lambda: column.head.height() == 88)
    assert column.models.isVisible()
    assert spans(column)[-2][1] <= column.width()
    columns.set_share(share)
    qtbot.waitUntil(lambda: column.head.height() == 44)


@pytest.mark.parametrize("share", [0.5, 0.8])
def test_tab_leads_from_the_length_to_the_models(
    qtbot: QtBot, ready: MainWindow, share: float
) -> None:
    column, columns = desk(ready).summary, desk(ready).columns
    before = columns.share
    columns.set_share(share)
    column.length.field.setFocus()
    qtbot.keyClick(column.length.field, Qt.Key.Key_Tab)
    assert column.models.hasFocus()
    assert column.models.accessibleName() == "Summary by"
    columns.set_share(before)


def test_menu_of_a_written_sentence_offers_only_what_makes_sense(
    qtbot: QtBot, ready: MainWindow
) -> None:
    rows = desk(ready).summary.list
    written(qtbot, ready)
    rows.setFocus(Qt.FocusReason.TabFocusReason)
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(rows, QContextMenuEvent(reason, QPoint(), rows.mapToGlobal(QPoint())))
    assert [action.text() for action in the_menu(ready).actions()] == [
        "Show in source",
        "Copy with source",
    ]

"""Blind judging in the window: nothing tells the names, and nothing is lost."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.runs.judgements import (
    FOLDER,
    Judgements,
    begin_judging,
    keep_answer,
    read_judgements,
    take_session,
)
from gui.main_window import MainWindow
from gui.panels.compare.panel import ComparePanel
from tests.helpers.comparisons import INVENTED, large_comparison, small_comparison
from tests.helpers.windows import toasts, words_on


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_comparison(tmp_path_factory.mktemp("comparisons"))


@pytest.fixture
def panel(qtbot: QtBot, window: MainWindow, kept: Path) -> ComparePanel:
    """The panel with an open comparison that nobody has judged."""
    shutil.rmtree(kept / FOLDER, ignore_errors=True)
    window.show_panel("compare")
    panel = window.panel("compare")
    assert isinstance(panel, ComparePanel)
    if panel.is_judging:
        panel.leave_judging()
    panel.opened_page.texts.shown = None
    panel.open(kept)
    qtbot.waitUntil(lambda: panel.opened_page.texts.shown is not None)
    qtbot.waitUntil(lambda: panel.judge.sessions == ())
    panel.opened_page.show_tab("judging")
    return panel


def press(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def begin(qtbot: QtBot, panel: ComparePanel, judge: str = "Ada", *, four: bool = False) -> None:
    tab = panel.opened_page.judging
    tab.judge.setText(judge)
    tab.second.setCurrentIndex(2)
    tab.asked.set_value("four" if four else "one")
    press(qtbot, tab.begin)
    ready(qtbot, panel)


def ready(qtbot: QtBot, panel: ComparePanel) -> None:
    """Waits until a pair can be judged."""
    qtbot.waitUntil(panel.judging_page.buttons["A"].isEnabled)


def session_of(panel: ComparePanel) -> Judgements:
    assert panel.judge.judgements is not None
    return panel.judge.judgements


def answer(qtbot: QtBot, panel: ComparePanel, keys: str) -> None:
    for key in keys:
        ready(qtbot, panel)
        qtbot.keyClick(panel.judging_page, key)


def file_of(panel: ComparePanel, name: str = "Ada") -> Path:
    assert panel.state.opened is not None
    return panel.state.opened.folder / FOLDER / f"{name}.jsonl"


def test_names_scores_and_lengths_are_hidden(qtbot: QtBot, panel: ComparePanel) -> None:
    begin(qtbot, panel)
    page = panel.judging_page
    words = words_on(page)
    for told in ("built-in", "Built-in", "theirs", "Lead", "ROUGE", "without support"):
        assert told not in words
    assert page.question == "Which summary says more faithfully what the source says?"
    shown = {view.document.text for view in page.sides if view.document is not None}
    outputs = panel.opened_page.texts
    assert len(shown) == 2 and outputs is not None
    assert "Names, lengths and scores are shown when you finish." in words
    assert [view.accessibleName() for view in page.sides] == ["Summary A", "Summary B"]


def test_keys_judge_and_each_answer_is_kept_at_once(qtbot: QtBot, panel: ComparePanel) -> None:
    begin(qtbot, panel)
    answer(qtbot, panel, "1")
    qtbot.waitUntil(lambda: read_judgements(file_of(panel)).answers == ("A",))
    answer(qtbot, panel, "0")
    qtbot.waitUntil(lambda: read_judgements(file_of(panel)).answers == ("A", "neither"))
    ready(qtbot, panel)
    qtbot.keyClick(panel.judging_page.source, Qt.Key.Key_2)
    qtbot.waitUntil(lambda: not panel.is_judging)
    qtbot.waitUntil(lambda: len(read_judgements(file_of(panel)).answers) == 3)
    qtbot.waitUntil(lambda: panel.judge.last is not None and panel.judge.last.is_over)
    assert panel.opened_page.tabs.tab("judging").text() == "Blind judging, 3 of 3"


def test_undo_takes_the_last_answer_back(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel
) -> None:
    begin(qtbot, panel)
    page = panel.judging_page
    assert not page.header.undo.isEnabled()
    before = [view.document.text for view in page.sides if view.document]
    answer(qtbot, panel, "13")
    ready(qtbot, panel)
    qtbot.waitUntil(lambda: read_judgements(file_of(panel)).answers == ("A", "B"))
    window.act("undo")
    ready(qtbot, panel)
    press(qtbot, page.header.undo)
    ready(qtbot, panel)
    assert [view.document.text for view in page.sides if view.document] == before
    qtbot.waitUntil(lambda: read_judgements(file_of(panel)).answers == ())


def test_judging_goes_on_where_it_was_left(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel
) -> None:
    begin(qtbot, panel, four=True)
    answer(qtbot, panel, "12")
    ready(qtbot, panel)
    asked = panel.judging_page.question
    assert asked == "Which summary keeps better to the main ideas of the source?"
    window.escape()
    assert not panel.is_judging
    qtbot.waitUntil(lambda: panel.judge.open_session is not None)
    qtbot.waitUntil(lambda: panel.judge.last is not None and len(panel.judge.last.answers) == 2)
    strip = panel.opened_page.judging_strip
    assert strip.told == "0 of 3 pairs judged" and not strip.bar.isVisibleTo(strip)
    assert panel.opened_page.judging.outcome.isHidden()
    press(qtbot, panel.opened_page.judging.go_on)
    ready(qtbot, panel)
    assert panel.judging_page.question == asked
    answer(qtbot, panel, "33" + "2222" + "1111")
    qtbot.waitUntil(lambda: not panel.is_judging)


def test_two_windows_do_not_mix_their_answers(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel
) -> None:
    begin(qtbot, panel)
    answer(qtbot, panel, "1")
    ready(qtbot, panel)
    path = file_of(panel)
    assert take_session(path) is None  # what another window is told
    window.escape()
    qtbot.waitUntil(lambda: panel.judge.last is not None and len(panel.judge.last.answers) == 1)
    theirs = take_session(path)
    assert theirs is not None
    keep_answer(path, "B")
    panel.judge.go_on(path)
    told = "Another window judges in this session."
    qtbot.waitUntil(lambda: any(told in toast for toast in toasts(window)))
    assert not panel.is_judging
    theirs.release()
    panel.judge.go_on(path)
    qtbot.waitUntil(lambda: panel.is_judging)
    assert session_of(panel).answers == ("A", "B")


def test_wins_stand_there_when_all_is_judged(qtbot: QtBot, panel: ComparePanel) -> None:
    begin(qtbot, panel)
    swapped = session_of(panel).session.swapped
    # The first system wins twice, then they are equal.
    answer(qtbot, panel, "".join("3" if swapped[at] else "1" for at in (0, 1)) + "2")
    qtbot.waitUntil(lambda: panel.judge.last is not None and panel.judge.last.is_over)
    table = panel.opened_page.judging.outcome
    qtbot.waitUntil(lambda: table.table_model.rowCount() == 1)
    cells = table.table_model.record(0).cells
    assert (cells["first"], cells["equal"], cells["second"]) == (2, 1, 0)
    strip = panel.opened_page.judging_strip
    assert strip.bar.accessibleName() == "Built-in 2, equal 1, theirs 0"


def test_two_judges_are_compared(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, tmp_path: Path
) -> None:
    begin(qtbot, panel)
    answer(qtbot, panel, "121")
    qtbot.waitUntil(lambda: not panel.is_judging)
    qtbot.waitUntil(lambda: len(panel.judge.sessions) == 1)
    other = tmp_path / "Bo.jsonl"
    other.write_text(file_of(panel).read_text("utf-8").replace('"Ada"', '"Bo"'), "utf-8")
    panel.judge.add_file(other)
    qtbot.waitUntil(lambda: len(panel.judge.sessions) == 2)
    tab = panel.opened_page.judging
    tab.table.selectAll()
    assert "agree on 100\u202f% of 3 common answers. Cohen’s kappa 1.00" in tab.agreement_told
    torn = tmp_path / "torn.jsonl"
    torn.write_text("{}", "utf-8")
    panel.judge.add_file(torn)
    qtbot.waitUntil(lambda: any("no file of judgements" in told for told in toasts(window)))


def test_judgements_of_other_documents_are_not_taken_for_those_of_this_comparison(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, tmp_path: Path
) -> None:
    begin(qtbot, panel)
    panel.leave_judging()
    qtbot.waitUntil(lambda: len(panel.judge.sessions) == 1)
    session = read_judgements(file_of(panel)).session
    other = tmp_path / "Bo.jsonl"
    begin_judging(other, replace(session, judge="Bo", ids=("x", "y", "z")))
    panel.judge.add_file(other)
    qtbot.waitUntil(lambda: any("“Bo.jsonl” judges other documents" in t for t in toasts(window)))
    shutil.copyfile(other, file_of(panel, "Bo"))  # as if the comparison had been made anew
    far = tuple(number + 100 for number in session.documents)
    begin_judging(file_of(panel, "Cy"), replace(session, judge="Cy", documents=far))
    panel.judge.look()
    qtbot.waitUntil(lambda: len(panel.judge.sessions) == 3)
    known = {each.path.stem: each.judgements for each in panel.judge.sessions}
    assert known["Ada"] is not None and known["Bo"] is known["Cy"] is None
    assert panel.judge.open_session == file_of(panel)


def test_another_comparison_that_opens_ends_judging_this_one(
    qtbot: QtBot, panel: ComparePanel, tmp_path: Path
) -> None:
    other = large_comparison(tmp_path / "other", 5)
    begin(qtbot, panel)
    panel.open(other)  # such as by "The comparison is ready", "Open"
    qtbot.waitUntil(lambda: panel.state.opened is not None and len(panel.state.opened) == 5)
    assert not panel.is_judging and panel.judge.judgements is None
    qtbot.waitUntil(lambda: panel.judge.sessions == ())


def test_one_system_cannot_be_judged_against_itself(qtbot: QtBot, panel: ComparePanel) -> None:
    tab = panel.opened_page.judging
    tab.second.setCurrentIndex(0)
    tab.second.activated.emit(0)
    assert not tab.begin.isEnabled()
    assert "Choose two different systems." in tab.begin.toolTip() or not tab.begin.isEnabled()


def test_words_are_found_in_the_source_and_both_summaries(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel
) -> None:
    begin(qtbot, panel)
    page = panel.judging_page
    window.act("find")
    qtbot.keyClicks(page.find_bar.field, "the")
    views = [page.source, *page.sides]
    qtbot.waitUntil(lambda: not any(view.look.finder.is_running for view in views))
    assert page.find_bar.count == f"1 of {sum(view.num_found for view in views)}"
    qtbot.keyClicks(page.find_bar.field, "1")
    assert not session_of(panel).answers, "a digit in the field is no answer"
    assert panel.escape() and panel.is_judging
    answer(qtbot, panel, "1")
    assert len(session_of(panel).answers) == 1


def test_before_the_first_session_one_sentence_says_how_to_begin(panel: ComparePanel) -> None:
    tab = panel.opened_page.judging
    assert not tab.table.isVisible() and not tab.go_on.isVisible()
    words = words_on(tab)
    assert "No pairs were judged yet. Choose two systems above, then press Judge blind." in words
    assert "Select two sessions" not in words


def test_each_summary_stands_on_the_side_that_the_session_says(
    qtbot: QtBot, panel: ComparePanel
) -> None:
    panel.opened_page.judging.seed.setText("3")
    begin(qtbot, panel)
    session = session_of(panel).session
    assert set(session.swapped) == {True, False}, "the seed must try both"
    for number, swapped in zip(session.documents, session.swapped, strict=True):
        ready(qtbot, panel)
        theirs = panel.judging_page.sides[0 if swapped else 1].document
        ours = panel.judging_page.sides[1 if swapped else 0].document
        assert theirs is not None and theirs.text == INVENTED[number]
        assert ours is not None and ours.text != INVENTED[number]
        qtbot.keyClick(panel.judging_page, "2")

"""The Compare panel in its window, as a person uses it."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from core.events import Failed
from core.jobs.evaluation.browse_comparison import SOURCE
from core.jobs.evaluation.kept_comparisons import FoundComparison
from core.runs.comparisons import ComparedSystem, Comparison, read_about
from core.runs.evaluations import KeptDifference, KeptScore
from gui.main_window import MainWindow
from gui.panels.batch.panel import BatchPanel
from gui.panels.compare.panel import ComparePanel
from gui.panels.compare.scores_table import against_words, num_drawn, scores_model, star_note
from gui.panels.compare.setup import Setup
from gui.panels.compare.words import with_unit
from gui.widgets.inputs.button import Button
from gui.widgets.tables.table_model import Interval
from tests.helpers.comparisons import INVENTED, compare_job, large_comparison, small_comparison
from tests.helpers.pair_files import ROWS, write_rows
from tests.helpers.windows import (
    WIDE,
    drop,
    files_data,
    hover,
    leave,
    menus,
    toasts,
    words_on,
)

NARROW = (720, 450)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison of three systems on three documents."""
    return small_comparison(tmp_path_factory.mktemp("comparisons"))


@pytest.fixture
def panel(window: MainWindow) -> ComparePanel:
    """The panel of the module's window, as at its start."""
    shutil.rmtree(window.folders.comparisons, ignore_errors=True)
    window.show_panel("compare")
    panel = window.panel("compare")
    assert isinstance(panel, ComparePanel)
    panel.state.light = "3"
    panel.opened_page.texts.shown = None
    panel.start_page.show_comparisons(())
    panel.show_start()
    return panel


def opened(qtbot: QtBot, panel: ComparePanel, folder: Path) -> ComparePanel:
    """The panel with a comparison, once its first document is read."""
    panel.open(folder)
    qtbot.waitUntil(lambda: panel.opened_page.texts.shown is not None)
    return panel


def read(qtbot: QtBot, panel: ComparePanel, number: int) -> None:
    """Waits until a document is read."""
    texts = panel.opened_page.texts
    qtbot.waitUntil(lambda: texts.shown is not None and texts.shown.number == number)


def press(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_tab_goes_through_the_texts_from_left_to_right_and_then_to_judging(
    qtbot: QtBot, panel: ComparePanel, kept: Path
) -> None:
    page = opened(qtbot, panel, kept).opened_page
    panel.window().activateWindow()
    page.texts.source.setFocus()
    passed: list[QWidget] = []
    while (now := QApplication.focusWidget()) is not None and page.isAncestorOf(now):
        if now in passed:
            break
        passed.append(now)
        qtbot.keyClick(now, Qt.Key.Key_Tab)
    texts = [stop for stop in passed if page.texts.isAncestorOf(stop)]
    assert len(texts) > 3 and passed[: len(texts)] == texts
    places = [stop.mapTo(page, QPoint(0, 0)).x() // 100 for stop in texts]
    assert places == sorted(places)
    assert page.judging_strip.isAncestorOf(passed[-1])


def lit(panel: ComparePanel) -> list[int | None]:
    """Which sentence is lit in the source, then in each column."""
    texts = panel.opened_page.texts
    return [texts.source.look.lit, *(column.text.look.lit for column in texts.columns)]


def marked(panel: ComparePanel, column: int, kind: str) -> list[str]:
    """The marked words of a column."""
    view = panel.opened_page.texts.columns[column].text
    assert view.document is not None
    return [view.document.text[m.start : m.end] for m in view.look.marks if m.kind == kind]


def test_the_empty_panel_begins_where_other_empty_panels_begin(
    window: MainWindow, panel: ComparePanel
) -> None:
    promise = panel.start_page.promise

    def left(widget: QWidget) -> int:
        QApplication.processEvents()
        return widget.mapTo(window, QPoint(0, 0)).x()

    window.resize(*WIDE)
    begins = left(promise)
    window.show_panel("batch")
    batch = window.panel("batch")
    assert isinstance(batch, BatchPanel)
    assert begins == left(batch.empty.promise)


def test_the_empty_panel_says_what_it_is_for(panel: ComparePanel) -> None:
    words = words_on(panel)
    assert "See what each summary says, and where it comes from." in words
    assert panel.start_page.new.isVisible() and panel.start_page.example.isVisible()
    assert not panel.start_page.table.isVisible()


def test_references_are_compared_with_again_once_there_are_some(
    panel: ComparePanel, tmp_path: Path
) -> None:
    panel.new_comparison()
    page = panel.setup_page
    pairs = write_rows(tmp_path / "pairs.jsonl", ROWS)
    page.choose_pairs(pairs)
    assert page.setup.settings is not None and page.setup.settings.references
    page.choose_pairs(tmp_path)  # a folder of documents has none
    assert not page.setup.settings.references
    page.choose_pairs(pairs)
    assert page.setup.settings.references
    assert "--no-references" not in page.command.line
    assert page.form is not None
    page.form.rows["references"].edited.emit("references", False)  # the person wants none
    page.choose_pairs(tmp_path)
    page.choose_pairs(pairs)
    assert not page.setup.settings.references


def test_one_click_shows_an_example(qtbot: QtBot, panel: ComparePanel) -> None:
    press(qtbot, panel.start_page.example)
    assert not panel.start_page.example.isEnabled()
    read(qtbot, panel, 0)
    assert panel.header.facts == "samples"
    titles = [column.title for column in panel.opened_page.texts.columns]
    assert titles == ["Built-in", "Gap sentences", "Lead"]
    assert "has no references" in panel.opened_page.recipe.text()
    panel.escape()
    qtbot.waitUntil(lambda: bool(panel.start_page.folders))
    assert [folder.name for folder in panel.start_page.folders] == ["example"]


def test_a_comparison_that_opens_late_does_not_call_the_person_back(
    qtbot: QtBot, panel: ComparePanel, kept: Path
) -> None:
    for leave_it, page in ((panel.new_comparison, panel.setup_page), (panel.escape, None)):
        panel.open(kept)
        late = panel._opening
        leave_it()
        assert not late.is_running
        assert panel.setup_page.isVisible() == (page is not None)
    opened(qtbot, panel, kept)


def test_source_reference_and_summaries_stand_side_by_side(
    qtbot: QtBot, panel: ComparePanel, kept: Path
) -> None:
    opened(qtbot, panel, kept)
    texts = panel.opened_page.texts
    assert [c.title for c in texts.columns] == ["Reference", "Built-in", "Lead", "theirs"]
    assert texts.columns[3].text.document is not None
    assert texts.columns[3].text.document.text == INVENTED[0]
    assert marked(panel, 0, "shared") == ["A layer of lithium nitride stops"]
    assert marked(panel, 3, "unsupported") == ["The Berlin plant closed in 1987."]
    assert marked(panel, 3, "doubtful") == ["Berlin", "1987"]
    assert marked(panel, 3, "novel") == ["plant", "closed"]
    words = words_on(texts.columns[3])
    assert "1 without support" in words and "ROUGE-1" in words
    assert "all supported" in words_on(texts.columns[2])
    assert texts.legend.told[0] == "also in the reference, 3 words or more"


def test_the_sentence_under_the_pointer_lights_its_evidence(
    qtbot: QtBot, panel: ComparePanel, kept: Path
) -> None:
    opened(qtbot, panel, kept)
    column = panel.opened_page.texts.columns[3]
    hover(column.text.viewport(), QPoint(60, 24))
    assert lit(panel) == [1, None, None, None, 1]
    (mark,) = panel.opened_page.texts.source.look.marks.of(1)
    source = panel.opened_page.texts.source.document
    assert source is not None and source.text[mark.start :].startswith("A layer of lithium nitride")
    leave(column.text.viewport())
    assert lit(panel) == [None] * 5


def test_the_keyboard_walks_sentences_and_shows_evidence(
    qtbot: QtBot, panel: ComparePanel, kept: Path
) -> None:
    opened(qtbot, panel, kept)
    text = panel.opened_page.texts.columns[3].text
    text.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(text, Qt.Key.Key_J)
    assert lit(panel) == [1, None, None, None, 1]
    qtbot.keyClick(text, Qt.Key.Key_Down)
    qtbot.keyClick(text, Qt.Key.Key_Down)
    assert lit(panel) == [2, None, None, None, 2]
    qtbot.keyClick(text, Qt.Key.Key_K)
    assert lit(panel)[0] == 1
    qtbot.keyClick(text, Qt.Key.Key_Return)
    qtbot.keyClick(text, Qt.Key.Key_Escape)
    assert lit(panel) == [None] * 5


def test_the_strip_leads_to_the_source(qtbot: QtBot, panel: ComparePanel, kept: Path) -> None:
    opened(qtbot, panel, kept)
    strip = panel.opened_page.texts.columns[3].strip
    assert [origin.number for origin in strip.origins] == [1]
    share = strip.origins[0].share
    assert 0.3 < share < 0.9
    at = QPoint(round(share * (strip.width() - 4)) + 2, 5)
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=at)
    assert lit(panel)[0] == 1
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    interface = QAccessible.queryAccessibleInterface(strip)
    assert interface is not None and interface.childCount() == 1
    part = interface.child(0)
    assert part is not None and part.text(QAccessible.Text.Name).startswith("sentence 1, at ")


def test_what_is_lit_follows_the_choice(qtbot: QtBot, panel: ComparePanel, kept: Path) -> None:
    opened(qtbot, panel, kept)
    page = panel.opened_page
    press(qtbot, page.light.part("4"))
    assert page.texts.legend.told[0] == "also in the reference, 4 words or more"
    press(qtbot, page.light.part("off"))
    assert marked(panel, 0, "shared") == []
    press(qtbot, page.light.part("difference"))
    page.against.setCurrentIndex(1)
    page.against.activated.emit(1)
    qtbot.waitUntil(lambda: page.texts.shown is not None and page.texts.shown.against == 0)
    assert any("Berlin" in words for words in marked(panel, 3, "shared"))
    assert page.texts.legend.told[0] == "differs from Built-in"
    panel.compare_with(SOURCE)
    qtbot.waitUntil(lambda: page.texts.shown is not None and page.texts.shown.against == SOURCE)
    assert marked(panel, 2, "shared") == []


def test_scores_stand_in_a_table_with_intervals_and_recipe(
    qtbot: QtBot, panel: ComparePanel, kept: Path
) -> None:
    opened(qtbot, panel, kept)
    model = panel.opened_page.scores.table_model
    heads = [column.title for column in model.columns]
    assert heads[:4] == ["3 documents", "ROUGE-1 F1", "ROUGE-2 F1", "ROUGE-L F1"]
    assert {"New words", "Without support", "Words", "Against Built-in"} <= set(heads)
    row = [str(model.data(model.index(2, at))) for at in range(len(heads))]
    assert (
        row[0] == "theirs" and "±" in row[1] and row[heads.index("Without support")][:4] == "16.7"
    )
    assert " to " in row[-1]
    assert "ROUGE: Epitome" in panel.opened_page.recipe.text()


def test_documents_are_walked_by_key_and_button(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path
) -> None:
    opened(qtbot, panel, kept)
    assert panel.header.place.text() == "Document 1 of 3"
    assert not panel.header.previous.isEnabled()
    window.act("next_document")
    read(qtbot, panel, 1)
    press(qtbot, panel.header.next)
    read(qtbot, panel, 2)
    assert panel.header.place.text() == "Document 3 of 3" and not panel.header.next.isEnabled()


def test_words_are_found_in_source_reference_and_summaries(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path
) -> None:
    opened(qtbot, panel, kept)
    texts = panel.opened_page.texts
    window.act("find")
    assert texts.find_bar.field.hasFocus()
    qtbot.keyClicks(texts.find_bar.field, "Lithium  nitride")
    views = [texts.source, *(column.text for column in texts.columns)]
    qtbot.waitUntil(lambda: not any(view.look.finder.is_running for view in views))
    found = [view.num_found for view in views]
    assert found[0] and found[1] and found[4], "source, reference, and the third summary"
    assert texts.find_bar.count == f"1 of {sum(found)}"
    for _ in range(found[0]):
        window.act("find_next")
    assert texts.source.found == -1 and texts.columns[0].text.found == 0
    window.act("find_previous")
    assert texts.source.found == found[0] - 1
    window.act("next_document")
    read(qtbot, panel, 1)
    assert texts.find_bar.field.text() == "Lithium  nitride"
    qtbot.waitUntil(lambda: texts.find_bar.count == "not found")
    assert panel.escape() and not texts.find_bar.isVisible()
    assert panel.opened_page.isVisible(), "Escape closes the search alone"


def test_the_search_is_opened_by_mouse_and_from_any_tab(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path
) -> None:
    opened(qtbot, panel, kept)
    page = panel.opened_page
    (button,) = [b for b in page.findChildren(Button) if b.accessibleName() == "Find in all texts"]
    press(qtbot, button)
    assert page.texts.find_bar.field.hasFocus()
    panel.escape()
    page.show_tab("length")
    window.act("find")
    assert page.tab == "texts" and page.texts.find_bar.isVisible()
    panel.escape()
    page.show_tab("documents")
    window.act("find")
    assert page.documents.find_field.hasFocus() and page.tab == "documents"


def test_a_found_place_is_brought_on_screen(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path
) -> None:
    window.resize(*NARROW)
    opened(qtbot, panel, kept)
    texts = panel.opened_page.texts
    texts.open_find()
    qtbot.keyClicks(texts.find_bar.field, "Berlin")
    qtbot.waitUntil(lambda: texts.columns[3].text.found == 0)
    column, area = texts.columns[3], texts.area
    left = column.mapTo(area, QPoint(0, 0)).x()
    assert left >= 0 and left + column.width() <= area.width() + 1


def test_many_documents_are_sorted_filtered_and_opened(
    qtbot: QtBot, panel: ComparePanel, tmp_path: Path
) -> None:
    opened(qtbot, panel, large_comparison(tmp_path / "many", 400))
    panel.opened_page.show_tab("documents")
    page = panel.opened_page.documents
    assert page.table.table_model.rowCount() == 400
    page.order.setCurrentIndex(1)
    page.order.activated.emit(1)
    spread = [page.table.table_model.record(row).cells["spread"] for row in range(400)]
    assert spread == sorted(spread, reverse=True)  # type: ignore[type-var]
    page.find_field.setText("report 39")
    qtbot.waitUntil(lambda: page.table.table_model.rowCount() == 11)
    assert page.facts.text().startswith("11 of 400 documents. ROUGE-1 F1: first wins ")
    assert "listed" in panel.header.place.text()
    page.table.selectRow(2)
    number = page.table.current_key
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    read(qtbot, panel, int(str(number)))
    assert panel.opened_page.tab == "texts"


def test_a_column_that_is_sorted_by_is_the_order_of_next(
    qtbot: QtBot, panel: ComparePanel, tmp_path: Path
) -> None:
    opened(qtbot, panel, large_comparison(tmp_path / "many", 30))
    table = panel.opened_page.documents.table
    table.table_model.sort(1)
    keys = [table.table_model.record(row).key for row in range(30)]
    assert panel.state.rows.tolist() == keys


def test_titles_of_documents_have_room_beside_the_scatter_on_a_laptop(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path
) -> None:
    window.resize(1366, 768)
    page = opened(qtbot, panel, kept).opened_page
    page.show_tab("documents")
    QApplication.processEvents()
    documents, table = page.documents, page.documents.table
    assert documents.scatter.isVisible()
    assert not any(table.isColumnHidden(at) for at in range(table.table_model.columnCount()))
    assert table.columnWidth(0) > 3 * table.columnWidth(2), "more than three columns of points"
    for box in (documents.up, documents.across):
        assert box.width() >= box.sizeHint().width(), "the choices of the scatter are whole"


def test_a_point_of_the_scatter_opens_its_document(
    qtbot: QtBot, panel: ComparePanel, tmp_path: Path
) -> None:
    opened(qtbot, panel, large_comparison(tmp_path / "many", 60))
    panel.opened_page.show_tab("documents")
    scatter = panel.opened_page.documents.scatter
    assert len(scatter.model.points.x) == 60
    plot = scatter.plot
    place = plot.find_place(17)
    assert place is not None
    hover(plot.viewport(), place)
    assert plot.current >= 0
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    read(qtbot, panel, panel.state.number)
    assert panel.opened_page.tab == "texts"
    panel.opened_page.show_tab("documents")
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    first, points = plot.current, scatter.model.points
    assert points.x.min() == points.x[points.numbers == first][0]
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    read(qtbot, panel, first)


def test_a_comparison_is_set_up_and_made(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, tmp_path: Path
) -> None:
    pairs = write_rows(tmp_path / "pairs.jsonl", ROWS)
    theirs = tmp_path / "theirs.txt"
    theirs.write_text("\n".join(INVENTED) + "\n", "utf-8")
    window.act("new")
    page = panel.setup_page
    assert not page.begin.isEnabled()
    page.choose_pairs(pairs)
    assert drop(window, files_data(theirs))
    page.box("random").setChecked(True)
    assert "--predictions" in page.command.line and page.begin.isEnabled()
    window.rail.button("compare").setFocus()  # as after a file was dropped
    window.act("start")
    assert panel.start_page.isAncestorOf(window.focusWidget())
    read(qtbot, panel, 0)
    assert panel.opened_page.isAncestorOf(window.focusWidget()), "the keyboard goes along"
    titles = [column.title for column in panel.opened_page.texts.columns]
    assert titles == ["Reference", "Built-in", "Lead", "Random", "theirs"]
    assert panel.state.opened is not None
    assert read_about(panel.state.opened.folder).documents == 3


def test_a_comparison_that_ends_leaves_what_is_being_set_up(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, tmp_path: Path
) -> None:
    panel.make_example()
    window.act("new")
    page = panel.setup_page
    page.choose_pairs(write_rows(tmp_path / "pairs.jsonl", ROWS))
    page.box("random").setChecked(True)
    typed = page.command.line
    qtbot.waitUntil(lambda: any("The comparison is ready" in told for told in toasts(window)))
    assert page.isVisible() and page.command.line == typed
    qtbot.mouseClick(window.toasts.shown[-1].action, Qt.MouseButton.LeftButton)
    read(qtbot, panel, 0)


def test_of_two_comparisons_in_the_making_each_is_told_until_it_is_done(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, tmp_path: Path
) -> None:
    told: list[tuple[str, ...]] = []
    panel.row_actions.making.connect(told.append)
    jobs = [compare_job(tmp_path / name, references=False) for name in ("first", "second")]
    runs = [
        panel.row_actions.make(job, name) for job, name in zip(jobs, ("one", "two"), strict=True)
    ]
    assert "Comparing on one, two. The first comparison that is done" in words_on(panel)
    with qtbot.waitSignals([run.ended for run in runs], timeout=60_000):
        pass
    assert told[:2] == [("one",), ("one", "two")] and told[-1] == ()
    assert told[2] in (("one",), ("two",)) and len(told) == 4
    qtbot.waitUntil(lambda: any("The comparison is ready" in each for each in toasts(window)))
    read(qtbot, panel, 0)


def test_a_comparison_that_opens_takes_no_keyboard_from_another_panel(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path
) -> None:
    panel.start_page.new.setFocus()
    window.show_panel("help")
    before = window.focusWidget()
    opened(qtbot, panel, kept)
    assert window.focusWidget() is before


def test_a_model_is_added_to_an_open_comparison(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, tmp_path: Path
) -> None:
    folder = small_comparison(tmp_path)
    written = (folder / "lead" / "predictions.jsonl").stat().st_mtime_ns
    opened(qtbot, panel, folder)
    press(qtbot, panel.header.add_model)
    page = panel.setup_page
    assert page.setup.models == ["built-in", "lead"]
    assert [path.name for path in page.setup.files] == ["theirs.txt"]
    assert page.setup.settings is not None and page.setup.settings.length == "2s"
    page.box("random").setChecked(True)
    panel.opened_page.texts.shown = None
    window.act("start")
    read(qtbot, panel, 0)
    titles = [column.title for column in panel.opened_page.texts.columns]
    assert titles == ["Reference", "Built-in", "Lead", "Random", "theirs"]
    assert (folder / "lead" / "predictions.jsonl").stat().st_mtime_ns == written


def test_a_failure_says_what_to_do(qtbot: QtBot, window: MainWindow, panel: ComparePanel,
                                   tmp_path: Path) -> None:  # fmt: skip
    panel.open(tmp_path)
    qtbot.waitUntil(lambda: bool(toasts(window)))
    assert "holds no comparison" in toasts(window)[0]


@pytest.mark.parametrize("form", ["html", "csv"])
def test_a_comparison_is_exported(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, form: str,
) -> None:  # fmt: skip
    opened(qtbot, panel, kept)
    path = tmp_path / f"out.{form}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    window.act("export")
    qtbot.waitUntil(lambda: bool(menus(panel)))
    menus(panel)[0].actions()[0 if form == "html" else 1].trigger()
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(lambda: any("Written to" in told for told in toasts(window)))
    assert (
        "Berlin" in path.read_text("utf-8")
        if form == "html"
        else "rouge-1 f1" in path.read_text("utf-8")
    )
    menus(panel)[0].close()


@pytest.mark.parametrize("size", [WIDE, (1000, 700), NARROW])
def test_every_control_has_a_name_at_every_size(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path, size: tuple[int, int]
) -> None:
    window.resize(*size)
    opened(qtbot, panel, kept)
    page = panel.opened_page
    for tab in ("texts", "documents", "judging"):
        page.show_tab(tab)
        for widget in panel.findChildren(QWidget):
            if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
                interface = QAccessible.queryAccessibleInterface(widget)
                assert interface is not None
                assert interface.text(QAccessible.Text.Name).strip(), type(widget).__name__
    assert page.tabs.tab("scores").isVisible() == (size[1] <= 700)


def test_scores_have_a_tab_of_their_own_where_it_is_low(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path
) -> None:
    window.resize(*NARROW)
    opened(qtbot, panel, kept)
    assert not panel.opened_page.scores.isVisible()
    press(qtbot, panel.opened_page.tabs.tab("scores"))
    assert panel.opened_page.scores.isVisible()
    window.resize(*WIDE)
    assert panel.opened_page.tab == "texts" and panel.opened_page.scores.isVisible()


def test_escape_clears_then_leaves(qtbot: QtBot, window: MainWindow, panel: ComparePanel,
                                   kept: Path) -> None:  # fmt: skip
    opened(qtbot, panel, kept)
    panel.opened_page.texts.columns[1].text.light(1)
    window.escape()
    assert lit(panel) == [None] * 5 and panel.title
    window.escape()
    assert panel.start_page.isVisible() and not panel.title


def test_a_comparison_goes_to_the_trash_and_back(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel
) -> None:
    folder = large_comparison(window.folders.comparisons / "mine", 3)
    panel.look()
    qtbot.waitUntil(lambda: panel.start_page.folders == [folder])
    table = panel.start_page.table
    table.selectRow(0)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: panel.start_page.folders == [])
    assert not folder.exists() and any("in the trash" in told for told in toasts(window))
    folder.mkdir()  # another one of this name
    window.act("undo")
    qtbot.waitUntil(lambda: any("exists again" in told for told in toasts(window)))
    folder.rmdir()
    window.act("undo")
    qtbot.waitUntil(lambda: panel.start_page.folders == [folder])
    assert read_about(folder).documents == 3


def test_the_open_comparison_is_found_again(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel
) -> None:
    folder = window.folders.comparisons / "mine"
    large_comparison(folder, 5)
    opened(qtbot, panel, folder)
    state = panel.saved_state()
    assert state["comparison"] == "mine"
    panel.show_start()
    panel.opened_page.texts.shown = None
    panel.restore_state(state)
    panel.look()
    read(qtbot, panel, 0)


@pytest.mark.parametrize("size", [WIDE, (1366, 768), (1200, 900), (1000, 700)])
def test_texts_keep_their_room_and_scores_their_columns(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path, size: tuple[int, int]
) -> None:
    window.resize(*size)
    opened(qtbot, panel, kept)
    page = panel.opened_page
    assert page.texts.area.height() >= 340
    page.show_tab("scores" if page.tabs.tab("scores").isVisible() else "texts")
    assert page.scores.isVisible()
    assert page.scores.is_narrow == (size[0] < 1200), "only a narrow window folds columns"
    recipe = page.recipe
    assert recipe.isVisible() and len(recipe.text()) > 200
    assert recipe.height() >= recipe.heightForWidth(recipe.width()) > 0, "all of it can be read"


@given(st.integers(300, 2600), st.integers(1, 4), st.booleans())
def test_as_many_intervals_are_drawn_as_there_is_room_for(
    room_px: int, num_rouges: int, several: bool
) -> None:
    scores = tuple(KeptScore(f"rouge-{n} f1", "%", 30.0, 29.0, 31.0) for n in range(num_rouges))
    words = KeptScore("words", "words", 90.0, 80.0, 100.0)
    systems = [ComparedSystem(str(n), str(n), "", (*scores, words)) for n in range(1 + several)]
    about = Comparison("set", "", "", "", tuple(systems), (), True, True, 9)
    drawn = num_drawn(about, room_px)
    columns = scores_model(about, drawn).columns
    assert 0 <= drawn <= min(num_rouges, 3)
    assert not drawn or sum(column.width for column in columns) + 150 <= room_px


def test_groups_say_how_they_are_made_and_one_document_has_no_interval(
    qtbot: QtBot, panel: ComparePanel, kept: Path
) -> None:
    opened(qtbot, panel, kept)
    panel.opened_page.show_tab("length")
    words = words_on(panel.opened_page.by_length)
    assert words == "Documents are grouped by the number of words of the summary."
    model = panel.opened_page.by_length.table.table_model
    rows = [model.record(row).cells for row in range(model.rowCount())]
    alone = [row for row in rows if row["documents"] == 1]
    assert alone and not any("±" in str(cell) for row in alone for cell in row.values())
    assert not any(isinstance(cell, Interval) for row in alone for cell in row.values())


def test_rouge_is_told_in_points(kept: Path) -> None:
    model = scores_model(read_about(kept), 0)
    rouge, novel = (
        next(at for at, column in enumerate(model.columns) if column.title == title)
        for title in ("ROUGE-1 F1", "New words")
    )
    assert "%" not in str(model.data(model.index(0, rouge)))
    assert "%" in str(model.data(model.index(0, novel)))


@pytest.mark.parametrize(
    ("low", "documents", "is_sure"), [(0.5, 20, True), (-0.5, 20, False), (0.5, 19, False)]
)
def test_a_star_is_explained_where_there_is_one(low: float, documents: int, is_sure: bool) -> None:
    first = KeptScore("rouge-1 f1", "%", 30.0, 29.0, 31.0)
    second = replace(first, ahead=KeptDifference(1.0, low, 2.5))
    systems = tuple(
        ComparedSystem(n, n, "", (score,)) for n, score in zip("ab", (first, second), strict=True)
    )
    about = Comparison("set", "", "", "", systems, (("rouge-1 f1", "%"),), True, True, documents)
    assert against_words(about, systems[1]).endswith("*") == is_sure
    assert star_note(about).startswith("*") == is_sure


def test_only_shares_are_told_in_percent() -> None:
    told = [with_unit(name, 31.24, "%") for name in ("rouge-2 f1", "bleu-4", "novel 1-grams")]
    assert told == ["31.2", "31.2", "31.2\u202f%"]


def test_a_file_has_no_split_to_choose_even_after_another_change(
    qtbot: QtBot, panel: ComparePanel, tmp_path: Path
) -> None:
    panel.new_comparison()
    form = panel.setup_page.form
    assert form is not None and not form.rows["split"].isVisible()
    panel.setup_page.choose_pairs(write_rows(tmp_path / "pairs.jsonl", ROWS))
    form = panel.setup_page.form
    assert form is not None
    form.rows["limit"].edited.emit("limit", "3")
    assert not form.rows["split"].isVisible()
    assert panel.setup_page.pairs.placeholderText() == "Choose documents"


def test_the_first_page_lists_comparisons_by_their_days(
    qtbot: QtBot, panel: ComparePanel, kept: Path
) -> None:
    about = read_about(kept)
    made = {"a": "2026-11-25T12:00:00+00:00", "b": "2026-02-03T12:00:00+00:00", "c": "long ago"}
    panel.start_page.show_comparisons(
        [FoundComparison(Path(name), replace(about, made=when)) for name, when in made.items()]
    )
    model = panel.start_page.table.table_model
    at = [column.title for column in model.columns].index("Made")

    def days() -> list[str]:
        rows = range(model.rowCount())
        return [model.data(model.index(row, at), Qt.ItemDataRole.DisplayRole) for row in rows]

    assert days() == ["25 Nov 2026", "3 Feb 2026", ""]
    model.sort(at)
    assert days()[:2] == ["3 Feb 2026", "25 Nov 2026"]


def test_the_first_page_says_what_is_being_compared(panel: ComparePanel) -> None:
    panel.row_actions.making.emit(("patents",))
    words = words_on(panel.start_page)
    assert "Comparing on patents. The comparison opens here when it is done." in words
    panel.row_actions.making.emit(())
    assert "Comparing on" not in words_on(panel.start_page)
    assert panel.start_page.example.isEnabled()


def test_tab_goes_from_the_source_through_the_summaries_to_the_foot(
    qtbot: QtBot, panel: ComparePanel, kept: Path
) -> None:
    page = opened(qtbot, panel, kept).opened_page
    texts, stop, reached = page.texts, page.texts.source.nextInFocusChain(), []
    wanted = [*(each.text for each in texts.columns), page.judging_strip]
    while stop is not None and stop is not texts.source:
        at = next((part for part in wanted if part is stop or part.isAncestorOf(stop)), None)
        if at is not None and at not in reached and stop.focusPolicy() & Qt.FocusPolicy.TabFocus:
            reached.append(at)
        stop = stop.nextInFocusChain()
    assert reached == wanted


def test_what_is_shown_meanwhile_is_not_replaced_by_the_comparison_opened_last(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, kept: Path
) -> None:
    folder = large_comparison(window.folders.comparisons / "mine", 5)
    panel.look()
    qtbot.waitUntil(lambda: panel.start_page.folders == [folder])
    qtbot.waitUntil(lambda: not window.controller._threads)
    for elsewhere in (panel.new_comparison, lambda: panel.choose({"comparison": str(kept)})):
        panel.restore_state({"comparison": "mine"})
        elsewhere()
        before = panel.start_page.table.table_model
        panel.look()
        qtbot.waitUntil(lambda was=before: panel.start_page.table.table_model is not was)
        qtbot.waitUntil(lambda: not panel._opening.is_running)
        assert panel.state.opened is None or panel.state.opened.folder == kept


def test_a_comparison_that_fails_comes_back_to_its_form_as_it_was_filled_in(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, tmp_path: Path
) -> None:
    table = write_rows(tmp_path / "pairs.jsonl", [{"text": "A text.", "note": "A word."}])
    panel.new_comparison()
    page = panel.setup_page
    page.choose_pairs(table)
    page.box("random").setChecked(True)
    page.start()
    assert panel.start_page.isVisible()
    qtbot.waitUntil(page.isVisible)
    assert page.setup.pairs == table and page.box("random").isChecked()
    told = words_on(page.failure)
    assert page.failure.isVisible() and "“Summary column”" in told and "--" not in told
    qtbot.waitUntil(lambda: window.status._sign.icon == "octagon-x")
    panel.new_comparison()
    assert not page.failure.isVisible()


def test_a_failure_while_another_page_is_open_offers_the_form(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, tmp_path: Path
) -> None:
    table = write_rows(tmp_path / "pairs.jsonl", [{"text": "A text.", "note": "A word."}])
    panel.new_comparison()
    panel.setup_page.choose_pairs(table)
    panel.setup_page.start()
    panel.new_comparison()
    qtbot.waitUntil(lambda: bool(toasts(window)))
    assert panel.setup_page.setup.pairs is None
    (toast,) = window.toasts.shown
    toast.action.click()
    assert panel.setup_page.setup.pairs == table


def test_a_model_that_is_gone_is_named_where_a_comparison_is_set_up(
    qtbot: QtBot, window: MainWindow, panel: ComparePanel, tmp_path: Path
) -> None:
    gone = str(tmp_path / "gone")
    panel._show_again(Setup(models=["built-in", gone], pairs=tmp_path), Failed("No.", "Again."))
    page = panel.setup_page
    qtbot.waitUntil(lambda: gone in page._boxes)
    assert page.box(gone).text() == "gone, not on this computer any more"
    assert page.setup.problem == "“gone” is not on this computer any more: leave it out."
    page.box(gone).setChecked(False)
    assert page.setup.problem == ""

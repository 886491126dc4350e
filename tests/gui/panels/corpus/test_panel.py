"""The Corpus panel in the real window: from files to an open corpus, and what is done with it."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.data.corpus import open_corpus
from core.data.settings import CorpusSettings
from core.errors import EpitomeError
from core.jobs.queue.job_queue import JobQueue
from core.library.folders import Folders
from core.library.preferences import WindowState, save_window_state
from gui.main_window import MainWindow
from gui.panels.corpus.panel import CorpusPanel
from gui.panels.corpus.rename_dialog import RenameDialog
from gui.panels.corpus.state import KIND_WORDS
from gui.panels.train.panel import TrainPanel
from gui.theme.theme import Theme
from gui.widgets.charts.histogram import LEAST_HEIGHT_PX
from tests.helpers.corpora import SUMMARIES, TEXTS, write_table
from tests.helpers.prepared import pairs_corpus, prepare
from tests.helpers.queued_jobs import queue_of
from tests.helpers.windows import (
    drop,
    end_window,
    files_data,
    show_window,
    the_menu,
    toasts,
    words_on,
)


@pytest.fixture
def queue(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobQueue]:
    with queue_of(home, monkeypatch) as queue:
        yield queue


@pytest.fixture
def window(qtbot: QtBot, home: Path, queue: JobQueue) -> Iterator[MainWindow]:
    window = show_window(home)
    yield window
    end_window(window)


@pytest.fixture
def panel(window: MainWindow) -> CorpusPanel:
    window.show_panel("corpus")
    shown = window.shown
    assert isinstance(shown, CorpusPanel)
    return shown


@pytest.fixture
def odd_table(tmp_path: Path) -> Path:
    columns = {"nr": list(range(62)), "erste": [*TEXTS, "", TEXTS[0]]}
    return write_table(tmp_path / "odd.parquet", columns | {"zweite": [*SUMMARIES, "x", ""]})


def looked(qtbot: QtBot, panel: CorpusPanel) -> None:
    qtbot.waitUntil(lambda: not panel.new_page.state.is_looking)


def opened(qtbot: QtBot, panel: CorpusPanel, folder: Path | None = None) -> None:
    if folder is not None:
        panel.open_corpus(folder)
    qtbot.waitUntil(lambda: panel.opened_page.gaps.row is not None)


def gaps(qtbot: QtBot, panel: CorpusPanel, folder: Path) -> None:
    opened(qtbot, panel, folder)
    panel.opened_page.show_tab("gaps")
    qtbot.waitUntil(lambda: not panel.opened_page.gaps.needs_order)


def test_from_a_dropped_table_to_an_open_corpus(
    qtbot: QtBot, window: MainWindow, panel: CorpusPanel, odd_table: Path, home: Path
) -> None:
    assert drop(window, files_data(odd_table))
    looked(qtbot, panel)
    new = panel.new_page
    told = "No column of odd.parquet looks like documents"
    qtbot.waitUntil(lambda: told in words_on(new.sources))
    assert not panel.header.prepare.isEnabled()
    (table,) = new.sources.tables
    for column, words in (("erste", "Read as documents"), ("zweite", "Read as summaries")):
        qtbot.mouseClick(new.sources.tables[0].heads[column], Qt.MouseButton.LeftButton)
        menu = the_menu(window)
        next(a for a in menu.actions() if a.text() == words).trigger()
        menu.close()
        looked(qtbot, panel)
    (table,) = new.sources.tables
    assert (table.role("erste"), table.role("zweite"), table.role("nr")) == (
        "document", "summary", "",
    )  # fmt: skip
    assert new.name.text() == "odd" and panel.header.prepare.isEnabled()
    assert "--document-column erste --summary-column zweite --out odd" in new.command.line
    qtbot.mouseClick(panel.header.prepare, Qt.MouseButton.LeftButton)
    assert panel.preparing_page.isVisible()
    opened(qtbot, panel)
    corpus = open_corpus(home / "data" / "corpora" / "odd")
    assert corpus.make == "pairs" and sum(corpus.counts.values()) == 60
    assert panel.header.facts.startswith("60 documents, 2 skipped · 48 train")
    assert window.windowTitle() == "Epitome" and panel.title == "odd"
    skipped = panel.opened_page.skipped
    panel.opened_page.show_tab("skipped")
    told = "2 rows skipped: rows without a document (1), rows without a summary (1)."
    assert told in words_on(skipped)
    assert skipped.model.rowCount() == 2
    assert "odd.parquet:61" in str(skipped.model.record(0).cells["origin"])
    panel.show_list()
    qtbot.waitUntil(lambda: panel.list_page.model.rowCount() == 1)
    assert panel.list_page.model.record(0).cells["documents"] == 60


def names(panel: CorpusPanel) -> list[object]:
    model = panel.list_page.model
    return [model.record(row).cells["name"] for row in range(model.rowCount())]


def test_a_corpus_is_renamed_deleted_and_taken_back(
    qtbot: QtBot, window: MainWindow, panel: CorpusPanel, home: Path
) -> None:
    corpora = home / "data" / "corpora"
    opened(qtbot, panel, pairs_corpus(corpora / "letters"))
    qtbot.mouseClick(panel.header.more, Qt.MouseButton.LeftButton)
    menu = the_menu(window)
    next(each for each in menu.actions() if each.text().startswith("Rename")).trigger()
    menu.close()
    (dialog,) = window.findChildren(RenameDialog)
    for wrong in ("", "a/b"):
        dialog.field.setText(wrong)
        qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
        assert dialog.field.error and dialog.isVisible()
    dialog.field.setText("post")
    qtbot.mouseClick(dialog.deed, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.title == "post")
    assert open_corpus(corpora / "post").make == "pairs" and not (corpora / "letters").exists()
    panel.show_list()
    qtbot.waitUntil(lambda: names(panel) == ["post"])
    table = panel.list_page.table
    table.select(str(corpora / "post"))
    table.setFocus()
    texts = [each.text().partition("\t")[0] for each in table.make_menu().actions()]
    assert {"Rename…", "Open folder", "Move to the trash"} <= set(texts)
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: not names(panel))
    assert any("“post” is in the trash" in told for told in toasts(window))
    (corpora / "post").mkdir()  # another one of this name
    panel.commands()["undo"]()
    qtbot.waitUntil(lambda: any("exists again" in told for told in toasts(window)))
    (corpora / "post").rmdir()
    panel.commands()["undo"]()
    qtbot.waitUntil(lambda: names(panel) == ["post"])
    table.select(str(corpora / "post"))
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_F2)
    (dialog,) = [each for each in window.findChildren(RenameDialog) if each.isVisible()]
    dialog.reject()


def test_what_is_wrong_with_a_source_stands_at_it(
    qtbot: QtBot, panel: CorpusPanel, tmp_path: Path
) -> None:
    panel.new_corpus([str(tmp_path / "gone")])
    looked(qtbot, panel)
    qtbot.waitUntil(lambda: "There is no file or folder" in words_on(panel.new_page.sources))
    assert panel.header.facts == "Correct or remove the marked sources first."
    panel.new_page.sources.removed.emit(str(tmp_path / "gone"))
    assert panel.header.facts == "Add files, folders or tables first."


def test_a_corpus_that_fails_says_why_and_can_be_changed(
    qtbot: QtBot, panel: CorpusPanel, tmp_path: Path
) -> None:
    source = write_table(tmp_path / "empty.parquet", {"text": ["", " "]})
    panel.new_corpus([str(source)])
    looked(qtbot, panel)
    panel.prepare()
    page = panel.preparing_page
    qtbot.waitUntil(lambda: "contain no usable row" in page.told.text())
    assert "Choose other sources." in page.told.text()
    qtbot.mouseClick(page.change, Qt.MouseButton.LeftButton)
    assert panel.new_page.isVisible() and panel.new_page.state.sources == (str(source),)
    panel.show_list()
    assert panel.list_page.model.record(0).state == "failed"


def test_documents_are_browsed_and_found(qtbot: QtBot, panel: CorpusPanel, home: Path) -> None:
    opened(qtbot, panel, pairs_corpus(home / "data" / "corpora" / "letters"))
    page = panel.opened_page
    assert page.text.view.document is not None
    assert page.facts.view.document is not None
    first = page.text.view.document.text
    page.column.list.setFocus()
    qtbot.keyClick(page.column.list, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.text.view.document.text != first)
    page.column.field.setText("hall 44 ")
    qtbot.waitUntil(lambda: page.documents.rowCount() == 1)
    qtbot.waitUntil(lambda: "hall 44 " in page.text.view.document.text)
    qtbot.waitUntil(lambda: page.documents.title(page.documents.number(0)).startswith("Pump 44"))
    assert panel.escape()
    qtbot.waitUntil(lambda: page.documents.rowCount() == 60)
    assert panel.escape() and panel.list_page.isVisible()
    assert not panel.escape()


def test_gap_sentences_follow_the_controls(
    qtbot: QtBot, panel: CorpusPanel, home: Path, tmp_path: Path
) -> None:
    gaps(qtbot, panel, pairs_corpus(home / "data" / "corpora" / "letters"))
    page = panel.opened_page
    controls, state = page.controls, page.gaps
    assert page.text.chosen.text() == "2 chosen"
    marks = page.text.view.look.marks
    assert sorted(mark.rank for mark in marks[0:6]) == [0, 0, 0, 0, 1, 2]
    for _ in range(30):
        qtbot.keyClick(controls.slider, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: page.text.chosen.text() == "4 chosen")
    assert controls.ratio.value == 60 and state.settings.ratio == 0.6
    qtbot.mouseClick(controls.strategy.part("lead"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: state.chosen == (0, 1, 2, 3))
    assert not controls.way.isEnabled()
    qtbot.mouseClick(controls.strategy.part("principal"), Qt.MouseButton.LeftButton)
    controls.masking.setCurrentIndex(1)
    controls.masking.activated.emit(1)
    qtbot.waitUntil(lambda: state.settings.masking == "remove" and not state.needs_order)
    given = page.gaps_side.input_view
    qtbot.waitUntil(lambda: "<MASK>" not in given.document.text)
    command = page.gaps_side.command.line
    assert command.endswith("letters --make gsg --ratio 0.6 --masking remove --out letters-gsg")
    panel.commands()["copy_command"]()
    assert QGuiApplication.clipboard().text() == command
    page.export(tmp_path / "pair.json")
    qtbot.waitUntil((tmp_path / "pair.json").exists)
    exported = json.loads((tmp_path / "pair.json").read_text("utf-8"))
    assert [each["index"] for each in exported["picked"]] == list(state.chosen)
    page.gaps_side.show_gaps(state)
    page.gaps_side._show_next()  # the input is drawn, its target is not: now something changes
    state.settings = state.settings.model_copy(update={"masking": "mask"})
    page.gaps_side.show_gaps(state)
    qtbot.waitUntil(lambda: "<MASK>" in given.document.text)


def test_what_is_not_allowed_together_cannot_be_chosen(
    qtbot: QtBot, panel: CorpusPanel, home: Path
) -> None:
    gaps(qtbot, panel, pairs_corpus(home / "data" / "corpora" / "letters"))
    controls = panel.opened_page.controls
    longest = controls.rouge.findData("L")
    model = controls.rouge.model()
    assert not model.flags(model.index(longest, 0)) & Qt.ItemFlag.ItemIsEnabled
    controls.way.setCurrentIndex(1)
    controls.way.activated.emit(1)
    assert model.flags(model.index(longest, 0)) & Qt.ItemFlag.ItemIsEnabled
    controls.rouge.setCurrentIndex(longest)
    controls.rouge.activated.emit(longest)
    assert controls.settings.rouge == "L" and not controls.unique.isEnabled()


def test_all_options_are_those_of_the_command(qtbot: QtBot, panel: CorpusPanel, home: Path) -> None:
    gaps(qtbot, panel, pairs_corpus(home / "data" / "corpora" / "letters"))
    page = panel.opened_page
    qtbot.mouseClick(page.controls.more, Qt.MouseButton.LeftButton)
    assert page.options.isVisible()
    row = page.form.rows["count"]
    row.edited.emit("count", "1")
    row.committed.emit("count")
    qtbot.waitUntil(lambda: page.text.chosen.text() == "1 chosen")
    assert not page.controls.slider.isEnabled()
    assert "--count 1" in page.gaps_side.command.line
    assert panel.escape() and not page.options.isVisible()


def test_training_data_are_made_of_what_is_shown(
    qtbot: QtBot, panel: CorpusPanel, home: Path
) -> None:
    letters = pairs_corpus(home / "data" / "corpora" / "letters")
    gaps(qtbot, panel, letters)
    page = panel.opened_page
    page.controls._put(ratio=0.5)
    qtbot.waitUntil(lambda: page.text.chosen.text() == "3 chosen")
    row = page.gaps.row
    assert row is not None
    text = row.document.text
    shown = [text[row.starts[each] : row.ends[each]] for each in page.gaps.chosen]
    qtbot.mouseClick(panel.header.make, Qt.MouseButton.LeftButton)
    looked(qtbot, panel)
    assert panel.new_page.name.text() == "letters-gsg"
    panel.prepare()
    opened(qtbot, panel)
    made = open_corpus(home / "data" / "corpora" / "letters-gsg")
    assert made.make == "gsg"
    assert [gap.strip() for gap in made.rows("train")[0]["gaps"]] == shown


def test_it_opens_again_with_the_corpus_that_was_open(
    qtbot: QtBot, panel: CorpusPanel, window: MainWindow, home: Path
) -> None:
    opened(qtbot, panel, pairs_corpus(home / "data" / "corpora" / "letters"))
    window.close()
    again = show_window(home)
    try:
        panel = again.panel("corpus")  # type: ignore[assignment]
        again.show_panel("corpus")
        qtbot.waitUntil(lambda: panel.title == "letters")
    finally:
        end_window(again)


def test_a_damaged_corpus_says_so_where_it_would_open(
    qtbot: QtBot, panel: CorpusPanel, home: Path
) -> None:
    corpus = pairs_corpus(home / "data" / "corpora" / "letters")
    for path in (corpus / "documents" / "train").iterdir():
        path.unlink()
    panel.open_corpus(corpus)
    notice = panel.opened_page.notice
    qtbot.waitUntil(lambda: "cannot be read" in notice.words)
    assert "Prepare it again" in notice.words


def test_every_control_can_be_reached_and_has_a_name(
    qtbot: QtBot, panel: CorpusPanel, window: MainWindow, home: Path
) -> None:
    gaps(qtbot, panel, pairs_corpus(home / "data" / "corpora" / "letters"))
    page = panel.opened_page
    met = []
    for _ in range(12):
        qtbot.keyClick(window, Qt.Key.Key_F6)
        met.append(window.focusWidget())
    for part in (panel.header, page.tabs, page.controls, page.column, page.text, page.side):
        assert any(part.isAncestorOf(widget) for widget in met if widget), part
    assert all(widget.accessibleName() or widget.text() for widget in met if widget)


@pytest.mark.parametrize("size", [(1366, 768), (1000, 700), (720, 450)])
def test_nothing_is_cut_off_in_a_small_window(
    qtbot: QtBot, panel: CorpusPanel, window: MainWindow, home: Path, size: tuple[int, int]
) -> None:
    gaps(qtbot, panel, pairs_corpus(home / "data" / "corpora" / "letters"))
    window.resize(*size)
    page = panel.opened_page
    qtbot.waitUntil(lambda: window.width() == size[0])
    assert page.width() <= size[0]
    for control in (page.controls.strategy, page.controls.slider, page.controls.masking):
        right = control.mapTo(page, control.rect().topRight()).x()
        assert right <= page.width()
    assert panel.header.make.isVisible()
    visible = [part for part in (page.column, page.text, page.side) if part.isVisible()]
    assert len(visible) == (3 if size[0] >= 1200 else 2 if size[0] >= 880 else 1)
    if size[0] < 1200:
        qtbot.mouseClick(page.parts.part("side"), Qt.MouseButton.LeftButton)
        assert page.side.isVisible() and not page.text.isVisible()


def test_many_documents_are_listed_without_being_read(
    qtbot: QtBot, panel: CorpusPanel, home: Path, tmp_path: Path
) -> None:
    texts = [f"Document {number} is short. It has two sentences." for number in range(3_000)]
    source = write_table(tmp_path / "many.parquet", {"text": texts})
    opened(qtbot, panel, prepare(home / "data" / "corpora" / "many", [source]))
    documents = panel.opened_page.documents
    assert documents.rowCount() == 3_000
    qtbot.waitUntil(lambda: len(documents._titles) > 0)
    assert len(documents._titles) < 400
    panel.opened_page.column.list.scroll_to_end()
    qtbot.waitUntil(lambda: documents.title(2_999).startswith("Document"))
    assert len(documents._titles) < 800


def test_lengths_are_compared_with_a_model_in_words_and_in_tokens(
    qtbot: QtBot, panel: CorpusPanel, home: Path
) -> None:
    opened(qtbot, panel, pairs_corpus(home / "data" / "corpora" / "letters"))
    page = panel.opened_page
    page.show_tab("lengths")
    tab = page.lengths
    told = "All 60 documents fit a model of 4\u202f096 tokens whole."
    assert tab.told.text().startswith(told) and "Estimated from words" in tab.told.text()
    tab.model_length.setText("60")
    tab.model_length.editingFinished.emit()
    assert tab.told.text().startswith("60 documents (100\u202f%) are longer than a model of 60")
    assert all(page.documents.is_over(number) for number in range(60))
    qtbot.mouseClick(tab.unit.part("tokens"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: tab.lengths.tokens is not None)
    assert tab.lengths.in_tokens and tab.documents.model.unit == "tokens"
    assert "Estimated" not in tab.told.text()
    tokens = tab.lengths.documents
    assert page.documents.lengths.tolist() == tokens.tolist()
    assert page.chart.model.marked == float(tokens[page.browser.number])
    panel.show_list()
    assert panel.saved_state()["model_length"] == 60


def test_pairs_that_look_wrong_are_a_click_away(
    qtbot: QtBot, panel: CorpusPanel, home: Path, tmp_path: Path
) -> None:
    summaries = [*SUMMARIES[:59], TEXTS[59]]
    source = write_table(tmp_path / "odd.parquet", {"document": TEXTS, "summary": summaries})
    opened(qtbot, panel, prepare(home / "data" / "corpora" / "odd", [source]))
    page = panel.opened_page
    page.show_tab("measures")
    qtbot.waitUntil(lambda: page.measures.measures is not None)
    assert page.measures.told.text().endswith("1 pair looks wrong.")
    record = page.measures.rows.record(0)
    assert page.measures.rows.rowCount() == 1
    assert "Copied from the document" in str(record.cells["why"])
    page.measures.table.selectRow(0)
    qtbot.keyClick(page.measures.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.text.view.document.text == TEXTS[59])
    assert page.tabs.value == "documents"
    assert page.measures.charts["coverage"].model.total == 60


def test_charts_of_pairs_leave_room_for_the_suspicious_ones(
    qtbot: QtBot, panel: CorpusPanel, home: Path, tmp_path: Path
) -> None:
    summaries = [*SUMMARIES[:59], TEXTS[59]]
    source = write_table(tmp_path / "odd.parquet", {"document": TEXTS, "summary": summaries})
    opened(qtbot, panel, prepare(home / "data" / "corpora" / "odd", [source]))
    tab = panel.opened_page.measures
    charts = tab.charts.values()
    panel.opened_page.show_tab("measures")
    qtbot.waitUntil(lambda: tab.measures is not None and tab.table.isVisible())

    def num_rows() -> int:
        return len({chart.mapTo(tab, QPoint()).y() for chart in charts})

    def in_sight() -> tuple[bool, bool]:
        """Whether the table's head is, and its foot."""
        top = tab.table.mapTo(tab, QPoint()).y()
        return top < tab.height(), top + tab.table.height() < tab.height()

    for size, rows, is_whole in (
        ((1440, 900), 2, True),
        ((1366, 768), 1, True),
        ((800, 600), 2, False),
    ):
        panel.window().resize(*size)
        wanted = rows, (True, is_whole)
        qtbot.waitUntil(lambda wanted=wanted: (num_rows(), in_sight()) == wanted)
        assert all(chart.height() >= LEAST_HEIGHT_PX for chart in charts)


def test_a_chart_that_cannot_be_saved_says_so(
    window: MainWindow, panel: CorpusPanel, tmp_path: Path
) -> None:
    page = panel.opened_page
    for chart in (page.chart, *page.measures.charts.values()):
        chart.failed.emit(EpitomeError("The file cannot be written.", "Choose another folder."))
        assert "The file cannot be written." in toasts(window)[-1]
        window.toasts.shown[-1].close()
        chart.saved.emit(tmp_path / "chart.png")
        assert "Saved the chart" in toasts(window)[-1]
        window.toasts.shown[-1].close()


def test_what_leaks_between_splits_is_said(
    qtbot: QtBot, panel: CorpusPanel, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [" ".join(f"word{n}of{at}" for at in range(40)) for n in range(8)]
    write_table(tmp_path / "set" / "train.parquet", {"text": texts})
    write_table(tmp_path / "set" / "test.parquet", {"text": ["Something else.", texts[2]]})
    opened(qtbot, panel, prepare(home / "data" / "corpora" / "leaky", [tmp_path / "set"]))
    page = panel.opened_page
    assert page.tabs.tab("duplicates").text() == "Duplicates, 1"
    assert not page.tabs.tab("measures").isVisible()
    page.show_tab("duplicates")
    assert "1 pair in two splits: what is tested was trained on." in words_on(page.duplicates)
    monkeypatch.setenv("HOME", str(tmp_path))
    shown = page.duplicates.model.index(0, 1).data()
    assert shown == f"~{os.sep}set{os.sep}test.parquet:2"
    page.duplicates.table.opened.emit(0)
    qtbot.waitUntil(lambda: page.text.view.document.text == texts[2])


def test_what_corpora_hold_is_read_whole_in_the_list(theme: Theme, panel: CorpusPanel) -> None:
    (column,) = [each for each in panel.list_page.model.columns if each.name == "kind"]
    metrics = QFontMetricsF(theme.font("body"))
    widest = max(metrics.horizontalAdvance(words) for words in KIND_WORDS.values())
    assert column.width >= widest + 24  # what a cell keeps clear at both sides
    assert KIND_WORDS["pairs"] == "pairs"  # as a new job calls them


def test_gap_sentences_of_plain_documents_are_no_difference_and_say_why(
    qtbot: QtBot, panel: CorpusPanel, tmp_path: Path
) -> None:
    page = panel.new_page
    plain = write_table(tmp_path / "plain.parquet", {"text": TEXTS})
    panel.new_corpus([str(plain)])
    looked(qtbot, panel)
    row = page.form.rows["make"]
    assert page.state.settings is not None and page.state.settings.make == "gsg"
    assert "have no summaries" in row.told and not row.difference.isVisible()
    assert "--make gsg" in page.state.command
    page._form_state.put("make", "text")
    page.form.refresh()
    page._settings_changed()
    looked(qtbot, panel)
    assert row.difference.text() == "default: Gap sentences"
    pairs = write_table(tmp_path / "both.parquet", {"text": TEXTS, "summary": SUMMARIES})
    panel.new_corpus([str(pairs)])
    looked(qtbot, panel)
    assert page.form.rows["make"].told.startswith("Rows to make")
    assert page.state.settings.make is None and not row.difference.isVisible()


def test_a_named_data_set_is_chosen_from_a_menu(
    qtbot: QtBot, window: MainWindow, panel: CorpusPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel.new_corpus()
    page = panel.new_page
    qtbot.mouseClick(page.data_sets, Qt.MouseButton.LeftButton)
    menu = the_menu(window)
    entries = {each.text().partition("\t")[0]: each for each in menu.actions() if each.text()}
    assert [name for name in entries if name.startswith("hf:")] == [
        "hf:wikipedia", "hf:big_patent", "hf:cnn_dailymail", "hf:xsum", "hf:arxiv", "hf:pubmed",
        "hf:newsroom",
    ]  # fmt: skip
    assert entries["hf:xsum"].text().endswith("pairs")
    assert entries["hf:wikipedia"].text().endswith("documents, streamed")
    entries["hf:xsum"].trigger()
    menu.close()
    assert page.state.sources == ("hf:xsum",)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *told: "/archives/newsroom")
    entries["hf:newsroom"].trigger()
    assert page.state.sources[1:] == ("hf:newsroom:/archives/newsroom",)
    page.named.setText("hf:arxiv:section")
    qtbot.keyClick(page.named, Qt.Key.Key_Return)
    assert page.state.sources[2:] == ("hf:arxiv:section",)
    page.begin([])


def test_gap_sentences_begin_as_the_card_of_each_corpus_says(
    qtbot: QtBot, panel: CorpusPanel, home: Path
) -> None:
    corpora, page = home / "data" / "corpora", panel.opened_page
    plain = prepare(corpora / "plain", [pairs_corpus(corpora / "letters")], make="text")
    own = CorpusSettings(make="gsg", ratio=0.5, masking="remove")
    made = prepare(corpora / "made", [corpora / "letters"], **own.model_dump())
    gaps(qtbot, panel, plain)
    qtbot.keyClick(page.controls.slider, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: "--ratio 0.99" in page.gaps_side.command.line)
    gaps(qtbot, panel, made)
    assert page.gaps.settings.ratio == 0.5 and page.gaps.settings.masking == "remove"
    assert page.controls.ratio.value == 50
    assert "--ratio 0.5" in page.gaps_side.command.line
    gaps(qtbot, panel, plain)
    assert page.gaps.settings.ratio == 0.3 and page.controls.ratio.value == 30


def test_gap_sentences_are_counted_in_tokens_once_there_is_a_tokenizer(
    qtbot: QtBot, panel: CorpusPanel, home: Path
) -> None:
    gaps(qtbot, panel, pairs_corpus(home / "data" / "corpora" / "letters"))
    page = panel.opened_page
    side = page.gaps_side
    qtbot.waitUntil(lambda: side.input.facts.text().endswith("words"))
    page.lengths.set_model_length(4096)
    page.lengths.count_tokens()
    qtbot.waitUntil(lambda: side.input.facts.text().endswith("of 4\u202f096 tokens"))
    before, target = side.input.facts.text(), side.target.facts.text()
    assert re.fullmatch(r"\d+ words, \d+ tokens", target)
    qtbot.keyClick(page.controls.slider, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: side.target.facts.text() != target)
    qtbot.waitUntil(lambda: side.target.facts.text().endswith("tokens"))
    assert side.input.facts.text() != before
    page.lengths.set_model_length(16)
    assert side.input.facts.text().endswith("of 16 tokens")
    assert side.input.facts._color == "warn"  # it does not fit
    gaps(qtbot, panel, home / "data" / "corpora" / "letters")
    qtbot.waitUntil(lambda: side.input.facts.text().endswith("of 16 tokens"))


@pytest.mark.parametrize("width", [1440, 1200])
def test_head_and_numbers_of_the_pseudo_summary_have_room(
    qtbot: QtBot, window: MainWindow, theme: Theme, panel: CorpusPanel, home: Path, width: int
) -> None:
    window.resize(width, 900)
    gaps(qtbot, panel, pairs_corpus(home / "data" / "corpora" / "letters"))
    side = panel.opened_page.gaps_side
    qtbot.waitUntil(lambda: side.target_view.page is not None)
    disc = QFontMetricsF(theme.font("capb")).horizontalAdvance("88888") + 8
    page = side.target_view.page
    assert page is not None and page.left - 18 - disc >= 6  # a disc ends 18 px before the text
    for card in (side.input, side.target):
        card.facts.setText("20\u202f054 words, 18\u202f731 of 16\u202f384 tokens, first 60 shown")
        qtbot.waitUntil(lambda card=card: card.title.width() >= card.title.sizeHint().width())


def test_controls_of_gap_sentences_fit_a_laptop_in_one_line(
    qtbot: QtBot, window: MainWindow, panel: CorpusPanel
) -> None:
    window.resize(1366, 768)
    panel.show_page(panel.opened_page)
    panel.opened_page.show_tab("gaps")
    controls = panel.opened_page.controls
    qtbot.waitUntil(lambda: controls.isVisible() and controls.width() > 1200)
    tops = {group.geometry().center().y() for group in controls._groups}
    assert len(tops) == 1


def test_plain_documents_become_gap_sentences_unless_the_person_chose(
    qtbot: QtBot, panel: CorpusPanel, tmp_path: Path
) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text(TEXTS[0], "utf-8")
    table = write_table(tmp_path / "post.parquet", {"document": TEXTS, "summary": SUMMARIES})
    panel.new_corpus([str(tmp_path / "letters")])
    looked(qtbot, panel)
    assert panel.new_page.state.settings is not None
    assert panel.new_page.state.settings.make == "gsg"
    assert "--make gsg" in panel.new_page.state.command
    panel.new_page.add([str(table)])
    looked(qtbot, panel)
    assert panel.new_page.state.settings.make is None
    panel.new_page._remove(str(table))
    looked(qtbot, panel)
    panel.new_page._form_state.put("make", "text")
    panel.new_page._settings_changed()
    looked(qtbot, panel)
    assert panel.new_page.state.settings.make == "text"


def test_an_open_corpus_leads_to_a_job_that_learns_from_it(
    qtbot: QtBot, window: MainWindow, panel: CorpusPanel, home: Path
) -> None:
    letters = pairs_corpus(home / "data" / "corpora" / "letters")
    opened(qtbot, panel, letters)
    qtbot.mouseClick(panel.header.train, Qt.MouseButton.LeftButton)
    train = window.shown
    assert isinstance(train, TrainPanel) and train.is_setting_up
    qtbot.waitUntil(lambda: train.new_desk.draft.corpus is not None)
    assert train.new_desk.draft.corpus.folder == letters
    assert train.new_desk.draft.objective == "summary"


def test_while_a_job_is_set_up_a_corpus_is_prepared_and_found(
    qtbot: QtBot, window: MainWindow, home: Path
) -> None:
    window.show_panel("train")
    train = window.shown
    assert isinstance(train, TrainPanel)
    train.new_job()
    qtbot.waitUntil(lambda: train.new_desk.has_looked)
    train.new_desk._go_to_corpus()
    panel = window.shown
    assert isinstance(panel, CorpusPanel)
    assert panel.shown_page is panel.new_page
    letters = pairs_corpus(home / "data" / "corpora" / "letters")
    window.show_panel("train")
    qtbot.waitUntil(lambda: train.new_desk.draft.corpus is not None)
    assert train.new_desk.draft.corpus.folder == letters


def test_a_new_corpus_that_another_panel_asks_for_is_not_replaced_by_the_one_opened_last(
    qtbot: QtBot, home: Path, queue: JobQueue
) -> None:
    folders = Folders.under(home)
    pairs_corpus(folders.corpora / "letters")
    state = WindowState(panels={"corpus": {"corpus": "letters"}})
    save_window_state(state, folders.window_file)
    window = show_window(home)
    window.show_panel("corpus", page="new")
    panel = window.shown
    assert isinstance(panel, CorpusPanel)
    qtbot.waitUntil(lambda: panel.list_page.model.rowCount() == 1)
    assert panel.new_page.isVisible() and not panel.title
    end_window(window)

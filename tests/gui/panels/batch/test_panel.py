"""The Batch panel in the real window: from dropped files to exported summaries."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.jobs.batches.store import BatchStore
from core.jobs.queue.job_queue import JobQueue
from core.runs.folder import RunFolder, process_at_work
from gui.main_window import MainWindow
from gui.panels.batch.panel import BatchPanel
from gui.panels.batch.password_dialog import PasswordDialog
from gui.panels.summarise.state import Phase
from tests.helpers.queued_jobs import queue_of
from tests.helpers.towns import text_of, write_documents
from tests.helpers.windows import (
    SECRET,
    desk,
    drop,
    end_window,
    files_data,
    locked,
    menus,
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
def panel(window: MainWindow) -> BatchPanel:
    window.show_panel("batch")
    shown = window.shown
    assert isinstance(shown, BatchPanel)
    return shown


def wait_for(qtbot: QtBot, panel: BatchPanel, phase: str) -> None:
    qtbot.waitUntil(lambda: panel.state.phase == phase)


def added(qtbot: QtBot, window: MainWindow, panel: BatchPanel, *paths: Path) -> None:
    before = panel.state.counts["all"]
    assert drop(window, files_data(*paths))
    qtbot.waitUntil(lambda: panel.state.counts["all"] > before)
    looking = "Looking for documents"
    qtbot.waitUntil(lambda: all(job.title != looking for job in window.jobs.jobs))


def summarised(qtbot: QtBot, window: MainWindow, panel: BatchPanel, *paths: Path) -> None:
    added(qtbot, window, panel, *paths)
    qtbot.mouseClick(panel.header.start, Qt.MouseButton.LeftButton)
    wait_for(qtbot, panel, "done")


def cells(panel: BatchPanel, name: str) -> list[object]:
    model = panel.page.model
    return [model.record(row).cells.get(name) for row in range(model.rowCount())]


def states(panel: BatchPanel) -> list[str]:
    return [state.text for state in cells(panel, "state")]  # type: ignore[attr-defined]


def click_in_row(qtbot: QtBot, panel: BatchPanel, row: int, *, second: bool) -> None:
    """Presses a button of a failed row."""
    table = panel.table
    rect, record = table.row_rect(row), panel.page.model.record(row)
    box = (table._rows.second_box if second else table._rows.remedy_box)(rect.toRectF(), record)
    where = box.center().toPoint()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(where))


def test_from_a_dropped_folder_to_open_summaries(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    assert panel.empty.isVisible() and "Summarise many documents" in words_on(panel.empty)
    documents = write_documents(tmp_path / "Towns", 3)
    (documents / "0001b.docx").write_bytes(b"PK\x03\x04" + bytes(500))
    added(qtbot, window, panel, documents)
    assert panel.header.facts == "Towns"
    assert panel.header.start.text() == "Summarise 4 documents"
    assert states(panel) == ["waiting"] * 4
    qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, panel, "done")
    assert states(panel) == ["done", "done", "not read", "done"]
    assert "4 of 4" in words_on(panel.page) and "3 done; 1 not read" in words_on(panel.page)
    assert panel.header.export.text() == "Export 3 summaries"
    assert cells(panel, "language")[0] == "English" and cells(panel, "sentences")[0] == 6
    failed = panel.page.model.record(2)
    assert failed.reason and (failed.remedy, failed.second) == ("Try again", "Skip")
    check_filters(qtbot, window, panel)
    panel.table.select(4)
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk(window).state.phase is Phase.READY)
    opened = desk(window).state.opened
    assert opened is not None and opened.document.source.path == str(documents / "0002.txt")


def check_filters(qtbot: QtBot, window: MainWindow, panel: BatchPanel) -> None:
    """Each filter shows what it counts; the search narrows them, Escape ends it."""
    parts = {name: panel.page.filters.part(name).text() for name in panel.page._titles}
    assert parts == {
        "all": "All 4", "done": "Done 3", "failed": "Not read 1", "note": "With a note 0",
        "waiting": "Waiting 0",
    }  # fmt: skip
    qtbot.mouseClick(panel.page.filters.part("failed"), Qt.MouseButton.LeftButton)
    assert cells(panel, "name") == ["0001b.docx"]
    qtbot.mouseClick(panel.page.filters.part("all"), Qt.MouseButton.LeftButton)
    window.act("find")
    assert panel.page.search.hasFocus()
    qtbot.keyClicks(panel.page.search, "0002")
    assert cells(panel, "name") == ["0002.txt"]
    qtbot.keyClicks(panel.page.search, "x")
    assert "No file has “0002x” in its name." in words_on(panel.page)
    window.escape()
    assert len(cells(panel, "name")) == 4


def test_a_failed_row_is_mended_or_skipped(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    documents = write_documents(tmp_path / "Towns", 1)
    (documents / "0000b.txt").write_text("Two words.", "utf-8")
    locked(documents)
    summarised(qtbot, window, panel, documents)
    assert states(panel) == ["done", "not read", "not read"]
    (documents / "0000b.txt").write_text(text_of("Elstow"), "utf-8")
    click_in_row(qtbot, panel, 1, second=False)
    qtbot.waitUntil(lambda: states(panel)[1] == "done")
    panel.table.select(3)
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    (dialog,) = window.findChildren(PasswordDialog)
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.field.error == "Type the password first." and dialog.isVisible()
    dialog.field.setText("wrong")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any("password" in told for told in toasts(window)))
    click_in_row(qtbot, panel, 2, second=True)
    qtbot.waitUntil(lambda: states(panel)[2] == "skipped")
    dialog = panel.row_actions.ask_password(3)
    dialog.field.setText(SECRET)
    qtbot.mouseClick(dialog.deed, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: states(panel) == ["done"] * 3)
    assert not any("password" in told for told in toasts(window))


def test_the_table_stays_where_it_is_while_documents_are_selected(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    added(qtbot, window, panel, write_documents(tmp_path / "Towns", 3))

    def heights() -> list[int]:
        return [panel.strip.heightForWidth(width) for width in range(600, 1440, 4)]

    before = heights()
    panel.table.select(1)
    assert "for 1 selected" in words_on(panel.strip) and heights() == before
    panel.table.selectAll()
    assert "for 3 selected" in words_on(panel.strip) and heights() == before


def test_settings_are_for_all_or_for_the_selected(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    added(qtbot, window, panel, write_documents(tmp_path / "Towns", 3))
    assert "for all 3" in words_on(panel.strip)
    enter_length(qtbot, panel, "2")
    qtbot.waitUntil(lambda: panel.state.settings.length == "2s")
    panel.table.select(2)
    assert "for 1 selected" in words_on(panel.strip)
    enter_length(qtbot, panel, "1")
    qtbot.waitUntil(lambda: panel.state.rows[2].wish.length == "1s")
    panel.strip.wished.emit("language", "de")
    qtbot.waitUntil(lambda: panel.state.rows[2].wish.language == "de")
    assert "--length 2s" in panel.page.command.line
    panel.starter.start()
    wait_for(qtbot, panel, "done")
    assert cells(panel, "sentences") == [2, 1, 2]
    assert cells(panel, "language") == ["English", "German", "English"]
    panel.table.clearSelection()
    enter_length(qtbot, panel, "3")
    told = "3 summaries were made with other settings than these."
    qtbot.waitUntil(lambda: told in words_on(panel.page))
    qtbot.mouseClick(panel.page.banner.deed, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: cells(panel, "sentences") == [3, 3, 3])
    wait_for(qtbot, panel, "done")


def enter_length(qtbot: QtBot, panel: BatchPanel, text: str) -> None:
    panel.strip.field.setFocus()
    panel.strip.field.selectAll()
    qtbot.keyClicks(panel.strip.field, text)
    qtbot.keyClick(panel.strip.field, Qt.Key.Key_Return)


def test_documents_that_were_added_to_an_empty_batch_have_the_keyboard(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    panel.header.batches.setFocus()
    added(qtbot, window, panel, write_documents(tmp_path / "Towns", 3))
    assert window.focusWidget() is panel.table
    panel.header.batches.setFocus()
    added(qtbot, window, panel, write_documents(tmp_path / "Rivers", 2))
    assert window.focusWidget() is panel.header.batches, "more documents leave it where it is"


@pytest.mark.parametrize("size", [(720, 450), (1000, 560)])
def test_what_the_banner_says_is_whole_in_a_low_window(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path, size: tuple[int, int]
) -> None:
    added(qtbot, window, panel, write_documents(tmp_path / "Towns", 3))
    window.resize(*size)
    banner = panel.page.banner
    told = "Resumed. 7 documents were finished before the computer was switched off on 21 November"
    banner.say("info", f"{told} at 22:26; none is done twice.", "Start over")
    qtbot.waitUntil(
        lambda: banner.words.height() >= banner.words.heightForWidth(banner.words.width())
    )
    assert banner.words.isVisible() and window.height() == size[1]
    assert panel.table.height() >= 2 * 40, "the head of the table and a document are in sight too"


def test_a_killed_batch_is_told_and_goes_on(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    added(qtbot, window, panel, write_documents(tmp_path / "Towns", 60))
    panel.starter.start()
    qtbot.waitUntil(lambda: panel.state.counts["done"] > 0)
    folder = panel.state.folder
    assert folder is not None
    process = process_at_work(RunFolder(folder))
    assert process is not None
    process.kill()
    wait_for(qtbot, panel, "failed")
    assert "What is done is kept." in panel.page.banner.words.text()
    assert panel.header.pause.text() == panel.page.banner.deed.text() == "Resume"
    qtbot.keyClick(window, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, panel, "done")
    assert panel.state.counts["done"] == 60
    told = panel.page.banner.words.text()
    assert told.startswith("Resumed. ") and told.endswith("none is done twice.")


def test_the_open_batch_is_known_after_a_crash_until_everything_is_forgotten(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    def kept() -> str:
        file = window.folders.window_file
        return file.read_text("utf-8") if file.exists() else ""

    added(qtbot, window, panel, write_documents(tmp_path / "Towns", 1))
    folder = panel.state.folder
    assert folder is not None
    qtbot.waitUntil(lambda: folder.name in kept())
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: folder.name not in kept())
    panel.open_batch(folder)
    qtbot.waitUntil(lambda: folder.name in kept())
    window.forget_everything()
    qtbot.waitUntil(lambda: folder.name not in kept() and not folder.exists())
    assert window.close()
    assert "towns" not in kept().lower()


def test_pause_resume_and_cancel_with_undo(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    added(qtbot, window, panel, write_documents(tmp_path / "Towns", 60))
    panel.starter.start()
    qtbot.waitUntil(lambda: panel.state.counts["done"] > 0)
    qtbot.mouseClick(panel.header.pause, Qt.MouseButton.LeftButton)
    wait_for(qtbot, panel, "paused")
    assert "paused" in words_on(panel.page)
    folder = panel.state.folder
    assert folder is not None
    qtbot.waitUntil(lambda: process_at_work(RunFolder(folder)) is None)
    before = ended_times(folder)
    assert 0 < len(before) < 60
    qtbot.waitUntil(lambda: panel.state.counts["done"] == len(before))
    assert panel.state.counts["waiting"] == 60 - len(before)
    panel.starter.cancel()
    qtbot.waitUntil(panel.empty.isVisible)
    assert not folder.exists()
    qtbot.waitUntil(lambda: any("cancelled" in told for told in toasts(window)))
    (job,) = window.controller.queue.jobs
    window.jobs.wish(f"queued {job.id}", "restore")
    qtbot.waitUntil(lambda: window.controller.queue.jobs[0].state == "paused")
    panel.open_batch(folder)
    wait_for(qtbot, panel, "paused")
    qtbot.mouseClick(panel.header.pause, Qt.MouseButton.LeftButton)
    wait_for(qtbot, panel, "done")
    assert panel.state.counts["done"] == 60
    assert before.items() <= ended_times(folder).items()  # none is done twice
    assert "finished before you paused the batch" in panel.page.banner.words.text()


def ended_times(folder: Path) -> dict[int, float]:
    """When each document of a batch was done, by its number."""
    with BatchStore(folder) as store:
        query = "SELECT number, ended FROM rows WHERE state = 'done'"
        return dict(store._database.execute(query).fetchall())


def test_a_batch_goes_on_without_its_window(
    qtbot: QtBot, home: Path, queue: JobQueue, tmp_path: Path
) -> None:
    window = show_window(home)
    window.show_panel("batch")
    panel = window.shown
    assert isinstance(panel, BatchPanel)
    added(qtbot, window, panel, write_documents(tmp_path / "Towns", 12))
    panel.starter.start()
    qtbot.waitUntil(lambda: panel.state.counts["done"] > 0)
    folder = panel.state.folder
    assert folder is not None
    end_window(window)
    window = show_window(home)
    window.show_panel("batch")
    panel = window.shown
    assert isinstance(panel, BatchPanel) and panel.state.folder == folder
    wait_for(qtbot, panel, "done")
    assert panel.state.counts["done"] == 12
    end_window(window)


def batch_of_towns(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> tuple[BatchPanel, Path]:
    """A batch of four documents that is open in a window: its panel and its folder."""
    window.show_panel("batch")
    panel = window.shown
    assert isinstance(panel, BatchPanel)
    added(qtbot, window, panel, write_documents(tmp_path / "Towns", 4))
    assert panel.state.folder is not None
    return panel, panel.state.folder


def test_what_was_asked_of_a_batch_is_done_though_the_window_closes(
    qtbot: QtBot, home: Path, queue: JobQueue, tmp_path: Path
) -> None:
    window = show_window(home)
    panel, folder = batch_of_towns(qtbot, window, tmp_path)
    for number in (1, 2, 3):  # the second and the third wait for the first
        panel.row_actions.skip([number])
    end_window(window)
    with BatchStore(folder) as store:
        assert store.counts()["skipped"] == 3


def test_a_start_that_waits_for_changes_is_made_though_another_batch_opens(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, queue: JobQueue, tmp_path: Path
) -> None:
    added(qtbot, window, panel, write_documents(tmp_path / "Towns", 4))
    folder = panel.state.folder
    panel.row_actions.skip([1])
    panel.starter.start()
    panel.open_batch(None)
    assert not queue.jobs()
    qtbot.waitUntil(lambda: [job.folder for job in queue.jobs()] == [folder])


def test_a_start_that_waits_for_changes_is_made_though_the_window_closes(
    qtbot: QtBot, home: Path, queue: JobQueue, tmp_path: Path
) -> None:
    window = show_window(home)
    panel, folder = batch_of_towns(qtbot, window, tmp_path)
    panel.row_actions.skip([1])
    panel.starter.start()
    end_window(window)
    assert [job.folder for job in queue.jobs()] == [folder]

    def is_summarised() -> bool:
        with BatchStore(folder) as store:
            return store.counts()["done"] == 3

    qtbot.waitUntil(is_summarised)


def test_summaries_are_exported_and_joined(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    documents = tmp_path / "Towns"
    documents.mkdir()
    common = "The old harbour wall of the northern basin was repaired with granite blocks."
    for town in ("Arden", "Borrow"):
        (documents / f"{town}.txt").write_text(f"{text_of(town)} {common}", "utf-8")
    summarised(qtbot, window, panel, documents)
    out = tmp_path / "all.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    qtbot.mouseClick(panel.header.export, Qt.MouseButton.LeftButton)
    menu = the_menu(window)
    next(each for each in menu.actions() if each.text().startswith("Markdown…")).trigger()
    menu.close()
    qtbot.waitUntil(out.exists)
    assert out.read_text("utf-8").startswith("# Towns\n\n## Contents\n\n- [")
    qtbot.waitUntil(lambda: "Exported 2 summaries to all.md" in " ".join(toasts(window)))
    panel.table.selectAll()
    assert panel.header.export.text() == "Export 2 summaries"
    panel.exporter.export("jsonl", tmp_path / "all.jsonl", ".jsonl")
    qtbot.waitUntil((tmp_path / "all.jsonl").exists)
    lines = (tmp_path / "all.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["schema"] for line in lines] == ["epitome.summarise/1"] * 2
    check_one_summary(qtbot, window, panel, tmp_path)


def test_a_batch_is_moved_to_the_trash_with_undo(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    documents = write_documents(tmp_path / "Towns", 2)
    added(qtbot, window, panel, documents)
    folder = panel.state.folder
    assert folder is not None
    panel.shelf.discard()
    qtbot.waitUntil(lambda: not folder.exists())
    assert panel.empty.isVisible() and len(list(documents.iterdir())) == 2
    (toast,) = (each for each in window.toasts.shown if "in the trash" in each.sentence)
    qtbot.mouseClick(toast.action, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.state.counts["waiting"] == 2)
    assert panel.state.folder == folder


def check_one_summary(qtbot: QtBot, window: MainWindow, panel: BatchPanel, folder: Path) -> None:
    """One summary of all documents is made, shown, written, and left by Escape."""
    qtbot.mouseClick(panel.header.together, Qt.MouseButton.LeftButton)
    page = panel.together_page
    qtbot.waitUntil(lambda: page.combined is not None and page._pages.currentIndex() == 1)
    combined = page.combined
    assert combined is not None
    (shared,) = [point for point in combined.shared if "granite" in point.text]
    assert [voice.document for voice in shared.voices] == [0, 1]
    assert "What the documents share" in words_on(page)
    qtbot.waitUntil(lambda: any(each.documents == 2 for each in window.history.search()))
    panel.together.export_to(folder / "one.docx")
    qtbot.waitUntil((folder / "one.docx").exists)
    window.escape()
    assert panel.page.isVisible()
    folder_before, revision = panel.state.folder, panel.state.revision
    panel.notices.start_over()
    qtbot.waitUntil(lambda: panel.state.revision > revision + 3)
    wait_for(qtbot, panel, "done")
    assert panel.state.folder == folder_before and panel.state.counts["done"] == 2


def test_other_batches_are_a_menu_away_and_the_command_is_copied(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    added(qtbot, window, panel, write_documents(tmp_path / "First", 2))
    first = panel.state.folder
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert panel.empty.isVisible()
    added(qtbot, window, panel, write_documents(tmp_path / "Second", 1))
    assert panel.state.folder != first
    qtbot.mouseClick(panel.header.batches, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(menus(window)))
    menu = the_menu(window)
    words = [each.text() for each in menu.actions()]
    assert any(each.startswith("First\t0 of 2 done") for each in words), words
    next(each for each in menu.actions() if each.text().startswith("First")).trigger()
    menu.close()
    assert panel.state.folder == first
    qtbot.waitUntil(lambda: panel.state.counts["all"] == 2)
    assert not panel.page.command.isVisible()
    qtbot.mouseClick(panel.strip.command, Qt.MouseButton.LeftButton)
    assert panel.page.command.isVisible()
    window.act("copy_command")
    copied = QGuiApplication.clipboard().text()
    assert copied == f"epitome summarise {tmp_path / 'First'} --out summaries"


def test_what_summarise_has_no_room_for_is_added_to_a_batch(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.panels.summarise.documents.open_documents.MOST_DOCUMENTS", 2)
    drop(desk(window), files_data(write_documents(tmp_path / "Towns", 3)))
    qtbot.waitUntil(lambda: bool(toasts(window)))
    (toast,) = window.toasts.shown
    assert toast.sentence.startswith("Opened 2 of 3 documents")
    qtbot.mouseClick(toast.action, Qt.MouseButton.LeftButton)
    panel = window.shown
    assert isinstance(panel, BatchPanel)
    qtbot.waitUntil(lambda: panel.state.counts["waiting"] == 3)
    qtbot.waitUntil(lambda: desk(window).opener.run is None)


def test_a_row_of_a_table_opens_as_text(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    table = tmp_path / "towns.jsonl"
    lines = [{"title": town, "text": text_of(town)} for town in ("Arden", "Borrow")]
    table.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    added(qtbot, window, panel, table)
    assert cells(panel, "name") == ["Arden", "Borrow"]
    panel.row_actions.open(2)
    qtbot.waitUntil(lambda: desk(window).state.phase is Phase.READY)
    opened = desk(window).state.opened
    assert opened is not None and opened.document.text.startswith("Borrow")


def test_a_history_that_cannot_be_written_is_told_beside_the_result(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    window.history.file.mkdir(parents=True)
    summarised(qtbot, window, panel, write_documents(tmp_path / "Towns", 1))
    told = "The summaries are here, but not all are in the history."
    qtbot.waitUntil(lambda: panel.page.banner.words.text().startswith(told))
    assert states(panel) == ["done"] and panel.page.banner.isVisible()
    qtbot.mouseClick(panel.page.banner.close_button, Qt.MouseButton.LeftButton)
    panel._redraw()
    assert not panel.page.banner.isVisible()


def test_a_table_in_a_folder_is_passed_over_and_it_is_said_what_to_do(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    documents = write_documents(tmp_path / "Towns", 2)
    (documents / "towns.csv").write_text("town,text\nArden,a\n", "utf-8")
    added(qtbot, window, panel, documents)
    told = "Towns: 1 file passed over (1 .csv). Add tables one by one."
    qtbot.waitUntil(lambda: any(told in toast for toast in toasts(window)))
    banner = panel.page.banner
    assert banner.isVisible() and told in banner.words.text(), "it outlives the toast"
    qtbot.mouseClick(banner.close_button, Qt.MouseButton.LeftButton)
    panel._redraw()
    assert not banner.isVisible()
    (documents / "towns.csv").rename(documents / "towns.jpg")
    added(qtbot, window, panel, write_documents(documents, 3))
    told = "2 documents were in the batch already. Towns: 1 file passed over (1 .jpg)."
    qtbot.waitUntil(lambda: any(told in toast for toast in toasts(window)))
    assert not any("tables" in toast for toast in toasts(window))


def test_a_table_whose_texts_are_not_clear_asks_for_their_column(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    table = tmp_path / "towns.csv"
    rows = [("id", "town", "place"), ("1", "Arden", "north"), ("2", "Borrow", "south")]
    table.write_text("\n".join(map(",".join, rows)), "utf-8")
    assert drop(window, files_data(table))
    card = panel.page.tables
    qtbot.waitUntil(card.isVisible)
    qtbot.waitUntil(lambda: "Which column of towns.csv holds the texts?" in words_on(card))
    preview = card.previews[str(table)]
    assert list(preview.heads) == ["id", "town", "place"] and "Borrow" in words_on(preview)
    qtbot.mouseClick(preview.heads["place"], Qt.MouseButton.LeftButton)
    menu = the_menu(window)
    next(each for each in menu.actions() if each.text() == "Read as documents").trigger()
    menu.close()
    qtbot.waitUntil(lambda: panel.state.counts["waiting"] == 2)
    qtbot.waitUntil(lambda: cells(panel, "name") == ["row 1", "row 2"])
    qtbot.waitUntil(lambda: "2 documents from the column “place” of 3" in words_on(card))
    toggler = card.togglers[str(table)]
    for words in ("Hide columns", "Columns", "Hide columns"):
        qtbot.mouseClick(toggler, Qt.MouseButton.LeftButton)
        assert toggler.text() == words and toggler.isVisible()
        assert card.previews[str(table)].isVisible() is (words == "Hide columns")
    assert panel.state.command == (
        f"epitome summarise {table} --column place --rows --out summaries"
    )
    card.previews[str(table)].column_chosen.emit("title", "town")
    qtbot.waitUntil(lambda: cells(panel, "name")[0] == "Arden")
    assert panel.state.counts["waiting"] == 2


def test_all_summaries_are_written_as_one_pdf(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    summarised(qtbot, window, panel, write_documents(tmp_path / "Towns", 2))
    path = tmp_path / "all.pdf"
    panel.exporter.export("document", path, ".pdf")
    qtbot.waitUntil(lambda: "Exported 2 summaries to all.pdf" in " ".join(toasts(window)))
    assert path.read_bytes().startswith(b"%PDF-")
    assert [each.name for each in tmp_path.iterdir() if each.suffix == ".tmp"] == []

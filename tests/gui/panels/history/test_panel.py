"""The History panel, as a person uses it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.events import Finished
from core.jobs.history.keep_history import entry_of_combined
from core.jobs.run import run_inline
from core.jobs.sources.source_files import NamedSource
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseSettings
from core.jobs.summaries.summarise_together import TogetherJob
from core.runs.comparisons import COMPARISON_FILE
from core.stop import StopToken
from core.summaries.summary import Length
from gui.main_window import MainWindow
from gui.panels.history.panel import HistoryPanel
from gui.panels.summarise.state import Phase
from gui.panels.summarise.summary.choices import BUILT_IN
from gui.widgets.inputs.dialog import ConfirmDialog
from tests.helpers.histories import an_entry
from tests.helpers.towns import text_of
from tests.helpers.windows import (
    ARTICLE,
    PATENT,
    REPORT,
    STILL,
    WIDE,
    desk,
    end_window,
    open_file,
    show_window,
    texts,
    toasts,
    words_on,
)


@pytest.fixture
def window(qtbot: QtBot, home: Path) -> Iterator[MainWindow]:
    window = show_window(home)
    window.resize(*WIDE)
    yield window
    end_window(window)


def shown(qtbot: QtBot, window: MainWindow, num_entries: int) -> HistoryPanel:
    window.show_panel("history")
    panel = window.panel("history")
    assert isinstance(panel, HistoryPanel)
    qtbot.waitUntil(lambda: panel.state.is_known and len(panel.state.entries) == num_entries)
    return panel


def kept(qtbot: QtBot, window: MainWindow, count: int) -> None:
    """Waits until so many summaries are in the history."""
    desk(window).recorder.record()
    qtbot.waitUntil(lambda: window.history.count()["all"] == count)


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Waits until all is written that was to be kept."""
    written: list[str] = []
    window.keeper.kept.connect(written.append)
    window.keeper.keep("last", lambda: None)
    qtbot.waitUntil(lambda: "last" in written)


def test_a_summary_is_kept_found_and_reopened_as_it_was(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    article = tmp_path / "clock.md"
    article.write_bytes(ARTICLE.read_bytes())
    open_file(qtbot, window, article)
    panel = desk(window)
    panel.editor.decide(panel.state.toggle_pin, 1)
    panel.editor.decide(panel.state.drop, 4)
    before = texts(window)
    kept(qtbot, window, 1)
    panel.close_document()
    assert panel.state.phase is Phase.EMPTY
    window.decisions.clear()
    history = shown(qtbot, window, 1)
    qtbot.waitUntil(lambda: history.preview.summary.summary is not None)
    assert "clock.md" in words_on(history.preview)
    history.list.setFocus()
    qtbot.keyClick(history.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.shown is window.panel("summarise"))
    qtbot.waitUntil(lambda: panel.state.phase is Phase.READY)
    assert texts(window) == before
    assert panel.state.opened is not None and panel.state.opened.choices.pinned
    kept(qtbot, window, 1)  # the same once more is no second entry


def test_beside_several_a_summary_is_reopened_as_it_was_and_the_others_stay(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window, ARTICLE)
    panel = desk(window)
    panel.editor.wish_length(Length(3), False)
    panel.editor.decide(panel.state.toggle_pin, 1)
    before = texts(window)
    kept(qtbot, window, 1)
    panel.close_document()
    window.decisions.clear()
    window.show_panel("summarise")
    panel.open_files([PATENT, REPORT])
    qtbot.waitUntil(lambda: panel.documents.are_several and panel.opener.run is None)
    shown_first = panel.documents.shown.state
    shown_first.model = "mine"  # as while another model is waited for
    history = shown(qtbot, window, 2)
    history.select(next(each.id for each in history.state.entries if each.name == "article.md"))
    qtbot.waitUntil(lambda: history.preview.summary.summary is not None)
    history.controller.reopen()
    qtbot.waitUntil(lambda: panel.documents.shown.path == ARTICLE)
    qtbot.waitUntil(lambda: panel.state.phase is Phase.READY)
    assert texts(window) == before
    assert panel.state.model == BUILT_IN
    assert shown_first.model == "mine"
    shown_first.model = BUILT_IN


@pytest.mark.parametrize("fate", ["gone", "changed"])
def test_a_document_that_is_gone_or_changed_is_said_and_the_summary_stays(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, fate: str
) -> None:
    article = tmp_path / "clock.md"
    article.write_bytes(ARTICLE.read_bytes())
    open_file(qtbot, window, article)
    kept(qtbot, window, 1)
    if fate == "gone":
        article.unlink()
    else:
        article.write_bytes(ARTICLE.read_bytes() + b"\n\nOne more sentence was added here.\n")
    history = shown(qtbot, window, 1)
    qtbot.waitUntil(lambda: history.preview.summary.summary is not None)
    qtbot.mouseClick(history.preview.open, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(history.preview.notice.isVisible)
    told = "There is no file at" if fate == "gone" else "The file has changed since"
    assert told in words_on(history.preview) and window.shown is history
    assert history.preview.summary.isVisible()
    assert history.preview.open_anyway.isVisible() == (fate == "changed")


def test_stars_notes_names_and_the_trash_by_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    window.history.keep(an_entry("A", id="a", made_s=9), an_entry("B", id="b", made_s=5))
    panel = shown(qtbot, window, 2)
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: panel.state.chosen == "b")
    qtbot.keyClick(panel.list, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: window.history.count()["starred"] == 1)
    qtbot.keyClick(panel.list, Qt.Key.Key_F2)
    qtbot.keyClicks(panel.preview.title.field, "The harbour")
    qtbot.keyClick(panel.preview.title.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [e.title for e in window.history.search("harb")] == ["The harbour"])
    qtbot.waitUntil(lambda: "The harbour" in [e.title for e in panel.state.entries])
    panel.preview.note.setText("for Tuesday")
    panel.preview.note.editingFinished.emit()
    qtbot.waitUntil(lambda: bool(window.history.search("tuesday")))
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: len(panel.state.entries) == 1)
    assert "Deleted “The harbour”" in toasts(window)[0]
    panel.controller.trash.undo()
    qtbot.waitUntil(lambda: len(panel.state.entries) == 2)
    assert panel.state.chosen == "b"


def test_the_keyboard_goes_back_to_the_list_after_renaming(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.history.keep(an_entry("A", id="a", made_s=9), an_entry("B", id="b", made_s=5))
    panel = shown(qtbot, window, 2)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        panel.list.setFocus()
        qtbot.keyClick(panel.list, Qt.Key.Key_F2)
        assert panel.preview.title.field.hasFocus()
        qtbot.keyClick(panel.preview.title.field, key)
        assert panel.list.hasFocus()
    panel.preview.title.pencil.setFocus()
    qtbot.keyClick(panel.preview.title.pencil, Qt.Key.Key_Space)
    qtbot.keyClick(panel.preview.title.field, Qt.Key.Key_Return)
    assert panel.preview.title.pencil.hasFocus()


def test_enter_in_the_search_goes_to_the_first_hit(qtbot: QtBot, window: MainWindow) -> None:
    entries = [an_entry(name, id=name, made_s=at) for at, name in enumerate(("Quay", "Cell", "A"))]
    window.history.keep(*entries)
    panel = shown(qtbot, window, 3)
    field = panel.strip.find_field
    panel.select("Quay")
    field.setFocus()
    qtbot.keyClicks(field, "cell")
    qtbot.keyClick(field, Qt.Key.Key_Return)  # nothing was found yet
    qtbot.waitUntil(panel.list.hasFocus)
    assert [entry.title for entry in panel.state.entries] == ["Cell"]
    assert panel.state.chosen == "Cell"
    field.setFocus()
    field.clear()
    qtbot.waitUntil(lambda: len(panel.state.entries) == 3)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.list.hasFocus() and panel.state.chosen == "Cell", "nothing is sought: it stays"
    field.setFocus()
    qtbot.keyClicks(field, "nowhere")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not panel.state.entries)
    assert field.hasFocus(), "there is no list to go to"


def test_a_search_says_how_many_of_all_it_found(qtbot: QtBot, window: MainWindow) -> None:
    window.history.keep(an_entry("Quay", id="q"), an_entry("Cell", id="c"), an_entry("Mill"))
    panel = shown(qtbot, window, 3)
    assert "3 summaries" in words_on(panel.header)
    qtbot.keyClicks(panel.strip.find_field, "qu")
    qtbot.waitUntil(lambda: len(panel.state.entries) == 1)
    assert "1 of 3 summaries" in words_on(panel.header)
    panel.state.limit = 1
    panel.redraw()
    assert "1 or more of 3 summaries" in words_on(panel.header)
    panel.strip.find_field.clear()
    qtbot.waitUntil(lambda: "of 3" not in words_on(panel.header))


def test_a_given_star_is_filled(qtbot: QtBot, window: MainWindow) -> None:
    window.history.keep(an_entry("A", id="a"))
    panel = shown(qtbot, window, 1)
    outline = panel.preview.star.grab().toImage()
    panel.controller.toggle_star()
    panel.preview.star.setText("Star")  # only the sign is looked at
    assert panel.preview.star.icon_name == "star-filled"
    assert panel.preview.star.grab().toImage() != outline


def test_typing_searches_and_the_trash_is_emptied(qtbot: QtBot, window: MainWindow) -> None:
    window.history.keep(an_entry("Quay", "Divers went down."), an_entry("Cell", "Lithium."))
    panel = shown(qtbot, window, 2)
    qtbot.keyClicks(panel.strip.find_field, "div")
    qtbot.waitUntil(lambda: [e.title for e in panel.state.entries] == ["Quay"])
    panel.controller.delete()
    qtbot.waitUntil(lambda: not panel.state.entries)
    assert "No summary matches “div”." in words_on(panel)
    assert panel.escape()
    panel.strip.choose("trash")
    qtbot.waitUntil(lambda: [e.title for e in panel.state.entries] == ["Quay"])
    assert panel.preview.restore.isVisible() and not panel.preview.open.isVisible()
    panel.controller.empty_trash()
    qtbot.waitUntil(lambda: window.history.count()["trash"] == 0)
    assert window.history.count()["all"] == 1


def test_the_chosen_one_stays_in_sight_when_the_search_ends(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.history.keep(*(an_entry(f"No {n}", id=str(n), made_s=60.0 * n) for n in range(50)))
    panel = shown(qtbot, window, 50)
    qtbot.keyClicks(panel.strip.find_field, "No 3")
    qtbot.waitUntil(lambda: len(panel.state.entries) == 11)  # 3 and 30 to 39
    panel.select("3")
    assert panel.escape()
    qtbot.waitUntil(lambda: len(panel.state.entries) == 50)
    assert panel.state.chosen == "3"
    box = panel.list.visualRect(panel.list.currentIndex())
    assert panel.list.viewport().rect().contains(box)


def test_pasted_text_has_no_file_and_can_be_copied(qtbot: QtBot, window: MainWindow) -> None:
    desk(window).open_text(ARTICLE.read_text("utf-8"))
    qtbot.waitUntil(lambda: desk(window).state.phase is Phase.READY)
    kept(qtbot, window, 1)
    panel = shown(qtbot, window, 1)
    qtbot.waitUntil(lambda: panel.preview.summary.summary is not None)
    panel.controller.reopen()
    assert "The text was pasted" in words_on(panel.preview)
    panel.controller.copy()
    assert QGuiApplication.clipboard().text().startswith(texts(window)[0])


def test_the_second_of_two_summaries_is_kept_and_becomes_the_one_that_is_used(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window, ARTICLE)
    kept(qtbot, window, 1)
    panel = desk(window)
    panel.comparison.open("built-in")
    kept(qtbot, window, 2)
    lengths = {entry.length for entry in window.history.search()}
    assert len(lengths) == 2
    panel.comparison.use()
    panel.recorder.record()
    settled(qtbot, window)
    assert {entry.length for entry in window.history.search()} == lengths


def test_one_summary_of_several_documents_is_shown_and_its_documents_open(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    paths = [tmp_path / name for name in ("Arden.txt", "Borrow.txt")]
    for path in paths:
        path.write_text(
            f"{text_of(path.stem)} The old harbour wall was repaired with granite.", "utf-8"
        )
    sources = tuple(NamedSource(path.name, SourceRef(path=path)) for path in paths)
    job = TogetherJob(sources, SummariseSettings(length="4s"), processes=1)
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished)
    window.history.keep(entry_of_combined(last.result[0], "auto", "command"))
    panel = shown(qtbot, window, 1)
    preview = panel.preview
    qtbot.waitUntil(lambda: preview.combined.combined is not None)
    words = words_on(preview)
    assert "One summary of 2 documents: Arden, Borrow" in words
    assert "What the documents share" in words and "at the command line" in words
    assert preview.combined.isVisible() and not preview.summary.isVisible()
    panel.controller.copy()
    assert "repaired with granite" in QGuiApplication.clipboard().text()
    assert preview.open.text() == "Open its documents"
    qtbot.mouseClick(preview.open, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.shown is window.panel("summarise"))
    qtbot.waitUntil(lambda: [each.path for each in desk(window).documents.all] == paths)
    qtbot.waitUntil(lambda: desk(window).opener.run is None)


@pytest.mark.parametrize("off", ["private", "history"])
def test_nothing_is_kept_while_it_is_off(qtbot: QtBot, window: MainWindow, off: str) -> None:
    changes = {"private": True} if off == "private" else {"history": False}
    window.set_preferences(STILL.model_copy(update=changes))
    open_file(qtbot, window, ARTICLE)
    desk(window).recorder.record()
    panel = shown(qtbot, window, 0)
    told = "new summaries are not kept. Turn it on in Settings, History."
    if off == "private":
        told = "Private mode: nothing is kept. Turn it off in Settings, History."
    assert told in words_on(panel) and panel.first.isVisible()
    window.set_preferences(STILL)
    open_file(qtbot, window, ARTICLE)
    kept(qtbot, window, 1)


def test_what_the_limits_remove_is_said(qtbot: QtBot, window: MainWindow) -> None:
    window.history.keep(an_entry("Old", made_s=9), an_entry("Starred", id="s", made_s=9))
    window.history.star("s", True)
    window.set_preferences(STILL.model_copy(update={"history_days": 30}))
    open_file(qtbot, window, ARTICLE)
    kept(qtbot, window, 2)
    qtbot.waitUntil(lambda: any("1 old summary removed" in each for each in toasts(window)))


@pytest.mark.parametrize("keeps", [True, False])
def test_the_limits_act_once_settings_is_left(
    qtbot: QtBot, window: MainWindow, keeps: bool
) -> None:
    window.history.keep(an_entry("Old", made_s=9), an_entry("Starred", id="s", made_s=9))
    window.history.star("s", True)
    window.show_panel("settings")
    for days in (1, 30):  # a limit may be set key by key
        changes = {"history": keeps, "history_days": days}
        window.set_preferences(STILL.model_copy(update=changes))
    settled(qtbot, window)
    assert window.history.count()["all"] == 2
    panel = shown(qtbot, window, 1)
    assert panel.state.entries[0].starred and window.history.count()["all"] == 1


def test_the_limits_act_at_the_start(qtbot: QtBot, home: Path, window: MainWindow) -> None:
    window.history.keep(an_entry("Old", made_s=9))
    changes = {"history": False, "history_days": 30}
    another = show_window(home, preferences=STILL.model_copy(update=changes))
    qtbot.waitUntil(lambda: window.history.count()["all"] == 0)
    end_window(another)


def test_a_small_window_shows_one_side_at_a_time(qtbot: QtBot, window: MainWindow) -> None:
    window.history.keep(an_entry("A"))
    window.resize(720, 450)
    panel = shown(qtbot, window, 1)
    qtbot.waitUntil(lambda: panel.header.switch.isVisible())
    assert panel.list.isVisible() and not panel.preview.isVisible()
    row = panel.list.visualRect(panel.list.model().index(1, 0)).center()
    qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert panel.preview.isVisible() and not panel.list.isVisible()
    assert panel.escape() and panel.list.isVisible()


def test_private_mode_keeps_nothing_of_what_is_opened(
    qtbot: QtBot, window: MainWindow, home: Path
) -> None:
    open_file(qtbot, window, ARTICLE)
    session = desk(window).saver.session
    assert session is not None and session.folder.exists()
    window.set_preferences(STILL.model_copy(update={"private": True}))
    qtbot.waitUntil(lambda: not session.folder.exists())
    assert "Private mode" in words_on(window.status)
    recents = window.recents.read()
    desk(window).open_text("The heliotrope ledger lists many keepers of the lamp. " * 12)
    qtbot.waitUntil(lambda: "heliotrope" in (texts(window) or [""])[0])
    desk(window).editor.decide(desk(window).state.toggle_pin, 0)
    desk(window).recorder.record()
    desk(window).saver.keep_decisions()
    desk(window).saver.keep_session()
    settled(qtbot, window)
    found = [path for path in home.rglob("*") if path.is_file()]
    assert not any(b"heliotrope" in path.read_bytes() for path in found)
    assert window.recents.read() == recents
    window.set_preferences(STILL)
    assert desk(window).saver.session is not None
    assert "Private mode" not in words_on(window.status)


def test_forgetting_everything_leaves_no_byte_in_the_four_folders(
    qtbot: QtBot, window: MainWindow, home: Path, tmp_path: Path
) -> None:
    ledger = tmp_path / "heliotrope.txt"
    ledger.write_text(
        "The heliotrope ledger lists keepers of the lamp by their name. " * 12, "utf-8"
    )
    open_file(qtbot, window, ledger)
    panel = desk(window)
    panel.editor.decide(panel.state.toggle_pin, 0)
    panel.saver.keep_decisions()
    panel.saver.keep_session()
    kept(qtbot, window, 1)
    window.history.annotate(window.history.search()[0].id, "heliotrope, too")
    left_behind = window.folders.sessions / "0123456789ab"
    left_behind.mkdir()
    (left_behind / "document.bin").write_text("heliotrope", "utf-8")
    batch = window.folders.batches / "2026-11-21-heliotrope-a1b2"
    batch.mkdir(parents=True)
    (batch / "batch.sqlite").write_text("heliotrope", "utf-8")
    for place in (window.folders.comparisons, window.folders.trash):
        (place / "compared").mkdir(parents=True)
        (place / "compared" / COMPARISON_FILE).write_text("heliotrope", "utf-8")
    qtbot.waitUntil(lambda: len(places_of(b"heliotrope", home)) > 5)
    window.show_panel("settings")
    settings = window.panel("settings")
    settings.privacy.forget.click()  # type: ignore[attr-defined]
    dialog = window.findChildren(ConfirmDialog)[-1]
    qtbot.mouseClick(dialog.deed_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Everything is forgotten" in " ".join(toasts(window)))
    assert panel.state.phase is Phase.EMPTY
    assert places_of(b"heliotrope", home) == []
    open_file(qtbot, window, ARTICLE)
    kept(qtbot, window, 1)


def places_of(word: bytes, home: Path) -> list[Path]:
    """The files under a folder that have a word in their name or their bytes."""
    found = [path for path in home.rglob("*") if word in str(path).encode()]
    files = [path for path in home.rglob("*") if path.is_file()]
    return found + [path for path in files if word in path.read_bytes().lower()]

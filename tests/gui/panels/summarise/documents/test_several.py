"""Several documents in the real window: listed, turned to, closed; each as it was left."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from core.jobs.sources.sources import SourceRef
from core.summaries.summary import Length
from gui.main_window import MainWindow
from gui.panels.summarise.documents.document_list import DocumentRow
from gui.panels.summarise.documents.open_documents import MOST_DOCUMENTS
from gui.panels.summarise.state import Phase
from gui.widgets.inputs.drop_zone import DropZone
from tests.helpers.windows import (
    ARTICLE,
    LOCKED_TEXT,
    PATENT,
    REPORT,
    SPRINGS,
    TIDES,
    desk,
    drop,
    end_window,
    failing,
    files_data,
    open_file,
    show_window,
    text_data,
    texts,
    the_menu,
    toasts,
    wait_for,
    words_on,
)

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PHASE = {"waiting": Phase.WAITING, "ready": Phase.READY, "failed": Phase.FAILED}


def names(window: MainWindow) -> list[str]:
    """The files of the open documents."""
    return [each.path.name for each in desk(window).documents.all if each.path is not None]


def shown(window: MainWindow) -> str:
    path = desk(window).documents.shown.path
    return path.name if path is not None else ""


def rows(window: MainWindow) -> list[DocumentRow]:
    return desk(window).list.rows


def words_of(row: DocumentRow) -> tuple[str, str]:
    """The name and the words in a row of the list."""
    return row.accessibleName(), row.accessibleDescription()


def is_quiet(window: MainWindow) -> bool:
    """Whether all is read that is to be read now."""
    panel = desk(window)
    return panel.opener.run is None and panel.documents.next_to_read() is None


def open_several(qtbot: QtBot, window: MainWindow, *paths: Path) -> None:
    """Drops files, and waits until the first and those beside it are read."""
    num_before = len(desk(window).documents) if desk(window).state.source else 0
    drop(desk(window), files_data(*paths))
    qtbot.waitUntil(lambda: len(desk(window).documents) == num_before + len(paths))
    qtbot.waitUntil(lambda: is_quiet(window))


def turn(qtbot: QtBot, window: MainWindow, place: int) -> None:
    """Shows the document at a place, and waits until it and those beside it are read."""
    panel = desk(window)
    panel.turner.show(panel.documents.all[place])
    qtbot.waitUntil(lambda: is_quiet(window))


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A folder with three documents, a picture, and a damaged one."""
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    for name in ("b.txt", "a.md", "deep/c.txt"):
        (folder / name).write_text(f"{Path(name).stem.upper()} is here. {LOCKED_TEXT * 3}", "utf-8")
    (folder / "broken.docx").write_bytes(b"PK\x03\x04" + bytes(500))
    (folder / "x.jpg").write_bytes(b"")
    return folder


# They come


@pytest.mark.parametrize("where", ["panel", "zone", "rail"])
def test_several_files_that_are_dropped_are_listed_and_the_first_is_shown(
    qtbot: QtBot, window: MainWindow, where: str
) -> None:
    targets: dict[str, QWidget] = {
        "panel": desk(window),
        "zone": window.panel("summarise").empty.findChildren(DropZone)[0],  # type: ignore[attr-defined]
        "rail": window,
    }
    assert drop(targets[where], files_data(ARTICLE, PATENT, REPORT))
    wait_for(qtbot, window)
    assert names(window) == [ARTICLE.name, PATENT.name, REPORT.name]
    assert shown(window) == ARTICLE.name
    assert desk(window).list.isVisible()
    assert toasts(window) == []
    qtbot.waitUntil(lambda: is_quiet(window))
    assert words_of(rows(window)[0]) == ("The clock that listens to the sea", ARTICLE.name)


def test_a_folder_lists_what_can_be_read_and_says_what_was_left_out(
    qtbot: QtBot, window: MainWindow, papers: Path
) -> None:
    drop(desk(window), files_data(papers))
    wait_for(qtbot, window)
    assert names(window) == ["a.md", "b.txt", "broken.docx", "c.txt"]
    assert toasts(window) == ["Opened 4 documents papers: 1 file passed over (1 .jpg)."]


def test_a_folder_without_documents_changes_nothing(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    open_file(qtbot, window)
    (tmp_path / "empty").mkdir()
    drop(desk(window), files_data(tmp_path / "empty"))
    qtbot.waitUntil(lambda: bool(toasts(window)))
    assert toasts(window) == ["There is no document in “empty” that can be read"]
    assert (shown(window), desk(window).state.phase) == (ARTICLE.name, Phase.READY)


def test_more_than_a_handful_names_the_command(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    for number in range(MOST_DOCUMENTS + 7):
        (tmp_path / f"{number:02}.txt").write_text(LOCKED_TEXT * 3, "utf-8")
    drop(desk(window), files_data(tmp_path))
    wait_for(qtbot, window)
    assert len(desk(window).documents) == MOST_DOCUMENTS
    assert toasts(window) == [
        f"Opened 50 of 57 documents For all of them type: epitome summarise {tmp_path}"
    ]
    desk(window).open_files([ARTICLE])
    assert toasts(window)[-1] == "50 documents are open Close some of them to open others."
    last = desk(window).documents.all[-1]
    desk(window).turner.show(last)
    assert not rows(window)[-1].visibleRegion().isEmpty(), "the list follows"


def test_one_document_is_shown_without_a_list_and_replaced_by_the_next(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window)
    drop(desk(window), files_data(TIDES))
    wait_for(qtbot, window)
    assert names(window) == [TIDES.name]
    assert not desk(window).list.isVisible()
    assert not desk(window).header.documents.isVisible()


def test_several_come_beside_the_one_that_is_open_with_all_that_was_done_to_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window)
    desk(window).summary.list.drop_requested.emit(0)
    before = texts(window)
    open_several(qtbot, window, TIDES, SPRINGS)
    assert names(window) == [ARTICLE.name, TIDES.name, SPRINGS.name]
    assert shown(window) == TIDES.name
    turn(qtbot, window, 0)
    assert texts(window) == before
    desk(window).undo()
    assert len(texts(window)) == len(before) + 1


def test_with_several_open_another_file_and_a_text_come_beside_them(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_several(qtbot, window, ARTICLE, TIDES)
    drop(desk(window), text_data(LOCKED_TEXT * 3))
    wait_for(qtbot, window)
    assert "lantern" in " ".join(texts(window))
    assert len(desk(window).documents) == 3
    desk(window).open_files([ARTICLE])
    assert shown(window) == ARTICLE.name
    assert len(desk(window).documents) == 3, "it is open already"


def test_the_dialog_takes_several(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = [str(ARTICLE), str(SPRINGS)]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    QTest.keyClick(window, Qt.Key.Key_O, CTRL)
    wait_for(qtbot, window)
    assert names(window) == [ARTICLE.name, SPRINGS.name]


def test_pasted_files_are_listed(qtbot: QtBot, window: MainWindow) -> None:
    QGuiApplication.clipboard().setMimeData(files_data(ARTICLE, SPRINGS))
    QTest.keyClick(window, Qt.Key.Key_V, CTRL)
    wait_for(qtbot, window)
    assert names(window) == [ARTICLE.name, SPRINGS.name]


def test_recent_documents_come_beside_several_and_only_shown_ones_are_recent(
    qtbot: QtBot, window: MainWindow, papers: Path
) -> None:
    open_several(qtbot, window, papers / "a.md", papers / "b.txt", papers / "deep" / "c.txt")
    turn(qtbot, window, 2)
    recent = [str(papers / "deep" / "c.txt"), str(papers / "a.md")]
    qtbot.waitUntil(lambda: [each.path for each in window.recents.read()][:2] == recent)
    assert str(papers / "b.txt") not in [each.path for each in window.recents.read()]
    desk(window).close_document()
    qtbot.mouseClick(desk(window).header._recent, Qt.MouseButton.LeftButton)
    # The one shown since may be the most recent by now.
    wanted = str(papers / "deep" / "c.txt")
    next(each for each in the_menu(window).actions() if wanted in each.toolTip()).trigger()
    assert names(window) == ["a.md", "b.txt", "c.txt"]
    assert shown(window) == "c.txt"


@pytest.mark.parametrize("by_folder", [True, False])
def test_the_command_line_opens_the_same_list(
    qtbot: QtBot, home: Path, papers: Path, by_folder: bool
) -> None:
    files = [papers / "a.md", papers / "b.txt"]
    (papers / "broken.docx").unlink()
    window = show_window(home, paths=[papers] if by_folder else files)
    try:
        wait_for(qtbot, window)
        assert names(window) == ["a.md", "b.txt", *(["c.txt"] if by_folder else [])]
    finally:
        end_window(window)


# They are read one after the other


def test_only_the_shown_one_and_those_beside_it_are_read(
    qtbot: QtBot, window: MainWindow, papers: Path, tmp_path: Path
) -> None:
    more = [tmp_path / f"{name}.txt" for name in "xyz"]
    for file in more:
        file.write_text(LOCKED_TEXT * 3, "utf-8")
    open_several(qtbot, window, papers / "a.md", papers / "b.txt", *more)
    said = [words_of(row)[1] for row in rows(window)]
    assert said == ["a.md", "b.txt", "waiting", "waiting", "z.txt"]
    turn(qtbot, window, 3)
    assert [words_of(row)[1] for row in rows(window)][2] == "x.txt"


def test_one_that_fails_tells_why_in_its_place_and_stops_no_other(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    damaged, said = failing("broken", tmp_path)
    open_several(qtbot, window, ARTICLE, damaged, REPORT)
    assert shown(window) == ARTICLE.name and desk(window).state.phase is Phase.READY
    name, why = words_of(rows(window)[1])
    assert name == said == damaged.name
    assert "is damaged" in why and damaged.name not in why
    assert words_of(rows(window)[2])[1] == REPORT.name
    turn(qtbot, window, 1)
    assert desk(window).failure.isVisible()
    assert "is damaged" in words_on(desk(window).failure)
    turn(qtbot, window, 2)
    assert len(texts(window)) == 9
    assert not desk(window).failure.isVisible()


def test_a_file_whose_scans_can_be_read_now_is_read_again_in_its_place(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_several(qtbot, window, ARTICLE, TIDES, SPRINGS)
    panel = desk(window)
    first, before = panel.state.source, panel.state.opened
    assert first is not None
    turn(qtbot, window, 2)
    panel.intake.read_again(first)
    assert (names(window), shown(window)) == (
        [ARTICLE.name, TIDES.name, SPRINGS.name],
        ARTICLE.name,
    )
    wait_for(qtbot, window)
    assert panel.state.opened is not before


def test_two_that_failed_each_tell_their_own_reason(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    files = [failing(kind, tmp_path)[0] for kind in ("broken", "empty")]
    open_several(qtbot, window, *files)
    for place, words in ((0, "is damaged"), (1, "is empty"), (0, "is damaged")):
        turn(qtbot, window, place)
        assert words in words_on(desk(window).failure)


def test_a_mended_file_is_read_again_in_its_place(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    damaged, _ = failing("broken", tmp_path)
    open_several(qtbot, window, damaged, ARTICLE)
    damaged.write_bytes(REPORT.read_bytes())
    desk(window).failure.retry_requested.emit()
    wait_for(qtbot, window)
    assert names(window) == [damaged.name, ARTICLE.name]


def test_escape_closes_the_one_that_is_being_read(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    large = tmp_path / "large.txt"
    large.write_text(LOCKED_TEXT * 8000, "utf-8")
    open_several(qtbot, window, ARTICLE, REPORT)
    desk(window).open_source(SourceRef(path=large))
    qtbot.waitUntil(lambda: desk(window).state.progress is not None)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert names(window) == [ARTICLE.name, REPORT.name]
    assert shown(window) == REPORT.name
    assert window.status.text == "Stopped. The document was closed."
    assert len(texts(window)) == 9


def test_one_that_is_being_read_begins_anew_with_the_language_it_is_opened_in(
    qtbot: QtBot, window: MainWindow
) -> None:
    panel = desk(window)
    panel.open_files([PATENT, REPORT])
    qtbot.waitUntil(lambda: panel.documents.are_several and panel.opener.run is not None)
    first = panel.opener.run
    window.show_panel("summarise", file=str(PATENT), length="2s", language="de")
    assert len(panel.documents) == 2
    assert panel.opener.run is not first
    wait_for(qtbot, window)
    assert panel.state.opened is not None
    assert panel.state.opened.document.reading.language == "de"
    assert len(texts(window)) == 2


def test_what_is_read_ahead_gives_way_to_what_is_shown(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    large = tmp_path / "large.txt"
    large.write_text(LOCKED_TEXT * 8000, "utf-8")
    drop(desk(window), files_data(ARTICLE, large, SPRINGS, TIDES))
    panel = desk(window)
    qtbot.waitUntil(lambda: len(panel.documents) == 4)
    ahead = panel.documents.all[1]
    qtbot.waitUntil(lambda: ahead.state.phase is Phase.READING)
    panel.turner.show(panel.documents.all[3])
    assert ahead.state.phase is Phase.WAITING
    wait_for(qtbot, window)
    assert shown(window) == TIDES.name
    panel.close_document(ahead)


# They are turned to


@pytest.mark.parametrize(
    ("forth", "back"),
    [
        ((Qt.Key.Key_PageDown, CTRL), (Qt.Key.Key_PageUp, CTRL)),
        ((Qt.Key.Key_Tab, CTRL), (Qt.Key.Key_Backtab, CTRL | SHIFT)),
    ],
)
@pytest.mark.parametrize("width", [1440, 1000])
def test_keys_turn_to_the_next_and_the_previous_and_go_round(
    qtbot: QtBot,
    window: MainWindow,
    forth: tuple[Qt.Key, Qt.KeyboardModifier],
    back: tuple[Qt.Key, Qt.KeyboardModifier],
    width: int,
) -> None:
    window.resize(width, 800)
    open_several(qtbot, window, ARTICLE, TIDES, SPRINGS)
    seen = []
    for key, modifiers in (forth, forth, forth, back):
        QTest.keyClick(window.focusWidget() or window, key, modifiers)
        seen.append(shown(window))
    assert seen == [TIDES.name, SPRINGS.name, ARTICLE.name, SPRINGS.name]
    assert window.windowTitle().startswith("springs")


def test_the_list_is_chosen_from_by_mouse_and_by_arrow_keys(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_several(qtbot, window, ARTICLE, TIDES, SPRINGS)
    qtbot.mouseClick(rows(window)[2], Qt.MouseButton.LeftButton)
    assert shown(window) == SPRINGS.name
    rows(window)[2].setFocus(Qt.FocusReason.TabFocusReason)
    for key, name in (
        (Qt.Key.Key_Up, TIDES.name),
        (Qt.Key.Key_Home, ARTICLE.name),
        (Qt.Key.Key_Up, ARTICLE.name),
        (Qt.Key.Key_End, SPRINGS.name),
    ):
        QTest.keyClick(window.focusWidget(), key)
        assert shown(window) == name
        assert window.focusWidget() is rows(window)[names(window).index(name)]


def test_the_keyboard_stays_in_the_list_when_it_comes_to_one_that_failed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    open_several(qtbot, window, ARTICLE, failing("broken", tmp_path)[0], SPRINGS)
    rows(window)[0].setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Down)
    assert desk(window).failure.isVisible()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Down)
    assert shown(window) == SPRINGS.name


def test_where_there_is_no_room_the_list_is_a_menu(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1000, 700)
    open_several(qtbot, window, ARTICLE, TIDES, SPRINGS)
    panel = desk(window)
    assert not panel.list.isVisible()
    assert panel.header.documents.text() == "1 of 3"
    qtbot.mouseClick(panel.header.documents, Qt.MouseButton.LeftButton)
    items = the_menu(window).actions()
    assert [item.isChecked() for item in items[:3]] == [True, False, False]
    items[2].trigger()
    assert (shown(window), panel.header.documents.text()) == (SPRINGS.name, "3 of 3")
    window.resize(1440, 900)
    qtbot.waitUntil(panel.list.isVisible)
    assert not panel.header.documents.isVisible()
    assert rows(window)[2].isChecked()


def test_every_document_keeps_its_length_its_pins_its_undo_and_its_place(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_several(qtbot, window, PATENT, ARTICLE, SPRINGS)
    panel, view, list_ = desk(window), desk(window).source.view, desk(window).summary.list
    panel.editor.wish_length(Length(20), False)
    list_.pin_requested.emit(15)
    list_.scroll_to(18, animated=False)
    view.show_from(9_000)
    left = (texts(window), view.first_visible_offset, list_.shown)
    turn(qtbot, window, 1)
    assert panel.summary.length.field.value == 9
    assert not panel.state.can_undo
    assert view.verticalScrollBar().value() == 0
    assert list_.verticalScrollBar().value() == 0
    list_.drop_requested.emit(0)
    turn(qtbot, window, 0)
    assert (texts(window), view.first_visible_offset, list_.shown) == left
    assert panel.summary.length.field.value == 20
    assert panel.state.opened is not None and len(panel.state.opened.choices.pinned) == 1
    panel.undo()
    assert not panel.state.opened.choices.pinned
    panel.undo()
    assert len(texts(window)) == 9
    turn(qtbot, window, 1)
    assert len(texts(window)) == 8


def test_a_length_that_is_typed_belongs_to_its_document(qtbot: QtBot, window: MainWindow) -> None:
    open_several(qtbot, window, PATENT, ARTICLE)
    field = desk(window).summary.length.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "12")
    QTest.keyClick(field, Qt.Key.Key_PageDown, CTRL)
    assert (shown(window), field.text()) == (ARTICLE.name, "9")
    field.selectAll()
    qtbot.keyClicks(field, "many")
    QTest.keyClick(field, Qt.Key.Key_PageUp, CTRL)
    assert (field.text(), len(texts(window))) == ("12", 12)
    QTest.keyClick(field, Qt.Key.Key_PageDown, CTRL)
    assert (field.text(), field.error, len(texts(window))) == ("9", "", 9)


def test_a_length_that_is_typed_goes_with_the_document_that_is_replaced(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window)
    field = desk(window).summary.length.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "12")
    drop(desk(window), files_data(TIDES))
    wait_for(qtbot, window)
    assert field.text() == "9"


def test_what_is_found_and_lit_in_one_is_not_in_the_next(qtbot: QtBot, window: MainWindow) -> None:
    open_several(qtbot, window, TIDES, ARTICLE)
    panel = desk(window)
    panel.find_in_source()
    panel.source.find_bar.field.setText("lithium")
    panel.stage.light(3)
    panel.outlet.copy_summary()
    turn(qtbot, window, 1)
    assert not panel.source.find_bar.isVisible()
    assert (panel.source.view.look.lit, panel.summary.list.lit, panel.map.lit) == (None,) * 3
    assert toasts(window) == []


# They are closed


@pytest.mark.parametrize("how", ["key", "button", "middle click", "delete"])
def test_one_is_closed_and_the_next_is_shown(qtbot: QtBot, window: MainWindow, how: str) -> None:
    open_several(qtbot, window, ARTICLE, TIDES, SPRINGS)
    turn(qtbot, window, 1)
    row = rows(window)[1]
    if how == "key":
        QTest.keyClick(window, Qt.Key.Key_W, CTRL)
    elif how == "button":
        qtbot.mouseClick(row.closing, Qt.MouseButton.LeftButton)
    elif how == "middle click":
        qtbot.mouseClick(row, Qt.MouseButton.MiddleButton, pos=QPoint(60, 20))
    else:
        row.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(row, Qt.Key.Key_Delete)
    assert names(window) == [ARTICLE.name, SPRINGS.name]
    assert shown(window) == SPRINGS.name
    assert len(rows(window)) == 2


def test_another_than_the_shown_one_is_closed(qtbot: QtBot, window: MainWindow) -> None:
    open_several(qtbot, window, ARTICLE, TIDES, SPRINGS)
    qtbot.mouseClick(rows(window)[1], Qt.MouseButton.MiddleButton, pos=QPoint(60, 20))
    assert names(window) == [ARTICLE.name, SPRINGS.name]
    assert shown(window) == ARTICLE.name


def test_the_last_but_one_takes_the_list_with_it(qtbot: QtBot, window: MainWindow) -> None:
    open_several(qtbot, window, ARTICLE, TIDES)
    QTest.keyClick(window, Qt.Key.Key_W, CTRL)
    assert not desk(window).list.isVisible()
    assert desk(window).state.phase is Phase.READY
    QTest.keyClick(window, Qt.Key.Key_W, CTRL)
    assert desk(window).state.phase is Phase.EMPTY


def test_what_was_decided_is_there_when_a_closed_one_is_opened_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_several(qtbot, window, ARTICLE, TIDES)
    desk(window).summary.list.drop_requested.emit(0)
    before = texts(window)
    desk(window).close_document()
    desk(window).turner.add([SourceRef(path=ARTICLE)])
    wait_for(qtbot, window)
    assert texts(window) == before


# They survive a crash


@pytest.fixture
def next_window(qtbot: QtBot, home: Path) -> Iterator[Callable[[], MainWindow]]:
    """Makes one window after the other in the same home; the one before died."""
    made: list[MainWindow] = []

    def make() -> MainWindow:
        for window in made:
            session = desk(window).saver.session
            assert session is not None
            session._lock.release()  # as the system does with what the process held
            desk(window).saver.session = None
            end_window(window)
        made[:] = [show_window(home)]
        return made[0]

    yield make
    for window in made:
        end_window(window)


def test_all_documents_come_back_after_a_crash_also_those_not_read_yet(
    qtbot: QtBot, next_window: Callable[[], MainWindow], papers: Path, tmp_path: Path
) -> None:
    first = next_window()
    damaged, _ = failing("broken", tmp_path)
    files = [PATENT, papers / "a.md", papers / "b.txt", papers / "deep" / "c.txt", damaged]
    open_several(qtbot, first, *files)
    desk(first).summary.list.pin_requested.emit(2)
    desk(first).editor.wish_length(Length(4), False)
    desk(first).source.view.show_from(9_000)
    offset, kept = desk(first).source.view.first_visible_offset, texts(first)
    turn(qtbot, first, 1)
    desk(first).editor.wish_length(Length(2), False)
    desk(first).saver._keep()
    qtbot.waitUntil(lambda: not first.keeper._busy)
    for times in (1, 2):  # also when the second window dies before it has read all of them
        again = next_window()
        assert names(again) == [file.name for file in files]
        assert shown(again) == "a.md"
        assert "and 4 other documents are open again" in toasts(again)[0]
        if times == 1:
            again.keeper._waiting.clear()
    wait_for(qtbot, again)
    assert len(texts(again)) == 2
    qtbot.waitUntil(lambda: is_quiet(again))
    turn(qtbot, again, 0)
    assert texts(again) == kept
    assert desk(again).source.view.first_visible_offset == offset
    assert desk(again).state.opened is not None
    assert len(desk(again).state.opened.choices.pinned) == 1


@pytest.mark.parametrize("shown_one", [True, False])
def test_the_window_closes_while_documents_are_read(
    qtbot: QtBot, home: Path, tmp_path: Path, shown_one: bool
) -> None:
    large = tmp_path / "large.txt"
    large.write_text(LOCKED_TEXT * 8000, "utf-8")
    files = [large, ARTICLE] if shown_one else [ARTICLE, large, SPRINGS]
    window = show_window(home, paths=files)
    qtbot.waitUntil(lambda: len(desk(window).documents) == len(files))
    reading = desk(window).documents.all[files.index(large)]
    qtbot.waitUntil(lambda: reading.state.phase is Phase.READING)
    end_window(window)
    assert list((home / "data" / "session").glob("*/*")) == [], "that was no crash"


def test_what_was_closed_does_not_come_back(
    qtbot: QtBot, next_window: Callable[[], MainWindow], papers: Path
) -> None:
    first = next_window()
    open_several(qtbot, first, papers / "a.md", papers / "b.txt", papers / "deep" / "c.txt")
    desk(first).close_document()
    desk(first).close_document(desk(first).documents.all[1])
    session = desk(first).saver.session
    assert session is not None
    qtbot.waitUntil(lambda: len(list(session.folder.glob("*.bin"))) == 1)
    qtbot.waitUntil(lambda: not first.keeper._busy)
    again = next_window()
    wait_for(qtbot, again)
    assert names(again) == ["b.txt"]
    assert not desk(again).list.isVisible()

"""What is dropped, pasted and named as nobody would: the window takes it, or says why not."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.display_names import shown
from core.library.history import History
from core.library.recent import Recent
from gui.main_window import MainWindow
from gui.panel import joined, parted
from gui.panels.summarise.documents import document_opener
from gui.panels.summarise.documents.open_documents import MOST_DOCUMENTS
from gui.panels.summarise.state import Phase
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.tables.table_model import Column, told
from tests.helpers.histories import an_entry
from tests.helpers.windows import (
    ARTICLE,
    desk,
    drop,
    files_data,
    open_file,
    text_data,
    toasts,
    words_on,
)

NAMES = ("two\nlines.md", "report\u202efdp.md", "a\x1b[31mred\x07.md", "caf\udce9.md", "n" * 251)


def test_a_name_is_shown_on_one_line_and_in_its_own_order() -> None:
    for name in NAMES:
        assert shown(name).isprintable()
        assert len(shown(name)) == len(name)
    assert shown("one\ntwo", lines=True) == "one\ntwo"
    for plain in ("Größe", "שלום", "report.pdf", "👩‍🔬", "人工智能", "a\u200fb"):
        assert shown(plain) == plain


def test_labels_tables_and_painters_show_no_mark_that_turns_the_reading(
    qtbot: QtBot, theme: Theme
) -> None:
    label = Label(theme, "report\u202efdp")
    qtbot.addWidget(label)
    assert label.text() == "report�fdp"
    label.setText("caf\udce9")
    assert label.text() == "caf�"
    assert told("two\nlines", Column("name", "Name")) == "two�lines"
    drawn = []
    for text in ("two\nlines\u202e", "two�lines�"):
        label.setText(text)
        label.resize(200, 40)
        drawn.append(label.grab().toImage())
    assert isinstance(drawn[0], QImage) and drawn[0] == drawn[1]


@pytest.mark.parametrize("name", NAMES)
def test_paths_are_handed_from_panel_to_panel_whatever_they_are_called(name: str) -> None:
    paths = [Path("/d") / name, Path("/d/other")]
    assert parted(joined(paths)) == paths


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_documents_with_odd_names_are_opened_and_listed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    for name in NAMES:
        path = tmp_path / name
        path.write_bytes(ARTICLE.read_bytes())
        open_file(qtbot, window, path)
        assert desk(window).state.summary is not None
        desk(window)._services.recents.add(Recent(str(path), f"Title of {name}", 3, 0))
        History(desk(window)._services.folders.history_file).keep(an_entry(name, path=str(path)))
    for panel in ("history", "summarise"):
        window.show_panel(panel)
        qtbot.waitUntil(lambda: not window.controller._threads)
        assert not any(mark in words_on(window) for mark in ("\u202e", "\x1b", "\udce9"))


def test_addresses_that_are_no_files_do_no_harm(qtbot: QtBot, window: MainWindow) -> None:
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/a.pdf"), QUrl("data:,x"), QUrl("")] * 40)
    drop(window, data)
    # A browser gives addresses as text, too, which is read like any other.
    ended = (Phase.EMPTY, Phase.FAILED, Phase.READY)
    qtbot.waitUntil(lambda: desk(window).state.phase in ended)
    assert not any("went wrong" in said for said in toasts(window)), toasts(window)


def test_thousands_of_files_are_cut_and_that_is_said(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{number}.txt" for number in range(5_000)]
    for path in paths[:30]:
        path.write_bytes(ARTICLE.read_bytes())
    drop(window, files_data(*paths))
    qtbot.waitUntil(lambda: bool(toasts(window)))
    assert len(desk(window).documents.all) <= MOST_DOCUMENTS


@pytest.mark.parametrize("html", [False, True])
def test_a_text_beyond_all_bounds_is_refused_in_the_window(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, html: bool
) -> None:
    monkeypatch.setattr(document_opener, "MOST_PASTED_CHARACTERS", 1_000)
    data = text_data("word", "<p>" + "word " * 400) if html else text_data("word " * 400)
    QApplication.clipboard().setMimeData(data)
    desk(window).paste()
    (said,) = toasts(window)
    assert said.startswith("The text is too long")
    assert "up to 1\u202f000 can be pasted or dropped" in said
    assert desk(window).state.phase is Phase.EMPTY


@pytest.mark.parametrize("text", ["\0\0\0", "\ufeff", "\ud83d", "\n" * 10_000, ""])
def test_a_clipboard_without_words_is_told(qtbot: QtBot, window: MainWindow, text: str) -> None:
    QApplication.clipboard().setMimeData(text_data(text))
    desk(window).paste()
    qtbot.waitUntil(lambda: bool(toasts(window)) or desk(window).state.phase is Phase.FAILED)
    assert desk(window).state.summary is None

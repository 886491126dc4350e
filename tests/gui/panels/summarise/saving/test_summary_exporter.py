"""How a summary leaves the window: names, formats, quotations, rich text."""

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.jobs.documents.open_document import DocumentRead, OpenJob
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.stop import StopToken
from gui.main_window import MainWindow
from tests.helpers.questions import answer
from tests.helpers.windows import PATENT, desk, open_file, the_menu, toasts


def export_as(window: MainWindow, suffix: str) -> None:
    """Chooses a format in the export menu."""
    desk(window).outlet.open_menu(desk(window).summary.export)
    menu = the_menu(window)
    chosen = next(each for each in menu.actions() if suffix in each.text())
    menu.close()
    chosen.trigger()


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Report", "Report.docx"),
        ("Report v1.2", "Report v1.2.docx"),
        ("Report.docx", "Report.docx"),
        ("Report.DOCX", "Report.DOCX"),
        ("Report.md", "Report.md"),
    ],
)
def test_the_ending_is_added_to_names_that_have_none(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    name: str, written: str,
) -> None:  # fmt: skip
    open_file(qtbot, window)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / name), ""))
    export_as(window, ".docx")
    qtbot.waitUntil(lambda: bool(toasts(window)))
    assert [path.name for path in tmp_path.iterdir()] == [written]


@pytest.mark.parametrize("deed", [False, True])
def test_a_file_whose_ending_was_not_typed_is_not_replaced_unasked(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: bool
) -> None:
    open_file(qtbot, window)
    typed = str(tmp_path / "Report v1.2")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (typed, ""))
    file = tmp_path / "Report v1.2.txt"
    file.write_text("mine", "utf-8")
    answer(deed)
    export_as(window, ".txt")
    if deed:
        qtbot.waitUntil(lambda: bool(toasts(window)))
    assert (file.read_text("utf-8") == "mine") is not deed


def test_a_pdf_holds_sentences_and_quotations(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    open_file(qtbot, window, PATENT)
    desk(window).outlet.export_to(tmp_path / "summary.pdf")
    qtbot.waitUntil(lambda: bool(toasts(window)))
    events = run_inline(OpenJob(SourceRef(path=tmp_path / "summary.pdf")), StopToken())
    text = next(event.document.text for event in events if isinstance(event, DocumentRead))
    summary = desk(window).state.summary
    assert summary is not None
    words = " ".join(text.split())
    assert "Where each sentence comes from" in words
    assert sum(item.text[:40] in words for item in summary.sentences) >= 8


def test_quotations_are_left_out_when_that_is_chosen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    open_file(qtbot, window)
    outlet, button = desk(window).outlet, desk(window).summary.export
    outlet.open_menu(button)
    menu = the_menu(window)
    next(item for item in menu.actions() if item.text() == "With quotations").trigger()
    menu.close()
    reopened = next(each for each in window.findChildren(type(menu)) if each.isVisible())
    assert not next(i for i in reopened.actions() if i.text() == "With quotations").isChecked()
    reopened.close()
    outlet.export_to(tmp_path / "summary.txt")
    qtbot.waitUntil(lambda: bool(toasts(window)))
    assert "Where each sentence comes from" not in (tmp_path / "summary.txt").read_text("utf-8")
    assert window.panel("summarise").saved_state()["export_quotations"] == 0
    outlet.quotations = True


def test_the_clipboard_holds_rich_text_beside_plain_text(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    desk(window).outlet.copy_sentence(0)
    data = QGuiApplication.clipboard().mimeData()
    assert "<cite>The clock that listens to the sea</cite>" in data.html()
    assert data.text().startswith("“")


@pytest.mark.parametrize("is_sample", [True, False])
def test_exports_are_offered_beside_the_document_but_never_among_the_samples(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_sample: bool,
) -> None:
    own = tmp_path / PATENT.name
    own.write_bytes(PATENT.read_bytes())
    open_file(qtbot, window, PATENT if is_sample else own)
    offered: list[str] = []
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *told: offered.append(told[2]) or ("", "")
    )
    desk(window).outlet.open_menu(desk(window).summary.export)
    next(a for a in the_menu(window).actions() if ".docx" in a.text()).trigger()
    assert Path(offered[0]).parent == (Path.home() if is_sample else tmp_path)

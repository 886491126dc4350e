"""What screen readers are told: a name for every control, parts of what is painted, news once."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from tests.helpers.windows import (
    ARTICLE,
    PATENT,
    WIDE,
    desk,
    failing,
    open_file,
    show_phase,
)

PHASES = ("empty", "reading", "ready", "several", "found", "locked", "failed", "settings", "help")


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is announced from now on."""
    said: list[str] = []
    update = QAccessible.updateAccessibility

    def listen(event: object) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            said.append(event.message())
        update(event)  # type: ignore[arg-type]

    monkeypatch.setattr(QAccessible, "updateAccessibility", listen)
    yield said


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("size", [WIDE, (1000, 700)])
def test_every_control_has_a_name(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, size: tuple[int, int], phase: str
) -> None:
    window.resize(*size)
    show_phase(qtbot, window, phase, tmp_path)
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            name = interface(widget).text(QAccessible.Text.Name)
            assert name.strip(), f"{type(widget).__name__} in {type(widget.parent()).__name__}"


def interface(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None
    return found


def parts(widget: QWidget) -> list[str]:
    """The names of the parts of a painted widget."""
    whole = interface(widget)
    names = []
    for index in range(whole.childCount()):
        part = whole.child(index)
        assert part is not None
        names.append(part.text(QAccessible.Text.Name))
    return names


def test_sentences_say_their_place_their_page_and_what_is_done_with_them(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window, PATENT)
    panel = desk(window)
    summary = panel.state.summary
    assert summary is not None
    panel.editor.decide(panel.state.toggle_pin, 3)
    panel.stage.light(4)
    said = parts(panel.summary.list)
    assert len(said) == 9
    page = summary.sentences[3].evidence[0].page
    assert said[3] == f"4 of 9, page {page}, pinned, evidence lit. {summary.sentences[3].text}"
    assert said[0].startswith("1 of 9, page ")
    assert interface(panel.summary.list).role() == QAccessible.Role.List


def test_without_pages_a_sentence_says_its_paragraph(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, ARTICLE)
    assert all(", paragraph " in name for name in parts(desk(window).summary.list))


def test_map_is_a_list_of_sentences_with_their_pages(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, PATENT)
    summary = desk(window).state.summary
    assert summary is not None
    assert parts(desk(window).map) == [
        f"sentence {number}, page {evidence.page}"
        for number, sentence in enumerate(summary.sentences, 1)
        for evidence in sentence.evidence
    ]


def test_source_says_its_paragraphs_and_what_they_are_evidence_of(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window, PATENT)
    view = desk(window).source.view
    view.scroll_to_number(2)
    said = parts(view)
    assert any(re.match(r"Evidence of sentences? (?:\d+, )*2\b", name) for name in said)
    assert interface(view).role() == QAccessible.Role.Document


def test_reading_a_document_is_announced_once(
    qtbot: QtBot, window: MainWindow, announced: list[str]
) -> None:
    open_file(qtbot, window)
    qtbot.waitUntil(lambda: not window.status.cancel_button.isVisible())
    assert len([said for said in announced if "9 sentences" in said]) == 1
    window.resize(1100, 700)
    desk(window).stage.light(2)
    assert len([said for said in announced if "9 sentences" in said]) == 1


def test_failure_is_announced_once(
    qtbot: QtBot, window: MainWindow, announced: list[str], tmp_path: Path
) -> None:
    show_phase(qtbot, window, "failed", tmp_path)
    message = desk(window).state.failure.message  # type: ignore[union-attr]
    assert announced.count(message) == 1
    assert failing("vanished", tmp_path)[0].name in message


def test_progress_is_announced_by_tenths(
    qtbot: QtBot, window: MainWindow, announced: list[str]
) -> None:
    for step in range(1001):
        window.jobs.report("read", "Reading report.pdf", share=step / 1000)
    assert len(announced) == 10
    window.jobs.end("read", "done", stays=False)


def test_toasts_are_announced_once(qtbot: QtBot, window: MainWindow, announced: list[str]) -> None:
    open_file(qtbot, window)
    announced.clear()
    desk(window).outlet.copy_summary()
    assert announced == ["Copied the summary with its page references"]

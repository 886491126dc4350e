"""Two summaries of one document side by side, in the real window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.jobs.sources.sources import SourceRef
from core.summaries.length import Length
from gui.main_window import MainWindow
from gui.panels.summarise.state import SummariseState
from gui.panels.summarise.summary.choices import BUILT_IN
from tests.helpers.windows import (
    ARTICLE,
    PATENT,
    desk,
    open_file,
    texts,
    wait_for,
    words_on,
)

LAPTOP = (1366, 768)


def second(window: MainWindow) -> SummariseState:
    state = desk(window).documents.shown.second
    assert state is not None
    return state


def second_texts(window: MainWindow) -> list[str]:
    summary = desk(window).comparison.column.list.summary
    assert summary is not None
    return [sentence.text for sentence in summary.sentences]


@pytest.fixture
def compared(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """A patent with two summaries of it, on the screen of a laptop."""
    window.resize(*LAPTOP)
    open_file(qtbot, window, PATENT)
    desk(window).editor.wish_length(Length(5), False)
    desk(window).comparison.open(BUILT_IN)
    return window


def test_two_lengths_stand_side_by_side(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(*LAPTOP)
    open_file(qtbot, window, PATENT)
    desk(window).editor.wish_length(Length(5), False)
    panel, before = desk(window), texts(window)
    qtbot.mouseClick(panel.summary.compare, Qt.MouseButton.LeftButton)
    column = panel.comparison.column
    assert column.isVisible() and panel.summary.isVisible() and not panel.source.isVisible()
    assert min(column.width(), panel.summary.width()) > 560
    assert texts(window) == before and len(second_texts(window)) == 2 * len(before)
    assert "10 sentences" in words_on(column) and "5 sentences" in words_on(panel.summary)
    assert panel.summary.list.lit is None and column.list.lit is None
    qtbot.mouseClick(column.close_second, Qt.MouseButton.LeftButton)
    assert not column.isVisible() and panel.source.isVisible() and texts(window) == before


def test_it_is_opened_changed_and_closed_by_keyboard_alone(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(*LAPTOP)
    open_file(qtbot, window, PATENT)
    panel, column = desk(window), desk(window).comparison.column
    panel.state.set_length(Length(5))
    qtbot.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert column.length.field.hasFocus()
    qtbot.keyClick(column.length.field, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: len(second_texts(window)) == 11)
    assert len(texts(window)) == 5
    while not column.list.hasFocus():
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(column.list, Qt.Key.Key_P)
    assert column.list.summary is not None and column.list.summary.sentences[0].pinned
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not column.list.summary.sentences[0].pinned
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(second_texts(window)) == 10
    qtbot.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert not column.isVisible() and panel.summary.list.hasFocus()


def test_a_sentence_of_either_shows_its_evidence_in_its_place_and_in_the_source(
    qtbot: QtBot, compared: MainWindow
) -> None:
    panel = desk(compared)
    for column in (panel.summary, panel.comparison.column):
        panel.show_side("summary")
        column.list.setFocus()
        qtbot.keyClick(column.list, Qt.Key.Key_End)
        qtbot.keyClick(column.list, Qt.Key.Key_Return)
        summary = column.list.summary
        assert summary is not None and column.list.page is not None
        last = len(summary.sentences)
        assert column.list.page.open_row == last - 1
        column.list.show_in_source.emit(last)
        assert panel.source.isVisible() and column.isVisible() and panel.map.isVisible()
        shown = {mark.start for mark in panel.source.view.look.marks}
        assert shown == {sentence.evidence[0].start for sentence in summary.sentences}
        assert panel.source.view.look.lit == column.list.lit == last
    assert not panel.summary.isVisible()


def test_the_first_stands_left_of_the_second(qtbot: QtBot, compared: MainWindow) -> None:
    columns = desk(compared).stage.columns
    first, second_column = columns.summary, columns.second
    assert 0 == first.x() < second_column.x() == first.width()
    width = first.width()
    grip = columns._grips[0]
    grip.setFocus()
    qtbot.keyClick(grip, Qt.Key.Key_Right)
    assert first.width() == width + 16 and second_column.x() == first.width()
    regions = desk(compared).stage.regions()
    assert regions.index(columns.second.list) > regions.index(desk(compared).stage.summary.list)


def test_the_second_can_take_the_place_of_the_first(compared: MainWindow) -> None:
    panel, before, wanted = desk(compared), texts(compared), second_texts(compared)
    panel.comparison.use()
    assert not panel.comparison.is_open
    assert texts(compared) == wanted and panel.summary.length.field.text() == str(len(wanted))
    panel.undo()
    assert texts(compared) == before


def test_the_second_is_copied_from_its_own_column(qtbot: QtBot, compared: MainWindow) -> None:
    panel = desk(compared)
    panel.comparison.column.list.setFocus()
    panel.copy_summary()
    assert second_texts(compared)[-1][:40] in QGuiApplication.clipboard().text()
    assert len(second_texts(compared)) > len(texts(compared))


def test_each_document_keeps_its_own_comparison(qtbot: QtBot, compared: MainWindow) -> None:
    panel, first = desk(compared), desk(compared).documents.shown
    wanted = second_texts(compared)
    panel.turner.add([SourceRef(path=ARTICLE)])
    wait_for(qtbot, compared)
    assert not panel.comparison.is_open and panel.source.isVisible()
    panel.turner.show(first)
    assert panel.comparison.is_open and second_texts(compared) == wanted
    panel.turner.close(first)
    assert not panel.comparison.is_open and not panel.comparison.column.isVisible()


def test_what_is_opened_after_the_document_was_closed_is_not_compared(
    qtbot: QtBot, compared: MainWindow
) -> None:
    desk(compared).close_document()
    open_file(qtbot, compared, ARTICLE)
    assert not desk(compared).comparison.is_open
    assert not desk(compared).comparison.column.isVisible()


@pytest.mark.parametrize("size", [(1440, 900), LAPTOP, (1000, 700), (720, 450)])
def test_both_have_room_in_every_window(compared: MainWindow, size: tuple[int, int]) -> None:
    compared.resize(*size)
    QApplication.processEvents()
    panel = desk(compared)
    assert compared.width() == size[0], "nothing in it needs more room"
    for column in (panel.comparison.column, panel.summary):
        assert column.isVisible() and column.width() >= 320
        buttons = [
            button
            for button in (column.close_second, column.use, column._copy, column._undo)
            if button.isVisible()
        ]
        assert all(column.rect().contains(button.geometry().right(), 1) for button in buttons)
        assert not any(
            one.geometry().intersects(other.geometry())
            for one in buttons
            for other in buttons
            if one is not other
        )


def test_a_language_chosen_for_the_source_holds_for_both(
    qtbot: QtBot, compared: MainWindow
) -> None:
    panel = desk(compared)
    panel._choose_language("de")
    qtbot.waitUntil(lambda: panel.state.wish is None)
    assert second(compared).language == panel.state.language == "de"
    assert second(compared).wish is None

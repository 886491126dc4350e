"""What is dragged over the window from another program stays there."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.panels.models.details import Notes
from gui.panels.train.details import AboutForm
from gui.theme.theme import Theme
from gui.widgets.inputs.drop_zone import DropZone
from gui.widgets.inputs.field import TextField
from tests.helpers.windows import (
    ARTICLE,
    LOCKED_TEXT,
    PATENT,
    desk,
    drop,
    files_data,
    open_file,
    text_data,
    wait_for,
)

COPY, LINK, MOVE = Qt.DropAction.CopyAction, Qt.DropAction.LinkAction, Qt.DropAction.MoveAction


def dropped(target: QWidget, actions: Qt.DropAction) -> Qt.DropAction:
    """Drops text on a widget with Shift held, by which a program proposes to move it.

    Returns:
        What is done with it; nothing where it was refused.
    """
    data = text_data(LOCKED_TEXT)
    held = (data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier)
    enter = QDragEnterEvent(QPoint(20, 20), actions, *held)
    assert enter.proposedAction() == MOVE
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return Qt.DropAction.IgnoreAction
    drop = QDropEvent(QPointF(20, 20), actions, *held)
    QApplication.sendEvent(target, drop)
    assert drop.isAccepted()
    assert drop.dropAction() == enter.dropAction()
    return drop.dropAction()


@pytest.mark.parametrize(
    ("actions", "done"),
    [(COPY | MOVE, COPY), (COPY | LINK | MOVE, COPY), (LINK | MOVE, LINK)],
)
def test_dropped_text_is_copied_though_its_program_proposes_to_move_it(
    qtbot: QtBot, theme: Theme, actions: Qt.DropAction, done: Qt.DropAction
) -> None:
    zone = DropZone(theme, "Drop a document here", "PDF or text", takes_text=True)
    qtbot.addWidget(zone)
    with qtbot.waitSignal(zone.text_dropped):
        assert dropped(zone, actions) == done


def test_what_can_only_be_moved_is_not_taken(qtbot: QtBot, theme: Theme) -> None:
    zone = DropZone(theme, "Drop a document here", "PDF or text", takes_text=True)
    qtbot.addWidget(zone)
    assert dropped(zone, MOVE) == Qt.DropAction.IgnoreAction


def test_the_window_copies_too(window: MainWindow) -> None:
    assert dropped(window, COPY | MOVE) == COPY


def test_a_file_dropped_on_a_field_is_opened_by_the_window(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window, PATENT)
    desk(window).source.find_bar.open_bar()
    field = desk(window).source.find_bar.field
    data = files_data(ARTICLE)
    data.setText(ARTICLE.as_uri())  # as some file managers do
    assert drop(field, data)
    qtbot.waitUntil(lambda: desk(window).state.source is not None)
    wait_for(qtbot, window)
    assert field.text() == ""
    assert desk(window).state.opened.document.source.name == ARTICLE.name  # type: ignore[union-attr]


def test_fields_take_text_and_no_files(qtbot: QtBot, theme: Theme) -> None:
    about = AboutForm(theme)
    qtbot.addWidget(about)
    fields = [TextField(theme, name="Name"), Notes("Notes"), about.notes]
    held = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    files, words = files_data(ARTICLE), text_data("a ship")
    for field in fields:
        qtbot.addWidget(field)
        events = [QDragEnterEvent(QPoint(4, 4), COPY, data, *held) for data in (files, words)]
        for event in events:
            field.dragEnterEvent(event)
        assert [event.isAccepted() for event in events] == [False, True]


@pytest.mark.parametrize("name", ["batch", "corpus"])
def test_text_that_a_panel_has_no_use_for_is_opened_in_summarise(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    window.show_panel(name)
    panel = window.panel(name)
    zone = next(each for each in panel.findChildren(DropZone) if each.isVisible())
    assert drop(zone, text_data(ARTICLE.read_text("utf-8")))
    assert window.shown is window.panel("summarise")
    wait_for(qtbot, window)

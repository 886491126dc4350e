"""Words that have no room are told whole where the pointer rests on them."""

from html import unescape

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from docs.scenes.tables import files_model
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.support import cut_words
from gui.widgets.tables.table import Table

TITLE = "Ground water in the Upper Rhine, 2019 to 2024"


@pytest.fixture
def tips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What tooltips said so far. Real ones go only a while after they are told to."""
    told: list[str] = []
    monkeypatch.setattr(
        cut_words.QToolTip, "showText", lambda place, text, widget: told.append(text)
    )
    return told


def told_at(widget: QWidget, point: QPoint, tips: list[str]) -> str:
    """What a tooltip says when the pointer rests there."""
    tips.clear()
    at = widget.mapToGlobal(point)
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, point, at))
    return unescape("".join(tips).removeprefix("<p>").removesuffix("</p>"))


def on_screen(qtbot: QtBot, widget: QWidget, width: int, height: int = 32) -> None:
    qtbot.addWidget(widget)
    widget.resize(width, height)
    with qtbot.waitExposed(widget):
        widget.show()


@pytest.mark.parametrize("words", [TITLE, "<b>Titles</b> are never markup, & so it stays"])
def test_a_label_that_is_cut_off_tells_its_words(
    qtbot: QtBot, theme: Theme, tips: list[str], words: str
) -> None:
    label = Label(theme, words, elide=True)
    on_screen(qtbot, label, 120)
    assert told_at(label, QPoint(20, 10), tips) == words
    label.resize(600, 32)
    assert told_at(label, QPoint(20, 10), tips) == ""


def test_a_label_with_a_tooltip_of_its_own_keeps_it(
    qtbot: QtBot, theme: Theme, tips: list[str]
) -> None:
    label = Label(theme, TITLE, elide=True)
    label.setToolTip("/papers/<b>report</b>.docx")
    on_screen(qtbot, label, 120)
    assert told_at(label, QPoint(20, 10), tips) == "/papers/<b>report</b>.docx"


def test_a_cell_that_is_cut_off_tells_its_words_wherever_it_was_scrolled(
    qtbot: QtBot, theme: Theme, tips: list[str]
) -> None:
    model = files_model()
    table = Table(theme, model, name="Files")
    on_screen(qtbot, table, 1000, 160)
    table.setColumnWidth(0, 90)
    name = str(model.record(0).cells["file"])
    cell = table.visualRect(model.index(0, 0)).center()
    assert told_at(table.viewport(), cell, tips) == name
    assert told_at(table.viewport(), table.visualRect(model.index(0, 1)).center(), tips) == ""
    table.verticalScrollBar().setValue(40)
    moved = told_at(table.viewport(), cell, tips)
    assert moved and moved != name


def test_a_choice_that_is_cut_off_tells_its_words(
    qtbot: QtBot, theme: Theme, tips: list[str]
) -> None:
    box = ComboBox(theme, name="Document", width=110)
    box.addItem(TITLE, 0)
    on_screen(qtbot, box, 110)
    assert told_at(box, QPoint(30, 15), tips) == TITLE

"""The page of first steps: behind F1, closed by Escape, true to the keys, whole at every size."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.panels.help.cards import PointLine, TopicCard
from gui.panels.help.panel import Content, column_ends
from gui.panels.help.topics import topics
from gui.shortcuts import shortcuts
from gui.widgets.display.tooltip import KeyCap
from gui.widgets.inputs.button import Button
from tests.helpers.windows import WIDE, end_window, show_window, words_on


def press(qtbot: QtBot, window: MainWindow, keys: str) -> None:
    target = window.focusWidget() or window
    combination = QKeySequence(keys)[0]
    qtbot.keyClick(target, combination.key(), combination.keyboardModifiers())


def cards(window: MainWindow) -> list[TopicCard]:
    return window.panel("help").findChildren(TopicCard)


def test_f1_opens_it_and_escape_leads_back(qtbot: QtBot, window: MainWindow) -> None:
    for before in ("summarise", "settings"):
        window.show_panel(before)
        press(qtbot, window, "F1")
        assert window.panel("help").isVisible()
        press(qtbot, window, "Esc")
        assert window.rail.value == before


def test_its_button_closes_it(qtbot: QtBot, window: MainWindow) -> None:
    window.show_panel("settings")
    press(qtbot, window, "F1")
    close = window.panel("help").findChildren(Button)[0]
    qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    assert window.rail.value == "settings"


def test_escape_in_it_stops_no_job(qtbot: QtBot, window: MainWindow) -> None:
    stopped: list[str] = []
    window.jobs.report("a", "A", by_escape=True, obey=stopped.append)
    press(qtbot, window, "F1")
    press(qtbot, window, "Esc")
    assert stopped == []
    press(qtbot, window, "Esc")
    assert stopped == ["cancel"]
    window.jobs.remove("a")


def test_the_next_start_shows_the_panel_behind_it(qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(tmp_path)
    window.show_panel("settings")
    window.show_panel("help")
    end_window(window)
    again = show_window(tmp_path)
    assert again.rail.value == "settings"
    end_window(again)


def test_every_key_it_shows_is_one_of_the_window(qtbot: QtBot, window: MainWindow) -> None:
    known = {each.key: each for each in shortcuts()}
    points = [point for topic in topics() for point in topic.points]
    assert all(point.key in known for point in points if point.key)
    window.show_panel("help")
    shown = [cap.text() for cap in window.panel("help").findChildren(KeyCap)]
    assert shown == [keys for point in points if point.key for keys in known[point.key].shown]


@pytest.mark.parametrize(("link", "page"), [("Show all keys", "shortcuts"), ("folders", "privacy")])
def test_its_links_lead_to_the_settings(
    qtbot: QtBot, window: MainWindow, link: str, page: str
) -> None:
    window.show_panel("help")
    (button,) = (each for each in window.panel("help").findChildren(Button) if link in each.text())
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Return)
    assert window.rail.value == "settings"
    assert window.panel("settings").page == page  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("size", "num_columns"), [(WIDE, 3), ((1000, 700), 2), ((720, 450), 1), ((2560, 1300), 3)]
)
def test_all_topics_stand_in_columns_without_overlap(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int], num_columns: int
) -> None:
    window.show_panel("help")
    window.resize(*size)
    qtbot.waitUntil(lambda: _content(window).num_columns == num_columns)
    qtbot.waitUntil(lambda: len({card.x() for card in cards(window)}) == num_columns)
    widths = {card.width() for card in cards(window)}
    assert max(widths) - min(widths) <= 1
    boxes = [card.geometry() for card in cards(window)]
    assert not any(a.intersects(b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert [card.accessibleName() for card in cards(window)] == [t.title for t in topics()]
    for line in window.panel("help").findChildren(PointLine):
        assert line.height() >= line.sizeHint().height() or line.heightForWidth(line.width())
    window.resize(*WIDE)


@pytest.mark.parametrize("size", [WIDE, (1366, 768)])
def test_at_usual_sizes_it_needs_no_scrolling(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int]
) -> None:
    window.resize(*size)
    window.show_panel("help")
    qtbot.waitUntil(lambda: _content(window).num_columns == 3)
    qtbot.waitUntil(lambda: _content(window).verticalScrollBar().maximum() == 0)
    window.resize(*WIDE)


def test_keys_scroll_it_where_it_is_small(qtbot: QtBot, window: MainWindow) -> None:
    window.show_panel("help")
    window.resize(720, 450)
    bar = _content(window).verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    _content(window).setFocus()
    qtbot.keyClick(_content(window), Qt.Key.Key_PageDown)
    assert bar.value() > 0
    window.resize(*WIDE)


def test_it_says_what_leaves_the_computer(qtbot: QtBot, window: MainWindow) -> None:
    window.show_panel("help")
    words = words_on(window.panel("help"))
    assert "What leaves this computer\nNothing, unless you give a batch" in words


@pytest.mark.parametrize(
    ("heights", "num_columns", "ends"),
    [
        ([1, 1, 1], 1, (3,)),
        ([1, 1, 1], 3, (1, 2, 3)),
        ([5, 1, 1, 1], 2, (1, 4)),
        ([2, 2, 2, 6], 2, (3, 4)),
    ],
)
def test_columns_are_as_low_as_can_be(
    heights: list[int], num_columns: int, ends: tuple[int, ...]
) -> None:
    assert column_ends(heights, num_columns) == ends


def _content(window: QWidget) -> Content:
    (content,) = window.findChildren(Content)
    return content

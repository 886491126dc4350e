"""The same place, always: titles of panels do not jump when another panel is shown."""

from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.panel_table import panel_table
from gui.widgets.display.label import Label
from tests.helpers.windows import WIDE

HEAD_PX = 52


def title_middle(window: MainWindow, name: str) -> int:
    """How far below the edge of the window the title of a panel is."""
    labels = window.panel(name).findChildren(Label)
    tops = [
        each.mapTo(window, QPoint(0, 0)).y() + each.height() // 2
        for each in labels
        if each.isVisible() and each.font() == window.theme.font("title")
    ]
    return min(tops)


def test_titles_of_all_panels_stand_at_one_height(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(*WIDE)
    middles = {}
    for panel in panel_table():
        window.show_panel(panel.name)
        middles[panel.name] = title_middle(window, panel.name)
    assert len(set(middles.values())) == 1, middles
    assert max(middles.values()) < HEAD_PX

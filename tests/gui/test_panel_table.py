"""A panel is added by a row in the table of panels, and by nothing else."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from core.library.folders import Folders
from core.library.preferences import PanelState, Preferences
from gui.main_window import MainWindow
from gui.panel import Panel, PanelEntry, Services
from gui.panel_table import panel_table
from gui.panels.settings.shortcut_list import ShortcutRow
from gui.theme.theme import Theme
from tests.helpers.windows import ARTICLE, STILL, drop, end_window, files_data, text_data

made: list["HarbourPanel"] = []


class HarbourPanel(Panel):
    """A panel that has something of everything, and writes down what it is asked for."""

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, "surface")
        self.asked: list[object] = []
        self.left, self.right = QLineEdit(), QLineEdit()
        self.left.setAccessibleName("Left quay")
        self.right.setAccessibleName("Right quay")
        row = QHBoxLayout(self)
        row.addWidget(self.left)
        row.addWidget(self.right)
        self.closes = True
        self.is_busy = False
        made.append(self)

    def commands(self) -> Mapping[str, Callable[[], object]]:
        names = ("find", "find_next", "find_previous", "export", "copy_summary", "undo", "redo")
        return {name: lambda name=name: self.asked.append(name) for name in names}  # type: ignore[misc]

    def escape(self) -> bool:
        self.asked.append("escape")
        return self.is_busy

    def choose(self, chosen: Mapping[str, str]) -> None:
        self.asked.append(dict(chosen))

    def regions(self) -> list[QWidget]:
        return [self.left, self.right]

    def may_close(self) -> bool:
        self.asked.append("may_close")
        return self.closes

    def can_take(self, data: QMimeData) -> bool:
        return data.hasText() and not data.hasUrls()

    def take(self, data: QMimeData) -> None:
        self.asked.append(data.text())

    def apply_preferences(self, preferences: Preferences) -> None:
        self.asked.append(preferences.theme)

    def saved_state(self) -> PanelState:
        return {"berth": 7, "ship": "Anna"}

    def restore_state(self, state: PanelState) -> None:
        self.asked.append(state)

    def end(self) -> None:
        self.asked.append("end")


@pytest.fixture
def open_window(qtbot: QtBot, home: Path) -> Iterator[Callable[[], MainWindow]]:
    """Opens windows with one panel more, second in the rail."""
    windows: list[MainWindow] = []
    made.clear()

    def make() -> MainWindow:
        first, *others = panel_table()
        harbour = PanelEntry("harbour", "Harbour", "landmark", f"{__name__}:HarbourPanel")
        theme = Theme(scheme="light", motion="off")
        table = (first, harbour, *(other for other in others if other.at_foot))
        window = MainWindow(theme, STILL, Folders.under(home), panels=table)
        windows.append(window)
        window.show()
        window.activateWindow()
        window.begin([])
        return window

    yield make
    for window in windows:
        for panel in made:
            panel.closes = True
        end_window(window)


@pytest.fixture
def window(qtbot: QtBot, open_window: Callable[[], MainWindow]) -> MainWindow:
    window = open_window()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def press(qtbot: QtBot, window: MainWindow, keys: str) -> None:
    combination = QKeySequence(keys)[0]
    target = window.focusWidget() or window
    qtbot.keyClick(target, combination.key(), combination.keyboardModifiers())


def test_it_is_made_when_it_is_first_shown(qtbot: QtBot, window: MainWindow) -> None:
    assert made == []
    press(qtbot, window, "Ctrl+2")
    (harbour,) = made
    assert harbour.isVisible() and window.shown is harbour
    assert harbour.asked == ["light", {}]
    assert window.rail.value == "harbour"
    press(qtbot, window, "Ctrl+1")
    press(qtbot, window, "Ctrl+2")
    assert made == [harbour]


def test_it_has_its_place_and_its_keys_in_the_rail_and_in_the_list_of_keys(
    qtbot: QtBot, window: MainWindow
) -> None:
    assert window.rail.button("harbour").accessibleName() == "Harbour"
    qtbot.mouseClick(window.rail.button("harbour"), Qt.MouseButton.LeftButton)
    assert window.shown is made[0]
    window.show_panel("settings")
    window.shown.show_page("shortcuts")  # type: ignore[attr-defined]
    rows = [row.accessibleName() for row in window.shown.findChildren(ShortcutRow)]
    assert rows[:2] == ["Go to Summarise: Ctrl 1", "Go to Harbour: Ctrl 2"]
    assert "Go to Settings: Ctrl ," in rows


def test_the_keys_of_the_window_reach_it_while_it_is_shown(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.show_panel("harbour")
    window.rail.button("harbour").setFocus()
    (harbour,) = made
    harbour.asked.clear()
    keys = ("Ctrl+F", "F3", "Shift+F3", "Ctrl+E", "Ctrl+Shift+C", "Ctrl+Z", "Ctrl+Shift+Z", "Esc")
    for each in keys:
        press(qtbot, window, each)
    assert harbour.asked == [*harbour.commands(), "escape"]
    window.show_panel("settings")
    press(qtbot, window, "F3")
    assert len(harbour.asked) == 8
    press(qtbot, window, "Shift+F1")
    assert window.rail.value == "settings"


def test_another_panel_can_choose_something_in_it(window: MainWindow) -> None:
    window.show_panel("harbour", ship="Anna")
    (harbour,) = made
    assert window.shown is harbour and harbour.asked[-1] == {"ship": "Anna"}
    window.show_panel("harbour")
    assert harbour.asked[-1] == {"ship": "Anna"}, "nothing was chosen this time"


def test_f6_goes_through_its_regions(qtbot: QtBot, window: MainWindow) -> None:
    window.show_panel("harbour")
    (harbour,) = made
    window.rail.button("harbour").setFocus()
    for region in (harbour.left, harbour.right):
        press(qtbot, window, "F6")
        assert window.focusWidget() is region


def test_what_it_takes_is_dropped_on_it_and_all_else_goes_where_it_is_read(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.show_panel("harbour")
    (harbour,) = made
    assert drop(window, text_data("a ship"))
    assert harbour.asked[-1] == "a ship"
    assert drop(window, files_data(ARTICLE))
    assert window.rail.value == "summarise"


def test_escape_stops_short_work_when_the_panel_has_no_use_for_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.show_panel("harbour")
    stopped: list[str] = []
    window.jobs.report("a", "A", by_escape=True, obey=stopped.append)
    made[0].is_busy = True
    press(qtbot, window, "Esc")
    assert stopped == []
    made[0].is_busy = False
    press(qtbot, window, "Esc")
    assert stopped == ["cancel"]


def test_it_is_asked_before_the_window_closes(qtbot: QtBot, window: MainWindow) -> None:
    window.show_panel("harbour")
    (harbour,) = made
    harbour.closes = False
    assert not window.close()
    assert window.isVisible() and "end" not in harbour.asked
    harbour.closes = True
    assert window.close()
    assert harbour.asked[-2:] == ["may_close", "end"]


def test_its_state_is_found_again(open_window: Callable[[], MainWindow]) -> None:
    window = open_window()
    window.show_panel("harbour")
    window.close()
    for _ in range(2):
        window = open_window()
        assert window.rail.value == "harbour"
        assert made[-1].asked[1] == {"berth": 7, "ship": "Anna"}
        window.show_panel("summarise")
        window.show_panel("harbour")
        window.close()


def test_settings_reach_it(window: MainWindow) -> None:
    window.show_panel("harbour")
    window.set_preferences(STILL.model_copy(update={"theme": "dark"}))
    assert made[0].asked[-1] == "dark"


def test_the_window_names_no_panel() -> None:
    import gui.main_window

    source = Path(gui.main_window.__file__).read_text("utf-8")
    for entry in panel_table():
        assert f'"{entry.name}"' not in source
        assert f"panels.{entry.name}" not in source

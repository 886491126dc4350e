import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.inputs.button import Button


def shown(qtbot: QtBot, button: Button) -> Button:
    qtbot.addWidget(button)
    button.show()
    return button


def test_click_and_space_trigger_it(qtbot: QtBot, theme: Theme) -> None:
    button = shown(qtbot, Button(theme, "Export", kind="primary", icon="share"))
    with qtbot.waitSignal(button.triggered):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(button.triggered):
        qtbot.keyClick(button, Qt.Key.Key_Space)


def test_disabled_button_says_why_and_does_nothing(qtbot: QtBot, theme: Theme) -> None:
    button = shown(qtbot, Button(theme, "Export", tooltip="Export the summary"))
    button.set_usable(False, "There is no summary yet.")
    assert button.toolTip() == "There is no summary yet."
    with qtbot.assertNotEmitted(button.triggered):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    button.set_usable(True)
    assert button.toolTip() == "Export the summary"


def test_icon_only_button_is_square_and_named_by_its_tooltip(qtbot: QtBot, theme: Theme) -> None:
    button = shown(qtbot, Button(theme, icon="search", tooltip="Find", height=28))
    assert button.size().toTuple() == (28, 28)
    interface = QAccessible.queryAccessibleInterface(button)
    assert interface.text(QAccessible.Text.Name) == "Find"
    assert interface.role() == QAccessible.Role.Button


def test_button_without_words_and_tooltip_is_refused(theme: Theme) -> None:
    with pytest.raises(ValueError, match="tooltip"):
        Button(theme, icon="search")


def test_busy_button_cancels_once_it_says_so_and_keeps_its_width(
    qtbot: QtBot, theme: Theme
) -> None:
    button = shown(qtbot, Button(theme, "Summarise again"))
    width = button.sizeHint().width()
    button.set_busy(True)
    with qtbot.assertNotEmitted(button.triggered), qtbot.assertNotEmitted(button.cancelled):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: button.accessibleName() == "Cancel: Summarise again")
    assert button.width() == width
    with qtbot.waitSignal(button.cancelled):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    button.set_busy(False)
    assert button.accessibleName() == "Summarise again"
    with qtbot.waitSignal(button.triggered):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    "kind", ["primary", "secondary", "ghost", "danger", "danger_filled", "link"]
)
def test_every_kind_is_drawn_otherwise_when_disabled(qtbot: QtBot, theme: Theme, kind: str) -> None:
    button = shown(qtbot, Button(theme, "Do it", kind=kind, icon="copy"))  # type: ignore[arg-type]
    usable = button.grab().toImage()
    button.setEnabled(False)
    assert button.grab().toImage() != usable


def test_button_is_drawn_anew_when_the_theme_changes(qtbot: QtBot, theme: Theme) -> None:
    button = shown(qtbot, Button(theme, "Do it", kind="primary"))
    light = button.grab().toImage()
    theme.set_scheme("dark")
    assert button.grab().toImage() != light

"""Tab goes through parts in the order that was given, also to what was made late."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.tab_order import tab_through


def column(*names: str) -> QWidget:
    part = QWidget()
    layout = QVBoxLayout(part)
    for name in names:
        layout.addWidget(QPushButton(name))
    return part


def round_of(qtbot: QtBot, window: QWidget) -> list[str]:
    found: list[str] = []
    while True:
        focus = window.focusWidget()
        assert isinstance(focus, QPushButton)
        if focus.text() in found:
            return found
        found.append(focus.text())
        qtbot.keyClick(focus, Qt.Key.Key_Tab)


def test_parts_come_one_after_another_with_what_was_made_late(qtbot: QtBot) -> None:
    window, left, middle, right = QWidget(), column("a", "b"), column("d"), column("e")
    row = QHBoxLayout(window)
    for part in (middle, left, right):
        row.addWidget(part)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    left.layout().addWidget(late := QPushButton("c"))
    late.show()
    first = left.findChild(QPushButton)
    first.setFocus()
    assert round_of(qtbot, window) != ["a", "b", "c", "d", "e"]
    tab_through([left, middle, right])
    first.setFocus()
    assert round_of(qtbot, window) == ["a", "b", "c", "d", "e"]


def test_no_parts_are_no_order() -> None:
    tab_through([])

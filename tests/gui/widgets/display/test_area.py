"""A scroll area follows the keyboard, and lets be what is pressed."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.display.area import Area


@pytest.fixture
def area(qtbot: QtBot) -> Area:
    """Two buttons in an area that shows the first and the upper edge of the second."""
    content, made = QWidget(), Area()
    column = QVBoxLayout(content)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(60)
    for name in ("first", "second"):
        button = QPushButton(name)
        button.setObjectName(name)
        button.setFixedHeight(40)
        column.addWidget(button)
    content.setFixedHeight(140)
    made.setWidget(content)
    made.resize(200, 110)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def button(area: Area, name: str) -> QPushButton:
    found = area.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def test_what_is_pressed_does_not_move_from_under_the_pointer(qtbot: QtBot, area: Area) -> None:
    pressed: list[bool] = []
    second = button(area, "second")
    second.clicked.connect(lambda: pressed.append(True))
    place = second.mapTo(area.window(), QPoint(20, 5))
    qtbot.mousePress(second, Qt.MouseButton.LeftButton, pos=QPoint(20, 5))
    assert second.hasFocus() and area.verticalScrollBar().value() == 0
    at = second.mapFrom(area.window(), place)
    qtbot.mouseRelease(second, Qt.MouseButton.LeftButton, pos=at)
    assert pressed == [True]


def test_what_the_keyboard_comes_to_is_brought_into_sight(qtbot: QtBot, area: Area) -> None:
    button(area, "first").setFocus()
    qtbot.keyClick(button(area, "first"), Qt.Key.Key_Tab)
    assert button(area, "second").hasFocus() and area.verticalScrollBar().value() > 0


def grow_above(qtbot: QtBot, area: Area) -> None:
    """Something that was waited for appears above all the rest."""
    content = area.widget()
    assert content is not None
    late, layout = QWidget(), content.layout()
    late.setFixedHeight(400)
    assert isinstance(layout, QVBoxLayout)
    layout.insertWidget(0, late)
    content.setFixedHeight(600)
    qtbot.waitUntil(lambda: content.height() == 600 and late.isVisible())
    QApplication.processEvents()


def test_it_stays_in_sight_when_something_appears_above(qtbot: QtBot, area: Area) -> None:
    first = button(area, "first")
    first.setFocus(Qt.FocusReason.TabFocusReason)
    grow_above(qtbot, area)
    qtbot.waitUntil(lambda: not first.visibleRegion().isEmpty())


def test_a_person_who_scrolls_away_is_not_brought_back(qtbot: QtBot, area: Area) -> None:
    second = button(area, "second")
    second.setFocus(Qt.FocusReason.TabFocusReason)
    place = QPointF(20, 20)
    wheel = QWheelEvent(
        place, area.mapToGlobal(place), QPoint(), QPoint(0, 1_200), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(area.viewport(), wheel)
    assert area.verticalScrollBar().value() == 0
    grow_above(qtbot, area)
    assert area.verticalScrollBar().value() == 0 and second.visibleRegion().isEmpty()

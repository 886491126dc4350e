"""What is lit by the pointer is what is under it, also where it rests and the page moves."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.inputs.button import Button


@pytest.fixture
def pointer(monkeypatch: pytest.MonkeyPatch) -> list[QPoint]:
    """Where the pointer is on the screen; without a screen, Qt does not know it."""
    place = [QPoint(0, 0)]
    monkeypatch.setattr(QCursor, "pos", lambda: place[0])
    return place


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> QWidget:
    """A page whose button is in a holder below another widget."""
    page, above, holder = QWidget(), QWidget(), QWidget()
    qtbot.addWidget(page)
    above.setObjectName("above")
    above.setFixedHeight(20)
    inner = QVBoxLayout(holder)
    inner.addWidget(Button(theme, "Try again"))
    column = QVBoxLayout(page)
    column.addWidget(above)
    column.addWidget(holder)
    column.addStretch()
    page.resize(300, 300)
    page.show()
    qtbot.waitExposed(page)
    return page


def enter(button: Button, pointer: list[QPoint]) -> None:
    middle = QPointF(button.rect().center())
    pointer[0] = button.mapToGlobal(middle).toPoint()
    event = QEnterEvent(middle, middle, QPointF(pointer[0]))
    QApplication.sendEvent(button, event)


def test_a_button_that_moves_away_from_the_pointer_is_lit_no_more(
    qtbot: QtBot, page: QWidget, pointer: list[QPoint]
) -> None:
    button, above = page.findChild(Button), page.findChild(QWidget, "above")
    assert isinstance(button, Button) and isinstance(above, QWidget)
    enter(button, pointer)
    qtbot.waitUntil(lambda: button._hover.amount == 1.0)
    above.setFixedHeight(120)
    qtbot.waitUntil(lambda: button._hover.amount == 0.0)
    above.setFixedHeight(20)
    qtbot.waitUntil(lambda: button._hover.amount == 1.0)


def test_a_button_that_moves_below_the_pointer_stays_lit(
    qtbot: QtBot, page: QWidget, pointer: list[QPoint]
) -> None:
    button, above = page.findChild(Button), page.findChild(QWidget, "above")
    assert isinstance(button, Button) and isinstance(above, QWidget)
    enter(button, pointer)
    qtbot.waitUntil(lambda: button._hover.amount == 1.0)
    before = button.mapToGlobal(QPoint())
    above.setFixedHeight(26)
    qtbot.waitUntil(lambda: button.mapToGlobal(QPoint()) != before)
    button.repaint()
    assert button._hover.amount == 1.0
    QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: button._hover.amount == 0.0)

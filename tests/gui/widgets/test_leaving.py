"""What goes is hidden at once and lives until nothing calls it any more."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gui.widgets.leaving import clear, let_go, put_into


def pass_on() -> None:
    """Deletes what is to be deleted later."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_button_that_lets_itself_go_outlives_its_click(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    button, after = QPushButton(holder), list[bool]()
    holder.show()
    button.clicked.connect(lambda: let_go(button))
    button.clicked.connect(lambda: after.append(button.isVisible()))
    button.click()
    assert after == [False]
    pass_on()
    assert not isValid(button)


def test_what_is_no_widget_goes_too(qtbot: QtBot) -> None:
    thing = QObject()
    let_go(thing)
    assert isValid(thing)
    pass_on()
    assert not isValid(thing)


def test_a_cleared_layout_is_empty_and_its_widgets_go(qtbot: QtBot) -> None:
    holder, gone = QWidget(), QPushButton()
    qtbot.addWidget(holder)
    row = QHBoxLayout(holder)
    row.addWidget(gone)
    row.addStretch()
    holder.show()
    clear(row)
    assert row.count() == 0 and gone.isHidden()
    pass_on()
    assert not isValid(gone)


def test_content_goes_while_it_has_the_focus(qtbot: QtBot) -> None:
    area, first, second = QScrollArea(), QLineEdit(), QWidget()
    qtbot.addWidget(area)
    area.setWidget(first)
    with qtbot.waitActive(area):
        area.show()
        area.activateWindow()
    first.setFocus()
    put_into(area, second)
    assert first.isHidden() and not first.hasFocus()
    assert area.widget() is second and second.isVisible() and not second.autoFillBackground()
    pass_on()
    assert not isValid(first) and isValid(second)

"""What goes is hidden at once and lives until nothing calls it any more."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gui.widgets.support.leaving import clear, let_go


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


def test_what_has_the_focus_goes(qtbot: QtBot) -> None:
    holder, first, second = QWidget(), QLineEdit(), QLineEdit()
    qtbot.addWidget(holder)
    row = QHBoxLayout(holder)
    row.addWidget(first)
    with qtbot.waitActive(holder):
        holder.show()
        holder.activateWindow()
    first.setFocus()
    clear(row)
    row.addWidget(second)
    assert first.isHidden()
    pass_on()
    assert not isValid(first) and isValid(second)

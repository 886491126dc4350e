"""Listeners hear the events of a widget, and nothing of its end."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QListWidget, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, getAllValidWrappers

from gui.theme.theme import Theme
from gui.widgets.display.area import Area
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.toggle import CheckBox
from gui.widgets.support.focus_ring import FocusRing
from gui.widgets.support.listening import listen

LEAVE = QEvent.Type.Leave


def send(widget: QWidget, kind: QEvent.Type) -> None:
    QApplication.sendEvent(widget, QEvent(kind))


def test_a_listener_hears_before_the_widget_until_it_stops(qtbot: QtBot) -> None:
    class Heard(QPushButton):
        def leaveEvent(self, event: QEvent) -> None:
            order.append("widget")

    order: list[str] = []
    widget = Heard()
    qtbot.addWidget(widget)
    stop = listen(widget, lambda event: order.append("listener"), "leaveEvent")
    send(widget, LEAVE)
    assert order == ["listener", "widget"]
    stop()
    send(widget, LEAVE)
    assert order == ["listener", "widget", "widget"]


def test_a_listener_can_keep_an_event_from_the_widget(qtbot: QtBot) -> None:
    widget, heard = QPushButton(), list[str]()
    qtbot.addWidget(widget)
    listen(widget, lambda event: heard.append("first"))
    listen(widget, lambda event: heard.append("last") or True)  # type: ignore[func-returns-value]
    send(widget, LEAVE)
    assert heard == ["last"]


def test_the_events_of_a_viewport_are_heard_at_its_area(qtbot: QtBot) -> None:
    area, heard = QListWidget(), list[QEvent.Type]()
    qtbot.addWidget(area)
    listen(area, lambda event: heard.append(event.type()), "viewportEvent")
    send(area.viewport(), LEAVE)
    assert LEAVE in heard


def test_an_error_of_a_listener_is_reported_and_keeps_nothing_from_the_widget(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    widget, heard, told = QPushButton(), list[QEvent.Type](), list[type]()
    qtbot.addWidget(widget)
    monkeypatch.setattr("sys.excepthook", lambda kind, *_: told.append(kind))
    listen(widget, lambda event: heard.append(event.type()))
    stop = listen(widget, lambda event: [][1])
    send(widget, LEAVE)
    stop()
    assert told == [IndexError] and heard == [LEAVE]


def made_button(theme: Theme) -> QWidget:
    return Button(theme, icon="pin", tooltip="Pin this sentence", keys="P")


def made_check_box(theme: Theme) -> QWidget:
    return CheckBox(theme, "A name that is shortened")


def made_area(theme: Theme) -> QWidget:
    area, content = Area(), QWidget()
    QVBoxLayout(content).addWidget(Button(theme, "Open"))
    area.setWidget(content)
    return area


@pytest.mark.parametrize("make", [made_button, made_check_box, made_area])
@pytest.mark.parametrize("inside", [False, True], ids=["itself", "in what goes"])
def test_python_is_not_handed_a_widget_that_is_being_destroyed(
    qtbot: QtBot, theme: Theme, make: Callable[[Theme], QWidget], inside: bool
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    FocusRing(window, theme)
    column = QVBoxLayout(window)
    holder = QWidget()
    QVBoxLayout(holder)
    column.addWidget(holder)
    widget = make(theme)
    (holder.layout() or column).addWidget(widget)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    target = widget if isinstance(widget, Button | CheckBox) else widget.findChildren(Button)[0]
    target.setFocus()
    assert target.hasFocus()
    QApplication.sendEvent(target, QEnterEvent(QPointF(4, 4), QPointF(4, 4), QPointF(4, 4)))
    assert unknown_widgets(lambda: delete(holder if inside else widget)) == []


def unknown_widgets(act: Callable[[], object]) -> list[str]:
    """The Python functions that are called with a widget that had no wrapper before."""
    known, found = getAllValidWrappers(), list[str]()
    ids = set(map(id, known))

    def look(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            taken = [each for each in frame.f_locals.values() if isinstance(each, QWidget)]
            if any(id(each) not in ids for each in taken):
                found.append(frame.f_code.co_qualname)

    sys.setprofile(look)
    try:
        act()
    finally:
        sys.setprofile(None)
    return found

"""Runs the real program with a hand in it: does what a person would, and may be killed anywhere.

`python -m tests.helpers.window_program SCRIPT` takes a JSON object: `steps`, a list of
[verb, value]; and `die_after_events`, the number of Qt events after which the process kills itself
with SIGKILL (0: never). It prints one JSON line for every state a person could see.
"""

import faulthandler
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton

from core.jobs.sources.sources import SourceRef
from core.summaries.summary import Length
from gui.app import main
from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase
from tests.helpers.killing import KILL
from tests.helpers.windows import desk
from tests.helpers.x_display import click_pointer, middle_of, move_pointer

_LOOK_MS = 5
_REST_MS = 400  # longer than the window keeps writing what was done last


_TO_A_SUMMARY = ("length", "pin", "drop", "show")


class Hand(QObject):
    """Does one step after the other, each as soon as the one before is seen."""

    def __init__(self, window: MainWindow, script: dict[str, Any]) -> None:
        super().__init__(window)
        self._window, self._steps = window, list(script["steps"])
        self._left = script.get("die_after_events", 0)
        self._told = ""
        self._waits_for: Callable[[], bool] = lambda: True
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        app = QGuiApplication.instance()
        assert app is not None
        if self._left:
            app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self._left -= 1
        if not self._left:
            os.kill(os.getpid(), KILL)
        return False

    def _look(self) -> None:
        if not self._waits_for():
            return
        self._waits_for = lambda: True
        state = desk(self._window).state
        if state.phase in (Phase.WAITING, Phase.READING, Phase.RANKING):
            return
        self._tell(seen(self._window))
        if not self._steps:
            return
        verb, value = self._steps[0]
        if verb in _TO_A_SUMMARY and state.phase is not Phase.READY:
            return  # several files are looked at before the first is opened
        del self._steps[0]
        self._deeds()[verb](value)

    def _deeds(self) -> dict[str, Callable[[Any], object]]:
        panel = desk(self._window)
        return {
            "open": lambda path: panel.open_source(SourceRef(path=Path(path))),
            "open files": lambda paths: panel.open_files([Path(path) for path in paths]),
            "show": lambda place: panel.turner.show(panel.documents.all[place]),
            "paste": lambda text: panel.open_source(SourceRef(text=text[0] * text[1])),
            "length": lambda length: panel.editor.wish_length(Length.parse(length), False),
            "pin": lambda row: panel.editor.decide(panel.state.toggle_pin, row),
            "drop": lambda row: panel.editor.decide(panel.state.drop, row),
            "panel": self._window.show_panel,
            "point": self._point,
            "press": self._press,
            "close": lambda _: self._window.close(),
            "crash": lambda _: faulthandler._sigsegv(),  # type: ignore[attr-defined]
            "rest": lambda _: self._rest(),
        }

    def _point(self, name: str) -> None:
        """Moves the real pointer onto a button."""
        button = self._button(name)
        move_pointer(middle_of(button))
        self._waits_for = button.underMouse

    def _press(self, name: str) -> None:
        """Presses a button with the real pointer."""
        button, pressed = self._button(name), list[bool]()
        button.clicked.connect(lambda: pressed.append(True))
        click_pointer(middle_of(button))
        self._waits_for = lambda: bool(pressed)

    def _button(self, name: str) -> QAbstractButton:
        """The button of a name that is seen."""
        found = self._window.findChildren(QAbstractButton)
        return next(each for each in found if each.isVisible() and each.text() == name)

    def _rest(self) -> None:
        """Nothing moves from now on, as in a window that is out of sight; tells when it is so."""
        self._timer.stop()
        self._window.status.memory.hide()
        QTimer.singleShot(_REST_MS, self, lambda: self._tell({"rests": True}))

    def _tell(self, what: dict[str, Any]) -> None:
        line = json.dumps(what)
        if line != self._told:
            self._told = line
            print(line, flush=True)


def seen(window: MainWindow) -> dict[str, Any]:
    """What a person sees of a window: the document, the length, the pins."""
    state = desk(window).state
    opened = state.opened
    if state.phase is not Phase.READY or opened is None or opened.summary is None:
        return {"title": ""}
    choices = opened.choices
    documents = desk(window).documents
    return {
        "title": opened.document.title,
        "length": str(choices.length),
        "pinned": sorted(choices.pinned),
        "dropped": sorted(choices.banned),
        "files": [each.path.name if each.path else "" for each in documents.all],
        "sentences": [sentence.text for sentence in opened.summary.sentences],
    }


def run(script: dict[str, Any]) -> int:
    """Runs the program with the script's hand in it."""
    begin = MainWindow.begin

    def begin_with_hand(window: MainWindow, paths: list[Path]) -> None:
        begin(window, paths)
        Hand(window, script)

    MainWindow.begin = begin_with_hand  # type: ignore[method-assign]
    return main([])


if __name__ == "__main__":
    raise SystemExit(run(json.loads(sys.argv[1])))

"""Errors that no code foresaw: the window lives on, and says that something went wrong."""

import subprocess
import sys
import threading

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from gui.faults import FaultReporter
from gui.main_window import MainWindow
from tests.helpers.windows import toasts

WIDGET = """
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QTableView
from gui.faults import guard_overrides

class Base(QTableView):
    def resizeEvent(self, event):
        super().resizeEvent(event)

guard_overrides()

class Faulty(Base):
    def resizeEvent(self, event):
        {fault}

    def sizeHint(self):
        {fault}

app = QApplication([])
widget = Faulty()
heard = []
sys.excepthook = lambda kind, error, trace: heard.append(kind.__name__)
widget.resize(300, 300)
widget.show()
assert heard == ["{kind}"], heard
try:
    widget.adjustSize()
except {kind}:
    print("alive")
"""


@pytest.mark.parametrize(
    ("fault", "kind"),
    [("[][3]", "IndexError"), ("1 + ''", "TypeError"), ("raise ValueError('x')", "ValueError")],
)
def test_an_error_in_what_qt_calls_does_not_end_the_program(fault: str, kind: str) -> None:
    code = WIDGET.format(fault=fault, kind=kind)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


def test_a_fault_is_told_once_and_its_details_can_be_copied(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    FaultReporter(window.notify, window)

    def fail() -> None:
        [][3]

    for _ in range(3):
        try:
            fail()
        except IndexError as error:
            sys.excepthook(type(error), error, error.__traceback__)
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    QApplication.processEvents()
    (told,) = [said for said in toasts(window) if "went wrong" in said]
    assert "Something in the program went wrong (IndexError)." in told
    assert capsys.readouterr().err.count("IndexError: list index out of range") == 1
    window.toasts.shown[-1].action.click()
    assert "test_faults.py" in QGuiApplication.clipboard().text()


def test_a_fault_in_a_thread_is_told(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    FaultReporter(window.notify, window)
    thread = threading.Thread(target=lambda: {}["missing"])
    thread.start()
    thread.join()
    QApplication.processEvents()
    assert any("went wrong (KeyError)" in said for said in toasts(window))

"""Faults of the window's own code: none ends the program, and each is reported.

An error that no code foresaw reaches `sys.excepthook`, or that of its thread, which on its own
writes it where nobody looks who started the program from a menu.
"""

import functools
import sys
import threading
import traceback
from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import Any, Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from core.jobs.run import failed


class Notifier(Protocol):
    """Shows a toast, as `gui.panel.Services.notify` does."""

    def __call__(
        self,
        severity: Any,
        title: str,
        text: str = "",
        *,
        action: str,
        on_action: Callable[[], object],
    ) -> None: ...


class FaultReporter(QObject):
    """Writes each fault to standard error and reports it in the window, once.

    Args:
        notify: Shows a toast.
        parent: Qt's owner, on the window's thread.
    """

    _happened = Signal(object)

    def __init__(self, notify: Notifier, parent: QObject) -> None:
        super().__init__(parent)
        self._notify = notify
        self._reported: set[tuple[object, ...]] = set()
        # On the window's own thread, and after what is being painted.
        self._happened.connect(self._show, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._hear
        threading.excepthook = lambda about: self._hear(
            about.exc_type, about.exc_value, about.exc_traceback
        )

    def _hear(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        place = traceback.extract_tb(trace)[-1:]
        about = (kind, *((frame.filename, frame.lineno) for frame in place))
        if about in self._reported:  # what fails while it is painted fails at each repaint
            return
        self._reported.add(about)
        traceback.print_exception(kind, error, trace)
        if isinstance(error, Exception):
            self._happened.emit(error.with_traceback(trace))

    def _show(self, error: Exception) -> None:
        failure = failed(error)
        details = failure.details
        self._notify(
            "err",
            failure.message,
            failure.remedy,
            action=self.tr("Copy the details"),
            on_action=lambda: QGuiApplication.clipboard().setText(details),
        )


def guard_overrides() -> None:
    """Keeps an error in a method that Qt calls from ending the program.

    It acts on the classes that are defined after it. On Python 3.11, PySide reads the arguments of
    an exception that is not made yet where C code raised it (an index out of range, an operand of
    the wrong type), and the process dies; an `except` makes it. An error in the handler of an event
    goes to `sys.excepthook` at once: PySide would raise it in whatever Python code runs next, or
    forget it.
    """
    QObject.__init_subclass__ = classmethod(_guard)  # type: ignore[assignment]


def _guard(cls: type[QObject], /, **options: Any) -> None:
    super(QObject, cls).__init_subclass__(**options)
    for name, method in list(vars(cls).items()):
        if isinstance(method, FunctionType) and _is_of_qt(cls, name):
            setattr(cls, name, _guarded(method))


def _is_of_qt(cls: type[QObject], name: str) -> bool:
    """Whether a class of Qt has a method of this name."""
    return not name.startswith("_") and any(
        name in vars(base) and not isinstance(vars(base)[name], FunctionType)
        for base in cls.__mro__[1:]
    )


def _guarded(method: FunctionType) -> Callable[..., object]:
    is_handler = method.__name__.endswith("Event")

    @functools.wraps(method)
    def guarded(*arguments: Any, **named: Any) -> object:
        try:
            return method(*arguments, **named)
        except Exception as error:
            if not is_handler:
                raise
            sys.excepthook(type(error), error, error.__traceback__)
            return None

    return guarded

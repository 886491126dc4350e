"""Listeners to the events of one widget, in place of event filters.

Qt calls an event filter while the widget that it watches is being destroyed. PySide then makes a
wrapper for what is left of the widget, and takes whatever is made at that address next for it: the
process ends. A handler of the widget itself is never called then.
"""

import sys
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

Listener = Callable[[QEvent], bool | None]
"""Takes an event before the widget does; True keeps it from the widget."""


def listen(widget: QWidget, listener: Listener, *handlers: str) -> Callable[[], None]:
    """Lets a listener hear the events of a widget until the widget goes.

    Args:
        widget: Made in Python: Qt does not ask for the handlers of its own, such as a viewport.
        listener: Called before those that were there already.
        *handlers: Whose events: "enterEvent", or "viewportEvent" of a scroll area; by default
            "event", which is given all of them.

    Returns:
        Ends the listening; may be called when the widget is gone.
    """
    joined = [_listeners(widget, handler) for handler in handlers or ("event",)]
    for listeners in joined:
        listeners.insert(0, listener)

    def stop() -> None:
        for listeners in joined:
            listeners.remove(listener)

    return stop


def _listeners(widget: QWidget, handler: str) -> list[Listener]:
    """The listeners before a handler; the handler of the class comes after them."""
    name = f"_{handler}_listeners"
    if name not in vars(widget):
        setattr(widget, name, [])
        hear = partial(_hear, vars(widget)[name], getattr(widget, handler))
        setattr(widget, handler, hear)
    return vars(widget)[name]  # type: ignore[no-any-return]


def _hear(
    listeners: list[Listener], handler: Callable[[QEvent], bool | None], event: QEvent
) -> bool | None:
    for listener in tuple(listeners):
        try:
            if listener(event):
                return True
        except Exception as error:  # as `gui.faults.guard_overrides` does with handlers
            sys.excepthook(type(error), error, error.__traceback__)
    return handler(event)

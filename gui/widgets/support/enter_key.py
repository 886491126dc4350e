"""Enter presses the button that has the focus, as Space does."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton


def pressed_by_enter(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Presses a button when the key is Enter; whether it was."""
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or event.isAutoRepeat():
        return False
    button.click()
    return True

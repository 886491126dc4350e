"""Answers to questions that stand in the way."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from gui.widgets.inputs.dialog import ConfirmDialog


def answer(deed: bool) -> list[str]:
    """Presses a button of the question that is asked next.

    Args:
        deed: Whether what it asks about is done.

    Returns:
        The question, once it was asked.
    """
    asked: list[str] = []

    def press() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ConfirmDialog)
        asked.append(dialog.windowTitle())
        (dialog.deed_button if deed else dialog.keep_button).click()

    QTimer.singleShot(0, press)
    return asked

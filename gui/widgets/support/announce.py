"""Announces something to screen readers without moving the focus."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, sentence: str, *, urgent: bool = False) -> None:
    """Announces a change of state once: finished, failed, the first of every 10 %.

    Args:
        widget: Where it happened.
        sentence: What a person hears.
        urgent: Whether it may interrupt what is being read.
    """
    event = QAccessibleAnnouncementEvent(widget, sentence)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)

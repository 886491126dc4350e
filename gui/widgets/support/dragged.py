"""Taking what is dragged over the window from another program."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent

_HARMLESS = (Qt.DropAction.CopyAction, Qt.DropAction.LinkAction)


def accept_copy(event: QDropEvent) -> bool:
    """Accepts what is dragged as a copy or a link, whatever the other program proposes.

    Editors propose to move text, and delete it once the move is accepted.

    Args:
        event: An event of dragging or dropping.

    Returns:
        Whether it was accepted: the other program may offer nothing but a move.
    """
    for action in _HARMLESS:
        if event.possibleActions() & action:
            event.setDropAction(action)
            event.accept()
            return True
    event.ignore()
    return False


def leave_files(event: QDropEvent) -> bool:
    """Leaves files to what lies below a field, which takes only text.

    Args:
        event: Of something that is dragged onto the field.

    Returns:
        Whether there are files.
    """
    if event.mimeData().hasUrls():
        event.ignore()
        return True
    return False

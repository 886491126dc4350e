"""Pictures of Batch."""

from docs.pictures_of.stage import settle
from docs.scenes import batches
from gui.main_window import MainWindow


def empty(shown: MainWindow) -> None:
    """No batch is open."""
    shown.show_panel("batch")
    settle()


def running(shown: MainWindow) -> None:
    """A batch that went on after the machine was switched off; one file is encrypted."""
    batches.show_running(shown, settle)


def together(shown: MainWindow) -> None:
    """One summary of three documents."""
    batches.show_together(shown, settle)

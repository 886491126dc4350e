"""Pictures of History."""

from collections.abc import Callable

from docs.pictures_of.stage import settle
from docs.scenes import histories
from gui.main_window import MainWindow


def history(wanted: str = "", side: str = "list") -> Callable[[MainWindow], None]:
    """Summaries of the past weeks, the newest shown; or what a search finds."""
    return lambda shown: histories.show(shown, settle, wanted, side)


def empty(shown: MainWindow) -> None:
    """No summary was made yet."""
    shown.show_panel("history")
    settle(lambda: shown.panel("history").state.is_known)

"""What the Summarise panel gets from the window that holds it."""

from collections.abc import Callable
from typing import Protocol

from core.library.folders import Folders
from core.library.recent import Recents
from gui.widgets.toast import Tone
from gui.workers.controller import Controller
from gui.workers.keeper import Keeper


class Services(Protocol):
    """Work, memory and news; the main window is one."""

    folders: Folders
    controller: Controller
    keeper: Keeper
    recents: Recents

    def tell(
        self,
        tone: Tone,
        title: str,
        text: str = "",
        *,
        action: str = "",
        on_action: Callable[[], object] | None = None,
    ) -> None:
        """Shows a toast."""

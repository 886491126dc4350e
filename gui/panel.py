"""The interface between the window and its panels.

The window knows its panels through these classes only; `gui.panel_table` lists them. A panel
overrides what it has, and leaves out what it has not. `gui.panel_kit` has the parts that panels
are made of.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from PySide6.QtCore import QEvent, QMimeData, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from core.errors import EpitomeError
from core.events import Failed
from core.jobs.job import Job
from core.library.decisions import DecisionsFile
from core.library.folders import Folders
from core.library.history import History
from core.library.preferences import PanelState, Preferences
from core.library.recent import Recents
from gui.job_list import JobList
from gui.shortcuts import Shortcut
from gui.theme.theme import Theme
from gui.widgets.chrome.toast import Severity
from gui.widgets.display.plane import Plane
from gui.workers.controller import Controller
from gui.workers.keeper import Keeper
from gui.workers.runner import Run

if TYPE_CHECKING:
    from gui.workers.part_installer import PartInstaller


Lane = Literal["thread", "engine", "reader", "aside"]
"""Where a job runs: `gui.workers.controller.Controller` says for which each lane is."""


class Services(Protocol):
    """The window as its panels see it."""

    theme: Theme
    preferences: Preferences
    folders: Folders
    controller: Controller
    """Runs jobs."""
    keeper: Keeper
    """Writes small files off the window's thread."""
    recents: Recents
    decisions: DecisionsFile
    """Pins, drops and lengths by document."""
    history: History
    """Every summary that was made."""
    jobs: JobList
    """What the status bar shows."""
    shortcuts: tuple[Shortcut, ...]
    """All keys of the window."""

    @property
    def parts(self) -> "PartInstaller":
        """Installs optional parts; made when it is first asked for, after the first paint."""
        ...

    def notify(
        self,
        severity: Severity,
        title: str,
        text: str = "",
        *,
        action: str = "",
        on_action: Callable[[], object] | None = None,
        about: str = "",
    ) -> None:
        """Shows a toast; it replaces those with the same `about`, or the same title."""

    def dismiss(self, about: str) -> None:
        """Closes the toasts about a thing, since they hold no longer."""

    def report_failure(self, failure: Failed | EpitomeError, about: str = "") -> None:
        """Shows a toast with the message and the remedy of a failure; `about` as for `notify`."""

    def run(
        self,
        job: Job,
        done: Callable[[Any], object] | None = None,
        title: str = "",
        *,
        lane: Lane = "thread",
        about: str = "",
        failed: Callable[[Failed], object] | None = None,
        by_escape: bool = True,
    ) -> Run:
        """Starts a job and reports its failure.

        Args:
            job: The job.
            done: Takes its result.
            title: Its name in the status bar, where it can be cancelled; empty for a short job
                that is not listed there.
            lane: Where it runs.
            about: As for `notify`, of the toast that reports its failure.
            failed: Takes its failure in place of the toast.
            by_escape: True if Escape cancels a job that is listed.

        Returns:
            The run.
        """
        ...

    def set_preferences(self, preferences: Preferences) -> None:
        """Applies the person's settings everywhere, and keeps them."""

    def set_reading_size(self, size_px: int) -> None:
        """Makes the text of documents larger or smaller, within its bounds."""

    def forget_everything(self) -> None:
        """Closes all documents, and deletes all that is kept of any but corpora and models."""

    def show_panel(self, name: str, **chosen: str) -> None:
        """Shows another panel; what is chosen there is handed to its `Panel.choose`."""

    def go_back(self) -> None:
        """Shows the panel that was shown before."""

    def act(self, key: str) -> None:
        """Does what a key of that name means, in the panel that it leads to."""


class Panel(Plane):
    """A panel; it fills the window beside the rail.

    Args:
        theme: The look.
        color: The colour behind it: "window" or "surface".
    """

    titled = Signal()
    """Another document is open, or none."""

    def __init__(self, theme: Theme, color: str = "window") -> None:
        super().__init__(theme, color)

    @property
    def title(self) -> str:
        """The title of what is open here; empty for nothing."""
        return ""

    def begin(self, paths: list[Path]) -> None:
        """The window stands and was painted; called once, of the first panel of the table.

        Args:
            paths: Files that the program was started with.
        """

    def end(self) -> None:
        """The window closes for good; jobs have ended, and all that was to be kept is kept."""

    def forget(self) -> None:
        """Closes what is open, and lets go of what waits to be kept: all is about to be deleted."""

    def may_close(self) -> bool:
        """Whether the window may close now; a panel that says no says why itself."""
        return True

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """What the window's keys do here, by their names in `gui.shortcuts`."""
        return {}

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Takes over what was chosen for it in another panel, as in ``{"model": "patents-4k"}``."""

    def look(self) -> None:
        """Reads again what may have changed outside; called when the panel is shown, and when
        the user comes back to the window while it is."""

    def fold(self) -> None:
        """Follows the size of the window: shows what there is room for."""

    def escape(self) -> bool:
        """Stops, closes or clears what Escape is for; whether there was anything."""
        return False

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between, left to right and top to bottom."""
        return [self]

    def can_take(self, data: QMimeData) -> bool:
        """Whether something that is dragged over the window may be dropped here."""
        return False

    def take(self, data: QMimeData) -> None:
        """Takes what was dropped."""

    def apply_preferences(self, preferences: Preferences) -> None:
        """Follows the person's settings; called once at the beginning, and after every change."""

    def saved_state(self) -> PanelState:
        """What is to be found again at the next start: widths of columns and such."""
        return {}

    def restore_state(self, state: PanelState) -> None:
        """Takes up what `saved_state` gave, perhaps of an older program; called once."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate and self.isVisible():
            self.look()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fold()


@dataclass(frozen=True)
class PanelEntry:
    """A row of the table of panels.

    Args:
        name: Its name in the program and in the window's file.
        title: Its name in the rail.
        icon: Lucide's name.
        module: Module and name of what makes the panel of the window's services, as in
            "gui.panels.history.panel:HistoryPanel"; imported when it is shown for the first time.
        anywhere: Names of keys that lead to this panel from any other one which has no action of
            that name; "drop" stands for what is dropped on the window.
        at_foot: Whether it stands at the foot of the rail.
        closable: Whether Escape leads back from it; the next start does not show it.
        keys: Its keys, as `QKeySequence` reads them; empty for Ctrl and its place in the rail.
        standard: The system's own keys for it.
    """

    name: str
    title: str
    icon: str
    module: str
    anywhere: frozenset[str] = frozenset()
    at_foot: bool = False
    closable: bool = False
    keys: str = ""
    standard: QKeySequence.StandardKey | None = None

    def make(self, services: Services) -> Panel:
        """Imports and makes the panel."""
        module, _, name = self.module.partition(":")
        panel: Panel = attrgetter(name)(import_module(module))(services)
        return panel


def offer_again(
    services: Services, failure: Failed, again: Callable[[], object], words: str, about: str
) -> None:
    """Reports a failure, and offers to do the same once more: what was in the way may be moved.

    Args:
        services: Show the toast.
        failure: Why it could not be done.
        again: Does it once more.
        words: What the offer says.
        about: As for `Services.notify`.
    """
    services.notify(
        "err", failure.message, failure.remedy, action=words, on_action=again, about=about
    )


def joined(paths: Iterable[Path | str]) -> str:
    """Paths as one text, for `Panel.choose`; names may hold line breaks, but no zero byte."""
    return "\0".join(map(str, paths))


def parted(text: str) -> list[Path]:
    """The paths that `joined` was given."""
    return [Path(name) for name in text.split("\0")]

"""The parts that panels are made of: pages under a header, two sides, undo of what was deleted."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.job import Job
from core.jobs.queue.trash import KEPT_DAYS, take_from_trash
from gui.panel import Panel, Services, offer_again
from gui.theme.theme import Theme
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.chrome.toast import Severity
from gui.widgets.display.plane import Divider
from gui.widgets.support import layouts

BOTH_SIDES_PX = 1000
"""From this width of the window on, two sides are shown beside each other."""


def tr(text: str) -> str:
    """The words in the user's language."""
    return QCoreApplication.translate("PanelKit", text)


class PagedPanel(Panel):
    """A panel with a header above pages, of which one is shown.

    Args:
        services: The window.
        color: The colour behind it: "window" or "surface".
    """

    def __init__(self, services: Services, color: str = "surface") -> None:
        super().__init__(services.theme, color)
        self._services = services
        self._pages = QStackedWidget()

    def lay_out(
        self,
        header: QWidget,
        *pages: QWidget,
        below: QWidget | None = None,
        into: QWidget | None = None,
    ) -> None:
        """Lays out the panel, with its first page shown.

        Args:
            header: The header of all pages.
            *pages: The pages.
            below: A strip below the header.
            into: What holds all that; the panel by default.
        """
        for page in pages:
            self._pages.addWidget(page)
        lay_out_below(self._theme, header, self._pages, below=below, into=into or self)

    @property
    def shown_page(self) -> QWidget | None:
        """The page that is shown."""
        return self._pages.currentWidget()

    def show_page(self, page: QWidget) -> None:
        """Shows another page."""
        self._pages.setCurrentWidget(page)


class SplitPanel(Panel):
    """A panel with two sides below its header; one at a time where the window is narrow.

    Args:
        services: The window.
        color: The colour behind it: "window" or "surface".
    """

    def __init__(self, services: Services, color: str = "window") -> None:
        super().__init__(services.theme, color)
        self._services = services
        self._start: QWidget | None = None
        self._shows_start = False

    def lay_out(
        self,
        header: PanelHeader,
        left: QWidget,
        right: QWidget,
        *,
        shares: tuple[int, int],
        below: QWidget | None = None,
        start: QWidget | None = None,
    ) -> None:
        """Lays out the panel.

        Args:
            header: The header, with the switch of the two sides.
            left: The left side.
            right: The right side.
            shares: Parts of the width that they take.
            below: A strip below the header.
            start: What is shown in place of both sides while there is nothing on either.
        """
        self._header, self._left, self._right, self._start = header, left, right, start
        self._sides = header.sides
        self._line = Divider(self._theme, Qt.Orientation.Vertical)
        header.side_chosen.connect(self.show_side)
        first: list[layouts.Part] = [(start, 100)] if start is not None else []
        body = layouts.row(*first, (left, shares[0]), self._line, (right, shares[1]))
        lay_out_below(self._theme, header, body, below=below, into=self)

    @property
    def is_wide(self) -> bool:
        """True if there is room for both sides."""
        return self.window().width() >= BOTH_SIDES_PX

    def show_start(self, shown: bool) -> None:
        """Shows the start in place of both sides, or the sides."""
        self._shows_start = shown
        self.fold()

    def show_side(self, side: str) -> None:
        """Shows a side where there is room for one."""
        self._header.show_side(side)
        self.fold()

    def leave_right(self, focus: QWidget) -> bool:
        """Goes back from the right side to the left, where only one is shown.

        Args:
            focus: What gets the keyboard.

        Returns:
            True if it did.
        """
        if self.is_wide or self._header.side != self._sides[1]:
            return False
        self.show_side(self._sides[0])
        focus.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def fold(self) -> None:
        """Shows both sides, or one and the switch."""
        wide, side, shown = self.is_wide, self._header.side, not self._shows_start
        if self._start is not None:
            self._start.setVisible(self._shows_start)
        self._header.show_switch(shown and not wide)
        self._left.setVisible(shown and (wide or side == self._sides[0]))
        self._line.setVisible(shown and wide)
        self._right.setVisible(shown and (wide or side == self._sides[1]))


def lay_out_below(
    theme: Theme,
    header: QWidget,
    body: layouts.Item,
    *,
    below: QWidget | None = None,
    into: QWidget,
) -> None:
    """Lays out a header, a line, perhaps a strip, and what fills the rest."""
    strip = [below] if below is not None else []
    layouts.column(header, Divider(theme), *strip, (body, 1), into=into)


@dataclass(frozen=True)
class _Deleted:
    key: object
    restore: Callable[[], object]


class TrashUndo(QObject):
    """Deletes with a toast that offers Undo, and takes back what was deleted last.

    Args:
        services: Runs the jobs and shows the toasts.
        about: Begins the names of the toasts, and is the name of those that report a failure.
        parent: The panel.
    """

    changed = Signal()
    """Something was deleted or taken back, or that failed."""

    def __init__(self, services: Services, about: str, parent: QObject) -> None:
        super().__init__(parent)
        self._services, self._about = services, about
        self._deleted: list[_Deleted] = []

    def offer(
        self, key: object, title: str, restore: Callable[[], object], text: str = "", *,
        severity: Severity = "info",
    ) -> None:  # fmt: skip
        """Tells that something was deleted, and offers to take it back.

        Args:
            key: What was deleted.
            title: The toast's title.
            restore: Takes it back.
            text: The toast's text.
            severity: The toast's.
        """
        self._deleted.append(_Deleted(key, restore))
        self._services.notify(
            severity,
            title,
            text,
            action=tr("Undo"),
            on_action=partial(self.restore, key),
            about=self._toast(key),
        )

    def undo(self) -> None:
        """Takes back what was deleted last."""
        if self._deleted:
            self.restore(self._deleted[-1].key)

    def restore(self, key: object) -> bool:
        """Takes back what has this key; False if it was not deleted here, or was taken back."""
        found = next((each for each in self._deleted if each.key == key), None)
        if found is None:
            return False
        self._deleted.remove(found)
        self._services.dismiss(self._toast(key))
        found.restore()
        return True

    def forget(self) -> None:
        """Takes back nothing any more."""
        self._deleted.clear()

    def discard(self, folder: Path, job: Job, told: Callable[[Any], tuple[Path, str, str]]) -> None:
        """Moves a folder to the trash.

        Args:
            folder: The folder.
            job: Moves it.
            told: Takes the job's result; gives the place in the trash, and title and text of the
                toast, to which the days that it stays there are added.
        """

        def done(result: Any) -> None:
            place, title, text = told(result)
            days = tr("It stays there for {days} days.").format(days=KEPT_DAYS)
            text = f"{days} {text}".strip()
            self.offer(folder, title, partial(self._take_back, place, folder), text)

        run = self._services.run(job, done, about=self._about)
        run.ended.connect(self.changed)

    def _take_back(self, place: Path, folder: Path) -> None:
        run = self._services.run(
            CallJob(take_from_trash, place, folder),
            failed=partial(self._offer_again, place, folder),
        )
        run.ended.connect(self.changed)

    def _offer_again(self, place: Path, folder: Path, failure: Failed) -> None:
        if not place.exists():
            self._services.report_failure(failure, self._about)
            return
        again = partial(self._take_back, place, folder)
        self._deleted.append(_Deleted(folder, again))
        offer_again(
            self._services, failure, partial(self.restore, folder), tr("Try again"),
            self._toast(folder),
        )  # fmt: skip

    def _toast(self, key: object) -> str:
        return f"{self._about} {key}"

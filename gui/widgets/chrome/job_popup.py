"""The list of jobs that opens over the status bar."""

from functools import partial
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from core.numbers import THIN_SPACE
from gui.job_list import JobList, JobState, JobWish, ListedJob, time_left
from gui.theme.compositing import round_corners
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.progress import ProgressBar
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.inputs.menu import Menu
from gui.widgets.support import layouts
from gui.widgets.support.focus_ring import FocusRing
from gui.widgets.support.leaving import let_go
from gui.widgets.support.paint import draw_plate, painter_on

SIGNS: Final[dict[JobState, tuple[str, str]]] = {
    "waiting": ("clock", "text2"),
    "running": ("loader-circle", "accent"),
    "paused": ("circle-pause", "text2"),
    "done": ("circle-check", "ok"),
    "stopped": ("square", "text2"),
    "failed": ("octagon-x", "err"),
}

_MOVES: Final[tuple[tuple[str, JobWish], ...]] = (("Alt+Up", "move_up"), ("Alt+Down", "move_down"))
_WIDTH_PX = 420
_EDGE_PX = 16
_RADIUS_PX = 10
_GAP_PX = 4
_SIGN_PX = 14
_BUTTON_PX = 24


def percent(job: ListedJob) -> str:
    """How much of a job is done: "41 %"; empty when nobody knows."""
    return "" if job.share is None else f"{round(job.share * 100)}{THIN_SPACE}%"


class JobPopup(QFrame):
    """All jobs, each with how far it is and what can be asked of it.

    Args:
        theme: The look.
        jobs: What it shows.
        parent: The status bar.
    """

    def __init__(self, theme: Theme, jobs: JobList, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.NoDropShadowWindowHint)
        round_corners(self, _RADIUS_PX)
        self.setAccessibleName(self.tr("Jobs"))
        self._theme, self._jobs, self._bar = theme, jobs, parent
        self._rows: dict[str, JobRow] = {}
        self._anchor = QPoint()
        self._content = QWidget()
        self._column = layouts.column(
            into=self._content, margins=(_EDGE_PX, 12, _EDGE_PX, 12), spacing=16
        )
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._content)
        area.viewport().setAutoFillBackground(False)
        self._content.setAutoFillBackground(False)
        layouts.column(area, into=self, margins=1)
        for keys, wish in _MOVES:
            QShortcut(QKeySequence(keys), self).activated.connect(partial(self._move, wish))
        self._ring = FocusRing(self, theme)
        jobs.listen(self._take_change)

    @property
    def rows(self) -> "tuple[JobRow, ...]":
        """The rows, from the top."""
        return tuple(self._rows.values())

    def open_above(self, bottom_left: QPoint) -> None:
        """Opens it over a place of the screen and puts the focus on its first control."""
        self._anchor = bottom_left
        self._fill()  # before it is shown: what comes later is shown a moment later
        self.show()
        for control in self.findChildren(Button):
            if control.isVisible():
                control.setFocus(Qt.FocusReason.TabFocusReason)
                break

    def _take_change(self) -> None:
        if not self.isVisible():
            return
        if self._jobs.jobs:
            self._fill()
        else:
            self.close()

    def _fill(self) -> None:
        jobs = self._jobs.jobs
        if [job.key for job in jobs] != list(self._rows):
            self._make_rows(jobs)
        for job in jobs:
            self._rows[job.key].show_job(job)
        self._place()

    def _make_rows(self, jobs: tuple[ListedJob, ...]) -> None:
        """Rows in the order of the jobs; those that stay keep the focus."""
        kept = {job.key: self._rows.pop(job.key, None) for job in jobs}
        for row in self._rows.values():
            let_go(row)
        self._rows = {}
        for place, job in enumerate(jobs):
            row = kept[job.key] or JobRow(self._theme, self._jobs, job.key)
            self._rows[job.key] = row
            self._column.insertWidget(place, row)
        controls = [control for row in self._rows.values() for control in row.controls]
        for one, other in pairwise(controls):
            self.setTabOrder(one, other)

    def _move(self, wish: JobWish) -> None:
        """Moves the job in whose row the focus is."""
        focus = self.focusWidget()
        for key, row in self._rows.items():
            if focus is not None and row.isAncestorOf(focus):
                self._jobs.wish(key, wish)

    def _place(self) -> None:
        wanted_px = self._column.totalHeightForWidth(_WIDTH_PX - 2) + 2
        top_px = self._bar.window().mapToGlobal(QPoint(0, 0)).y()
        height_px = min(wanted_px, max(120, self._anchor.y() - top_px - 8))
        self.setFixedSize(_WIDTH_PX, height_px)
        self.move(self._anchor - QPoint(0, height_px + _GAP_PX))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: True, Qt.Key.Key_Up: False}
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() in steps:
            self.focusNextPrevChild(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        round_corners(self, _RADIUS_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, color("raised"), color("line"))
        painter.end()


class JobRow(QWidget):
    """One job: its sign and title, how far it is, and its controls.

    What else it can be asked for is in its context menu.
    """

    def __init__(self, theme: Theme, jobs: JobList, key: str) -> None:
        super().__init__()
        self._theme, self._jobs, self._key = theme, jobs, key
        self._job = ListedJob(key, "", "waiting")
        self._sign = Sign(theme, *SIGNS["running"], _SIGN_PX)
        self._title = Label(theme, "", "strong", elide=True)
        self._bar = ProgressBar(theme, name=self.tr("Progress"))
        self._words = Label(theme, "", "small", "text2", wrap=True)
        self.restore = Button(theme, self.tr("Restore"), kind="link", height=_BUTTON_PX)
        self.up = icon_button(theme, "arrow-up", self.tr("Move up"), _BUTTON_PX)
        self.down = icon_button(theme, "arrow-down", self.tr("Move down"), _BUTTON_PX)
        self.pause = icon_button(theme, "pause", self.tr("Pause"), _BUTTON_PX)
        self.cancel = icon_button(theme, "x", self.tr("Cancel"), _BUTTON_PX)
        self.controls = (self.restore, self.up, self.down, self.pause, self.cancel)
        self.restore.triggered.connect(partial(self._wish, "restore"))
        self.up.triggered.connect(partial(self._wish, "move_up"))
        self.down.triggered.connect(partial(self._wish, "move_down"))
        self.pause.triggered.connect(self._pause_or_resume)
        self.cancel.triggered.connect(self._cancel_or_dismiss)
        self._lay_out()

    def show_job(self, job: ListedJob) -> None:
        """Shows how the job stands."""
        self._job = job
        if self._sign.icon != SIGNS[job.state][0]:
            self._sign.set_icon(*SIGNS[job.state])
        self._title.setText(job.title)
        self._title.setToolTip(job.title)
        self._bar.set_share(job.share)
        self._bar.set_paused(job.state == "paused")
        self._bar.setVisible(job.state in ("running", "paused"))
        self._words.setText(self._said(job))
        self._show_controls(job)
        self.setAccessibleName(f"{job.title}: {self._said(job)}")

    def _show_controls(self, job: ListedJob) -> None:
        title, wishes = job.title, job.wishes
        self.pause.setVisible(job.pause_wish is not None)
        resumes = job.pause_wish == "resume"
        self.pause.set_icon_name("play" if resumes else "pause")
        pause = {
            "pause": self.tr("Pause {title}"),
            "resume": self.tr("Resume {title}"),
            "retry": self.tr("Try {title} again"),
        }[self._pause_deed(job)]
        self.pause.set_tooltip(pause.format(title=title))
        self.cancel.setVisible(job.can_cancel or job.has_ended)
        cancel = (
            self.tr("Remove {title} from the list") if job.has_ended else self.tr("Cancel {title}")
        )
        self.cancel.set_tooltip(cancel.format(title=title))
        # Last: a control that is hidden hands the focus to the next that is shown.
        self.restore.setVisible("restore" in wishes)
        self.restore.setAccessibleName(self.tr("Restore {title}").format(title=title))
        moves = bool(wishes & {"move_up", "move_down"})
        self._show_move(self.up, self.tr("Move {title} up"), "Alt Up", moves, "move_up")
        self._show_move(self.down, self.tr("Move {title} down"), "Alt Down", moves, "move_down")

    def _show_move(self, button: Button, words: str, keys: str, shown: bool, wish: JobWish) -> None:
        """A button that moves the job: disabled at that end of the line, if there is a line."""
        button.setVisible(shown)
        button.set_tooltip(words.format(title=self._job.title), keys)
        why = self.tr("It is the next to run.") if wish == "move_up" else self.tr("It is the last.")
        button.set_usable(wish in self._job.wishes, why)

    def _pause_deed(self, job: ListedJob) -> str:
        if job.pause_wish == "pause":
            return "pause"
        return "retry" if job.state == "failed" else "resume"

    def _said(self, job: ListedJob) -> str:
        names = {
            "waiting": self.tr("Waiting"),
            "running": "",
            "paused": self.tr("Paused"),
            "done": self.tr("Done"),
            "stopped": self.tr("Stopped"),
            "failed": self.tr("Failed"),
        }
        if job.has_ended:
            return job.note or names[job.state]
        parts = (names[job.state], percent(job), time_left(job.left_s), job.note)
        return "   ·   ".join(filter(None, parts)) or self.tr("Running")

    def _wish(self, wish: JobWish) -> None:
        self._jobs.wish(self._key, wish)

    def _pause_or_resume(self) -> None:
        if self._job.pause_wish is not None:
            self._wish(self._job.pause_wish)

    def _cancel_or_dismiss(self) -> None:
        if self._job.has_ended:
            self._jobs.dismiss(self._key)
        else:
            self._wish("cancel")

    # The menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu()
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        below = self.mapToGlobal(QPoint(_SIGN_PX + 8, self._title.height() + _GAP_PX))
        menu.popup(below if by_key else event.globalPos())

    def menu(self) -> Menu:
        """All that can be asked of the job as it stands, in words."""
        menu = Menu(self._theme, self._job.title, self)
        again = self.tr("Try again") if self._job.state == "failed" else self.tr("Resume")
        self._add(menu, "restore", self.tr("Restore"), "undo-2")
        self._add(menu, "pause", self.tr("Pause"), "pause")
        self._add(menu, "resume", again, "play")
        self._add(menu, "move_up", self.tr("Move up"), "arrow-up", "Alt+Up")
        self._add(menu, "move_down", self.tr("Move down"), "arrow-down", "Alt+Down")
        self._add(menu, "duplicate", self.tr("Duplicate"), "copy")
        self._add(menu, "show_folder", self.tr("Show the folder"), "folder-open")
        self._add(menu, "cancel", self.tr("Cancel"), "x")
        if self._job.has_ended:
            menu.add(self.tr("Remove from the list"), self._cancel_or_dismiss, icon="x")
        return menu

    def _add(self, menu: Menu, wish: JobWish, words: str, icon: str, keys: str = "") -> None:
        if wish in self._job.wishes:
            menu.add(words, partial(self._wish, wish), icon=icon, shortcut=keys)

    def _lay_out(self) -> None:
        layouts.column(
            layouts.row(self._sign, (self._title, 1), *self.controls, spacing=8),
            layouts.column(self._bar, self._words, margins=(_SIGN_PX + 8, 0, 0, 0), spacing=4),
            into=self,
            spacing=2,
        )

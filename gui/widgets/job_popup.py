"""The list of jobs that opens over the status bar."""

from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.numbers import THIN_SPACE
from gui.job_list import JobList, JobState, JobWish, ListedJob, time_left
from gui.theme.theme import Theme
from gui.widgets.button import Button
from gui.widgets.label import Label
from gui.widgets.paint import draw_plate, painter_on
from gui.widgets.progress import ProgressBar
from gui.widgets.sign import Sign

SIGNS: Final[dict[JobState, tuple[str, str]]] = {
    "waiting": ("clock", "text2"),
    "running": ("loader-circle", "accent"),
    "paused": ("circle-pause", "text2"),
    "done": ("circle-check", "ok"),
    "stopped": ("square", "text2"),
    "failed": ("octagon-x", "err"),
}

_WIDTH_PX = 420
_EDGE_PX = 16
_RADIUS_PX = 10
_GAP_PX = 4
_SIGN_PX = 14


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
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(self.tr("Jobs"))
        self._theme, self._jobs, self._bar = theme, jobs, parent
        self._rows: dict[str, JobRow] = {}
        self._anchor = QPoint()
        self._content = QWidget()
        self._column = QVBoxLayout(self._content)
        self._column.setContentsMargins(_EDGE_PX, 12, _EDGE_PX, 12)
        self._column.setSpacing(16)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._content)
        area.viewport().setAutoFillBackground(False)
        self._content.setAutoFillBackground(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.addWidget(area)
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
            row.hide()
            row.deleteLater()
        self._rows = {}
        for place, job in enumerate(jobs):
            row = kept[job.key] or JobRow(self._theme, self._jobs, job.key)
            self._rows[job.key] = row
            self._column.insertWidget(place, row)

    def _place(self) -> None:
        wanted_px = self._content.sizeHint().height() + 2
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

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, color("raised"), color("line"))
        painter.end()


class JobRow(QWidget):
    """One job: its sign and title, how far it is, and its controls."""

    def __init__(self, theme: Theme, jobs: JobList, key: str) -> None:
        super().__init__()
        self._jobs, self._key = jobs, key
        self._pause_wish: JobWish | None = None
        self._has_ended = False
        self._sign = Sign(theme, *SIGNS["running"], _SIGN_PX)
        self._title = Label(theme, "", "strong", elide=True)
        self._bar = ProgressBar(theme, name=self.tr("Progress"))
        self._words = Label(theme, "", "small", "text2", wrap=True)
        self.pause = Button(theme, kind="ghost", icon="pause", height=24, tooltip=self.tr("Pause"))
        self.cancel = Button(theme, kind="ghost", icon="x", height=24, tooltip=self.tr("Cancel"))
        self.pause.triggered.connect(self._wish_pause)
        self.cancel.triggered.connect(self._cancel_or_dismiss)
        self._lay_out()

    def show_job(self, job: ListedJob) -> None:
        """Shows how the job stands."""
        if self._sign.icon != SIGNS[job.state][0]:
            self._sign.set_icon(*SIGNS[job.state])
        self._title.setText(job.title)
        self._title.setToolTip(job.title)
        self._bar.set_share(job.share)
        self._bar.set_paused(job.state == "paused")
        self._bar.setVisible(job.state in ("running", "paused"))
        self._words.setText(self._said(job))
        self._pause_wish, self._has_ended = job.pause_wish, job.has_ended
        self.pause.setVisible(job.pause_wish is not None)
        resumes = job.pause_wish == "resume"
        self.pause.set_icon_name("play" if resumes else "pause")
        pause = self.tr("Resume {title}") if resumes else self.tr("Pause {title}")
        self.pause.set_tooltip(pause.format(title=job.title))
        self.cancel.setVisible(job.can_cancel or job.has_ended)
        cancel = (
            self.tr("Remove {title} from the list") if job.has_ended else self.tr("Cancel {title}")
        )
        self.cancel.set_tooltip(cancel.format(title=job.title))
        self.setAccessibleName(f"{job.title}: {self._said(job)}")

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

    def _wish_pause(self) -> None:
        if self._pause_wish is not None:
            self._jobs.wish(self._key, self._pause_wish)

    def _cancel_or_dismiss(self) -> None:
        if self._has_ended:
            self._jobs.dismiss(self._key)
        else:
            self._jobs.wish(self._key, "cancel")

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._sign)
        row.addWidget(self._title, 1)
        row.addWidget(self.pause)
        row.addWidget(self.cancel)
        below = QVBoxLayout()
        below.setContentsMargins(_SIGN_PX + 8, 0, 0, 0)
        below.setSpacing(4)
        below.addWidget(self._bar)
        below.addWidget(self._words)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addLayout(below)

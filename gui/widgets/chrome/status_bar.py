"""The status bar: what runs and how far it is, in one line; memory at the right."""

from typing import Final

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QHideEvent, QMouseEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from core.numbers import THIN_SPACE
from gui.job_list import JobList, JobState, ListedJob, counts, num_jobs, time_left
from gui.theme.theme import Theme
from gui.widgets.chrome.job_popup import SIGNS, JobPopup, percent
from gui.widgets.display.label import Label
from gui.widgets.display.progress import ProgressBar
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts
from gui.widgets.support.announce import announce
from gui.widgets.support.paint import painter_on

HEIGHT_PX = 28

_SAMPLE_MS = 2000
_BAR_PX = 96
_GB = 1e9
_NEWS: Final[tuple[JobState, ...]] = ("done", "failed")


class StatusBar(QWidget):
    """The same place for all progress, whatever panel is open.

    Its line shows the first job that has not ended, or the last word; a click on it, or its button,
    opens the list of all jobs. Cancel and pause stand before the words, so that no text that
    changes moves them away from under the pointer.

    Args:
        theme: The look.
        jobs: What it shows.
        parent: Qt's owner.
    """

    def __init__(self, theme: Theme, jobs: JobList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._jobs = theme, jobs
        self._announced: dict[str, int] = {}
        self._states: dict[str, JobState] = {}
        self._popup: JobPopup | None = None
        self.setFixedHeight(HEIGHT_PX)
        self._sign = Sign(theme, *SIGNS["done"], 14)
        self._words = Label(theme, "", "small", "text2", elide=True)
        self._bar = ProgressBar(theme, name=self.tr("Progress"), width=_BAR_PX)
        self._numbers = Label(theme, "", "small", "text2")
        self._pause = Button(
            theme, kind="ghost", icon="pause", height=24, tooltip=self.tr("Pause"), keys="Ctrl ."
        )
        self._cancel = Button(
            theme, kind="ghost", icon="x", height=24, tooltip=self.tr("Cancel"), keys="Esc"
        )
        self._all = Button(
            theme, kind="ghost", icon="chevron-up", height=24, tooltip=self.tr("Show all jobs")
        )
        self._pause.triggered.connect(self._pause_front)
        self._cancel.triggered.connect(self._cancel_front)
        self._all.triggered.connect(self.open_list)
        self.memory = MemoryLabel(theme)
        self._private_sign = Sign(theme, "eye-off", "text2", 14)
        self._private = Label(theme, self.tr("Private mode"), "small", "text")
        self._private.setToolTip(self.tr("Nothing of what is opened is kept"))
        self.set_private(False)
        self._lay_out()
        self._show()
        jobs.listen(self._take_change)
        theme.changed.connect(self.update)

    @property
    def text(self) -> str:
        """The words at the left."""
        return self._words.text()

    @property
    def cancel_button(self) -> Button:
        """Cancels the job of the line; shown while it can be cancelled."""
        return self._cancel

    @property
    def pause_button(self) -> Button:
        """Pauses or resumes the job of the line; shown while it can be."""
        return self._pause

    @property
    def list_button(self) -> Button:
        """Opens the list of jobs; shown when there is more in it than the line says."""
        return self._all

    def set_private(self, private: bool) -> None:
        """Says that nothing is kept, or no more."""
        self._private_sign.setVisible(private)
        self._private.setVisible(private)

    def open_list(self) -> None:
        """Opens the list of jobs over the bar, with the focus in it."""
        if not self._jobs.jobs:
            return
        if self._popup is None:
            self._popup = JobPopup(self._theme, self._jobs, self)
        self._popup.open_above(self.mapToGlobal(QPoint(8, 0)))

    def _pause_front(self) -> None:
        front = self._jobs.front
        if front is not None and front.pause_wish is not None:
            self._jobs.wish(front.key, front.pause_wish)

    def _cancel_front(self) -> None:
        front = self._jobs.front
        if front is not None:
            self._jobs.wish(front.key, "cancel")

    # What is shown

    def _take_change(self) -> None:
        self._show()
        for job in self._jobs.jobs:
            self._announce(job)
        self._states = {job.key: job.state for job in self._jobs.jobs}
        self._announced = {k: tenth for k, tenth in self._announced.items() if k in self._states}

    def _show(self) -> None:
        jobs, front = self._jobs.jobs, self._jobs.front
        if front is None:
            self._show_rest()
        else:
            self._show_job(front)
        others = len(jobs) - (front is not None)
        self._all.setVisible(bool(others))
        self._all.setAccessibleName(
            self.tr("Show all jobs: {counts}").format(counts=counts(jobs)) if jobs else ""
        )
        self._all.setText(num_jobs(jobs) if len(jobs) > 1 else "")

    def _show_rest(self) -> None:
        said = self._jobs.last_word
        self._sign.set_icon(*SIGNS[self._jobs.last_state if said else "done"])
        self._say(said or self.tr("Ready. No jobs running."))
        for part in (self._bar, self._numbers, self._pause, self._cancel):
            part.hide()

    def _show_job(self, job: ListedJob) -> None:
        if self._sign.icon != SIGNS[job.state][0]:
            self._sign.set_icon(*SIGNS[job.state])
        running = job.state == "running"
        still = running and self._theme.reduced_motion
        self._say(f"{job.title}…" if still else job.title)
        self._bar.set_share(job.share)
        self._bar.set_paused(not running)
        self._bar.setVisible(job.state != "waiting")
        numbers = (percent(job), time_left(job.left_s) if running else self._state_word(job))
        self._numbers.setText("   ·   ".join(filter(None, numbers)))
        self._numbers.setVisible(any(numbers))
        self._cancel.setVisible(job.can_cancel)
        self._cancel.set_tooltip(self.tr("Cancel"), "Esc" if job.by_escape else "")
        self._pause.setVisible(job.pause_wish is not None)
        resumes = job.pause_wish == "resume"
        self._pause.set_icon_name("play" if resumes else "pause")
        self._pause.set_tooltip(self.tr("Resume") if resumes else self.tr("Pause"), "Ctrl .")

    def _state_word(self, job: ListedJob) -> str:
        return self.tr("paused") if job.state == "paused" else self.tr("waiting")

    def _announce(self, job: ListedJob) -> None:
        tenth = int((job.share or 0) * 10) if job.state == "running" else 0
        if tenth > self._announced.get(job.key, 0):
            self._announced[job.key] = tenth
            announce(self, f"{job.title}: {percent(job)}")
        before = self._states.get(job.key, job.state)  # what ended before the start is no news
        if job.state != before and job.state in _NEWS and job.note:
            announce(self, job.note, urgent=job.state == "failed")

    def _say(self, text: str) -> None:
        self._words.setText(text)
        self._words.setToolTip(text)
        self.setAccessibleName(text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.open_list()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        painter.fillRect(self.rect(), color("window"))
        painter.fillRect(0, 0, self.width(), 1, color("line"))
        painter.end()

    def _lay_out(self) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter
        layouts.row(
            (self._sign, 0, middle),
            (self._cancel, 0, middle),
            (self._pause, 0, middle),
            self._words,
            (self._bar, 0, middle),
            (self._numbers, 0, middle),
            (self._all, 0, middle),
            layouts.stretch(0),
            (self._private_sign, 0, middle),
            self._private,
            self.memory,
            into=self,
            margins=(16, 1, 16, 0),
            spacing=8,
        )


class MemoryLabel(QWidget):
    """Memory of the computer in use, read every 2 s while it is in sight."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = Label(theme, "", "small", "text2")
        layouts.row(Sign(theme, "memory-stick", "text2", 14), self._words, into=self, spacing=8)
        self._timer = QTimer(self, interval=_SAMPLE_MS)
        self._timer.timeout.connect(self._sample)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._words.text():
            QTimer.singleShot(0, self, self._sample)  # once the window is painted

    def show_bytes(self, used: int, total: int) -> None:
        """Shows two sizes in GB."""
        self._words.setText(memory_text(used, total))
        self.setAccessibleName(self.tr("Memory in use: %s") % self._words.text())

    def _sample(self) -> None:
        import psutil  # 20 ms that the first paint need not wait for

        memory = psutil.virtual_memory()
        self.show_bytes(memory.total - memory.available, memory.total)


def memory_text(used: int, total: int) -> str:
    """Two sizes in bytes as "6.2 of 32 GB"."""
    return f"{used / _GB:.1f} of {round(total / _GB)}{THIN_SPACE}GB"

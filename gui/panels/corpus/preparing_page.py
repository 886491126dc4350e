"""A corpus on its way: how far it is, what is read, and how it failed."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.jobs.queue.listing import JobNow
from core.jobs.queue.queued import State
from core.numbers import format_share
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.display.progress import ProgressBar
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts

_WIDTH_PX = 560
_HEADS: Final[dict[State, tuple[str, str, str]]] = {
    "waiting": ("clock", "text3", "Waiting for its turn"),
    "starting": ("loader-circle", "accent", "Starting"),
    "running": ("loader-circle", "accent", "Preparing"),
    "paused": ("circle-pause", "warn", "Paused; what is prepared is kept"),
    "stopped": ("circle-pause", "warn", "Stopped; what is prepared is kept"),
    "failed": ("octagon-x", "err", "It failed; what is prepared is kept"),
    "cancelled": ("octagon-x", "text3", "Cancelled"),
    "finished": ("circle-check", "ok", "Done"),
}


class PreparingPage(Plane):
    """Progress with pause and cancel, or the failure with what mends it.

    Signals:
        wished: What is asked of the job: "pause", "resume" or "cancel".
        change_requested: The sources and settings shall be changed.
    """

    wished = Signal(str)
    change_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._sign = Sign(theme, "clock", "text3", 20)
        self._head = Label(theme, "", "title")
        self.told = Label(theme, "", "body", "text2", wrap=True)
        self.bar = ProgressBar(theme, name=self.tr("Progress of the corpus"), height=6)
        self.pause = Button(theme, self.tr("Pause"), icon="pause")
        self.cancel = Button(theme, self.tr("Cancel"), kind="ghost", icon="x")
        self.change = Button(theme, self.tr("Change sources or settings"), kind="ghost")
        self._wish = "pause"
        self.pause.triggered.connect(lambda: self.wished.emit(self._wish))
        self.cancel.triggered.connect(lambda: self.wished.emit("cancel"))
        self.change.triggered.connect(self.change_requested)
        self._lay_out()

    def _lay_out(self) -> None:
        card = QWidget()
        card.setMaximumWidth(_WIDTH_PX)
        layouts.column(
            layouts.row(self._sign, (self._head, 1), spacing=11),
            self.bar,
            self.told,
            layouts.row(self.pause, self.change, self.cancel, layouts.stretch(), spacing=8),
            into=card,
            spacing=12,
        )
        across = layouts.row(
            layouts.stretch(), (card, 100), layouts.stretch(), margins=(24, 0, 24, 0), spacing=None
        )
        column = QVBoxLayout(self)
        column.addStretch(2)
        column.addLayout(across)
        column.addStretch(3)

    def show_job(self, job: JobNow, can_change: bool) -> None:
        """Shows how a job stands.

        Args:
            job: The job.
            can_change: Whether its sources and settings are at hand to be changed.
        """
        icon, color, head = _HEADS[job.state]
        self._sign.set_icon(icon, color)
        running = job.state in ("starting", "running")
        share = f"  {format_share(job.share, 1)}" if running and job.share else ""
        self._head.setText(f"{head}{share}")
        self.bar.setVisible(job.state != "failed")
        self.bar.set_share(job.share if job.share is not None or running else 0.0)
        self.bar.set_paused(not running)
        self.told.setText(job.note or self.tr("You can close the window: the work goes on."))
        self._wish = "pause" if running or job.state == "waiting" else "resume"
        words = {"pause": self.tr("Pause"), "resume": self.tr("Continue")}
        failed = job.state == "failed"
        self.pause.setText(self.tr("Try again") if failed else words[self._wish])
        self.pause.set_icon_name("pause" if self._wish == "pause" else "play")
        self.pause.set_usable(job.can_pause and job.state != "cancelled")
        self.change.setVisible(failed and can_change)
        self.cancel.setVisible(job.state not in ("finished", "cancelled"))

    def focus_first(self) -> None:
        """Puts the keyboard on the first button that undoes nothing."""
        focus = self.pause if self.pause.isEnabled() else self
        focus.setFocus(Qt.FocusReason.OtherFocusReason)

"""The status bar: what runs and how far it is; memory at the right."""

from typing import Final, Literal

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.announce import announce
from gui.widgets.button import Button
from gui.widgets.label import Label
from gui.widgets.numbers import THIN_SPACE
from gui.widgets.paint import painter_on
from gui.widgets.progress import ProgressBar
from gui.widgets.sign import Sign

HEIGHT_PX = 28

State = Literal["ready", "running", "paused", "note", "failed", "done"]

_SAMPLE_MS = 2000
_BAR_PX = 96
_GB = 1e9
_SIGNS: Final[dict[State, tuple[str, str]]] = {
    "ready": ("circle-check", "ok"),
    "done": ("circle-check", "ok"),
    "running": ("loader-circle", "accent"),
    "paused": ("circle-pause", "text2"),
    "note": ("triangle-alert", "warn"),
    "failed": ("octagon-x", "err"),
}


class StatusBar(QWidget):
    """The same place for all progress, whatever panel is open."""

    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._announced = 0
        self.setFixedHeight(HEIGHT_PX)
        self._sign = Sign(theme, *_SIGNS["ready"], 14)
        self._words = Label(theme, "", "small", "text2")
        self._bar = ProgressBar(theme, name=self.tr("Progress"), width=_BAR_PX)
        self._percent = Label(theme, "", "small", "text2")
        self._left = Label(theme, "", "small", "text2")
        self._cancel = Button(
            theme, kind="ghost", icon="x", height=24, tooltip=self.tr("Cancel"), keys="Esc"
        )
        self._cancel.triggered.connect(self.cancelled)
        self.memory = MemoryLabel(theme)
        self._lay_out()
        self.show_state("ready", self.tr("Ready. No jobs running."))
        theme.changed.connect(self.update)

    @property
    def text(self) -> str:
        """The words at the left."""
        return self._words.text()

    @property
    def cancel_button(self) -> Button:
        """Stops the running job; shown while there is one."""
        return self._cancel

    def show_state(self, state: State, text: str) -> None:
        """Says how things are, without a bar, and announces it.

        Args:
            state: Gives the icon.
            text: One sentence.
        """
        self._announced = 0
        self._say(state, text)
        for part in (self._bar, self._percent, self._left, self._cancel):
            part.hide()
        if state != "ready":
            announce(self, text, urgent=state == "failed")

    def show_progress(self, text: str, share: float | None, time_left: str = "") -> None:
        """Says what runs and how far it is; the first of every 10 % is announced.

        Args:
            text: What runs.
            share: 0 to 1; None when nobody knows how much there is.
            time_left: Such as "about 3 min left", or "".
        """
        self._say("running", f"{text}…" if self._theme.reduced_motion else text)
        self._bar.set_share(share)
        percent = "" if share is None else f"{round(share * 100)}{THIN_SPACE}%"
        self._percent.setText(percent)
        self._left.setText(f"·   {time_left}" if time_left and percent else time_left)
        self._bar.show()
        self._cancel.show()
        self._percent.setVisible(bool(percent))
        self._left.setVisible(bool(time_left))
        tenth = 0 if share is None else int(share * 10)
        if tenth > self._announced:
            self._announced = tenth
            announce(self, f"{text}: {percent}")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        painter.fillRect(self.rect(), color("window"))
        painter.fillRect(0, 0, self.width(), 1, color("line"))
        painter.end()

    def _say(self, state: State, text: str) -> None:
        if text != self._words.text() or state != "running":
            self._sign.set_icon(*_SIGNS[state])
        self._words.setText(text)
        self.setAccessibleName(text)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 1, 16, 0)
        row.setSpacing(8)
        for part in (self._sign, self._words, self._bar, self._percent, self._left, self._cancel):
            row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch()
        row.addWidget(self.memory)


class MemoryLabel(QWidget):
    """Memory of the computer in use, read every 2 s while it is in sight."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = Label(theme, "", "small", "text2")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(Sign(theme, "memory-stick", "text2", 14))
        row.addWidget(self._words)
        self._timer = QTimer(self, interval=_SAMPLE_MS)
        self._timer.timeout.connect(self._sample)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        QTimer.singleShot(0, self, self._sample)  # after the first paint

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

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

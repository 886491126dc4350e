"""The head of a run: its name, where it stands, the time left, and what can be asked of it."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gui.panels.train.state import ListedRun
from gui.theme.theme import Theme
from gui.widgets.display.chip import Chip
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.display.progress import ProgressBar
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts

_HEIGHT_PX = 64
_BAR_PX = 4
_ICONS: Final = {"pause": "pause", "resume": "play", "stop": "square", "restore": "undo-2"}


class RunHead(Plane):
    """Title, chips and one line at the left; time left and buttons at the right; the bar below."""

    asked = Signal(str)
    """What is to be done with the run: a `gui.panels.train.state.Deed`."""
    menu_requested = Signal(QWidget)
    """The button under which the menu of more deeds is to open."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window")
        self._title = Label(theme, "", "title", elide=True)
        self._from, self._where = Chip(theme, ""), Chip(theme, "")
        self._line = Label(theme, "", "body", "text2", elide=True)
        self._left = Label(theme, "", "section")
        self._until = Label(theme, "", "small", "text2")
        self.main = Button(theme, self.tr("Pause"), icon="pause", keys="Ctrl .")
        self.stop = Button(
            theme, self.tr("Stop"), kind="ghost", icon="square",
            tooltip=self.tr("Save a checkpoint and end the run; it can be resumed later"),
        )  # fmt: skip
        self.more = Button(theme, kind="ghost", icon="ellipsis", tooltip=self.tr("More"))
        self._bar = ProgressBar(theme, name=self.tr("Progress of the run"), height=_BAR_PX)
        self._deed = ""
        self.main.triggered.connect(lambda: self.asked.emit(self._deed))
        self.stop.triggered.connect(lambda: self.asked.emit("stop"))
        self.more.triggered.connect(lambda: self.menu_requested.emit(self.more))
        self._lay_out()

    def _lay_out(self) -> None:
        words = layouts.column(
            layouts.stretch(0),
            layouts.row(self._title, self._from, self._where, layouts.stretch(), spacing=8),
            self._line,
            layouts.stretch(0),
            spacing=2,
        )
        times = layouts.column(layouts.stretch(0))
        for label in (self._left, self._until):
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            times.addWidget(label)
        times.addStretch()
        row = layouts.row(
            (words, 1), times, 8, self.main, self.stop, self.more, margins=(24, 0, 12, 0), spacing=8
        )
        holder = QWidget()
        holder.setFixedHeight(_HEIGHT_PX)
        holder.setLayout(row)
        layouts.column(holder, self._bar, into=self)

    def show_run(self, run: ListedRun, where: str) -> None:
        """Shows a run as the list has it.

        Args:
            run: The run.
            where: What it runs on, in a few words; may be empty.
        """
        self._title.setText(run.title)
        start = run.card.start_from if run.card else ""
        self._from.setText(self.tr("from {0}").format(start))
        self._from.setVisible(bool(start))
        self._where.setText(where)
        self._where.setVisible(bool(where))
        self._bar.set_share(run.share or 0.0)
        self._bar.set_paused(run.state != "running")
        self._show_deeds(run)

    def _show_deeds(self, run: ListedRun) -> None:
        shown = next((d for d in ("pause", "resume", "restore") if d in run.deeds), "")
        if run.is_pausing and run.job is not None and run.job.wish in ("pause", "stop"):
            shown = "resume"
        self._deed = shown
        words = {
            "pause": self.tr("Pause"),
            "resume": self.tr("Resume"),
            "restore": self.tr("Restore"),
        }
        tips = {
            "pause": self.tr("Save a checkpoint, free the device, and wait to be resumed"),
            "resume": self.tr("Go on from the last checkpoint"),
            "restore": self.tr("Take the run back from the trash"),
        }
        self.main.setVisible(bool(shown))
        if shown and self.main.text() != words[shown]:
            self.main.setText(words[shown])
            self.main.set_icon_name(_ICONS[shown])
            self.main.set_tooltip(tips[shown], "Ctrl ." if shown == "pause" else "")
            self.main.updateGeometry()
        self.stop.setVisible("stop" in run.deeds)
        self.stop.set_usable(not run.is_pausing, self.tr("It is ending already."))
        self.more.setVisible(run.state != "cancelled")

    def show_place(self, line: str, left: str, until: str, parts: str) -> None:
        """Says where the run stands.

        Args:
            line: How far it is.
            left: The time left; may be empty.
            until: When it will be done; may be empty.
            parts: What the time left is made of; may be empty.
        """
        self._line.setText(line)
        self._left.setText(left)
        self._until.setText(until)
        for label in (self._left, self._until):
            label.setToolTip(parts)
            label.setVisible(bool(label.text()))
        self._left.setAccessibleDescription(parts)

    @property
    def words(self) -> tuple[str, ...]:
        """What is written, from the left."""
        return (self._title.text(), self._line.text(), self._left.text(), self._until.text())

    def fold(self, roomy: bool) -> None:
        """Leaves out the chips where there is little room."""
        if not roomy:
            self._from.hide()
            self._where.hide()

"""The head of the Batch panel: what is open, and what can be done with it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.panels.batch.state import BatchState
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.support import layouts

HEIGHT_PX = 52


class Header(Plane):
    """Title and name at the left; at the right the deeds, the first of them filled."""

    add_asked = Signal(QWidget)
    start_asked = Signal()
    pause_asked = Signal()
    export_asked = Signal(QWidget)
    together_asked = Signal()
    batches_asked = Signal(QWidget)
    """The other batches, and a new one, shall be offered below the button."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEIGHT_PX)
        self._folded = False
        self._title = Label(theme, self.tr("Batch"), "title")
        self._facts = Label(theme, "", "body", "text2", elide=True)
        self.batches = icon_button(theme, "history", self.tr("Other batches"))
        self._adding = self.tr("Add files, folders or tables")
        self.add = Button(theme, self.tr("Add files"), icon="plus", tooltip=self._adding)
        self.add_icon = Button(theme, kind="ghost", icon="plus", tooltip=self._adding)
        words = self.tr("One summary")
        self.together = Button(theme, words, icon="layers-2")
        self.together_icon = Button(theme, kind="ghost", icon="layers-2", tooltip=words)
        self.pause = Button(theme, self.tr("Pause"), icon="pause", keys="Ctrl .")
        self.start = Button(
            theme, self.tr("Summarise"), kind="primary", icon="play", keys="Ctrl Enter"
        )
        self.export = Button(theme, self.tr("Export"), kind="primary", icon="share", keys="Ctrl E")
        self._lay_out()
        self._connect()
        self.show_state(BatchState())

    def _lay_out(self) -> None:
        layouts.row(
            self._title,
            4,
            (self._facts, 1),
            layouts.stretch(0),
            self.batches,
            self.add,
            self.add_icon,
            self.together,
            self.together_icon,
            self.pause,
            self.start,
            self.export,
            into=self,
            margins=(24, 0, 16, 1),
            spacing=8,
        )

    def _connect(self) -> None:
        self.batches.triggered.connect(lambda: self.batches_asked.emit(self.batches))
        for button in (self.add, self.add_icon):
            button.triggered.connect(lambda button=button: self.add_asked.emit(button))
        for button in (self.together, self.together_icon):
            button.triggered.connect(self.together_asked)
        self.pause.triggered.connect(self.pause_asked)
        self.start.triggered.connect(self.start_asked)
        self.export.triggered.connect(lambda: self.export_asked.emit(self.export))

    @property
    def facts(self) -> str:
        """The line beside the title."""
        return self._facts.text()

    @property
    def can_pause(self) -> bool:
        """Whether the button that pauses, resumes or goes on would be obeyed."""
        return not self.pause.isHidden() and self.pause.isEnabled()

    def show_state(self, state: BatchState, num_selected: int = 0) -> None:
        """Shows what can be done with the batch as it stands.

        Args:
            state: The batch.
            num_selected: How many summaries are selected; 0 where all are meant.
        """
        phase, counts = state.phase, state.counts
        self._is_empty = phase == "empty"
        self._has_some = counts["done"] > 1
        self._facts.setText(state.title)
        self._facts.setToolTip("\n".join(state.sources))
        is_begun = counts["done"] > 0
        more = phase == "ready" and is_begun
        self.pause.setVisible(more or phase in ("running", "paused", "failed"))
        words = self.tr("Pause") if phase == "running" else self.tr("Resume")
        self.pause.setText(state.start_words if more else words)
        self.pause.set_icon_name("pause" if phase == "running" else "play")
        wishes = state.job.wish in ("pause", "cancel", "stop") if state.job else False
        self.pause.set_usable(not wishes, self.tr("It is about to stop."))
        self.start.setVisible(phase == "ready" and not is_begun)
        self.start.setText(state.start_words)
        self.export.setVisible(is_begun)
        self.export.setText(state.export_words(num_selected))
        told = self.tr("One summary of all documents: what they share, where they differ")
        if num_selected:
            told = self.tr("One summary of the {0} selected documents").format(num_selected)
        for button in (self.together, self.together_icon):
            button.set_tooltip(told)
        self._arrange()

    def fold(self, folded: bool) -> None:
        """Leaves the icons alone of all buttons but the filled one."""
        self._folded = folded
        self._arrange()

    def _arrange(self) -> None:
        full = not self._is_empty
        self.add.setVisible(full and not self._folded)
        self.add_icon.setVisible(full and self._folded)
        self.together.setVisible(full and self._has_some and not self._folded)
        self.together_icon.setVisible(full and self._has_some and self._folded)

"""The head of the Batch panel: what is open, and what can be done with it."""

from gui.panels.batch.state import BatchState
from gui.theme.theme import Theme
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.inputs.button import Button, icon_button


class BatchHeader(PanelHeader):
    """Title and name of the batch; its actions, of which one is filled."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Batch"))
        self.batches = icon_button(theme, "history", self.tr("Other batches"))
        self.add_files = Button(theme, self.tr("Add files"), icon="plus",
                                tooltip=self.tr("Add files, folders or tables"))  # fmt: skip
        self.together = Button(theme, self.tr("One summary"), icon="layers-2")
        self.pause = Button(theme, self.tr("Pause"), icon="pause", keys="Ctrl .")
        self.start = Button(
            theme, self.tr("Summarise"), kind="primary", icon="play", keys="Ctrl Enter"
        )
        self.export = Button(theme, self.tr("Export"), kind="primary", icon="share", keys="Ctrl E")
        folding = (self.add_files, self.together)
        self.add(self.batches, *folding, self.pause, self.start, self.export, folding=folding)
        self.show_state(BatchState())

    @property
    def can_pause(self) -> bool:
        """True if the button that pauses, resumes or goes on can be pressed."""
        return not self.pause.isHidden() and self.pause.isEnabled()

    def show_state(self, state: BatchState, num_selected: int = 0) -> None:
        """Shows the actions of a batch.

        Args:
            state: The batch.
            num_selected: Selected summaries; 0 for all.
        """
        phase, counts = state.phase, state.counts
        self.show_facts(state.title, "\n".join(state.sources))
        self.add_files.setVisible(phase != "empty")
        self.together.setVisible(phase != "empty" and counts["done"] > 1)
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
        self.together.set_tooltip(told)

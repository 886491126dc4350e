"""One quiet line: what was decided about this document before is in force again."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.library.decisions import Decisions
from gui.panels.summarise.saving.dates import day_of
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button


class RestoredRow(QWidget):
    """“Your pins from 3 Nov are back.”, and Start fresh."""

    fresh_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._words = Label(theme, "", "small", "text2", elide=True)
        self.fresh = Button(
            theme,
            self.tr("Start fresh"),
            kind="link",
            height=24,
            tooltip=self.tr("Let go of pins, drops and length; Undo brings them back"),
        )
        self.fresh.triggered.connect(self.fresh_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 16, 8)
        row.setSpacing(8)
        row.addWidget(Sign(theme, "history", "text3", 14))
        row.addWidget(self._words)
        row.addWidget(self.fresh)
        row.addStretch(1)
        self.hide()

    def show_restored(self, restored: Decisions | None) -> None:
        """Says what is back, or nothing."""
        self.setVisible(restored is not None)
        if restored is not None:
            words = self._told(restored).format(day=day_of(restored.saved))
            self._words.setText(words)
            self._words.setToolTip(words)

    def _told(self, restored: Decisions) -> str:
        if restored.dropped or restored.replaced:
            return self.tr("Your changes from {day} are back.")
        if restored.pinned:
            return self.tr("Your pins from {day} are back.")
        return self.tr("Your length from {day} is back.")

"""What is said and shown while work is on its way."""

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.events import Progress
from core.numbers import format_quantity
from gui.panels.summarise.summary.choices import BUILT_IN, Choices
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.progress import ProgressBar
from gui.widgets.inputs.button import Button


def progress_words(progress: Progress) -> str:
    """How far the work is: "Ranking: 210 of 900 sentences"."""
    if not progress.total or progress.unit == "bytes":
        return progress.what
    count = format_quantity(progress.total, progress.unit, progress.unit)
    words = QCoreApplication.translate("SummarisePanel", "{what}: {done} of {count}")
    return words.format(what=progress.what, done=progress.done, count=count)


def share_done(progress: Progress | None) -> float | None:
    """How far the work is, from 0 to 1; None when nobody knows."""
    return progress.done / progress.total if progress and progress.total else None


class WritingRow(QWidget):
    """How far what is wished for is, and Cancel. The summary before it stands below, in use."""

    cancel_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._doing = Label(theme, "", "small", "text2", elide=True)
        self._bar = ProgressBar(theme, name=self.tr("Writing"))
        self.cancel = Button(theme, self.tr("Cancel"), height=28)
        self.cancel.triggered.connect(self.cancel_requested)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._doing, 1)
        row.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 8, 16, 4)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self._bar)

    def show_progress(self, wish: Choices, progress: Progress | None, has_text: bool) -> None:
        """Says how far what is wished for is.

        Args:
            wish: It; a model writes, or the sentences are ranked in another language.
            progress: What was said last; None at the beginning.
            has_text: Whether something is written, which is kept when the writing is stopped.
        """
        self.cancel.setText(self.tr("Stop") if has_text else self.tr("Cancel"))
        keeps = self.tr("Keep what is written") if has_text else self.tr("Change nothing")
        self.cancel.set_tooltip(keeps, "Esc")
        ranks = wish.model == BUILT_IN
        words = self.tr("Ranking again") if ranks else self.tr("Loading {model}")
        beginning = words.format(model=wish.model)
        self._doing.setText(progress_words(progress) if progress else beginning)
        # Nothing done yet may be all that is ever told of a short text.
        self._bar.set_share(share_done(progress) or None)

"""The text of a summary while a model writes it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.skeleton import Skeleton
from gui.widgets.reading.summary_page import TEXT_LEFT_PX

_MEASURE_PX = 560
_LINES_TO_COME = 2


class StreamView(QScrollArea):
    """Text that grows, with grey lines below it for what is still to come.

    Its end stays in sight unless the person has scrolled up.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Summary, being written"))
        self._words = Label(theme, "", "read", wrap=True)
        self._words.setMaximumWidth(_MEASURE_PX)
        skeleton = Skeleton(theme, _LINES_TO_COME)
        skeleton.setMaximumWidth(_MEASURE_PX)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(TEXT_LEFT_PX, 12, 24, 24)
        column.setSpacing(16)
        column.addWidget(self._words)
        column.addWidget(skeleton)
        column.addStretch(1)
        self.setWidget(page)
        self.viewport().setAutoFillBackground(False)
        page.setAutoFillBackground(False)
        bar = self.verticalScrollBar()
        self._is_at_end = True
        bar.valueChanged.connect(lambda value: self._note_place())
        bar.rangeChanged.connect(self._follow_end)

    @property
    def text(self) -> str:
        """What is shown."""
        return self._words.text()

    def show_text(self, text: str) -> None:
        """Shows the text as far as it is written."""
        self._words.setText(text)

    def _follow_end(self, least: int, most: int) -> None:
        if self._is_at_end:
            self.verticalScrollBar().setValue(most)

    def _note_place(self) -> None:
        bar = self.verticalScrollBar()
        self._is_at_end = bar.value() >= bar.maximum() - 4

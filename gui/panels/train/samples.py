"""Samples of a run beside their references, with the words they share lit."""

from itertools import zip_longest

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from core.jobs.runs.run_history import RunHistory, sample_score
from core.numbers import format_count
from core.training.events import SampleWritten
from gui.panels.train.shared_words import LEAST_WORDS, shared_spans
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider
from gui.widgets.inputs.button import icon_button
from gui.widgets.reading.text_block import TextBlock, paint_mark
from gui.widgets.support import layouts
from gui.widgets.support.paint import painter_on

_MOST_TEXTS = 12
_EDGE_PX = 16


class SharedText(QWidget):
    """A text whose words that another text has too are lit."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._text = theme, ""
        self._spans = shared_spans("", "")
        self._block: TextBlock | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._dress)

    def show_text(self, text: str, other: str) -> None:
        """Shows a text; lit are the words that the other one has too."""
        self._text, self._spans = text, shared_spans(text, other)
        self.setAccessibleName(text)
        self._dress()

    @property
    def shared(self) -> list[str]:
        """The words that are lit."""
        return [self._text[start:end] for start, end in self._spans]

    def _laid_out(self, width: int) -> TextBlock:
        if self._block is None or self._block.width != width - 6:
            font, line_px = self._theme.font("reads"), self._theme.line_height("reads")
            self._block = TextBlock(self._text or "—", font, line_px, width - 6)
        return self._block

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._laid_out(width).height

    def sizeHint(self) -> QSize:
        return QSize(300, self._laid_out(max(self.width(), 300)).height)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self._theme.line_height("reads"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, block = painter_on(self), self._laid_out(self.width())
        at = QPointF(3, 0)
        for start, end in self._spans:
            words = [rect.translated(at) for rect in block.rects(start, end)]
            paint_mark(painter, words, "shared", self._theme)
        block.draw(painter, at, self._theme.color("text"))
        painter.end()

    def _dress(self) -> None:
        self._block = None
        self.updateGeometry()
        self.update()


class _Part(QWidget):
    """A text with a head that says what it is."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._title, self._right = (
            Label(theme, "", "smallb", "text2"),
            Label(theme, "", "small", "text3", elide=True),
        )
        self.text = SharedText(theme)
        self._line = Divider(theme)
        head = layouts.row(
            self._title, layouts.stretch(0), self._right, margins=(3, 0, 0, 0), spacing=None
        )
        layouts.column(
            layouts.column(head, self.text, margins=(_EDGE_PX - 3, 10, _EDGE_PX, 12), spacing=6),
            self._line,
            into=self,
        )

    def show_text(self, title: str, right: str, text: str, other: str) -> None:
        """Shows a text beside another one."""
        self._title.setText(title)
        self._right.setText(right)
        self.text.show_text(text, other)


class Samples(QWidget):
    """One row of the validation split at a time: its reference, then what the model wrote."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[int] = []
        self._at = 0
        self._samples: list[SampleWritten] = []
        self._shown: tuple[object, ...] = ()
        self._place = Label(theme, "", "small", "text2")
        self.previous = icon_button(theme, "chevron-left", self.tr("Previous document"))
        self.next = icon_button(theme, "chevron-right", self.tr("Next document"))
        self.previous.triggered.connect(lambda: self._turn(-1))
        self.next.triggered.connect(lambda: self._turn(1))
        self._column = layouts.column(self._head(), into=self)
        self._column.addWidget(Divider(theme))
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(self.tr("Samples"))
        self._area.viewport().setAutoFillBackground(False)
        self._column.addWidget(self._area, 1)
        self._parts: list[_Part] = []
        self._none, self._foot = self._make_words()
        self._texts = self._make_content()
        self._fill()

    def _head(self) -> QWidget:
        head = QWidget()
        head.setFixedHeight(44)
        layouts.row(
            Label(self._theme, self.tr("Samples"), "section"),
            layouts.stretch(0),
            self._place,
            self.previous,
            self.next,
            into=head,
            margins=(_EDGE_PX, 0, 8, 0),
            spacing=4,
        )
        return head

    @property
    def stops(self) -> list[QWidget]:
        """Where Tab leads, in order."""
        return [self.previous, self.next, self._area]

    @property
    def texts(self) -> list[SharedText]:
        """The texts in sight: the reference, then what was written, the newest first."""
        return [part.text for part in self._parts if not part.isHidden()]

    def show_history(self, history: RunHistory) -> None:
        """Shows the samples of a run; nothing is done while they are the same."""
        key = (id(history), len(history.samples), history.version)
        if key == self._shown:
            return
        fresh = not self._shown or self._shown[0] != key[0]
        self._shown = key
        self._samples = [sample for _, sample in history.samples]
        self._rows = list(dict.fromkeys(sample.row for sample in self._samples))
        self._at = 0 if fresh else min(self._at, max(len(self._rows) - 1, 0))
        self._fill()

    def _turn(self, by: int) -> None:
        self._at = (self._at + by) % max(len(self._rows), 1)
        self._fill()

    def _fill(self) -> None:
        many = len(self._rows)
        self._place.setText(f"{self._at + 1} of {many}" if many else "")
        for button in (self.previous, self.next):
            button.setVisible(many > 1)
        self._none.setVisible(not many)
        self._foot.setVisible(bool(many))
        shown = self._row_texts() if many else []
        while len(self._parts) < len(shown):
            self._parts.append(_Part(self._theme))
            self._texts.addWidget(self._parts[-1])
        for part, text in zip_longest(self._parts, shown):
            if text is not None:
                part.show_text(*text)
            part.setVisible(text is not None)

    def _row_texts(self) -> list[tuple[str, str, str, str]]:
        """Titles, remarks, texts and what these are compared with."""
        row = self._rows[self._at]
        found = [sample for sample in self._samples if sample.row == row]
        newest = found[-1]
        place = self.tr("row {0} of the validation split").format(format_count(row + 1))
        texts = [(self.tr("Reference"), place, newest.reference, newest.text)]
        for sample in found[::-1][:_MOST_TEXTS]:
            title = self.tr("Step {0}").format(format_count(sample.step))
            score = f"ROUGE-1 {100 * sample_score(sample):.1f}"
            texts.append((title, score, sample.text, sample.reference))
        return texts

    def _make_words(self) -> tuple[Label, Label]:
        """Makes the hint where there are no samples, and the line below those there are."""
        words = self.tr("Samples appear with the first validation that generates summaries.")
        none = Label(self._theme, words, "small", "text3", wrap=True)
        none.setContentsMargins(_EDGE_PX, 12, _EDGE_PX, 0)
        legend = self.tr("lit: shared runs of {0} words or more").format(LEAST_WORDS)
        foot = Label(self._theme, legend, "small", "text3")
        foot.setContentsMargins(_EDGE_PX, 8, _EDGE_PX, 0)
        return none, foot

    def _make_content(self) -> QVBoxLayout:
        """Gives the layout that texts are added to."""
        content, texts = QWidget(), QVBoxLayout()
        texts.setSpacing(0)
        layouts.column(
            self._none, texts, self._foot, layouts.stretch(0), into=content, margins=(0, 0, 0, 12)
        )
        self._area.setWidget(content)
        content.setAutoFillBackground(False)  # the area has just turned it on
        return texts

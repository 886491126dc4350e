"""A summary as it is read in the Compare panel, with its marks."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from core.documents.document import Document, Kind, Reading, Source
from core.jobs.evaluation.browse_comparison import ComparedSummary
from gui.panels.compare.state import Light
from gui.panels.compare.words import tr
from gui.theme.theme import Theme
from gui.widgets.reading.marks import Mark
from gui.widgets.reading.reading_view import ReadingView
from gui.widgets.support.announce import announce

_LEFT_PX = 20


def summary_document(summary: ComparedSummary, title: str) -> Document:
    """A summary as one paragraph; its offsets stay what they are."""
    text = summary.text.replace("\n", " ")
    length = len(text.rstrip())
    return Document(
        text,
        title,
        Source(title),
        Reading(summary.words, summary.words),
        np.zeros(1, np.int64),
        np.array([length], np.int64),
        np.array([Kind.PARAGRAPH], np.uint8),
        np.zeros(1, np.uint8),
        np.full(1, -1, np.int32),
    )


def marks_of(summary: ComparedSummary, light: Light, *, novel: bool) -> Iterator[Mark]:
    """All marks in a summary.

    Args:
        summary: The summary.
        light: What it shares with another text that is lit.
        novel: Whether new words, names and numbers are marked.

    Yields:
        Shared words, sentences, unsupported sentences, then new words, names and numbers.
    """
    if light != "off":
        yield from (Mark(a, b, kind="shared") for a, b in summary.shared.get(light, ()))
    for number, sentence in enumerate(summary.sentences, 1):
        yield Mark(sentence.start, sentence.end, number, "sentence")
        if not sentence.evidence:
            yield Mark(sentence.start, sentence.end, kind="unsupported")
    if novel:
        doubts = [(doubt.start, doubt.end) for doubt in summary.doubts]
        yield from (Mark(a, b, kind="doubtful") for a, b in doubts)
        for start, end in summary.novel:
            if not any(start < b and a < end for a, b in doubts):
                yield Mark(start, end, kind="novel")


class SummaryText(ReadingView):
    """The text of one summary. J, K and the arrows walk its sentences, Enter shows evidence."""

    walked = Signal(int)
    """The sentence that the keyboard went to."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, compact_left=_LEFT_PX, small=True)

    def show_summary(self, summary: ComparedSummary | None, title: str) -> None:
        """Shows a summary, or nothing."""
        self.set_document(summary_document(summary, title) if summary else None)
        self.setAccessibleName(title)

    def walk(self, *, forward: bool) -> None:
        """Lights the next sentence, or the one before."""
        numbers = [mark.number for mark in self.look.marks if mark.kind == "sentence"]
        if not numbers:
            return
        lit = self.look.lit
        if lit in numbers:
            at = min(max(numbers.index(lit) + (1 if forward else -1), 0), len(numbers) - 1)
        else:
            at = 0 if forward else len(numbers) - 1
        self.light(numbers[at])

    def light(self, number: int) -> None:
        """Lights a sentence as the keyboard does."""
        self.set_lit(number)
        marks = self.look.marks.of(number)
        self.scroll_to(marks[0].start, animated=False)
        self.hovered.emit(number)
        self.walked.emit(number)
        text = self.document.text[marks[0].start : marks[0].end] if self.document else ""
        announce(self, tr("Sentence {number}: {text}").format(number=number, text=text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys, key = Qt.Key, Qt.Key(event.key())
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and key in (keys.Key_J, keys.Key_Down, keys.Key_K, keys.Key_Up):
            self.walk(forward=key in (keys.Key_J, keys.Key_Down))
        elif key in (keys.Key_Return, keys.Key_Enter) and plain and self.look.lit:
            self.activated.emit(self.look.lit)
        elif key == keys.Key_Escape and self.look.lit is not None:
            self.set_lit(None)
            self.hovered.emit(None)
        else:
            super().keyPressEvent(event)

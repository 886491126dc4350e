"""Beside a document: its summary where it has one, and what the corpus is."""

import numpy as np
from PySide6.QtWidgets import QWidget

from core.documents.document import Document, Kind, Reading, Source
from core.jobs.corpora.browse_corpus import OpenedCorpus, RowShown
from core.numbers import format_count, format_quantity
from gui.panels.corpus.state import KIND_WORDS, short_path
from gui.theme.theme import Theme
from gui.widgets.display.card import Card
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.reading.reading_view import ReadingView
from gui.widgets.support import layouts
from gui.widgets.support.leaving import clear

_LEFT_PX = 16


class FactsSide(Plane):
    """The cards at the right of the text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window")
        self._theme = theme
        self.summary = Card(theme, self.tr("Summary"))
        self.view = ReadingView(theme, compact_left=_LEFT_PX)
        self.view.setAccessibleName(self.tr("Summary"))
        self.summary.add(self.view, 1)
        self.corpus = Card(theme, self.tr("This corpus"))
        self._rows = layouts.column(margins=(16, 10, 16, 12), spacing=6)
        holder = QWidget()
        holder.setLayout(self._rows)
        self.corpus.add(holder)
        column = layouts.column(
            (self.summary, 1),
            self.corpus,
            layouts.stretch(0),
            into=self,
            margins=(16, 14, 16, 12),
            spacing=12,
        )
        self._column = column

    def show_corpus(self, corpus: OpenedCorpus) -> None:
        """Tells what the corpus is."""
        clear(self._rows)
        words = int(corpus.lengths[:, 0].sum())
        lines = [
            self.tr("Holds {kind}, {words}").format(
                kind=KIND_WORDS.get(corpus.make, corpus.make), words=format_quantity(words, "word")
            ),
            *(
                f"{split.capitalize()}: {format_quantity(count, 'document')}"
                for split, count in corpus.counts
            ),
        ]
        for line in lines:
            self._rows.addWidget(Label(self._theme, line, "small", "text", elide=True))
        for line in corpus.sources[:12]:
            told = Label(self._theme, short_path(line), "small", "text2", wrap=True)
            self._rows.addWidget(told)
        if len(corpus.sources) > 12:
            more = self.tr("and {count} more sources").format(
                count=format_count(len(corpus.sources) - 12)
            )
            self._rows.addWidget(Label(self._theme, more, "small", "text3"))
        self.summary.setVisible(corpus.make == "pairs")

    def show_row(self, row: RowShown | None) -> None:
        """Shows the summary of a document."""
        text = row.summary if row is not None else ""
        self.view.set_document(summary_document(text) if text else None)
        self.summary.facts.setText(format_quantity(len(text.split()), "word") if text else "")


def summary_document(text: str) -> Document:
    """A summary as the reading view shows it, in small type."""
    parts = [part.strip() for part in text.split("\n") if part.strip()]
    whole = "\n\n".join(parts)
    starts = np.cumsum([0, *(len(part) + 2 for part in parts[:-1])]).astype(np.int64)
    ends = starts + np.array([len(part) for part in parts], np.int64)
    return Document(
        whole,
        "",
        Source(""),
        Reading(0, 0),
        starts,
        ends,
        np.full(len(parts), Kind.REFERENCE, np.uint8),
        np.zeros(len(parts), np.uint8),
        np.full(len(parts), -1, np.int32),
    )

"""How long the documents are, in words or tokens, against a model's length. Without Qt."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.jobs.corpora.browse_corpus import OpenedCorpus
from core.jobs.corpora.measure_corpus import TokenLengths
from core.models.families import PRESETS
from core.numbers import format_count, format_quantity, format_share
from gui.widgets.charts.histogram_model import HistogramModel

DEFAULT_LENGTH = PRESETS["small"].row_length
WORDS_PER_TOKEN = 0.75
"""Assumed until tokens are counted."""


@dataclass
class Lengths:
    """The lengths of a corpus and the length of a model.

    Attributes:
        model_length: Tokens the model reads.
        unit: "words" or "tokens".
        corpus: What is measured; None for nothing.
        tokens: Its tokens; None until they are counted.
        marked: The row that is looked at; -1 for none.
    """

    model_length: int = DEFAULT_LENGTH
    unit: str = "words"
    corpus: OpenedCorpus | None = None
    tokens: TokenLengths | None = None
    marked: int = -1
    _columns_of: OpenedCorpus | TokenLengths | None = field(default=None, repr=False)
    _columns: tuple[NDArray[np.int32], ...] = field(default=(), repr=False)

    def show(self, corpus: OpenedCorpus | None) -> None:
        """Measures another corpus."""
        self.corpus, self.tokens, self.marked = corpus, None, -1

    @property
    def in_tokens(self) -> bool:
        """Whether tokens are shown; they must have been counted."""
        return self.unit == "tokens" and self.tokens is not None

    @property
    def documents(self) -> NDArray[np.int32]:
        """[N] how long each document is."""
        return self._column(0)

    @property
    def summaries(self) -> NDArray[np.int32]:
        """[N] how long each summary is."""
        return self._column(1)

    def _column(self, at: int) -> NDArray[np.int32]:
        if self.corpus is None:
            return np.empty(0, np.int32)
        of = self.tokens if self.tokens is not None and self.unit == "tokens" else self.corpus
        if of is not self._columns_of:
            self._columns_of, self._columns = of, (of.lengths[:, 0], of.lengths[:, 1])
        return self._columns[at]

    @property
    def has_summaries(self) -> bool:
        """Whether there is something to be written beside the documents."""
        return self.corpus is not None and self.corpus.make != "text"

    @property
    def unit_shown(self) -> str:
        """What the numbers count."""
        return "tokens" if self.in_tokens else "words"

    @property
    def limit(self) -> int:
        """The model's length in the unit that is shown; with words an estimate."""
        if self.in_tokens:
            return self.model_length
        share = self.tokens.words_per_token if self.tokens is not None else WORDS_PER_TOKEN
        return max(round(self.model_length * share), 1)

    @property
    def limit_name(self) -> str:
        """What the limit is called."""
        return "model length" if self.in_tokens else "model length ≈"

    def fill(self, histogram: HistogramModel) -> None:
        """Fills the histogram of the documents."""
        histogram.set_unit(self.unit_shown)
        histogram.limit = None
        histogram.set_values(self.documents)
        histogram.set_limit(self.limit, self.limit_name)
        self.mark(histogram)

    def fill_summaries(self, histogram: HistogramModel) -> None:
        """Fills the histogram of what is to be written."""
        histogram.set_unit(self.unit_shown)
        histogram.what = "summary" if self.corpus and self.corpus.make == "pairs" else "target"
        histogram.set_values(self.summaries if self.has_summaries else [])

    def mark(self, histogram: HistogramModel) -> None:
        """Points at the document that is looked at."""
        lengths = self.documents
        if 0 <= self.marked < len(lengths):
            length = int(lengths[self.marked])
            histogram.marked = float(length)
            histogram.marked_name = f"this one, {format_count(length)}"
        else:
            histogram.marked = None

    @property
    def told(self) -> str:
        """What the limit means for the corpus, in a sentence or two."""
        lengths = self.documents
        if not len(lengths):
            return ""
        over = int(np.count_nonzero(lengths > self.limit))
        if not over:
            fits = f"All {format_count(len(lengths))} documents fit a model of "
            told = f"{fits}{format_count(self.model_length)} tokens whole."
        else:
            some = format_quantity(over, "document")
            share = format_share(over, len(lengths))
            verb = "is" if over == 1 else "are"
            told = (
                f"{some} ({share}) {verb} longer than a model of "
                f"{format_count(self.model_length)} tokens: {_fate(self.corpus, over)}."
            )
        if self.in_tokens:
            return told
        return f"{told} Estimated from words; count the tokens to know."

    @property
    def numbers(self) -> list[tuple[str, str]]:
        """Names and values for a small table."""
        lengths = self.documents
        if not len(lengths):
            return []
        unit = self.unit_shown
        rows = [
            (f"{unit.capitalize()} in all", format_count(int(lengths.sum()))),
            ("Median", format_count(int(np.median(lengths)))),
            ("90 % are at most", format_count(int(np.percentile(lengths, 90)))),
            ("Longest", format_count(int(lengths.max()))),
        ]
        if self.has_summaries:
            rows.append(("Median summary", format_count(int(np.median(self.summaries)))))
        if self.tokens is not None:
            rows.append(("Words per token", f"{self.tokens.words_per_token:.2f}"))
        return rows


def _fate(corpus: OpenedCorpus | None, number: int) -> str:
    """What becomes of documents that do not fit: never a silent cut."""
    if corpus is not None and corpus.make == "pairs":
        return "the stretch that holds most of the summary's words is read"
    return "it is read in pieces" if number == 1 else "they are read in pieces"

"""Picks the gap sentences of one source: what `epitome gsg` does."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.documents.document import Document
from core.documents.sentences import Sentences
from core.errors import EpitomeError
from core.events import Event, Finished, Started, Steps
from core.gsg.selection import Selection
from core.gsg.settings import GapSentenceSettings
from core.jobs.corpora.browse_corpus import ReadRowJob, RowShown
from core.jobs.sources.sources import SourceRef, read_lines, read_source
from core.jobs.timings import Timings
from core.settings import option
from core.stop import StopToken


class SelectGapsSettings(GapSentenceSettings):
    """How gap sentences are picked from a source."""

    lines: bool = option(False, "Lines", "Each line of the source is a sentence.")
    row: int | None = option(
        None,
        "Row",
        "Row of a corpus, counted from 1; the source is then the name or folder of the corpus.",
        ge=1,
    )


@dataclass(frozen=True)
class GapsSelected:
    """The picked sentences and where they stand.

    Args:
        document: What was read.
        sentences: All its sentences.
        selection: Those that were picked.
        timings_s: Seconds for each part of the work: read, split, tokenise, select.
    """

    document: Document
    sentences: Sentences
    selection: Selection
    timings_s: dict[str, float]

    def sentence(self, index: int) -> str:
        """The text of a sentence."""
        return self.document.text[self.sentences.starts[index] : self.sentences.ends[index]]


@dataclass(frozen=True)
class SelectGapsJob:
    """Reads a source, splits it and picks its gap sentences.

    Args:
        source: What to read.
        settings: How to pick.
    """

    memory_remedy = "Close other programs, or use a shorter document."

    source: SourceRef
    settings: SelectGapsSettings

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a `GapsSelected`."""
        yield Started("Picking gap sentences")
        yield Finished((yield from self._steps(stop)))

    def _steps(self, stop: StopToken) -> Steps[GapsSelected]:
        from core.documents.sentences import split_document, split_lines
        from core.gsg.selection import select
        from core.gsg.tokens import tokenise

        timings = Timings()
        shown = self._row(stop) if self.settings.row is not None else None
        document = shown.document if shown else (yield from self._document(stop))
        timings.end("read")
        if shown:
            paragraphs = np.searchsorted(document.starts, shown.starts, side="right") - 1
            sentences = Sentences(shown.starts, shown.ends, paragraphs.astype(np.int32))
        elif self.settings.lines:
            sentences = split_lines(document.text)
        else:
            sentences = yield from split_document(document, stop)
        timings.end("split")
        texts = sentences.texts(document.text)
        tokens = yield from tokenise(texts, stop, self.settings.tokenizer, self.settings.stem)
        timings.end("tokenise")
        number = shown.number if shown else 0
        selection = yield from select(tokens, self.settings, stop, document=number)
        timings.end("select")
        return GapsSelected(document, sentences, selection, timings.parts_s)

    def _row(self, stop: StopToken) -> RowShown:
        """A document of a corpus, with the sentences that training takes gaps from."""
        number = self.settings.row
        assert number is not None
        if self.settings.lines:
            raise EpitomeError("A row of a corpus has no lines of its own.", "Leave out --lines.")
        if self.source.path is None:
            raise EpitomeError("Rows are read from a corpus.", "Name a corpus, or leave out --row.")
        (*_, last) = ReadRowJob(self.source.path, number - 1).run(stop)
        assert isinstance(last, Finished)
        row: RowShown = last.result
        return row

    def _document(self, stop: StopToken) -> Steps[Document]:
        if self.settings.lines:
            return read_lines(self.source)
        return (yield from read_source(self.source, stop))

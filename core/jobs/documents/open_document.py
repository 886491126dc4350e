"""Reads a document and ranks its sentences once: what the window does with a dropped file."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.documents.document import Document
from core.documents.languages import AUTO
from core.errors import EpitomeError
from core.events import Event, Finished, Message, Started
from core.jobs.sources.sources import SourceRef, check_enough, read_source
from core.library.kept_copy import has_checksum, write_copy
from core.stop import StopToken
from core.summaries.summary import OutlineEntry
from core.summarisers.ranking import Ranking
from core.system.limits import limited


@dataclass(frozen=True)
class DocumentRead(Event):
    """The document is there and can be shown; its sentences are still being ranked."""

    document: Document


@dataclass(frozen=True)
class DocumentRanked(Event):
    """Any length can be chosen now.

    Args:
        ranking: The document's sentences, best first.
        seconds: How long reading and ranking took.
        outline: Its headings, each with the first good sentence below it.
    """

    ranking: Ranking
    seconds: float
    outline: tuple[OutlineEntry, ...] = ()


@dataclass(frozen=True)
class OpenJob:
    """Reads a source, keeps a copy for after a crash, and ranks its sentences.

    Args:
        source: What to read.
        keep: Where to keep the copy; None keeps none.
        language: What the source is said to be in, its code; `AUTO` guesses it.
    """

    memory_remedy = "Close other programs, or use a shorter document."

    source: SourceRef
    keep: Path | None = None
    language: str = AUTO

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `DocumentRead`, then `DocumentRanked`, with progress between.

        Too little text for a summary is an error only after `DocumentRead`: it can be read.
        """
        with limited():
            yield from self._opened(stop)

    def _opened(self, stop: StopToken) -> Iterator[Event]:
        from core.summarisers.built_in import rank_document
        from core.summarisers.presentation.outline import build_outline

        yield Started("Reading")
        started_s = time.perf_counter()
        document = yield from read_source(self.source, stop, self.language, check=False)
        if not document.reading.words:
            check_enough(document)  # there is nothing to show either
        if self.keep is not None:
            try:
                write_copy(self.keep, document)
            except EpitomeError as error:
                # The copy is for after a crash; a full disk must not keep a person from reading.
                yield Message(
                    "warning", f"The document cannot be restored after a crash. {error.message}"
                )
        kept = self.source.kept
        if kept is not None and not has_checksum(kept):
            with suppress(EpitomeError):  # what an older program kept stays as good as it is
                write_copy(kept, document)
        document = document.in_language(self.language)
        yield DocumentRead(document)
        check_enough(document)
        ranking = yield from rank_document(document, stop)
        outline = build_outline(document, ranking)
        yield DocumentRanked(ranking, time.perf_counter() - started_s, outline)
        yield Finished()


@dataclass(frozen=True)
class RankJob:
    """Ranks the sentences of a document that is open: it is in another language than was thought.

    Args:
        document: The document, in that language.
    """

    memory_remedy = "Close other programs, or use a shorter document."

    document: Document

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with a `DocumentRanked`."""
        from core.summarisers.built_in import rank_document
        from core.summarisers.presentation.outline import build_outline

        yield Started("Ranking")
        started_s = time.perf_counter()
        with limited():
            ranking = yield from rank_document(self.document, stop)
        outline = build_outline(self.document, ranking)
        seconds = time.perf_counter() - started_s
        yield Finished(DocumentRanked(ranking, seconds, outline))


def correct_copy(path: Path, document: Document | None) -> None:
    """Corrects the copy of the open document after a reading that came to nothing.

    It runs where `OpenJob` does, so that it can never undo what a later reading kept.

    Args:
        path: Where the copy is.
        document: What is open after all; None for nothing.
    """
    if document is None:
        path.unlink(missing_ok=True)
    else:
        write_copy(path, document)

"""Reads one source: what `epitome read` does."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.documents.document import Document
from core.documents.languages import AUTO
from core.documents.line_mode import LineMode
from core.errors import EpitomeError
from core.events import Event, Finished, Started
from core.jobs.sources.sources import SourceRef, read_source
from core.jobs.timings import Timings
from core.settings import Settings, option
from core.stop import StopToken
from core.summaries.summary import LanguageCode
from core.system.limits import limited


class ReadSettings(Settings):
    """The settings with which a source is read."""

    language: LanguageCode = option(
        AUTO,
        "Language",
        "Language of the text, in which scans are recognised; auto detects it.",
    )
    column: str = option(
        "",
        "Column",
        "Column to read from a table of texts (CSV, JSON); by default detected.",
    )
    lines: LineMode = option(
        "auto",
        "Lines",
        "Lines of plain text: auto joins those an editor broke, join joins all, keep joins none.",
    )


@dataclass(frozen=True)
class DocumentText:
    """A document as it was read.

    Args:
        document: The document; it may have no words.
        timings_s: Seconds for each part of the work: read.
    """

    document: Document
    timings_s: dict[str, float]


@dataclass(frozen=True)
class ReadDocumentJob:
    """Reads a source.

    Args:
        source: The source.
        settings: The settings with which it is read.
    """

    memory_remedy = "Close other programs, or use a shorter document."

    source: SourceRef
    settings: ReadSettings

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a `DocumentText`."""
        yield Started("Reading")
        timings = Timings()
        source = replace(self.source, column=self.settings.column, lines=self.settings.lines)
        try:
            with limited():
                document = yield from read_source(source, stop, self.settings.language, check=False)
        except EpitomeError as error:
            if error.kind != "password":
                raise
            remedy = "Put its password into a file, and name that with --password-file."
            raise EpitomeError(error.message, remedy, error.kind) from error
        document = document.in_language(self.settings.language)
        timings.end("read")
        yield Finished(DocumentText(document, timings.parts_s))

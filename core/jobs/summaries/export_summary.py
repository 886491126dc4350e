"""Writes a summary to a file."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from core.documents.document import Document
from core.events import Event, Finished, Started
from core.stop import StopToken
from core.summaries.summary import Summary


@dataclass(frozen=True)
class ExportJob:
    """Writes a summary in the format that the file's name says.

    Args:
        summary: What to write.
        document: What it was made from; quotations come from there.
        path: Where.
        quotations: Whether every sentence has its evidence below it.
        rendered: All of the file, when the window made it, as of a PDF.
        replace: Whether a file that is there is replaced.
    """

    summary: Summary
    document: Document
    path: Path
    quotations: bool = True
    rendered: bytes | None = field(default=None, repr=False)
    replace: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the path."""
        from core.export.formats import export, write_export

        yield Started("Exporting")
        if self.rendered is not None:
            write_export(self.summary, self.rendered, self.path, replace=self.replace)
        else:
            export(
                self.summary,
                self.document,
                self.path,
                quotations=self.quotations,
                replace=self.replace,
            )
        yield Finished(self.path)

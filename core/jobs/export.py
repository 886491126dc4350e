"""Writes a summary to a file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.documents.document import Document
from core.events import Event, Finished, Started
from core.stop import StopToken
from core.summary import Summary


@dataclass(frozen=True)
class ExportJob:
    """Writes a summary in the format that the file's name says.

    Args:
        summary: What to write.
        document: What it was made from; quotations come from there.
        path: Where.
    """

    summary: Summary
    document: Document
    path: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the path."""
        from core.export.formats import export

        yield Started("Exporting")
        export(self.summary, self.document, self.path)
        yield Finished(self.path)

"""Gives the text of a document that is a row of a table, to be opened elsewhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import EpitomeError
from core.events import Event, Finished
from core.jobs.batches.store import BatchStore
from core.jobs.batches.table_texts import TableReader
from core.stop import StopToken


@dataclass(frozen=True)
class RowSourceJob:
    """Looks up the text of a document of a batch.

    Args:
        folder: The folder of the batch.
        number: The document.
    """

    folder: Path
    number: int

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the text, under its title."""
        with BatchStore(self.folder) as store:
            row, column = store.row(self.number), store.settings.column
            tables = TableReader(store.columns_of)
            found = tables.text(Path(row.path), row.record, column) if row else None
        if row is None or found is None:
            raise EpitomeError("The text is not in its table any more.", "Add the table again.")
        yield Finished(f"{found.title}\n\n{found.text}" if found.title else found.text)

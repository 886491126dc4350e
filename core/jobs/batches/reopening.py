"""Gives the text of a document that is a row of a table, to be opened elsewhere."""

from pathlib import Path

from core.errors import EpitomeError
from core.jobs.batches.store import BatchStore
from core.jobs.batches.table_texts import TableReader


def read_row_text(folder: Path, number: int) -> str:
    """Reads the text of a document of a batch.

    Args:
        folder: The folder of the batch.
        number: The document.

    Returns:
        The text, under its title.

    Raises:
        EpitomeError: If the text is not in its table any more.
    """
    with BatchStore(folder) as store:
        row, column = store.row(number), store.settings.column
        tables = TableReader(store.columns_of)
        found = tables.text(Path(row.path), row.record, column) if row else None
    if row is None or found is None:
        raise EpitomeError("The text is not in its table any more.", "Add the table again.")
    return f"{found.title}\n\n{found.text}" if found.title else found.text

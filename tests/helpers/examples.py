"""Examples made of numbers, as if a corpus had been tokenised."""

from collections.abc import Sequence

import pyarrow as pa

from core.data.examples import Examples
from core.data.settings import Make
from core.data.tokens import SCHEMA

Rows = Sequence[tuple[list[int], list[int], list[int]]]


def examples_of(rows: Rows, make: Make, batch: int = 2) -> Examples:
    """Examples from (source, summary, flat gaps) of each, in record batches of some rows."""
    batches = [
        pa.record_batch(
            [[row[column] for row in rows[first : first + batch]] for column in range(3)],
            schema=SCHEMA,
        )
        for first in range(0, len(rows), batch)
    ]
    return Examples(batches, make, "test")

"""Small texts, pairs and corpora for tests."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

TEXTS = tuple(
    f"Pump {number} feeds the boiler through valve {number % 7}. The valve opens when the pressure "
    f"falls below {number * 3} bar. A sensor behind the valve reports the pressure to the panel. "
    f"When panel {number} is dark, the pump is stopped by hand.\n\nThe boiler of hall {number} is "
    f"older than its pump. Its walls were tested in the year {1900 + number}."
    for number in range(60)
)
SUMMARIES = tuple(
    f"Valve {number % 7} of pump {number} opens below {number * 3} bar." for number in range(60)
)


def write_pairs(path: Path, texts: Sequence[str], summaries: Sequence[str]) -> Path:
    """A Parquet file of documents and summaries."""
    ids = [f"row-{number}" for number in range(len(texts))]
    return write_table(path, {"id": ids, "document": texts, "summary": summaries})


def write_table(path: Path, columns: Mapping[str, Sequence[object]]) -> Path:
    """A Parquet file; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({name: list(column) for name, column in columns.items()}), path)
    return path

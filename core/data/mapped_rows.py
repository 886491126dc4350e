"""The rows of a split as they lie on disk: mapped into memory, read where they are asked for.

They lie as the `datasets` library writes them: files of Arrow, and `state.json`, which names them.
Reading them needs pyarrow alone, which loads in a fraction of the time.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, overload

import pyarrow as pa

from core.storage.parsing import parse_json
from core.storage.regular_files import check_regular, read_regular

_AT_ONCE = 64  # rows that are made when all are asked for one after the other


class MappedRows(Sequence[dict[str, Any]]):
    """Rows by number, each with its values by column.

    Args:
        table: All of them.
    """

    def __init__(self, table: pa.Table) -> None:
        self.table = table
        self._batches: list[pa.RecordBatch] = table.to_batches()
        self._starts: list[int] = [0, *accumulate(batch.num_rows for batch in self._batches)]

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, number: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, number: slice) -> "MappedRows": ...
    def __getitem__(self, number: int | slice) -> "dict[str, Any] | MappedRows":
        if isinstance(number, slice):
            first, end, step = number.indices(len(self))
            if step != 1:
                raise ValueError(f"rows are taken one after the other; the step was {step}")
            return MappedRows(self.table.slice(first, max(0, end - first)))
        if not 0 <= number < len(self):
            raise IndexError(number)
        at = bisect_right(self._starts, number) - 1
        row: dict[str, Any]
        (row,) = self._batches[at].slice(number - self._starts[at], 1).to_pylist()
        return row

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for batch in self._batches:
            for first in range(0, batch.num_rows, _AT_ONCE):
                yield from batch.slice(first, _AT_ONCE).to_pylist()

    def columns(self) -> dict[str, list[Any]]:
        """All values of each column."""
        found: dict[str, list[Any]] = self.table.to_pydict()
        return found


def map_rows(folder: Path) -> MappedRows:
    """Opens the rows of a split.

    Args:
        folder: Where they lie.

    Returns:
        The rows.

    Raises:
        OSError: If a file cannot be read.
        ValueError: If one is damaged.
    """
    state = parse_json(read_regular(folder / "state.json"))
    try:
        names = [str(file["filename"]) for file in state["_data_files"]]
    except (KeyError, TypeError) as error:
        raise ValueError(f"state.json: {error}") from error
    return MappedRows(pa.concat_tables([_mapped(folder / name) for name in names]))


def _mapped(path: Path) -> pa.Table:
    check_regular(path)
    with pa.ipc.open_stream(pa.memory_map(str(path))) as stream:
        return stream.read_all()

"""Merges the shards of a corpus: splits, duplicates, statistics, documents.

Letters: N rows.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.data.bookkeeping import AT_ONCE, Bookkeeping, unpacked
from core.data.corpus import DOCUMENTS, LENGTHS, SPLITS
from core.data.datasets_library import datasets_library
from core.data.disk_columns import pieces
from core.data.duplicates import HASHES
from core.data.settings import CorpusSettings, Make
from core.data.shards import COLUMNS, read_metadata, read_skipped
from core.data.splitting import UNSPLIT
from core.data.staging import writing
from core.data.statistics import DocumentCounts, Duplicates
from core.events import Progress, Steps
from core.stop import StopToken
from core.storage.regular_files import open_regular

_MOST_EXAMPLES = 100
_FOLDER = "bookkeeping"

Rows = NDArray[np.int64]
_Codes = NDArray[np.uint64]


class MergedShards:
    """The rows of all shards, of which a bounded number is in memory at a time.

    A context, which deletes its files at the end.

    Args:
        shards: The files of all shards, in order.
        settings: How rows are split.
        folder: For a folder of large temporary files.
    """

    fingerprint: str
    """The same for the same rows in the same splits."""
    counts: dict[str, DocumentCounts]
    """Of each split that has any rows."""

    def __init__(self, shards: Sequence[Path], settings: CorpusSettings, folder: Path) -> None:
        self.shards = shards
        self.reasons = Counter(row.reason for shard in shards for row in read_skipped(shard))
        self._settings, self._folder = settings, folder / _FOLDER
        self._books = Bookkeeping(self._folder)

    def __enter__(self) -> "MergedShards":
        return self

    def __exit__(self, kind: object, error: object, frames: TracebackType | None) -> None:
        self._books.__exit__(kind, error, frames)

    def __len__(self) -> int:
        return len(self._books)

    def find(self, stop: StopToken) -> Steps[None]:
        """Finds duplicates, splits and counts; everything else needs this first.

        Args:
            stop: Checked often.

        Yields:
            Progress.

        Raises:
            EpitomeError: If the disk is full.
            Stopping: If an end was asked for.
        """
        yield Progress(0, 0, "documents", "Looking for duplicates")
        identity = hashlib.sha256()
        firsts = [0]
        for shard in self.shards:
            stop.raise_if_set()
            table = read_metadata(shard, ("split", "content", "signature", "fingerprint"))
            if table.num_rows:
                self._add(table)
                identity.update(_column(table, "fingerprint").data)
            firsts.append(len(self._books))
        self._firsts = np.array(firsts)
        if not len(self):
            return
        yield from self._books.find(self._settings.shares, self._settings.seed, stop)
        for some in pieces(len(self), AT_ONCE):
            identity.update(self._books.splits[some].data)
        self.fingerprint = identity.hexdigest()[:12]
        self.counts = self._counted(stop)

    def _add(self, table: pa.Table) -> None:
        own = _column(table, "split")
        if self._settings.split is not None:
            own = np.full_like(own, UNSPLIT)
        signatures = table["signature"].combine_chunks()
        words = np.frombuffer(signatures.buffers()[1], np.uint32).reshape(-1, HASHES)
        first = signatures.offset
        self._books.add(own, _column(table, "content"), words[first : first + table.num_rows])

    def _counted(self, stop: StopToken) -> dict[str, DocumentCounts]:
        counts = {name: DocumentCounts() for name in SPLITS}
        for splits, table in self._tables("words", "characters", "summary_words"):
            stop.raise_if_set()
            columns = [_column(table, name) for name in table.column_names]
            for number, name in enumerate(SPLITS):
                counts[name].add(*(column[splits == number] for column in columns))
        return {name: of_split for name, of_split in counts.items() if of_split.documents}

    def _tables(self, *columns: str) -> Iterator[tuple[NDArray[np.int8], pa.Table]]:
        """For each shard with rows: the splits of its rows, and what is known of them."""
        for shard, (first, end) in zip(self.shards, self._places(), strict=True):
            if first < end:
                yield self._books.splits[first:end], read_metadata(shard, columns)

    def _places(self) -> Iterator[tuple[int, int]]:
        """Where the rows of each shard begin and end among all rows."""
        yield from zip(self._firsts[:-1].tolist(), self._firsts[1:].tolist(), strict=True)

    @property
    def rows_by_split(self) -> dict[str, int]:
        """The number of rows of each split that has any."""
        return {name: of_split.documents for name, of_split in self.counts.items()}

    def duplicates(self) -> Duplicates:
        """Documents that occur in the corpus more than once."""
        pairs = self._books.pairs
        num_crossing = 0
        crossing, others = np.empty(0, np.uint64), np.empty(0, np.uint64)
        for some in pieces(len(pairs), AT_ONCE):
            codes = pairs[some]
            first, second = unpacked(codes)
            crosses = self._books.splits[first] != self._books.splits[second]
            num_crossing += int(crosses.sum())
            crossing = np.append(crossing, codes[crosses])[:_MOST_EXAMPLES]
            others = np.append(others, codes[~crosses])[:_MOST_EXAMPLES]
        examples = (self._examples(codes) for codes in (crossing, others))
        return Duplicates(len(pairs), num_crossing, *examples)

    def _examples(self, codes: _Codes) -> tuple[dict[str, Any], ...]:
        """Some pairs: ids, splits, and where they stand among all rows."""
        pairs = np.stack(unpacked(codes), 1).astype(np.int64)
        rows = np.unique(pairs)
        ids, places = self._ids(rows), self._places_by_split(rows)
        return tuple(
            {
                "ids": [ids[row] for row in pair],
                "splits": [SPLITS[self._books.splits[row]] for row in pair],
                "rows": [places[row] for row in pair],
            }
            for pair in pairs.tolist()
        )

    def _ids(self, rows: Rows) -> dict[int, str]:
        """The ids of some rows, by row number."""
        found: dict[int, str] = {}
        for shard in np.unique(np.searchsorted(self._firsts, rows, "right") - 1).tolist():
            first, end = self._firsts[shard : shard + 2].tolist()
            ids = read_metadata(self.shards[shard], ["id"])["id"]
            found |= {row: ids[row - first].as_py() for row in rows.tolist() if first <= row < end}
        return found

    def _places_by_split(self, rows: Rows) -> dict[int, int]:
        """Where some rows stand when splits follow one another, by row number."""
        splits = self._books.splits
        counts = [self.rows_by_split.get(name, 0) for name in SPLITS]
        before = np.cumsum([0, *counts[:-1]])
        found: dict[int, int] = {}
        for some in pieces(len(self) if len(rows) else 0, AT_ONCE):
            part = splits[some]
            for row in rows[(some.start <= rows) & (rows < some.stop)].tolist():
                same = part[: row - some.start] == splits[row]
                found[row] = int(before[splits[row]] + same.sum())
            before += np.bincount(part, minlength=len(SPLITS))
        return found

    def write_documents(self, folder: Path, make: Make) -> None:
        """Writes the texts of each split, as `datasets.load_from_disk` reads them.

        Args:
            folder: The folder of the corpus.
            make: What the rows are.

        Raises:
            EpitomeError: If the disk is full.
        """
        datasets = datasets_library("A corpus is prepared")
        names = [name for name, _ in COLUMNS[make]]
        # Shards without rows add nothing, and their files cannot be memory-mapped.
        tables = [
            datasets.table.MemoryMappedTable.from_file(str(shard)).select(names)
            for shard, (first, end) in zip(self.shards, self._places(), strict=True)
            if first < end
        ]
        rows = datasets.Dataset(datasets.table.concat_tables(tables), fingerprint=self.fingerprint)
        with writing(folder):
            chosen = {name: self._of_split(rows, name) for name in self.rows_by_split}
            datasets.DatasetDict(chosen).save_to_disk(str(folder / DOCUMENTS))

    def _of_split(self, rows: Any, name: str) -> Any:
        """The rows of a split, whose numbers are mapped from a file."""
        datasets = datasets_library("A corpus is prepared")
        number, path = SPLITS.index(name), self._folder / f"rows-{name}.arrow"
        fingerprint = f"{self.fingerprint}-{name}"
        first = last = -1
        schema = pa.schema([("indices", pa.uint64())])
        with open_regular(path, "wb") as file, pa.ipc.new_stream(file, schema) as writer:
            for some in pieces(len(self), AT_ONCE):
                found = some.start + np.flatnonzero(self._books.splits[some] == number)
                if len(found):
                    first, last = int(found[0]) if first < 0 else first, int(found[-1])
                    column = pa.array(found, pa.uint64())
                    writer.write_batch(pa.record_batch([column], schema=schema))
        if last - first + 1 == self.rows_by_split[name]:
            chosen = rows.select(range(first, last + 1), new_fingerprint=fingerprint)
        else:
            indices = datasets.table.MemoryMappedTable.from_file(str(path))
            chosen = datasets.Dataset(
                rows.data, info=rows.info, indices_table=indices, fingerprint=fingerprint
            )
        chosen.set_format(columns=sorted(rows.column_names))
        return chosen

    def write_lengths(self, folder: Path) -> None:
        """Writes the words of each document and summary, in the order of `write_documents`.

        Args:
            folder: The folder of the corpus.

        Raises:
            EpitomeError: If the disk is full.
        """
        layout = {"descr": "<i4", "fortran_order": False, "shape": (len(self), 2)}
        with writing(folder), open_regular(folder / LENGTHS, "wb") as file:
            np.lib.format.write_array_header_1_0(file, layout)
            for name in self.counts:
                for splits, table in self._tables("words", "summary_words"):
                    counts = np.stack([_column(table, "words"), _column(table, "summary_words")], 1)
                    file.write(counts[splits == SPLITS.index(name)].astype("<i4").data)

    def write_skipped(self, path: Path) -> None:
        """Writes the skipped rows, one JSON object per line."""
        with open_regular(path, "wb") as file:
            for shard in self.shards:
                for row in read_skipped(shard):
                    line = json.dumps(vars(row), ensure_ascii=False) + "\n"
                    file.write(line.encode("utf-8", "replace"))


def _column(table: pa.Table, name: str) -> NDArray[Any]:
    """A column of numbers without missing ones."""
    found: NDArray[Any] = table[name].to_numpy()
    return found

"""The rows of a prepared corpus one by one: memory-mapped, numbered from 0 through its splits.

However many rows there are, only those that are asked for are read.
"""

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.data.corpus import LENGTHS, Corpus, document_of
from core.data.mapped_rows import MappedRows
from core.documents.document import count_words
from core.documents.plain import marked_heading
from core.errors import EpitomeError
from core.events import Progress, Steps
from core.stop import StopToken
from core.storage.arrays import read_array, write_array

_TITLE_CHARACTERS = 80
_COUNTED_A_STEP = 64


class StoredRows:
    """The rows of all splits of a corpus.

    Args:
        corpus: The corpus.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._splits: list[MappedRows] = [corpus.rows(split) for split in corpus.splits]
        self._starts = [0, *accumulate(map(len, self._splits))]

    def __len__(self) -> int:
        return self._starts[-1]

    def __getitem__(self, number: int) -> dict[str, Any]:
        if not 0 <= number < len(self):
            raise IndexError(number)
        split = bisect_right(self._starts, number) - 1
        return self._splits[split][number - self._starts[split]]

    def text(self, number: int) -> str:
        """The whole document of a row."""
        return document_of(self[number], self.corpus.masking)

    def split_of(self, number: int) -> str:
        """The name of the split a row stands in."""
        return self.corpus.splits[bisect_right(self._starts, number) - 1]

    def titles(self, first: int, count: int) -> list[str]:
        """What to call some rows: their titles, or how their documents begin.

        Args:
            first: The first row.
            count: How many rows; fewer at the end.

        Returns:
            One line each.
        """
        return [self._title(number) for number in range(first, min(first + count, len(self)))]

    def _title(self, number: int) -> str:
        split = bisect_right(self._starts, number) - 1
        rows, index = self._splits[split].table, number - self._starts[split]
        title = rows.column("title")[index].as_py()
        if not title:
            column = "document" if "document" in rows.column_names else "pieces"
            begin = rows.column(column).slice(index, 1)
            text = _beginning(begin)
            title = marked_heading(text) or text or rows.column("id")[index].as_py()
        return " ".join(title.split())[:_TITLE_CHARACTERS]

    def find(self, words: str) -> Iterator[tuple[int, list[int]]]:
        """Looks for words in titles and documents, whatever their case.

        Args:
            words: What is looked for, as it is written there.

        Yields:
            How many rows were looked at, and the numbers of those found since the last time.
        """
        for split, start in zip(self._splits, self._starts, strict=False):
            for first, batch in _batches(split.table):
                found = _matches(batch, words)
                numbers = (np.flatnonzero(found) + (start + first)).tolist()
                yield start + first + batch.num_rows, numbers

    def lengths(self, stop: StopToken) -> Steps[NDArray[np.int32]]:
        """Words of each document and summary; counted now in a corpus that lacks them, and kept.

        Args:
            stop: The wish to end.

        Yields:
            How many documents are counted.

        Returns:
            [N, 2] words.
        """
        path = self.corpus.folder / LENGTHS
        with suppress(OSError, ValueError):  # damaged, or of another corpus
            return read_array(path, (len(self), 2), np.int32)
        counted = np.zeros((len(self), 2), np.int32)
        for number in range(len(self)):
            if number % _COUNTED_A_STEP == 0:
                stop.raise_if_set()
                yield Progress(number, len(self), "documents", "Counting words")
            counted[number] = self._counted(number)
        with suppress(EpitomeError, OSError):  # where it cannot be written, they are counted again
            write_array(path, counted)
        return counted

    def _counted(self, number: int) -> tuple[int, int]:
        row = self[number]
        summary = row.get("summary") or " ".join(row.get("gaps", ()))
        return count_words(document_of(row)), count_words(summary)


def _beginning(column: pa.ChunkedArray) -> str:
    value = column.chunk(0)
    while not (pa.types.is_large_string(value.type) or pa.types.is_string(value.type)):
        value = value.flatten().slice(0, 1)
    if not len(value):
        return ""
    begin = pc.utf8_slice_codeunits(value, 0, 4 * _TITLE_CHARACTERS)[0].as_py()
    return str(begin or "")


def _batches(table: pa.Table) -> Iterator[tuple[int, pa.RecordBatch]]:
    first = 0
    for batch in table.to_batches():
        yield first, batch
        first += batch.num_rows


def _matches(batch: pa.RecordBatch, words: str) -> NDArray[np.bool_]:
    """[rows] whether each holds the words in one of its texts."""
    found = np.zeros(batch.num_rows, np.bool_)
    for name in ("title", "document", "summary", "pieces", "gaps"):
        if name not in batch.schema.names:
            continue
        column = batch.column(name)
        if pa.types.is_list(column.type):
            hits = pc.match_substring(column.flatten(), words, ignore_case=True)
            owners = pc.list_parent_indices(column).to_numpy()
            found[owners[hits.to_numpy(zero_copy_only=False)]] = True
        else:
            hits = pc.match_substring(column, words, ignore_case=True)
            found |= hits.to_numpy(zero_copy_only=False)
    return found

"""Merges the shards of a corpus: splits, duplicates, statistics, documents.

Letters: N rows.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.data.corpus import DOCUMENTS, LENGTHS, SPLITS
from core.data.datasets_library import datasets_library
from core.data.duplicates import HASHES, find_duplicates, groups
from core.data.settings import CorpusSettings, Make
from core.data.shards import COLUMNS, read_metadata, read_skipped
from core.data.splitting import UNSPLIT, assign_splits, leaks
from core.data.staging import writing
from core.data.statistics import DocumentCounts, Duplicates

_NUMBERS = ("split", "words", "characters", "summary_words", "content", "fingerprint")
_MOST_EXAMPLES = 100


class MergedShards:
    """The rows of all shards as numbers; their texts stay on disk.

    Args:
        shards: The files of all shards, in order.
        settings: How rows are split.
        folder: A folder for a large temporary table.
    """

    def __init__(self, shards: Sequence[Path], settings: CorpusSettings, folder: Path) -> None:
        self.shards = shards
        self.reasons = Counter(row.reason for shard in shards for row in read_skipped(shard))
        columns = [read_metadata(shard, _NUMBERS) for shard in shards]
        found = {
            name: np.concatenate([shard[name].to_numpy() for shard in columns]) for name in _NUMBERS
        }
        self._pairs = self._same_documents(found["content"], folder)
        own = found["split"] if settings.split is None else np.full_like(found["split"], UNSPLIT)
        linked = groups(self._pairs, len(own))
        self.splits = assign_splits(own, found["content"], linked, settings.shares, settings.seed)
        self.documents = DocumentCounts(
            self.splits, found["words"], found["characters"], found["summary_words"]
        )
        identity = [found["fingerprint"].tobytes(), self.splits.tobytes()]
        self.fingerprint = hashlib.sha256(b"".join(identity)).hexdigest()[:12]

    def __len__(self) -> int:
        return len(self.splits)

    @property
    def rows_by_split(self) -> dict[str, int]:
        """The number of rows of each split that has any."""
        found = np.bincount(self.splits, minlength=len(SPLITS)).tolist()
        return {name: count for name, count in zip(SPLITS, found, strict=True) if count}

    def duplicates(self) -> Duplicates:
        """Documents that occur in the corpus more than once."""
        crossing = leaks(self._pairs, self.splits)
        same_split = self.splits[self._pairs[:, 0]] == self.splits[self._pairs[:, 1]]
        others = self._pairs[same_split]
        return Duplicates(
            len(self._pairs), len(crossing), self._examples(crossing), self._examples(others)
        )

    def _examples(self, pairs: NDArray[np.int64]) -> tuple[dict[str, Any], ...]:
        """The first of some pairs: ids, splits, and where they stand among all rows."""
        some = pairs[:_MOST_EXAMPLES]
        ids = self._ids(some)
        place = np.empty(len(self), np.int64)
        place[np.argsort(self.splits, kind="stable")] = np.arange(len(self))
        return tuple(
            {
                "ids": [ids[row] for row in pair],
                "splits": [SPLITS[self.splits[row]] for row in pair],
                "rows": place[pair].tolist(),
            }
            for pair in some.tolist()
        )

    def write_documents(self, folder: Path, make: Make) -> None:
        """Writes the texts of each split, as `datasets.load_from_disk` reads them.

        Args:
            folder: The folder of the corpus.
            make: What the rows are.
        """
        datasets = datasets_library("A corpus is prepared")
        # Shards without rows add nothing, and their files cannot be memory-mapped.
        full = [str(shard) for shard in self.shards if read_metadata(shard, ["split"]).num_rows]
        rows = datasets.concatenate_datasets([datasets.Dataset.from_file(shard) for shard in full])
        rows = rows.select_columns([name for name, _ in COLUMNS[make]])
        chosen = {
            name: rows.select(np.flatnonzero(self.splits == number))
            for number, name in enumerate(SPLITS)
            if name in self.rows_by_split
        }
        with writing(folder):
            datasets.DatasetDict(chosen).save_to_disk(str(folder / DOCUMENTS))

    def write_lengths(self, folder: Path) -> None:
        """Writes the words of each document and summary, in the order of `write_documents`.

        Args:
            folder: The folder of the corpus.
        """
        counts = np.stack([self.documents.words, self.documents.summary_words], 1)
        order = np.argsort(self.splits, kind="stable")
        with writing(folder):
            np.save(folder / LENGTHS, counts[order].astype(np.int32), allow_pickle=False)

    def _same_documents(self, contents: NDArray[np.uint64], folder: Path) -> NDArray[np.int64]:
        """[P, 2] pairs of duplicates; signatures are memory-mapped, not held in memory."""
        if not len(contents):
            return np.empty((0, 2), np.int64)
        path = folder / "signatures"
        signatures = np.memmap(path, np.uint32, "w+", shape=(len(contents), HASHES))
        first = 0
        for shard in self.shards:
            table = read_metadata(shard, ["signature"])
            data = b"".join(table["signature"].to_pylist())
            signatures[first : first + table.num_rows] = np.frombuffer(data, np.uint32).reshape(
                -1, HASHES
            )
            first += table.num_rows
        pairs = find_duplicates(contents, signatures)
        del signatures
        path.unlink()
        return pairs

    def _ids(self, rows: NDArray[np.int64]) -> dict[int, str]:
        """The ids of some rows, by row number."""
        wanted = sorted(set(rows.ravel().tolist()))
        found: dict[int, str] = {}
        first = 0
        for shard in self.shards if wanted else ():
            ids = read_metadata(shard, ["id"])["id"]
            found |= {
                row: ids[row - first].as_py() for row in wanted if first <= row < first + len(ids)
            }
            first += len(ids)
        return found

    def write_skipped(self, path: Path) -> None:
        """Writes the skipped rows, one JSON object per line."""
        with path.open("w", encoding="utf-8", errors="replace") as file:
            for shard in self.shards:
                for row in read_skipped(shard):
                    print(json.dumps(vars(row), ensure_ascii=False), file=file)

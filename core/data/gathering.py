"""Brings the parts of a corpus together: splits, duplicates, numbers, documents.

Letters: N rows.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.corpus import DOCUMENTS, SPLITS
from core.data.duplicates import HASHES, find_duplicates, groups
from core.data.growing import writing
from core.data.needs import datasets_library
from core.data.parts import COLUMNS, facts_in, skipped_in
from core.data.settings import CorpusSettings, Make
from core.data.splitting import UNSPLIT, assign_splits, leaks
from core.data.statistics import Duplicates, Facts

_NUMBERS = ("split", "words", "characters", "summary_words", "content", "fingerprint")
_MOST_EXAMPLES = 100


class Gathered:
    """The rows of all parts as numbers; their texts stay on disk.

    Args:
        parts: The files of all parts, in order.
        settings: How rows are split.
        folder: Where a large table may lie while it is needed.
    """

    def __init__(self, parts: Sequence[Path], settings: CorpusSettings, folder: Path) -> None:
        self.parts = parts
        self.reasons = Counter(row.reason for part in parts for row in skipped_in(part))
        columns = [facts_in(part, _NUMBERS) for part in parts]
        found = {
            name: np.concatenate([part[name].to_numpy() for part in columns]) for name in _NUMBERS
        }
        self._pairs = self._same_documents(found["content"], folder)
        own = found["split"] if settings.split is None else np.full_like(found["split"], UNSPLIT)
        linked = groups(self._pairs, len(own))
        self.splits = assign_splits(own, found["content"], linked, settings.shares, settings.seed)
        self.facts = Facts(self.splits, found["words"], found["characters"], found["summary_words"])
        told = [found["fingerprint"].tobytes(), self.splits.tobytes()]
        self.fingerprint = hashlib.sha256(b"".join(told)).hexdigest()[:12]

    def __len__(self) -> int:
        return len(self.splits)

    @property
    def counts(self) -> dict[str, int]:
        """How many rows each split has, those without rows left out."""
        found = np.bincount(self.splits, minlength=len(SPLITS)).tolist()
        return {name: count for name, count in zip(SPLITS, found, strict=True) if count}

    def duplicates(self) -> Duplicates:
        """Documents that stand in the corpus more than once."""
        crossing = leaks(self._pairs, self.splits)
        some = crossing[:_MOST_EXAMPLES]
        ids = self._ids(some)
        examples = tuple(
            {
                "ids": [ids[row] for row in pair],
                "splits": [SPLITS[self.splits[row]] for row in pair],
            }
            for pair in some.tolist()
        )
        return Duplicates(len(self._pairs), len(crossing), examples)

    def write_documents(self, folder: Path, make: Make) -> None:
        """Writes the texts of each split, as `datasets.load_from_disk` reads them.

        Args:
            folder: The folder of the corpus.
            make: What the rows are.
        """
        datasets = datasets_library("A corpus is prepared")
        # Parts without a row have nothing to add, and no file of theirs can be mapped.
        full = [str(part) for part in self.parts if facts_in(part, ["split"]).num_rows]
        rows = datasets.concatenate_datasets([datasets.Dataset.from_file(part) for part in full])
        rows = rows.select_columns([name for name, _ in COLUMNS[make]])
        chosen = {
            name: rows.select(np.flatnonzero(self.splits == number))
            for number, name in enumerate(SPLITS)
            if name in self.counts
        }
        with writing(folder):
            datasets.DatasetDict(chosen).save_to_disk(str(folder / DOCUMENTS))

    def _same_documents(self, contents: NDArray[np.uint64], folder: Path) -> NDArray[np.int64]:
        """[P, 2] the pairs that are the same; all signatures lie in a file, not in memory."""
        if not len(contents):
            return np.empty((0, 2), np.int64)
        path = folder / "signatures"
        signatures = np.memmap(path, np.uint32, "w+", shape=(len(contents), HASHES))
        first = 0
        for part in self.parts:
            table = facts_in(part, ["signature"])
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
        """The ids of some rows."""
        wanted = sorted(set(rows.ravel().tolist()))
        found: dict[int, str] = {}
        first = 0
        for part in self.parts if wanted else ():
            ids = facts_in(part, ["id"])["id"]
            found |= {
                row: ids[row - first].as_py() for row in wanted if first <= row < first + len(ids)
            }
            first += len(ids)
        return found

    def write_skipped(self, path: Path) -> None:
        """Writes the left-out rows, one JSON object a line."""
        with path.open("w", encoding="utf-8", errors="replace") as file:
            for part in self.parts:
                for row in skipped_in(part):
                    print(json.dumps(vars(row), ensure_ascii=False), file=file)

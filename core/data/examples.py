"""The tokens of a corpus: made once for each tokenizer, then mapped into memory.

Letters: N examples of a split, G gap sentences of an example.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.data.corpus import open_corpus
from core.data.settings import Make
from core.data.tokenizer import Tokenizer
from core.data.tokens import SCHEMA, tokens_folder
from core.data.tokens import tokenise as tokenise
from core.errors import EpitomeError
from core.storage.regular_files import check_regular

Ints = NDArray[np.int32]
_NO_GAPS = np.empty((0, 2), np.int32)


@dataclass(frozen=True, eq=False)
class Example:
    """One document as tokens; the arrays are views and must not be written to.

    Args:
        source: [S] int32, what is read.
        summary: [T] int32, what is to be written; None for plain text.
        gaps: [G, 2] int32, of gap sentences: the place in the source where each stood, and where
            its end is in the summary. Both ascend.
    """

    source: Ints
    summary: Ints | None = None
    gaps: Ints = field(default_factory=lambda: _NO_GAPS)


class Examples:
    """The tokenised examples of one split, memory-mapped.

    Args:
        batches: The record batches of the split, in order.
        make: What the examples are.
        fingerprint: The same for the same rows, tokenizer and split.
    """

    def __init__(self, batches: Sequence[pa.RecordBatch], make: Make, fingerprint: str) -> None:
        self.make: Make = make
        self.fingerprint = fingerprint
        self._batches = [tuple(_column(batch, name) for name in SCHEMA.names) for batch in batches]
        self._firsts = np.cumsum([0, *(batch.num_rows for batch in batches)])
        self.lengths = self._found_lengths()

    lengths: NDArray[np.int64]
    """[N, 2]: how many tokens the source and the summary of each example have."""

    def __len__(self) -> int:
        return int(self._firsts[-1])

    def __getitem__(self, index: int) -> Example:
        if not 0 <= index < len(self):
            raise IndexError(index)
        batch = int(np.searchsorted(self._firsts, index, "right")) - 1
        row = index - int(self._firsts[batch])
        source, summary, gaps = (
            values[offsets[row] : offsets[row + 1]] for offsets, values in self._batches[batch]
        )
        return Example(source, None if self.make == "text" else summary, gaps.reshape(-1, 2))

    def _found_lengths(self) -> NDArray[np.int64]:
        sizes = [
            np.stack([np.diff(source[0]), np.diff(summary[0])], 1)
            for source, summary, _ in self._batches
        ]
        return np.concatenate([np.empty((0, 2), np.int64), *sizes])


def open_examples(corpus_folder: Path, tokenizer: Tokenizer, split: str) -> Examples:
    """Opens what `tokenise` made.

    Args:
        corpus_folder: The corpus.
        tokenizer: The tokenizer it was tokenised with.
        split: "train", "validation" or "test".

    Returns:
        The examples of the split.

    Raises:
        EpitomeError: If there is no such corpus or split, or it is not tokenised or is damaged.
    """
    corpus = open_corpus(corpus_folder)
    corpus.check_split(split)
    folder = tokens_folder(corpus, tokenizer)
    if not folder.is_dir():
        raise EpitomeError(
            f"The corpus {corpus.folder.name} is not tokenised with this tokenizer "
            f"({tokenizer.fingerprint}).",
            "Tokenise it first.",
        )
    batches = [batch for path in sorted(folder.glob(f"{split}-*.arrow")) for batch in _read(path)]
    told = f"{corpus.fingerprint}/{tokenizer.fingerprint}/{split}"
    fingerprint = hashlib.sha256(told.encode()).hexdigest()[:12]
    examples = Examples(batches, corpus.make, fingerprint)
    if len(examples) != corpus.counts[split]:
        raise _damaged(folder, f"{len(examples)} of {corpus.counts[split]} rows were found")
    return examples


def _read(path: Path) -> list[pa.RecordBatch]:
    try:
        check_regular(path)
        file = pa.ipc.open_file(pa.memory_map(str(path)))
        return [file.get_batch(number) for number in range(file.num_record_batches)]
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, str(error).rstrip(".")) from error


def _column(batch: pa.RecordBatch, name: str) -> tuple[NDArray[np.int64], Ints]:
    """Where each row begins and ends, and the tokens of all rows; nothing is copied."""
    column = batch.column(name)
    return column.offsets.to_numpy(), column.values.to_numpy()


def _damaged(path: Path, why: str) -> EpitomeError:
    return EpitomeError(
        f"The tokens in {path} are damaged ({why}).",
        "Delete that folder; the tokens are made again from the documents.",
    )

"""Makes rows of a corpus ready, block by block, each in a file of its own.

A block is the same whoever makes it, and its file gets its name when it is whole: so blocks can be
made by several processes, and work that was cut short goes on with the first block without a file.
"""

import json
import os
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from core.data.corpus import SPLITS
from core.data.duplicates import HASHES, content_hash, signature, word_hashes
from core.data.events import FileBegun
from core.data.gaps import gap_row
from core.data.growing import writing
from core.data.rows import Block, Raw
from core.data.settings import CorpusSettings, Make
from core.data.splitting import UNSPLIT
from core.documents.document import count_words
from core.documents.readers.door import check_enough, read_file
from core.errors import EpitomeError
from core.events import Event, Steps
from core.stop import StopToken

_NAMES: Final = (("id", pa.string()), ("title", pa.string()))
_LIST = pa.list_(pa.large_string())
COLUMNS: Final[dict[Make, tuple[tuple[str, pa.DataType], ...]]] = {
    "text": (*_NAMES, ("document", pa.large_string())),
    "pairs": (*_NAMES, ("document", pa.large_string()), ("summary", pa.large_string())),
    "gsg": (*_NAMES, ("pieces", _LIST), ("gaps", _LIST), ("stays", pa.list_(pa.bool_()))),
}
FACTS: Final = (
    ("split", pa.int8()),
    ("words", pa.int64()),
    ("characters", pa.int64()),
    ("summary_words", pa.int64()),
    ("content", pa.uint64()),
    ("fingerprint", pa.uint64()),
    ("signature", pa.binary(HASHES * 4)),
)
_SKIPPED = b"skipped"


@dataclass(frozen=True)
class Skipped:
    """A row that is left out.

    Args:
        origin: Where it comes from.
        reason: Why, in the plural ("rows without a document").
        details: What exactly was wrong, or empty.
    """

    origin: str
    reason: str
    details: str = ""


@dataclass(frozen=True)
class PartMaker:
    """Makes the file of a block; crosses to other processes.

    Args:
        folder: Where the files go.
        settings: How rows are made.
        make: What is made of them.
        with_texts: Whether the rows are kept, or only what is counted.
    """

    folder: Path
    settings: CorpusSettings
    make: Make
    with_texts: bool

    def path(self, block: int) -> Path:
        """The file of a block."""
        return self.folder / f"part-{block:06}.arrow"

    def __call__(self, block: Block) -> int:
        """Makes a block; gives how many rows it has, left-out ones included."""
        steps = self.steps(block)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return int(end.value)

    def steps(self, block: Block) -> Generator[Event, None, int]:
        """Makes a block.

        Args:
            block: The block.

        Yields:
            `FileBegun` before and after each file, and how far its reading is.

        Returns:
            How many rows the block has, left-out ones included.
        """
        rows: list[dict[str, Any]] = []
        skipped: list[Skipped] = []
        for index, raw in enumerate(block.rows):
            is_file = raw.path and not raw.fault
            if is_file:
                yield FileBegun(index)
            made = yield from self._row(raw, block.first + index)
            if is_file:
                yield FileBegun(None)
            if isinstance(made, Skipped):
                skipped.append(made)
            else:
                rows.append(made)
        self._write(self.path(block.number), rows, skipped)
        return len(block.rows)

    def _row(self, raw: Raw, number: int) -> Steps[dict[str, Any] | Skipped]:
        read = yield from _text_of(raw)
        if isinstance(read, Skipped):
            return read
        title, document = read
        texts = self._texts(raw, document, number)
        if isinstance(texts, Skipped):
            return texts
        words = word_hashes(document)
        row = {
            "id": raw.id,
            "title": title,
            **texts,
            "split": UNSPLIT if raw.split is None else SPLITS.index(raw.split),
            "words": count_words(document),
            "characters": len(document),
            "content": content_hash(words),
            "signature": signature(words).tobytes(),
        }
        return row | {"fingerprint": self._fingerprint(row)}

    def _texts(self, raw: Raw, document: str, number: int) -> dict[str, Any] | Skipped:
        """The columns of texts, and how long the summary is."""
        if not document.split():
            return Skipped(raw.origin, "rows without a document")
        if self.make == "text":
            return {"document": document, "summary_words": 0}
        if self.make == "pairs":
            summary = (raw.summary or "").strip()
            if not summary:
                return Skipped(raw.origin, "rows without a summary")
            words = count_words(summary)
            return {"document": document, "summary": summary, "summary_words": words}
        found = gap_row(document, self.settings, number)
        if found is None:
            return Skipped(raw.origin, "documents with fewer than two sentences of words")
        return asdict(found) | {"summary_words": count_words(found.summary)}

    def _fingerprint(self, row: dict[str, Any]) -> int:
        """The same for the same texts."""
        told = json.dumps([row[name] for name, _ in COLUMNS[self.make]]).encode()
        return int.from_bytes(blake2b(told, digest_size=8).digest(), "little")

    def _write(
        self, path: Path, rows: Sequence[dict[str, Any]], skipped: Sequence[Skipped]
    ) -> None:
        columns = (*(COLUMNS[self.make] if self.with_texts else _NAMES), *FACTS)
        told = json.dumps([asdict(row) for row in skipped]).encode()
        schema = pa.schema(columns, metadata={_SKIPPED: told})
        arrays = [pa.array([row[name] for row in rows], kind) for name, kind in columns]
        temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        with writing(self.folder):
            with temporary.open("wb") as file, pa.ipc.new_stream(file, schema) as writer:
                writer.write_batch(pa.record_batch(arrays, schema=schema))
            temporary.replace(path)


def _text_of(raw: Raw) -> Steps[tuple[str, str] | Skipped]:
    """The title and the text of a row; a file is read now."""
    if raw.fault:
        return Skipped(raw.origin, "rows that cannot be read", raw.fault)
    if not raw.path:
        return raw.title, raw.document.strip()
    try:
        read = yield from read_file(Path(raw.path), StopToken())
        check_enough(read)
    except EpitomeError as error:
        return Skipped(raw.origin, "files without enough text that can be read", str(error))
    return read.title, read.text.strip()


def skipped_in(path: Path) -> list[Skipped]:
    """The rows that a part left out."""
    with pa.memory_map(str(path)) as file, pa.ipc.open_stream(file) as reader:
        return [Skipped(**row) for row in json.loads(reader.schema.metadata[_SKIPPED])]


def facts_in(path: Path, columns: Sequence[str]) -> pa.Table:
    """What was counted of a part's rows, without their texts."""
    with pa.memory_map(str(path)) as file, pa.ipc.open_stream(file) as reader:
        return reader.read_all().select(columns)

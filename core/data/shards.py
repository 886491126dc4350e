"""Prepares rows of a corpus block by block; each block becomes a shard, an Arrow file.

A shard does not depend on the process that makes it, and gets its name when it is complete: blocks
can be prepared by several processes, and interrupted work is resumed at the first block without a
shard.
"""

import json
import os
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from core.data.corpus import SPLITS
from core.data.duplicates import HASHES, content_hash, signature, word_hashes
from core.data.events import FileBegun
from core.data.gaps import gap_row
from core.data.settings import CorpusSettings, Make
from core.data.source_rows import Block, SourceRow
from core.data.splitting import UNSPLIT
from core.data.staging import put_in_place, writing
from core.display_names import storable_name, storable_text
from core.documents.document import count_words
from core.documents.readers.door import check_enough, read_file
from core.errors import EpitomeError
from core.events import Event, Steps
from core.metrics.words import choose_tokenizer
from core.stop import StopToken
from core.storage.parsing import parse_json
from core.storage.regular_files import open_regular
from core.storage.temporary_names import open_temporary

_NAMES: Final = (("id", pa.string()), ("title", pa.string()))
_LIST = pa.list_(pa.large_string())
COLUMNS: Final[dict[Make, tuple[tuple[str, pa.DataType], ...]]] = {
    "text": (*_NAMES, ("document", pa.large_string())),
    "pairs": (*_NAMES, ("document", pa.large_string()), ("summary", pa.large_string())),
    "gsg": (*_NAMES, ("pieces", _LIST), ("gaps", _LIST), ("stays", pa.list_(pa.bool_()))),
}
METADATA: Final = (
    ("split", pa.int8()),
    ("words", pa.int64()),
    ("characters", pa.int64()),
    ("summary_words", pa.int64()),
    ("content", pa.uint64()),
    ("fingerprint", pa.uint64()),
    ("signature", pa.binary(HASHES * 4)),
)
WITHOUT_GAPS: Final = "documents with fewer than two sentences of words"
IN_OTHER_SCRIPTS: Final = f"{WITHOUT_GAPS} of a–z and 0–9, written in another script"
_SKIPPED = b"skipped"
_END = b"\xff\xff\xff\xff\0\0\0\0"  # of a stream of Arrow; one cut short before its rows has none
_UNLOCK = "Save a copy of it without the password, and prepare the corpus with that."


@dataclass(frozen=True)
class Skipped:
    """A skipped row.

    Args:
        origin: Where it comes from.
        reason: Why, in the plural ("rows without a document").
        details: What exactly was wrong, or empty.
    """

    origin: str
    reason: str
    details: str = ""


@dataclass(frozen=True)
class ShardMaker:
    """Makes the shard of a block; can be sent to other processes.

    Args:
        folder: The folder of the shards.
        settings: How rows are prepared.
        make: The kind of rows.
        with_texts: Whether to store the texts, or only what is counted.
    """

    folder: Path
    settings: CorpusSettings
    make: Make
    with_texts: bool

    def path(self, block: int) -> Path:
        """The file of a block's shard."""
        return self.folder / f"part-{block:06}.arrow"

    def made(self) -> frozenset[int]:
        """The numbers of the blocks whose shards are in the folder."""
        found = (path.stem.removeprefix("part-") for path in self.folder.glob("part-*.arrow"))
        return frozenset(map(int, found))

    def counted(self) -> dict[int, int]:
        """The blocks whose shards are whole, each with its number of rows, skipped ones included.

        A shard that is not whole, as a power cut may leave one, is deleted: it is made again.

        Returns:
            Numbers of rows by number of block.

        Raises:
            EpitomeError: If a shard cannot be deleted.
        """
        found = {block: count_rows(self.path(block)) for block in self.made()}
        with writing(self.folder):
            for block, rows in found.items():
                if rows is None:
                    self.path(block).unlink()
        return {block: rows for block, rows in found.items() if rows is not None}

    def __call__(self, block: Block) -> int:
        """Makes the shard of a block; returns its number of rows, skipped ones included."""
        steps = self.steps(block)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return int(end.value)

    def steps(self, block: Block) -> Generator[Event, None, int]:
        """Makes the shard of a block.

        Args:
            block: The block.

        Yields:
            `FileBegun` before and after each file, and the progress of reading it.

        Returns:
            The number of rows of the block, skipped ones included.
        """
        rows: list[dict[str, Any]] = []
        skipped: list[Skipped] = []
        for index, source in enumerate(block.rows):
            is_file = source.path and not source.fault
            if is_file:
                yield FileBegun(index)
            row = yield from self._row(source, block.first + index)
            if is_file:
                yield FileBegun(None)
            if isinstance(row, Skipped):
                skipped.append(row)
            else:
                rows.append(row)
        self._write(self.path(block.number), rows, skipped)
        return len(block.rows)

    def _row(self, source: SourceRow, number: int) -> Steps[dict[str, Any] | Skipped]:
        read = yield from _text_of(source)
        if isinstance(read, Skipped):
            return read
        title, document = read
        texts = self._texts(source, document, number)
        if isinstance(texts, Skipped):
            return texts
        words = word_hashes(document)
        row = {
            "id": storable_name(source.id),
            "title": storable_text(title),
            **texts,
            "split": UNSPLIT if source.split is None else SPLITS.index(source.split),
            "words": count_words(document),
            "characters": len(document),
            "content": content_hash(words),
            "signature": signature(words).tobytes(),
        }
        return row | {"fingerprint": self._fingerprint(row)}

    def _texts(self, source: SourceRow, document: str, number: int) -> dict[str, Any] | Skipped:
        """The text columns, and the length of the summary."""
        if not document.split():
            return Skipped(source.origin, "rows without a document")
        if self.make == "text":
            return {"document": document, "summary_words": 0}
        if self.make == "pairs":
            summary = (source.summary or "").strip()
            if not summary:
                return Skipped(source.origin, "rows without a summary")
            words = count_words(summary)
            return {"document": document, "summary": summary, "summary_words": words}
        gaps = gap_row(document, self.settings, number)
        if gaps is None:
            is_rouge = self.settings.tokenizer == "rouge"
            needs_other = is_rouge and choose_tokenizer([document]) != "rouge"
            return Skipped(source.origin, IN_OTHER_SCRIPTS if needs_other else WITHOUT_GAPS)
        return asdict(gaps) | {"summary_words": count_words(gaps.summary)}

    def _fingerprint(self, row: dict[str, Any]) -> int:
        """Equal for equal texts."""
        texts = json.dumps([row[name] for name, _ in COLUMNS[self.make]]).encode()
        return int.from_bytes(blake2b(texts, digest_size=8).digest(), "little")

    def _write(
        self, path: Path, rows: Sequence[dict[str, Any]], skipped: Sequence[Skipped]
    ) -> None:
        columns = (*(COLUMNS[self.make] if self.with_texts else _NAMES), *METADATA)
        reasons = json.dumps([asdict(row) for row in skipped]).encode()
        schema = pa.schema(columns, metadata={_SKIPPED: reasons})
        arrays = [pa.array([row[name] for row in rows], kind) for name, kind in columns]
        with writing(self.folder):
            with open_temporary(path) as file, pa.ipc.new_stream(file, schema) as writer:
                writer.write_batch(pa.record_batch(arrays, schema=schema))
            put_in_place(Path(file.name), path)


def _text_of(source: SourceRow) -> Steps[tuple[str, str] | Skipped]:
    """The title and the text of a row; files are read here."""
    if source.fault:
        return Skipped(source.origin, source.faulty, source.fault)
    if not source.path:
        return source.title, source.document.strip()
    try:
        read = yield from read_file(Path(source.path), StopToken())
        check_enough(read)
    except EpitomeError as error:
        details = f"{error.message} {_UNLOCK}" if error.kind == "password" else str(error)
        return Skipped(source.origin, "files without enough text that can be read", details)
    return read.title, read.text.strip()


def count_rows(path: Path) -> int | None:
    """How many rows the block of a shard had, skipped ones included; None if it is not whole."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        with open_regular(path, "rb") as file:
            file.seek(-len(_END), os.SEEK_END)
            ended = file.read() == _END
        if ended:
            return int(read_metadata(path, ["words"]).num_rows) + len(read_skipped(path))
    return None


def read_skipped(path: Path) -> list[Skipped]:
    """The skipped rows of a shard."""
    with pa.memory_map(str(path)) as file, pa.ipc.open_stream(file) as reader:
        return [Skipped(**row) for row in parse_json(reader.schema.metadata[_SKIPPED])]


def read_metadata(path: Path, columns: Sequence[str]) -> pa.Table:
    """What was counted of a shard's rows, without their texts."""
    with pa.memory_map(str(path)) as file, pa.ipc.open_stream(file) as reader:
        return reader.read_all().select(columns)

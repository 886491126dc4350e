"""Sources of corpora with all that a block can hold, and the content of what is made of them."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.helpers.corpora import TEXTS

_LONG = "\n\n".join(TEXTS)


def write_sources(folder: Path) -> Path:
    """Shards of several blocks: duplicates, rows and lines that are none, and a damaged shard."""
    folder.mkdir(parents=True)
    short = [*TEXTS, *TEXTS[:5], "", "Only a title"]
    pq.write_table(pa.table({"document": short}), folder / "a.parquet")
    lines = [f'{{"document": "Line {number}. {text!r}"}}' for number, text in enumerate(TEXTS)]
    lines[3], lines[9] = "{broken", "[1, 2]"
    (folder / "b.jsonl").write_text("\n".join(lines).replace("'", ""), "utf-8")
    long = [_LONG.replace("pump", f"pump {number} of") for number in range(30)]
    pq.write_table(pa.table({"document": long}), folder / "c.parquet")
    pq.write_table(pa.table({"document": long[:20]}), folder / "d.parquet", compression="gzip")
    content = bytearray((folder / "d.parquet").read_bytes())
    content[2000:3000] = bytes(1000)
    (folder / "d.parquet").write_bytes(content)
    return folder


def write_files(folder: Path) -> Path:
    """Files of documents, one of which is broken."""
    folder.mkdir(parents=True)
    for number, text in enumerate(TEXTS[:20]):
        (folder / f"{number:02}.txt").write_text(text * 3, "utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    return folder


def content_of(folder: Path) -> dict[str, bytes]:
    """The bytes of all files of a folder, by their names in it."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}

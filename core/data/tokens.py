"""Makes the tokens of a corpus, once for each tokenizer.

They are written part by part into a folder beside, which gets its name when it is whole: work that
was cut short goes on where it was.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from core.data.corpus import Corpus, open_corpus
from core.data.gaps import GapRow, summary_parts
from core.data.mapped_rows import MappedRows
from core.data.staging import put_in_place, wait_for_lock, writing
from core.data.tokenizer import Tokenizer
from core.events import Progress, Steps
from core.stop import StopToken
from core.storage.files import flush
from core.storage.regular_files import check_regular, rename_patiently
from core.storage.temporary_names import open_temporary

SCHEMA = pa.schema(
    [
        ("source", pa.large_list(pa.int32())),
        ("summary", pa.large_list(pa.int32())),
        ("gaps", pa.large_list(pa.int32())),
    ]
)

_PART_ROWS = 4096
_BATCH_ROWS = 64  # what is held in memory at once


def tokens_folder(corpus: Corpus, tokenizer: Tokenizer) -> Path:
    """Where the tokens of a corpus lie for one tokenizer, whether they are made or not."""
    return corpus.folder / f"tokens-{tokenizer.fingerprint}"


def tokenise(corpus_folder: Path, tokenizer: Tokenizer, stop: StopToken) -> Steps[Path]:
    """Makes what `core.data.examples.open_examples` opens; returns at once where it is there.

    Args:
        corpus_folder: The corpus.
        tokenizer: What makes its tokens.
        stop: Read often; what is made by then is kept.

    Yields:
        How many rows are done; or that another process is making the same.

    Returns:
        The folder of the tokens.
    """
    corpus = open_corpus(corpus_folder)
    folder = tokens_folder(corpus, tokenizer)
    if folder.is_dir():
        return folder
    growing = folder.with_name(f"{folder.name}.preparing")
    lock = yield from wait_for_lock(growing, "Waiting for another process that tokenises", stop)
    try:
        if folder.is_dir():  # another process has finished it in the meantime
            return folder
        with writing(growing):
            growing.mkdir(exist_ok=True)
        for half in growing.glob("*.tmp"):
            half.unlink()
        for done in _write_parts(growing, corpus, tokenizer):
            yield Progress(done, sum(corpus.counts.values()), "documents", "Tokenising")
            stop.raise_if_set()
        with writing(folder):
            (growing / "lock").unlink(missing_ok=True)  # of an older program
            flush(growing)
            rename_patiently(growing, folder)
    finally:
        lock.release(delete=True)
    return folder


def _write_parts(growing: Path, corpus: Corpus, tokenizer: Tokenizer) -> Iterator[int]:
    """Writes the parts that are not there; yields how many rows are done."""
    before = 0
    for split in corpus.splits:
        rows = corpus.rows(split)
        for first in range(0, len(rows), _PART_ROWS):
            part = rows[first : first + _PART_ROWS]
            path = growing / f"{split}-{first // _PART_ROWS:05}.arrow"
            for done in _write_part(path, part, corpus, tokenizer):
                yield before + done
            before += len(part)


def _write_part(
    path: Path, rows: MappedRows, corpus: Corpus, tokenizer: Tokenizer
) -> Iterator[int]:
    """Writes a part unless it is there and whole; yields how many of its rows are done."""
    if _is_whole(path, len(rows)):
        return
    with writing(path.parent):
        with open_temporary(path) as file, pa.ipc.new_file(file, SCHEMA) as writer:
            for first in range(0, len(rows), _BATCH_ROWS):
                yield first
                batch = rows[first : first + _BATCH_ROWS].columns()
                writer.write_batch(_tokenised(batch, corpus, tokenizer))
        put_in_place(Path(file.name), path)


def _is_whole(path: Path, count: int) -> bool:
    """Whether a part has all its rows; one that a power cut has damaged is written again."""
    with suppress(OSError, ValueError):
        check_regular(path)
        with pa.memory_map(str(path)) as file:
            return int(pa.ipc.open_file(file).read_all().num_rows) == count
    return False


def _tokenised(rows: dict[str, list[Any]], corpus: Corpus, tokenizer: Tokenizer) -> pa.RecordBatch:
    if corpus.make == "gsg":
        return _with_gaps(rows, corpus.masking, tokenizer)
    sources = tokenizer.encode_many(rows["document"])
    none: list[list[int]] = [[]] * len(sources)
    summaries = tokenizer.encode_many(rows["summary"]) if corpus.make == "pairs" else none
    return pa.record_batch([sources, summaries, none], schema=SCHEMA)


def count_gap_tokens(row: GapRow, masking: str, tokenizer: Tokenizer) -> tuple[int, int]:
    """How many tokens a row with gap sentences has, as `tokenise` makes them.

    Args:
        row: The row.
        masking: What stands for its gap sentences, as in `core.gsg.settings`.
        tokenizer: What makes the tokens.

    Returns:
        Those of the input, and those of the gap sentences.
    """
    rows: dict[str, list[Any]] = {
        "pieces": [row.pieces],
        "gaps": [row.gaps],
        "stays": [row.stays],
    }
    found = _with_gaps(rows, masking, tokenizer)
    return len(found.column(0)[0]), len(found.column(1)[0])


def _with_gaps(rows: dict[str, list[Any]], masking: str, tokenizer: Tokenizer) -> pa.RecordBatch:
    written = [summary_parts(gaps) for gaps in rows["gaps"]]
    texts = list({*chain(*rows["pieces"]), *chain(*rows["gaps"]), *chain(*written)})
    ids = dict(zip(texts, tokenizer.encode_many(texts), strict=True))
    columns: tuple[list[list[int]], ...] = ([], [], [])
    every = zip(rows["pieces"], rows["gaps"], rows["stays"], written, strict=True)
    for pieces, gaps, stays, parts in every:
        source, places = list(ids[pieces[0]]), []
        for piece, gap, stay in zip(pieces[1:], gaps, stays, strict=True):
            places.append(len(source))
            source += ids[gap] if stay else [tokenizer.special.mask] if masking == "mask" else []
            source += ids[piece]
        summary = [ids[part] for part in parts]
        ends = accumulate(map(len, summary))
        found = source, list(chain(*summary)), list(chain(*zip(places, ends, strict=True)))
        for column, row in zip(columns, found, strict=True):
            column.append(row)
    return pa.record_batch(list(columns), schema=SCHEMA)

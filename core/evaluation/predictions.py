"""Summaries that systems wrote: ready ones in a file, and a file that grows as they are written.

A file that grows holds a row for each document, with its hash and with what wrote it, and so can be
gone on with after an end at any moment.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from core.data.tables import table_notes
from core.errors import UNUSABLE_TEXT, EpitomeError, explained
from core.evaluation.pairs import Pairs, text_hash
from core.evaluation.predictors import Predictor
from core.evaluation.rows import PLAIN, find_column, open_rows, plain_rows, text_in
from core.events import Progress, Steps
from core.numbers import format_count, format_quantity
from core.stop import StopToken
from core.storage.files import FileLock
from core.storage.parsing import parse_json
from core.storage.regular_files import open_regular, read_regular

FILE_NAME = "predictions.jsonl"

_USUAL = ("prediction", "predicted", "generated", "hypothesis", "candidate", "summary", "output",
          "text")  # fmt: skip
_HASH = "document_sha256"
# Of a row, the prediction as JSON escapes it, up to where the row may be torn.
_REST_OF_ROW = re.compile(
    rb"""(?: [ !\x23-\x5b\x5d-\x7f] | \\["\\bfnrt] | \\u[0-9a-f]{4} )*+
    (?: \\(?: u[0-9a-f]{0,3} )? | "}? )?""",
    re.VERBOSE,
)


def read_predictions(path: Path, column: str, pairs: Pairs) -> tuple[tuple[str, ...], str]:
    """Reads ready summaries: one row for each document, in the same order.

    Args:
        path: A Parquet, JSON Lines or CSV file, or plain text with a summary in each line; also
            one that `write_predictions` wrote.
        column: The column of the summaries; empty: guessed from its name.
        pairs: What they are held against.

    Returns:
        The summaries, and a note where anything was guessed, else empty. Where only the first
        documents were taken, the first.

    Raises:
        EpitomeError: If the file cannot be read, or is of fewer, more or other documents.
    """
    is_plain = path.suffix.lower() == PLAIN
    names, all_rows = plain_rows(path) if is_plain else open_rows(path)
    rows = list(islice(all_rows, len(pairs)))
    if len(rows) < len(pairs):
        held = format_quantity(len(rows), "prediction")
        raise EpitomeError(
            f"“{path.name}” holds {held} for {format_quantity(len(pairs), 'document')}.",
            f"Score the first ones with --limit {len(rows)}." if rows else "Name another file.",
        )
    if not pairs.is_cut and next(all_rows, None) is not None:
        raise EpitomeError(
            f"“{path.name}” holds more predictions than the {format_count(len(pairs))} documents.",
            "Name the predictions of these documents.",
        )
    found = find_column(names, column, _USUAL, "--prediction-column")
    if found is None:
        raise EpitomeError(
            f"“{path.name}” has no column of predictions that could be guessed; its columns are "
            f"{', '.join(names)}.",
            "Name one of these with --prediction-column.",
        )
    _check_hashes(path, rows, pairs)
    has_hashes = all(row.get(_HASH) is not None for row in rows)
    # Those of the unreadable files may be among them: then all after these would be shifted.
    if pairs.has_gaps and not has_hashes and next(all_rows, None) is not None:
        raise EpitomeError(
            f"Some files of “{pairs.path.name}” cannot be read, and “{path.name}” does not say "
            "which documents its predictions are of.",
            "Take those files out of the folder, and their predictions, if any, out of this file.",
        )
    notes = [] if is_plain else list(table_notes(path))
    if not column and not is_plain:
        notes.insert(0, f"Guessed: the predictions of “{path.name}” are in “{found}”.")
    return tuple(text_in(row, found, at, path) for at, row in enumerate(rows, 1)), " ".join(notes)


def write_predictions(
    predictor: Predictor, documents: tuple[str, ...], folder: Path | None, stop: StopToken
) -> Steps[tuple[str, ...]]:
    """Has summaries written, and goes on where an earlier call ended.

    Args:
        predictor: What writes them.
        documents: Of what.
        folder: Where `FILE_NAME` grows row by row; None to keep them in memory only.
        stop: The wish to end; what was written is kept.

    Yields:
        How many are written.

    Returns:
        A summary for each document.

    Raises:
        EpitomeError: If the folder holds predictions of other documents or by another predictor, if
            another process writes there, or if nothing can be written.
    """
    if folder is None:
        return (yield from _written(predictor, documents, [], stop))
    file = _Growing(folder / FILE_NAME, predictor.description)
    with _locked(folder):
        return (yield from _written(predictor, documents, file.kept(documents), stop, file))


def _written(
    predictor: Predictor,
    documents: tuple[str, ...],
    kept: list[str],
    stop: StopToken,
    file: "_Growing | None" = None,
) -> Steps[tuple[str, ...]]:
    summaries = list(kept)
    rest = documents[len(kept) :]
    yield Progress(len(kept), len(documents), "documents", "Writing summaries")
    for document, summary in zip(rest, predictor.summaries(rest), strict=True):
        if file is not None:
            file.add(len(summaries), document, summary)
        summaries.append(summary)
        yield Progress(len(summaries), len(documents), "documents", "Writing summaries")
        stop.raise_if_set()
    if summaries and not any(summaries):
        raise EpitomeError(
            f"Nothing of use was written of {format_quantity(len(summaries), 'document')} by "
            f"{predictor.description.partition(',')[0]}.",
            "Use the built-in summariser or another model.",
            kind=UNUSABLE_TEXT,
        )
    return tuple(summaries)


@dataclass(frozen=True)
class _Growing:
    """A file of predictions that grows.

    Args:
        path: The file.
        written_by: The description of what writes.
    """

    path: Path
    written_by: str

    def kept(self, documents: tuple[str, ...]) -> list[str]:
        """The predictions that are there already; a torn last line is taken off the file."""
        with _told_of(self.path):
            data = read_regular(self.path, None) if self.path.exists() else b""
        whole = data.rfind(b"\n") + 1
        lines = [line for line in data[:whole].split(b"\n") if line]
        found = list(self._checked(lines[: len(documents)], documents))
        torn = data[whole:] if len(lines) < len(documents) else b""
        if torn:
            # Only what an interrupted call began is taken off, and nothing of another file.
            if not self._is_beginning(torn, len(lines), documents[len(lines)]):
                raise self._other(f"damaged in row {format_count(len(lines) + 1)}")
            with _told_of(self.path), open_regular(self.path, "ab") as file:
                file.truncate(whole)
        return found

    def add(self, number: int, document: str, prediction: str) -> None:
        """Appends a row in one go: what a crash leaves of it has no line end."""
        with _told_of(self.path), open_regular(self.path, "ab") as file:
            file.write(self._row(number, document, prediction) + b"\n")

    def _row(self, number: int, document: str, prediction: str) -> bytes:
        row = {
            "number": number,
            _HASH: text_hash(document),
            "written_by": self.written_by,
            "prediction": prediction,
        }
        return json.dumps(row).encode()

    def _is_beginning(self, torn: bytes, number: int, document: str) -> bool:
        """True if a line without an end can be the beginning of the row of a document."""
        begins = self._row(number, document, "").removesuffix(b'"}')
        if len(torn) < len(begins):
            return begins.startswith(torn)
        return torn.startswith(begins) and bool(_REST_OF_ROW.fullmatch(torn, len(begins)))

    def _checked(self, lines: list[bytes], documents: tuple[str, ...]) -> Iterator[str]:
        for number, (line, document) in enumerate(zip(lines, documents, strict=False)):
            row = self._parsed(line, number)
            if row["written_by"] != self.written_by:
                raise self._other(f"written by “{row['written_by']}”, not by “{self.written_by}”")
            if row[_HASH] != text_hash(document):
                raise self._other(f"of other documents, from row {format_count(number + 1)} on")
            yield row["prediction"]

    def _parsed(self, line: bytes, number: int) -> dict[str, Any]:
        wanted = {"number": int, _HASH: str, "written_by": str, "prediction": str}
        try:
            row = parse_json(line)
            right = all(type(row[name]) is kind for name, kind in wanted.items())
            if right and row["number"] == number:
                return dict(row)
        except (ValueError, TypeError, KeyError):
            pass
        raise self._other(f"damaged in row {format_count(number + 1)}")

    def _other(self, what: str) -> EpitomeError:
        return EpitomeError(
            f"The predictions in {self.path} are {what}.", "Name another folder, or delete them."
        )


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps other processes from writing predictions into a folder, which is made if need be."""
    lock = FileLock(folder / f".{FILE_NAME}.lock")
    with _told_of(folder):
        folder.mkdir(parents=True, exist_ok=True)
        is_free = lock.acquire()
    if not is_free:
        raise EpitomeError(
            f"Another process is writing predictions into {folder}.",
            "Wait for its end, or name another folder.",
        )
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _told_of(place: Path) -> Iterator[None]:
    """Puts into words what the system says of a folder, or of the file in it."""
    with explained(f"Predictions cannot be kept in {place}", "Name another folder."):
        yield


def _check_hashes(path: Path, rows: list[dict[str, Any]], pairs: Pairs) -> None:
    """Refuses predictions that say themselves that they are of other documents."""
    for number, (row, known) in enumerate(zip(rows, pairs.hashes or (), strict=False), 1):
        if row.get(_HASH, known) != known:
            raise EpitomeError(
                f"Row {format_count(number)} of “{path.name}” is the summary of another document.",
                "Name the pairs that it was written of.",
            )

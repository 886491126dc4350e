"""The one way from a file, bytes or the clipboard to a document.

A file is known by its content first and by its name second. Whatever cannot be read ends in an
`EpitomeError` that says what it is and what to do.
"""

import hashlib
import os
import stat
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np

from core.documents.budget import Budget
from core.documents.document import RUNNING_TEXT, Document, Source, count_words
from core.documents.languages import AUTO
from core.documents.line_mode import LineMode
from core.documents.readers import failures
from core.documents.readers.archives import Archive
from core.documents.readers.formats import (
    FORMATS,
    MARKDOWN,
    MAX_BYTES,
    MAX_MARKUP_BYTES,
    MAX_TEXT_BYTES,
    PDF,
    PICTURE,
    RST,
    TEXT,
    Format,
    format_by_suffix,
)
from core.documents.readers.pdf_layout.scans import SCANNED
from core.documents.readers.sniffing import format_of, is_archive
from core.documents.readers.titles import is_no_title, opening_title
from core.errors import EpitomeError
from core.events import Progress, Steps
from core.numbers import format_quantity
from core.stop import StopToken
from core.storage.regular_files import open_regular
from core.system.limits import limited

MIN_WORDS: Final = 20

_CHUNK_BYTES = 4_000_000
_MOST_PAGES_NAMED = 8
_GENERAL = (TEXT, MARKDOWN, RST)  # what any unknown suffix may hold


@dataclass(frozen=True)
class _Choices:
    """What a person said of a source."""

    password: str = field(repr=False)
    column: str
    language: str
    lines: LineMode


def formats() -> list[tuple[str, tuple[str, ...]]]:
    """The formats that can be opened, for a dialog: a name for each, and its suffixes."""
    return [(format.name, format.suffixes) for format in FORMATS.values()]


def read_file(
    path: Path,
    stop: StopToken,
    *,
    password: str = "",
    column: str = "",
    language: str = AUTO,
    lines: LineMode = "auto",
) -> Steps[Document]:
    """Reads a file of any format that can be read.

    Args:
        path: The file.
        stop: The wish to end early.
        password: For a locked PDF; never kept.
        column: Of a table, the column that is read; empty to find it.
        language: The code of the language in which scans are recognised; `AUTO` finds it out.
        lines: The mode of joining the lines of plain text.

    Yields:
        How far it is.

    Returns:
        The document.

    Raises:
        EpitomeError: If the file cannot be read; `kind` is ``"password"`` where one is wanted.
    """
    data = yield from bytes_of_file(path, stop)
    choices = _Choices(password, column, language, lines)
    return (yield from _read(data, path.name, stop, str(path.absolute()), choices))


def bytes_of_file(path: Path, stop: StopToken) -> Steps[bytes]:
    """All bytes of a file that can be read as a document.

    Args:
        path: The file.
        stop: The wish to end early.

    Yields:
        How far it is.

    Returns:
        The bytes.

    Raises:
        EpitomeError: If it cannot be opened, is no ordinary file, or is too large for its format.
    """
    num_bytes = _size_of(path)
    yield Progress(0, num_bytes, "bytes", "Opening")
    return (yield from _bytes_of(path, num_bytes, stop))


def read_bytes(
    data: bytes,
    name: str,
    stop: StopToken,
    *,
    password: str = "",
    column: str = "",
    language: str = AUTO,
    lines: LineMode = "auto",
) -> Steps[Document]:
    """Reads the bytes of a file, as standard input gives them.

    Args:
        data: All of them.
        name: What to call the file; its suffix helps where the bytes leave the format open.
        stop: The wish to end early.
        password: For a locked PDF; never kept.
        column: Of a table, the column that is read; empty to find it.
        language: The code of the language in which scans are recognised; `AUTO` finds it out.
        lines: The mode of joining the lines of plain text.

    Yields:
        How far it is.

    Returns:
        The document.

    Raises:
        EpitomeError: As in `read_file`.
    """
    return (yield from _read(data, name, stop, "", _Choices(password, column, language, lines)))


def read_pasted(
    text: str, html: str, stop: StopToken, *, lines: LineMode = "auto"
) -> Steps[Document]:
    """Reads what a person pasted.

    Args:
        text: The clipboard's plain text, or empty.
        html: The clipboard's HTML, or empty.
        stop: The wish to end early.
        lines: The mode of joining the lines of plain text.

    Yields:
        How far it is.

    Returns:
        The document, from the HTML where that holds structure.

    Raises:
        EpitomeError: If there is nothing in it, or far too much.
    """
    from core.documents.readers.clipboard import read_clipboard

    data = (text or html).encode("utf-8", "replace")
    source = Source("Pasted text", "", _hash(data), len(data), TEXT)
    if len(data) > MAX_TEXT_BYTES:
        raise failures.too_large(source.name, len(data), MAX_TEXT_BYTES, "pasted texts")
    if len(html) > MAX_MARKUP_BYTES:
        html = ""
    document = yield from read_clipboard(text, html, source, stop, lines)
    if not document.reading.words:
        raise failures.blank(source.name)
    return document


def check_enough(document: Document) -> None:
    """Refuses a document with too few words for a summary to make sense.

    Args:
        document: Any document.

    Raises:
        EpitomeError: If its running text has fewer than `MIN_WORDS` words; says how many, on which
            pages, and what to do.
    """
    words = _running_words(document)
    if words >= MIN_WORDS:
        return
    reading = document.reading
    found = f"{format_quantity(words, 'word')} of running text"
    if reading.of_pages:
        read = {document.page_at(int(start)) for start in document.starts}
        empty = {p for item in reading.left_out if item.missed for p in item.pages} - read
        found += f" on its {format_quantity(reading.of_pages, 'page')}"
        found += f" ({_pages(sorted(empty))} without text)" if empty else ""
        unread = reading.pages < reading.of_pages
        unread |= any(item.what == SCANNED for item in reading.left_out)
        scanned = document.source.format in (PDF, PICTURE) and (bool(empty) or unread)
    else:
        scanned = False
    needed = f"at least {MIN_WORDS}"
    if elsewhere := [item for item in reading.left_out if item.missed and item.words]:
        most = max(elsewhere, key=lambda item: item.words)
        found += f", and {format_quantity(most.words, 'word')} in {most.what}"
        needed += " of running text"
    remedy = "Open a document with more text."
    if scanned:
        remedy = _about_scans()
    elif failures.has_pictures(reading.left_out):
        remedy = failures.SAVED_AS_PDF
    raise EpitomeError(
        f"“{document.source.name}” contains {found}; a summary needs {needed}.",
        remedy,
        kind="too-few-words",
    )


def _about_scans() -> str:
    from core.documents.readers.recognition import part

    return "Scan its pages again at 300 dpi." if part.is_installed() else part.advice()


def _size_of(path: Path) -> int:
    """The size of an ordinary file, or the error that tells why it is none."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise failures.missing(path.name, str(path.parent)) from error
    except OSError as error:
        raise failures.not_opened(path.name, error) from error
    except ValueError as error:  # a zero byte in the name
        raise failures.missing(path.name.replace("\0", "�"), str(path.parent)) from error
    if stat.S_ISDIR(status.st_mode):
        if not os.access(path, os.R_OK | os.X_OK):
            raise failures.closed_folder(path.name or str(path))
        raise failures.is_folder(path.name or str(path))
    if not stat.S_ISREG(status.st_mode):
        raise failures.not_a_file(path.name)
    known = FORMATS.get(format_by_suffix(path.suffix.lower()))
    limit, many = (known.limit_bytes, known.many) if known else (MAX_BYTES, "files")
    if status.st_size > limit:  # what it holds decides again when it is read
        raise failures.too_large(path.name, status.st_size, limit, many)
    return status.st_size


def _bytes_of(path: Path, num_bytes: int, stop: StopToken) -> Steps[bytes]:
    chunks: list[bytes] = []
    done = 0
    try:
        with open_regular(path, "rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                stop.raise_if_set()
                chunks.append(chunk)
                done += len(chunk)
                if done > MAX_BYTES:
                    raise failures.too_large(path.name, done, MAX_BYTES, "files")
                yield Progress(done, max(num_bytes, done), "bytes", "Opening")
    except OSError as error:
        raise failures.not_opened(path.name, error) from error
    if done != num_bytes:
        raise failures.changed(path.name)
    return b"".join(chunks)


def _read(data: bytes, name: str, stop: StopToken, path: str, choices: _Choices) -> Steps[Document]:
    if not data:
        raise failures.empty(name)
    suffix = Path(name).suffix.lower()
    archive = Archive(data, name) if is_archive(data) else None
    kind = format_of(data, suffix, archive)
    if kind not in FORMATS:
        raise failures.not_read(name, kind)
    format = FORMATS[kind]
    if len(data) > format.limit_bytes:
        raise failures.too_large(name, len(data), format.limit_bytes, format.many)
    stop.raise_if_set()
    source = Source(name, path, _hash(data), len(data), kind)
    with limited():
        document = yield from _read_as(format, data, archive, source, stop, choices)
    if not document.reading.words and kind != PDF:
        raise failures.blank(name, document.reading.left_out)
    notes = [_wrong_name(kind, suffix)]
    if choices.column and "column" not in format.choices:
        notes.append(f"This is {format.one}, so the column “{choices.column}” was ignored.")
    if choices.lines != "auto" and document.source.format != TEXT:
        notes.append("Lines are joined or kept only in plain text; this is another format.")
    said = (*filter(None, notes), *document.reading.notes)
    reading = replace(document.reading, notes=said)
    return replace(document, title=_title_of(document, name), reading=reading)


def _title_of(document: Document, name: str) -> str:
    """The title the reader found; else what the first headings say, else the file's name."""
    stem = Path(name).stem or name
    if document.title not in (name, stem) and not is_no_title(document.title):
        return document.title
    return opening_title(document) or stem


def _read_as(
    format: Format,
    data: bytes,
    archive: Archive | None,
    source: Source,
    stop: StopToken,
    choices: _Choices,
) -> Steps[Document]:
    """Calls the reader of a format, which is imported when it is first needed."""
    if format.is_lines:
        Budget(source.name).check_lines(data)
    module, _, function = format.reader.partition(":")
    read = getattr(import_module(module), function)
    whole = archive if format.is_archive and archive is not None else data
    chosen = {name: getattr(choices, name) for name in format.choices}
    document: Document = yield from read(whole, source, stop, **chosen)
    return document


def _wrong_name(kind: str, suffix: str) -> str:
    """One sentence if a file's name promised another format than it holds."""
    promised = format_by_suffix(suffix)
    if not promised or promised == kind or {promised, kind} <= set(_GENERAL):
        return ""
    return (
        f"The name ends in {suffix}, but the file holds {FORMATS[kind].one} and was read as such."
    )


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _running_words(document: Document) -> int:
    """Words of running text, counted no further than needed."""
    words = 0
    for index in np.flatnonzero(np.isin(document.kinds, RUNNING_TEXT)):
        words += count_words(document.paragraph(int(index)))
        if words >= MIN_WORDS:
            break
    return words


def _pages(pages: list[int]) -> str:
    """Page numbers in words ("page 3", "pages 1, 2, 3 and 9 more")."""
    named = ", ".join(map(str, pages[:_MOST_PAGES_NAMED]))
    more = len(pages) - _MOST_PAGES_NAMED
    tail = f" and {more} more" if more > 0 else ""
    return f"page {named}" if len(pages) == 1 else f"pages {named}{tail}"

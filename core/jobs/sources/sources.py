"""What a job reads: a file, or text that was pasted or piped in."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.documents.document import Document, Source
from core.documents.languages import AUTO
from core.documents.line_mode import LineMode
from core.events import Steps
from core.library.kept_copy import read_copy
from core.stop import StopToken
from core.storage.regular_files import read_regular

if TYPE_CHECKING:
    from core.jobs.lanes.child_process import ChildProcess


@dataclass(frozen=True)
class SourceRef:
    """Names a source without reading it.

    Args:
        path: A file; None for pasted text.
        text: The pasted text, when there is no file.
        html: The same as HTML, when the clipboard had it.
        data: Bytes that came through a pipe, or None; their format is found out.
        kept: A copy of the document that `OpenJob` kept, to be read back after a crash.
        name: What to call it when there is no file.
        password: Opens an encrypted file; used once, never shown, kept or logged.
        column: Of a table of texts, the column that is read; empty to find it.
        lines: The mode of joining the lines of plain text.
    """

    path: Path | None = None
    text: str = ""
    html: str = ""
    data: bytes | None = field(default=None, repr=False)
    kept: Path | None = None
    name: str = ""
    password: str = field(default="", repr=False)
    column: str = ""
    lines: LineMode = "auto"


_PLAIN = (".txt", ".text", ".md", ".markdown", ".csv", ".tsv", ".jsonl", ".vtt", ".srt")
_MARKS = (b"<", b"{", b"[", b"%PDF", b"PK", b"\x89", b"\xff\xd8", b"II", b"MM", b"From")
_MOST_HERE_BYTES = 1_000_000  # of plain text that is read in this process

MOST_PASTED_CHARACTERS = 50_000_000
"""Of a text from the clipboard, or of its HTML."""

SILENCE_S = 300.0
"""How long nothing may be heard of a document that is being read before it is given up."""


def reading_process() -> "ChildProcess":
    """A process beside this one for sources that may end it, or keep it busy for ever."""
    from core.jobs.lanes.child_process import ChildProcess

    return ChildProcess(
        "The process that read it",
        "Save it again with another program, or leave it out.",
        silence_s=SILENCE_S,
    )


def is_risky(source: SourceRef) -> bool:
    """Whether it is to be read in a process that may be ended: a library that reads it may crash
    or never end, or there is so much of it that limits are needed."""
    if source.path is None:
        size = len(source.data or b"") + len(source.text) + len(source.html)
        is_plain = not (source.html or (source.data or b"").lstrip().startswith(_MARKS))
    else:
        is_plain = source.path.suffix.lower() in _PLAIN
        try:
            size = source.path.stat().st_size
        except (OSError, ValueError):  # told where it is read
            return False
    return size > _MOST_HERE_BYTES or not is_plain


def read_source(
    source: SourceRef, stop: StopToken, language: str = AUTO, *, check: bool = True
) -> Steps[Document]:
    """Reads a source.

    Args:
        source: What to read.
        stop: The wish to end.
        language: The code of the language in which scans are recognised; `AUTO` finds it out.
        check: Whether too little text for a summary is an error.

    Returns:
        The document.
    """
    from core.documents.readers import door

    if source.kept is not None:
        return read_copy(source.kept)
    if source.path is not None:
        document = yield from door.read_file(
            source.path,
            stop,
            password=source.password,
            column=source.column,
            language=language,
            lines=source.lines,
        )
    elif source.data is not None:
        document = yield from door.read_bytes(
            source.data,
            source.name,
            stop,
            password=source.password,
            column=source.column,
            language=language,
            lines=source.lines,
        )
    else:
        document = yield from door.read_pasted(source.text, source.html, stop, lines=source.lines)
    if check:
        door.check_enough(document)
    return document


def check_enough(document: Document) -> None:
    """As `core.documents.readers.door.check_enough`."""
    from core.documents.readers import door

    door.check_enough(document)


def read_lines(source: SourceRef) -> Document:
    """Reads a source whose lines stand for themselves.

    Args:
        source: What to read: a text file, or bytes from a pipe.

    Returns:
        The document, one paragraph with its line breaks.

    Raises:
        EpitomeError: If it cannot be read or is no text.
    """
    from core.documents.readers import failures
    from core.documents.readers.formats import MAX_TEXT_BYTES
    from core.documents.readers.line_list import read_line_list

    name = source.path.name if source.path else source.name
    try:
        piped = source.text.encode() if source.data is None else source.data
        data = read_regular(source.path, MAX_TEXT_BYTES) if source.path else piped
    except OSError as error:
        raise failures.not_opened(name, error) from error
    if not data:
        raise failures.empty(name)
    path = str(source.path.absolute()) if source.path else ""
    digest = hashlib.sha256(data).hexdigest()
    return read_line_list(data, Source(name, path, digest, len(data)))


def openable_formats() -> list[tuple[str, tuple[str, ...]]]:
    """The formats that can be opened: a name for each, and its suffixes."""
    from core.documents.readers.door import formats

    return formats()

"""What a job reads: a file, or text that was pasted or piped in."""

from dataclasses import dataclass, field
from pathlib import Path

from core.documents.document import Document
from core.errors import EpitomeError
from core.events import Steps
from core.stop import StopToken


@dataclass(frozen=True)
class SourceRef:
    """Names a source without reading it.

    Args:
        path: A file; None for pasted text.
        text: The pasted text, when there is no file.
        html: The same as HTML, when the clipboard had it.
        data: Bytes that came through a pipe; their format is found out.
        kept: A copy of the document that `OpenJob` kept, to be read back after a crash.
        name: What to call it when there is no file.
        password: Opens an encrypted file; used once, never shown, kept or logged.
    """

    path: Path | None = None
    text: str = ""
    html: str = ""
    data: bytes = field(default=b"", repr=False)
    kept: Path | None = None
    name: str = ""
    password: str = field(default="", repr=False)


def read_source(source: SourceRef, stop: StopToken) -> Steps[Document]:
    """Reads a source and sees to it that there is enough text in it.

    Args:
        source: What to read.
        stop: The wish to end.

    Returns:
        The document.
    """
    from core.documents.readers import door

    if source.kept is not None:
        return _kept_document(source.kept)
    if source.path is not None:
        document = yield from door.read_file(source.path, stop, password=source.password)
    elif source.data:
        document = yield from door.read_bytes(
            source.data, source.name, stop, password=source.password
        )
    else:
        document = yield from door.read_pasted(source.text, source.html, stop)
    door.check_enough(document)
    return document


def _kept_document(path: Path) -> Document:
    try:
        return Document.from_bytes(path.read_bytes())
    except OSError as error:
        raise EpitomeError(
            "The kept copy of the document cannot be read.", "Open the document's file again."
        ) from error

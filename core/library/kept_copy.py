"""The copy of an open document that is kept for after a crash, with a checksum.

    epitome-copy/1 <SHA-256 of the rest, in hexadecimal>
    <the document, as `Document.to_bytes` gives it>

Copies of older programs have no first line of this kind; they are read as far as they can be
checked without it.
"""

import hashlib
import re
from pathlib import Path

from core.documents.document import Document
from core.errors import EpitomeError, check_not_newer, of_system
from core.library.home_file import read_regular
from core.storage.files import write_bytes
from core.storage.regular_files import open_regular

_VERSION = 1
_HEAD = b"epitome-copy/%d " % _VERSION
_HEAD_OF_ANY = re.compile(rb"epitome-copy/(\d{1,9}) ")
_MOST_BYTES = 4_000_000_000


def write_copy(path: Path, document: Document) -> None:
    """Keeps a document; a reader sees the copy before or this one, never a half.

    Args:
        path: Where. If its folder is gone, nothing is kept: the session ended meanwhile, because
            the person turned private mode on or had everything forgotten.
        document: What is kept.

    Raises:
        EpitomeError: If it cannot be written.
    """
    if not path.parent.exists():
        return
    data = document.to_bytes()
    whole = _HEAD + hashlib.sha256(data).hexdigest().encode() + b"\n" + data
    try:
        write_bytes(path, whole, makes_folder=False)
    except EpitomeError:
        if path.parent.exists():
            raise


def read_copy(path: Path) -> Document:
    """Reads a kept document back.

    Args:
        path: What `write_copy` wrote.

    Returns:
        The document, whole.

    Raises:
        EpitomeError: If it cannot be read, is not what was written, or is of a newer program.
    """
    try:
        data = read_regular(path, _MOST_BYTES)
    except OSError as error:
        raise of_system(
            error,
            "The saved copy of the document cannot be read",
            "Open the document's file again.",
        ) from error
    if found := _HEAD_OF_ANY.match(data):
        check_not_newer(f"The file {path}", int(found[1]), _VERSION)
    if data.startswith(_HEAD):
        head, _, data = data.partition(b"\n")
        if head.removeprefix(_HEAD).decode("ascii", "replace") != hashlib.sha256(data).hexdigest():
            raise _damaged()
    try:
        document = Document.from_bytes(data)
    except (AttributeError, RecursionError) as error:
        raise _damaged() from error
    if len(document.ends) and int(document.ends.max()) > len(document.text):
        raise _damaged()  # a copy without a checksum that was cut
    return document


def has_checksum(path: Path) -> bool:
    """Whether a copy has a checksum; those of older programs have none."""
    try:
        with open_regular(path, "rb") as file:
            return file.read(len(_HEAD)) == _HEAD
    except OSError:
        return False


def _damaged() -> EpitomeError:
    return EpitomeError(
        "The saved copy of the document is damaged.", "Open the document's file again."
    )

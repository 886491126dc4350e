"""Reads a pipe that may never end, no further than a document can go."""

from typing import IO

from core.documents.readers import failures
from core.documents.readers.archives import ARCHIVE_MARKS
from core.documents.readers.formats import FORMATS, MAX_BYTES
from core.documents.readers.sniffing import format_of

_HEAD_BYTES = 1 << 20
_PIECE_BYTES = 4 << 20


def read_stream(stream: IO[bytes], name: str) -> bytes:
    """All bytes of a stream; its first ones say how many there may be.

    Args:
        stream: What is read to its end.
        name: What to call it.

    Returns:
        What came.

    Raises:
        EpitomeError: If there is more than a file of that format can have.
    """
    data = bytearray(stream.read(_HEAD_BYTES))
    if not data:
        return b""
    limit_bytes, many = _limit(bytes(data), name)
    while piece := stream.read(min(_PIECE_BYTES, limit_bytes + 1 - len(data))):
        data += piece
        if len(data) > limit_bytes:
            raise failures.unending(name, limit_bytes, many)
    return bytes(data)


def _limit(head: bytes, name: str) -> tuple[int, str]:
    """How many bytes there may be, and of what."""
    if not head.startswith(ARCHIVE_MARKS):  # an archive is known by its end
        format = FORMATS.get(format_of(head, ""))
        if format is not None:
            return format.limit_bytes, format.many
    return MAX_BYTES, "files"

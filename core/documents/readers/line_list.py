"""Reads a text whose lines stand for themselves: nothing is joined, cleaned or recognised."""

from core.documents.document import Block, Document, Kind, Source
from core.documents.readers import failures
from core.documents.readers.encodings import decode


def read_line_list(data: bytes, source: Source) -> Document:
    """Reads plain text as one paragraph that keeps its line breaks.

    Args:
        data: All bytes of the file.
        source: Where they came from.

    Returns:
        The document, its line ends made line feeds.

    Raises:
        EpitomeError: If the bytes are no text, or hold no word.
    """
    decoded = decode(data)
    if decoded is None:
        raise failures.no_lines(source.name)
    text = "\n".join(decoded.text.splitlines())
    notes = [decoded.note] if decoded.note else []
    document = Document.from_blocks(
        [Block(text, Kind.CODE)], title=source.name, source=source, notes=notes
    )
    if not document.reading.words:
        raise failures.blank(source.name)
    return document

"""A document's title: from its metadata if that is plausible, else from its first page."""

import re
from pathlib import PurePath

from core.documents.document import Kind
from core.documents.readers.pdf_layout.paragraphs import Paragraph

_FILE_NAME = re.compile(
    r"\.(?:pdf|docx?|tex|dvi|ps|indd|qxd|rtf|odt|pptx?|xlsx?|html?)$|^Microsoft\b|^untitled\b|[\\/]",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LONGEST = 250


def choose_title(from_metadata: str, paragraphs: list[Paragraph], file_name: str) -> str:
    """The title of a document.

    Args:
        from_metadata: What the file says its title is.
        paragraphs: All paragraphs in order.
        file_name: The last resort.

    Returns:
        The title on one line.
    """
    plain = " ".join(from_metadata.split())
    if _is_plausible(plain):
        return plain
    return _largest(paragraphs) or PurePath(file_name).stem or file_name


def _is_plausible(title: str) -> bool:
    words = _LETTERS.findall(title)
    return (
        4 <= len(title) <= _LONGEST
        and bool(words)
        and not _FILE_NAME.search(title)
        and (" " in title or not any(map(str.isdigit, title)))
    )


def _largest(paragraphs: list[Paragraph]) -> str:
    """The heading in the largest type on the first page that has one."""
    page = paragraphs[0].first.page if paragraphs else 0
    headings = [
        each
        for each in paragraphs
        if each.kind == Kind.HEADING and each.first.page == page and _LETTERS.search(each.raw)
    ]
    best = max(headings, key=lambda each: each.first.size, default=None)
    return best.raw if best else ""

"""The formats that are read: what each is called, how its files end, how large they may be."""

from dataclasses import dataclass
from typing import Final

PDF: Final = "pdf"
DOCX: Final = "docx"
HTML: Final = "html"
MARKDOWN: Final = "markdown"
TEXT: Final = "text"

MAX_BYTES: Final = 512_000_000  # of any file: it is held in memory while it is read
MAX_TEXT_BYTES: Final = 50_000_000
MAX_MARKUP_BYTES: Final = 20_000_000  # a tree of elements takes 20 times its text


@dataclass(frozen=True)
class Format:
    """A format that is read.

    Args:
        name: What a dialog calls it ("Word document").
        one: One file of it, in a sentence ("a Word document").
        suffixes: How names of its files end, in small letters.
        limit_bytes: How large a file may be.
        many: What the error about a larger file calls such files.
    """

    name: str
    one: str
    suffixes: tuple[str, ...]
    limit_bytes: int = MAX_BYTES
    many: str = "files"


FORMATS: Final = {
    PDF: Format("PDF", "a PDF", (".pdf",)),
    DOCX: Format("Word document", "a Word document", (".docx", ".docm", ".dotx")),
    HTML: Format(
        "HTML page", "an HTML page", (".html", ".htm", ".xhtml"), MAX_MARKUP_BYTES, "HTML files"
    ),
    MARKDOWN: Format(
        "Markdown",
        "Markdown",
        (".md", ".markdown", ".mdown", ".mkd"),
        MAX_MARKUP_BYTES,
        "Markdown files",
    ),
    TEXT: Format("plain text", "plain text", (".txt", ".text"), MAX_TEXT_BYTES, "text files"),
}
"""By the key that the reader and `Source.format` go by."""


def format_by_suffix(suffix: str) -> str:
    """The key of the format that a suffix promises; empty if none does."""
    return next((key for key, format in FORMATS.items() if suffix in format.suffixes), "")

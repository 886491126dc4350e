"""The formats that are read: what each is called, how its files end, how large they may be."""

from dataclasses import dataclass
from typing import Final

PDF: Final = "pdf"
DOCX: Final = "docx"
ODT: Final = "odt"
EPUB: Final = "epub"
PPTX: Final = "pptx"
HTML: Final = "html"
MARKDOWN: Final = "markdown"
RST: Final = "rst"
TEXT: Final = "text"
RTF: Final = "rtf"
MAIL: Final = "mail"
WEB_ARCHIVE: Final = "mhtml"
CSV: Final = "csv"
JSON: Final = "json"
PICTURE: Final = "picture"

MAX_BYTES: Final = 512_000_000  # of any file: it is held in memory while it is read
MAX_TEXT_BYTES: Final = 50_000_000
MAX_MARKUP_BYTES: Final = 20_000_000  # a tree of elements takes 20 times its text
MAX_PICTURE_BYTES: Final = 200_000_000
MAX_RICH_TEXT_BYTES: Final = 100_000_000  # most of a large one is pictures, written as digits


@dataclass(frozen=True)
class Format:
    """A format that is read.

    Args:
        name: What a dialog calls it ("Word document").
        one: One file of it, in a sentence ("a Word document").
        suffixes: How names of its files end, in small letters.
        limit_bytes: How large a file may be.
        many: What the error about a larger file calls such files.
        in_folders: Whether files of it are taken from a folder when nothing is said; tables of
            data and pictures seldom are what a person means by the documents in it.
    """

    name: str
    one: str
    suffixes: tuple[str, ...]
    limit_bytes: int = MAX_BYTES
    many: str = "files"
    in_folders: bool = True


FORMATS: Final = {
    PDF: Format("PDF", "a PDF", (".pdf",)),
    DOCX: Format("Word document", "a Word document", (".docx", ".docm", ".dotx")),
    ODT: Format("OpenDocument text", "an OpenDocument text", (".odt", ".ott", ".fodt")),
    PPTX: Format(
        "PowerPoint presentation",
        "a PowerPoint presentation",
        (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"),
    ),
    EPUB: Format("e-book", "an e-book", (".epub",)),
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
    RST: Format(
        "reStructuredText",
        "reStructuredText",
        (".rst", ".rest"),
        MAX_MARKUP_BYTES,
        "reStructuredText files",
    ),
    TEXT: Format(
        "plain text", "plain text", (".txt", ".text", ".vtt", ".srt"), MAX_TEXT_BYTES, "text files"
    ),
    RTF: Format("rich text", "rich text (RTF)", (".rtf",), MAX_RICH_TEXT_BYTES, "RTF files"),
    MAIL: Format(
        "e-mail", "an e-mail message", (".eml", ".mbox"), MAX_TEXT_BYTES, "files of e-mail"
    ),
    WEB_ARCHIVE: Format(
        "web archive", "a web archive", (".mhtml", ".mht"), MAX_TEXT_BYTES, "web archives"
    ),
    CSV: Format(
        "CSV table", "a CSV table", (".csv", ".tsv"), MAX_TEXT_BYTES, "tables of text", False
    ),
    JSON: Format(
        "JSON",
        "JSON",
        (".jsonl", ".ndjson", ".json"),
        MAX_TEXT_BYTES,
        "JSON files",
        False,
    ),
    PICTURE: Format(
        "picture of a page",
        "a picture",
        (".png", ".jpg", ".jpeg", ".tif", ".tiff"),
        MAX_PICTURE_BYTES,
        "pictures",
        False,
    ),
}
"""By the key that the reader and `Source.format` go by."""


def format_by_suffix(suffix: str) -> str:
    """The key of the format that a suffix promises; empty if none does."""
    return next((key for key, format in FORMATS.items() if suffix in format.suffixes), "")


def folder_suffixes() -> tuple[str, ...]:
    """How the names of files end that are taken from a folder when nothing is said."""
    formats = [format for format in FORMATS.values() if format.in_folders]
    return tuple(sorted(suffix for format in formats for suffix in format.suffixes))

"""The formats that are read: names, suffixes, limits, readers. A new format is a row here."""

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


_READERS = "core.documents.readers"


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format that is read: with its reader, all that the program needs to know of it.

    Args:
        name: What a dialog calls it ("Word document").
        one: One file of it, in a sentence ("a Word document").
        listed: What a list of all formats calls it ("Word (.docx)"); empty to leave it out.
        suffixes: How names of its files end, in small letters.
        reader: The function that reads it, as "package.module:function". It takes the bytes, a
            `Source` and a `StopToken`, and returns `Steps[Document]`.
        choices: What else the reader takes, by name: password, column, language or lines.
        magic: What its files begin with; none for a format that is known in another way.
        is_archive: True if the reader takes the `Archive` of an archive instead of its bytes.
        is_lines: True if it is lines of text, so that their number is limited.
        limit_bytes: How large a file may be.
        many: What the error about a larger file calls such files.
        in_folders: True if files of it are taken from a folder when nothing is said; tables of
            data and pictures seldom are what a user means by the documents in it.
    """

    name: str
    one: str
    listed: str
    suffixes: tuple[str, ...]
    reader: str
    choices: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()
    is_archive: bool = False
    is_lines: bool = False
    limit_bytes: int = MAX_BYTES
    many: str = "files"
    in_folders: bool = True


FORMATS: Final = {
    PDF: Format(
        name="PDF",
        one="a PDF",
        listed="PDF",
        suffixes=(".pdf",),
        reader=f"{_READERS}.pdf:read_pdf",
        choices=("password", "language"),
    ),
    DOCX: Format(
        name="Word document",
        one="a Word document",
        listed="Word (.docx)",
        suffixes=(".docx", ".docm", ".dotx"),
        reader=f"{_READERS}.docx:read_docx",
        is_archive=True,
    ),
    ODT: Format(
        name="OpenDocument text",
        one="an OpenDocument text",
        listed="OpenDocument (.odt)",
        suffixes=(".odt", ".ott", ".fodt"),
        reader=f"{_READERS}.odt:read_odt",
        is_archive=True,
    ),
    PPTX: Format(
        name="PowerPoint presentation",
        one="a PowerPoint presentation",
        listed="PowerPoint (.pptx)",
        suffixes=(".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"),
        reader=f"{_READERS}.pptx:read_pptx",
        is_archive=True,
    ),
    EPUB: Format(
        name="e-book",
        one="an e-book",
        listed="e-books (.epub)",
        suffixes=(".epub",),
        reader=f"{_READERS}.epub:read_epub",
    ),
    HTML: Format(
        name="HTML page",
        one="an HTML page",
        listed="HTML",
        suffixes=(".html", ".htm", ".xhtml"),
        reader=f"{_READERS}.html:read_html",
        limit_bytes=MAX_MARKUP_BYTES,
        many="HTML files",
    ),
    MARKDOWN: Format(
        name="Markdown",
        one="Markdown",
        listed="Markdown",
        suffixes=(".md", ".markdown", ".mdown", ".mkd"),
        reader=f"{_READERS}.markdown:read_markdown",
        is_lines=True,
        limit_bytes=MAX_MARKUP_BYTES,
        many="Markdown files",
    ),
    RST: Format(
        name="reStructuredText",
        one="reStructuredText",
        listed="reStructuredText",
        suffixes=(".rst", ".rest"),
        reader=f"{_READERS}.restructured_text:read_restructured",
        is_lines=True,
        limit_bytes=MAX_MARKUP_BYTES,
        many="reStructuredText files",
    ),
    TEXT: Format(
        name="plain text",
        one="plain text",
        listed="plain text",
        suffixes=(".txt", ".text", ".vtt", ".srt"),
        reader=f"{_READERS}.text:read_text",
        choices=("lines",),
        is_lines=True,
        limit_bytes=MAX_TEXT_BYTES,
        many="text files",
    ),
    RTF: Format(
        name="rich text",
        one="rich text (RTF)",
        listed="rich text (.rtf)",
        suffixes=(".rtf",),
        reader=f"{_READERS}.rtf:read_rtf",
        magic=(b"{\\rtf",),
        limit_bytes=MAX_RICH_TEXT_BYTES,
        many="RTF files",
    ),
    MAIL: Format(
        name="e-mail",
        one="an e-mail message",
        listed="e-mail (.eml, .mbox)",
        suffixes=(".eml", ".mbox"),
        reader=f"{_READERS}.mail:read_mail",
        is_lines=True,
        limit_bytes=MAX_TEXT_BYTES,
        many="files of e-mail",
    ),
    WEB_ARCHIVE: Format(
        name="web archive",
        one="a web archive",
        listed="web archives (.mhtml)",
        suffixes=(".mhtml", ".mht"),
        reader=f"{_READERS}.mail:read_web_archive",
        limit_bytes=MAX_TEXT_BYTES,
        many="web archives",
    ),
    CSV: Format(
        name="CSV table",
        one="a CSV table",
        listed="tables of text (.csv)",
        suffixes=(".csv", ".tsv"),
        reader=f"{_READERS}.tables:read_table",
        choices=("column",),
        is_lines=True,
        limit_bytes=MAX_TEXT_BYTES,
        many="tables of text",
        in_folders=False,
    ),
    JSON: Format(
        name="JSON",
        one="JSON",
        listed="JSON",
        suffixes=(".jsonl", ".ndjson", ".json"),
        reader=f"{_READERS}.tables:read_table",
        choices=("column",),
        is_lines=True,
        limit_bytes=MAX_TEXT_BYTES,
        many="JSON files",
        in_folders=False,
    ),
    PICTURE: Format(
        name="picture of a page",
        one="a picture",
        listed="pictures of pages (PNG, JPEG, TIFF)",
        suffixes=(".png", ".jpg", ".jpeg", ".tif", ".tiff"),
        reader=f"{_READERS}.page_pictures:read_picture",
        choices=("language",),
        magic=(b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*"),
        limit_bytes=MAX_PICTURE_BYTES,
        many="pictures",
        in_folders=False,
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


def list_formats() -> str:
    """Returns the formats as a sentence lists them ("PDF, Word (.docx) … and JSON")."""
    *listed, last = [format.listed for format in FORMATS.values() if format.listed]
    return f"{', '.join(listed)} and {last}"

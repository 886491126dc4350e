"""What a file is, known by its first bytes; its name is asked only where they leave it open."""

import codecs
import re

from core.documents.readers.archives import ARCHIVE_MARKS, Archive
from core.documents.readers.encodings import is_binary
from core.documents.readers.formats import (
    CSV,
    DOCX,
    EPUB,
    FORMATS,
    HTML,
    JSON,
    MAIL,
    ODT,
    PDF,
    PPTX,
    TEXT,
    WEB_ARCHIVE,
)
from core.documents.readers.separated import is_tabbed_table

# Formats that are known and not read: what to call them, by the word the readers use for them.
WORD_97, EXCEL_97, POWERPOINT_97 = "doc", "xls", "ppt"
LOCKED_OFFICE = "locked"
_IWORK = "a Pages, Numbers or Keynote file"

_MAGIC: tuple[tuple[bytes, int, str], ...] = (
    (b"GIF8", 0, "a picture (GIF)"),
    (b"WEBP", 8, "a picture (WebP)"),
    (b"ftypheic", 4, "a picture (HEIC)"),
    (b"ftypavif", 4, "a picture (AVIF)"),
    (b"AT&TFORM", 0, "a scanned book (DjVu)"),
    (b"ftyp", 4, "a video"),
    (b"\x1aE\xdf\xa3", 0, "a video"),
    (b"AVI ", 8, "a video"),
    (b"\0\0\x01\xba", 0, "a video"),
    (b"WAVE", 8, "a sound recording"),
    (b"ID3", 0, "a sound recording"),
    (b"OggS", 0, "a sound recording"),
    (b"fLaC", 0, "a sound recording"),
    (b"\xff\xfb", 0, "a sound recording"),
    (b"\x7fELF", 0, "a program"),
    (b"\xcf\xfa\xed\xfe", 0, "a program"),
    (b"\xca\xfe\xba\xbe", 0, "a program"),
    (b"\x1f\x8b", 0, "a packed archive (gzip)"),
    (b"BZh", 0, "a packed archive (bzip2)"),
    (b"\xfd7zXZ\0", 0, "a packed archive (xz)"),
    (b"7z\xbc\xaf\x27\x1c", 0, "a packed archive (7-Zip)"),
    (b"Rar!\x1a\x07", 0, "a packed archive (RAR)"),
    (b"\x28\xb5\x2f\xfd", 0, "a packed archive (Zstandard)"),
    (b"ustar", 257, "a packed archive (tar)"),
    (b"SQLite format 3\0", 0, "a database (SQLite)"),
    (b"PAR1", 0, "a table of data (Parquet)"),
    (b"%!PS", 0, "a PostScript file"),
    (b"\xdb\xa5-\0", 0, WORD_97),  # of Word 2, before files were made of streams
    (b"\x31\xbe\0\0", 0, WORD_97),  # of Word for DOS, and Write
    (b"\xfe\x37\0", 0, WORD_97),  # of Word for the Macintosh, 4 and 5
    (b"wOF2", 0, "a font"),
    (b"\0\x01\0\0\0", 0, "a font"),
)
_BITMAP = re.compile(rb"BM.{4}\0\0\0\0", re.DOTALL)
_PROGRAM = re.compile(rb"MZ.{58}.{2}\0\0", re.DOTALL)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = (
    ("EncryptedPackage", LOCKED_OFFICE),
    ("WordDocument", WORD_97),
    ("Workbook", EXCEL_97),
    ("PowerPoint Document", POWERPOINT_97),
    ("__nameid_version1.0", "an Outlook message (.msg)"),
)
_MARKUP = re.compile(
    rb"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*"
    rb"<(?:!doctype\s+html|(?:\w+:)?(?:html|head|body))\b",
    re.IGNORECASE | re.DOTALL,
)
# A text, a template or a master document; formulas, drawings and sheets hold no running text.
_ODF_TEXT = re.compile(rb"application/vnd\.oasis\.opendocument\.text(?:-template|-master|-web)?\b")
_FLAT_ODF = re.compile(
    rb"<office:document\b[^>]*application/vnd\.oasis\.opendocument\.text(?:-template)?\b"
)
_OTHER_XML = re.compile(rb"\s*<\?xml\b|\s*<svg\b", re.IGNORECASE)
_ANY_TAG = re.compile(
    rb"</?(?:\w+:)?(?:p|div|h[1-6]|table|body|[uo]l|li|span|a|br)\b[^<>]*>", re.IGNORECASE
)
_MAIL_HEADERS = re.compile(rb"(?:From [^\n]*\n)?(?:[A-Za-z][\w-]*:.*\n(?:[ \t].*\n)*){3,}")
_MAIL_MARK = re.compile(rb"^(?:Received|Message-ID|MIME-Version|Return-Path):", re.I | re.M)
_WEB_ARCHIVE_MARK = re.compile(rb"^Snapshot-Content-Location:|^From: <Saved by", re.I | re.M)
_JSON_ROWS = re.compile(rb"\s*(?:\[\s*)?\{\s*\"[^\"\n]{1,100}\"\s*:")
_HEAD_BYTES = 4_096
_FLAT_HEAD_BYTES = 16_384  # the root element names all its namespaces first
_TABLE_BYTES = 65_536
_PDF_HEAD_BYTES = 1_024  # readers of PDF look this far for its mark


def is_archive(data: bytes) -> bool:
    """True for a zip archive."""
    return data.startswith(ARCHIVE_MARKS) and not _is_pdf(data)


def format_of(data: bytes, suffix: str, archive: Archive | None = None) -> str:
    """Which reader a file is for.

    Args:
        data: All its bytes, at least one.
        suffix: The end of its name in small letters (".txt").
        archive: Its parts, if it is an archive.

    Returns:
        A key of `FORMATS`, or, for a file that is not read, words for it: PICTURE, or
        one of the constants of old office formats.
    """
    head = data[:_HEAD_BYTES]
    if _is_pdf(data):
        return PDF
    if archive is not None:
        return _of_archive(archive)
    if head.startswith(_OLE):
        return _of_ole(data, suffix)
    for key, format in FORMATS.items():
        if head.startswith(format.magic):
            return key
    for magic, at, words in _MAGIC:
        if head[at : at + len(magic)] == magic:
            return words
    if _BITMAP.match(head):
        return "a picture (BMP)"
    if _PROGRAM.match(head) and is_binary(data):
        return "a program"
    kind = _of_text(_narrow(data), _narrow(head), suffix)
    return CSV if kind == TEXT and suffix == ".txt" and _is_tabbed_table(data) else kind


def _is_tabbed_table(data: bytes) -> bool:
    """True if a text is a table that Excel saved as "Unicode text" (UTF-16) or "Text"."""
    sample = data[:_TABLE_BYTES]
    is_utf16 = sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = sample.decode("utf-16" if is_utf16 else "utf-8-sig", "replace")
    if "\t" not in text.partition("\n")[0]:
        return False
    return is_tabbed_table(text, is_cut=len(data) > _TABLE_BYTES, needs_known_name=not is_utf16)


def _narrow(data: bytes) -> bytes:
    """Bytes in which ASCII of UTF-16 and UTF-32 is ASCII, without byte-order mark."""
    if b"\0" in data[:_HEAD_BYTES]:
        data = data.replace(b"\0", b"")
    for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        data = data.removeprefix(mark)
    return data


def _is_pdf(data: bytes) -> bool:
    """Whether a PDF begins here; its mark may stand behind some rubble, but not in prose."""
    at = data.find(b"%PDF-", 0, _PDF_HEAD_BYTES)
    return at == 0 or (at > 0 and (b"%%EOF" in data[-_PDF_HEAD_BYTES:] or b" obj" in data))


def _of_text(data: bytes, head: bytes, suffix: str) -> str:
    if _MARKUP.match(head):
        return HTML
    if suffix in FORMATS[MAIL].suffixes or _is_mail(head):
        return WEB_ARCHIVE if _WEB_ARCHIVE_MARK.search(head) else MAIL
    if _OTHER_XML.match(head) and _FLAT_ODF.search(data, 0, _FLAT_HEAD_BYTES):
        return ODT
    if _OTHER_XML.match(head) and suffix not in FORMATS[HTML].suffixes:
        return "an XML file"
    if suffix in FORMATS[HTML].suffixes and _ANY_TAG.search(data):
        return HTML
    named = next((key for key, f in FORMATS.items() if f.is_lines and suffix in f.suffixes), TEXT)
    unnamed = named == TEXT and suffix not in FORMATS[TEXT].suffixes
    return JSON if unnamed and _JSON_ROWS.match(head) else named


def _is_mail(head: bytes) -> bool:
    headers = _MAIL_HEADERS.match(head)
    return headers is not None and _MAIL_MARK.search(headers[0]) is not None


def _of_archive(archive: Archive) -> str:
    names = set(archive.names)
    if any(name.startswith("word/document") for name in names):
        return DOCX
    if any(name.startswith("ppt/presentation") for name in names):
        return PPTX
    kinds = (
        ("xl/", "an Excel workbook (.xlsx)"),
        ("AndroidManifest.xml", "a program"),
        ("META-INF/MANIFEST.MF", "a program"),
        ("Index/", _IWORK),
        ("Index.zip", _IWORK),
        ("index.xml", _IWORK),
        ("index.apxl", _IWORK),
    )
    mimetype = (archive.read("mimetype") or b"").strip()
    if mimetype == b"application/epub+zip" or (not mimetype and "META-INF/container.xml" in names):
        return EPUB
    if "content.xml" in names:
        manifest = archive.read("META-INF/manifest.xml") or b""
        is_text = _ODF_TEXT.search(mimetype) or (not mimetype and _ODF_TEXT.search(manifest))
        return ODT if is_text else "an OpenDocument file"
    for start, words in kinds:
        if any(name.startswith(start) for name in names):
            return words
    return "a packed archive (zip)"


def _of_ole(data: bytes, suffix: str) -> str:
    for stream, words in _OLE_STREAMS:
        if stream.encode("utf-16-le") in data:
            return words
    if suffix in (".doc", ".dot", ".xls", ".ppt", ".pps"):
        return {".dot": WORD_97, ".pps": POWERPOINT_97}.get(suffix, suffix[1:])
    return "an old Office file"

"""Opening a PDF with pdfium: passwords, damage, and what can be known of a locked file."""

import ctypes
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument, PdfiumError

from core.errors import EpitomeError

PDFIUM = Lock()
"""Held around each use of pdfium, which is not safe for threads."""

_REPLACED = b"\xef\xbf\xbd"  # what a program writes for bytes that are no UTF-8 text
_MOST_REPLACED = 200
_ENCRYPT = re.compile(rb"/Encrypt\s*(?:(\d+)\s+0\s+R|<<)")
_PAGE_TREE = re.compile(rb"/Type\s*/Pages\b")
_NUMBER = rb"/%b\s{1,20}(-?\d{1,9})(?!\d)"
_NODE_BYTES = 20_000  # of a node of the page tree; one names up to a thousand others
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


@dataclass(frozen=True)
class PdfFacts:
    """What can be told of a PDF without reading it; empty or 0 where it is not known.

    Args:
        pages: How many pages it has.
        protection: How it is encrypted ("AES, 256 bits"); empty if it is not.
        producer: The program that made it.
        date: The day it was made ("12 March 2025").
    """

    pages: int = 0
    protection: str = ""
    producer: str = ""
    date: str = ""


@contextmanager
def opened(data: bytes, password: str) -> Iterator[Any]:
    """pdfium's handle of a PDF, closed afterwards.

    Args:
        data: The file.
        password: What opens it; empty for none.

    Yields:
        The handle.

    Raises:
        EpitomeError: If it needs another password (kind "password") or is damaged.
    """
    try:
        with PDFIUM:
            document = PdfDocument(data, password=password or None)
    except PdfiumError as error:
        raise _problem(error.err_code, password, data) from None  # a cause could hold the password
    try:
        yield document.raw
    finally:
        with PDFIUM:
            document.close()


def _problem(code: int | None, password: str, data: bytes) -> EpitomeError:
    if code == pdfium.FPDF_ERR_PASSWORD and password:
        return EpitomeError(
            "This password does not open the PDF.",
            "Check upper and lower case and type it again, or open another file.",
            "password",
        )
    if code == pdfium.FPDF_ERR_PASSWORD:
        return EpitomeError(
            "This PDF opens only with its password.", "Type it, or open another file.", "password"
        )
    if code == pdfium.FPDF_ERR_SECURITY:
        return EpitomeError(
            "This PDF is locked in a way that Epitome cannot open.",
            "Save it without protection in the program that opens it, then open the copy.",
        )
    return damaged(data)


def damaged(data: bytes) -> EpitomeError:
    """The error for a file of which no page can be read."""
    why = ": it was converted as if it were text" if was_changed_as_text(data) else ""
    return EpitomeError(
        f"This PDF is damaged{why}; none of its pages can be read.",
        "Get a new copy of the file.",
    )


def was_changed_as_text(data: bytes) -> bool:
    """Whether a program that took the file for text has replaced bytes of it."""
    return data.count(_REPLACED) > _MOST_REPLACED


def pdf_facts(data: bytes, password: str = "") -> PdfFacts:
    """What can be told of a PDF, locked or not, without reading its pages.

    Args:
        data: The file.
        password: What opens it; empty for none.

    Returns:
        The facts. A locked file tells its protection, and mostly how many pages it has.
    """
    protection = _protection(data)
    try:
        with opened(data, password) as handle:
            return PdfFacts(
                pdfium.FPDF_GetPageCount(handle),
                protection,
                metadata(handle, "Producer"),
                _day(metadata(handle, "CreationDate")),
            )
    except EpitomeError:
        return PdfFacts(_count_pages(data), protection)


def metadata(handle: Any, key: str) -> str:
    """One entry of an open PDF's metadata; empty if it has none."""
    size = pdfium.FPDF_GetMetaText(handle, key.encode(), None, 0)
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDF_GetMetaText(handle, key.encode(), buffer, size)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0").strip()


def _protection(data: bytes) -> str:
    """The encryption that the file's own dictionary names; empty if none, or if it is packed."""
    match = _ENCRYPT.search(data)
    if not match:
        return ""
    start = data.find(b"\n%b 0 obj" % match[1]) if match[1] else match.start()
    end = data.find(b"endobj", start)
    body = data[max(start, 0) : end if end > start else start + 2000]
    version = _integer(body, b"V")
    if version >= 5 or b"/AESV3" in body:
        return "AES, 256 bits"
    if b"/AESV2" in body:
        return "AES, 128 bits"
    bits = _integer(body, b"Length") if version in (2, 3, 4) else 40
    return f"RC4, {bits} bits" if 40 <= bits <= 128 and b"/Standard" in body else ""


def _count_pages(data: bytes) -> int:
    """The largest count of pages that a node of the page tree names; 0 if all are packed."""
    counts = [0]
    for match in _PAGE_TREE.finditer(data):
        start = data.rfind(b"obj", max(0, match.start() - _NODE_BYTES), match.start())
        end = data.find(b"endobj", match.end(), match.end() + _NODE_BYTES)
        if 0 <= start < end:
            counts.append(_integer(data[start:end], b"Count"))
    return max(counts)


def _integer(text: bytes, key: bytes) -> int:
    match = re.search(_NUMBER % key, text)
    return int(match[1]) if match else 0


def _day(text: str) -> str:
    match = _DATE.match(text)
    if not match:
        return ""
    year, month, day = match[1], int(match[2] or 0), int(match[3] or 0)
    if not 1 <= month <= 12:
        return year
    return f"{day} {_MONTHS[month - 1]} {year}" if day else f"{_MONTHS[month - 1]} {year}"

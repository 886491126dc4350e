"""What was typed into the fields of a form, or onto a page."""

import ctypes
from typing import Any

import pypdfium2.raw as pdfium

NOT_SEEN = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
"""Flags of annotations that no reader of the page sees."""


def read_typed(page: Any) -> str:
    """The values of the text and choice fields of a loaded page, with spaces between."""
    return _read_notes(page, pdfium.FPDF_ANNOT_WIDGET, b"V")


def read_written(page: Any) -> str:
    """The text of the notes that are seen on a loaded page, with spaces between."""
    return _read_notes(page, pdfium.FPDF_ANNOT_FREETEXT, b"Contents")


def _read_notes(page: Any, subtype: int, key: bytes) -> str:
    values = []
    for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
        note = pdfium.FPDFPage_GetAnnot(page, index)
        is_seen = key == b"V" or not pdfium.FPDFAnnot_GetFlags(note) & NOT_SEEN
        if pdfium.FPDFAnnot_GetSubtype(note) == subtype and is_seen:
            values.append(_string(note, key))
        pdfium.FPDFPage_CloseAnnot(note)
    return " ".join(value for value in values if value)


def _string(note: Any, key: bytes) -> str:
    if pdfium.FPDFAnnot_GetValueType(note, key) != pdfium.FPDF_OBJECT_STRING:
        return ""
    size = pdfium.FPDFAnnot_GetStringValue(note, key, None, 0)
    buffer = (pdfium.FPDF_WCHAR * (size // 2))()
    pdfium.FPDFAnnot_GetStringValue(note, key, buffer, size)
    return bytes(ctypes.string_at(buffer, size)).decode("utf-16-le", "replace").rstrip("\0")

"""What was typed into the fields of a form."""

import ctypes
from typing import Any

import pypdfium2.raw as pdfium


def read_typed(page: Any) -> str:
    """The values of the text and choice fields of a loaded page, with spaces between."""
    values = []
    for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
        note = pdfium.FPDFPage_GetAnnot(page, index)
        if pdfium.FPDFAnnot_GetSubtype(note) == pdfium.FPDF_ANNOT_WIDGET:
            values.append(_string(note, b"V"))
        pdfium.FPDFPage_CloseAnnot(note)
    return " ".join(value for value in values if value)


def _string(note: Any, key: bytes) -> str:
    if pdfium.FPDFAnnot_GetValueType(note, key) != pdfium.FPDF_OBJECT_STRING:
        return ""
    size = pdfium.FPDFAnnot_GetStringValue(note, key, None, 0)
    buffer = (pdfium.FPDF_WCHAR * (size // 2))()
    pdfium.FPDFAnnot_GetStringValue(note, key, buffer, size)
    return bytes(ctypes.string_at(buffer, size)).decode("utf-16-le", "replace").rstrip("\0")

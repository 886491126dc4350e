"""Text that is said to stand for what a page draws (`/ActualText`), where it says something else.

Programs write it for ligatures, hyphens and letters of odd fonts; then it says what is drawn.
"""

import ctypes
import unicodedata
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from core.documents.document import count_words
from core.documents.readers.pdf_layout import native
from core.documents.readers.pdf_layout.glyphs import FontFaces, Glyphs, read_glyphs
from core.documents.readers.pdf_layout.painting import Painting

_LIGATURES = frozenset("ff fi fl ffi ffl ft fj fb fh fk tt ti tf st ct sp Th".split())
_UNKNOWN = frozenset(("Cc", "Co", "Cn", "Cs"))  # categories of what fonts do not name
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True)
class _Marked:
    """Text objects that a text is said to stand for.

    Args:
        text: That text.
        addresses: Of the objects.
    """

    text: str
    addresses: list[int]

    @property
    def is_usual(self) -> bool:
        """True for the ligatures and signs that programs write so."""
        if self.text in _LIGATURES:
            return True
        return not _key(self.text) and 0 < len(self.text) <= 2


def open_page(document: Any, index: int, faces: FontFaces) -> tuple[Any, Painting, int]:
    """Opens a page whose text is what it draws.

    Args:
        document: pdfium's handle.
        index: The page's place, from 0.
        faces: Fonts met on earlier pages.

    Returns:
        pdfium's handle of the page, which is to be closed, or None where it cannot be loaded; its
        objects; and how many words were said to stand for others.
    """
    page = pdfium.FPDF_LoadPage(document, index)
    painting = Painting.read(page) if page else Painting()
    groups = [group for group in _marked(painting) if not group.is_usual]
    if not groups:
        return page, painting, 0
    deceptive = _find_deceptive(page, groups, faces)
    places = {painting.order[address] for group in deceptive for address in group.addresses}
    pdfium.FPDF_ClosePage(page)  # the marks that are right are gone, too
    page = pdfium.FPDF_LoadPage(document, index)
    painting = Painting.read(page)
    for address, place in painting.order.items():
        if place in places:
            _remove_text(address)
    return page, painting, sum(count_words(group.text) for group in deceptive)


def _find_deceptive(page: Any, groups: list[_Marked], faces: FontFaces) -> list[_Marked]:
    """The groups that draw other words than their text has; all texts are gone afterwards."""
    for group in groups:
        for address in group.addresses:
            _remove_text(address)
    text_page = pdfium.FPDFText_LoadPage(page)
    try:
        glyphs = read_glyphs(text_page, faces)
    finally:
        pdfium.FPDFText_ClosePage(text_page)
    return [group for group in groups if _is_deceptive(group, glyphs)]


def _remove_text(address: int) -> None:
    """Takes the text that it is said to stand for from a text object."""
    drawn = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
    for place in reversed(range(pdfium.FPDFPageObj_CountMarks(drawn))):
        mark = pdfium.FPDFPageObj_GetMark(drawn, place)
        if native.actual_text(native.address_of(mark)) is not None:
            pdfium.FPDFPageObj_RemoveMark(drawn, mark)


def _marked(painting: Painting) -> list[_Marked]:
    texts = ((address, native.actual_text_of(address)) for address in painting.order)
    return [
        _Marked(text, [address for address, _ in group])
        for text, group in groupby(texts, key=lambda each: each[1])
        if text is not None
    ]


def _is_deceptive(group: _Marked, glyphs: Glyphs) -> bool:
    codes = glyphs.codes[np.isin(glyphs.objects, np.array(group.addresses, np.uint64))]
    drawn = "".join(chr(code) for code in codes.tolist() if code < 0x110000)
    is_known = all(unicodedata.category(char) not in _UNKNOWN for char in drawn.strip("\x02\r\n"))
    if not is_known or _REPLACEMENT in drawn:
        return False
    said, seen = _key(group.text), _key(drawn)
    is_sign = len(said) <= 1 and len(seen) <= 1 and not f"{said}{seen}".isdecimal()
    return said != seen and not is_sign


def _key(text: str) -> str:
    """The letters and digits of a text, without case and accents."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in plain if char.isalnum())

"""How much the contents of a page unpack to, where pdfium gives none of them.

A page may name one stream of contents thousands of times. pdfium joins all of them first; where
that is too much, it gives an empty page and says nothing.
"""

import ctypes
import re
import zlib
from io import BytesIO
from typing import Any, Final

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument, PdfiumError

MOST_BYTES: Final = 200_000_000
"""Of one page; a map of a city has 20 MB."""

_CONTENTS = re.compile(rb"/Contents\s*(\[[^\]]*\]|\d+ \d+ R)")
_REFERENCE = re.compile(rb"(\d+) \d+ R")
_OBJECT = re.compile(rb"(?:^|[\r\n])(\d+) \d+ obj(.*?)endobj", re.DOTALL)
_STREAM = re.compile(rb"^(.*?)stream\r?\n(.*)\r?\nendstream", re.DOTALL)


def is_too_large(document: Any, index: int) -> bool:
    """Whether the contents of a page are more than is read.

    Args:
        document: pdfium's handle.
        index: The page's place, from 0.

    Returns:
        True above `MOST_BYTES`; False also where that cannot be found out.
    """
    alone = PdfDocument.new()
    try:
        places = (ctypes.c_int * 1)(index)
        if not pdfium.FPDF_ImportPagesByIndex(alone, document, places, 1, 0):
            return False
        file = BytesIO()
        alone.save(file)
    except PdfiumError:
        return False
    finally:
        alone.close()
    return _contents_bytes(file.getvalue()) > MOST_BYTES


def _contents_bytes(data: bytes) -> int:
    """What the contents of the only page of a file unpack to, as pdfium writes files."""
    named = _CONTENTS.search(data)
    if named is None:
        return 0
    objects = {found[1]: found.span(2) for found in _OBJECT.finditer(data)}

    def held(number: bytes) -> bytes:
        start, end = objects.get(number, (0, 0))
        return data[start:end]

    numbers = _REFERENCE.findall(named[1])
    if len(numbers) == 1 and (listed := held(numbers[0])).lstrip().startswith(b"["):
        numbers = _REFERENCE.findall(listed)
    sizes = {number: _unpacked_bytes(held(number)) for number in set(numbers)}
    return sum(sizes[number] for number in numbers)


def _unpacked_bytes(body: bytes) -> int:
    """The size of a stream, counted no further than needed."""
    found = _STREAM.match(body)
    if found is None:
        return 0
    if b"/FlateDecode" not in found[1]:
        return len(found[2])
    unpacker, packed, size = zlib.decompressobj(), found[2], 0
    try:
        while packed and size <= MOST_BYTES and not unpacker.eof:
            size += len(unpacker.decompress(packed, 1 << 20))
            packed = unpacker.unconsumed_tail
    except zlib.error:
        pass
    return size

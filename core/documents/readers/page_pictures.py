"""Reads pictures of pages (PNG, JPEG, TIFF): they become a scanned PDF, and that is recognised."""

import io
import struct
import warnings
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.documents.document import Document, Source
from core.documents.languages import AUTO
from core.documents.readers.pdf import read_pdf
from core.documents.readers.recognition import part
from core.errors import EpitomeError
from core.events import Progress, Steps
from core.numbers import format_count
from core.stop import StopToken

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PAGES: Final = 500
MOST_PIXELS: Final = 150_000_000  # of one picture: what is larger would fill the memory

_KEPT_PIXELS = 20_000_000  # of a page: recognition needs no more
_LONG_SIDE_INCHES = 11.7  # of an A4 page, where the picture does not tell its size
_PLAUSIBLE_DPI = (100, 1200)  # cameras and screens write 72 or 96, whatever the page was
_OF_DAMAGE = (  # what Pillow raises, each for some file
    *(OSError, SyntaxError, ValueError, EOFError, OverflowError, IndexError, TypeError, KeyError),
    *(AttributeError, ZeroDivisionError, struct.error),
)
_QUALITY = 90  # of JPEG
_NAMES = ("PNG", "JPEG", "TIFF")


def read_picture(
    data: bytes, source: Source, stop: StopToken, *, language: str = AUTO
) -> Steps[Document]:
    """Reads a picture of a page; a TIFF file may have several.

    Args:
        data: The file.
        source: Where it came from.
        stop: Ends the work.
        language: The code of the language in which it is recognised; `AUTO` finds it out.

    Yields:
        How many pages are done.

    Returns:
        The document, with its pages.

    Raises:
        EpitomeError: If the part that recognises text is missing (kind "missing-scans"), the
            picture is damaged or too large, or holds no text (kind "scan").
    """
    if not part.is_installed() or find_spec("PIL") is None:
        raise EpitomeError(
            f"“{source.name}” is a picture; its text is read by text recognition (OCR).",
            part.advice(),
            "missing-scans" if part.is_offered() else "scan",
        )
    pdf, notes = yield from _as_pdf(data, source.name, stop)
    try:
        document = yield from read_pdf(pdf, source, stop, language=language)
    except EpitomeError as error:
        if error.kind != "scan":
            raise
        raise EpitomeError(
            f"No text was recognised in the picture “{source.name}”.",
            "Scan or photograph the page again, sharp and straight, at 300 dpi.",
            "scan",
        ) from error
    said = (*notes, *document.reading.notes)
    return replace(document, reading=replace(document.reading, notes=said))


def _as_pdf(data: bytes, name: str, stop: StopToken) -> Steps[tuple[bytes, list[str]]]:
    """A PDF with a picture on each page, and what is to be said of it."""
    buffer, notes, count = io.BytesIO(), list[str](), 0
    try:
        for count, (page, total) in enumerate(_pages(data, name), 1):
            stop.raise_if_set()
            if count > MOST_PAGES:
                told = f"Only the first {format_count(MOST_PAGES)} of {format_count(total)} pages"
                notes.append(f"{told} were read.")
                break
            buffer.seek(0)
            dpi = _dpi_of(page)
            page.save(buffer, "PDF", resolution=dpi, quality=_QUALITY, append=count > 1)
            yield Progress(count, total, "pages", "Opening")
    except EpitomeError:
        raise
    except _OF_DAMAGE as error:
        raise EpitomeError(
            f"“{name}” is damaged and cannot be opened as a picture.",
            "Get a new copy of the file, or open it in its own program and save it again.",
        ) from error
    return buffer.getvalue(), notes


def _pages(data: bytes, name: str) -> "Iterator[tuple[Image, int]]":
    """Each picture of a file, upright, grey and not too large; with how many there are."""
    from PIL import Image, ImageOps

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on large pictures, and on odd marks in files
        try:
            picture = Image.open(io.BytesIO(data), formats=_NAMES)
        except Image.DecompressionBombError as error:
            raise _too_large(name) from error
        total = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
        for index in range(total):
            picture.seek(index)
            if picture.width * picture.height > MOST_PIXELS:
                raise _too_large(name)
            dpi = picture.info.get("dpi")
            page = _grey(ImageOps.exif_transpose(picture))
            scale = sqrt(_KEPT_PIXELS / (page.width * page.height))
            if scale < 1:
                size = max(1, int(page.width * scale)), max(1, int(page.height * scale))
                page = page.resize(size, Image.Resampling.BOX)
                dpi = None if dpi is None else tuple(float(each) * scale for each in dpi)
            page.info["dpi"] = dpi
            yield page, total


def _too_large(name: str) -> EpitomeError:
    return EpitomeError(
        f"“{name}” has more than {format_count(MOST_PIXELS)} pixels, too many for a page.",
        "Save it smaller, and open that.",
    )


def _grey(picture: "Image") -> "Image":
    """A picture in grey; what is transparent becomes paper."""
    from PIL import Image

    if picture.mode in ("1", "L"):
        return picture.convert("L")
    if picture.mode.startswith("I") or picture.mode == "F":  # 16 bits or more
        values = np.asarray(picture).astype(np.float64)
        span = max(float(np.ptp(values)), 1.0)
        return Image.fromarray(((values - values.min()) * (255 / span)).astype(np.uint8))
    if "A" in picture.getbands() or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        paper = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(paper, picture)
    return picture.convert("L")


def _dpi_of(page: Any) -> float:
    """Pixels an inch: as the file tells, if that can be, else as if the page was A4."""
    told = page.info.get("dpi")
    low, high = _PLAUSIBLE_DPI
    with_size = [float(each) for each in told] if told else []
    if with_size and all(low <= each <= high for each in with_size):
        return with_size[0]
    return float(max(page.size)) / _LONG_SIDE_INCHES

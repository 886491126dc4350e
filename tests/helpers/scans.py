"""Scans made of pages of other PDFs: pictures without text, as a scanner leaves them."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pypdfium2
from PIL import Image

DPI = 200


@dataclass(frozen=True)
class Flaws:
    """What a scanner does to a page.

    Args:
        tilt: Degrees anticlockwise.
        noise: Standard deviation of each pixel's grey, of 255.
        quarters: In how many quarter turns anticlockwise the page lay.
    """

    tilt: float = 0.0
    noise: float = 0.0
    quarters: int = 0


def scanned(data: bytes, pages: Sequence[int] = (0,), flaws: Flaws = Flaws()) -> bytes:
    """A PDF of pictures of some pages, by their places from 0."""
    source = pypdfium2.PdfDocument(data)
    first, *others = [_picture(source[page], flaws) for page in pages]
    buffer = io.BytesIO()
    first.save(buffer, "PDF", resolution=DPI, save_all=True, append_images=others, quality=75)
    return buffer.getvalue()


def extracted(data: bytes, pages: Sequence[int]) -> bytes:
    """A PDF of some pages, with their text."""
    result, buffer = pypdfium2.PdfDocument.new(), io.BytesIO()
    result.import_pages(pypdfium2.PdfDocument(data), list(pages))
    result.save(buffer)
    return buffer.getvalue()


def _picture(page: pypdfium2.PdfPage, flaws: Flaws) -> Image.Image:
    picture = page.render(scale=DPI / 72, grayscale=True).to_pil().convert("L")
    if flaws.tilt:
        picture = picture.rotate(flaws.tilt, Image.Resampling.BICUBIC, fillcolor=255)
    if flaws.noise:
        grey = np.asarray(picture, np.float64)
        grey = grey + np.random.default_rng(0).normal(0, flaws.noise, grey.shape)
        picture = Image.fromarray(grey.clip(0, 255).astype(np.uint8))
    return picture.rotate(90 * flaws.quarters, expand=True)

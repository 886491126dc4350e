"""Pictures of pages are read as scans are."""

import io
import struct
from typing import Any

import pypdfium2
import pytest
from PIL import Image, PngImagePlugin

from core.documents.document import Document
from core.documents.readers import page_pictures
from core.documents.readers.door import read_bytes
from core.documents.readers.recognition import part
from core.errors import EpitomeError
from core.events import result_of
from core.stop import Stopping, StopToken
from tests.helpers import pdf_maker

needs_part = pytest.mark.skipif(not part.is_installed(), reason="needs the extra scans")
TEXT = (
    "The pump stands in the cellar of the old mill. It lifts the water of the stream to the tank "
    "under the roof. Two men look after it by day and one by night. In winter it is drained."
)


def read(data: bytes, name: str) -> Document:
    return result_of(read_bytes(data, name, StopToken()))


def page(text: str = TEXT, dpi: int = 200) -> Image.Image:
    """A page with a text, drawn."""
    printer = pdf_maker.Printer(pdf_maker.Style(indent=0.0))
    printer.set(text, pdf_maker.columns(1))
    pdf = pypdfium2.PdfDocument(printer.finish())
    drawn: Image.Image = pdf[0].render(scale=dpi / 72).to_pil().convert("L")
    return drawn


def saved(picture: Image.Image, format: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format, **options)
    return buffer.getvalue()


def words(document: Document) -> list[str]:
    return document.text.split()


@needs_part
@pytest.mark.parametrize(
    ("format", "name"), [("PNG", "page.png"), ("JPEG", "page.jpg"), ("TIFF", "page.tif")]
)
def test_its_text_is_read(format: str, name: str) -> None:
    document = read(saved(page(), format, dpi=(200, 200)), name)
    assert words(document) == TEXT.split()
    assert (document.title, document.source.format) == ("page", "picture")
    assert document.reading.notes[0].startswith("The text of page 1 was recognised (OCR) in ")


@needs_part
def test_pages_of_a_tiff_follow_each_other() -> None:
    parts = TEXT.split(". ")
    pages = [page(f"{part}. {TEXT}") for part in parts[:3]]
    data = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:], dpi=(200, 200))
    document = read(data, "book.tiff")
    assert document.reading.of_pages == 3
    starts = [document.text.find(f"{part}. The pump") for part in parts[:3]]
    assert starts == sorted(starts) and -1 not in starts


@needs_part
def test_colours_transparency_sixteen_bits_and_missing_resolution_do_no_harm() -> None:
    grey = page()
    clear = Image.new("RGBA", grey.size, (255, 255, 255, 0))
    clear.putalpha(grey.point(lambda value: 255 - value))
    black = Image.new("RGBA", grey.size, (0, 0, 0, 0))
    black.putalpha(grey.point(lambda value: 255 - value))
    deep = grey.convert("I").point(lambda value: value * 256)
    for made in (grey.convert("P"), grey.convert("1"), black, deep.convert("I;16")):
        assert words(read(saved(made, "PNG"), "page.png")) == TEXT.split(), made.mode


@needs_part
def test_a_photograph_that_was_turned_by_its_mark_stands_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turn it clockwise to see it
    data = saved(page().rotate(90, expand=True), "JPEG", exif=exif, quality=95)
    document = read(data, "photo.jpg")
    assert words(document) == TEXT.split()
    assert not any("Turned upright" in note for note in document.reading.notes)


@needs_part
def test_a_picture_without_words_is_told() -> None:
    with pytest.raises(EpitomeError, match="No text was recognised in the picture “sea") as told:
        read(saved(Image.new("L", (600, 400), 200), "PNG"), "sea.png")
    assert told.value.kind == "scan"


@needs_part
@pytest.mark.parametrize("length", [8, 60, 3_000])
def test_a_damaged_picture_is_told(length: int) -> None:
    with pytest.raises(EpitomeError) as told:
        read(saved(page(), "PNG")[:length], "page.png")
    assert told.value.message == "“page.png” is damaged and cannot be opened as a picture."


@needs_part
@pytest.mark.parametrize("tag", [256, 257, 273])  # width, height, where the strips are
def test_a_tiff_whose_second_page_lacks_an_entry_is_told(tag: int) -> None:
    sheet = Image.new("L", (60, 40), "white")
    data = saved(sheet, "TIFF", save_all=True, append_images=[sheet])
    entry, other = (struct.pack("<HH", each, 4) for each in (tag, 60_000))
    before, _, after = data.rpartition(entry)
    with pytest.raises(EpitomeError, match="is damaged and cannot be opened as a picture"):
        read(before + other + after, "page.tif")


@needs_part
def test_a_picture_that_would_fill_the_memory_is_refused() -> None:
    chunks = saved(Image.new("1", (8, 8)), "PNG")
    header = b"IHDR" + (100_000).to_bytes(4, "big") * 2 + b"\1\0\0\0\0"
    crc = PngImagePlugin._crc32(header).to_bytes(4, "big")
    data = chunks[:12] + header + crc + chunks[33:]
    with pytest.raises(EpitomeError, match="more than 150\u202f000\u202f000 pixels"):
        read(data, "bomb.png")


@needs_part
def test_a_large_picture_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_pictures, "_KEPT_PIXELS", 2_000_000)
    assert words(read(saved(page(dpi=300), "PNG", dpi=(300, 300)), "page.png")) == TEXT.split()


@needs_part
def test_no_more_pages_than_allowed_are_read_and_this_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_pictures, "MOST_PAGES", 1)
    data = saved(page(), "TIFF", save_all=True, append_images=[page()])
    document = read(data, "book.tif")
    assert document.reading.of_pages == 1
    assert "Only the first 1 of 2 pages were read." in document.reading.notes


@needs_part
def test_reading_can_be_stopped() -> None:
    stop = StopToken()
    stop.request("cancel")
    with pytest.raises(Stopping):
        result_of(read_bytes(saved(page(), "PNG"), "page.png", stop))


def test_without_the_part_it_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "find_spec", lambda name: None)
    with pytest.raises(EpitomeError) as told:
        read(saved(page(), "PNG"), "page.png")
    assert told.value.message == (
        "“page.png” is a picture; its text is read by text recognition (OCR)."
    )
    assert told.value.remedy == part.advice()
    assert told.value.kind == ("missing-scans" if part.is_offered() else "scan")


def test_other_pictures_say_what_to_do() -> None:
    with pytest.raises(EpitomeError) as told:
        read(saved(page(), "GIF"), "page.gif")
    assert told.value.remedy == "Save it as PNG or JPEG, and open that."

"""Pages that take for ever to draw are given up and said; the others are read."""

import threading
import time

import pytest

from core.documents.document import Source
from core.documents.readers.pdf import read_pdf
from core.documents.readers.recognition import part, renderer
from core.documents.readers.recognition.renderer import CannotDrawError, Renderer
from core.errors import EpitomeError
from core.events import result_of
from core.stop import Stopping, StopToken
from tests.helpers import pdf_maker
from tests.helpers.raw_pdf import raw_pdf, stream
from tests.helpers.scans import scanned

needs_part = pytest.mark.skipif(
    not part.is_installed(), reason="the part that reads scans is not installed"
)
LIMIT_S = 0.5
_PAGE = b"/MediaBox [0 0 612 792]"
_FORM = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] "
_TILING = (
    b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1]"
    b" /XStep 0.0001 /YStep 0.0001 /Resources << >>"
)
_PICTURE = b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8"


def _nested(paint: bytes, before: bytes = b"", group: bytes = b"") -> list[bytes]:
    """Forms that draw the next one four times."""
    forms = []
    for number in range(6, 12):
        inner = b"/XObject << /X %d 0 R >> /ExtGState << /G 13 0 R >>" % (number + 1)
        entries = _FORM + group + b"/Resources << %s >>" % inner
        forms.append(stream(entries, before + b"/X Do " * 4))
    return [*forms, stream(_FORM, paint), b"<< /Type /ExtGState /ca 0.5 /BM /Luminosity >>"]


ENDLESS = {
    "tiling pattern": raw_pdf(
        b"/Pattern cs /P scn 0 0 612 792 re f",
        resources=b"/Pattern << /P 6 0 R >>",
        objects=[stream(_TILING, b"1 0 0 rg 0 0 1 1 re f")],
    ),
    "groups mixed with each other": raw_pdf(
        b"/X Do",
        resources=b"/XObject << /X 6 0 R >>",
        objects=_nested(b"0 0 612 792 re f", b"/G gs ", b"/Group << /S /Transparency /I true >> "),
    ),
    "curves": raw_pdf(
        b"/X Do",
        resources=b"/XObject << /X 6 0 R >>",
        objects=_nested(b"[0.001] 0 d 0.01 w 0 0 m 600 900 -300 900 600 0 c S"),
    ),
    "a picture again and again": raw_pdf(
        b"612 0 0 792 0 0 cm " + b"/I Do " * 3_000,
        resources=b"/XObject << /I 6 0 R >>",
        objects=[
            stream(_PICTURE + b" /ColorSpace /DeviceGray /SMask 7 0 R", b"\x80"),
            stream(_PICTURE + b" /ColorSpace /DeviceGray", b"\x80"),
        ],
    ),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_page_that_takes_too_long_is_given_up(name: str) -> None:
    drawing = Renderer(ENDLESS[name], "", LIMIT_S)
    started_s = time.monotonic()
    try:
        with pytest.raises(CannotDrawError):
            drawing.draw(0, StopToken())
    finally:
        drawing.end()
    assert time.monotonic() - started_s < 60


def test_the_next_page_is_drawn_after_one_that_was_given_up() -> None:
    data = pdf_maker.joined([ENDLESS["tiling pattern"], raw_pdf(b"100 100 50 50 re f")])
    drawing = Renderer(data, "", 2.0)
    try:
        with pytest.raises(CannotDrawError):
            drawing.draw(0, StopToken())
        picture = drawing.draw(1, StopToken())
    finally:
        drawing.end()
    assert picture is not None
    assert picture.pixels.min() == 0


def test_a_request_to_stop_ends_the_drawing() -> None:
    stop = StopToken()
    drawing = Renderer(ENDLESS["tiling pattern"], "", 3_600.0)
    threading.Timer(1.0, stop.request, ("cancel",)).start()
    with pytest.raises(Stopping):
        drawing.draw(0, stop)
    drawing.end()


@needs_part
def test_other_pages_are_read_and_it_is_said_which_were_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(renderer, "PAGE_LIMIT_S", 2.0)
    text = "The boats of the river are kept in the hall behind the mill."
    data = pdf_maker.joined(
        [ENDLESS["tiling pattern"], scanned(pdf_maker.drawn(lambda c: c.drawString(72, 700, text)))]
    )
    document = result_of(read_pdf(data, Source("a.pdf"), StopToken()))
    assert document.text == text
    assert [(item.what, item.pages) for item in document.reading.left_out] == [
        ("pages that cannot be drawn", (1,))
    ]


@needs_part
def test_a_file_of_nothing_else_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "PAGE_LIMIT_S", 0.2)
    with pytest.raises(EpitomeError) as caught:
        result_of(read_pdf(ENDLESS["curves"], Source("a.pdf"), StopToken()))
    assert caught.value.message == "This PDF contains no text, and drawing its page takes too long."

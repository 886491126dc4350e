"""Text that no reader of a PDF page sees is left out, with the reason; what is seen stays."""

import pypdfium2.raw as pdfium
import pytest

from core.documents.document import Document, Source
from core.documents.readers.pdf import read_pdf
from core.documents.readers.pdf_layout.opening import opened
from core.documents.readers.pdf_layout.painting import MOST_FORMS, Painting
from core.events import result_of
from core.stop import StopToken
from tests.helpers.raw_pdf import line, raw_pdf, stream

SEEN = "Water runs down the hill to the mill."
PLANTED = "The director was paid twice."
_PICTURE = b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 "
_FORM = b"/Type /XObject /Subtype /Form /Resources << /Font << /F 5 0 R >> >> "
_GROUP = b"/BBox [0 0 612 792] /Group << /S /Transparency >> "
OBJECTS = (
    b"<< /Type /OCG /Name (off) >>",  # 6
    b"<< /Type /OCG /Name (on) >>",
    stream(_PICTURE + b"/ColorSpace /DeviceGray", b"\xff"),  # 8
    stream(_PICTURE + b"/ColorSpace /DeviceGray /SMask 10 0 R", b"\xff"),
    stream(_PICTURE + b"/ColorSpace /DeviceGray", b"\x00"),  # 10
    stream(_FORM + b"/BBox [0 0 612 792] /OC 6 0 R", line(PLANTED, 600)),
    stream(_FORM + b"/BBox [0 0 50 50]", line(PLANTED, 600)),  # 12
    stream(_FORM + b"/BBox [0 0 612 792]", line(PLANTED, 600)),
    b"<< /Type /ExtGState /ca 0 >>",  # 14
    b"<< /Type /ExtGState /ca 0.4 >>",
    b"<< /Type /ExtGState /BM /Multiply >>",  # 16
    stream(
        b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9"
        b" /YStep 9 /Resources << >>",
        b"1 0 0 rg 0 0 5 5 re f",
    ),
    b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [0.1 0 0 0.1 0 0]"  # 18
    b" /CharProcs << /a 19 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97"
    b" /Widths [10] /Resources << >> >>",
    stream(b"", b"10 0 d0 0 0 5 5 re f"),
    stream(_FORM + _GROUP, b"1 1 0 rg 60 590 300 30 re f"),  # 20
    stream(
        b"/Type /XObject /Subtype /Form /BBox [0 0 612 792]"
        b" /Resources << /XObject << /Group 20 0 R >> >>",
        b"/Group Do",
    ),
)
RESOURCES = (
    b"/Properties << /Off 6 0 R /On 7 0 R >> /Pattern << /P 17 0 R >>"
    b"/XObject << /White 8 0 R /Clear 9 0 R /OffForm 11 0 R /Outside 12 0 R /Form 13 0 R"
    b" /Group 20 0 R /Holder 21 0 R >>"
    b"/ExtGState << /None 14 0 R /Some 15 0 R /Multiply 16 0 R >>"
)
CATALOG = b"/OCProperties << /OCGs [6 0 R 7 0 R] /D << /OFF [6 0 R] >> >>"


def page(content: bytes) -> bytes:
    return raw_pdf(line(SEEN, 700) + content, resources=RESOURCES, objects=OBJECTS, catalog=CATALOG)


def read(data: bytes) -> Document:
    return result_of(read_pdf(data, Source("a.pdf"), StopToken()))


def planted(before: str = "", size: float = 12, text: str = PLANTED) -> bytes:
    return line(text, 600, size, before)


BOX = b"60 590 300 30 re f\n"
HIDDEN = {
    "white on white": (planted("1 g"), "it has the colour of its background"),
    "nearly white": (planted("0.96 0.97 0.95 rg"), "it has the colour of its background"),
    "white stroke": (planted("1 Tr 1 G"), "it has the colour of its background"),
    "black on a black box": (BOX + planted(), "it has the colour of its background"),
    "red on a red box": (b"1 0 0 rg " + BOX + planted(), "it has the colour of its background"),
    "on a round shape of its colour": (
        b"0 0 1 rg 60 560 m 60 700 360 700 360 560 c f " + planted(),
        "it has the colour of its background",
    ),
    "white on a white box on a dark one": (
        BOX + b"1 g " + BOX + planted(),
        "it has the colour of its background",
    ),
    "tiny": (planted(size=0.05), "it is too small to be seen"),
    "scaled down": (planted("0.01 0 0 0.01 72 600 Tm"), "it is too small to be seen"),
    "squeezed": (planted("0.1 Tz"), "it is too small to be seen"),
    "form scaled down": (
        b"q 0.01 0 0 0.01 72 600 cm /Form Do Q",
        "it is too small to be seen",
    ),
    "invisible": (planted("3 Tr"), "it is drawn invisibly"),
    "clipping alone": (planted("7 Tr"), "it is drawn invisibly"),
    "transparent": (planted("/None gs"), "it is transparent"),
    "form drawn transparently": (b"q /None gs /Form Do Q", "it is transparent"),
    "clipped": (b"q 0 0 20 20 re W n " + planted() + b"Q", "it is clipped away"),
    "clipped to nothing": (
        b"q 0 0 20 20 re W n 50 50 20 20 re W n " + planted() + b"Q",
        "it is clipped away",
    ),
    "outside of its form": (b"/Outside Do", "it is clipped away"),
    "under a box": (planted() + b"0 0 1 rg " + BOX, "a shape covers it"),
    "under a wide line": (planted() + b"30 w 60 605 m 360 605 l S", "a shape covers it"),
    "under two boxes": (
        planted() + b"1 g 60 590 90 30 re f 149 590 300 30 re f",
        "a shape covers it",
    ),
    "under a polygon": (planted() + b"1 g 0 560 m 600 560 l 150 680 l f", "a shape covers it"),
    "form under a box": (b"/Form Do 1 g " + BOX, "a shape covers it"),
    "under a picture": (
        planted() + b"q 300 0 0 30 60 590 cm /White Do Q",
        "a picture covers it",
    ),
    "layer that is off": (b"/OC /Off BDC " + planted() + b"EMC", "its layer is switched off"),
    "form that is off": (b"/OffForm Do", "its layer is switched off"),
    "beside the page": (line(PLANTED, 900), "it lies outside of the page"),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_text_is_left_out_with_its_reason(name: str) -> None:
    content, why = HIDDEN[name]
    document = read(page(content))
    assert document.text == SEEN
    (item,) = document.reading.left_out
    assert (item.what, item.why, item.pages) == ("hidden text", why, (1,))
    assert item.words == 5
    assert document.reading.complete


STRIPS = range(580, 630, 2)
SHOWN = {
    "plain": planted(),
    "white on a black box": BOX + planted("1 g"),
    "white on a round shape": b"60 560 m 60 700 360 700 360 560 c f " + planted("1 g"),
    "white on a wide line": b"30 w 60 605 m 360 605 l S " + planted("1 g"),
    "white on a picture": b"q 300 0 0 30 60 590 cm /Clear Do Q " + planted("1 g"),
    "white on a pattern": b"/Pattern cs /P scn " + BOX + planted("1 g"),
    "white with a black stroke": planted("2 Tr 1 g 0 G"),
    "grey": planted("0.8 g"),
    "half transparent": planted("/Some gs"),
    "small print": planted(size=4),
    "scaled up": planted("12 0 0 12 -792 -6600 Tm", size=1),
    "clipped to its place": b"q 60 590 300 30 re W n " + planted() + b"Q",
    "on a box of another colour": b"1 1 0 rg " + BOX + b"0 g " + planted(),
    "struck out": planted() + b"72 603 200 1 re f",
    "underlined": planted() + b"72 598 200 1 re f",
    "in a frame": planted() + b"60 590 300 30 re S",
    "highlighted afterwards": planted() + b"q /Multiply gs 1 1 0 rg " + BOX + b"Q",
    "tinted afterwards": planted() + b"q /Some gs 1 0 0 rg " + BOX + b"Q",
    "box clipped away": planted() + b"q 0 0 9 9 re W n " + BOX + b"Q",
    "box around it": planted() + b"40 500 500 180 re 60 590 300 30 re f*",
    "triangle beside it": planted() + b"60 620 m 360 620 l 360 640 l f",
    "under a clear picture": planted() + b"q 300 0 0 30 60 590 cm /Clear Do Q",
    "under a picture that lies askew": planted()
    + b"q 0.7 0.7 -0.7 0.7 0 0 cm 500 0 0 9 260 200 cm /White Do Q",
    "crossed by a thick line": planted() + b"4 w 60 590 m 360 620 l S",
    "under a dashed line": planted() + b"[1 9] 0 d 30 w 60 605 m 360 605 l S",
    "form drawn large": b"q 0.5 0 0 0.5 0 0 cm /Form Do Q",
    "layer that is on": b"/OC /On BDC " + planted() + b"EMC",
    "box on a layer that is off": planted() + b"/OC /Off BDC 1 g " + BOX + b"EMC",
    "form": b"/Form Do",
    "highlighted by a group": planted() + b"q /Multiply gs /Group Do Q",
    "tinted by a group": planted() + b"q /Some gs /Group Do Q",
    "highlighted by a group in a form": planted() + b"q /Multiply gs /Holder Do Q",
    "white on strips": b"".join(b"50 %d 400 2 re f " % y for y in STRIPS) + planted("1 g"),
    "white on strips of a picture": b"".join(
        b"q 400 0 0 2 50 %d cm /White Do Q " % y for y in STRIPS
    )
    + planted("1 g"),
    "white on thin lines": b"3 w "
    + b"".join(b"40 %d m 500 %d l S " % (y, y) for y in range(580, 630, 3))
    + planted("1 g"),
    "white on a path of thin lines": b"2 w "
    + b"".join(b"40 %d m 500 %d l " % (y, y) for y in STRIPS)
    + b"S "
    + planted("1 g"),
    "clipping strips": b"q "
    + planted("7 Tr")
    + b"".join(b"0 %d 612 2 re f " % y for y in STRIPS)
    + b"Q",
    "white on the last part of a very long path": b"".join(
        b"%d 10 1 1 re " % (index % 500) for index in range(1300)
    )
    + b"50 580 400 50 re f "
    + planted("1 g"),
    "white after very many objects": b"0 0 612 690 re f "
    + b"0 0 m 1 1 l S " * 100_001
    + planted("1 g"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_seen_stays(name: str) -> None:
    document = read(page(SHOWN[name]))
    assert "hidden text" not in {item.what for item in document.reading.left_out}
    assert len(document.text.split()) == len(SEEN.split()) + len(PLANTED.split())


def test_each_letter_is_looked_at() -> None:
    document = read(page(b"60 590 75 30 re f " + planted("1 g", text="A white line on half a box")))
    assert document.text.split() == [*SEEN.split(), "A", "white", "line"]
    (item,) = document.reading.left_out
    assert item.words == 4


def marked(said: bytes, drawn: str, y: int = 600) -> bytes:
    return b"/Span << /ActualText (%s) >> BDC %s EMC " % (said, line(drawn, y))


@pytest.mark.parametrize(
    ("said", "drawn"),
    [
        (b"The director was paid twice.", "The mayor was paid once."),
        (b"It is not so.", "It is so."),
        (b"50", "5"),
        (b"", "Not"),
    ],
)
def test_what_is_drawn_is_read_and_not_what_it_is_said_to_be(said: bytes, drawn: str) -> None:
    document = read(page(marked(said, drawn) + marked(b"fi", "f", 560)))
    assert document.text.split() == [*SEEN.split(), *drawn.split(), "fi"]
    found = {(item.what, item.why): item.words for item in document.reading.left_out}
    words = len(said.split())
    assert found == (
        {("hidden text", "other words are drawn in its place"): words} if words else {}
    )


@pytest.mark.parametrize(
    ("said", "drawn"),
    [(b"fi", "f"), (b"example", "EX\xadAMPLE"), (b"<<", "x"), (b"The mayor", "The mayor")],
)
def test_what_stands_for_signs_and_ligatures_is_read(said: bytes, drawn: str) -> None:
    document = read(page(marked(said, drawn)))
    assert document.text.replace("\n", " ").split() == [*SEEN.split(), *said.decode().split()]
    assert not document.reading.left_out


SCAN = b"q 612 0 0 792 0 0 cm /White Do Q\n"


@pytest.mark.parametrize("before", ["3 Tr", "/None gs"])
def test_the_layer_of_a_scan_is_its_text(before: str) -> None:
    content = SCAN + line(SEEN, 700, before=before)
    document = read(raw_pdf(content, resources=RESOURCES, objects=OBJECTS))
    assert document.text == SEEN
    assert "was recognised from a picture" in document.reading.notes[0]


def test_text_below_the_picture_of_a_scan_is_its_text() -> None:
    document = read(raw_pdf(line(SEEN, 700) + SCAN, resources=RESOURCES, objects=OBJECTS))
    assert document.text == SEEN


def test_invisible_text_on_the_background_of_a_page_is_no_layer() -> None:
    content = SCAN + line(SEEN, 700) + planted("3 Tr")
    document = read(raw_pdf(content, resources=RESOURCES, objects=OBJECTS))
    assert document.text == SEEN


def test_the_layer_of_a_scan_in_strips_is_its_text() -> None:
    strips = b"".join(b"q 612 0 0 2 0 %d cm /White Do Q " % y for y in range(0, 792, 2))
    content = strips + line(SEEN, 700, before="3 Tr")
    document = read(raw_pdf(content, resources=RESOURCES, objects=OBJECTS))
    assert document.text == SEEN


def in_forms(depth: int, innermost: bytes) -> bytes:
    """A page on which each form draws the next one twice."""
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F 5 0 R >> "
    forms = [
        stream(form + b"/XObject << /X %d 0 R >> >>" % (7 + index), b"/X Do /X Do ")
        for index in range(depth)
    ]
    forms.append(stream(form + b">>", innermost))
    return raw_pdf(
        line(SEEN, 700) + b"/X Do " + planted("1 g"),
        resources=b"/XObject << /X 6 0 R >>",
        objects=forms,
    )


@pytest.mark.parametrize("innermost", [b"", b"0 0 9 9 re f"])
def test_only_some_of_very_many_forms_are_unfolded(innermost: bytes) -> None:
    with opened(in_forms(15, innermost), "") as document:
        page = pdfium.FPDF_LoadPage(document, 0)
        painting = Painting.read(page)
        pdfium.FPDF_ClosePage(page)
    assert painting.is_cut
    assert painting.num_forms == MOST_FORMS


def test_text_over_forms_that_were_not_unfolded_is_read() -> None:
    assert PLANTED in read(in_forms(15, b"0 0 612 690 re f")).text


def test_small_letters_in_large_units_are_read() -> None:
    content = line(SEEN, 700) + planted(size=0.9)
    data = raw_pdf(content, page=b"/MediaBox [0 0 612 792] /UserUnit 10")
    assert "hidden text" not in {item.what for item in read(data).reading.left_out}


@pytest.mark.parametrize(("flags", "is_seen"), [(4, True), (2, False), (32, False)])
def test_text_written_onto_a_page_is_reported(flags: int, is_seen: bool) -> None:
    note = b"<< /Type /Annot /Subtype /FreeText /Rect [50 580 450 630] /F %d /Contents (%s) >>"
    data = raw_pdf(
        line(SEEN, 700),
        page=b"/MediaBox [0 0 612 792] /Annots [6 0 R]",
        objects=[note % (flags, PLANTED.encode())],
    )
    found = [(item.what, item.words) for item in read(data).reading.left_out]
    assert found == ([("notes on the pages", 5)] if is_seen else [])

"""What a PDF draws twice is read once; watermarks and struck words are left out; all else stays."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from core.documents.document import Document, Source
from core.documents.readers.office import struck_but_kept
from core.documents.readers.pdf import read_pdf
from core.events import result_of
from core.stop import StopToken
from tests.helpers.pdf_maker import HEIGHT, MARGIN, WIDTH, drawn, recognised
from tests.helpers.raw_pdf import line, raw_pdf
from tests.helpers.reader_checks import real_file

LINES = (
    "The museum of the town was opened in the spring of the year by the mayor.",
    "It shows boats and nets of the old fishers, who lived at the river, and",
    "all the little bells, balls and hills of the valley in a second house.",
)
TEXT = " ".join(LINES)


def read(data: bytes) -> Document:
    return result_of(read_pdf(data, Source("a.pdf"), StopToken()))


def set_lines(
    canvas: Canvas, x: float = MARGIN, dy: float = 0.0, font: str = "Times-Roman"
) -> None:
    canvas.setFont(font, 11)
    for row, text in enumerate(LINES):
        canvas.drawString(x, HEIGHT - 100 - 14 * row + dy, text)


def left_out(document: Document) -> dict[str, int]:
    return {item.what: item.words for item in document.reading.left_out}


@pytest.mark.parametrize("offset", [0.0, 0.3, 0.8], ids=["exactly", "near", "as a shadow"])
def test_a_page_drawn_twice_is_read_once(offset: float) -> None:
    def paint(canvas: Canvas) -> None:
        for shift in (0.0, offset):
            for row in range(3):
                set_lines(canvas, MARGIN + shift, shift - 42 * row)

    document = read(drawn(paint))
    assert document.text.split() == TEXT.split() * 3
    assert left_out(document) == {"text drawn twice": 3 * len(TEXT.split())}
    assert document.reading.complete


def test_letters_drawn_twice_to_look_bold_are_read_once() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 11)
        for row, text in enumerate(LINES):
            x = MARGIN
            for char in text:
                for offset in (0.0, 0.4):
                    canvas.drawString(x + offset, HEIGHT - 100 - 14 * row, char)
                x += canvas.stringWidth(char, "Times-Roman", 11)

    assert read(drawn(paint)).text == TEXT


@pytest.mark.parametrize("scale", [60, 70, 100])
@pytest.mark.parametrize("font", ["Times-Roman", "Helvetica", "Courier"])
def test_equal_letters_side_by_side_are_no_copies(font: str, scale: float) -> None:
    def paint(canvas: Canvas) -> None:
        for row, text in enumerate(LINES):
            x = MARGIN
            for char in text:
                piece = canvas.beginText(x, HEIGHT - 100 - 14 * row)
                piece.setFont(font, 11)
                piece.setHorizScale(scale)
                piece.textOut(char)
                canvas.drawText(piece)
                x += canvas.stringWidth(char, font, 11) * scale / 100

    document = read(drawn(paint))
    assert document.text == TEXT
    assert not left_out(document)


def test_a_recognised_layer_over_real_text_is_read_once() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.drawImage(_grey(), 0, 0, WIDTH, HEIGHT)
        set_lines(canvas)
        hidden = canvas.beginText(MARGIN + 1, HEIGHT - 101)
        hidden.setFont("Helvetica", 10)
        hidden.setTextRenderMode(3)
        for text in LINES:
            hidden.setHorizScale(100 * 11 / 10 * _width(canvas, text, "Times-Roman") /
                                 _width(canvas, text, "Helvetica"))  # fmt: skip
            hidden.textOut(text.replace("museum", "rnuseum"))
            hidden.moveCursor(0, 14)
        for row in range(4):
            hidden.setHorizScale(100)
            hidden.textOut(f"Words of picture {row} that the page has in no other place at all.")
            hidden.moveCursor(0, 14)
        canvas.drawText(hidden)

    text = read(drawn(paint)).text
    assert text.count("museum") == text.count("boats") == 1
    assert "rnuseum" not in text
    assert "Words of picture 3" in text


def _grey() -> object:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    return ImageReader(Image.new("L", (8, 8), 200))


def _width(canvas: Canvas, text: str, font: str) -> float:
    return canvas.stringWidth(text, font, 11)


def test_a_recognised_layer_alone_is_read() -> None:
    document = read(recognised(TEXT))
    assert len(document.text) > 0.98 * len(TEXT)
    assert not left_out(document)


@pytest.mark.parametrize(
    ("colour", "size", "words"),
    [
        ("0.85 g", 22, "COPY COPY COPY"),
        ("0.9 g", 60, "DRAFT"),
        ("1 0.8 0.8 rg", 11, "do not copy do not copy do not copy"),
        ("0 g", 48, "VOID"),
        ("/Half gs", 30, "CONFIDENTIAL"),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_watermark_across_lines_is_left_out(
    colour: str, size: float, words: str, is_first: bool
) -> None:
    mark = f"q {colour} BT /F {size} Tf 100 686 Td ({words}) Tj ET Q\n".encode()
    body = b"".join(line(text, 700 - 14 * row, 11) for row, text in enumerate(LINES))
    states = b"/ExtGState << /Half << /ca 0.3 >> >>"
    document = read(raw_pdf(mark + body if is_first else body + mark, resources=states))
    assert document.text == TEXT
    assert left_out(document) == {"watermarks": len(words.split())}


def test_pale_and_large_words_beside_the_text_stay() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 30)
        canvas.drawString(MARGIN, HEIGHT - 60, "The museum of boats")
        canvas.setFillGray(0.7)
        canvas.setFont("Times-Roman", 11)
        canvas.drawString(MARGIN, HEIGHT - 86, "A pale line under the title says who wrote it.")
        canvas.setFillGray(0.0)
        set_lines(canvas)
        for row, (name, value) in enumerate((("Name:", "Anna Kern"), ("Town:", "Dorf am See"))):
            y = HEIGHT - 200 - 16 * row
            canvas.setFillGray(0.7)
            canvas.drawString(MARGIN, y, name)
            canvas.drawString(MARGIN + 150, y, "of the museum")
            canvas.setFillGray(0.0)
            canvas.drawString(MARGIN + 50, y, value)

    document = read(drawn(paint))
    for words in (
        "The museum of boats",
        "A pale line under the title",
        "Name:",
        "Anna Kern",
        "Town:",
    ):
        assert words in document.text
    assert not left_out(document)


def struck(
    paint_line: str, text: str = "The fee is 50 60 euros for all guests of the museum."
) -> bytes:
    body = b"".join(line(each, 660 - 14 * row, 11) for row, each in enumerate(LINES))
    return raw_pdf(line(text, 700, 11) + paint_line.encode() + body)


# "50" runs from 123.4 to 135.6, "The" from 72 to 91
@pytest.mark.parametrize(
    "paint_line",
    [
        "0.6 w 123 704 m 136 704 l S\n",
        "1 w 122 702.9 m 138 702.9 l S\n",
        "123.4 703.2 12.3 0.8 re f\n",
        "1 0 0 RG 0.5 w 123.4 703 m 135.7 703 l S 123.4 704.4 m 135.7 704.4 l S\n",
    ],
    ids=["line", "line to the next word", "thin rectangle", "two red lines"],
)
def test_struck_words_are_left_out(paint_line: str) -> None:
    document = read(struck(paint_line))
    assert "The fee is 60 euros for all guests" in document.text
    assert left_out(document) == {"deleted passages": 1}


def test_hundreds_of_struck_words_of_a_page_are_left_out() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 5)
        canvas.setLineWidth(0.3)
        for row in range(100):
            x, y = MARGIN, HEIGHT - 40 - 7 * row
            for word in ["The", "fee", "50", "of", "the", "boat"] * 6:
                canvas.drawString(x, y, word)
                end = x + canvas.stringWidth(word, "Times-Roman", 5)
                if word == "50":
                    canvas.line(x, y + 1.4, end, y + 1.4)
                x = end + 1.5

    document = read(drawn(paint))
    assert left_out(document) == {"deleted passages": 600}
    assert "50" not in document.text


def test_a_page_that_is_mostly_struck_is_read_and_says_so() -> None:
    boxes = " ".join(f"72 {h + 11} 560 {h + 11} 72 {h - 1} 560 {h - 1}" for h in (660, 646))
    note = (
        f"<< /Type /Annot /Subtype /StrikeOut /Rect [72 600 560 690] /QuadPoints [{boxes}] >>"
    ).encode()
    body = b"".join(line(each, 660 - 14 * row, 11) for row, each in enumerate(LINES))
    page = b"/MediaBox [0 0 612 792] /Annots [6 0 R]"
    document = read(raw_pdf(body, objects=[note], page=page))
    assert LINES[0] in document.text
    assert not left_out(document)
    assert document.reading.notes == (struck_but_kept(31, "a page"),)


def test_words_struck_by_an_annotation_are_left_out() -> None:
    note = (
        b"<< /Type /Annot /Subtype /StrikeOut /Rect [123 698 136 710]"
        b" /QuadPoints [123 710 136 710 123 698 136 698] /C [1 0 0] >>"
    )
    body = line("The fee is 50 60 euros for all guests of the museum.", 700, 11)
    body += b"".join(line(each, 660 - 14 * row, 11) for row, each in enumerate(LINES))
    data = raw_pdf(body, objects=[note], page=b"/MediaBox [0 0 612 792] /Annots [6 0 R]")
    document = read(data)
    assert "The fee is 60 euros for all guests" in document.text
    assert left_out(document) == {"deleted passages": 1}


@pytest.mark.parametrize(
    "paint_line",
    [
        "0.6 w 123 698.8 m 136 698.8 l S\n",
        "0.6 w 123 708.5 m 136 708.5 l S\n",
        "0.6 w 72 704 m 540 704 l S\n",
        "0.6 w 60 704 m 136 704 l S\n",
        "1 G 0.6 w 123 704 m 136 704 l S\n",
        "1 1 0 rg 123 698 13 2.5 re f\n",
        "0.6 w 123 690 m 123 712 l S\n",
        "0.4 w 60 694 m 560 694 l S 60 712 m 560 712 l S 60 694 m 60 712 l S\n",
    ],
    ids=["underline", "line above", "line through all of a row and beyond", "from the margin",
         "white", "marker", "upright", "table"],
)  # fmt: skip
def test_other_lines_strike_nothing_out(paint_line: str) -> None:
    document = read(struck(paint_line))
    assert "The fee is 50 60 euros for all guests" in document.text
    assert "deleted passages" not in left_out(document)


def test_a_fraction_bar_strikes_nothing_out() -> None:
    bar = "BT /F 11 Tf 300 704 Td (one half) Tj ET BT /F 11 Tf 300 690 Td (two parts) Tj ET\n"
    document = read(struck(bar + "0.5 w 300 702 m 345 702 l S\n"))
    assert not left_out(document).get("deleted passages")


def test_a_mark_of_a_chart_over_a_number_strikes_nothing_out() -> None:
    marks = "BT /F 8 Tf 300 602 Td (7) Tj ET 0.75 w 297.7 604.5 m 306.7 604.5 l S\n"
    assert not left_out(read(struck(marks))).get("deleted passages")


@pytest.mark.parametrize(
    ("name", "contents", "what"),
    [
        ("pdf-drawn-twice.pdf", "The museum of the town was", "text drawn twice"),
        ("pdf-watermark-on-line.pdf", "old fishers, who lived at the river. A", "watermarks"),
        ("pdf-struck-out.pdf", "The fee is 60 euros", "deleted passages"),
        ("pdf-white-on-white.pdf", "The museum of the town", "hidden text"),
    ],
)
def test_found_files_are_read_right(name: str, contents: str, what: str) -> None:
    document = read(real_file(f"../found/{name}").read_bytes())
    assert contents in document.text
    assert what in left_out(document)

"""Lists, initials and spaced headings in large type: what they say, and what they are."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from core.documents.document import Document, Kind, Source
from core.documents.readers.pdf import read_pdf
from core.documents.readers.pdf_layout.initial_words import is_initial_word
from core.events import result_of
from core.stop import StopToken
from tests.helpers.pdf_maker import HEIGHT, MARGIN, drawn
from tests.helpers.reader_checks import outline, real_file

TEXT = (
    "The museum of the town was opened in the spring of the year by the mayor. It",
    "shows boats and nets of the old fishers, who lived at the river. A second",
    "house for the letters of the fishers is planned for next year, but nobody",
    "has paid for it yet.",
)
ITEMS = ("Boats of the river", "Nets of the old fishers", "Letters from the sea")


def read(data: bytes) -> Document:
    return result_of(read_pdf(data, Source("a.pdf"), StopToken()))


def set_text(canvas: Canvas, y: float, lines: tuple[str, ...] = TEXT, x: float = MARGIN) -> None:
    canvas.setFont("Times-Roman", 11)
    for row, line in enumerate(lines):
        canvas.drawString(x, HEIGHT - y - 14 * row, line)


@pytest.mark.parametrize("markers", ["•••", "■■■", "➢➢➢", "123", "abc"])
@pytest.mark.parametrize(("font", "size"), [("Times-Roman", 14), ("Times-Bold", 11)])
def test_a_list_in_the_type_of_headings_is_a_list(markers: str, font: str, size: float) -> None:
    from tests.helpers.pdf_maker import sans

    def paint(canvas: Canvas) -> None:
        set_text(canvas, 100)
        for row, (marker, item) in enumerate(zip(markers, ITEMS, strict=True)):
            y = HEIGHT - 180 - 20 * row
            if marker.isalnum():
                canvas.setFont(font, size)
                canvas.drawString(MARGIN + 18, y, f"{marker}{')' if marker.isalpha() else '.'}")
            else:
                canvas.setFont(sans(), size)
                canvas.drawString(MARGIN + 18, y, marker)
            canvas.setFont(font, size)
            canvas.drawString(MARGIN + 36, y, item)
        set_text(canvas, 260)

    document = read(drawn(paint))
    items = [text for kind, text in outline(document) if kind == Kind.LIST_ITEM]
    assert [item.split(" ", 1)[1] if markers[0].isalnum() else item for item in items] == [*ITEMS]
    assert document.title == "a"


@pytest.mark.parametrize("ticks", ["☐☑", "✔✗", "✘✔", "☒☐"])
def test_ticks_of_a_list_in_large_type_stay_with_its_items(ticks: str) -> None:
    from tests.helpers.pdf_maker import sans

    def paint(canvas: Canvas) -> None:
        set_text(canvas, 100)
        canvas.setFont(sans(), 14)
        for row, (tick, item) in enumerate(zip(ticks, ITEMS, strict=False)):
            canvas.drawString(MARGIN + 18, HEIGHT - 180 - 20 * row, f"{tick} {item}")
        set_text(canvas, 260)

    document = read(drawn(paint))
    items = [text for kind, text in outline(document) if kind == Kind.LIST_ITEM]
    assert items == [f"{tick} {item}" for tick, item in zip(ticks, ITEMS, strict=False)]
    assert document.title == "a"


def test_headings_with_a_sign_or_a_number_before_them_stay_headings() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.setFont("Times-Bold", 16)
        canvas.drawString(MARGIN, HEIGHT - 60, "1. The museum")
        canvas.setFont("Times-Bold", 13)
        canvas.drawString(MARGIN, HEIGHT - 84, "1.1 The boats")
        set_text(canvas, 110)
        canvas.setFont("Times-Bold", 16)
        canvas.drawString(MARGIN, HEIGHT - 200, "2. The letters")
        set_text(canvas, 230)
        canvas.drawString(MARGIN, HEIGHT - 320, "")
        canvas.setFont("Times-Bold", 16)
        canvas.drawString(MARGIN, HEIGHT - 320, "• News")
        set_text(canvas, 350)

    headings = [text for kind, text in outline(read(drawn(paint))) if kind == Kind.HEADING]
    assert headings == ["1. The museum", "1.1 The boats", "2. The letters", "• News"]


BODY = (
    "The mayor came in the morning and saw the museum with its boats and nets, and",
    "the people of the town were glad that the roof was mended and dry at last.",
)


def with_initial(
    initial: str, lines: tuple[str, ...], *, rows: int = 2, space: float = 0.0, size: float = 30
) -> Document:
    """A text whose first lines stand beside an initial."""

    def paint(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", size)
        canvas.drawString(MARGIN, HEIGHT - 86 - 14 * rows, initial)
        inset = canvas.stringWidth(initial, "Times-Roman", size) + 5
        canvas.setFont("Times-Roman", 11)
        for row, line in enumerate((*lines, *BODY)):
            x = MARGIN + (inset if row < rows else 0) + (space if row == 0 else 0)
            canvas.drawString(x, HEIGHT - 100 - 14 * row, line)

    return read(drawn(paint))


@pytest.mark.parametrize(
    ("initial", "lines", "begins", "space"),
    [
        (
            "T",
            ("he museum of the town was opened in the spring of", "the year by him."),
            "The m",
            0,
        ),
        (
            "T",
            ("HE MUSEUM of the town was opened in the spring of", "the year by him."),
            "THE M",
            0,
        ),
        (
            "A",
            ("museum of the town was opened in the spring of the", "year by him."),
            "A museum",
            0,
        ),
        ("A", ("cathedral of the town was opened in the spring of", "the year."), "A cathed", 3),
        (
            "A",
            ("fter the museum of the town was opened in spring,", "he came back."),
            "After the",
            0,
        ),
        ("I", ("was in the museum of the town in the spring of the", "year with him."), "I was", 0),
        ("A", ("bakery opened on the main street of the small", "place last week."), "A bakery", 0),
        ("A", ("green boat lay on the main street of the small", "place last week."), "A green", 0),
        ("A", ("long the river there are many houses of stone,", "made by hand."), "Along", 0),
        ("A", ("men to that, said the priest of the small town,", "and he left."), "Amen", 0),
        ("A", ("ngry men stood on the main street of the small", "place at noon."), "Angry", 0),
        ("A", ("lice was in the museum of the town in the spring", "of the year."), "Alice", 0),
        ("I", ("grew up in a house by the river of the town and", "near the sea."), "I grew", 0),
        ("I", ("remember the museum of the town in the spring of", "the year."), "I remember", 0),
        ("I", ("magine the museum of the town in the spring of", "the year."), "Imagine", 0),
        ("I", ("reland and the museum of the town in the spring", "of the year."), "Ireland", 0),
        ("I", ("’m in the museum of the town in the spring of the", "year."), "I’m", 0),
        ("I", ("n the museum of the town we were in the spring of", "the year."), "In the", 0),
        (
            "“W",
            ("e opened the museum of the town in the spring of", "the year” he said."),
            "“We ",
            0,
        ),
        ("É", ("tait-il dans le musée de la ville au printemps de", "cette année ?"), "Était", 0),
    ],
)
@pytest.mark.parametrize(("rows", "size"), [(2, 30), (3, 46)])
def test_an_initial_begins_its_word(
    initial: str, lines: tuple[str, ...], begins: str, space: float, rows: int, size: float
) -> None:
    document = with_initial(initial, lines, rows=rows, space=space, size=size)
    text = " ".join(outline(document)[0][1].split())
    assert text.startswith(begins)
    assert lines[1] in text
    assert document.text.count("The mayor came in the morning and saw") == 1


@pytest.mark.parametrize(
    ("initial", "rest", "language", "is_word"),
    [
        ("y", "entonces", "es", True),
        ("a", "la", "es", True),
        ("a", "un", "es", False),
        ("a", "ntonio", "es", False),
        ("e", "depois", "pt", True),
        ("e", "ntão", "pt", False),
        ("e", "poi", "it", True),
        ("è", "stato", "it", True),
        ("e", "gli", "it", False),
        ("à", "partir", "fr", True),
        ("a", "près", "fr", False),
        ("a", "vons", "fr", False),
        ("я", "помню", "ru", True),
        ("в", "начале", "ru", True),
        ("с", "тех", "ru", True),
        ("у", "меня", "ru", True),
        ("о", "поэте", "ru", True),
        ("в", "от", "ru", False),
        ("о", "но", "ru", False),
        ("к", "огда", "ru", False),
        ("v", "zahradě", "cs", True),
        ("o", "na", "cs", False),
        ("z", "de", "cs", False),
        ("w", "ogrodzie", "pl", True),
        ("w", "szyscy", "pl", False),
        ("a", "ház", "hu", True),
        ("a", "z", "hu", False),
        ("b", "akery", "en", False),
    ],
)
def test_one_letter_words_belong_to_a_language(
    initial: str, rest: str, language: str, is_word: bool
) -> None:
    assert is_initial_word(initial, rest, language) is is_word


def test_large_letters_that_begin_no_word_stay() -> None:
    def paint(canvas: Canvas) -> None:
        for row, (letter, words) in enumerate((("A", "Boats of the river"), ("B", "Nets of men"))):
            canvas.setFont("Times-Bold", 30)
            canvas.drawString(MARGIN, HEIGHT - 100 - 90 * row, letter)
            canvas.setFont("Times-Roman", 11)
            canvas.drawString(MARGIN + 40, HEIGHT - 86 - 90 * row, words)
            canvas.drawString(MARGIN + 40, HEIGHT - 100 - 90 * row, "All days from nine to five")
        set_text(canvas, 300)

    text = read(drawn(paint)).text
    assert "Boats of the river" in text
    assert "ABoats" not in text
    assert "A Boats" not in text


@pytest.mark.parametrize("sign", ["Q", "A:", "3", "42%", "01"])
def test_a_large_sign_stands_before_its_lines(sign: str) -> None:
    lines = ("What do you think of the new bridge", "that the town has built this year?")

    def paint(canvas: Canvas) -> None:
        for row in range(2):
            y = HEIGHT - 100 - 60 * row
            canvas.setFont("Times-Bold", 30)
            canvas.drawString(MARGIN, y - 14, sign)
            x = MARGIN + canvas.stringWidth(sign, "Times-Bold", 30) + 8
            canvas.setFont("Times-Roman", 11)
            canvas.drawString(x, y, lines[0])
            canvas.drawString(x, y - 14, lines[1])
        set_text(canvas, 300)

    text = " ".join(read(drawn(paint)).text.split())
    assert text.count(f"{sign} {lines[0]} {lines[1]}") == 2


def test_a_dropped_number_begins_its_paragraph() -> None:
    lines = (
        "things are to be said of the boats of the river in the museum of the town:",
        "they are old, they are small and clean and dry under the roof of the museum",
        "and they are made of wood that came from the hills behind the other bank.",
    )
    blocks = outline(with_initial("3", lines))
    assert blocks[0][1].startswith("3 " + " ".join(lines))


def test_large_words_beside_lines_stay_words() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.setFont("Times-Bold", 30)
        canvas.drawString(MARGIN, HEIGHT - 114, "Vitamin B")
        x = MARGIN + canvas.stringWidth("Vitamin B", "Times-Bold", 30) + 8
        canvas.setFont("Times-Roman", 11)
        canvas.drawString(x, HEIGHT - 100, "helps the fishers of the town")
        canvas.drawString(x, HEIGHT - 114, "who live at the river.")
        set_text(canvas, 300)

    assert "Vitamin B" in read(drawn(paint)).text


def test_the_found_initial() -> None:
    document = read(real_file("../found/pdf-drop-cap.pdf").read_bytes())
    assert document.text.startswith("The museum of the town was")
    assert "by the mayor. It shows boats" in document.text


def spaced(text: str, *, char_space: float = 0.0, size: float = 16) -> Document:
    """A line above a text, with some space after each letter."""

    def paint(canvas: Canvas) -> None:
        line = canvas.beginText(MARGIN, HEIGHT - 60)
        line.setFont("Times-Bold", size)
        line.setCharSpace(char_space)
        line.textOut(text)
        canvas.drawText(line)
        set_text(canvas, 110)

    return read(drawn(paint))


@pytest.mark.parametrize("char_space", [0.8, 3.0, 5.0, 8.0])
@pytest.mark.parametrize("text", ["ANNUAL REPORT", "The second year of boats", "ÜBER UNS 2024"])
def test_letter_spaced_words_are_words(text: str, char_space: float) -> None:
    assert spaced(text, char_space=char_space).text.startswith(f"{text}\n")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("A N N U A L   R E P O R T", "ANNUAL REPORT"),
        ("T H E  S E C O N D  Y E A R", "THE SECOND YEAR"),
        ("S U M M A R Y", "SUMMARY"),
        ("N e w s  o f  t h e  y e a r", "News of the year"),
        ("В В Е Д Е Н И Е", "ВВЕДЕНИЕ"),
    ],
)
def test_letters_with_typed_spaces_are_words(text: str, right: str) -> None:
    if text.isascii():
        assert spaced(text).text.startswith(f"{right}\n")
        return
    from tests.helpers.pdf_maker import sans

    def paint(canvas: Canvas) -> None:
        canvas.setFont(sans(), 16)
        canvas.drawString(MARGIN, HEIGHT - 60, text)
        set_text(canvas, 110)

    assert read(drawn(paint)).text.startswith(f"{right}\n")


def test_a_word_in_spaced_capitals_in_the_middle_is_a_heading() -> None:
    def paint(canvas: Canvas) -> None:
        set_text(canvas, 100)
        canvas.drawCentredString(MARGIN + 180, HEIGHT - 180, "P R O C E E D I N G S")
        set_text(canvas, 220)

    assert (Kind.HEADING, "PROCEEDINGS") in outline(read(drawn(paint)))


@pytest.mark.parametrize(
    "line",
    [
        "A B C D E F G",
        "The vitamins A C D E K are in boats",
        "1 2 3 4 5 6 7",
        "A B D C A B E C",
        "Let x y z w be four of the numbers",
        "I saw a b and a c in a row",
    ],
)
def test_single_letters_that_are_no_words_stay_apart(line: str) -> None:
    assert line in spaced(line, size=11).text


def test_the_found_spaced_headings() -> None:
    text = read(real_file("../found/pdf-letter-spaced-heading.pdf").read_bytes()).text
    assert text.startswith("ANNUAL REPORT THE SECOND YEAR")
    assert "The mayor spoke in a very slow voice to the people." in text


def test_the_found_list_in_larger_type() -> None:
    document = read(real_file("../found/pdf-list-in-larger-type.pdf").read_bytes())
    items = [text for kind, text in outline(document) if kind == Kind.LIST_ITEM]
    assert items == [*ITEMS, "Maps of the harbour"]
    assert not document.title.startswith("•")

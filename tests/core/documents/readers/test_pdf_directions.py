"""Arabic, Hebrew and Persian in PDFs come out in words, in the order in which they are read."""

import numpy as np
import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from core.documents.document import Document, Kind, Source
from core.documents.readers.pdf import read_pdf
from core.documents.readers.pdf_layout.directions import place_letters, place_words
from core.events import result_of
from core.stop import StopToken
from tests.helpers.pdf_maker import HEIGHT, WIDTH, bullet, drawn, sans
from tests.helpers.reader_checks import real_file

HEBREW = (
    "ראש העיר פתח את מוזיאון העיר באביב השנה.",
    "המוזיאון מציג סירות ורשתות של הדייגים הזקנים שגרו ליד הנהר.",
    "בית שני למכתבי הדייגים מתוכנן לשנה הבאה, אבל איש עוד לא שילם עליו.",
)
EDGE = WIDTH - 72


def read(data: bytes) -> Document:
    return result_of(read_pdf(data, Source("a.pdf"), StopToken()))


def set_line(canvas: Canvas, y: float, seen: str, *, right: float = EDGE, size: float = 10) -> None:
    """Draws a line as it is seen from left to right, up to a right edge."""
    canvas.setFont(sans(), size)
    canvas.drawRightString(right, HEIGHT - y, seen)


def page(*seen: str) -> Document:
    def paint(canvas: Canvas) -> None:
        for row, line in enumerate(seen):
            set_line(canvas, 100 + 14 * row, line)

    return read(drawn(paint))


def mirrored(text: str) -> str:
    return text[::-1]


@pytest.mark.parametrize("way", ["whole lines", "words", "letters"])
def test_hebrew_is_read_however_it_was_drawn(way: str) -> None:
    font, size = sans(), 10

    def paint(canvas: Canvas) -> None:
        canvas.setFont(font, size)
        for row, line in enumerate(HEBREW):
            y, x = HEIGHT - 100 - 14 * row, EDGE
            pieces = {"whole lines": [line], "words": line.split(), "letters": [*line]}[way]
            for piece in pieces:
                x -= stringWidth(piece, font, size)
                canvas.drawString(x, y, mirrored(piece))
                x -= stringWidth(" ", font, size) if way == "words" else 0

    document = read(drawn(paint))
    assert document.text.split() == " ".join(HEBREW).split()
    assert document.reading.language == "he"


def test_words_in_latin_letters_and_numbers_keep_their_order() -> None:
    document = page(
        "Museum Board of London" + mirrored("ההודעה של "),
        mirrored(" נשלחה היום") + "Windows 11 Pro" + mirrored("אל "),
        mirrored(" במאי") + "12" + mirrored("לפי התאריך ב-"),
        mirrored(" אירו") + "45,000" + mirrored("המחיר הוא "),
        "03-1234567" + mirrored("הטלפון הוא "),
        "www.example.org/a-b" + mirrored("כתובת האתר "),
    )
    assert document.text == (
        "ההודעה של Museum Board of London אל Windows 11 Pro נשלחה היום לפי התאריך ב-12"
        " במאי המחיר הוא 45,000 אירו הטלפון הוא 03-1234567 כתובת האתר www.example.org/a-b"
    )


def test_brackets_open_before_a_word_and_close_after_it() -> None:
    document = page(
        mirrored(" כל השנים (כולל מע״מ)"),
        "(Harbour maps, 1890)" + mirrored("מפות הנמל "),
        mirrored("[1] ראה את המקור"),
    )
    assert document.text == "כל השנים (כולל מע״מ) מפות הנמל (Harbour maps, 1890) [1] ראה את המקור"


def test_joined_forms_of_arabic_become_letters() -> None:
    forms = "\ufe8d\ufedf\ufee4\ufe98\ufea4\ufed2 \ufefb \ufef3\ufed4\ufe98\ufea2"
    document = page(*[mirrored(forms)] * 3)
    assert document.text == " ".join(["المتحف لا يفتح"] * 3)


def test_the_mark_that_parts_persian_letters_stays() -> None:
    line = "قایق\u200cها به خانه می\u200cرود"
    document = page(*[mirrored(line)] * 3)
    assert document.text == " ".join([line] * 3)
    assert document.reading.language == "fa"


def test_vowel_signs_follow_their_letter() -> None:
    word = "שָׁלוֹם"
    codes = np.array([ord(char) for char in word], np.uint32)
    letters = np.array([char in "שלום" for char in word])
    index = np.cumsum(letters) - 1
    x0 = 100.0 - 10 * index
    x1 = x0 + np.where(letters, 10.0, 0.0)
    x0[~letters] = x1[~letters] = (x0 + 4)[~letters]
    base = np.where(letters, 50.0, 49.0)
    shuffled = np.array([1, 0, 2, 4, 3, 5, 6])
    placed = place_letters(
        codes[shuffled], x0[shuffled], x1[shuffled], base[shuffled], np.full(7, 10.0), 200.0
    )
    text = "".join(word[index] for index in shuffled[placed.order])
    assert sorted(text) == sorted(word)
    assert [char for char in text if char in "שלום"] == [*"שלום"]
    assert all(text[at - 1] in "ש\u05c1\u05b8" for at in range(1, 3))
    assert placed.base.tolist() == [50.0] * 7


def test_columns_are_read_from_the_right_and_lists_have_their_markers() -> None:
    def paint(canvas: Canvas) -> None:
        set_line(canvas, 60, mirrored("דוח המוזיאון"), size=18)
        for right, word in ((EDGE, "ראשון"), (EDGE - 240, "שני")):
            for row in range(10):
                line = mirrored(f"{word} המוזיאון מציג סירות ורשתות")
                set_line(canvas, 100 + 13 * row, line, right=right)
        for row, item in enumerate(("סירות הנהר", "רשתות הדייגים", "מפות הנמל")):
            set_line(canvas, 300 + 14 * row, "•", right=EDGE - 10)
            set_line(canvas, 300 + 14 * row, mirrored(item), right=EDGE - 24)
            set_line(canvas, 400 + 14 * row, mirrored(f"{row + 1}."), right=EDGE - 10)
            set_line(canvas, 400 + 14 * row, mirrored(item), right=EDGE - 24)

    document = read(drawn(paint))
    text = document.text
    assert document.title == "דוח המוזיאון"
    assert text.rindex("ראשון") < text.index("שני")
    items = [
        document.paragraph(index)
        for index in range(document.num_paragraphs)
        if document.kinds[index] == Kind.LIST_ITEM
    ]
    assert items == [
        "סירות הנהר", "רשתות הדייגים", "מפות הנמל",
        "1. סירות הנהר", "2. רשתות הדייגים", "3. מפות הנמל",
    ]  # fmt: skip


def test_hebrew_in_an_english_page_is_read_leftwards_and_no_more() -> None:
    document = page(
        "The plate at the gate says " + mirrored("ראש העיר פתח") + " in large letters.",
        "The museum (opened in 1999) of the town shows 3 boats, 45.5% of them old.",
        mirrored("ראש העיר פתח את המוזיאון."),
        "Another line of English words ends the page of this document.",
    )
    text = document.text
    assert "says ראש העיר פתח in large letters. The museum (opened in 1999) of" in text
    assert "shows 3 boats, 45.5% of them old." in text
    assert "ראש העיר פתח את המוזיאון." in text


def test_recognised_words_are_set_in_the_order_in_which_they_are_read() -> None:
    texts = ["Board", "Museum", "של", "ההודעה", "המוזיאון"]
    x0 = np.array([100.0, 40.0, 160.0, 200.0, 240.0])
    placed = place_words(texts, x0, x0 + 35, np.full(5, 50.0), np.full(5, 30.0), 400.0)
    words = [texts[index] for index in placed.order]
    assert words == ["המוזיאון", "ההודעה", "של", "Museum", "Board"]
    assert (np.diff(placed.x0) > 0).all()
    assert placed.is_mirrored


def test_a_recognition_layer_that_runs_leftwards_is_read() -> None:
    """Each word is mirrored in its layer, and begins at its right."""

    def paint(canvas: Canvas) -> None:
        canvas.drawImage(bullet(), 0, 0, WIDTH, HEIGHT)
        for row, line in enumerate(HEBREW):
            x = EDGE
            for word in line.split():
                text = canvas.beginText()
                text.setFont(sans(), 10)
                text.setTextRenderMode(3)
                text.setTextTransform(-1, 0, 0, 1, x, HEIGHT - 100 - 14 * row)
                text.textOut(word)
                canvas.drawText(text)
                x -= stringWidth(word + " ", sans(), 10)

    assert read(drawn(paint)).text.split() == " ".join(HEBREW).split()


@pytest.mark.parametrize(
    ("name", "language", "words", "contents"),
    [("rtl_ar.pdf", "ar", 90, "Museum Board"), ("rtl_he.pdf", "he", 72, "ראש העיר פתח")],
)
def test_found_files_are_read_in_words(name: str, language: str, words: int, contents: str) -> None:
    document = read(real_file(f"../found/{name}").read_bytes())
    assert (document.reading.language, document.reading.words) == (language, words)
    assert contents in document.text

"""Faults once found on real pages, each on a made page as small as it can be."""

import random

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from core.documents.document import Document, Kind, Source
from core.documents.readers.pdf import read_pdf
from core.events import result_of
from core.stop import StopToken
from tests.helpers import pdf_maker
from tests.helpers.reader_checks import outline, texts

HEIGHT = pdf_maker.HEIGHT
_PROSE = "The pump runs while the valve is open and"


def read(data: bytes) -> Document:
    return result_of(read_pdf(data, Source("a report.pdf"), StopToken()))


def two_columns(canvas: Canvas, top: float, rows: int = 30) -> None:
    """Running text in two columns whose paragraph goes on from one to the other."""
    for x in (72, 310):
        for row in range(rows):
            canvas.drawString(x, top - 12 * row, f"{_PROSE} row {row % 10} holds")


def test_cells_of_a_table_stay_in_their_columns() -> None:
    def paint(canvas: Canvas) -> None:
        rows = [["Year", "Area", "Yield"], ["1990", "", "120"], ["1991", "7.5", "123"]]
        for row, cells in enumerate([*rows, ["1992", "8.0", "125"]]):
            for column, cell in enumerate(cells):
                canvas.drawString(72 + 100 * column, 700 - 14 * row, cell)

    table = "Year\tArea\tYield\n1990\t\t120\n1991\t7.5\t123\n1992\t8.0\t125"
    assert outline(read(pdf_maker.drawn(paint))) == [(Kind.TABLE, table)]


def test_words_above_a_lane_of_line_numbers_stay() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.drawString(236.5, 760, "A corporation")
        canvas.drawString(295.5, 760, "of")
        canvas.drawString(307.5, 760, "Delaware, which is")
        two_columns(canvas, 700)
        canvas.setFont("Times-Roman", 7)
        for number in range(5, 30, 5):
            canvas.drawRightString(303, 700 - 12 * (number - 1), str(number))

    document = read(pdf_maker.drawn(paint))
    assert "of" in document.text.split("The pump")[0].split()
    assert {item.what: item.words for item in document.reading.left_out} == {"line numbers": 5}


def test_numbers_over_two_columns_cut_no_paragraph() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.drawString(160, 730, "3")
        canvas.drawString(400, 730, "4")
        two_columns(canvas, 700)

    document = read(pdf_maker.drawn(paint))
    assert [kind for kind, _ in outline(document)] == [Kind.PARAGRAPH]
    assert {item.what: item.words for item in document.reading.left_out} == {"column numbers": 2}


def test_telephone_number_is_no_list_item() -> None:
    data = pdf_maker.lines_at([(72, 100, "Park Ranger"), (72, 140, "(605) 574-3184 phone")])
    assert texts(read(data), Kind.LIST_ITEM) == []


def test_lines_that_are_sentences_are_not_joined() -> None:
    maxims = [
        "Beautiful is better than ugly.",
        "Special cases are not special enough to break the rules.",
        "Although practicality beats purity.",
        "There should be one and only one obvious way to do it, as is told.",
        "Although that way may not be obvious at first, unless one is from there.",
        "Now is better than never.",
    ]
    data = pdf_maker.lines_at([(72, 100 + 13 * row, text) for row, text in enumerate(maxims)])
    assert texts(read(data)) == maxims


def test_capitals_in_the_middle_of_a_transcript_are_a_heading() -> None:
    turns = ["MR. WALDMAN: Thank you, Your Honor, for the time that you have given to me, which is"]
    lines = [(72.0, 100.0 + 20 * row, turns[0]) for row in range(8)]
    lines += [
        (72, 260, "so much."),
        (160, 280, "ORAL ARGUMENT OF MICHAEL WALDMAN"),
        (180, 300, "ON BEHALF OF THE PETITIONER"),
        (72, 320, turns[0]),
    ]
    headings = texts(read(pdf_maker.lines_at(lines)), Kind.HEADING)
    assert headings == ["ORAL ARGUMENT OF MICHAEL WALDMAN ON BEHALF OF THE PETITIONER"]


def test_line_set_at_the_right_does_not_begin_the_next_paragraph() -> None:
    prose = "We shall hear the argument in the case of Glover next, and then what follows from it."
    lines = [(380.0, 100.0, "(11:05 a.m.)")]
    lines += [(72.0, 114.0 + 14 * row, prose) for row in range(8)]
    assert texts(read(pdf_maker.lines_at(lines)))[0] == "(11:05 a.m.)"


def test_small_print_over_columns_is_no_footnote() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 7)
        canvas.drawString(120, 730, f"1 Application filed. {_PROSE} {_PROSE} so on.")
        canvas.setFont("Times-Roman", 10)
        two_columns(canvas, 700)

    assert texts(read(pdf_maker.drawn(paint)), Kind.FOOTNOTE) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It lies at https:", "//namada.net/ for all."),
        ("It lies at http://arxiv.org/abs/1905.", "09274 for all."),
        ("It lies at https://eprint.iacr.org/", "2018/962 for all."),
        ("It lies at https://a.io/Tornado%20Cash%", "20Whitepaper.pdf for all."),
    ],
)
def test_address_cut_by_a_line_is_put_together(before: str, after: str) -> None:
    data = pdf_maker.lines_at([(72, 100, before), (72, 112, after)])
    assert read(data).text == before + after


def test_sentence_after_an_address_keeps_its_space() -> None:
    lines = [(72.0, 100.0, "It lies at https://aleo.org."), (72.0, 112.0, "Then it is read by all")]
    assert "org. Then" in " ".join(texts(read(pdf_maker.lines_at(lines))))


def test_pictures_before_lines_are_bullets() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.drawString(72, 740, "Here is a list:")
        for row in range(3):
            canvas.drawImage(pdf_maker.bullet(), 90, 716 - 16 * row, 8, 8)
            canvas.drawString(108, 716 - 16 * row, f"Bullet {row + 1}")

    items = texts(read(pdf_maker.drawn(paint)), Kind.LIST_ITEM)
    assert items == ["Bullet 1", "Bullet 2", "Bullet 3"]


_CELLS = [
    ["Day", "What is read that day at the upper|basin, and by whom", "Level"],
    ["Thursda|y", "The level of the water, which the miller writes|into his book", "High"],
    ["Number|of days", "He rests", "Low"],
]


def _grid(canvas: Canvas, cells: list[list[str]], *, ruled: bool) -> None:
    lefts, bottoms = [72, 118, 330, 400], [700, 660, 620, 580]
    for row, texts_ in enumerate(cells):
        for column, text in enumerate(texts_):
            left, top = lefts[column], bottoms[row]
            if not ruled:
                canvas.rect(left, top - 40, lefts[column + 1] - left, 40)
            for number, line in enumerate(text.split("|")):
                canvas.drawString(left + 4, top - 14 - 12 * number, line)
    for left in lefts if ruled else ():
        canvas.line(left, bottoms[0], left, bottoms[-1])
    for bottom in bottoms if ruled else ():
        canvas.line(lefts[0], bottom, lefts[-1], bottom)


@pytest.mark.parametrize("ruled", [True, False])
def test_a_ruled_table_is_read_cell_by_cell(ruled: bool) -> None:
    def paint(canvas: Canvas) -> None:
        canvas.drawString(72, 760, "The table says what the miller does, Thursday by Thursday.")
        _grid(canvas, _CELLS, ruled=ruled)
        canvas.drawString(72, 540, "Below the table there is another sentence, and it is the last.")

    document = read(pdf_maker.drawn(paint))
    assert outline(document) == [
        (Kind.PARAGRAPH, "The table says what the miller does, Thursday by Thursday."),
        (
            Kind.TABLE,
            "Day\tWhat is read that day at the upper basin, and by whom\tLevel\n"
            "Thursday\tThe level of the water, which the miller writes into his book\tHigh\n"
            "Number of days\tHe rests\tLow",
        ),
        (Kind.PARAGRAPH, "Below the table there is another sentence, and it is the last."),
    ]
    assert document.reading.left_out == ()


def test_a_ruled_table_of_running_text_is_read_as_text_cell_by_cell() -> None:
    long = [f"{'so it is ' * 5}in row {row}" for row in range(3)]
    cells = [[f"Case {number}", "|".join(long), "High"] for number in range(3)]

    def paint(canvas: Canvas) -> None:
        canvas.drawString(72, 760, "The table only places its text.")
        _grid(canvas, cells, ruled=True)

    whole = " ".join(long)
    expected = [text for number in range(3) for text in (f"Case {number}", whole, "High")]
    assert texts(read(pdf_maker.drawn(paint)))[1:] == expected


def test_lines_over_strokes_are_no_figure() -> None:
    def paint(canvas: Canvas) -> None:
        for row in range(24):
            y = 700 - 12 * row
            canvas.drawString(72, y, f"{_PROSE} row {row} holds" if row % 3 else "so it is")
            canvas.rect(72, y - 2, 60 + 4 * row, 5.0, stroke=0, fill=0 if row else 1)
            canvas.line(72, y - 2, 300, y - 2)
            canvas.rect(120, y - 1, 30 + row, 8)

    document = read(pdf_maker.drawn(paint))
    assert document.text.count("so it is") == 8
    assert document.reading.left_out == ()


def test_text_in_a_frame_stands_apart_from_the_text_beside_it() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.rect(320, 640, 200, 72)
        for row in range(4):
            canvas.drawString(326, 698 - 15 * row, f"The frame says this in its row {row}")
        for row in range(12):
            canvas.drawString(72, 736 - 12 * row, f"{_PROSE} row {row % 10} holds")

    found = texts(read(pdf_maker.drawn(paint)))
    assert len(found) == 2
    assert "frame" not in found[0]
    assert found[1].startswith("The frame says this in its row 0 The frame")


@pytest.mark.parametrize(("left", "width"), [(72, 400), (70, 120), (95, 300)])
def test_lines_that_run_over_the_edge_of_their_ground_stay_whole(left: float, width: float) -> None:
    def paint(canvas: Canvas) -> None:
        canvas.drawString(72, 742, "One calls the pump like this, and it begins to lift the water:")
        canvas.setFillGray(0.9)
        canvas.rect(left, 698, width, 30, stroke=0, fill=1)
        canvas.setFillGray(0)
        for row, text in enumerate(("Pump with its own options and a name,", "or with none.")):
            canvas.drawString(72, 716 - 12 * row, text)
        canvas.drawString(72, 680, "The water then stands in the upper basin until it is needed.")

    whole = " ".join(texts(read(pdf_maker.drawn(paint))))
    assert "Pump with its own options and a name, or with none. The water" in whole


def test_paragraph_goes_on_past_a_frame_on_the_next_page() -> None:
    generator = random.Random(3)
    text = " ".join(pdf_maker.sentence(generator, 300).split())
    printer = pdf_maker.Printer(pdf_maker.Style(indent=0.0))
    left = pdf_maker.Frame(72, 300, 200, 72)
    page_end = pdf_maker.Frame(-1.0, 0.0, 0.0, 1e9)
    second = pdf_maker.Frame(72, 770, 200, 72)
    printer.canvas.rect(320, 200, 200, 60)
    printer.canvas.drawString(326, 240, "The frame says this.")
    printer.set(text, [left, page_end, second])
    assert text in texts(read(printer.finish()))


def test_chart_labels_are_left_out_and_their_headings_stay() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 14)
        canvas.drawString(72, 760, "Yield by year")
        canvas.setFont("Times-Roman", 8)
        for step in range(9):
            canvas.line(100, 600 + 11 * step, 400, 600 + 11 * step)
            canvas.drawRightString(94, 600 + 11 * step, f"{10 * step}%")
        for bar in range(5):
            canvas.rect(110 + 55 * bar, 600, 30, 20 + 20 * bar, fill=1)
            canvas.drawString(110 + 55 * bar, 590, f"{1990 + bar}")
        canvas.setFont("Times-Roman", 10)
        for row in range(20):
            canvas.drawString(72, 540 - 12 * row, f"{_PROSE} row {row} holds what it should.")

    document = read(pdf_maker.drawn(paint))
    assert texts(document, Kind.HEADING) == ["Yield by year"]
    (labels,) = document.reading.left_out
    assert (labels.what, labels.words, labels.missed) == ("labels in figures", 14, False)


def test_lines_of_code_are_code_though_they_stand_alone_or_in_capitals() -> None:
    def paint(canvas: Canvas) -> None:
        for row in range(10):
            canvas.drawString(72, 760 - 12 * row, f"{_PROSE} row {row} holds what it should.")
        canvas.setFont("Courier", 10)
        for row, (indent, line) in enumerate(
            [(30, "DEFINITIONS EXPLICIT TAGS ::="), (30, "Group ::= {"), (48, "id"), (30, "}")]
        ):
            canvas.drawString(72 + indent, 620 - 12 * row - 20 * (row > 0), line)
        canvas.setFont("Times-Roman", 10)
        for row in range(10):
            canvas.drawString(72, 530 - 12 * row, f"{_PROSE} row {row} holds what it should.")

    code = texts(read(pdf_maker.drawn(paint)), Kind.CODE)
    assert code == ["DEFINITIONS EXPLICIT TAGS ::=", "Group ::= {\nid\n}"]


def test_a_sentence_that_names_many_functions_is_no_code() -> None:
    def paint(canvas: Canvas) -> None:
        for row, line in enumerate((*_FULL, "and in the weeks after it.")):
            canvas.drawString(72, 742 - 12 * row, line)
        at = 72.0
        pieces = (
            "For reading,",
            "pump_open, pump_read_all_of_it",
            "and",
            "pump_close",
            "are there.",
        )
        for index, piece in enumerate(pieces):
            face = "Courier" if index % 2 else "Times-Roman"
            canvas.setFont(face, 10)
            canvas.drawString(at, 690, piece)
            at += canvas.stringWidth(piece, face, 10) + 3
        canvas.setFont("Courier", 10)
        canvas.drawString(72, 660, "pump_open(&pump, name);")

    assert outline(read(pdf_maker.drawn(paint)))[1:] == [
        (
            Kind.PARAGRAPH,
            "For reading, pump_open, pump_read_all_of_it and pump_close are there.",
        ),
        (Kind.CODE, "pump_open(&pump, name);"),
    ]


def test_items_further_in_are_deeper() -> None:
    rows = [
        (80.0, "• one"),
        (80.0, "• two"),
        (98.0, "◦ two a"),
        (98.0, "◦ two b"),
        (80.0, "• three"),
    ]
    lines = [(x, 100.0 + 13 * row, text) for row, (x, text) in enumerate(rows)]
    document = read(pdf_maker.lines_at(lines, font=pdf_maker.sans()))
    assert document.levels.tolist() == [1, 1, 2, 2, 1]


_FULL = [
    "The pump draws water from the lower basin and lifts it into the upper one, which",
    "holds as much of it as the mills in the valley below have need of in a dry summer",
]


def _below_each_other(lines: list[tuple[float, str]]) -> Document:
    return read(
        pdf_maker.lines_at([(x, 100 + 12.0 * row, text) for row, (x, text) in enumerate(lines)])
    )


@pytest.mark.parametrize(
    "last",
    [
        "once it has turned their wheels.",
        "once it has turned the wheels that move the stones, the hammers and the one saw.",
    ],
)
def test_paragraph_below_a_list_is_no_part_of_its_last_item(last: str) -> None:
    lines = [
        *((72.0, line) for line in (*_FULL, "and in the weeks after it.")),
        (80.0, "1. The pump lifts water."),
        (80.0, "2. The mills take it from the upper basin, and let it go back into the lower one"),
        (92.0, last),
        (90.0, _FULL[0]),
        *((72.0, line) for line in (_FULL[1], "and in the weeks after it.")),
    ]
    whole = f"{_FULL[0]} {_FULL[1]} and in the weeks after it."
    assert outline(_below_each_other(lines)) == [
        (Kind.PARAGRAPH, whole),
        (Kind.LIST_ITEM, "1. The pump lifts water."),
        (Kind.LIST_ITEM, f"{lines[4][1]} {lines[5][1]}"),
        (Kind.PARAGRAPH, whole),
    ]


def test_paragraphs_of_an_item_are_parted_where_one_ends_before_the_edge() -> None:
    head = "1. Of pumps. They draw water, as all know, and it is lifted by them to the top."
    first = [(72.0, head), *((84.0, line) for line in (*_FULL, "and in the weeks after it."))]
    second = [(84.0, line) for line in _FULL]
    items = _below_each_other([*first, *second, (84.0, "before the snow.")])
    assert [text for _, text in outline(items)] == [
        " ".join(text for _, text in first),
        f"{_FULL[0]} {_FULL[1]} before the snow.",
    ]


def test_numbered_heads_in_capitals_above_indented_text_are_headings() -> None:
    lines = [
        line
        for head in ("0. PREAMBLE", "1. USE OF WATER", "2. ENDING")
        for line in ((72.0, head), *((86.0, line) for line in (*_FULL, "and after it.")))
    ]
    assert outline(_below_each_other(lines))[:3] == [
        (Kind.HEADING, "0. PREAMBLE"),
        (Kind.PARAGRAPH, f"{_FULL[0]} {_FULL[1]} and after it."),
        (Kind.HEADING, "1. USE OF WATER"),
    ]


def test_names_of_functions_in_a_manual_are_no_table_and_no_part_of_what_is_said_of_them() -> None:
    def paint(canvas: Canvas) -> None:
        for row, line in enumerate((*_FULL, "and in the weeks after it.")):
            canvas.drawString(72, 742 - 12 * row, line)
        described = (
            ("void pump_init (struct pump *p)", "Makes a pump ready."),
            ("void pump_lift (struct pump *p)", "Lifts water into the upper basin."),
            ("void pump_end (struct pump *p)", "Lets the water go."),
        )
        for row, (name, text) in enumerate(described):
            canvas.drawString(72, 690 - 32 * row, name)
            canvas.drawRightString(430, 690 - 32 * row, "[Function]")
            canvas.drawString(100, 678 - 32 * row, text)

    found = outline(read(pdf_maker.drawn(paint)))
    assert found[1:3] == [
        (Kind.PARAGRAPH, "void pump_init (struct pump *p) [Function]"),
        (Kind.PARAGRAPH, "Makes a pump ready."),
    ]
    assert {kind for kind, _ in found} == {Kind.PARAGRAPH}


def test_a_star_that_belongs_to_a_word_begins_no_list_item() -> None:
    lines = [
        (72.0, "The function reads the parts of the source, and puts all that it has made of them"),
        (
            72.0,
            "into the place that was given. The number of bytes that are used is found in *used.",
        ),
        (
            72.0,
            "*used is never larger than the place, and all bytes that are not used stay what they",
        ),
        (72.0, "were before the call."),
    ]
    assert [kind for kind, _ in outline(_below_each_other(lines))] == [Kind.PARAGRAPH]


def test_pages_of_one_line_each_keep_it() -> None:
    pages = [pdf_maker.landscape_page(f"Picture {number} of the mill") for number in range(1, 7)]
    document = read(pdf_maker.joined(pages))
    assert document.text.endswith("Picture 6 of the mill")
    assert document.reading.left_out == ()


def _titled(headings: list[tuple[str, float]], *, metadata: str = "") -> str:
    """The title of a page with these headings in bold type of these sizes."""

    def paint(canvas: Canvas) -> None:
        canvas.setTitle(metadata)
        y = 770.0
        for text, size in headings:
            canvas.setFont("Times-Bold", size)
            for line in text.split("|"):
                canvas.drawString(72, y, line)
                y -= 1.2 * size
            y -= 20
        canvas.setFont("Times-Roman", 10)
        for row in range(12):
            canvas.drawString(72, y - 12 * row, f"{_PROSE} row {row % 10} holds")

    return read(pdf_maker.drawn(paint)).title


@pytest.mark.parametrize(
    ("headings", "title"),
    [
        ([("Of Pumps", 18.0), ("Of Floats", 18.3)], "Of Pumps"),
        ([("Contents", 24.0), ("Of Pumps", 18.0)], "Of Pumps"),
        ([("1200 Market Street, Suite 4", 20.0), ("Of Pumps", 18.0)], "Of Pumps"),
        ([("Mühlenweg 12, D-04107 Leipzig", 20.0), ("Of Pumps", 18.0)], "Of Pumps"),
        ([("Springfield, IL 62701", 20.0), ("Of Pumps", 18.0)], "Of Pumps"),
        ([("Call us: 801-815-2922", 20.0), ("Of Pumps", 18.0)], "Of Pumps"),
        ([("www.example.org", 20.0), ("Of Pumps", 18.0)], "Of Pumps"),
        ([("I C\xa52QI 2\xa32/4 1", 23.0), ("Of Pumps", 18.0)], "Of Pumps"),
        ([("Of Pumps|and of Floats|and of Valves|and of Mills", 30.0), ("One", 18.0)],
         "Of Pumps and of Floats and of Valves and of Mills"),
    ],
)  # fmt: skip
def test_the_title_is_the_first_of_the_largest_headings_that_may_be_one(
    headings: list[tuple[str, float]], title: str
) -> None:
    assert _titled(headings) == title


@pytest.mark.parametrize("empty", ["R Graphics Output", "PowerPoint Presentation", "Document1"])
def test_what_programs_write_for_want_of_a_title_is_none(empty: str) -> None:
    assert _titled([("Of Pumps", 18.0)], metadata=empty) == "Of Pumps"


def _begun(*beginnings: tuple[str, str]) -> Document:
    """A page of paragraphs that begin in bold and go on in Roman type."""

    def paint(canvas: Canvas) -> None:
        y = 740
        for bold, rest in beginnings:
            canvas.setFont("Times-Bold", 10)
            canvas.drawString(72, y, bold)
            left = 72 + canvas.stringWidth(bold + " ", "Times-Bold", 10)
            canvas.setFont("Times-Roman", 10)
            canvas.drawString(left, y, f"{rest} at the upper basin, as long as it is open")
            for row in range(1, 4):
                canvas.drawString(72, y - 12 * row, f"{_PROSE} row {row} holds, so that it is")
            y -= 70

    return read(pdf_maker.drawn(paint))


@pytest.mark.parametrize(
    ("beginnings", "headings"),
    [
        ([("Background:", "The valve is")], ["Background:"]),
        ([("Theorem 1. Floats.", "A float is"), ("Proof.", "By reading")],
         ["Theorem 1. Floats.", "Proof."]),
        ([("Level Control", "The valve is"), ("Flow", "In the pump it is")],
         ["Level Control", "Flow"]),
        ([("Level Control", "The valve is")], []),
        ([("Floats", "are read"), ("Valves", "are read")], []),
        ([("note that", "The valve is"), ("and that", "The valve is")], []),
    ],
)  # fmt: skip
def test_run_in_heads_are_headings(beginnings: list[tuple[str, str]], headings: list[str]) -> None:
    document = _begun(*beginnings)
    assert texts(document, Kind.HEADING) == headings
    if headings:
        assert texts(document, Kind.PARAGRAPH)[0].startswith(beginnings[0][1])
    else:
        assert texts(document, Kind.PARAGRAPH)[0].startswith(" ".join(beginnings[0]))


def test_text_among_the_numbers_of_charts_is_no_paragraph() -> None:
    def paint(canvas: Canvas) -> None:
        for row in range(8):
            canvas.drawString(72 + 30 * (row % 2), 740 - 40 * row, f"{10 * row}%")
            canvas.drawString(300, 720 - 40 * row, f"More than {row} in all cases")
        canvas.drawString(72, 300, f"{_PROSE} it holds what it should in all of these cases.")

    document = read(pdf_maker.drawn(paint))
    assert texts(document, Kind.PARAGRAPH) == [
        f"{_PROSE} it holds what it should in all of these cases."
    ]
    assert "More than 3 in all cases" in document.text


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [("Required Actions:", True), ("All of these are to be read:", False), ("and then:", False)],
)
def test_a_short_bold_line_before_a_colon_is_a_heading(line: str, is_heading: bool) -> None:
    def paint(canvas: Canvas) -> None:
        for part in range(2):
            canvas.setFont("Times-Bold", 10)
            canvas.drawString(72, 740 - 140 * part, line)
            canvas.setFont("Times-Roman", 10)
            for row in range(6):
                canvas.drawString(72, 716 - 140 * part - 12 * row, f"{_PROSE} row {row} holds")

    headings = texts(read(pdf_maker.drawn(paint)), Kind.HEADING)
    assert headings == ([line] * 2 if is_heading else [])


def test_a_page_full_of_cells_is_a_table() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 4)
        for row in range(100):
            for column in range(20):
                canvas.rect(30 + 20 * column, 20 + 7 * row, 20, 7)
                canvas.drawString(31 + 20 * column, 21 + 7 * row, "a b")

    document = read(pdf_maker.drawn(paint))
    assert texts(document, Kind.TABLE)[0].count("a b") == 2000
    assert document.reading.left_out == ()


@pytest.mark.parametrize(
    "sign",
    [
        "rolled_back_dev_pct rolled_back_stage_pct rolled_back_prod_pct nodes",
        "0 10 20 30 40 50 60 70 80 90 100",
    ],
)
def test_scraps_beside_an_axis_or_a_legend_are_no_paragraphs(sign: str) -> None:
    sentence = "The survey was held in two months and ended in March."

    def paint(canvas: Canvas) -> None:
        for row, line in enumerate((sign, "10-1000 Nodes", sentence)):
            canvas.drawString(72, 700 - 60 * row, line)

    kinds = {text: kind for kind, text in outline(read(pdf_maker.drawn(paint)))}
    assert kinds["10-1000 Nodes"] == Kind.CAPTION
    assert kinds[sentence] == Kind.PARAGRAPH
    assert kinds[sign] != Kind.PARAGRAPH


def test_names_of_columns_in_sentences_stay_text() -> None:
    lines = [
        "Count rolled_back_dev_pct and max_nodes twice.",
        "It was asked of everybody in the town.",
    ]

    def paint(canvas: Canvas) -> None:
        for row, line in enumerate(lines):
            canvas.drawString(72, 700 - 40 * row, line)

    assert [kind for kind, _ in outline(read(pdf_maker.drawn(paint)))] == [Kind.PARAGRAPH] * 2


@pytest.mark.parametrize(("text_at", "notes_at"), [(150, 72), (72, 440)])
def test_notes_in_the_margin_are_captions_and_cut_no_line(text_at: float, notes_at: float) -> None:
    notes = [["Short title.", "1906, c. 5."], ["Power of the", "Minister."], ["Penalty."]]
    sections = [pdf_maker.paragraph(random.Random(seed), 60) for seed in range(3)]

    def paint(canvas: Canvas) -> None:
        y = HEIGHT - 72
        for section, note in zip(sections, notes, strict=True):
            for index, line in enumerate(simpleSplit(section, "Times-Roman", 11, 340)):
                canvas.setFont("Times-Roman", 11)
                canvas.drawString(text_at, y, line)
                if index < len(note):
                    canvas.setFont("Times-Roman", 8)
                    canvas.drawString(notes_at, y, note[index])
                y -= 13
            y -= 8

    document = read(pdf_maker.drawn(paint))
    assert texts(document, Kind.PARAGRAPH) == sections
    assert texts(document, Kind.CAPTION) == [" ".join(note) for note in notes]


def test_rights_and_licences_are_no_text_to_be_summarised() -> None:
    texts = {
        "The mill stands on the river and grinds the corn of three villages all year.": "text",
        "Copyright © 2019 by the Mill Gazette, all of its writers and their heirs.": "rights",
        "Permission is granted to copy, distribute and/or modify this document under the terms of"
        " the GNU Free Documentation License, Version 1.3 or any later version.": "rights",
        "Permission is granted to grind at night, says the council of the village.": "text",
    }
    printer = pdf_maker.Printer(pdf_maker.Style(indent=0.0, space_after=9.0))
    frames = pdf_maker.pages_of(1)
    for text in texts:
        frames = printer.set(text, frames)
    kinds = {"text": Kind.PARAGRAPH, "rights": Kind.BOILERPLATE}
    found = read(printer.finish())
    assert outline(found) == [(kinds[sort], text) for text, sort in texts.items()]


def test_a_syllabus_in_smaller_type_is_text_and_its_notes_are_notes() -> None:
    generator = random.Random(7)
    notes = [f"{number} {pdf_maker.sentence(generator, 40)}" for number in (1, 2, 3)]

    def paint(canvas: Canvas) -> None:
        for size, note in zip((9, 12, 12), notes, strict=True):
            top = pdf_maker.HEIGHT - 72
            for text, font_size, num in ((None, size, 14), (note, 7, 1)):
                canvas.setFont("Times-Roman", font_size)
                for _ in range(num):
                    whole = text or pdf_maker.sentence(generator, 24)
                    for line in simpleSplit(whole, "Times-Roman", font_size, 400):
                        canvas.drawString(72, top, line)
                        top -= 1.2 * font_size
            canvas.showPage()

    assert texts(read(pdf_maker.drawn(paint)), Kind.FOOTNOTE) == notes

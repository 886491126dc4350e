"""Tables of PDFs that have no rules: a cell of several lines is one cell."""

import random
from itertools import product

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from core.documents.document import Document, Kind, Source
from core.documents.readers.pdf import read_pdf
from core.events import result_of
from core.stop import StopToken
from tests.helpers import pdf_maker
from tests.helpers.pdf_maker import HEIGHT
from tests.helpers.reader_checks import outline, texts

_FONT, _SIZE, _LEADING = "Times-Roman", 10.0, 12.0
_BEFORE = "The table says what the council bought in that year, and who has to look after it."
_AFTER = "Below the table there is another sentence, and it is the last one of the whole page."
_BOUGHT = [
    ["Thing", "What it is for", "Kept by", "Cost"],
    ["Lantern", "Lights the north quay from dusk to midnight in winter", "Harbour master", "120"],
    ["Rowing boat with oars", "Brings the pilots out to ships at anchor", "Pilots", "2,300"],
    ["Ledger", "Purchases", "Clerk of the town council", "14"],
    ["Bell", "Warns of fog when nobody can see the lantern from the sea", "Verger", "95"],
]
_DUTIES = [
    [
        "Audit committee",
        "The committee looks at all accounts of the town twice a year. It reports to the council.",
    ],
    ["Harbour master", "The harbour master collects the dues and keeps the lantern lit at night."],
    [
        "Clerk",
        "The clerk writes down what the council decides, and reads it out at the next meeting, "
        "which is held on the first Monday of the month unless that is a holiday.",
    ],
    ["Verger", "The verger rings the bell when there is fog. He sweeps the church on Saturdays."],
]
_RISKS = [
    [
        "The quay may be damaged by storms before the new piles are in place next spring.",
        "The old piles are clad first. Ships are sent to the south quay when the wind is strong.",
    ],
    ["The dues may not cover the cost of the lantern.", "The council pays the rest until 1912."],
    [
        "Nobody may want to be the verger.",
        "The parish offers a house beside the church to whoever takes the post and keeps it for "
        "at least three years after the next election.",
    ],
]


def read(data: bytes) -> Document:
    return result_of(read_pdf(data, Source("a report.pdf"), StopToken()))


def _table(
    canvas: Canvas,
    rows: list[list[str]],
    widths: list[float],
    *,
    gap: float,
    align: float = 0.0,
    by_lines: bool = False,
    top: float = HEIGHT - 110,
) -> float:
    """Draws a table without rules.

    Args:
        canvas: The page.
        rows: The texts of the cells.
        widths: Of the columns, a gap included.
        gap: Space between rows.
        align: Where short cells stand beside tall ones: 0 at the top, 1 at the foot.
        by_lines: Whether line by line is drawn across all cells, not cell by cell.
        top: Where it begins, from the foot of the page.

    Returns:
        Where it ends.
    """
    for row in rows:
        cells = [
            simpleSplit(text, _FONT, _SIZE, width - 16)
            for text, width in zip(row, widths, strict=True)
        ]
        height = max(map(len, cells)) * _LEADING
        drawn = []
        for column, lines in enumerate(cells):
            y = top - align * (height - len(lines) * _LEADING)
            drawn += [(y - n * _LEADING, column, line) for n, line in enumerate(lines)]
        for y, column, line in sorted(drawn, key=lambda d: -d[0]) if by_lines else drawn:
            canvas.drawString(72 + sum(widths[:column]), y, line)
        top -= height + gap
    return top


def _read(rows: list[list[str]], widths: list[float], **how: object) -> Document:
    def paint(canvas: Canvas) -> None:
        canvas.drawString(72, HEIGHT - 72, _BEFORE)
        end = _table(canvas, rows, widths, **how)  # type: ignore[arg-type]
        canvas.drawString(72, end - 30, _AFTER)

    return read(pdf_maker.drawn(paint))


@pytest.mark.parametrize(("gap", "align"), [*product((0, 3, 8), (0.0, 0.5)), (8, 1.0)])
def test_a_cell_of_several_lines_is_one_cell(gap: float, align: float) -> None:
    document = _read(_BOUGHT, [90, 150, 90, 60], gap=gap, align=align)
    assert outline(document) == [
        (Kind.PARAGRAPH, _BEFORE),
        (Kind.TABLE, "\n".join("\t".join(row) for row in _BOUGHT)),
        (Kind.PARAGRAPH, _AFTER),
    ]
    assert document.reading.left_out == ()


def test_lines_of_a_cell_are_known_by_their_distance_where_the_page_is_drawn_line_by_line() -> None:
    document = _read(_BOUGHT, [90, 150, 90, 60], gap=8, by_lines=True)
    assert texts(document, Kind.TABLE) == ["\n".join("\t".join(row) for row in _BOUGHT)]


@pytest.mark.parametrize(("gap", "by_lines"), [*product((0, 8), (False, True))])
def test_sentences_of_a_cell_are_whole_and_without_the_cell_beside_it(
    gap: float, by_lines: bool
) -> None:
    document = _read(_DUTIES, [120, 300], gap=gap, by_lines=by_lines)
    found = [(Kind.CAPTION, row[0]) for row in _DUTIES], [(Kind.PARAGRAPH, r[1]) for r in _DUTIES]
    rows = [cell for row in zip(*found, strict=True) for cell in row]
    assert outline(document) == [(Kind.PARAGRAPH, _BEFORE), *rows, (Kind.PARAGRAPH, _AFTER)]


@pytest.mark.parametrize("align", [0.0, 0.5, 1.0])
def test_sentences_are_whole_wherever_a_short_cell_stands_beside_them(align: float) -> None:
    document = _read(_DUTIES, [120, 300], gap=8, align=align)
    assert texts(document, Kind.CAPTION) == [row[0] for row in _DUTIES]
    assert texts(document, Kind.PARAGRAPH) == [_BEFORE, *(row[1] for row in _DUTIES), _AFTER]


@pytest.mark.parametrize(("gap", "align"), [*product((0, 8), (0.0, 0.5))])
def test_wide_cells_side_by_side_are_no_columns_of_text(gap: float, align: float) -> None:
    document = _read(_RISKS, [220, 230], gap=gap, align=align)
    assert texts(document, Kind.PARAGRAPH) == [_BEFORE, *(c for row in _RISKS for c in row), _AFTER]


def test_words_broken_between_the_lines_of_a_cell_are_put_together() -> None:
    lines = ["Inspec-", "tion of the", "north quay"]

    def paint(canvas: Canvas) -> None:
        canvas.drawString(72, HEIGHT - 72, "The inspection of the quay is told in the table below.")
        for row in range(4):
            y = HEIGHT - 110 - 44 * row
            canvas.drawString(72, y, f"Day {row}")
            for number, line in enumerate(lines):
                canvas.drawString(172, y - 12 * number, line)
            canvas.drawString(272, y, str(7 * row + 1))

    (table,) = texts(read(pdf_maker.drawn(paint)), Kind.TABLE)
    assert table.splitlines()[1] == "Day 1\tInspection of the north quay\t8"


def test_rows_of_a_table_of_figures_stay_rows() -> None:
    rows = [["Year", "Area", "Yield"]]
    rows += [[str(1990 + n), f"{n * 7.5:.1f}", str(120 + 3 * n)] for n in range(9)]

    def paint(canvas: Canvas) -> None:
        canvas.drawString(72, HEIGHT - 72, _BEFORE)
        top = HEIGHT - 110
        for part in (rows[:4], rows[4:7], rows[7:]):  # rows in groups, with a gap between them
            top = _table(canvas, part, [60, 60, 60], gap=0, top=top) - 6

    table = "\n".join("\t".join(row) for row in rows)
    assert texts(read(pdf_maker.drawn(paint)), Kind.TABLE) == [table]


def test_rows_whose_first_cell_is_empty_stay_rows() -> None:
    rows = [
        ["Fruit", "Red apples", "12"],
        ["", "Green pears", "14"],
        ["", "Blue plums", "9"],
        ["Corn", "Rye", "110"],
        ["", "Barley", "70"],
    ]
    table = "\n".join("\t".join(row) for row in rows)
    assert texts(_read(rows, [80, 120, 60], gap=4), Kind.TABLE) == [table]


def test_a_table_drawn_column_by_column_keeps_its_rows() -> None:
    rows = [["Town", "Houses", "People"], ["Aldmoor", "12", "77"], ["Bex", "140", "901"]]
    rows += [["Corley", "31", "160"], ["Dunn", "9", "41"]]

    def paint(canvas: Canvas) -> None:
        for column in range(3):
            for row, cells in enumerate(rows):
                canvas.drawString(72 + 100 * column, 700 - 14 * row, cells[column])

    table = "\n".join("\t".join(row) for row in rows)
    assert outline(read(pdf_maker.drawn(paint))) == [(Kind.TABLE, table)]


@pytest.mark.parametrize("seed", range(3))
def test_columns_of_text_that_are_drawn_in_turn_stay_columns(seed: int) -> None:
    """Bands of two columns, drawn one after the other, are no table: they begin anywhere."""
    generator = random.Random(seed)
    parts = [pdf_maker.paragraph(generator, 150) for _ in range(2)]
    frames = pdf_maker.columns(2)
    printer = pdf_maker.Printer(pdf_maker.Style(indent=0.0))
    for part, frame in zip(parts, frames, strict=True):
        printer.set(part, [frame])
    assert texts(read(printer.finish()), Kind.PARAGRAPH) == parts


def test_numbered_clauses_and_names_with_a_colon_stay_text() -> None:
    clauses = [
        ["1.1", "The seller delivers the goods to the quay on the day that both have agreed on."],
        ["1.2", "The buyer pays within thirty days after the goods have been delivered to him."],
        ["1.3", "The court of the town decides where the two of them do not agree on the price."],
    ]
    found = texts(_read(clauses, [40, 300], gap=6))
    assert found == [_BEFORE, *(" ".join(clause) for clause in clauses), _AFTER]


def test_contents_whose_chapters_have_no_dots_are_contents() -> None:
    """As LaTeX sets them: dots lead to the page from sections, and a gap from chapters."""
    entries = [
        ("2 Pumps of the mill", ""),
        ("2.1 How the old pump lifts the water", " . ." * 20),
        ("2.2 How the new pump lifts the water", " . ." * 20),
        ("2.3 What both of them cost in a year", " . ." * 20),
    ]

    def paint(canvas: Canvas) -> None:
        for row, (title, dots) in enumerate(entries):
            y = HEIGHT - 100 - 12 * row
            canvas.drawString(87 if dots else 72, y, title + dots)
            canvas.drawString(455, y, str(7 + row))
        canvas.drawString(72, HEIGHT - 180, _AFTER)

    found = outline(read(pdf_maker.drawn(paint)))
    assert [kind for kind, _ in found] == [Kind.BOILERPLATE, Kind.PARAGRAPH]
    assert found[0][1].startswith("2 Pumps of the mill 7 2.1 How the old pump")
    assert found[1][1] == _AFTER

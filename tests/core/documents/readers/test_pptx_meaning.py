"""PowerPoint presentations whose signs, strokes and formulas change what a text says."""

import pytest

from core.documents.document import Document, Kind
from core.documents.readers.office import struck_but_kept
from tests.helpers import pptx_files
from tests.helpers.pptx_files import Slide, diagram, framed, pptx_file, shape
from tests.helpers.reader_checks import outline, read, texts

LATIN = '<a:latin typeface="{0}"/>'
SIGN = '<a:sym typeface="{0}"/>'


def run(text: str, inner: str = "", **attributes: str) -> str:
    said = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f"<a:r><a:rPr {said}>{inner}</a:rPr><a:t>{text}</a:t></a:r>"


def slide(*paragraphs: str, notes: str = "") -> Document:
    inner = [f"<a:p>{each}</a:p>" for each in paragraphs]
    return read(pptx_file(Slide(shape(*inner), notes)), "a.pptx")


def left_out(document: Document) -> list[tuple[str, int, tuple[int, ...]]]:
    return [(item.what, item.words, item.pages) for item in document.reading.left_out]


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (run("m", LATIN.format("Symbol")) + run("g a day."), "μg a day."),
        (run("\uf0b1", SIGN.format("Symbol")) + run(" 2 a day."), "± 2 a day."),
        (run("\uf0fe", SIGN.format("Wingdings")) + run(" Done."), "☒ Done."),
        (run("\uf0e0 so à la mode.", LATIN.format("Arial") + SIGN.format("Wingdings")),
         "→ so à la mode."),
        (run("abc ±.", LATIN.format("Segoe UI Symbol")), "abc ±."),
    ],
)  # fmt: skip
def test_signs_of_symbol_fonts_are_those_that_are_seen(runs: str, text: str) -> None:
    assert texts(slide(run("We meet in May at nine."), runs)) == ["We meet in May at nine.", text]


def test_struck_words_are_left_out_and_counted() -> None:
    document = slide(run("The fee is ") + run("50", strike="sngStrike") + run(" 60 euros."))
    assert texts(document) == ["The fee is 60 euros."]
    assert left_out(document) == [("deleted passages", 1, (1,))]
    double = run("old", strike="dblStrike") + run(" new rule holds.", strike="noStrike")
    assert texts(slide(double)) == ["new rule holds."]


def test_a_presentation_that_is_mostly_struck_is_read_and_says_so() -> None:
    done = slide(run("Buy the bread.", strike="sngStrike") + run(" Then eggs."))
    assert texts(done) == ["Buy the bread. Then eggs."]
    assert not left_out(done)
    assert done.reading.notes == (struck_but_kept(3),)


def test_a_slide_that_is_mostly_struck_is_left_out_where_the_presentation_is_not() -> None:
    items = [run(f"Talk about plan {number}.", strike="sngStrike") for number in "123"]
    agenda = "".join(f"<a:p>{item}</a:p>" for item in (*items, run("Talk about the new bridge.")))
    rest = shape("The bridge was built in a year of rain, and the town paid for all of it.")
    document = read(pptx_file(Slide(shape(agenda)), Slide(rest)), "a.pptx")
    assert texts(document)[0] == "Talk about the new bridge."
    assert left_out(document) == [("deleted passages", 12, (1,))]
    assert not document.reading.notes


def test_struck_words_of_diagrams_are_left_out() -> None:
    entry = "<a:p>" + run("Plan the ") + run("old ", strike="sngStrike") + run("work.") + "</a:p>"
    plain = "<a:p>" + run("Plan of the town and its bridges.") + "</a:p>"
    data = diagram({"a": "X", "b": "Do the work."}, [])
    data = data.replace(pptx_files.paragraph("X"), entry)
    drawn = framed('<dgm:relIds r:dm="part1"/>')
    shapes = shape(plain) + drawn
    parts = {"diagrams/data1.xml": ("diagramData", data)}
    document = read(pptx_file(Slide(shapes, parts=parts)), "a.pptx")
    assert texts(document)[1:] == ["Plan the work.", "Do the work."]
    assert left_out(document) == [("deleted passages", 1, (1,))]


def test_struck_words_of_speaker_notes_are_left_out() -> None:
    words = run("Say ") + run("no", strike="sngStrike") + run(" yes to all of them.")
    document = slide(run("We meet in May."), notes=shape(f"<a:p>{words}</a:p>"))
    assert texts(document)[-1] == "Say yes to all of them."


def test_formulas_of_one_display_are_apart_and_bases_have_brackets() -> None:
    def formula(inner: str) -> str:
        return f"<m:oMath>{inner}</m:oMath>"

    power = (
        "<m:sSup><m:e><m:f><m:num><m:r><m:t>x</m:t></m:r></m:num><m:den><m:r><m:t>y</m:t></m:r>"
        "</m:den></m:f></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    )
    display = formula(power) + formula("<m:r><m:t>c=d</m:t></m:r>")
    document = slide(run("The rule is so."), f"<m:oMathPara>{display}</m:oMathPara>")
    assert texts(document) == ["The rule is so.", "(x/y)²", "c = d"]


def test_bold_heads_at_line_breaks_are_paragraphs() -> None:
    head = run("Scope", b="1") + "<a:br/>" + run("It covers the boats.") + "<a:br/>" + run("All.")
    assert texts(slide(head))[-2:] == ["Scope", "It covers the boats. All."]
    within = run("We saw the") + "<a:br/>" + run("Great Museum", b="1") + "<a:br/>" + run("there.")
    assert texts(slide(within)) == ["We saw the Great Museum there."]


def test_formulas_that_other_programs_draw_are_counted() -> None:
    shapes = shape("It holds for all of them.") + framed('<p:oleObj progId="Equation.3"/>')
    document = read(pptx_file(Slide(shapes)), "a.pptx")
    assert outline(document) == [(Kind.PARAGRAPH, "It holds for all of them.")]
    assert [(item.what, item.why) for item in document.reading.left_out] == [
        ("1 formula", "it is an object of another program")
    ]


def test_boxes_as_bullets_differ_where_some_are_ticked() -> None:
    def item(text: str, char: str) -> str:
        font = '<a:buFont typeface="Wingdings"/>'
        return f'<a:pPr>{font}<a:buChar char="{char}"/></a:pPr>{run(text)}'

    document = slide(item("Bread", "\xfe"), item("Milk", "\xa8"), item("Eggs", "\xa7"))
    assert texts(document) == ["☒ Bread", "☐ Milk", "Eggs"]
    assert texts(slide(item("Bread", "\xfc"), item("Milk", "\xfc"))) == ["Bread", "Milk"]

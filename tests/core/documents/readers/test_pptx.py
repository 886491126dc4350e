"""PowerPoint presentations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Kind
from core.documents.readers.door import check_enough
from core.errors import EpitomeError
from tests.helpers.pptx_files import (
    Slide,
    chart,
    diagram,
    framed,
    group,
    numbered,
    paragraph,
    picture,
    pptx_file,
    shape,
    table,
)
from tests.helpers.reader_checks import check_spans, outline, read, texts

_BULLETS = '<a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr>'


def _slide(*shapes: str, **more: object) -> Slide:
    return Slide("".join(shapes), **more)  # type: ignore[arg-type]


def test_slides_are_pages_in_the_order_they_are_shown_and_their_titles_headings() -> None:
    data = pptx_file(
        _slide(shape("Of Pumps", place="ctrTitle"), shape("A. Miller", place="subTitle:1")),
        _slide(shape("The basin is wide."), shape("Parts", place="title")),
        _slide(shape("It works.")),
    )
    document = read(data, "a.pptx")
    assert document.title == "Of Pumps"
    assert outline(document) == [
        (Kind.HEADING, "Of Pumps"),
        (Kind.PARAGRAPH, "A. Miller"),
        (Kind.HEADING, "Parts"),
        (Kind.PARAGRAPH, "The basin is wide."),
        (Kind.PARAGRAPH, "It works."),
    ]
    assert list(document.levels) == [1, 0, 2, 0, 0]
    assert [document.page_at(int(start)) for start in document.starts] == [1, 1, 2, 2, 3]
    assert (document.reading.pages, document.reading.of_pages) == (3, 3)


def test_bullets_are_inherited_and_numbers_written_out() -> None:
    body = shape(
        paragraph("a"),
        paragraph("b", 1),
        paragraph("plain", 0, "<a:buNone/>"),
        paragraph("c", 0, numbered()),
        paragraph("d", 1, numbered("alphaLcParenR", 3)),
        paragraph("e", 0, numbered()),
        paragraph("f", 0, numbered(start=10)),
        paragraph("f", 0, numbered(start=10)),
        paragraph("f", 0, numbered("romanUcParenBoth", 3)),
        place="body:1",
    )
    box = shape("There is no bullet", paragraph("g", 0, '<a:buChar char="•"/>'))
    document = read(pptx_file(_slide(body, box), styles=_BULLETS), "a.pptx")
    assert texts(document) == [
        "a", "b", "plain", "1. c", "c) d", "2. e", "10. f", "11. f", "(III) f",
        "There is no bullet", "g",
    ]  # fmt: skip
    assert texts(document, Kind.PARAGRAPH) == ["plain", "There is no bullet"]
    assert list(document.levels) == [1, 2, 0, 1, 2, 1, 1, 1, 1, 0, 1]


def test_a_layout_without_bullets_gives_paragraphs() -> None:
    plain = "<a:lvl1pPr><a:buNone/></a:lvl1pPr>"
    layout = shape("Click here", place="body:7", styles=plain)
    document = read(
        pptx_file(_slide(shape("It works.", place="body:7")), layout=layout, styles=_BULLETS),
        "a.pptx",
    )
    assert outline(document) == [(Kind.PARAGRAPH, "It works.")]


def test_labels_of_drawings_are_no_sentences() -> None:
    data = pptx_file(_slide(shape("3.10"), shape("Full support"), shape("It runs.")))
    document = read(data, "a.pptx")
    assert texts(document, Kind.CAPTION) == ["3.10", "Full support"]
    assert texts(document, Kind.PARAGRAPH) == ["It runs."]


def test_shapes_are_read_from_top_to_bottom_and_from_left_to_right() -> None:
    data = pptx_file(
        _slide(
            shape("foot", at=(50, 600, 900, 50)),
            shape("right", at=(600, 205, 300, 100)),
            shape("left", at=(50, 200, 300, 100)),
            group(
                shape("second", at=(0, 90, 90, 50)),
                shape("first", at=(0, 0, 90, 50)),
                at=(50, 350, 900, 200),
            ),
            shape("Title", place="title", at=(50, 700, 900, 50)),
        )
    )
    read_as = ["Title", "left", "right", "first", "second", "foot"]
    assert texts(read(data, "a.pptx")) == read_as


def test_columns_with_a_heading_each_are_read_one_after_the_other() -> None:
    columns = [
        shape(text, place=f"body:{index}")
        for index, text in enumerate(("For", "It is cheap.", "Against", "It is loud."), 1)
    ]
    places = ((50, 100, 400, 80), (50, 190, 400, 400), (550, 100, 400, 80), (550, 190, 400, 400))
    layout = "".join(shape("", place=f"body:{i}", at=at) for i, at in enumerate(places, 1))
    document = read(pptx_file(_slide(*columns), layout=layout), "a.pptx")
    assert texts(document) == ["For", "It is cheap.", "Against", "It is loud."]


def test_a_picture_beside_a_column_of_boxes_does_not_part_it() -> None:
    data = pptx_file(
        _slide(
            shape("beside", at=(600, 100, 350, 500)),
            shape("one", at=(50, 100, 300, 80)),
            shape("two", at=(70, 300, 200, 80)),
            shape("three", at=(50, 500, 300, 80)),
        )
    )
    assert texts(read(data, "a.pptx")) == ["one", "two", "three", "beside"]


def test_feet_dates_and_numbers_are_furniture_and_so_is_what_the_master_prints() -> None:
    slide = _slide(
        shape("It works."),
        shape("5 May 2020", place="dt:10"),
        shape("Mills Ltd.", place="ftr:11"),
        shape("7", place="sldNum:12"),
    )
    master = shape("Confidential to mills") + shape("Click to edit the title", place="title")
    document = read(pptx_file(slide, slide, master=master), "a.pptx")
    assert texts(document) == ["It works.", "It works."]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.words) == ("running heads and footers", 2 * 6 + 3)
    assert document.reading.complete


def test_what_stands_on_most_slides_is_furniture() -> None:
    slides = [_slide(shape("Only for mills"), shape(f"Slide {n} says this.")) for n in range(6)]
    document = read(pptx_file(*slides, _slide(shape("Only for mills"))), "a.pptx")
    assert texts(document) == [f"Slide {n} says this." for n in range(6)]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.words) == ("running heads and footers", 7 * 3)
    few = read(pptx_file(*slides[:4]), "a.pptx")
    assert len(texts(few)) == 8


def test_speaker_notes_follow_their_slide_and_are_said() -> None:
    notes = shape("", place="sldImg") + shape("We began in 1881.", place="body:1")
    notes += shape("3", place="sldNum:10")
    data = pptx_file(_slide(shape("It works."), notes=notes), _slide(shape("Still.")))
    document = read(data, "a.pptx")
    assert outline(document) == [
        (Kind.PARAGRAPH, "It works."),
        (Kind.CAPTION, "Speaker notes"),
        (Kind.PARAGRAPH, "We began in 1881."),
        (Kind.PARAGRAPH, "Still."),
    ]
    assert document.page_at(document.text.index("We began")) == 1
    assert document.reading.notes == ("1 slide has speaker notes; they were read after the slide.",)


def test_notes_that_hold_nothing_of_their_own_are_not_announced() -> None:
    slides = [
        _slide(shape(f"Slide {n} says this."), notes=shape("Mills Ltd.", place="body:1"))
        for n in range(6)
    ]
    document = read(pptx_file(*slides), "a.pptx")
    assert texts(document) == [f"Slide {n} says this." for n in range(6)]
    assert document.reading.notes == ()


def test_slides_without_any_text_are_a_document_without_text() -> None:
    with pytest.raises(EpitomeError, match="contains no words"):
        read(pptx_file(_slide(), _slide(shape("", place="title"))), "a.pptx")


def test_the_short_text_at_the_top_is_the_title_where_no_placeholder_is() -> None:
    data = pptx_file(
        _slide(
            shape("The mill", at=(50, 50, 800, 80)), shape("It runs by day.", at=(50, 200, 9, 9))
        ),
        _slide(shape("How it runs", at=(50, 50, 800, 80)), shape("By water.", at=(50, 200, 9, 9))),
        _slide(shape("3.10"), shape("Full support"), shape("It runs.")),
    )
    document = read(data, "a.pptx")
    headings = np.flatnonzero(document.kinds == Kind.HEADING)
    assert [(document.paragraph(i), document.levels[i]) for i in headings] == [
        ("The mill", 1),
        ("How it runs", 2),
    ]
    assert document.title == "The mill"


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("We always review our work with the millers", Kind.PARAGRAPH),
        ("The wheel turns slowly.", Kind.PARAGRAPH),
        ("Do we always review our work with the millers?", Kind.HEADING),
        ("More to come this year", Kind.HEADING),
    ],
)
def test_a_statement_that_is_all_of_a_slide_is_text(title: str, kind: Kind) -> None:
    slide = _slide(shape(title, place="title"))
    assert outline(read(pptx_file(slide), "a.pptx")) == [(kind, title)]
    more = _slide(shape(title, place="title"), shape("It does so every day."))
    assert outline(read(pptx_file(more), "a.pptx"))[0] == (Kind.HEADING, title)


def test_lines_of_a_box_that_are_no_sentences_are_items() -> None:
    lines = [paragraph(text) for text in ("Purpose:", "Find the wheel", "Mend the wheel")]
    box = shape("", *lines, place="body:1")
    document = read(pptx_file(_slide(shape("Title", place="title"), box)), "a.pptx")
    assert outline(document)[1:] == [
        (Kind.PARAGRAPH, "Purpose:"),
        (Kind.LIST_ITEM, "Find the wheel"),
        (Kind.LIST_ITEM, "Mend the wheel"),
    ]


def test_hidden_slides_and_shapes_and_comments_are_left_out_and_said() -> None:
    comments = '<p:cmLst xmlns:p="x"><p:cm><p:text>Really so?</p:text></p:cm></p:cmLst>'
    data = pptx_file(
        _slide(shape("It works."), shape("Not shown", hidden=True)),
        _slide(shape("A hidden slide"), hidden=True),
        **{"ppt/comments/comment1.xml": comments},
    )
    document = read(data, "a.pptx")
    assert texts(document) == ["It works."]
    said = {item.what: (item.words, item.pages) for item in document.reading.left_out}
    assert said == {
        "hidden slides": (3, (2,)),
        "hidden text": (2, (1,)),
        "comments": (2, ()),
    }
    assert document.reading.complete
    assert (document.reading.pages, document.reading.of_pages) == (1, 2)


def test_slides_of_pictures_alone_are_missed_and_other_pictures_counted() -> None:
    data = pptx_file(
        _slide(shape("It works."), picture()), _slide(picture(), group(picture())), _slide()
    )
    document = read(data, "a.pptx")
    said = [(item.what, item.pages, item.missed) for item in document.reading.left_out]
    assert said == [
        ("slides without text", (2,), True),
        ("empty slides", (3,), False),
        ("3 pictures", (1, 2), False),
    ]


def test_tables_charts_and_diagrams_are_read() -> None:
    parts = {
        "charts/c.xml": (
            "chart",
            chart("Yield", ["2019", "2020"], Wheat=["12", "4.4000000000000004"]),
        ),
        "diagrams/d.xml": (
            "diagramData",
            diagram(
                {"child": "Float", "root": "", "top": "Basin", "next": "Pipe"},
                [("root", "top"), ("top", "child"), ("root", "next"), ("child", "root")],
            ),
        ),
    }
    shapes = (
        table(("Name", "Width"), ("Basin", "12"), ("", "")),
        framed('<c:chart r:id="part1"/>'),
        framed('<dgm:relIds r:dm="part2" r:lo="l"/>'),
        framed('<p:oleObj r:id="gone"/>'),
    )
    document = read(pptx_file(_slide(*shapes, parts=parts)), "a.pptx")
    assert outline(document)[:3] == [
        (Kind.TABLE, "Name\tWidth\nBasin\t12"),
        (Kind.CAPTION, "Yield"),
        (Kind.TABLE, "\tWheat\n2019\t12\n2020\t4.4".strip()),
    ]
    assert sorted(texts(document, Kind.LIST_ITEM)) == ["Basin", "Float", "Pipe"]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.pages, left_out.missed) == ("embedded objects", (1,), True)


def test_entries_of_a_diagram_stand_below_those_they_belong_to() -> None:
    texts_of = {"doc": "", "b": "Pipe", "a1": "Float", "a": "Basin"}
    data = diagram(texts_of, [("doc", "a"), ("a", "a1"), ("doc", "b")])
    slide = _slide(
        framed('<dgm:relIds r:dm="part1"/>'), parts={"diagrams/d.xml": ("diagramData", data)}
    )
    document = read(pptx_file(slide), "a.pptx")
    assert texts(document) == ["Basin", "Float", "Pipe"]
    assert list(document.levels) == [1, 2, 1]


def test_breaks_fields_formulas_and_alternatives_are_read_once() -> None:
    inner = (
        "<a:p><a:r><a:t>See </a:t></a:r><a:fld type='slidenum'><a:t>3</a:t></a:fld><a:br/>"
        "<a:r><a:t>co\u00adop</a:t></a:r><a:endParaRPr/></a:p>"
    )
    formula = "<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath>"
    choice = shape(f"<a:p>{formula}</a:p>")
    data = pptx_file(
        _slide(
            shape(inner),
            f"<mc:AlternateContent><mc:Choice>{choice}</mc:Choice>"
            f"<mc:Fallback>{shape('x equals one')}</mc:Fallback></mc:AlternateContent>",
        )
    )
    assert texts(read(data, "a.pptx")) == ["See 3 coop", "x = 1"]


def test_powers_indexes_and_fractions_do_not_become_part_of_numbers() -> None:
    def run(text: str, baseline: str = "") -> str:
        shift = f' baseline="{baseline}"' if baseline else ""
        return f'<a:r><a:rPr lang="en"{shift}/><a:t>{text}</a:t></a:r>'

    half = "<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
    powers = (
        run("About 10") + run("6", "30000") + run(" g of CO") + run("2", "-25000") + run(" ran in ")
    )
    inner = f"<a:p>{powers}{run('30', '0')}{run(' pumps and 2')}<m:oMath>{half}</m:oMath></a:p>"
    one = "<m:e><m:r><m:t>1</m:t></m:r></m:e>"
    matrix = f"<a:p><m:oMath><m:m><m:mr>{one}</m:mr></m:m></m:oMath></a:p>"
    document = read(pptx_file(_slide(shape(inner)), _slide(shape(matrix))), "a.pptx")
    assert texts(document) == ["About 10⁶ g of CO₂ ran in 30 pumps and 2 1/2"]
    assert document.reading.left_out[0].what == "1 formula"


def test_strict_files_and_other_suffixes_are_read() -> None:
    data = pptx_file(_slide(shape("Parts", place="title"), shape("It works.")))
    for name in ("a.pptm", "a.ppsx", "a.potx"):
        assert read(data, name).reading.notes == ()
    import zipfile
    from io import BytesIO

    from tests.helpers.archives import packed

    plain, strict = b"schemas.openxmlformats.org/", b"purl.oclc.org/ooxml/"
    with zipfile.ZipFile(BytesIO(data)) as old:
        parts: dict[str, str | bytes] = {
            name: old.read(name).replace(b"/2006/", b"/").replace(plain, strict)
            for name in old.namelist()
        }
    assert texts(read(packed(parts), "a.pptx")) == ["Parts", "It works."]


def test_missing_and_damaged_slides_are_said_and_the_others_read() -> None:
    data = pptx_file(
        _slide(shape("One.")),
        _slide(shape("Two.")),
        _slide(shape("Three.")),
        **{"ppt/slides/slide2.xml": "rubble"},
    )
    document = read(data, "a.pptx")
    assert texts(document) == ["One.", "Three."]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.pages, left_out.missed) == ("slides", (2,), True)
    data = pptx_file(_slide(shape("One.")), **{"ppt/presentation.xml": "rubble"})
    document = read(data, "a.pptx")
    assert texts(document) == ["One."]
    assert "order of the slides is damaged" in document.reading.notes[0]


def test_a_slide_that_is_named_often_is_read_once() -> None:
    data = pptx_file(_slide(shape("It works.")), times=1_000)
    assert read(data, "a.pptx").reading.of_pages == 1


def test_few_words_on_slides_are_no_scan() -> None:
    document = read(pptx_file(_slide(shape("It works.")), _slide()), "a.pptx")
    with pytest.raises(EpitomeError) as caught:
        check_enough(document)
    assert caught.value.remedy == "Open a document with more text."


def test_pages_without_text_are_named_where_words_are_too_few() -> None:
    ole = framed('<p:oleObj r:id="gone"/>')
    data = pptx_file(_slide(shape("It works."), ole), _slide(picture()), _slide(ole))
    with pytest.raises(EpitomeError, match=r"on its 3 pages \(pages 2, 3 without text\)"):
        check_enough(read(data, "a.pptx"))


def test_titles_that_a_program_made_are_none() -> None:
    core = (
        '<x xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>PowerPoint Presentation'
        "</dc:title></x>"
    )
    data = pptx_file(_slide(shape("It works.")), **{"docProps/core.xml": core})
    assert read(data, "a.pptx").title == "a"


def test_hostile_slides_end_soon() -> None:
    deep = shape("Deep.")
    for _ in range(70):
        deep = group(deep)
    assert "Deep." in texts(read(pptx_file(_slide(deep)), "a.pptx"))
    for _ in range(3_000):
        deep = f"<p:grpSp>{deep}</p:grpSp>"
    document = read(pptx_file(_slide(shape("First."), deep)), "a.pptx")
    assert texts(document) == ["First."]
    assert not document.reading.complete
    huge = f'<c:pt idx="{"9" * 5_000}"><c:v>9</c:v></c:pt><c:pt idx="x"><c:v>9</c:v></c:pt>'
    part = chart("Yield", ["2019"], Wheat=["12"]).replace("</c:cache>", f"{huge}</c:cache>")
    slide = _slide(
        *[framed('<c:chart r:id="part1"/>')] * 500, parts={"charts/c.xml": ("chart", part)}
    )
    assert len(texts(read(pptx_file(slide), "a.pptx"))) == 2


def test_shapes_in_a_spiral_are_read_in_bounded_depth() -> None:
    sides = [(9 * n, 50_000 - 18 * n) for n in range(2_500)]
    boxes = [(n, n, side, 3) if n % 2 else (n, n, 3, side) for n, side in sides]
    slide = _slide(*(shape(f"word {n}", at=at) for n, at in enumerate(boxes)))
    assert len(texts(read(pptx_file(slide, size=(60_000, 60_000)), "a.pptx"))) == 2_500


_WORDS = st.lists(
    st.text(st.characters(categories=("Lu", "Ll")), min_size=2, max_size=8), min_size=1, max_size=6
).map(" ".join)
_PLACES = st.tuples(*[st.integers(0, 740)] * 4)  # on the slide


@given(st.lists(st.lists(st.tuples(_WORDS, _PLACES), max_size=6), min_size=1, max_size=4))
def test_what_was_put_in_is_read_back(slides: list[list[tuple[str, tuple[int, ...]]]]) -> None:
    made = [
        _slide(*(shape(text, at=at) for text, at in boxes), shape("Title", place="title"))  # type: ignore[arg-type]
        for boxes in slides
    ]
    document = read(pptx_file(*made), "a.pptx")
    check_spans(document)
    assert document.reading.of_pages == len(slides)
    for number, boxes in enumerate(slides, 1):
        found = [
            text
            for (_, text), start in zip(outline(document), document.starts, strict=True)
            if document.page_at(int(start)) == number
        ]
        assert found[0] == "Title"
        assert sorted(found[1:]) == sorted(text for text, _ in boxes)

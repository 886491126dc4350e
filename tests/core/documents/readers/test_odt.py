"""OpenDocument texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents import budget
from core.documents.document import Kind, count_words
from core.errors import EpitomeError
from tests.helpers.archives import packed
from tests.helpers.odt_files import (
    TEXT_TYPE,
    flat_file,
    heading,
    items,
    list_level,
    list_style,
    note,
    odf_body,
    odf_root,
    odt_file,
    paragraph,
    row,
    style,
    table,
)
from tests.helpers.reader_checks import check_spans, outline, read, texts

_NUMBERS = list_style(
    "Numbers", list_level(1, "1"), list_level(2, "a", ")"), list_level(3, "I", ")", 1, "(")
)
_LEGAL = list_style("Legal", list_level(1, "1"), list_level(2, "1", "", 2))
_BULLETS = list_style("Bullets", list_level(1, ""))


def test_outline_levels_and_styles_make_headings_whatever_the_language() -> None:
    body = (
        paragraph("Of pumps", "Titel1")
        + heading("Parts", 2)
        + heading("Deep", 9)
        + paragraph("Basin", "P1")
        + paragraph("It is said.", "Quotations")
        + paragraph("Figure of a pump", "Illustration")
    )
    styles = (
        style("Titel1", parent_style_name="Title")
        + style("P1", parent_style_name="Heading_20_3")
        + style("Illustration", parent_style_name="Caption")
    )
    document = read(odt_file(body, styles=styles), "a.odt")
    assert document.title == "Of pumps"
    assert [kind for kind, _ in outline(document)] == [
        Kind.HEADING, Kind.HEADING, Kind.HEADING, Kind.HEADING, Kind.QUOTE, Kind.CAPTION,
    ]  # fmt: skip
    assert list(document.levels) == [1, 2, 6, 3, 0, 0]


def test_two_line_breaks_part_paragraphs() -> None:
    line = "<text:line-break/>"
    body = paragraph(f"It was wet.{line}{line}The pump{line}was old.")
    assert texts(read(odt_file(body), "a.odt")) == ["It was wet.", "The pump was old."]


def test_numbers_of_headings_are_written_out() -> None:
    levels = "".join(
        f'<text:outline-level-style text:level="{level}" style:num-format="1" '
        f'text:display-levels="{level}"/>'
        for level in (1, 2)
    )
    outline_style = f"<text:outline-style>{levels}</text:outline-style>"
    body = "".join(heading("x", level) for level in (1, 2, 2, 3, 1, 2))
    document = read(odt_file(body + paragraph("Words."), lists=outline_style), "a.odt")
    assert texts(document, Kind.HEADING) == ["1 x", "1.1 x", "1.2 x", "x", "2 x", "2.1 x"]


def test_numbers_of_lists_are_written_out() -> None:
    inner = items(paragraph("b") + paragraph("more"), paragraph("c") + items(paragraph("d")))
    body = (
        items(paragraph("a") + inner, paragraph("e"), style="Numbers")
        + paragraph("Between.")
        + items(paragraph("f"), style="Numbers", more='text:continue-numbering="true"')
        + items(paragraph("g"), style="Numbers")
        + items(paragraph("h"), style="Bullets")
    )
    document = read(odt_file(body, lists=_NUMBERS + _BULLETS), "a.odt")
    assert texts(document) == [
        "1. a", "a) b", "more", "b) c", "(I) d", "2. e", "Between.", "3. f", "1. g", "h",
    ]  # fmt: skip
    assert list(document.levels) == [1, 2, 2, 2, 3, 1, 0, 1, 1, 1]
    assert set(texts(document, Kind.PARAGRAPH)) == {"Between."}


def test_lists_go_on_where_they_say_so_and_begin_where_they_are_told() -> None:
    started = f'<text:list-item text:start-value="7">{paragraph("d")}</text:list-item>'
    body = (
        items(paragraph("a"), style="Legal", more='xml:id="one"')
        + items(paragraph("b"), style="Legal")
        + items(items(paragraph("c")), style="Legal", more='text:continue-list="one"')
        + f'<text:list text:style-name="Legal">{started}</text:list>'
    )
    document = read(odt_file(body, lists=_LEGAL), "a.odt")
    assert texts(document) == ["1. a", "1. b", "1.1 c", "7. d"]


def test_each_list_inside_an_item_counts_anew() -> None:
    inner = paragraph("a") + items(paragraph("b")) + paragraph("and") + items(paragraph("c"))
    document = read(odt_file(items(inner, style="Numbers"), lists=_NUMBERS), "a.odt")
    assert texts(document) == ["1. a", "a) b", "and", "a) c"]


def test_remarks_of_a_program_among_the_levels_of_a_list_are_no_levels() -> None:
    numbers = list_style("Numbers", "<!-- x -->", list_level(1, "1"), "<?x y?>")
    document = read(odt_file(items(paragraph("One"), style="Numbers"), lists=numbers), "a.odt")
    assert texts(document) == ["1. One"]


def test_number_formats_of_new_programs_are_known() -> None:
    level = (
        '<text:list-level-style-number text:level="1" style:num-format="1" '
        'loext:num-list-format="Article %1%:"/>'
    )
    document = read(
        odt_file(items(paragraph("Peace."), style="L"), styles=list_style("L", level)), "a.odt"
    )
    assert texts(document) == ["Article 1: Peace."]


def test_tracked_changes_are_read_as_accepted_and_said() -> None:
    changes = (
        "<text:tracked-changes>"
        '<text:changed-region text:id="i"><text:insertion/></text:changed-region>'
        '<text:changed-region text:id="f"><text:format-change/></text:changed-region>'
        f'<text:changed-region text:id="d"><text:deletion>{paragraph("not at all")}'
        "</text:deletion></text:changed-region></text:tracked-changes>"
    )
    body = changes + paragraph(
        'It works <text:change-start text:change-id="i"/>very <text:change-end '
        'text:change-id="i"/><text:change text:change-id="d"/>'
        '<text:change-start text:change-id="f"/>well<text:change-end text:change-id="f"/>.'
    )
    document = read(odt_file(body), "a.odt")
    assert texts(document) == ["It works very well."]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.words, left_out.missed) == ("deleted passages", 3, False)
    assert document.reading.notes == (
        "Tracked changes were treated as accepted: 1 insertion, 1 deletion.",
    )


def test_footnotes_follow_their_paragraph_and_endnotes_end_the_text() -> None:
    body = paragraph(f"It works{note('Since 1881.')}{note('So they say.', 'endnote')}.")
    document = read(odt_file(body + paragraph("After.")), "a.odt")
    assert outline(document) == [
        (Kind.PARAGRAPH, "It works."),
        (Kind.FOOTNOTE, "Since 1881."),
        (Kind.PARAGRAPH, "After."),
        (Kind.FOOTNOTE, "So they say."),
    ]


def test_comments_heads_and_hidden_text_are_left_out_and_counted() -> None:
    hidden = '<style:text-properties text:display="none"/>'
    body = (
        paragraph(f"It works.<office:annotation>{paragraph('Really so?')}</office:annotation>")
        + paragraph("Top secret", "Hidden")
        + f'<text:section text:display="none">{paragraph("A hidden section")}</text:section>'
        + paragraph('And<text:span text:style-name="Gone"> never</text:span> stops.')
        + paragraph('<text:hidden-paragraph text:is-hidden="true"/>Not shown')
    )
    styles = style("Hidden", hidden) + style("Gone", hidden, family="text")
    head = odf_root(
        "document-styles",
        "<office:master-styles><style:master-page>"
        f"<style:header>{paragraph('The Mill Gazette')}</style:header>"
        f"<style:footer>{paragraph('Page 1')}</style:footer>"
        "</style:master-page></office:master-styles>",
    )
    document = read(odt_file(body, styles=styles, styles__xml=head), "a.odt")
    assert texts(document) == ["It works.", "And stops."]
    counted = {item.what: item.words for item in document.reading.left_out}
    assert counted == {"hidden text": 8, "running heads and footers": 5, "comments": 2}
    assert document.reading.complete


def test_tables_are_kept_and_layout_tables_are_read_as_text() -> None:
    long = "word " * 50
    merged = (
        "<table:table-row><table:table-cell>"
        f"{paragraph('Both')}</table:table-cell><table:covered-table-cell/>"
        f"<table:table-cell>{paragraph('x')}</table:table-cell></table:table-row>"
    )
    body = (
        table(f"<table:table-header-rows>{row('Name', 'Width')}</table:table-header-rows>",
              row("Basin", f"12{note('In feet.')}"), merged)
        + table(row("Left", long))
        + table(row("Alone"))
    )  # fmt: skip
    assert outline(read(odt_file(body), "a.odt")) == [
        (Kind.TABLE, "Name\tWidth\nBasin\t12\nBoth\t\tx"),
        (Kind.FOOTNOTE, "In feet."),
        (Kind.PARAGRAPH, "Left"),
        (Kind.PARAGRAPH, long.strip()),
        (Kind.PARAGRAPH, "Alone"),
    ]


def test_contents_are_boilerplate_and_the_bibliography_is_references() -> None:
    def index(name: str, title: str, line: str) -> str:
        return (
            f"<text:{name}><text:{name}-source><text:index-title-template>T"
            f"</text:index-title-template></text:{name}-source><text:index-body>"
            f"<text:index-title>{paragraph(title)}</text:index-title>{paragraph(line)}"
            f"</text:index-body></text:{name}>"
        )

    body = (
        index("table-of-content", "Contents", "Basin<text:tab/>3")
        + paragraph("Words.")
        + index("bibliography", "Sources", "Solr: A website, 2009")
    )
    assert outline(read(odt_file(body), "a.odt")) == [
        (Kind.BOILERPLATE, "Contents"),
        (Kind.BOILERPLATE, "Basin 3"),
        (Kind.PARAGRAPH, "Words."),
        (Kind.HEADING, "Sources"),
        (Kind.REFERENCE, "Solr: A website, 2009"),
    ]


def test_frames_shapes_and_pictures_in_their_place() -> None:
    picture = '<draw:frame><draw:image xlink:href="a.png"/><svg:desc>A pump</svg:desc></draw:frame>'
    caption = paragraph(f"{picture}Figure 1: A pump.")
    box = f"<draw:frame><draw:text-box>{caption}</draw:text-box></draw:frame>"
    shape = f"<draw:g><draw:custom-shape>{paragraph('In the shape.')}</draw:custom-shape></draw:g>"
    body = paragraph(f"Before.{box}") + paragraph(f"{shape}After.") + box
    document = read(odt_file(body), "a.odt")
    assert outline(document) == [
        (Kind.PARAGRAPH, "Before."),
        (Kind.CAPTION, "Figure 1: A pump."),
        (Kind.PARAGRAPH, "After."),
        (Kind.PARAGRAPH, "In the shape."),
        (Kind.CAPTION, "Figure 1: A pump."),
    ]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.missed) == ("2 pictures", False)


def test_formulas_stand_in_their_sentence_and_charts_give_their_table() -> None:
    def embedded(name: str) -> str:
        return f'<draw:frame><draw:object xlink:href="./{name}"/></draw:frame>'

    parts = {
        "Formula/content.xml": '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>'
        "<mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow>"
        "<annotation>E = m c^2</annotation></semantics></math>",
        "Chart/content.xml": odf_root(
            "document-content",
            "<office:body><office:chart><chart:chart>"
            f"<chart:title>{paragraph('Yield by year')}</chart:title>"
            f"{table(row('2019', '12'), row('2020', '14'))}"
            "</chart:chart></office:chart></office:body>",
        ),
    }
    body = paragraph(f"So {embedded('Formula')} holds.") + paragraph(
        f"See{embedded('Chart')} here.{embedded('Gone')}"
    )
    document = read(odt_file(body, **parts), "a.odt")
    assert texts(document) == [
        "So E = mc² holds.", "See here.", "Yield by year", "2019\t12\n2020\t14",
    ]  # fmt: skip
    assert [item.what for item in document.reading.left_out] == ["embedded objects"]
    assert not document.reading.complete


def test_raised_and_lowered_letters_do_not_become_part_of_numbers_and_words() -> None:
    def text_style(name: str, position: str, parent: str = "") -> str:
        above = f' style:parent-style-name="{parent}"' if parent else ""
        return (
            f'<style:style style:family="text" style:name="{name}"{above}>'
            f'<style:text-properties style:text-position="{position}"/></style:style>'
        )

    def span(name: str, inner: str) -> str:
        return f'<text:span text:style-name="{name}">{inner}</text:span>'

    styles = (
        text_style("Up", "super 58%")
        + text_style("High", "33% 58%")
        + text_style("Low", "-8% 58%")
        + text_style("Flat", "0% 100%", "Up")
        + '<style:style style:family="text" style:name="Own" style:parent-style-name="Up"/>'
    )
    body = paragraph(
        f"About 10{span('Up', '-')}{span('Own', '6')} g of CO{span('Low', '2')} on the 2"
        f"{span('High', 'nd')} of May{span('Up', note('So it is.'))} in adults.{span('Up', '1,2')}"
        f" And 10{span('Flat', '6')}."
    )
    assert texts(read(odt_file(body, styles=styles), "a.odt")) == [
        "About 10⁻⁶ g of CO₂ on the 2nd of May in adults. And 106.",
        "So it is.",
    ]


def test_a_formula_without_its_typed_form_keeps_its_structure() -> None:
    def formula(inner: str) -> str:
        maths = f'<math xmlns="http://www.w3.org/1998/Math/MathML">{inner}</math>'
        return f"<draw:frame><draw:object>{maths}</draw:object></draw:frame>"

    half = formula("<mfrac><mn>1</mn><mn>2</mn></mfrac>")
    matrix = formula("<mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable>")
    document = read(odt_file(paragraph(f"It holds 2{half} litres{matrix}.")), "a.odt")
    assert texts(document) == ["It holds 2 1/2 litres[formula]."]
    assert [item.what for item in document.reading.left_out] == ["1 formula"]


def test_spaces_tabs_breaks_and_marks_within_words() -> None:
    inner = (
        "\n  One<text:s/>two<text:s text:c='3'/>three<text:tab/>four<text:line-break/>five"
        "<text:soft-page-break/> co\u00adop <text:span>in<text:span>side</text:span></text:span>"
        '<text:a xlink:href="x"> a link</text:a>'
        "<text:ruby><text:ruby-base> base</text:ruby-base><text:ruby-text>over</text:ruby-text>"
        "</text:ruby><!-- no --> end\n"
    )
    assert texts(read(odt_file(paragraph(inner)), "a.odt")) == [
        "One two three four five coop inside a link base end"
    ]


def test_code_keeps_its_lines_and_indentation() -> None:
    lines = ("fn main() {", '<text:s text:c="4"/>run();', "}")
    body = "".join(paragraph(line, "Preformatted_20_Text") for line in lines)
    assert outline(read(odt_file(body + paragraph("Words.")), "a.odt"))[0] == (
        Kind.CODE,
        "fn main() {\n    run();\n}",
    )


def test_short_bold_paragraphs_are_headings_where_no_style_says_so() -> None:
    bold = '<style:text-properties fo:font-weight="bold"/>'
    styles = style("P1", bold) + style("T1", bold, family="text")
    body = (
        paragraph("The parts", "P1")
        + paragraph('<text:span text:style-name="T1">The use</text:span>')
        + paragraph('A <text:span text:style-name="T1">basin</text:span> and a float.')
        + paragraph("A whole sentence in bold.", "P1")
    )
    document = read(odt_file(body, styles=styles), "a.odt")
    assert texts(document, Kind.HEADING) == ["The parts", "The use"]


def test_the_title_is_that_of_the_file_unless_a_program_made_it() -> None:
    for title, expected in (("Of pumps", "Of pumps"), ("Document1", "a"), ("x.odt", "a")):
        meta = f"<office:meta><dc:title>{title}</dc:title></office:meta>"
        data = odt_file(paragraph("Words."), meta__xml=odf_root("document-meta", meta))
        assert read(data, "a.odt").title == expected


def test_flat_files_templates_and_files_without_their_type_are_read() -> None:
    body = paragraph("It works.")
    for name, data in (
        ("a.fodt", flat_file(body)),
        ("a.ott", odt_file(body, mimetype=f"{TEXT_TYPE}-template")),
        (
            "a.odt",
            odt_file(body, mimetype="", **{"META-INF/manifest.xml": f"<m t='{TEXT_TYPE}'/>"}),
        ),
    ):
        document = read(data, name)
        assert (texts(document), document.source.format) == (["It works."], "odt")
        assert document.reading.notes == ()


def test_pictures_inside_flat_files_are_no_text() -> None:
    data = f"<office:binary-data>{'QUJD' * 4_000_000}</office:binary-data>"
    body = paragraph(f"One.<draw:frame><draw:image>{data}</draw:image></draw:frame>")
    document = read(flat_file(body + paragraph("Two.")), "a.fodt")
    assert texts(document) == ["One.", "Two."]
    assert document.reading.complete


def test_sheets_and_drawings_are_named_not_read() -> None:
    data = packed(
        {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<a/>"}
    )
    with pytest.raises(EpitomeError, match="is an OpenDocument file; only"):
        read(data, "a.odt")


def test_locked_files_are_refused() -> None:
    manifest = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    data = odt_file("", content__xml="\x01\x02rubble", **{"META-INF/manifest.xml": manifest})
    with pytest.raises(EpitomeError, match="locked with a password") as caught:
        read(data, "a.odt")
    assert "remove the password" in caught.value.remedy


def test_what_stands_before_a_damaged_place_is_read_and_the_rest_is_said() -> None:
    whole = odf_root("document-content", odf_body(paragraph("One.") + paragraph("Two.") * 9))
    document = read(odt_file("", content__xml=whole[: whole.index("Two.")]), "a.odt")
    assert texts(document) == ["One."]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.missed) == ("text after a damaged place", True)
    with pytest.raises(EpitomeError, match="is damaged"):
        read(odt_file("", content__xml="rubble"), "a.odt")
    damaged = read(odt_file(paragraph("One."), styles__xml="<rubble"), "a.odt")
    assert "styles are damaged" in damaged.reading.notes[0]


def test_entities_reach_no_file_and_do_not_grow() -> None:
    grown = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))
    kinds = f'<!DOCTYPE d [<!ENTITY e0 "word "><!ENTITY f SYSTEM "file:///etc/passwd">{grown}]>'
    content = odf_root("document-content", odf_body(paragraph("Words. &f;&e11;")))
    document = read(odt_file("", content__xml=kinds + content), "a.odt")
    assert texts(document) == ["Words."]


def test_deep_nesting_ends_in_what_could_be_read() -> None:
    for open_, close in (
        ("<text:span>", "</text:span>"),
        ("<text:list><text:list-item>", "</text:list-item></text:list>"),
        ("<text:section>", "</text:section>"),
        ("<table:table><table:table-row><table:table-cell>",
         "</table:table-cell></table:table-row></table:table>"),
        ("<text:p><draw:frame><draw:text-box>", "</draw:text-box></draw:frame></text:p>"),
    ):  # fmt: skip
        for depth in (60, 10_000):
            inner = open_ * depth + paragraph("Deep.") + close * depth
            inner = paragraph(inner) if "span" in open_ else inner
            document = read(odt_file(paragraph("Before.") + inner), "a.odt")
            assert texts(document)[0] == "Before."
            assert document.reading.complete == (depth == 60)


def test_repeated_cells_and_spaces_stay_small() -> None:
    many = 'table:number-columns-repeated="16384"'
    body = (
        table(
            f"<table:table-row><table:table-cell {many}/></table:table-row>",
            f"<table:table-row><table:table-cell>{paragraph('a')}</table:table-cell>"
            f'<table:table-cell table:number-columns-repeated="2"/>'
            f'<table:table-cell table:number-columns-repeated="2">{paragraph("b")}'
            f"</table:table-cell><table:table-cell {many}/></table:table-row>",
            row("", "", more='table:number-rows-repeated="1048576"'),
        )
        + table(row("x y", "z", more='table:number-rows-repeated="1048576"') * 3)
        + paragraph('a<text:s text:c="1000000000"/>b<text:s text:c="99999999999999999999"/>c')
    )
    document = read(odt_file(body), "a.odt")
    assert texts(document)[0] == "a\t\t\tb\tb"
    assert texts(document)[2] == "a b c"
    assert len(document.text) < 500_000
    assert [item.what for item in document.reading.left_out] == ["repeated table cells"]


def test_limits_of_markup_and_of_embedded_objects_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    maths = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>E</mi></math>'
    frame = '<draw:frame><draw:object xlink:href="./F"/></draw:frame>'
    data = odt_file(paragraph(f"So {frame * 3} holds."), **{"F/content.xml": maths})
    assert texts(read(data, "a.odt")) == ["So E E E holds."]
    monkeypatch.setattr(budget, "MOST_CHARACTERS", 14)
    with pytest.raises(EpitomeError, match="more than 14 characters of text"):
        read(data, "a.odt")
    monkeypatch.setattr(budget, "MOST_TAGS", 5)
    with pytest.raises(EpitomeError, match="more than 5 tags"):
        read(data, "a.odt")


_TEXT = st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=40).filter(
    lambda text: count_words(text) > 0 and not text.lstrip().startswith(("[", "<", "&"))
)
_PLAIN = _TEXT.map(lambda text: "w " + " ".join(text.replace("<", "").replace("&", "").split()))


@given(st.lists(st.tuples(st.sampled_from(("p", "h", "item", "row", "note")), _PLAIN), max_size=12))
def test_what_was_put_in_is_read_back(parts: list[tuple[str, str]]) -> None:
    make = {
        "p": paragraph,
        "h": heading,
        "item": lambda text: items(paragraph(text), style="Bullets"),
        "row": lambda text: table(row(text, "second")),
        "note": lambda text: paragraph(f"noted{note(text)}"),
    }
    body = paragraph("first") + "".join(make[kind](text) for kind, text in parts)
    document = read(odt_file(body, lists=_BULLETS), "a.odt")
    check_spans(document)
    expected = ["first"]
    for kind, text in parts:
        expected += ["noted"] * (kind == "note")
        expected.append(f"{text}\tsecond" if kind == "row" else text)
    assert [t.split() for t in texts(document)] == [t.split() for t in expected]

"""Word documents."""

import pytest

from core.documents.document import Kind
from core.errors import EpitomeError
from tests.helpers.reader_checks import check_spans, outline, read, texts
from tests.helpers.word_files import in_list, list_level, paragraph, style, word_file

_NUMBERS = (
    '<w:abstractNum w:abstractNumId="7">'
    + list_level(0, "decimal", "%1.")
    + list_level(1, "lowerLetter", "%1.%2)")
    + list_level(2, "upperRoman", "(%3)")
    + '</w:abstractNum><w:abstractNum w:abstractNumId="8">'
    + list_level(0, "bullet", "&#61623;")
    + "</w:abstractNum>"
    + '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    + '<w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>'
    + '<w:num w:numId="3"><w:abstractNumId w:val="7"/>'
    + '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
)


def _run(inner: str) -> str:
    return f"<w:r>{inner}</w:r>"


def _text(text: str) -> str:
    return f'<w:t xml:space="preserve">{text}</w:t>'


def test_styles_tell_headings_in_any_language_and_by_inheritance() -> None:
    styles = (
        style("Titel", "Title")
        + style("berschrift2", "heading 2")
        + style("Own", "My own", '<w:basedOn w:val="berschrift2"/>')
        + style("Level", "Odd", '<w:pPr><w:outlineLvl w:val="3"/></w:pPr>')
        + style("Cite", "Quote")
        + style("HeadB", "HeadB")
    )
    body = "".join(
        paragraph(text, key)
        for text, key in (
            ("Of pumps", "Titel"),
            ("Parts", "berschrift2"),
            ("Basin", "Own"),
            ("Float", "Level"),
            ("It is said.", "Cite"),
            ("Use", "HeadB"),
            ("It works.", "Unknown"),
        )
    )
    document = read(word_file(body, styles=styles), "a.docx")
    assert document.title == "Of pumps"
    assert [kind for kind, _ in outline(document)] == [
        Kind.HEADING, Kind.HEADING, Kind.HEADING, Kind.HEADING, Kind.QUOTE, Kind.HEADING,
        Kind.PARAGRAPH,
    ]  # fmt: skip
    assert list(document.levels) == [1, 2, 2, 4, 0, 3, 0]


def test_automatic_numbers_are_written_out() -> None:
    levels = [(1, 0), (1, 1), (1, 1), (1, 2), (1, 0), (1, 1), (2, 0), (3, 0), (3, 0)]
    body = "".join(paragraph("x", "", in_list(number, level)) for number, level in levels)
    document = read(word_file(body, numbering=_NUMBERS), "a.docx")
    assert texts(document) == [
        "1. x", "1.a) x", "1.b) x", "(I) x", "2. x", "2.a) x", "x", "5. x", "6. x",
    ]  # fmt: skip
    assert set(document.kinds) == {Kind.LIST_ITEM}
    assert list(document.levels) == [1, 2, 2, 3, 1, 2, 1, 1, 1]


def test_numbered_heading_styles_keep_their_numbers() -> None:
    numbered = style("H1", "heading 1", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
    body = paragraph("Parts", "H1") + paragraph("Words.") + paragraph("Use", "H1")
    document = read(word_file(body, styles=numbered, numbering=_NUMBERS), "a.docx")
    assert texts(document) == ["1. Parts", "Words.", "2. Use"]


def test_tracked_changes_are_read_as_accepted_and_said() -> None:
    body = (
        f"<w:p>{_run(_text('It works '))}<w:ins>{_run(_text('very '))}</w:ins>"
        f"<w:del>{_run('<w:delText>not at all </w:delText>')}</w:del>{_run(_text('well'))}</w:p>"
        "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
        f"{_run(_text('One '))}</w:p><w:p>{_run(_text('line.'))}</w:p>"
    )
    document = read(word_file(body), "a.docx")
    assert texts(document) == ["It works very well", "One line."]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.words, left_out.missed) == ("deleted passages", 3, False)
    assert document.reading.notes == (
        "Tracked changes were treated as accepted: 1 insertion, 1 deletion.",
    )


def test_footnotes_follow_their_paragraph_and_endnotes_end_the_text() -> None:
    body = (
        f"<w:p>{_run(_text('It works'))}{_run('<w:footnoteReference w:id=&quot;2&quot;/>')}"
        f"{_run('<w:endnoteReference w:id=&quot;3&quot;/>')}{_run(_text('.'))}</w:p>"
    ).replace("&quot;", '"') + paragraph("After.")
    document = read(
        word_file(
            body,
            footnotes='<w:footnote w:id="0" w:type="separator"/>'
            f'<w:footnote w:id="2">{paragraph("Since 1881.")}</w:footnote>',
            endnotes=f'<w:endnote w:id="3">{paragraph("So they say.")}</w:endnote>',
        ),
        "a.docx",
    )
    assert outline(document) == [
        (Kind.PARAGRAPH, "It works."),
        (Kind.FOOTNOTE, "Since 1881."),
        (Kind.PARAGRAPH, "After."),
        (Kind.FOOTNOTE, "So they say."),
    ]


def test_comments_heads_and_hidden_text_are_left_out_and_counted() -> None:
    body = paragraph("It works.") + paragraph("Top secret", run="<w:vanish/>")
    document = read(
        word_file(
            body,
            comments=f"<w:comment>{paragraph('Really so?')}</w:comment>",
            header1=paragraph("The Mill Gazette"),
            header2=paragraph("The Mill Gazette"),
            footer1=paragraph("Page 1"),
        ),
        "a.docx",
    )
    assert texts(document) == ["It works."]
    counted = {item.what: item.words for item in document.reading.left_out}
    assert counted == {"hidden text": 2, "running heads and footers": 5, "comments": 2}
    assert document.reading.complete
    assert document.reading.of_words == document.reading.words + 9


def test_tables_are_kept_and_layout_tables_are_read_as_text() -> None:
    def row(*cells: str) -> str:
        inner = "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in cells)
        return f"<w:tr>{inner}</w:tr>"

    long = "word " * 50
    body = (
        f"<w:tbl>{row('Name', 'Width')}{row('Basin', '12')}</w:tbl>"
        f"<w:tbl>{row('Left', long)}</w:tbl><w:tbl>{row('Alone')}</w:tbl>"
    )
    assert outline(read(word_file(body), "a.docx")) == [
        (Kind.TABLE, "Name\tWidth\nBasin\t12"),
        (Kind.PARAGRAPH, "Left"),
        (Kind.PARAGRAPH, long.strip()),
        (Kind.PARAGRAPH, "Alone"),
    ]


def test_sentences_in_the_cells_of_a_checklist_are_items() -> None:
    def row(*cells: str) -> str:
        inner = "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in cells)
        return f"<w:tr>{inner}</w:tr>"

    rows = (
        ("Practice", "State", "Notes"),
        ("The training is given to all who come into contact.", "Yes No", ""),
        (
            "Is there a policy for the use of the mill?",
            "Yes No",
            "If so, who has read it until now?",
        ),
    )
    body = f"<w:tbl>{''.join(row(*cells) for cells in rows)}</w:tbl>"
    assert outline(read(word_file(body), "a.docx")) == [
        (Kind.CAPTION, "Practice · State · Notes"),
        (Kind.LIST_ITEM, rows[1][0]),
        (Kind.CAPTION, "Yes No"),
        (Kind.LIST_ITEM, rows[2][0]),
        (Kind.CAPTION, "Yes No"),
        (Kind.LIST_ITEM, rows[2][2]),
    ]


def test_a_table_of_values_with_one_remark_stays_a_table() -> None:
    rows = (("Name", "Width"), ("Basin", "12"), ("Wheel", "It was not measured by anybody."))
    cells = "".join(
        f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>" for row in rows
    )
    assert outline(read(word_file(f"<w:tbl>{cells}</w:tbl>"), "a.docx")) == [
        (Kind.TABLE, "\n".join("\t".join(row) for row in rows))
    ]


def test_code_lines_become_one_block_with_their_indentation() -> None:
    styles = style("Code", "Code") + style("Cap", "CodeListingCaption")
    body = "".join(paragraph(line, "Code") for line in ("fn main() {", "    run();", "}"))
    document = read(word_file(body + paragraph("A run", "Cap"), styles=styles), "a.docx")
    assert outline(document) == [
        (Kind.CODE, "fn main() {\n    run();\n}"),
        (Kind.CAPTION, "A run"),
    ]


def test_text_boxes_fields_breaks_and_formulas_are_read_once() -> None:
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    body = (
        "<w:p><w:r><mc:AlternateContent>"
        f"<mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
        f"{_run(_text('See '))}{_run('<w:instrText>REF x</w:instrText>')}"
        f"<w:hyperlink>{_run(_text('page 3'))}</w:hyperlink>"
        f"{_run('<w:br/>')}{_run(_text('co') + '<w:softHyphen/>' + _text('op'))}"
        f"{_run('<w:noBreakHyphen/>')}{_run(_text('work '))}"
        "<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></w:p>"
        f"<w:sdt><w:sdtPr/><w:sdtContent>{paragraph('Controlled.')}</w:sdtContent></w:sdt>"
    )
    assert texts(read(word_file(body), "a.docx")) == [
        "See page 3 coop-work x = 1",
        "In the box.",
        "Controlled.",
    ]


def test_line_breaks_that_part_paragraphs_or_lists_make_paragraphs() -> None:
    def broken(*lines: str, bold: bool = False) -> str:
        properties = "<w:rPr><w:b/></w:rPr>" if bold else ""
        return f"<w:p>{_run(properties + '<w:br/>'.join(map(_text, lines)))}</w:p>"

    body = (
        broken("It was wet.", "", "The pump", "was\nold.")
        + broken("2. Data", "", "3. Address", bold=True)
        + broken("Sent to:", "Ann Lee", "Water works", "Ulm")
    )
    document = read(word_file(body), "a.docx")
    assert outline(document) == [
        (Kind.PARAGRAPH, "It was wet."),
        (Kind.PARAGRAPH, "The pump was old."),
        (Kind.HEADING, "2. Data"),
        (Kind.HEADING, "3. Address"),
        *((Kind.PARAGRAPH, line) for line in ("Sent to:", "Ann Lee", "Water works", "Ulm")),
    ]


def _shifted(text: str, properties: str) -> str:
    return _run(f"<w:rPr>{properties}</w:rPr>{_text(text)}")


def test_raised_and_lowered_letters_do_not_become_part_of_numbers_and_words() -> None:
    up, down = (f'<w:vertAlign w:val="{place}script"/>' for place in ("super", "sub"))
    styles = style("Up", "Power", f"<w:rPr>{up}</w:rPr>").replace("paragraph", "character") + style(
        "Own", "Own", '<w:basedOn w:val="Up"/>'
    ).replace("paragraph", "character")
    body = (
        f"<w:p>{_run(_text('About 10'))}{_shifted('-', up)}{_shifted('6', up)}"
        f"{_run(_text(' g of CO'))}{_shifted('2', down)}{_run(_text(' on the 2'))}"
        f"{_shifted('nd', up)}{_run(_text(' of May, 5 m'))}"
        + _shifted("2", '<w:rStyle w:val="Own"/>')
        + _run(_text(" in adults."))
        + _shifted("1,2", '<w:rStyle w:val="Up"/>')
        + _run(_text(" And 10"))
        + _shifted("6", '<w:rStyle w:val="Up"/><w:vertAlign w:val="baseline"/>')
        + _run(_text("."))
        + "</w:p>"
    )
    assert texts(read(word_file(body, styles=styles), "a.docx")) == [
        "About 10⁻⁶ g of CO₂ on the 2nd of May, 5 m² in adults. And 106."
    ]


def test_letters_moved_up_or_down_by_points_are_raised_and_lowered_ones() -> None:
    up, down, whole = (f'<w:position w:val="{value}"/>' for value in ("8", "-6", "2"))
    styles = style("Up", "Power", f"<w:rPr>{up}</w:rPr>").replace("paragraph", "character")
    by_style, back = '<w:rStyle w:val="Up"/>', '<w:position w:val="0"/>'
    body = (
        f"<w:p>{_run(_text('About 10'))}{_shifted('-', up)}{_shifted('6', up)}"
        f"{_run(_text(' g of CO'))}{_shifted('2', down)}{_shifted(' on 1', back)}"
        f"{_shifted('2', whole)}{_run(_text(' May, 5 m'))}{_shifted('2', by_style)}</w:p>"
        f"<w:p>{_shifted('In 19', up)}{_shifted('85 it began.', up)}</w:p>"
        f"<w:p>{_shifted('1', down)}{_run(_text('984 was a year.'))}</w:p>"
    )
    assert texts(read(word_file(body, styles=styles), "a.docx")) == [
        "About 10⁻⁶ g of CO₂ on 12 May, 5 m²",
        "In 1985 it began.",
        "1984 was a year.",
    ]


def _maths(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def _built(name: str, **parts: str) -> str:
    inner = "".join(f"<m:{part}>{text}</m:{part}>" for part, text in parts.items())
    return f"<m:{name}>{inner}</m:{name}>"


_SUM_SIGN = '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'
_SUM_PARTS = f"<m:sub>{_maths('i=1')}</m:sub><m:sup>{_maths('n')}</m:sup><m:e>{_maths('i')}</m:e>"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (_built("f", num=_maths("1"), den=_maths("2")), "1/2"),
        (_built("f", num=_maths("a+b"), den=_maths("2")), "(a + b)/2"),
        (_maths("2") + _built("f", num=_maths("1"), den=_maths("2")), "2 1/2"),
        (_built("sSup", e=_maths("10"), sup=_maths("-6")), "10⁻⁶"),
        (_built("sSub", e=_maths("a"), sub=_maths("ij")), "a_ij"),
        (_built("sSubSup", e=_maths("x"), sub=_maths("1"), sup=_maths("2")), "x₁²"),
        (_built("sPre", sub=_maths("6"), sup=_maths("14"), e=_maths("C")), "₆¹⁴C"),
        (_built("rad", deg="", e=_maths("16")), "√16"),
        (_built("rad", deg=_maths("3"), e=_maths("16")), "³√16"),
        (_built("sSup", e=_built("d", e=_maths("x-1")), sup=_maths("2")), "(x − 1)²"),
        (f"<m:nary>{_SUM_SIGN}{_SUM_PARTS}</m:nary>", "∑_(i = 1)ⁿi"),
        (_built("func", fName=_maths("sin"), e=_maths("x")) + _maths("=0.5"), "sin x = 0.5"),
        (_built("acc", e=_maths("b")), "b̂"),
        ("<m:r><m:rPr><m:nor/></m:rPr><m:t>well-known dose</m:t></m:r>", "well-known dose"),
        (f"<w:del>{_maths('9')}</w:del><w:ins>{_maths('8')}</w:ins>", "8"),
    ],
)
def test_formulas_keep_their_structure_on_the_line(formula: str, text: str) -> None:
    body = (
        f"<w:p>{_run(_text('The dose is '))}<m:oMath>{formula}</m:oMath>{_run(_text(' mg.'))}</w:p>"
    )
    assert texts(read(word_file(body), "a.docx")) == [f"The dose is {text} mg."]


def test_a_number_before_a_fraction_stays_apart_from_it() -> None:
    half = _built("f", num=_maths("1"), den=_maths("2"))
    body = f"<w:p>{_run(_text('It is 2'))}<m:oMath>{half}</m:oMath>{_run(_text('.'))}</w:p>"
    assert texts(read(word_file(body), "a.docx")) == ["It is 2 1/2."]


@pytest.mark.parametrize(
    "formula",
    [
        _built("m", mr=_built("e", r=_maths("1"))),
        _built("eqArr", e=_maths("a=1")),
        _built("unheard", e=_maths("a=1")),
        "<m:box><m:e>" * 110 + _maths("1") + "</m:e></m:box>" * 110,
        _maths("1+" * 400),
    ],
)
def test_formulas_that_do_not_fit_in_a_line_are_counted(formula: str) -> None:
    body = (
        f"<w:p>{_run(_text('It is '))}<m:oMath>{formula}</m:oMath>{_run(_text(' here.'))}</w:p>"
        f"<w:p><m:oMathPara><m:oMath>{formula}</m:oMath></m:oMathPara></w:p>"
    )
    document = read(word_file(body), "a.docx")
    assert texts(document) == ["It is [formula] here."]
    assert [item.what for item in document.reading.left_out] == ["2 formulas"]


def test_short_bold_paragraphs_are_headings_where_no_style_says_so() -> None:
    bold = "<w:b/>"
    body = (
        paragraph("The parts", run=bold)
        + paragraph("A basin and a float.")
        + paragraph("A whole sentence in bold.", run=bold)
    )
    assert texts(read(word_file(body), "a.docx"), Kind.HEADING) == ["The parts"]
    styles = style("H", "heading 1")
    styled = paragraph("One", "H") + paragraph("Two", "H") + body
    assert texts(read(word_file(styled, styles=styles), "a.docx"), Kind.HEADING) == ["One", "Two"]


def test_bold_paragraphs_in_a_table_that_only_places_text_are_headings() -> None:
    prose = paragraph("The duties are many, and they are told here at some length. " * 6)
    cells = (paragraph("Major Duties:", run="<w:b/>"), prose)
    rows = "".join(f"<w:tr><w:tc>{cell}</w:tc></w:tr>" for cell in cells)
    document = read(word_file(f"<w:tbl>{rows}</w:tbl>"), "a.docx")
    assert texts(document, Kind.HEADING) == ["Major Duties:"]


def test_bullets_of_symbol_fonts_make_list_items() -> None:
    document = read(word_file(paragraph("\uf0b7 A basin") + paragraph("It works.")), "a.docx")
    assert outline(document) == [(Kind.LIST_ITEM, "A basin"), (Kind.PARAGRAPH, "It works.")]
    check_spans(document)


def test_strict_office_files_are_read() -> None:
    data = word_file(paragraph("It works."))
    plain = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    strict = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
    import zipfile
    from io import BytesIO

    packed = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(plain, strict))
    assert texts(read(packed.getvalue(), "a.docx")) == ["It works."]


def test_odd_names_of_namespaces_are_no_damage() -> None:
    odd = '<w:p xmlns="own" xmlns:x="http://of my own" xml:id="1">'
    body = paragraph("It works.").replace("<w:p>", odd, 1)
    assert texts(read(word_file(body), "a.docx")) == ["It works."]


def test_deep_nesting_is_read_or_refused_never_fatal() -> None:
    run = f"<w:r>{_text('It works.')}</w:r>"
    for start, end in (
        ("<w:p>" + "<w:ins>" * 200, "</w:ins>" * 200 + "</w:p>"),
        ("<w:tbl><w:tr><w:tc>" * 80 + "<w:p>", "</w:p>" + "</w:tc></w:tr></w:tbl>" * 80),
    ):
        assert texts(read(word_file(start + run + end), "a.docx")) == ["It works."]
    for depth in (1_500, 10_000):
        body = "<w:p>" + "<w:ins>" * depth + run + "</w:ins>" * depth + "</w:p>"
        with pytest.raises(EpitomeError, match="is damaged"):
            read(word_file(body), "a.docx")

"""Word documents whose signs, strokes, fields, forms and drawings change what a text says."""

import pytest

from core.documents.document import Document, Kind
from core.documents.readers.office import struck_but_kept
from tests.helpers import pptx_files
from tests.helpers.reader_checks import check_spans, outline, read, texts
from tests.helpers.word_files import (
    field,
    in_font,
    in_list,
    lines,
    list_level,
    paragraph,
    run,
    sign,
    style,
    word_file,
)

STRIKE, BOLD = "<w:strike/>", "<w:b/>"
STYLES = (
    style("Gone", "Gone", "<w:rPr><w:strike/></w:rPr>")
    + style("Greek", "Greek", '<w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr>')
    + '<w:style w:type="character" w:styleId="Old"><w:name w:val="Old"/>'
    + "<w:rPr><w:dstrike/></w:rPr></w:style>"
    + '<w:style w:type="table" w:default="1" w:styleId="Usual"><w:name w:val="Usual"/>'
    + "<w:rPr><w:vanish/></w:rPr></w:style>"
    + '<w:style w:type="table" w:styleId="Shown"><w:name w:val="Shown"/></w:style>'
)


def file(body: str, **parts: str) -> Document:
    document = read(word_file(body, **parts), "a.docx")
    check_spans(document)
    return document


def left_out(document: Document) -> dict[str, int]:
    return {item.what: item.words for item in document.reading.left_out}


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (run("10 ") + sign("Symbol", "F06D") + run("g"), "10 μg"),
        (run("10 ") + sign("symbol", "006d") + run("g"), "10 μg"),
        (run("10 ") + in_font("m", "Symbol") + run("g"), "10 μg"),
        (run("10 ") + in_font("\uf06d", "Symbol MT") + run("g"), "10 μg"),
        (run("x ") + in_font("\uf0b3 \xa3 \xb1 \xb0", "Symbol") + run(" y"), "x ≥ ≤ ± ° y"),
        (sign("Wingdings", "F0FE") + sign("Wingdings", "F0A8") + run(" x"), "☒☐ x"),
        (in_font("Rx", "Wingdings 2") + run(" x"), "☑❹ x"),
        (run("a ") + sign("Wingdings", "F0E0") + in_font("\uf022", "Wingdings 3") + run("b"),
         "a →→b"),
        (run("I like it ") + in_font("J", "Wingdings"), "I like it ☺"),
        (sign("Segoe UI Symbol", "2611") + run(" x"), "☑ x"),
        (sign("MS Gothic", "2610") + run(" x"), "☐ x"),
        (run("no ") + in_font("a\xa0b", "Symbol"), "no α β"),
    ],
)  # fmt: skip
def test_signs_of_symbol_fonts_are_those_that_are_seen(runs: str, text: str) -> None:
    assert texts(file(lines(runs))) == [text]


def test_the_font_of_a_style_draws_its_signs_and_a_run_may_have_its_own() -> None:
    own = '<w:rFonts w:ascii="Times" w:hAnsi="Times"/>'
    other = '<w:rFonts w:eastAsia="Mincho"/>'
    theme = '<w:rFonts w:asciiTheme="minorHAnsi" w:hAnsiTheme="minorHAnsi"/>'
    body = "".join(paragraph("abc", "Greek", run=each) for each in ("", own, other, theme))
    assert texts(file(body, styles=STYLES)) == ["αβχ", "abc", "αβχ", "abc"]


def test_other_fonts_with_symbol_in_their_names_have_letters() -> None:
    fonts = ("Segoe UI Symbol", "Symbola", "OpenSymbol", "Arial Unicode MS", "Cambria Math")
    body = "".join(lines(in_font("abc ±", font)) for font in fonts)
    complex_only = '<w:rFonts w:cs="Symbol"/>'
    document = file(body + lines(run("abc ±", complex_only)))
    assert texts(document) == ["abc ±"] * 6


def test_a_sign_of_an_unknown_font_is_counted() -> None:
    document = file(lines(run("One "), sign("Odd Signs", "F041"), run("two.")))
    assert texts(document) == ["One two."]
    assert left_out(document) == {"1 sign": 0}


@pytest.mark.parametrize(
    "struck",
    [
        run("old", STRIKE),
        run("old ", STRIKE),
        run("old", "<w:dstrike/>"),
        run("old", '<w:strike w:val="true"/>'),
        run("old", '<w:rStyle w:val="Old"/>'),
        f"<w:hyperlink>{run('old', STRIKE)}</w:hyperlink>",
    ],
)
def test_struck_words_are_left_out_and_counted(struck: str) -> None:
    document = file(lines(run("The "), struck, run(" new fee of 60 euros applies.")), styles=STYLES)
    assert texts(document) == ["The new fee of 60 euros applies."]
    assert left_out(document) == {"deleted passages": 1}


def test_a_space_that_is_struck_parts_words() -> None:
    body = lines(run("The"), run(" old ", STRIKE), run("fee"), run(" ", STRIKE), run("applies."))
    assert texts(file(body)) == ["The fee applies."]


def test_a_struck_style_is_left_out_unless_a_run_is_not_struck() -> None:
    body = (
        paragraph("The fee of 60 euros applies from the first of May.")
        + paragraph("It is gone.", "Gone")
        + paragraph("It stays.", "Gone", run='<w:strike w:val="0"/>')
        + paragraph("Twice is none.", "Gone", run='<w:rStyle w:val="Twice"/>')
    )
    twice = '<w:style w:type="character" w:styleId="Twice"><w:rPr><w:strike/></w:rPr></w:style>'
    document = file(body, styles=STYLES + twice)
    assert texts(document)[1:] == ["It stays.", "Twice is none."]
    assert left_out(document) == {"deleted passages": 3}


def test_a_document_that_is_mostly_struck_is_read() -> None:
    document = file(lines(run("Buy the bread and the milk.", STRIKE)) + lines(run("Then eggs.")))
    assert texts(document) == ["Buy the bread and the milk.", "Then eggs."]
    assert not left_out(document)
    assert document.reading.notes == (struck_but_kept(6),)


def _drop_cap(text: str, kind: str = "drop") -> str:
    frame = f'<w:framePr w:dropCap="{kind}" w:lines="3"/>'
    return paragraph(text, properties=frame)


def test_a_drop_cap_is_part_of_its_paragraph() -> None:
    body = (
        _drop_cap("T") + paragraph("he committee met.")
        + _drop_cap("“W", "margin") + paragraph("e met,” she said.")
        + _drop_cap("A") + paragraph(" few of them came.")
    )  # fmt: skip
    assert texts(file(body)) == [
        "The committee met.", "“We met,” she said.", "A few of them came.",
    ]  # fmt: skip


def test_a_frame_that_is_no_drop_cap_and_one_before_a_table_stay_apart() -> None:
    table = (
        f"<w:tbl><w:tr><w:tc>{paragraph('One')}</w:tc><w:tc>{paragraph('2')}</w:tc></w:tr></w:tbl>"
    )
    body = paragraph("X", properties='<w:framePr w:w="3"/>') + paragraph("yes.")
    document = file(body + _drop_cap("T") + table + _drop_cap("Z"))
    assert texts(document) == ["X", "yes.", "T", "One\t2", "Z"]


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (field(r" EQ \f(1,2) "), "1/2"),
        (field(r" EQ \r(,x) ") + run("y"), "√xy"),
        (field(r"eq \f(\r(3),2)", run("picture")), "(√3)/2"),
        (field(r" EQ \a(1,2) "), "[formula] of it"),
        (field(' SYMBOL 109 \\f "Symbol" \\s 10') + run("m"), "μm"),
        (field("SYMBOL 0xF0A8 \\f Wingdings", run("?")), "☐"),
        ('<w:fldSimple w:instr=" SYMBOL 109 \\f Symbol ">' + run("m") + "</w:fldSimple>", "μ"),
        (field(r'EQ \* jc2 \* "Font:MS" \* hps10 \o\ad(\s\up 9(とう),東)') + run("京"), "東京"),
        (field(r"EQ \o\ac(○,印)"), "印"),
        (field("<w:r><w:instrText> EQ \\f(</w:instrText></w:r>" + field("REF x", run("3"))
               + "<w:r><w:instrText>,4)</w:instrText></w:r>"), "3/4"),
        (field("MERGEFIELD x", run("Ann")), "Ann"),
        (field("REF x", run("page ") + field("PAGEREF y", run("7"))), "page 7"),
        (field("", form='<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>'), "☒"),
        (field("", form='<w:checkBox><w:default w:val="1"/></w:checkBox>'), "☒"),
        (field("", form='<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>'),
         "☐"),
        (field("FORMDROPDOWN", form='<w:ddList><w:result w:val="1"/><w:listEntry w:val="France"/>'
               '<w:listEntry w:val="Spain"/></w:ddList>'), "Spain"),
        (field("FORMDROPDOWN", form='<w:ddList><w:listEntry w:val="France"/></w:ddList>'),
         "France"),
        (field("FORMTEXT", run("Bern"), form="<w:textInput/>"), "Bern"),
    ],
)  # fmt: skip
def test_fields_show_what_their_codes_and_forms_say(runs: str, text: str) -> None:
    document = file(lines(run("It is "), runs, run(" of it.")))
    assert texts(document) == [f"It is {text} of it.".replace("of it of it", "of it")]


def test_a_field_without_an_end_hides_no_text() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    code = "<w:r><w:instrText>SYMBOL 109</w:instrText></w:r>"
    middle = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    body = lines(begin, run("One."), code) + lines(end, middle, run("Two.")) + lines(
        begin, code, middle
    ) + lines(run("Three."))  # fmt: skip
    assert texts(file(body)) == ["One.", "Two.", "m", "Three."]


def _control(inner: str, shows_prompt: bool = True) -> str:
    mark = "<w:showingPlcHdr/>" if shows_prompt else ""
    return f"<w:sdt><w:sdtPr>{mark}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"


def test_prompts_of_empty_form_fields_are_left_out_and_entries_stay() -> None:
    long = "".join(paragraph(f"Paragraph {number}.") for number in range(2))
    body = (
        lines(run("Goal: "), _control(run("Click or tap here to enter text.")))
        + lines(run("Name: "), _control(run("Ann"), shows_prompt=False))
        + _control(paragraph("Choose an item."))
        + _control(long)
    )
    document = file(body)
    assert texts(document) == ["Goal:", "Name: Ann", "Paragraph 0.", "Paragraph 1."]
    assert left_out(document) == {"prompts of a form": 10}


def _object(program: str) -> str:
    return (
        f'<w:r><w:object><v:shape><v:imagedata r:id="p"/></v:shape>'
        f'<o:OLEObject ProgID="{program}"/></w:object></w:r>'
    )


PICTURE = '<w:r><w:drawing><a:blip r:embed="p"/></w:drawing></w:r>'


def test_formulas_that_other_programs_draw_have_a_place_and_are_counted() -> None:
    programs = ("Equation.DSMT4", "Equation.3", "MathType.6")
    body = "".join(lines(run("Here "), _object(program), run(" holds.")) for program in programs)
    document = file(body)
    assert texts(document) == ["Here [formula] holds."] * 3
    assert left_out(document) == {"3 formulas": 0}
    reasons = [item.why for item in document.reading.left_out]
    assert reasons == ["they are objects of other programs"]


def test_pictures_and_objects_are_counted() -> None:
    old = '<w:r><w:pict><v:shape><v:imagedata r:id="p"/></v:shape></w:pict></w:r>'
    document = file(lines(run("One."), PICTURE, old, _object("Excel.Sheet.12")))
    assert left_out(document) == {"embedded objects": 0, "2 pictures": 0}


def _drawing(inner: str) -> str:
    return lines(f"<w:r><w:drawing><a:graphic>{inner}</a:graphic></w:drawing></w:r>")


def test_diagrams_and_charts_are_read_behind_their_paragraph() -> None:
    diagram = pptx_files.diagram({"1": "First the roof.", "2": "Then the doors."}, [("1", "2")])
    chart = pptx_files.chart("Guests", ["May", "June"], Adults=["3", "5"])
    body = (
        paragraph("Before.")
        + _drawing('<dgm:relIds r:dm="d"/>')
        + _drawing('<c:chart r:id="c"/>')
        + _drawing('<c:chart r:id="c"/>')
        + _drawing('<c:chart r:id="lost"/>')
    )
    parts = {"d": ("diagramData", diagram), "c": ("chart", chart)}
    document = read(word_file(body, parts), "a.docx")
    assert outline(document) == [
        (Kind.PARAGRAPH, "Before."),
        (Kind.LIST_ITEM, "First the roof."),
        (Kind.LIST_ITEM, "Then the doors."),
        (Kind.CAPTION, "Guests"),
        (Kind.TABLE, "Adults\nMay\t3\nJune\t5"),
    ]
    assert left_out(document) == {"embedded objects": 0}


def test_struck_words_of_diagrams_are_left_out() -> None:
    gone = '<a:r><a:rPr strike="sngStrike"/><a:t>old </a:t></a:r>'
    diagram = pptx_files.diagram({"1": "First the roof."}, [])
    diagram = diagram.replace("<a:r>", f"{gone}<a:r>", 1)
    body = paragraph("Before.") + _drawing('<dgm:relIds r:dm="d"/>')
    document = read(word_file(body, {"d": ("diagramData", diagram)}), "a.docx")
    assert texts(document) == ["Before.", "First the roof."]
    assert left_out(document) == {"deleted passages": 1}


def _turn(name: str, time: str, words: str) -> str:
    return lines(run("\n"), run(name, BOLD), run("   ", BOLD), run(f"{time}\n{words}"))


def test_turns_of_a_meeting_have_speakers() -> None:
    turns = [
        ("Anna Kern", "0:03", "Good morning to all of you."),
        ("Paul Weiss", "0:21", "That is less than we asked for."),
        ("Anna Kern", "0:40", "Then we have to wait with the lights."),
        ("Paul Weiss", "1:02:03", "The workshop can begin in May."),
    ]
    document = file("".join(_turn(*turn) for turn in turns))
    assert document.speaker_names == ("Anna Kern", "Paul Weiss")
    assert texts(document, Kind.PARAGRAPH) == [words for _, _, words in turns]
    assert texts(document, Kind.SPEAKER) == [f"{name} {time}" for name, time, _ in turns]


def _said(document: Document) -> list[tuple[str, str]]:
    kinds = list(document.kinds)
    indices = [index for index, kind in enumerate(kinds) if kind == Kind.PARAGRAPH]
    return [(document.speaker(index), document.paragraph(index)) for index in indices]


@pytest.mark.parametrize(
    "form",
    [
        "\n{name}   0:0{time}\n{words}",
        "\n{name}\n0:0{time}\n{words}",
        "0:0:{time}.0 --> 0:1:{time}.790\n{name}\n{words}",
    ],
)
@pytest.mark.parametrize("name", ["Kern, Anna", "Kern, Anna (Guest)", "Anna Kern", "李明"])
def test_speakers_of_a_meeting_have_names_of_any_form(form: str, name: str) -> None:
    words = "so we wait with the lights."
    turns = [(name, 1), ("Paul Weiss", 2), (name, 3), ("Paul Weiss", 4)]
    body = "".join(
        lines(run(form.format(name=each, time=time, words=words))) for each, time in turns
    )
    shown = "Anna Kern" if "Kern" in name else name
    assert _said(file(body)) == [(shown, words), ("Paul Weiss", words)] * 2


STAMPED = [
    ("Speaker 1", "Good morning to all of you, shall we begin?"),
    ("Speaker 2", "Yes, I have the numbers of the year here."),
    ("Speaker 1", "Show them then, please, to all of us."),
    ("Speaker 3", "I would like to see the bridge first."),
    ("Speaker 2", "The bridge cost four million euros this year."),
    ("Speaker 1", "That is far too much for our small town."),
]


@pytest.mark.parametrize("form", ["00:0{at}:12 {name}\n{words}", "[0:0{at}:12] {name}\n{words}"])
def test_speakers_of_a_transcript_may_stand_behind_times(form: str) -> None:
    turns = [form.format(at=at, name=name, words=words) for at, (name, words) in enumerate(STAMPED)]
    inner = "Audio file\nTranscript\n" + "\n".join(turns)
    document = file("".join(map(paragraph, inner.split("\n"))))
    assert _said(document) == [("", "Audio file"), ("", "Transcript"), *STAMPED]
    assert texts(document, Kind.SPEAKER) == [turn.split("\n")[0] for turn in turns]


def test_times_and_speakers_may_stand_before_the_words_of_a_turn() -> None:
    turns = [f"00:00:0{at} {name}: {words}" for at, (name, words) in enumerate(STAMPED)]
    document = file("".join(map(paragraph, turns)))
    assert _said(document) == list(zip((name for name, _ in STAMPED), turns, strict=True))


@pytest.mark.parametrize(
    "rows",
    [
        ["9:00 Talk", "10:30 Break", "11:00 Talk", "12:30 Break", "14:00 Talk"],
        ["09:00:00 Talk", "10:30:00 Break", "11:00:00 Talk", "12:30:00 Break", "14:00:00 Talk"],
        ["2:31:05 Anna Kern", "2:33:40 Mira Holt", "2:35:12 Eva Lund", "2:31:59 Anna Kern",
         "2:34:40 Mira Holt", "2:37:12 Eva Lund"],
        ["0:58 Anna Kern", "1:02 Mira Holt", "0:57 Anna Kern", "1:03 Mira Holt"],
        ["0:10 Stir", "0:20 Bake", "0:30 Stir", "0:40 Bake", "0:50 Stir"],
        ["00:00:00 Opening", "00:05:10 Numbers", "00:15:00 Questions", "00:40:00 Close"],
    ],
    ids=["programme", "with seconds", "races", "short races", "recipe", "contents of a film"],
)  # fmt: skip
def test_other_times_before_names_name_no_speakers(rows: list[str]) -> None:
    body = "".join(paragraph(row) + paragraph("All of it is seen from the hall.") for row in rows)
    document = file(body)
    assert document.speaker_names == ()
    assert texts(document)[::2] == rows


def test_a_programme_of_a_day_has_no_speakers() -> None:
    parts = [("Talk", "9:00"), ("Break", "10:30"), ("Talk", "11:00"), ("Break", "12:30")]
    body = "".join(lines(run(f"{name}   {time}\nIt is in the hall.")) for name, time in parts)
    assert file(body).speaker_names == ()
    plan = lines(run("Monday   9:00\nRoom 5\nBring your papers"))
    assert texts(file(plan)) == ["Monday 9:00", "Room 5", "Bring your papers"]
    assert texts(file(body))[:2] == [
        "Talk 9:00 It is in the hall.",
        "Break 10:30 It is in the hall.",
    ]


def test_bold_lines_above_text_are_headings() -> None:
    body = lines(run("Scope\n", BOLD), run("It covers the boats.\nAll of them.\n"),
                 run("Terms", BOLD), run("\nA boat floats."))  # fmt: skip
    assert outline(file(body)) == [
        (Kind.HEADING, "Scope"),
        (Kind.PARAGRAPH, "It covers the boats. All of them."),
        (Kind.HEADING, "Terms"),
        (Kind.PARAGRAPH, "A boat floats."),
    ]


@pytest.mark.parametrize(
    "runs",
    [
        run("We saw the\n") + run("Great Museum\n", BOLD) + run("of the town."),
        run("Great\nmuseum", BOLD),
        run("Dear ") + run("Ann", BOLD) + run(",\nit rains."),
        run("It begins at 9:30\nand ends at ten."),
        run("Ann,\n", BOLD) + run("it rains."),
        run("It rains.\n") + run("Ann", BOLD),
    ],
)
def test_bold_words_and_times_in_sentences_part_nothing(runs: str) -> None:
    assert len(texts(file(paragraph("One.") + lines(runs)))) == 2


def test_formulas_of_one_display_are_apart() -> None:
    def formula(text: str) -> str:
        return f"<m:oMath><m:r><m:t>{text}</m:t></m:r></m:oMath>"

    display = f"<m:oMathPara>{formula('a=b')}{formula('c=d')}</m:oMathPara>"
    document = file(lines(run("So: "), display) + lines(formula("x"), formula("y"), run(" hold.")))
    assert texts(document) == ["So: a = b", "c = d", "x y hold."]


def test_table_styles_and_rows_without_height_hide_text() -> None:
    def table(key: str, height: str = "") -> str:
        kind = f'<w:tblPr><w:tblStyle w:val="{key}"/></w:tblPr>' if key else ""
        row = f"<w:trPr>{height}</w:trPr>" if height else ""
        return f"<w:tbl>{kind}<w:tr>{row}<w:tc>{paragraph('Some text.')}</w:tc></w:tr></w:tbl>"

    low = '<w:trHeight w:val="1" w:hRule="exact"/>'
    least = '<w:trHeight w:val="1" w:hRule="atLeast"/>'
    body = table("") + table("Shown") + table("Shown", low) + table("Shown", least)
    document = file(paragraph("Seen.") + body, styles=STYLES)
    assert texts(document) == ["Seen.", "Some text.", "Some text."]
    reasons = {item.why: item.words for item in document.reading.left_out}
    assert reasons == {"Word does not show it": 2, "it is too small to be seen": 2}


def _box(inner: str) -> str:
    return (
        f"<w:r><w:pict><v:textbox><w:txbxContent>{inner}</w:txbxContent></v:textbox></w:pict></w:r>"
    )


def test_what_is_in_a_text_box_is_read_and_counted_once() -> None:
    diagram = pptx_files.diagram({"1": "First the roof."}, [])
    inside = lines(run("In "), _object("Equation.3"), PICTURE) + _drawing('<dgm:relIds r:dm="d"/>')
    body = lines(run("Before."), _box(inside))
    document = read(word_file(body, {"d": ("diagramData", diagram)}), "a.docx")
    assert texts(document) == ["Before.", "In [formula]", "First the roof."]
    assert left_out(document) == {"1 formula": 0, "1 picture": 0}


def test_an_embedded_formula_without_its_object_has_a_place() -> None:
    old = field(" EMBED Equation.3 ", PICTURE)
    new = field("EMBED Equation.DSMT4", _object("Equation.DSMT4"))
    other = field("EMBED Excel.Sheet.8", run("3"))
    document = file(lines(run("Here "), old, run(" and "), new, run(" and "), other))
    assert texts(document) == ["Here [formula] and [formula] and 3"]


def test_letters_drawn_as_art_are_read() -> None:
    art = '<w:r><w:pict><v:shape><v:textpath string="Grand opening"/></v:shape></w:pict></w:r>'
    assert texts(file(lines(run("Here."), art))) == ["Here.", "Grand opening"]


def test_a_cell_that_only_prompts_is_empty() -> None:
    cell = f"<w:tc>{paragraph('Click here.')}</w:tc>"
    row = f"<w:tr><w:tc>{paragraph('Name')}</w:tc>{_control(cell)}</w:tr>"
    filled = f"<w:tr><w:tc>{paragraph('Town')}</w:tc>{_control(cell, shows_prompt=False)}</w:tr>"
    document = file(f"<w:tbl>{row}{filled}</w:tbl>")
    assert texts(document) == ["Name\nTown\tClick here."]
    assert left_out(document) == {"prompts of a form": 2}


def _bullets(*signs: str) -> str:
    fonts = '<w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/></w:rPr></w:lvl>'
    return "".join(
        f'<w:abstractNum w:abstractNumId="{key}">'
        + list_level(0, "bullet", sign).replace("</w:lvl>", fonts)
        + f'</w:abstractNum><w:num w:numId="{key}"><w:abstractNumId w:val="{key}"/></w:num>'
        for key, sign in enumerate(signs, 1)
    )


def test_boxes_as_bullets_differ_where_some_are_ticked() -> None:
    body = paragraph("Bread", "", in_list(1, 0)) + paragraph("Milk", "", in_list(2, 0))
    both = file(body, numbering=_bullets("\uf0fe", "\uf0a8"))
    assert outline(both) == [(Kind.LIST_ITEM, "☒ Bread"), (Kind.LIST_ITEM, "☐ Milk")]
    one = file(body, numbering=_bullets("\uf0a8", "\uf0a7"))
    assert texts(one) == ["Bread", "Milk"]

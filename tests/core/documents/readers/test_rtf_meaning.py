"""Rich text files whose signs, strokes, fields and formulas change what a text says."""

import pytest

from core.documents.document import Document, Kind
from core.documents.readers.office import struck_but_kept
from tests.helpers.reader_checks import check_spans, outline, read, texts

_FONTS = (
    r"{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fnil\fcharset2{\*\panose 05050102}Symbol;}"
    r"{\f2\fcharset2 Wingdings;}{\f3\fcharset2 Wingdings 2;}{\f4\fcharset2 Odd Signs;}"
    r"{\f5\fcharset0 Segoe UI Symbol;}}"
)


def rtf(body: str, fonts: str = _FONTS, head: str = r"\ansi\ansicpg1252\deff0") -> Document:
    document = read(rf"{{\rtf1{head}{fonts}{body}}}".encode("latin-1"), "a.rtf")
    check_spans(document)
    return document


def left_out(document: Document) -> dict[str, int]:
    return {item.what: item.words for item in document.reading.left_out}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"10 {\f1 m}g", "10 μg"),
        (r"20 {\f1\'b1} 2 {\f1\'b0}C, x {\f1\'b3} 5 {\f1\'a3} 9", "20 ± 2 °C, x ≥ 5 ≤ 9"),
        (r"10 {\f1\u-3987\'6d}g {\f1\u61549?}g", "10 μg μg"),
        (r"{\f2\'fe} yes {\f2\'a8} no {\f2\u61608?} no", "☒ yes ☐ no ☐ no"),
        (r"{\f3 R} yes \u9744? no", "☑ yes ☐ no"),
        (r"{\f5 abc \'b1}", "abc ±"),
        (r"{\f1 a}\plain bc", "αbc"),
    ],
)
def test_signs_of_symbol_fonts_are_those_that_are_seen(source: str, text: str) -> None:
    assert texts(rtf(source + r"\par")) == [text]


def test_fonts_need_no_groups_of_their_own() -> None:
    fonts = r"{\fonttbl\f0\froman Times;\f1\fnil Symbol;\f2\fswiss Arial;}"
    assert texts(rtf(r"10 {\f1 m}g {\f2 m}\par", fonts)) == ["10 μg m"]


def test_signs_of_an_unknown_font_are_counted() -> None:
    document = rtf(r"One {\f4\'c1\'c2}two {\f4 abc}.\par")
    assert texts(document) == ["One two abc."]
    assert left_out(document) == {"2 signs": 0}


def test_struck_words_are_left_out_and_counted() -> None:
    document = rtf(
        r"The fee is {\strike 50} 60 euros, and the \striked1 old\striked0  new rule \strike un"
        r"\'e9\u8364?\plain  holds for all of us.\par"
    )
    assert texts(document) == ["The fee is 60 euros, and the new rule holds for all of us."]
    assert left_out(document) == {"deleted passages": 3}


def test_a_space_that_is_struck_parts_words() -> None:
    assert texts(rtf(r"The{\strike  old }fee{\strike  }applies to us all.\par")) == [
        "The fee applies to us all."
    ]


def test_a_file_that_is_mostly_struck_is_read() -> None:
    document = rtf(r"{\strike Buy the bread and the milk.}\par Then eggs.\par")
    assert texts(document) == ["Buy the bread and the milk.", "Then eggs."]
    assert not left_out(document)
    assert document.reading.notes == (struck_but_kept(6),)


TURNS = [
    ("Jörg Müller", "Guten Morgen, wollen wir anfangen?"),
    ("Élodie Petit", "Ja, ich habe die Zahlen des Jahres hier."),
    ("Jörg Müller", "Gut, dann bitte die Zahlen zeigen."),
    ("Élodie Petit", "Hier sind sie, alle zwölf Monate."),
]


def test_speakers_of_a_transcript_may_stand_behind_times() -> None:
    said = [(f"00:00:0{at} {name}", words) for at, (name, words) in enumerate(TURNS)]
    document = rtf("".join(rf"{label}\par {words}\par " for label, words in said))
    assert document.speaker_names == ("Jörg Müller", "Élodie Petit")
    assert texts(document, Kind.SPEAKER) == [label for label, _ in said]


def test_a_drop_cap_is_part_of_its_paragraph() -> None:
    body = r"\pard\dropcapli3\dropcapt1 {\b T}\par\pard he committee met.\par\pard Next.\par"
    assert texts(rtf(body)) == ["The committee met.", "Next."]
    assert texts(rtf(r"\pard One.\par\pard\dropcapli3 T\par")) == ["One.", "T"]


def field(code: str, result: str = "") -> str:
    return rf"{{\field{{\*\fldinst {{{code}}}}}{{\fldrslt {result}}}}}"


def form(kind: int, result: int, entries: str = "") -> str:
    data = rf"{{\*\formfield{{\fftype{kind}\ffres{result}\ffdefres1{{\*\ffname x}}{entries}}}}}"
    return field(f"FORM {data}", "old" if kind else "Ann")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (field(r'SYMBOL 109 \\f "Symbol" \\s 10', r"\f1\fs20") + "g", "μg"),
        (field(r"SYMBOL 168 \\f Wingdings", "?"), "☐"),
        (field(r"EQ \\f(1,2)"), "1/2"),
        (field(r"EQ \\a(1,2)"), "[formula] of it"),
        (field(r"REF x \\h", "page 3"), "page 3"),
        (field("PAGE", field("REF y", "4")), "4"),
        (form(0, 0), "Ann"),
        (form(1, 1), "☒"),
        (form(1, 0), "☐"),
        (form(1, 25), "☒"),
        (form(2, 1, r"{\*\ffl France}{\*\ffl Spain}"), "Spain"),
    ],
)
def test_fields_show_what_their_codes_and_forms_say(source: str, text: str) -> None:
    document = rtf(rf"It is {source} of it.\par")
    assert texts(document) == [f"It is {text.removesuffix(' of it')} of it."]


def test_text_for_older_programs_is_not_read_where_there_is_unicode() -> None:
    body = r"{\upr{Pri{\b v}et}{\*\ud{\u1055?\u1088?\u1080?}}} means hello.\par"
    assert texts(rtf(body)) == ["При means hello."]
    assert texts(rtf(r"{\upr{Only this}} is here.\par")) == ["Only this is here."]


def test_references_to_characters_are_read_in_text_from_a_web_page_only() -> None:
    body = (
        r"{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Papers &amp; keys, 5 &#8364;"
        r"{\*\htmltag84 &nbsp;}\htmlrtf \'a0\htmlrtf0 "
        r"{\*\htmltag84 &amp;}\htmlrtf &\htmlrtf0 amp;{\*\htmltag72 </p>}\htmlrtf\par}\htmlrtf0 "
    )
    assert texts(rtf(body, head=r"\ansi\fromhtml1")) == ["Papers & keys, 5 € &amp;"]
    assert texts(rtf(r"Write &amp; here.\par")) == ["Write &amp; here."]


def equation(program: str) -> str:
    data = r"{\*\objdata 0105}{\result {\pict 00}}"
    return rf"{{\object\objemb{{\*\objclass {program}}}{data}}}"


def test_formulas_of_other_programs_have_a_place_and_are_counted() -> None:
    document = rtf(rf"Here {equation('Equation.3')} holds. {equation('Excel.Sheet.8')}\par")
    assert texts(document) == ["Here [formula] holds."]
    assert [(item.what, item.why) for item in document.reading.left_out] == [
        ("1 formula", "it is an object of another program"),
        ("1 picture", "only text is read"),
        ("embedded documents", "they are separate files inside this one"),
    ]


def test_formulas_are_written_on_a_line() -> None:
    power = (
        r"{\msSup{\msSupPr{\mctrlPr\f1}}{\me{\mf{\mfPr{\mtype bar}}{\mnum{\mr\f1 x\u8722?c}}"
        r"{\mden{\mr v}}}}{\msup{\mr 2}}}"
    )
    bars = r"{\md{\mdPr{\mbegChr |}{\mendChr |}}{\me{\mr x}}}"
    body = rf"So {{\mmath{{\*\moMath{power}}}}} and {{\mmath{{\*\moMath{bars}}}}} hold.\par"
    assert texts(rtf(body)) == ["So ((x − c)/v)² and |x| hold."]
    display = r"{\*\moMathPara{\*\moMath{\mr a=b}}{\*\moMath{\mr c=d}}}"
    assert texts(rtf(rf"N: {{\mmath{display}}}\par")) == ["N: a = b", "c = d"]
    matrix = rtf(r"It {\mmath{\*\moMath{\mm{\mmr{\me{\mr a}}{\me{\mr b}}}}}} holds.\par")
    assert texts(matrix) == ["It [formula] holds."]
    assert left_out(matrix) == {"1 formula": 0}
    assert texts(rtf(r"Cut {\mmath{\*\moMath{\mr x")) == ["Cut x"]


def test_bold_lines_above_text_are_headings() -> None:
    body = r"\pard{\b Scope}\line It covers the boats.\line {\b Terms\line }A boat floats.\par"
    assert outline(rtf(body)) == [
        (Kind.HEADING, "Scope"),
        (Kind.PARAGRAPH, "It covers the boats."),
        (Kind.HEADING, "Terms"),
        (Kind.PARAGRAPH, "A boat floats."),
    ]
    within = r"\pard We saw the\line {\b Great Museum}\line of the town.\par"
    assert texts(rtf(within)) == ["We saw the Great Museum of the town."]
    emoji = r"\pard{\b\uc0\u-10179 \u-8704 }\line x\par"
    assert texts(rtf(emoji)) == ["\U0001f600 x"]


def test_turns_of_a_meeting_have_speakers() -> None:
    body = "".join(
        rf"\pard\line {{\b {name}}}   0:{10 + index}\line and so we wait.\par"
        for index, name in enumerate(["Kern, Anna", "Paul Weiss"] * 2)
    )
    document = rtf(body)
    assert document.speaker_names == ("Anna Kern", "Paul Weiss")
    assert texts(document, Kind.PARAGRAPH) == ["and so we wait."] * 4

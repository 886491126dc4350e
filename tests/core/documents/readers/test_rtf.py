"""Rich text files: each control word as it changes what a person reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Kind
from core.documents.readers.rtf import MAX_DEPTH
from core.errors import EpitomeError
from tests.helpers.reader_checks import check_spans, outline, read, texts

_FONTS = (
    r"{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Times Cyr;}{\f2\fcharset128 Mincho;}"
    r"{\f3\fcharset2 Symbol;}{\f4\fcharset177 David;}}"
)
_STYLES = (
    r"{\stylesheet{\ql Normal;}{\s1\outlinelevel0 heading 1;}{\s2\outlinelevel1 \'dcberschrift;}"
    r"{\*\cs10 Default Font;}{\s5 Quote;}{\s6 Title;}{\s7 HTML Preformatted;}}"
)


def _rtf(body: str, head: str = r"\ansi\ansicpg1252\deff0") -> Document:
    document = read(rf"{{\rtf1{head}{_FONTS}{_STYLES}{body}}}".encode("latin-1"), "a.rtf")
    check_spans(document)
    return document


def test_paragraphs_end_at_par_and_lines_of_the_file_mean_nothing() -> None:
    document = _rtf("\\pard One pa\r\nragraph.\\par Another\\line one.\\par\r\n\\par Third")
    assert texts(document) == ["One paragraph.", "Another one.", "Third"]


def test_two_line_breaks_part_paragraphs() -> None:
    document = _rtf(r"\pard It was wet.\line\line The pump\line was old.\par")
    assert texts(document) == ["It was wet.", "The pump was old."]


def test_raised_and_lowered_letters_do_not_become_part_of_numbers_and_words() -> None:
    document = _rtf(
        r"About 10{\super -}{\super \u54?} g of CO\sub 2\nosupersub  on the 2{\up6\fs16 nd} of May"
        r"{\super\chftn{\footnote\pard{\super\chftn} It held 12 g.}} in adults.{\super 1,2} "
        r"10\super 6\plain  and 10\super0 6 end.\par"
    )
    assert texts(document) == [
        "About 10⁻⁶ g of CO₂ on the 2nd of May in adults. 10⁶ and 106 end.",
        "It held 12 g.",
    ]


def test_headings_by_outline_level_and_by_the_names_of_styles() -> None:
    document = _rtf(r"\pard\s1 Scope\par\pard\s2 Terms\par\pard\s5 He said.\par\pard Text.\par")
    assert outline(document) == [
        (Kind.HEADING, "Scope"),
        (Kind.HEADING, "Terms"),
        (Kind.QUOTE, "He said."),
        (Kind.PARAGRAPH, "Text."),
    ]
    assert list(document.levels[:2]) == [1, 2]
    assert document.title == "Scope"


def test_the_title_comes_from_its_style_before_the_file_properties() -> None:
    info = r"{\info{\title A plan for water}{\author Nobody read}}"
    assert _rtf(info + r"Words.\par").title == "A plan for water"
    assert _rtf(info + r"\pard\s6 The water plan\par").title == "The water plan"
    assert _rtf(r"{\info{\title Microsoft Word - draft}}Words.\par").title == "a"
    assert "Nobody" not in _rtf(info + r"Words.\par").text


def test_short_bold_paragraphs_are_headings_where_no_style_is() -> None:
    body = r"\pard{\b The basin}\par It holds {\b much} water.\par{\b\u1042? \u1054?}\par End."
    assert outline(_rtf(body)) == [
        (Kind.HEADING, "The basin"),
        (Kind.PARAGRAPH, "It holds much water."),
        (Kind.HEADING, "В О"),
        (Kind.PARAGRAPH, "End."),
    ]


def test_code_keeps_its_lines() -> None:
    body = r"\pard\s7 if x:\par\tab run()\par\pard Text.\par"
    assert outline(_rtf(body))[0] == (Kind.CODE, "if x:\n    run()")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"caf\'e9", "café"),
        (r"{\f1 \'cc\'e8\'f0} caf\'e9", "Мир café"),
        (r"{\f2 \'83\'5d\'83\'8b}", "ゾル"),  # the second byte of a pair may be a bracket …
        ("{\\f2 \\'83]}", "ゾ"),  # … or stand as itself
        (r"\u8364\'80 5", "€ 5"),
        (r"\uc2\u12478\'83\'5d\uc0\u8364 5", "ゾ€5"),
        (r"{\uc0 \u8364}\u8364?x", "€€x"),
        (r"\u-10240?\u-8398?", "𐌲"),
        (r"\u-10240?x", "\ufffdx"),
        (r"{\f3 a}-rays", "α-rays"),
        (r"{\ltrch\f0 \rtlch\af4 \'f9\'ec\'e5\'ed}", "שלום"),
        (r"a\~b\_c\-d\emdash e\ldblquote f\rdblquote", "a b-cd—e“f”"),
        (r"\{x\} \\ y", r"{x} \ y"),
        (r"a\u99999999999999999999?b", "ab"),
        (r"a\b0\unknownword12 b{\*\nobodyknows c}", "ab"),
    ],
)
def test_characters(body: str, text: str) -> None:
    assert texts(_rtf(body + r"\par")) == [text]


@pytest.mark.parametrize(
    ("head", "byte", "text"),
    [(r"\ansi\ansicpg1251", r"\'cc", "М"), (r"\mac", r"\'8e", "é"), (r"\pc", r"\'82", "é")],
)
def test_the_code_page_of_the_file(head: str, byte: str, text: str) -> None:
    document = read(rf"{{\rtf1{head} x{byte}\par}}".encode(), "a.rtf")
    assert texts(document) == [f"x{text}"]


def test_numbers_of_lists_stay_and_bullets_go() -> None:
    body = (
        r"{\listtext 1.\tab}\pard\ls1 one\par{\listtext\f3\'b7\tab}\pard\ls2\ilvl1 two\par"
        r"{\pntext 3)\tab}three\par\pard\ls4 four\par{\listtext 2.1\tab}\pard\s1\ls3 Scope\par"
    )
    document = _rtf(body)
    assert outline(document) == [
        (Kind.LIST_ITEM, "1. one"),
        (Kind.LIST_ITEM, "two"),
        (Kind.LIST_ITEM, "3) three"),
        (Kind.LIST_ITEM, "four"),
        (Kind.HEADING, "2.1 Scope"),
    ]
    assert list(document.levels) == [1, 2, 2, 1, 1]


def test_tables_stand_row_by_row_and_tables_of_paragraphs_are_text() -> None:
    row = r"\trowd\cellx1\cellx2\pard\intbl {}\cell {}\par more\cell\row"
    body = row.replace("{}", "a", 1).replace("{}", "b") * 2 + r"\pard After.\par"
    assert outline(_rtf(body)) == [
        (Kind.TABLE, "a\tb more\na\tb more"),
        (Kind.PARAGRAPH, "After."),
    ]
    long = "word " * 50
    layout = _rtf(rf"\trowd\pard\intbl {long}\cell side\cell\row\pard End.\par")
    assert outline(layout)[0] == (Kind.PARAGRAPH, long.strip())


def test_an_unfinished_table_loses_nothing() -> None:
    document = _rtf(r"\pard\intbl one\cell two\cell\row\pard\intbl three\cell four")
    assert texts(document) == ["one\ttwo", "three", "four"]


def test_notes_follow_their_paragraph_and_endnotes_the_text() -> None:
    body = (
        r"First{\super\chftn{\footnote\pard See page 3.\par Or 4.}} part.\par "
        r"Second{\footnote\ftnalt At the end.}.\par Third.\par"
    )
    assert outline(_rtf(body)) == [
        (Kind.PARAGRAPH, "First part."),
        (Kind.FOOTNOTE, "See page 3. Or 4."),
        (Kind.PARAGRAPH, "Second."),
        (Kind.PARAGRAPH, "Third."),
        (Kind.FOOTNOTE, "At the end."),
    ]


def test_what_is_left_out_is_counted_and_said() -> None:
    body = (
        r"{\header Annual report\par}{\headerl Annual report\par}{\footer Page one\par}"
        r"Kept {\deleted struck out words}{\revised new }{\v hidden}text"
        r"{\*\atnid AB}{\*\annotation a short remark} here.\par"
        r"{\*\shppict{\pict\pngblip 89504e47}}{\nonshppict{\pict 00}}"
        r"{\object\objemb{\*\objdata 0105}{\result{\pict 00}}} End{\xe index entry}."
    )
    document = _rtf(body)
    assert texts(document) == ["Kept new text here.", "End."]
    assert [(item.what, item.words) for item in document.reading.left_out] == [
        ("running heads and footers", 4),
        ("comments", 3),
        ("deleted passages", 3),
        ("hidden text", 1),
        ("2 pictures", 0),
        ("embedded documents", 0),
    ]
    assert document.reading.notes == (
        "Tracked changes were treated as accepted: 1 insertion, 1 deletion.",
    )


def test_of_fields_the_result_is_read_and_text_boxes_once() -> None:
    body = (
        r'{\field{\*\fldinst HYPERLINK "http://example.org"}{\fldrslt the page}} and more'
        r"{\shp{\*\shpinst\shpleft1{\sp{\sn type}{\sv 202}}{\shptxt In a box.\par}}"
        r"{\shprslt{\*\do{\dptxbxtext In a box.\par}}}}.\par"
    )
    assert texts(_rtf(body)) == ["the page and more.", "In a box."]


def test_an_object_inside_a_note_does_not_end_the_note() -> None:
    shown = r"{\object{\*\objdata 00}{\result shown}}"
    body = rf"Text{{\footnote One {shown} two {shown} three.}} goes on.\par"
    assert outline(_rtf(body)) == [
        (Kind.PARAGRAPH, "Text goes on."),
        (Kind.FOOTNOTE, "One shown two shown three."),
    ]


def test_binary_data_is_passed_over_by_its_length() -> None:
    body = "before {\\pict\\bin5 }}{\\}}after\\par"
    assert texts(_rtf(body)) == ["before after"]
    assert texts(_rtf("before \\bin99999999999 after")) == ["before"]
    assert texts(_rtf("before \\bin-5 after")) == ["before after"]


def test_deep_groups_are_read_in_bounded_memory() -> None:
    deep = "{" * 100_000 + "deep" + "}" * 100_000
    assert texts(_rtf(rf"one\par {deep} two")) == ["one", "deep two"]
    open_only = read(b"{\\rtf1 " + b"{\\b " * 50_000 + b"words", "a.rtf")
    assert texts(open_only) == ["words"]
    assert MAX_DEPTH < 10_000


@pytest.mark.parametrize("data", [b"{\\rtf", b"{\\rtf1}", b"{\\rtf1 }}}}", b"{\\rtf1\\pict 00ff}"])
def test_a_file_without_words_is_refused(data: bytes) -> None:
    with pytest.raises(EpitomeError):
        read(data, "a.rtf")


def test_rtf_is_known_whatever_it_is_called() -> None:
    document = read(b"{\\rtf1 Some words of a letter.}", "letter.doc")
    assert document.source.format == "rtf"
    assert read(b"{\\rtf1 Some words.}", "letter.txt").reading.notes == (
        "The name ends in .txt, but the file holds rich text (RTF) and was read as such.",
    )


_WORDS = st.text(st.characters(exclude_categories=("C", "Z", "M")), min_size=1, max_size=8)
_PARAGRAPHS = st.lists(
    st.lists(_WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=6
)


def _escaped(text: str) -> str:
    units = [
        int.from_bytes(text.encode("utf-16-le")[at : at + 2], "little")
        for at in range(0, len(text.encode("utf-16-le")), 2)
    ]
    return "".join(
        chr(unit)
        if 32 <= unit < 127 and chr(unit) not in "\\{}"
        else rf"\u{unit - 65536 if unit > 32767 else unit}?"
        for unit in units
    )


@given(_PARAGRAPHS)
def test_what_was_written_is_read_back(paragraphs: list[str]) -> None:
    letters = [f"x {text} y" for text in paragraphs]
    body = "".join(rf"\pard {_escaped(text)}\par " for text in letters)
    assert texts(_rtf(body)) == letters

"""What changes the meaning of a page's words: signs of symbol fonts, words struck through."""

import pytest

from core.documents.document import Document, Kind
from tests.helpers.epub_files import epub_file
from tests.helpers.reader_checks import outline, read, texts

_TEXT = "The pump draws water from the lower basin and lifts it into the upper one every night."
_SYMBOL = '<span style="font-family:Symbol">{}</span>'


def _page(body: str, style: str = "") -> Document:
    html = f"<html><head><style>{style}</style></head><body>{body}<p>{_TEXT}</p></body></html>"
    return read(html, "a.html")


def _first(body: str, style: str = "") -> str:
    return texts(_page(body, style))[0]


def _deleted(document: Document) -> list[int]:
    return [item.words for item in document.reading.left_out if item.what == "deleted passages"]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"10 {_SYMBOL.format('m')}g, {_SYMBOL.format('£')} 5", "10 μg, ≤ 5"),
        ("10 <font face=Symbol>m</font>g <font face='Symbol, Arial'>±</font> 5", "10 μg ± 5"),
        ("10 <span class=x>m</span>g", "10 μg"),
        ("10 <span class=x><i>m</i> <b class=y>m</b></span>", "10 μ m"),
        ("10 <span style='font:bold 10pt/1.2 \"Symbol\", serif'>m</span>g", "10 μg"),
        ("10 <span style='font-family:symbol !important'>m</span>g", "10 μg"),
        ("x<sup><span class=x>a</span></sup>", "x^α"),
        ("Gut <span style='font-family:Wingdings'>J</span>", "Gut ☺"),
        ("A <span style='font-family:Wingdings'>à</span> B", "A → B"),
        ("<span style='font-family:\"Wingdings 2\"'>P</span> paid", "✓ paid"),
        ("<span style='font-family:Wingdings'>&#61692;</span> paid", "✓ paid"),
    ],
)
def test_letters_in_symbol_fonts_are_the_signs_that_are_seen(body: str, text: str) -> None:
    style = ".x{font-family:'Symbol',serif} .y{font-family:Arial}"
    assert _first(f"<p>{body}</p>", style) == text


@pytest.mark.parametrize(
    "tag",
    [
        "span style='font-family:Arial, Symbol'",
        "span style='font-family:Arial'",
        "span style='font-family:Symbol;font-family:Arial'",
        "span style='font-family:Segoe UI Symbol'",
        "span style='font-family:\"Symbol Neu\"'",
        "span style='font:10pt Arial, Symbol'",
        "span style='mso-bidi-font-family:Symbol'",
        "font face='Arial, Symbol'",
        "span class=other",
        "a class=x",
    ],
)
def test_letters_in_other_fonts_stay(tag: str) -> None:
    style = ".x:hover{font-family:Symbol} @media print{.x{font-family:Symbol}} .y{font:9pt Symbol}"
    assert _first(f"<p>10 <{tag}>m</{tag.split()[0]}>g</p>", style) == "10 mg"


def test_a_page_that_is_in_a_symbol_font_as_a_whole_is_read_as_written() -> None:
    assert _first(f"<p>{_TEXT}</p>", "body{font-family:Symbol}") == _TEXT


def test_signs_of_mail_and_books_are_read() -> None:
    mail = (
        "From: ann@example.org\nSubject: The pump\nContent-Type: text/html\n\n"
        f"<p>See you {'<span style=font-family:Wingdings>J</span>'}</p><p>{_TEXT}</p>"
    )
    assert "See you ☺" in texts(read(mail.encode(), "a.eml"))
    book = epub_file({"one": f"<p>10 {_SYMBOL.format('m')}g</p><p>{_TEXT}</p>"})
    assert texts(read(book, "a.epub")) == ["10 μg", _TEXT]


_STRUCK = [
    ("<span style='text-decoration:line-through'>50</span>", ""),
    ("<span style='TEXT-DECORATION: Line-Through'>50</span>", ""),
    ("<span style='text-decoration-line: underline line-through'>50</span>", ""),
    ("<span style='text-decoration:line-through solid red'>50</span>", ""),
    ("<span class=c1>50</span>", ".c1{text-decoration:line-through}"),
    ("<span class=c1>50</span>", ".c1{text-decoration-line:line-through!important}"),
    ("<span class=c1>50</span>", ".c1{text-decoration:line-through;transition:color 1s}"),
    ("<span class=c1><span style='text-decoration:none'>50</span></span>",
     ".c1{text-decoration:line-through}"),
    ("<s><span class=c1>50</span></s>", ".c1{text-decoration:line-through}"),
    ("<b class=c1>5<s>0</s></b>", "p b{text-decoration:line-through}"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "style"), _STRUCK)
def test_words_that_styles_strike_through_are_left_out_and_counted(old: str, style: str) -> None:
    document = _page(f"<p>{old} 60 euros</p>", style)
    assert texts(document)[0] == "60 euros"
    assert _deleted(document) == [1]


@pytest.mark.parametrize(
    "style",
    [
        "text-decoration:none", "text-decoration:underline", "text-decoration:overline",
        "text-decoration:line-through;text-decoration:none",
        "text-decoration:line-through;text-decoration-line:underline",
        "text-decoration-color:red", "text-decoration-style:wavy", "--mark:line-through",
    ],
)  # fmt: skip
def test_words_with_other_decorations_stay(style: str) -> None:
    rule = f".c1:hover,.c2{{text-decoration:line-through}} b{{{style}}}"
    for old in (f"<span style='{style}'>50</span>", "<a href=a class=c1>50</a>", "<b>50</b>"):
        document = _page(f"<p>{old} 60 euros</p>", rule)
        assert texts(document)[0] == "50 60 euros"
        assert not _deleted(document)


def test_a_page_that_a_style_strikes_through_as_a_whole_is_read() -> None:
    document = _page(f"<p>{_TEXT}</p>", "body{text-decoration:line-through}")
    assert texts(document) == [_TEXT, _TEXT]
    assert not _deleted(document)


def test_cells_and_items_beside_struck_ones_keep_their_places() -> None:
    body = (
        "<ol><li>Oil<li class=x>Salt<li>Rice</ol>"
        "<table><tr><td>a<td class=x>b<td>c<tr><td>1<td>2<td>3</table>"
    )
    document = _page(body, ".x{text-decoration:line-through}")
    assert texts(document)[:3] == ["1. Oil", "3. Rice", "a\t\tc\n1\t2\t3"]
    assert _deleted(document) == [2]


def test_struck_words_of_mail_and_books_are_left_out() -> None:
    line = "<p>The fee is <span style='text-decoration:line-through'>five</span> six euros.</p>"
    mail = f"From: a@example.org\nSubject: Fee\nContent-Type: text/html\n\n{line}<p>{_TEXT}</p>"
    for data, name in ((mail.encode(), "a.eml"), (epub_file({"one": line}), "a.epub")):
        document = read(data, name)
        assert "The fee is six euros." in texts(document)
        assert _deleted(document) == [1]


_SPACER = """<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span>"""


def _word_item(mark: str, text: str, *, level: int = 1, font: str = "Symbol") -> str:
    return (
        f"<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level{level} lfo1'>"
        f"<![if !supportLists]><span style='font-family:{font};mso-fareast-font-family:{font}'>"
        f"<span style='mso-list:Ignore'>{mark}{_SPACER}</span></span><![endif]>{text}</p>"
    )


def test_paragraphs_with_list_marks_of_word_are_items() -> None:
    body = (
        _word_item("·", "warme <b>Socken</b>")
        + _word_item("§", "eine Jacke", level=2, font="Wingdings")
        + _word_item("<font face=Courier>o</font>", "ein Hut", font='"Courier New"')
        + "<p class=MsoNormal>Dann:</p>"
        + _word_item("1.", "packen", font="Arial")
        + _word_item("Step 2:", "gehen", font="Arial")
    )
    assert [(kind.name, text) for kind, text in outline(_page(body))][:6] == [
        ("LIST_ITEM", "warme Socken"),
        ("LIST_ITEM", "eine Jacke"),
        ("LIST_ITEM", "ein Hut"),
        ("PARAGRAPH", "Dann:"),
        ("LIST_ITEM", "1. packen"),
        ("LIST_ITEM", "Step 2: gehen"),
    ]
    assert list(_page(body).levels[:3]) == [1, 2, 1]


def test_paragraphs_with_list_marks_of_filtered_pages_are_items() -> None:
    bullet = f"<span style='font-family:Symbol'>·{_SPACER}</span>"
    body = (
        f"<p class=MsoListParagraphCxSpFirst style='text-indent:-.25in'>{bullet}Salt</p>"
        f"<p class=MsoNormal style='margin-left:.5in;text-indent:-.25in'>a){_SPACER}Oil</p>"
    )
    assert [(kind.name, text) for kind, text in outline(_page(body))][:2] == [
        ("LIST_ITEM", "Salt"),
        ("LIST_ITEM", "a) Oil"),
    ]


def test_boxes_of_word_lists_stay_where_some_are_ticked() -> None:
    items = [_word_item(sign, word, font="Wingdings") for sign, word in ("¨a", "þb", "¨c")]
    assert texts(_page("".join(items)))[:3] == ["☐ a", "☒ b", "☐ c"]
    assert texts(_page("".join(items[::2])))[:2] == ["a", "c"]


def test_lists_of_mail_that_word_writes_are_read() -> None:
    head = "From: a@example.org\nSubject: List\nContent-Type: text/html; charset=utf-8\n\n"
    document = read((head + _word_item("·", "Salt") + _word_item("·", "Oil")).encode(), "a.eml")
    assert texts(document, Kind.LIST_ITEM) == ["Salt", "Oil"]


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        (f"<h2 style='mso-list:l0 level1 lfo1'>2.{_SPACER}Oil</h2>", "HEADING", "2. Oil"),
        (f"<p>Ann{_SPACER}Lee</p>", "PARAGRAPH", "Ann Lee"),
        (f"<p style='text-indent:-9pt'>Of <b>Ann{_SPACER}</b>Lee</p>", "PARAGRAPH", "Of Ann Lee"),
        ("<p class=MsoListParagraph>Oil and salt</p>", "PARAGRAPH", "Oil and salt"),
        ("<p style='mso-list:l0 level1 lfo1'>· Oil</p>", "PARAGRAPH", "· Oil"),
        (_SPACER.replace("&nbsp;", "Oil"), "PARAGRAPH", "OilOilOil"),
    ],
)
def test_other_paragraphs_stay(body: str, kind: str, text: str) -> None:
    found, line = outline(_page(body))[0]
    assert (found.name, line) == (kind, text)


@pytest.mark.parametrize("count", [1, 200])
def test_pages_of_many_marks_are_read_whole(count: int) -> None:
    body = "".join(_word_item("·", f"part {n}") for n in range(count))
    assert len(texts(_page(body), Kind.LIST_ITEM)) == count

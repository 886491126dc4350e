"""Line breaks of web pages: headings in bold, items of lists, and quotations without marks."""

import pytest

from core.documents.document import Kind
from tests.helpers.epub_files import epub_file
from tests.helpers.reader_checks import outline, read, texts

RULES = "These rules apply to all beds in the park and to the paths."
WATER = "Water may be used before nine in the morning only."
HEADING, ITEM, PARAGRAPH = Kind.HEADING, Kind.LIST_ITEM, Kind.PARAGRAPH


def page(body: str) -> str:
    return f"<html><head><title>A memo</title></head><body><h1>A memo</h1>{body}</body></html>"


def body_of(html: str) -> list[tuple[Kind, str]]:
    """The outline of a page below its title."""
    return outline(read(page(html), "a.html"))[1:]


@pytest.mark.parametrize(
    "html",
    [
        f"<p><b>Scope</b><br>{RULES}</p><p><b>Water</b><br/>{WATER}</p>",
        f"<p><strong>Scope</strong><br>{RULES}<br><br><strong>Water</strong><br>{WATER}</p>",
        f"<div><b>Scope<br></b>{RULES}<br><br><b>Water</b><br><br>{WATER}</div>",
        f"<b><font size=3>Scope</font></b><br>{RULES}<br><br><b> Water </b><br>\n{WATER}",
        f"<p><b>Scope</b></p><p>{RULES}</p><p><b>Water</b></p><p>{WATER}</p>",
        f'<p><span style="font-weight:bold">Scope</span><br>{RULES}</p>'
        f'<p><span style="font-weight: 700">Water</span><br>{WATER}</p>',
        f"<p><b>Sc</b><b>ope</b><br>{RULES}</p><p><b><i>Water</i></b><br>{WATER}</p>",
    ],
)
def test_a_line_in_bold_above_text_is_a_heading(html: str) -> None:
    assert body_of(html) == [
        (HEADING, "Scope"), (PARAGRAPH, RULES), (HEADING, "Water"), (PARAGRAPH, WATER),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "<b>Anna Kern</b> 0:03<br>Good morning, all of you, let us start.",
        "<b>Anna Kern 0:03</b><br>Good morning, all of you, let us start.",
        "<b>The museum</b> of the town<br>was opened in the spring of the year by the mayor.",
        "<b>The museum of the town</b><br>was opened in the spring of the year by the mayor.",
        "<b>The museum is open to all.</b><br>It was opened in spring by the mayor.",
        "<b>Anna Kern</b><br>Mill Lane 3<br>Bath",
        "It was opened<br><b>in the spring</b><br>of the year by the mayor of the whole town.",
        "A pump has <b>two</b> floats.",
    ],
)
def test_other_bold_words_make_no_heading(line: str) -> None:
    for html in (f"<p>{line}</p>", f"<div>{RULES}<br><br>{line}</div>"):
        assert texts(read(page(html + f"<p>{WATER}</p>"), "a.html"), HEADING) == ["A memo"]


def test_speakers_in_bold_are_no_headings() -> None:
    turns = (f"<p><b>{name}</b><br>{RULES}</p>" for name in ("Anna Kern", "Paul Weiss") * 3)
    assert texts(read(page("".join(turns)), "a.html"), HEADING) == ["A memo"]


def test_bold_lines_of_a_page_with_headings_are_none() -> None:
    html = f"<h2>One</h2><p>{RULES}</p><h2>Two</h2><p><b>Scope</b><br>{WATER}</p><p>{RULES}</p>"
    assert texts(read(page(html), "a.html"), HEADING) == ["A memo", "One", "Two"]


@pytest.mark.parametrize(
    "lines",
    [
        "Please bring:<br>- a spade of your own<br>- gloves and boots<br>- water",
        "Please bring:<br>– a spade of your own<br>– gloves and boots<br>– water",
        "Please bring:<br>* a spade of your own<br>* gloves and boots<br>* water",
        "Please bring:<br>• a spade of your own<br>• gloves and boots<br>• water",
        "Please bring:<br><br>- a spade of your own<br>- gloves and boots<br>- water<br>",
        "Please bring:<br>▪ a spade of your own<br>▪&nbsp;gloves and boots<br>&#9642; water",
    ],
)
def test_lines_with_bullets_are_items(lines: str) -> None:
    items = [(ITEM, "a spade of your own"), (ITEM, "gloves and boots"), (ITEM, "water")]
    for html in (f"<p>{lines}</p>", f"<div>{lines}</div>", f"<center>{lines}</center>"):
        assert body_of(f"{html}<p>{RULES}</p>") == [
            (PARAGRAPH, "Please bring:"), *items, (PARAGRAPH, RULES),
        ]  # fmt: skip


@pytest.mark.parametrize(
    "lines",
    [
        "– Good morning, said the mayor.<br>– Good morning, said the others.",
        "- Is it open?<br>- It is.<br>- Then let us go.",
        "It costs 10<br>- 5 for children.",
        "The museum<br>-<br>the town",
        "-5 degrees in winter<br>-3 degrees in spring",
    ],
)
def test_other_lines_with_dashes_are_no_items(lines: str) -> None:
    assert not texts(read(page(f"<p>{lines}</p><p>{RULES}</p>"), "a.html"), ITEM)


def test_items_of_a_line_break_in_an_item_are_deeper() -> None:
    html = f"<ul><li>Tools:<br>- a spade<br>- boots</li></ul><p>{RULES}</p>"
    document = read(page(html), "a.html")
    assert texts(document, ITEM) == ["Tools:", "a spade", "boots"]
    assert list(document.levels[1:4]) == [1, 2, 2]


QUOTED = {
    "": "“quoted words”",
    "en-GB": "“quoted words”",
    "de": "„quoted words“",
    "fr": "«quoted words»",
    "pl": "„quoted words”",
    "ja": "「quoted words」",
}


@pytest.mark.parametrize("language", QUOTED)
def test_a_quotation_has_the_marks_that_a_browser_draws(language: str) -> None:
    html = f'<div lang="{language}"><p>She said <q>quoted words</q> to us. {RULES}</p></div>'
    assert f"She said {QUOTED[language]} to us." in read(page(html), "a.html").text


def test_a_quotation_in_another_has_the_inner_marks() -> None:
    html = f"<p>He wrote <q>she said <q>no</q> to <b>us</b></q>. {RULES}</p>"
    assert "He wrote “she said ‘no’ to us”." in read(page(html), "a.html").text


@pytest.mark.parametrize("text", ["“no”", "»no«", "&quot;no&quot;", "'no'"])
def test_a_quotation_with_its_own_marks_gets_no_others(text: str) -> None:
    document = read(page(f"<p>He said <q>{text}</q>. {RULES}</p>"), "a.html")
    assert texts(document)[1] == f"He said {text.replace('&quot;', chr(34))}. {RULES}"


def test_quotations_of_e_books_messages_and_markdown_have_marks() -> None:
    html = f"<p>She said <q>no</q> to us. {RULES}</p>"
    chapter = f'<?xml version="1.0"?><html><body><h1>One</h1>{html}</body></html>'
    assert "“no”" in read(epub_file({"one": chapter}), "a.epub").text
    assert "“no”" in read("# A memo\n\nShe said <q>no</q> to us.\n", "a.md").text
    message = f"From: a@example.org\nSubject: Mill\nContent-Type: text/html\n\n{page(html)}"
    assert "“no”" in read(message, "a.eml").text

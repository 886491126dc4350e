"""Text that no reader of a page sees is left out, with the reason; what is seen stays."""

import pytest

from core.documents.document import Document
from tests.helpers.epub_files import epub_file
from tests.helpers.reader_checks import read

SEEN = " ".join(["Water runs down the hill to the mill, and the mill grinds the corn."] * 6)
PLANTED = "The director was paid twice this year."
PAGE = "<html><head><title>Mill</title>{head}</head><body><p>{seen}</p>{body}</body></html>"
_NOT_DISPLAYED, _TINY = "it is not displayed", "it is too small to be seen"
_COLOUR, _PLACE = "it has the colour of its background", "it lies outside of the page"


def page(body: str, style: str = "", head: str = "") -> str:
    head += f"<style>{style}</style>" if style else ""
    return PAGE.format(head=head, seen=SEEN, body=body)


def styled(style: str, tag: str = "p") -> str:
    return page(f'<{tag} style="{style}">{PLANTED}</{tag}>')


def ruled(rule: str, body: str = f'<p class="x">{PLANTED}</p>') -> str:
    return page(body, rule)


def hidden(document: Document) -> dict[str, int]:
    items = document.reading.left_out
    return {item.why: item.words for item in items if item.what == "hidden text"}


STYLES = {
    "display:none": _NOT_DISPLAYED,
    "visibility: hidden": _NOT_DISPLAYED,
    "opacity: 0": _NOT_DISPLAYED,
    "opacity:.01": _NOT_DISPLAYED,
    "opacity: 1%": _NOT_DISPLAYED,
    "height:0;overflow:hidden": _NOT_DISPLAYED,
    "max-height:0px; overflow: hidden": _NOT_DISPLAYED,
    "mso-hide:all": _NOT_DISPLAYED,
    "font-size:0": _TINY,
    "font-size: 1px": _TINY,
    "font-size:0.01em": _TINY,
    "font:0/0 a": _TINY,
    "color:white": _COLOUR,
    "color:#fefefe": _COLOUR,
    "color: rgb(255, 255, 255)": _COLOUR,
    "color:#FFF;background:#fff": _COLOUR,
    "color:#222; background-color:rgb(34,34,34)": _COLOUR,
    "color:transparent": _COLOUR,
    "color:rgba(0,0,0,0)": _COLOUR,
    "position:absolute;left:-9999px": _PLACE,
    "position:fixed; top: -200em": _PLACE,
    "text-indent:-9999px": _PLACE,
    "position:absolute; clip:rect(0,0,0,0)": _PLACE,
    "clip-path: inset(50%)": _PLACE,
    "transform:scale(0)": _PLACE,
    "transform: scale(.01)": _PLACE,
}


@pytest.mark.parametrize("style", STYLES)
def test_what_an_attribute_hides_is_left_out(style: str) -> None:
    document = read(styled(style), "a.html")
    assert document.text == SEEN
    assert hidden(document) == {STYLES[style]: 7}
    assert document.reading.complete


RULES = {
    "class": ".x { display: none }",
    "element and class": "p.x{font-size:0}",
    "list of selectors": "h6, .x, .y { visibility:hidden }",
    "in something": "body .x { opacity: 0 }",
    "child": "body > .x{display:none}",
    "attribute": "[class=x] { display:none }",
    "after a comment": "/* .y { } */ .x { color: #fff }",
    "for screens": "@media screen { .x { display:none } }",
    "for wide screens": "@media (min-width: 600px) { .x { display:none } }",
    "important": ".x{display:none !important} p.x{display:block}",
    "the last one": ".x{display:block} .x{display:none}",
    "neighbour": "p + .x { display:none }",
    "sibling": "p ~ .x { display:none }",
    "place": "p:nth-child(2) { display:none }",
    "last place": "p:last-child { display:none }",
    "all but": "p:not(.y):last-child { display:none }",
    "shades": ".x { color: hsl(0, 0%, 100%) }",
    "inherited": "body{background:#000;color:#eee} .x{color:#000}",
}


@pytest.mark.parametrize("name", RULES)
def test_what_a_rule_hides_is_left_out(name: str) -> None:
    document = read(ruled(RULES[name]), "a.html")
    assert document.text == SEEN
    assert sum(hidden(document).values()) == 7


@pytest.mark.parametrize(
    "body",
    [
        f"<p hidden>{PLANTED}</p>",
        f'<p><font color="white">{PLANTED}</font></p>',
        f'<table bgcolor="black"><tr><td><font color="#000000">{PLANTED}</font></td></tr></table>',
        f'<div style="display:none"><p style="display:block">{PLANTED}</p></div>',
        f'<div style="color:#fff"><ul><li>{PLANTED}</li></ul></div>',
        f'<div style="font-size:0"><b>{PLANTED}</b></div>',
    ],
)
def test_what_is_hidden_in_other_ways_is_left_out(body: str) -> None:
    document = read(page(body), "a.html")
    assert document.text == SEEN
    assert sum(hidden(document).values()) == 7


SHOWN = {
    "white on a dark block": styled("color:#fff;background:#222"),
    "white in a dark cell": page(
        f'<table bgcolor="navy"><tr><td style="color:#fff">{PLANTED}</td></tr></table>'
    ),
    "white on a picture": styled("color:#fff;background:url(sky.jpg)"),
    "white on a gradient": styled("color:#fff;background-image:linear-gradient(red, blue)"),
    "white beside a picture": page(
        f'<div><img src="sky.jpg"><p style="color:#fff">{PLANTED}</p></div>'
    ),
    "dark page": ruled("body{background:#111;color:#fff}"),
    "styles elsewhere": page(
        f'<p style="color:#fff">{PLANTED}</p>', head='<link rel="stylesheet" href="a.css">'
    ),
    "cut out of its background": styled("color:transparent;-webkit-background-clip:text"),
    "print": ruled("@media print { .x { display:none } }"),
    "narrow screens": ruled("@media (max-width: 600px) { .x { display:none } }"),
    "dark scheme": ruled("@media (prefers-color-scheme: dark) { .x { color:#fff } }"),
    "all but it": ruled("p:not(.x):last-child { display:none }"),
    "first place": ruled(".x:first-child { display:none }"),
    "scaled a little": styled("transform:scale(0.9)"),
    "another class": ruled(".y { display:none }"),
    "in something else": ruled("nav .x { display:none }"),
    "shown again": ruled("p{display:none} p{display:block}"),
    "a state": ruled(".x:hover { display:none }"),
    "container without gaps": page(
        f'<div style="font-size:0"><p style="font-size:16px">{PLANTED}</p></div>'
    ),
    "visible again": page(
        f'<div style="visibility:hidden"><p style="visibility:visible">{PLANTED}</p></div>'
    ),
    "link in a white block": page(
        f'<div style="color:#fff"><p><a href="b.html">{PLANTED}</a></p></div>'
    ),
    "hidden attribute undone": ruled("[hidden]{display:block}", f"<p hidden>{PLANTED}</p>"),
    "half transparent": styled("opacity:.5"),
    "aria-hidden": page(f'<p aria-hidden="true">{PLANTED}</p>'),
    "page that scripts show": PAGE.format(
        head="<style>#app{display:none}</style>",
        seen="",
        body=f"<div id=app><p>{SEEN}{PLANTED}</p></div>",
    ),
    "animation": ruled("@keyframes a { from { .x { display:none } } } .x { color: #111 }"),
}


# By the main text's bounds: it takes these for no part of it.
_LEFT_OUT_OTHERWISE = (
    "visible again",
    "hidden attribute undone",
    "link in a white block",
    "aria-hidden",
)


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_seen_stays(name: str) -> None:
    document = read(SHOWN[name], "a.html")
    if name not in _LEFT_OUT_OTHERWISE:
        assert PLANTED in document.text
    assert not hidden(document)


def test_text_beside_hidden_text_stays() -> None:
    body = (
        '<p>The mill <span class="x">never</span> stands still<b class="x">, says nobody</b>.</p>'
    )
    document = read(page(body, ".x{display:none}"), "a.html")
    assert document.text.endswith("The mill stands still .")
    assert hidden(document) == {_NOT_DISPLAYED: 3}


def test_an_e_book_heeds_the_style_sheets_in_it() -> None:
    link = '<html><head><link rel="stylesheet" href="../style.css"/></head>'
    one = f'<?xml version="1.0"?>{link}<body><p>{SEEN}</p><p class="x">{PLANTED}</p></body></html>'
    document = read(epub_file({"one": one}, **{"OEBPS/style.css": ".x{color:#fff}"}), "a.epub")
    assert PLANTED not in document.text
    assert hidden(document) == {_COLOUR: 7}


def test_a_message_heeds_its_styles() -> None:
    html = page(f'<div style="display:none;font-size:1px;color:#fff">{PLANTED}</div>')
    message = (
        f"From: a@example.org\nSubject: Mill\nContent-Type: text/html; charset=utf-8\n\n{html}"
    )
    document = read(message, "a.eml")
    assert PLANTED not in document.text
    assert hidden(document) == {_NOT_DISPLAYED: 7}


def test_markdown_heeds_the_styles_of_its_html() -> None:
    document = read(f'{SEEN}\n\n<p style="color:white">{PLANTED}</p>\n', "a.md")
    assert document.text == SEEN
    assert hidden(document) == {_COLOUR: 7}

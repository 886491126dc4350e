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
    "margin:0 0 0 -9999px": _PLACE,
    "position:absolute;inset:-9999px auto auto": _PLACE,
    "display:/* a */none": _NOT_DISPLAYED,
    "displa\\79:none": _NOT_DISPLAYED,
    "transform: scale(.01)": _PLACE,
}


@pytest.mark.parametrize("style", STYLES)
def test_what_an_attribute_hides_is_left_out(style: str) -> None:
    document = read(styled(style), "a.html")
    assert document.text == SEEN
    assert hidden(document) == {STYLES[style]: 7}
    assert document.reading.complete


# What browsers do not understand is as if it were not there.
_UNDONE_BY_NOTHING = [
    "color:#fff;color:bogus", "color:#fff;color:#ggg", "color:#fff;color:#12345",
    "display:none;display:bogus", "visibility:hidden;visibility:shown", "opacity:0;opacity:full",
    "font-size:0;font-size:big", "clip-path:inset(50%);clip-path:open", "color:#fff;color:",
    "position:absolute;left:-9999px;left:here", "transform:scale(0);transform:all",
    "color:#fff;background:#fff;background:bogus", "color:#fff;background-color:bogus",
    "height:0;overflow:hidden;height:some", "color:#fff;color:windowtexts",
    "position:absolute;position:there;left:-9999px",
]  # fmt: skip


@pytest.mark.parametrize("style", _UNDONE_BY_NOTHING)
def test_what_no_browser_understands_shows_nothing(style: str) -> None:
    assert read(styled(style), "a.html").text == SEEN
    assert read(ruled(f".x{{{style}}}"), "a.html").text == SEEN


_UNDONE = [
    "color:#fff;color:tomato", "color:#fff;color:WindowText", "color:#fff;color:oklch(0 0 0)",
    "color:#fff;color:inherit", "color:#fff;color:#000", "color:#fff;color:-webkit-text",
    "display:none;display:block", "display:none;display:-webkit-box", "opacity:0;opacity:unset",
    "display:none;display:inline flow-root", "visibility:hidden;visibility:initial",
    "font-size:0;font-size:larger", "font-size:0;font-size:revert-layer",
    "color:#fff;background:tomato", "color:#fff;background:#222 no-repeat",
    "color:#fff;background-color:rebeccapurple", "color:#fff;background:url(a.png) center",
    "height:0;overflow:hidden;height:max-content",
]  # fmt: skip


@pytest.mark.parametrize("style", _UNDONE)
def test_what_browsers_understand_shows_text_again(style: str) -> None:
    assert PLANTED in read(styled(style), "a.html").text
    assert PLANTED in read(ruled(f".x{{{style}}}"), "a.html").text


RULES = {
    "variable": ":root{--ink:#fff} .x{color:var(--ink)}",
    "variable of html": "html { --ink: white } .x { color: var( --ink , #000 ) }",
    "variable of body": "body{--gone:none} .x{display:var(--gone)}",
    "variable in a variable": ":root{--a:#fff;--b:var(--a)} .x{color:var(--b)}",
    "variable as background": ":root{--a:#222} .x{color:#222;background:var(--a)}",
    "variable of a size": ":root{--s:0px} .x{font-size:var(--s)}",
    "variable after its rule": ".x{color:var(--ink)} @media screen{:root{--ink:#fff}}",
    "variable of a dark scheme": ":root{--gone:none} .x{display:var(--gone)}"
    "@media (prefers-color-scheme: dark){:root{--gone:block}}",
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
    "escaped name": ".x\\:y, .\\78 { display:none }",
    "in another rule": "body { color:#111; & .x { display:none } }",
    "after an import": "@import url(a.css); .x { display:none }",
    "brace in a string": ".y::before{content:'{'} .x{display:none}",
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
        f'<div style="font-size:0"><math></math><b>{PLANTED}</b></div>',
    ],
)
def test_what_is_hidden_in_other_ways_is_left_out(body: str) -> None:
    document = read(page(body), "a.html")
    assert document.text == SEEN
    assert sum(hidden(document).values()) == 7


_MATH = "<math><mi>x</mi></math>"


@pytest.mark.parametrize(
    "body",
    [
        f'<p class="x katex" style="display:none">{PLANTED}</p>',
        f'<div class="mathjax"><p style="color:#fff">{PLANTED}</p></div>',
        f'<p class="katex" style="display:none">{_MATH}{PLANTED}</p>',
        f'<div style="display:none">{_MATH}<b>{PLANTED}</b></div>',
        f'<p style="display:none"><math><mtext>{PLANTED}</mtext></math></p>',
    ],
)
def test_the_name_of_a_formula_hides_no_other_text(body: str) -> None:
    assert "director" not in read(page(body), "a.html").text


@pytest.mark.parametrize(
    "formula",
    [
        '<span class="katex"><span class="katex-mathml" style="clip:rect(1px,1px,1px,1px);'
        f'position:absolute">{_MATH}</span><span class="katex-html">x</span></span>',
        f'<mjx-container><mjx-assistive-mml class="y">{_MATH}</mjx-assistive-mml></mjx-container>',
        f'<span class="y">{_MATH}</span><img src="x.png">',
        f'<span class="mwe-math"><span class="mwe-math-inline y">{_MATH}</span></span>',
    ],
)
def test_the_markup_of_a_drawn_formula_is_read(formula: str) -> None:
    text = f"<p>The size of the mill is {formula} and no more.</p>"
    document = read(page(text, ".y{display:none}"), "a.html")
    assert document.text.endswith("The size of the mill is x and no more.")


SHOWN = {
    "variable of a theme": ruled(
        ":root{--ink:#fff} .dark{--ink:#eee} [data-theme=a]{--ink:#000} .x{color:var(--ink)}"
    ),
    "variable of two values": ruled(":root{--ink:#fff} body{--ink:#000} .x{color:var(--ink)}"),
    "variable of an element": page(
        f'<div style="--ink:#000"><p class="x">{PLANTED}</p></div>',
        ":root{--ink:#fff} .x{color:var(--ink)}",
    ),
    "variable from elsewhere": ruled(".x{color:var(--ink)}"),
    "variable in itself": ruled(":root{--a:var(--b);--b:var(--a)} .x{color:var(--a)}"),
    "variable with another style sheet": page(
        f'<p class="x">{PLANTED}</p>',
        ":root{--gone:none} .x{display:var(--gone)}",
        '<link rel="stylesheet" href="a.css">',
    ),
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
    "class with an escaped name": ruled(
        ".hidden{display:none} @media (min-width:640px){.sm\\:block{display:block}}",
        f'<p class="hidden sm:block">{PLANTED}</p>',
    ),
    "effect of a state": ruled(
        ".x{display:none} #c:checked ~ .x{display:block}",
        f'<input type="checkbox" id="c" checked><p class="x">{PLANTED}</p>',
    ),
    "styles without scripts": page(
        f'<p class="x">{PLANTED}</p><noscript><style>.x{{display:none}}</style></noscript>'
    ),
    "styles of another language": page(
        f'<p class="x">{PLANTED}</p>', head='<style type="text/less">.x{display:none}</style>'
    ),
    "faded in by a script": page(
        f'<p class="x">{PLANTED}</p><script src="a.js"></script>', ".x{opacity:0}"
    ),
    "faded in by an animation": ruled(".x{opacity:0;animation:f 1s} @keyframes f{to{opacity:1}}"),
    "faded in by a transition": ruled(".x{visibility:hidden;transition:.5s}"),
    "white on a block after a comment": styled("color:#fff; /* dark */ background:#222"),
    "white by a dark box": page(
        f'<div class="h"><p style="color:#fff">{PLANTED}</p></div>',
        ".h::before{content:'';position:absolute;inset:0;background:#222}",
    ),
    "white on a dark block beside it": page(
        '<div><div style="position:absolute;inset:0;background:#222"></div>'
        f'<p style="position:relative;color:#fff">{PLANTED}</p></div>'
    ),
    "white beside a placed picture": page(
        f'<p style="color:#fff">{PLANTED}</p><img src="a.jpg" style="position:absolute">'
    ),
    "shadow around": page(
        f'<div style="text-shadow:0 0 2px #000"><p style="color:#fff">{PLANTED}</p></div>'
    ),
    "inverted": ruled("html{filter:invert(1)} .x{color:#fff}"),
    "back in its place": page(
        '<div style="position:absolute;left:-2000px">'
        f'<div style="position:relative;left:2100px"><p>{PLANTED}</p></div></div>'
    ),
    "narrow cell": page(
        f'<table><tr><td style="width:1px;overflow:hidden">{PLANTED}</td><td>b</td></tr></table>'
    ),
    "inline without height": ruled(
        ".x{height:0;overflow:hidden}", f'<p><span class="x">{PLANTED}</span></p>'
    ),
    "least height": ruled(".x{height:0;min-height:100%;overflow:hidden}"),
    "property that resets": styled("color:#fff;all:unset"),
    "shorthand after its part": styled("font-size:0;font:16px Arial"),
    "very long value": styled(f"color:#fff;background:#222 {' ' * 2000}"),
    "many alike ancestors": ruled(
        ".x{display:none} .a > .b .x{display:block}",
        f'<div class="a"><div class="b"><div><div class="b"><p class="x">{PLANTED}</p>'
        "</div></div></div></div>",
    ),
    "brace in a string": ruled(".y::before{content:'}'} .x{display:none} .x{display:block}"),
    "two exceptions": ruled("p:not(.x):not(.y):last-child{display:none}"),
    "animation": ruled("@keyframes a { from { .x { display:none } } } .x { color: #111 }"),
}


_MAY_SHOW = [
    ":is(.x)", ":where(.x)", "p:not(.a, .b)", "body:has(p) .x", "p:nth-child(2n)",
    "[class='X' i]", ".x:focus", "body { & .x", "body { .x", "@media (width >= 1px) { .x",
    "@media (orientation: landscape) { .x", "@supports (display: grid) { .x",
    "@supports not (display: grid) { .x", "@container (min-width: 1px) { .x", "@layer a { .x",
    ".x.x", ".x:last-child", "p:not(#z)", "@media (min-width: calc(1px)) { .x",
]  # fmt: skip


@pytest.mark.parametrize("selector", _MAY_SHOW)
def test_text_that_another_rule_may_show_stays(selector: str) -> None:
    rule = f"p.x{{display:none}} {selector}{{display:block}}{'}' * selector.count('{')}"
    document = read(ruled(rule), "a.html")
    assert PLANTED in document.text
    assert not hidden(document)
    dark = f".x{{color:#fff}} {selector}{{background:#222}}{'}' * selector.count('{')}"
    assert PLANTED in read(ruled(dark), "a.html").text


@pytest.mark.parametrize(
    "style",
    [
        "position:relative;margin-left:-50vw;left:50%;width:100vw",
        "position:absolute;right:-600px",
        "position:absolute;bottom:-600px",
        "transform:translateY(-1000px)",
        "color:#fff;box-shadow:inset 0 0 0 999px #222",
        "color:#fff;border-image:linear-gradient(#222, #222)",
        "color:#fff;-webkit-text-stroke:1px #000",
        "color:#fff;mix-blend-mode:difference",
        "font-size:1px;transform:scale(16)",
        "color:hsl(1.1.1, 50%, 50%)",
    ],
)
def test_text_that_a_style_leaves_in_sight_stays(style: str) -> None:
    document = read(styled(style), "a.html")
    assert PLANTED in document.text
    assert not hidden(document)


@pytest.mark.parametrize(
    "style",
    [
        "font-size:medium", "font:medium Arial", "font:400 clamp(1rem, 2vw, 2rem)/1 Arial",
        "font:var(--f)", "font:700 1rem/1.2 Arial", "font:100 12px Arial", "font-size:var(--s)",
    ],
)  # fmt: skip
def test_text_with_a_size_of_its_own_stays(style: str) -> None:
    body = f'<div style="font-size:0"><p style="{style}">{PLANTED}</p></div>'
    assert PLANTED in read(page(body), "a.html").text


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


def test_a_rule_for_one_part_of_a_page_hides_nothing_in_another() -> None:
    parts = f'<div class="x"><p>{PLANTED}</p></div><div><p>The boats are seen here.</p></div>'
    document = read(page(parts, ".x p { display: none }").encode(), "a.html")
    assert PLANTED not in document.text and "The boats are seen here." in document.text


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


# Most rules are dropped before the elements that they are for are sought; these matter together.
_TOGETHER = {
    "sizes within sizes": ("div{font-size:.4em} p{margin:1em}", 4 * "<div>", _TINY),
    "size of a size in pixels": (".a{font-size:10px} .x{font-size:10%}", "<div class=a>", _TINY),
    "colour of links": ("div{background:#0000ff}", '<div><a href="#">', _COLOUR),
    "colour of marked words": (".x{color:#ff0}", "<mark>", _COLOUR),
    "attribute and rule": (".x{color:#222}", '<table bgcolor="#222222"><td>', _COLOUR),
    "height and overflow": (".a{overflow:hidden} div{height:0}", "<div class=a>", _NOT_DISPLAYED),
    "place of another kind": (".a{position:absolute} .a{left:-9999px}", "<div class=a>", _PLACE),
}


@pytest.mark.parametrize("case", _TOGETHER)
def test_rules_hide_together(case: str) -> None:
    style, around, reason = _TOGETHER[case]
    body = f'{around}<span class="x">{PLANTED}</span>'
    assert hidden(read(ruled(style, body), "a.html")) == {reason: 7}


@pytest.mark.parametrize(
    ("style", "around"),
    [
        (".a{text-indent:-9999px} .x{text-indent:0}", "<div class=a>"),
        (".a{height:0;overflow:hidden} .x{margin:0}", "<div class=a>"),
        (".a{font-size:0} .x{font-size:1rem}", "<div class=a>"),
        (".a{visibility:hidden} .x{visibility:visible}", "<div class=a>"),
        ("div{color:#fff} .x{text-shadow:1px 1px #000}", "<div>"),
        ("div{font-size:.9em} .absent{font-size:0} #absent .x{display:none}", 3 * "<div>"),
        (".x{color:#fff} .a{background:#222}", "<div class=a>"),
    ],
)
def test_rules_show_together(style: str, around: str) -> None:
    document = read(ruled(style, f'{around}<p class="x">{PLANTED}'), "a.html")
    assert PLANTED in document.text
    assert not hidden(document)

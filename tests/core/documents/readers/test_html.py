"""HTML pages and fragments."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.document import Kind, Source
from core.documents.readers.html import read_html
from core.documents.sentences import split_document
from core.events import result_of
from core.stop import StopToken
from tests.helpers.reader_checks import check_spans, outline, read, texts

_BODY = "".join(
    f"<p>{text}</p>"
    for text in (
        "The pump draws water from the lower basin and lifts it into the upper one every night.",
        "A float opens the valve as soon as the level has risen by the width of one hand.",
        "A second float, fixed below the first, closes it before the basin can run dry again.",
        "Nobody has to watch the pump, and it has not failed once in the first ten years of use.",
    )
)
_PAGE = (
    "<!doctype html><html><head><title>Of pumps | The Mill Gazette</title>"
    '<style>p {{color: red}}</style></head><body><nav><ul><li><a href="/">Home</a></li>'
    '<li><a href="/a">About our paper</a></li></ul></nav><header>The Mill Gazette</header>'
    "<article><h1>Of pumps</h1>{body}</article><aside>Buy this</aside>"
    "<footer>Copyright 1999 The Mill</footer><script>var x = 1;</script></body></html>"
)
_TAGS = st.sampled_from(
    ["<p>", "</p>", "<div>", "</div>", "<ul>", "<li>", "</ul>", "<ol start=x>", "<table>", "<tr>",
     "<td>", "</table>", "<pre>", "</pre>", "<h1>", "</h1>", "<br>", "<sup>", "</sup>", "<b>",
     "<blockquote>", "<nav>", "</nav>", "<!--", "-->", "<script>", "</script>", "&nbsp;", "&#0;",
     "<p hidden>", "<img alt='x'>", "<math>", "</math>", "<body>", "</html>", "<title>"]
)  # fmt: skip


def test_main_text_is_kept_and_furniture_is_counted() -> None:
    document = read(_PAGE.format(body=_BODY), "pumps.html")
    assert document.title == "Of pumps"
    assert texts(document)[0] == "Of pumps"
    assert len(texts(document, Kind.PARAGRAPH)) == 4
    (left_out,) = document.reading.left_out
    assert left_out.words == 13
    assert not left_out.missed
    assert document.reading.complete
    assert document.reading.of_words == document.reading.words + 13


@pytest.mark.parametrize(
    ("window", "heads", "title"),
    [
        ("Of valves - The Mill Book", "<h1>The Mill Book</h1><h2>Of Valves</h2>", "Of Valves"),
        ("Of valves | Mill 2 guide", "<h1>Mill 2 guide</h1><h2>Of valves#</h2>", "Of valves"),
        ("The Mill - Report of 1900", "<h1>The Mill</h1><h1>Report of 1900</h1>", "Report of 1900"),
        ("The Mill - Report of 1900", "<h1>Report of 1900</h1><h2>Costs</h2>", "Report of 1900"),
    ],
)
def test_the_name_of_a_site_above_each_of_its_pages_is_not_their_title(
    window: str, heads: str, title: str
) -> None:
    text = "<p>The mill has two pumps, and each of them has a valve of its own.</p>" * 3
    page = f"<html><head><title>{window}</title></head><body>{heads}{text}</body></html>"
    assert read(page, "a.html").title == title


def test_tool_bar_that_only_its_name_tells_is_no_text() -> None:
    bar = '<div id="page_toolbar"><code>{link: 1, title: 2}</code></div>'
    document = read(_PAGE.format(body=bar + _BODY), "pumps.html")
    assert "link:" not in document.text


@pytest.mark.parametrize(
    "line",
    [
        '<a href="/new">NEW SEARCH</a> | <a href="/">HOME</a> | <a href="/help">HELP</a>',
        '<a href="/">Home</a> › <a href="/towns">Towns</a>',
        'Jump to: <a href="#a">Summary</a>, <a href="#b">Titles</a>, <a href="#c">Votes</a>',
    ],
)
def test_a_line_of_links_is_no_text(line: str) -> None:
    document = read(_PAGE.format(body=f"<center>{line}</center>{_BODY}"), "pumps.html")
    assert len(texts(document)) == 5


@pytest.mark.parametrize(
    "line",
    [
        'The <a href="/a">council</a> | the <a href="/b">county</a> agreed.',
        'The <a href="#a">costs</a>, <a href="#b">roads</a>, <a href="#c">towns</a> are below.',
        '<a href="/a">The council agreed to the plan.</a>',
        "Home | Help | Search",
    ],
)
def test_a_sentence_with_links_is_text(line: str) -> None:
    document = read(_PAGE.format(body=f"{_BODY}<p>{line}</p>{_BODY}"), "pumps.html")
    assert len(texts(document)) == 10


def test_linked_words_in_running_text_stay_whatever_their_class() -> None:
    line = (
        '<p>The <a class="reference internal" href="t.html"><span>tokenizer</span></a> reads '
        'what the <em><a class="menu" href="m.html">File menu</a></em> opens.</p>'
    )
    document = read(_PAGE.format(body=_BODY + line + _BODY), "a.html")
    assert "The tokenizer reads what the File menu opens." in texts(document)


@pytest.mark.parametrize(
    "opening",
    [
        '<section id="{id}">',
        '<div class="section" id="{id}">',
        '<div class="sect2" id="the-{id}-of-the-mill">',
        '<div id="{id}">',
    ],
)
@pytest.mark.parametrize("name", ["Cookies", "Sharing", "Newsletter", "Comments", "Menu", "Knave"])
def test_a_section_named_by_its_heading_is_text(opening: str, name: str) -> None:
    text = f"<p>The mill keeps its {name.lower()} for thirty days and no longer than that.</p>"
    section = f"{opening.format(id=name.lower())}<h2><a href='#x'>{name}</a></h2>{text}{text}"
    end = "</section>" if opening.startswith("<section") else "</div>"
    document = read(_PAGE.format(body=_BODY + section + end), "a.html")
    assert outline(document)[5] == (Kind.HEADING, name)
    assert len(texts(document, Kind.PARAGRAPH)) == 6


@pytest.mark.parametrize(
    "furniture",
    [
        '<div id="comments"><h2>Comments</h2><article><p>{text}</p></article></div>',
        '<div id="comments"><h2>Comments</h2><div class="comment"><p>{text}</p></div></div>',
        '<div id="comments"><h2>Comments</h2><p>{text}</p><textarea></textarea></div>',
        '<section id="related"><h2>Related</h2><ul><li><a href="/a">{text}</a></li></ul></section>',
        '<section id="cookie-banner"><h2>Cookies</h2><p>{text}</p><button>Yes</button></section>',
        '<div id="sidebar"><h2>About us</h2><p>{text}</p></div>',
        '<div id="newsletter"><p>{text}</p></div>',
        '<div class="newsletter"><h2>Newsletter</h2><p>{text}</p></div>',
        '<ul><li><a class="share" href="/x">{text}</a></li></ul>',
    ],
)
def test_what_only_looks_like_a_section_is_no_text(furniture: str) -> None:
    text = "Nobody who reads of pumps wants to read any of these words."
    document = read(_PAGE.format(body=_BODY + furniture.format(text=text) + _BODY), "a.html")
    assert text not in document.text


def test_every_kind_of_block_is_kept_in_the_main_text() -> None:
    body = _BODY + (
        "<h2>Parts <a href='#p'>¶</a></h2><ul><li>Basin<ul><li>upper</li></ul></li></ul>"
        "<ol><li>Fill it</li><li><p>Start it</p><p>And wait.</p></li></ol>"
        "<blockquote><p>Water runs down.</p></blockquote><pre>int x;\n  run();</pre>"
        "<table><caption>Sizes</caption><tr><th>Name<th>Width<tr><td>Basin<td>12</table>"
        "<figure><img src=p.png alt='a pump'><figcaption>The pump at night</figcaption></figure>"
    )
    assert outline(read(_PAGE.format(body=body + _BODY), "a.html"))[5:-4] == [
        (Kind.HEADING, "Parts"),
        (Kind.LIST_ITEM, "Basin"),
        (Kind.LIST_ITEM, "upper"),
        (Kind.LIST_ITEM, "1. Fill it"),
        (Kind.LIST_ITEM, "2. Start it"),
        (Kind.LIST_ITEM, "And wait."),
        (Kind.QUOTE, "Water runs down."),
        (Kind.CODE, "int x;\n  run();"),
        (Kind.CAPTION, "Sizes"),
        (Kind.TABLE, "Name\tWidth\nBasin\t12"),
        (Kind.CAPTION, "The pump at night"),
    ]


def test_powers_stay_powers_and_note_marks_go() -> None:
    body = (
        "<p>About 10<sup>6</sup> litres of H<sub>2</sub>O ran on the 1<sup>st</sup> of May"
        "<sup><a href='#n1'>[3]</a></sup>, x<sup>k</sup> times. A formula "
        "<img class='math' alt='{\\displaystyle a_{ij}}'> stands here.</p>"
    )
    text = texts(read(_PAGE.format(body=body + _BODY), "a.html"))[1]
    assert text == (
        "About 10⁶ litres of H₂O ran on the 1st of May, x^k times. A formula a_ij stands here."
    )


def test_raised_numbers_of_sources_do_not_glue_sentences_together() -> None:
    body = (
        "<p>The pump failed twice in adults.<sup>1,2</sup> Later pumps did not.<sup>[3]</sup> The "
        "trial was repeated.<sup>4–6</sup> Its outcome was the same, and 10<sup>6</sup> litres "
        "ran in May and June<sup>7,8</sup> as before.</p>"
    )
    document = read(_PAGE.format(body=body + _BODY), "a.html")
    sentences = list(result_of(split_document(document, StopToken())).texts(document.text))
    assert sentences[1:5] == [
        "The pump failed twice in adults.",
        "Later pumps did not.",
        "The trial was repeated.",
        "Its outcome was the same, and 10⁶ litres ran in May and June as before.",
    ]


def test_a_fraction_stays_apart_from_the_number_before_it() -> None:
    half = "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"
    text = texts(read(_PAGE.format(body=f"<p>It holds 2{half} litres.</p>{_BODY}"), "a.html"))[1]
    assert text == "It holds 2 1/2 litres."


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("<h3><button>How do I pay?</button></h3>", "How do I pay?"),
        ("<h3>\n<span><button><b>How</b> do I pay?</button></span></h3>", "How do I pay?"),
        ("<h3>How do I pay?<button>Copy</button></h3>", "How do I pay?"),
        ("<details><summary><button>How do I pay?</button></summary></details>", "How do I pay?"),
    ],
)
def test_a_button_that_is_the_heading_is_read(heading: str, text: str) -> None:
    assert texts(read(_PAGE.format(body=_BODY + heading + _BODY), "a.html"))[5] == text


def test_deleted_words_are_left_out_and_counted() -> None:
    line = (
        "<p><del>Formerly the</del> <ins>The</ins> fee is <del>five</del> <ins>six</ins> euros.</p>"
    )
    document = read(_PAGE.format(body=line + _BODY + line), "a.html")
    assert texts(document)[1] == texts(document)[-1] == "The fee is six euros."
    deleted, furniture = document.reading.left_out
    assert (deleted.what, deleted.words, deleted.missed) == ("deleted passages", 6, False)
    assert furniture.words == 13


@pytest.mark.parametrize("tag", ["s", "strike"])
def test_words_that_are_struck_through_are_left_out(tag: str) -> None:
    line = f"<p>The fee is <{tag}>five</{tag}> six euros.</p>"
    assert texts(read(_PAGE.format(body=line + _BODY), "a.html"))[1] == "The fee is six euros."


def test_places_where_a_word_may_be_parted_are_no_signs() -> None:
    line = "<p>Wasser&shy;werke, wa&#8203;ter&#xAD;works and A&amp;shy;B.</p>"
    found = texts(read(_PAGE.format(body=line + _BODY), "a.html"))[1]
    assert found == "Wasserwerke, waterworks and A&shy;B."


def test_a_page_that_is_deleted_as_a_whole_is_read() -> None:
    document = read(_PAGE.format(body=f"<div><del>{_BODY}</del></div>"), "a.html")
    assert len(texts(document, Kind.PARAGRAPH)) == 4


def test_layout_tables_are_read_as_paragraphs() -> None:
    page = f"<html><body><table><tr><td>Menu</td><td>{_BODY}</td></tr></table></body></html>"
    assert len(texts(read(page, "a.html"), Kind.TABLE)) == 0
    assert sum(len(text) > 60 for text in texts(read(page, "a.html"), Kind.PARAGRAPH)) == 4


def test_line_breaks_part_paragraphs_only_where_they_are_meant() -> None:
    page = "<body><p>One line<br>goes on here.<br><br>A new one.<p>Ada<br>Mill Lane 3<br>Bath"
    assert texts(read(page, "a.html")) == [
        "One line goes on here.",
        "A new one.",
        "Ada",
        "Mill Lane 3",
        "Bath",
    ]


def test_line_ends_of_the_source_are_white_space() -> None:
    page = "<body><p>It is one\nparagraph.\n\nStill\r\n  one.</p><pre>\na\n\nb</pre></body>"
    assert texts(read(page, "a.html")) == ["It is one paragraph. Still one.", "a\n\nb"]


def test_a_page_without_a_main_text_is_read_whole() -> None:
    rows = "".join(f"<li>Item {index}, opened at noon</li>" for index in range(30))
    document = read(f"<html><body><ul>{rows}</ul></body></html>", "list.html")
    assert len(texts(document, Kind.LIST_ITEM)) == 30


def test_encoding_named_in_the_page_is_used() -> None:
    verse = "Příliš žluťoučký kůň úpěl ďábelské ódy celou noc."
    page = f"<html><head><meta charset='iso-8859-2'></head><body><p>{verse}</p>{_BODY}"
    document = read(page.encode("iso8859-2"), "a.html")
    assert texts(document)[0] == verse
    assert document.reading.notes == ()


def test_hidden_parts_and_forms_are_not_text() -> None:
    page = _PAGE.format(
        body=_BODY + "<p style='display: none'>Secret</p><p hidden>Hid</p><form>Sign up</form>"
    )
    assert not {"Secret", "Hid", "Sign up"} & set(texts(read(page, "a.html")))


def test_a_page_is_known_by_its_content() -> None:
    assert read(_PAGE.format(body=_BODY), "pumps.txt").source.format == "html"
    assert read(_PAGE.format(body=_BODY), "pumps.txt").reading.notes == (
        "The name ends in .txt, but the file holds an HTML page and was read as such.",
    )


@given(st.lists(st.one_of(_TAGS, st.text("ab \n.é<&", max_size=12)), max_size=40))
@settings(max_examples=100, deadline=None)
def test_any_markup_gives_sound_spans(pieces: list[str]) -> None:
    data = "".join(pieces).encode()
    check_spans(result_of(read_html(data, Source("a"), StopToken())))


def test_markup_too_deep_for_a_tree_loses_no_words() -> None:
    page = _PAGE.format(body="<font>" * 5_000 + _BODY + "<p>The last words of all.</p>")
    document = read(page, "deep.html")
    text = document.text
    assert "The last words of all." in text and "Nobody has to watch the pump" in text
    assert "var x" not in text and "color: red" not in text
    if sys.platform != "win32":  # where lxml's wheel bounds no depth
        assert document.reading.notes[0].startswith("The markup is nested too deeply")
    check_spans(document)


def test_markup_of_too_many_parts_is_read_flat() -> None:
    page = f"<html><body>{'<p>' * 500_001}{_BODY}<!-- <p>no word --></body></html>"
    document = read(page, "many.html")
    assert len(texts(document)) == 4 and "no word" not in document.text
    assert document.reading.notes


@pytest.mark.parametrize(
    "declared",
    [
        '<?xml version="1.0" encoding="utf-8"?><?xml version="1.0" encoding="utf-32"?>',
        '<?xml version="1.0" encoding="utf-8">',
        "<?xml encoding='utf-8'",
    ],
)
def test_declarations_of_xml_without_number_or_end(declared: str) -> None:
    document = read(f"{declared}<html><body><p>Words.</p></body></html>", "a.html")
    assert texts(document) == ["Words."]


def test_tables_inside_tables_a_thousand_deep_are_asked_once_each() -> None:
    document = read("<table><tr><td>" * 8_000 + "Words inside them all.", "a.html")
    assert "Words inside them all." in document.text


def test_numbers_of_lists_are_as_the_page_shows_them() -> None:
    body = (
        '<ol type="a"><li>x</li><li>y</li></ol><ol type="I" start="4"><li>x</li></ol>'
        '<ol start="²"><li>x</li><li value="7">y</li><li>z</li>'
        '<li value="9999999999999">w</li></ol>'
    )
    words = "<p>The pump draws water from the lower basin into the upper one.</p>" * 3
    document = read(f"<html><body><article>{words}{body}{words}</article></body></html>", "a.html")
    assert texts(document, Kind.LIST_ITEM) == [
        "a. x", "b. y", "IV. x", "1. x", "7. y", "8. z", "9. w",
    ]  # fmt: skip


_CHAPTER = """<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
<head><title>{title}</title></head><body epub:type="bodymatter"><section epub:type="chapter">
<header>{head}<p epub:type="se:bridgehead">{below}</p></header>
<p>It works<a href="endnotes.xhtml#note-1" id="noteref-1" epub:type="noteref">32</a> by day.</p>
</section></body></html>"""


@pytest.mark.parametrize(
    ("title", "head", "below", "title_read", "caption"),
    [
        ("X", "<h2>X</h2>", "Of floats.", "X: Of floats", []),
        ("X", "<h2>X</h2>", "Of floats and of " * 9, "X", [" ".join(["Of floats and of"] * 9)]),
        (
            *("V: The Same", "<hgroup><h2>V</h2><p epub:type='title'>The <i>Same</i></p></hgroup>"),
            *("For the Journal, 1788.", "V: The Same", ["For the Journal, 1788."]),
        ),
    ],
)
def test_a_chapter_of_an_e_book_is_read_as_in_the_book(
    title: str, head: str, below: str, title_read: str, caption: list[str]
) -> None:
    document = read(_CHAPTER.format(title=title, head=head, below=below), "chapter-10.xhtml")
    assert document.title == (title_read if len(title_read) > 1 else "chapter-10")
    assert texts(document, Kind.HEADING) == [title_read]
    assert texts(document, Kind.CAPTION) == caption
    assert texts(document, Kind.PARAGRAPH) == ["It works by day."]

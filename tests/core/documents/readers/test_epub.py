"""E-books."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Kind, count_words
from core.documents.readers import epub
from core.errors import EpitomeError
from tests.helpers.epub_files import encrypted, epub_file, nav_list, nav_point, page
from tests.helpers.reader_checks import check_spans, outline, read, texts

_P = "<p>The pump draws water from the lower basin.</p>"
_SENTENCE = "The pump draws water from the lower basin."


def test_chapters_come_in_the_order_of_the_spine() -> None:
    pages = {name: f"<h2>{name}</h2>{_P}" for name in ("c10", "c2", "c1")}
    document = read(epub_file(pages, spine=["c1", "c2", "c10"]), "a.epub")
    assert document.title == "Of Pumps"
    assert texts(document, Kind.HEADING) == ["c1", "c2", "c10"]
    assert document.reading.complete
    assert document.reading.notes == ()


def test_a_book_without_its_type_is_known() -> None:
    assert texts(read(epub_file({"one": _P}, mimetype=""), "a.zip")) == [_SENTENCE]


def test_a_damaged_order_is_said_and_names_give_it() -> None:
    pages = {name: f"<h2>{name}</h2>" for name in ("c10", "c2", "c1")}
    for parts in ({"OEBPS/book.opf": "rubble"}, {"META-INF/container.xml": "<rubble"}):
        document = read(epub_file(pages, spine=[], **parts), "a.epub")
        assert texts(document) == ["c1", "c2", "c10"]
        assert "order of the e-book’s chapters is damaged" in document.reading.notes[0]


def test_deleted_words_are_left_out_and_counted() -> None:
    line = "<p>The fee is <del>five</del> <ins>six</ins> euros.</p>"
    document = read(epub_file({"one": line + _P, "two": f"<del>{_P}</del>"}), "a.epub")
    assert texts(document) == ["The fee is six euros.", _SENTENCE, _SENTENCE]
    (deleted,) = document.reading.left_out
    assert (deleted.what, deleted.words, deleted.missed) == ("deleted passages", 1, False)


def test_notes_are_footnotes_and_their_marks_are_no_words() -> None:
    pages = {
        "one": '<p>It works<a epub:type="noteref" href="notes.xhtml#n1" id="r1">1</a>, they '
        'say<a href="notes.xhtml#n2" id="r2">[2]</a>; see <a href="#x">chapter 2</a> and '
        '<a href="two.xhtml#p7">7</a>.'
        "</p>"
        '<aside epub:type="footnote"><p>By the miller.</p></aside>',
        "notes": page(
            '<section epub:type="endnotes"><h2>Remarks</h2><ol>'
            '<li id="n1"><p>Since 1881. <a epub:type="backlink" href="one.xhtml#r1">↩</a></p>'
            "<blockquote><p>So it is.</p></blockquote></li>"
            '<li id="n2"><p>They do.</p></li></ol></section>'
        ),
        "old": '<div class="footnote"><p><a id="F3" href="one.xhtml#r3">[3]</a> Quite.</p></div>',
    }
    assert outline(read(epub_file(pages), "a.epub")) == [
        (Kind.PARAGRAPH, "It works, they say; see chapter 2 and 7."),
        (Kind.FOOTNOTE, "By the miller."),
        (Kind.HEADING, "Remarks"),
        (Kind.FOOTNOTE, "1. Since 1881."),
        (Kind.FOOTNOTE, "So it is."),
        (Kind.FOOTNOTE, "2. They do."),
        (Kind.FOOTNOTE, "Quite."),
    ]


def test_a_chapter_called_notes_holds_notes() -> None:
    pages = {"one": f"<h2>One</h2>{_P}", "two": f"<h2>Notes</h2>{_P}"}
    assert texts(read(epub_file(pages), "a.epub"), Kind.FOOTNOTE) == [_SENTENCE]


def test_title_pages_and_copyright_are_left_out_and_told() -> None:
    pages = {
        "title": '<section epub:type="titlepage"><h1>Of Pumps</h1><p>By A. Miller.</p></section>',
        "legal": page(_P, 'epub:type="copyright-page"'),
        "guided": _P,
        "named": f"<h2>Copyright</h2>{_P}",
        "labelled": _P,
        "licence": f'<section class="pg-boilerplate pgheader">{_P}</section>',
        "one": f"<h2>Copyright law in practice</h2>{_P}",
    }
    data = epub_file(
        pages,
        guide='<reference type="colophon" href="text/guided.xhtml"/>',
        ncx=nav_point("Imprint", "text/labelled.xhtml"),
    )
    document = read(data, "a.epub")
    assert texts(document, Kind.BOILERPLATE) == []
    assert texts(document, Kind.PARAGRAPH) == [_SENTENCE]
    assert texts(document, Kind.HEADING) == ["Copyright law in practice"]
    left_out = document.reading.left_out[-1]
    assert (left_out.what, left_out.missed) == ("title pages, imprints and adverts", False)
    assert left_out.words == 5 + 1 + 5 * count_words(_SENTENCE)


_ADVERTS = "".join(
    f"<p>THE MILLER'S ALMANAC No. {number}. Crown 8vo, cloth, gilt top, 3s. 6d. net.</p>"
    for number in range(12)
)


def test_unmarked_title_pages_and_adverts_are_left_out() -> None:
    pages = {
        "front": "<p>OF PUMPS</p><p>by A. Miller</p><p>London: Ray &amp; Sons, 1899</p>",
        "more": "<h2>Also by A. Miller</h2><p>Of Mills</p><p>Of Wheels</p>",
        "one": f"<h2>One</h2>{_P}",
        "two": f"<h2>Two</h2>{_P}<h2>New Publications</h2>{_ADVERTS}",
        "list": f"<p>A LIST FOR MILLERS</p>{_ADVERTS}",
        "about": f"<h2>About the Author</h2>{_P}",
    }
    document = read(epub_file(pages), "a.epub")
    assert texts(document) == ["One", _SENTENCE, "Two", _SENTENCE]
    (left_out,) = document.reading.left_out
    assert left_out.words > 250


@pytest.mark.parametrize(
    "chapter",
    [
        f"<h2>Advertisement</h2>{_P}",
        f"<h2>Books of My Childhood</h2>{_P}",
        f"<h2>Dedication to the King</h2>{_P}",
        f"<h2>Foreword</h2>{_P}",
        f"<p>It cost 3s. 6d. and was bound in cloth.</p>{_P}",
        "<p>A pump has a float.</p>",
    ],
)
def test_short_chapters_are_kept(chapter: str) -> None:
    document = read(epub_file({"zero": chapter, "one": f"<h2>One</h2>{_P}"}), "a.epub")
    assert document.reading.left_out == ()
    assert len(texts(document, Kind.PARAGRAPH)) >= 2


def test_a_book_of_nothing_but_adverts_is_read() -> None:
    document = read(epub_file({"one": _ADVERTS}), "a.epub")
    assert len(texts(document)) == 12


def test_the_table_of_contents_in_the_spine_is_left_out_and_said() -> None:
    nav = nav_list(("One", "text/one.xhtml"))
    document = read(epub_file({"one": _P}, spine=["nav", "one"], nav=nav), "a.epub")
    assert texts(document) == [_SENTENCE]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.words, left_out.missed) == ("the table of contents", 3, False)


@pytest.mark.parametrize("old", [True, False])
def test_titles_that_only_the_contents_know_become_headings(old: bool) -> None:
    pages = {
        "one": f'<p class="big">Chapter 1</p><p class="big">The Storm</p>{_P}',
        "two": f"<div>The calm</div>{_P}",
        "three": f"{_P}<h2>Named</h2>",
    }
    entries = [("Chapter 1: The Storm", "text/one.xhtml"), ("THE CALM", "text/two.xhtml#top")]
    entries += [(_SENTENCE, "text/three.xhtml")]
    points = "".join(nav_point(label, link) for label, link in entries)
    data = epub_file(pages, ncx=points) if old else epub_file(pages, nav=nav_list(*entries))
    assert outline(read(data, "a.epub")) == [
        (Kind.HEADING, "Chapter 1: The Storm"),
        (Kind.PARAGRAPH, _SENTENCE),
        (Kind.HEADING, "THE CALM"),
        (Kind.PARAGRAPH, _SENTENCE),
        (Kind.PARAGRAPH, _SENTENCE),
        (Kind.HEADING, "Named"),
    ]


def test_chapters_in_one_page_are_found_behind_their_list() -> None:
    listed = "".join(f'<p><a href="#{name}">{name}</a></p>' for name in ("Storm", "Calm"))
    body = f"{listed}<p>Storm</p>{_P}<p>Calm</p>{_P}<p>Calm seas came.</p>"
    ncx = nav_point("Storm", "text/one.xhtml#a") + nav_point("Calm", "text/one.xhtml#b")
    assert outline(read(epub_file({"one": body}, ncx=ncx), "a.epub")) == [
        (Kind.PARAGRAPH, "Storm"),
        (Kind.PARAGRAPH, "Calm"),
        (Kind.HEADING, "Storm"),
        (Kind.PARAGRAPH, _SENTENCE),
        (Kind.HEADING, "Calm"),
        (Kind.PARAGRAPH, _SENTENCE),
        (Kind.PARAGRAPH, "Calm seas came."),
    ]


def test_numbers_of_printed_pages_are_taken_out_and_said() -> None:
    body = (
        '<p>The pump<span class="pagenum" id="p7">[Pg 7]</span> draws <span role="doc-pagebreak">8'
        '</span>water.</p><div class="pagebreak"><p>A whole new page of words.</p></div>'
    )
    document = read(epub_file({"one": body}), "a.epub")
    assert texts(document) == ["The pump draws water.", "A whole new page of words."]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.words, left_out.missed) == ("page numbers", 3, False)


def test_numbers_and_titles_of_chapters_make_one_heading() -> None:
    group = '<hgroup><h2>IV</h2><p epub:type="title">Of the <i>Basin</i></p></hgroup>'
    assert outline(read(epub_file({"one": group + _P}), "a.epub")) == [
        (Kind.HEADING, "IV: Of the Basin"),
        (Kind.PARAGRAPH, _SENTENCE),
    ]


def test_lists_tables_quotations_and_empty_elements() -> None:
    body = (
        '<p id="a"/><a id="top"/><script src="x.js"/><p>One&nbsp;two.</p>'
        "<ol><li>a</li><li>b</li></ol><blockquote><p>Said.</p></blockquote>"
        "<table><tr><td>x</td><td>y</td></tr></table>"
    )
    assert outline(read(epub_file({"one": body}), "a.epub")) == [
        (Kind.PARAGRAPH, "One two."),
        (Kind.LIST_ITEM, "1. a"),
        (Kind.LIST_ITEM, "2. b"),
        (Kind.QUOTE, "Said."),
        (Kind.TABLE, "x\ty"),
    ]


def test_pictures_are_counted_and_pages_of_nothing_else_are_missed() -> None:
    pages = {
        "cover": '<svg xmlns="http://www.w3.org/2000/svg"><image/></svg>',
        "one": f'{_P}<img src="a.png" alt="A pump"/>',
        "two": '<img src="b.png"/>',
    }
    document = read(epub_file(pages), "a.epub")
    said = [(item.what, item.missed) for item in document.reading.left_out]
    assert said == [("1 page without text", True), ("2 pictures", False)]


def test_missing_and_damaged_chapters_are_said_and_the_others_read() -> None:
    pages = {"one": _P, "two": _P, "three": _P}
    data = epub_file(pages, spine=["one", "gone", "two", "three"])
    at = data.index(b"OEBPS/text/two.xhtml") + 40
    document = read(data[:at] + bytes(20) + data[at + 20 :], "a.epub")
    assert texts(document) == [_SENTENCE, _SENTENCE]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.missed) == ("1 chapter", True)


def test_protected_books_are_refused_and_hidden_fonts_are_no_protection() -> None:
    aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    data = epub_file(
        {"one": "rubble"}, **{"META-INF/encryption.xml": encrypted("OEBPS/text/one.xhtml", aes)}
    )
    with pytest.raises(EpitomeError, match=r"with copy protection \(DRM\)") as caught:
        read(data, "a.epub")
    assert "without protection" in caught.value.remedy
    for part, algorithm in (
        ("OEBPS/fonts/a.otf", "http://www.idpf.org/2008/embedding"),
        ("OEBPS/images/a.png", aes),
    ):
        listed = {"META-INF/encryption.xml": encrypted(part, algorithm)}
        assert texts(read(epub_file({"one": _P}, **listed), "a.epub")) == [_SENTENCE]


def test_no_way_leads_out_of_the_archive() -> None:
    for way in ("../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "http://[x"):
        item = f'<item id="out" href="{way}"/><item id="one" href="text/one.xhtml"/>'
        package = (
            f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{item}</manifest>'
            '<spine><itemref idref="out"/><itemref idref="one"/></spine></package>'
        )
        body = f'{_P}<img src="{way}"/><iframe src="{way}"/><object data="{way}"/>'
        document = read(epub_file({"one": body}, **{"OEBPS/book.opf": package}), "a.epub")
        assert texts(document) == [_SENTENCE]


def test_a_book_without_any_of_its_chapters_is_damaged() -> None:
    with pytest.raises(EpitomeError, match="is damaged"):
        read(epub_file({}, spine=["one"]), "a.epub")


def test_entities_of_packages_and_chapters_do_not_grow() -> None:
    grown = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))
    kinds = f'<!DOCTYPE html [<!ENTITY e0 "w "><!ENTITY f SYSTEM "file:///etc/passwd">{grown}]>'
    whole = page(_P + "<p>&e11; &f;</p>").replace("<html", f"{kinds}<html", 1)
    document = read(epub_file({"one": whole}), "a.epub")
    assert _SENTENCE in document.text
    assert "root:" not in document.text
    assert len(document.text) < 2_000


def test_deep_chapters_lose_their_structure_not_their_words() -> None:
    deep = "<div>" * 10_000 + "Deep words." + "</div>" * 10_000
    document = read(epub_file({"one": _P + deep, "two": _P}), "a.epub")
    assert "Deep words." in document.text
    if sys.platform != "win32":  # where lxml's wheel bounds no depth
        assert "nested too deeply" in document.reading.notes[0]


def test_nested_page_breaks_take_no_longer_than_their_text() -> None:
    deep = '<div class="pagebreak">' * 400 + f"<p>{'word ' * 400_000}</p>" + "</div>" * 400
    assert read(epub_file({"one": deep}), "a.epub").reading.words == 400_000


def test_a_chapter_that_is_named_often_is_read_once() -> None:
    document = read(epub_file({"one": _P}, spine=["one"] * 1_000), "a.epub")
    assert texts(document) == [_SENTENCE]


def test_chapters_that_are_too_much_are_refused_or_said(monkeypatch: pytest.MonkeyPatch) -> None:
    data = epub_file({"one": _P, "two": _P * 50, "three": _P})
    monkeypatch.setattr(epub, "MAX_MARKUP_BYTES", 1_000)
    document = read(data, "a.epub")
    assert texts(document) == [_SENTENCE, _SENTENCE]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.why) == (
        "1 chapter",
        "files larger than 1.0\u202fkB are not read",
    )
    assert left_out.missed
    monkeypatch.setattr(epub, "MAX_TEXT_BYTES", 1_000)
    with pytest.raises(EpitomeError, match="would unpack to"):
        read(data, "a.epub")


def test_other_encodings_are_read_by_what_they_declare() -> None:
    text = page("<p>Ein größerer Körper.</p>").replace("utf-8", "iso-8859-1", 1)
    data = epub_file({"one": ""}, **{"OEBPS/text/one.xhtml": text.encode("latin-1")})
    assert texts(read(data, "a.epub")) == ["Ein größerer Körper."]
    wide = page("<p>Ein größerer Körper.</p>").replace("utf-8", "utf-16", 1).encode("utf-16")
    data = epub_file({"one": ""}, **{"OEBPS/text/one.xhtml": wide})
    assert texts(read(data, "a.epub")) == ["Ein größerer Körper."]


_WORDS = st.lists(
    st.text(st.characters(categories=("Lu", "Ll")), min_size=2, max_size=8), min_size=1, max_size=8
).map(" ".join)


@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from(("p", "h2", "li", "blockquote")), _WORDS), max_size=5),
        max_size=5,
    ),
    st.randoms(use_true_random=False),
)
def test_what_was_put_in_is_read_back(chapters: list[list[tuple[str, str]]], random) -> None:  # type: ignore[no-untyped-def]
    pages = {
        f"c{number}": "".join(
            f"<ul><li>{text}</li></ul>" if tag == "li" else f"<{tag}>{text}</{tag}>"
            for tag, text in [("p", f"begin {number}"), *chapter]
        )
        for number, chapter in enumerate(chapters)
    }
    spine = list(pages)
    random.shuffle(spine)
    pages["last"] = "<p>The very end.</p>"
    document = read(epub_file(pages, spine=[*spine, "last"]), "a.epub")
    check_spans(document)
    expected = []
    for name in spine:
        number = int(name[1:])
        expected += [f"begin {number}", *(text for _, text in chapters[number])]
    assert texts(document) == [*expected, "The very end."]

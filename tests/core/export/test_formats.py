"""Every format says all of it, is the same every time, and survives any text."""

import io
import json
import os
import re
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import docx
import pytest
from docx.enum.text import WD_UNDERLINE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree, html
from markdown_it import MarkdownIt

from core.documents.document import Block, Document, Source
from core.errors import EpitomeError
from core.export.formats import FORMATS, export, render
from core.export.html import render_print
from core.export.markdown import escape
from core.export.parts import clean, reference, reference_html
from core.summaries.summary import Doubt, Edits, Summary, SummarySentence
from tests.helpers.schemas import validate
from tests.helpers.summaries import a_document, a_summary

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
AWKWARD = '1. *It* costs $5 & <b>"20"</b> µm_wide\x00 \u2028 [^1] 𝒜\ud800 | #end.'


def words_of(data: bytes, suffix: str) -> str:
    """All that a reader of the file sees, white space made single."""
    if suffix == ".docx":
        with ZipFile(io.BytesIO(data)) as file:
            names = ("word/document.xml", "word/footnotes.xml")
            parts = [etree.fromstring(file.read(name)) for name in names]
        lines = ["".join(line.itertext()) for part in parts for line in part.iter(f"{WORD}p")]
        text = " ".join(lines)
    elif suffix == ".html":
        text = html.fromstring(data.decode()).text_content()
    elif suffix == ".md":
        text = html.fromstring(MarkdownIt().render(data.decode())).text_content()
    elif suffix == ".json":
        text = json.dumps(json.loads(data), ensure_ascii=False).replace('\\"', '"')
    else:
        text = data.decode()
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, "every sentence is quoted verbatim from the source"),
        ({"trimmed": True}, "citations and references in brackets are taken out"),
        ({"spelt_out": True}, "square brackets spell out abbreviations"),
    ],
)
def test_only_sentences_that_were_not_adapted_are_said_to_be_verbatim(
    changed: dict[str, bool], told: str
) -> None:
    document = a_document("It is thin. More of it follows here.")
    summary = a_summary(document, "It is thin.")
    sentences = tuple(replace(each, **changed) for each in summary.sentences)
    text = words_of(render(replace(summary, sentences=sentences), document, ".md"), ".md")
    assert told in text
    assert ("verbatim" in text) is (not changed)


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_carries_sentences_pages_paragraphs_and_quotations(suffix: str) -> None:
    document = a_document("[0031] It is\nthin. More of it follows here.", "Lithium. It ends.")
    summary = a_summary(document, "It is\nthin.", "It ends.", "")
    text = words_of(render(summary, document, suffix), suffix)
    assert text.count("It is thin.") >= 2  # the sentence, and the source's own words
    assert text.count("It ends.") >= 2
    assert "Nobody wrote this." in text
    if suffix == ".json":
        assert '"page": 1' in text and '"paragraph": "[0031]"' in text and '"evidence": []' in text
        assert '"what": "pages without text"' in text
    else:
        assert "p. 1, [0031]" in text and "p. 2, para. 2" in text
        assert "No support was found in the source." in text
        assert "Read 12 words (2 of 5 pages)." in text
        assert "Left out: pages without text (pages 3–4), as they are scans." in text
        assert "running heads (12 words, pages 1–2)" in text
        assert "its built-in summariser: every sentence" in text


@pytest.mark.parametrize("suffix", FORMATS)
def test_the_same_summary_gives_the_same_bytes(suffix: str) -> None:
    document = a_document()
    summary = a_summary(document)
    assert render(summary, document, suffix) == render(summary, document, suffix)


@pytest.mark.parametrize("suffix", FORMATS)
def test_awkward_text_comes_through(suffix: str) -> None:
    document = a_document(f"{AWKWARD} And more.", title=AWKWARD)
    summary = a_summary(document, AWKWARD)
    text = words_of(render(summary, document, suffix), suffix)
    assert re.sub(r"\s+", " ", clean(AWKWARD)) in text


@given(
    st.text(st.sampled_from("\\`*_[]<>&~$|#+-=:.)(0123 !\"'/x{}") | st.characters(), max_size=40)
)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_markdown_shows_any_text_as_it_is(text: str) -> None:
    line = clean(text)
    shown = html.fragment_fromstring(MarkdownIt().render(escape(line)) or "<p></p>", "div")
    assert shown.text_content().strip("\n").split() == line.split()
    assert {child.tag for child in shown} <= {"p"}


@given(st.text(max_size=40))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_format_trips_over_any_text(text: str) -> None:
    document = a_document("The first one.", text or "x", title=text)
    summary = a_summary(document, "The first one.")
    whole = SummarySentence(text, summary.sentences[0].evidence)
    summary = a_summary(document, "The first one.", sentences=(whole,))
    for suffix in (".txt", ".md", ".html", ".json"):
        words_of(render(summary, document, suffix), suffix)


def doubted(document: Document) -> Summary:
    summary = a_summary(document, "It is 20 µm thick.")
    doubts = (Doubt(6, 11, "unit"), Doubt(12, 17, "name", elsewhere=True))
    return replace(summary, sentences=(replace(summary.sentences[0], doubts=doubts),))


@pytest.mark.parametrize(
    ("text", "is_turned"),
    [
        ("السيارة سريعة جدا في هذه المدينة.", True),
        ("12: המכונית מהירה מאוד.", True),
        ("The car is called المدينة here.", False),
        ("1998 – 2024.", False),
    ],
)
def test_word_is_told_what_is_written_from_right_to_left(text: str, is_turned: bool) -> None:
    document = a_document()
    summary = a_summary(document)
    summary = replace(summary, sentences=(replace(summary.sentences[0], text=text),))
    word = docx.Document(io.BytesIO(render(summary, document, ".docx")))
    (paragraph,) = (each for each in word.paragraphs if each.text == text)
    assert bool(paragraph._p.xpath("w:pPr/w:bidi")) is is_turned
    assert all(bool(run.font.rtl) is is_turned for run in paragraph.runs)
    assert not word.paragraphs[-1]._p.xpath("w:pPr/w:bidi"), "the program's own words"


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html", ".docx"])
def test_what_is_doubtful_is_said_in_words_below_the_sentence(suffix: str) -> None:
    document = a_document()
    text = words_of(render(doubted(document), document, suffix), suffix)
    assert "It is 20 µm thick" in text
    assert "The source gives the number in “20 µm” with another unit." in text
    assert "“thick” is in the source, but in another context." in text


def test_what_is_doubtful_has_dots_under_it_where_a_format_has_them() -> None:
    document = a_document()
    page = html.fromstring(render(doubted(document), document, ".html").decode())
    assert [(mark.text, "another unit" in mark.get("title")) for mark in page.xpath("//p/u")] == [
        ("20 µm", True),
        ("thick", False),
    ]
    word = docx.Document(io.BytesIO(render(doubted(document), document, ".docx")))
    runs = word.paragraphs[1].runs
    assert [run.text for run in runs if run.underline == WD_UNDERLINE.DOTTED] == ["20 µm", "thick"]


def test_what_is_doubtful_stands_in_the_json() -> None:
    document = a_document()
    value = json.loads(render(doubted(document), document, ".json"))
    validate(value, "summarise")
    assert value["result"]["sentences"][0]["doubts"] == [
        {"start": 6, "end": 11, "kind": "unit", "elsewhere": False, "text": "20 µm"},
        {"start": 12, "end": 17, "kind": "name", "elsewhere": True, "text": "thick"},
    ]


def edited(document: Document) -> Summary:
    summary = a_summary(document)
    first, second = summary.sentences
    dropped = a_summary(document, "The separator is cast.").sentences[0].evidence
    replaced = a_summary(document, "Lithium reduces the electrolyte.").sentences[0].evidence
    return replace(
        summary, sentences=(first, replace(second, pinned=True)), edits=Edits(dropped, replaced)
    )


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html", ".docx"])
def test_what_was_edited_by_hand_is_said(suffix: str) -> None:
    document = a_document()
    text = words_of(render(edited(document), document, suffix), suffix)
    assert "Pinned by hand: sentence 2." in text
    assert "Dropped by hand: “The separator is cast.” (p. 1, [0031])." in text
    assert "Replaced by hand: “Lithium reduces the electrolyte.” (p. 2, [0032])." in text
    assert "by hand" not in words_of(render(a_summary(document), document, suffix), suffix)


def test_what_was_edited_by_hand_stands_in_the_json() -> None:
    document = a_document()
    value = json.loads(render(edited(document), document, ".json"))
    validate(value, "summarise")
    result = value["result"]
    assert [sentence["pinned"] for sentence in result["sentences"]] == [False, True]
    quoted = {
        deed: [item["quotation"] for item in items] for deed, items in result["edits"].items()
    }
    assert quoted == {
        "dropped": ["The separator is cast."],
        "replaced": ["Lithium reduces the electrolyte."],
    }


def test_json_is_the_envelope_that_the_command_prints() -> None:
    document = a_document()
    value = json.loads(render(a_summary(document, "It is 20 µm thick.", ""), document, ".json"))
    validate(value, "summarise")
    (evidence,) = value["result"]["sentences"][0]["evidence"]
    assert document.text[evidence["start"] : evidence["end"]] == "It is 20 µm thick."


def test_html_asks_for_nothing_from_outside_and_its_links_lead_somewhere() -> None:
    document = a_document()
    page = html.fromstring(render(a_summary(document), document, ".html").decode())
    assert not page.xpath("//script | //link | //img | //iframe | //*[@src]")
    targets = page.xpath("//a/@href")
    assert len(targets) == 4
    assert all(target[0] == "#" and page.xpath(f"//*[@id='{target[1:]}']") for target in targets)
    assert page.xpath("//details[not(@open)]//blockquote")


@pytest.mark.parametrize("year", [1955, 1975, 2150])
def test_a_document_is_written_whatever_the_clock_says(
    monkeypatch: pytest.MonkeyPatch, year: int
) -> None:
    document = a_document()
    today = render(a_summary(document), document, ".docx")
    clock_s = datetime(year, 1, 1, tzinfo=UTC).timestamp()
    monkeypatch.setattr("time.time", lambda: clock_s)  # a ZIP file holds 1980 to 2107
    assert render(a_summary(document), document, ".docx") == today


def test_word_opens_with_a_footnote_for_each_sentence() -> None:
    document = a_document()
    data = render(a_summary(document), document, ".docx")
    word = docx.Document(io.BytesIO(data))
    assert word.paragraphs[0].text == "A lithium cell"
    marks = word.element.body.findall(f".//{WORD}footnoteReference")
    assert [mark.get(f"{WORD}id") for mark in marks] == ["1", "2"]
    styles = {style.style_id for style in word.styles}
    assert {"FootnoteText", "FootnoteReference"} <= styles
    with ZipFile(io.BytesIO(data)) as file:
        notes = etree.fromstring(file.read("word/footnotes.xml"))
        assert b"dcterms:created" not in file.read("docProps/core.xml")
    told = ["".join(note.itertext()) for note in notes]
    assert told[2:] == [
        " p. 1, [0031]: “It is 20 µm thick.”",
        " p. 2, [0032]: “A layer of nitride stops it.”",
    ]


def test_a_copied_sentence_takes_its_source_with_it() -> None:
    document = a_document()
    sentence = a_summary(document).sentences[1]
    assert reference(document.title, sentence) == (
        "“A layer of nitride stops it.” (A lithium cell, p. 2, [0032])"
    )
    bare = a_document("The only one.", pages=0, title="")
    assert reference("", a_summary(bare, "The only one.").sentences[0]) == (
        "“The only one.” (para. 1)"
    )
    assert reference("", SummarySentence("Alone.", ())) == "“Alone.”"


def test_export_writes_the_file_and_nothing_beside_it(tmp_path: Path) -> None:
    document = a_document()
    summary = a_summary(document)
    export(summary, document, tmp_path / "cell.MD")
    assert (tmp_path / "cell.MD").read_bytes() == render(summary, document, ".md")
    assert [path.name for path in tmp_path.iterdir()] == ["cell.MD"]


def refused(document: Document, path: Path, **changes: object) -> str:
    with pytest.raises(EpitomeError) as error:
        export(a_summary(document, **changes), document, path)
    return str(error.value)


def test_export_refuses_in_words(tmp_path: Path) -> None:
    document = a_document()
    assert "“.pages” is not a format" in refused(document, tmp_path / "a.pages")
    assert "A name without an ending is not a format" in refused(document, tmp_path / "a")
    assert "There is no folder" in refused(document, tmp_path / "not" / "a.md")
    assert "cannot be written" in refused(document, _folder(tmp_path / "taken.md"))
    assert [path.name for path in tmp_path.iterdir()] == ["taken.md"]


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="this user may write everywhere"
)
def test_a_place_without_permission_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "cannot be written" in refused(a_document(), tmp_path / "a.md")


def test_the_source_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("The text.", "utf-8")
    document = a_document()
    source = type(document.source)("notes.md", str(path))
    assert "is one of the sources, and would be lost. Choose another name." in refused(
        document, path, source=source
    )
    assert path.read_text("utf-8") == "The text."


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html", ".docx"])
def test_quotations_can_be_left_out(suffix: str) -> None:
    document = a_document()
    summary = a_summary(document, "It is 20 µm thick.")
    data = render(summary, document, suffix, quotations=False)
    if suffix == ".docx":
        with ZipFile(io.BytesIO(data)) as file:
            assert "word/footnotes.xml" not in file.namelist()
            text = "".join(etree.fromstring(file.read("word/document.xml")).itertext())
    else:
        text = words_of(data, suffix)
    assert text.count("It is 20 µm thick.") == 1
    assert "[0031]" not in text and "[1]" not in text and "[^1]" not in text
    assert "Read 20 words (2 of 5 pages)." in text


@pytest.mark.parametrize(
    ("language", "html_lang", "word_lang"), [("de", "de", "de"), ("", None, None)]
)
def test_html_and_word_say_their_language(
    language: str, html_lang: str | None, word_lang: str | None
) -> None:
    document = a_document()
    summary = a_summary(document)
    summary = replace(summary, read=replace(summary.read, language=language))
    page = html.fromstring(render(summary, document, ".html").decode())
    assert page.get("lang") == html_lang
    assert page.xpath("//footer")[0].get("lang") == "en"
    word = docx.Document(io.BytesIO(render(summary, document, ".docx")))
    found = word.styles.element.xpath("w:docDefaults/w:rPrDefault/w:rPr/w:lang")
    assert [element.get(f"{WORD}val") for element in found] == ([word_lang] if word_lang else [])


def test_the_printed_page_holds_it_all_without_links() -> None:
    document = a_document()
    page = html.fromstring(render_print(doubted(document), document))
    text = re.sub(r"\s+", " ", page.text_content())
    assert "1. p. 1, [0031]: “It is 20 µm thick.”" in text
    assert "with another unit" in text
    assert "its built-in summariser: every sentence" in text
    assert not page.xpath("//a | //details")
    bare = render_print(a_summary(document, "It is 20 µm thick."), document, quotations=False)
    assert "[0031]" not in bare


def test_rich_text_carries_the_reference() -> None:
    document = a_document(title="Cells & more")
    sentence = a_summary(document).sentences[1]
    assert reference_html(document.title, sentence) == (
        "<p>“A layer of nitride stops it.” (<cite>Cells &amp; more</cite>, p. 2, [0032])</p>"
    )


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_speaker_stands_before_the_words_and_is_not_counted(suffix: str) -> None:
    blocks = [
        Block(f"{name}: {words}", speaker=name, label=len(name) + 2)
        for name, words in (("Ms. Read", "It is thin & short."), ("Mr. Hurd", "It ends."))
    ]
    document = Document.from_blocks(blocks, title="Talk", source=Source("talk.txt"))
    summary = a_summary(document, "It is thin & short.", "It ends.")
    assert summary.words == 6
    text = words_of(render(summary, document, suffix), suffix)
    if suffix == ".json":
        assert '"text": "It is thin & short.", "speaker": "Ms. Read"' in text
    else:
        assert "Ms. Read: It is thin & short." in text and "Mr. Hurd: It ends." in text
    assert "Ms. Read" in render_print(summary, document)
    assert "Mr. Hurd, <cite>Talk</cite>" in reference_html("Talk", summary.sentences[1])
    assert reference("Talk", summary.sentences[1]) == "“It ends.” (Mr. Hurd, Talk, para. 2)"


def test_who_asks_for_a_pdf_is_sent_to_the_window() -> None:
    document = a_document()
    with pytest.raises(EpitomeError, match="Export it from the window, or use one of these"):
        render(a_summary(document), document, ".PDF")

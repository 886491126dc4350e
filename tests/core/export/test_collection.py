"""Many summaries in one file: contents that lead to each, tables that spreadsheets take."""

import csv
import io
import json
import re
from dataclasses import replace

import docx
import pytest
from lxml import html
from markdown_it import MarkdownIt

from core.errors import EpitomeError
from core.export.collection import csv_lines, json_lines, render_collection
from core.export.excerpt import KeptSummary
from core.summaries.summary import Quotable, Summary
from tests.helpers.schemas import validate
from tests.helpers.summaries import a_document, a_summary


def items(*titles: str) -> list[tuple[Summary, Quotable]]:
    """Summaries without their documents, as a batch keeps them."""
    found: list[tuple[Summary, Quotable]] = []
    for title in titles:
        document = a_document(title=title)
        kept = KeptSummary.from_json(KeptSummary.of(a_summary(document), document).to_json())
        found.append((kept.summary, kept.excerpt))
    return found


def test_a_web_page_leads_from_its_contents_to_each_summary_and_quotation() -> None:
    page = html.fromstring(
        render_collection("Patents", items("A cell", "A <b> wing"), ".html").decode()
    )
    anchors = {each.get("id") for each in page.xpath("//*[@id]")}
    links = [each.get("href") for each in page.xpath("//a")]
    assert all(link[1:] in anchors for link in links if link.startswith("#"))
    assert [each.text_content() for each in page.xpath("//nav//a")] == ["A cell", "A <b> wing"]
    assert len(page.xpath("//*[@id]")) == len(anchors), "an anchor is there twice"
    assert "A layer of nitride stops it." in page.xpath("//blockquote")[-1].text_content()


def test_markdown_has_contents_and_footnotes_of_its_own_for_each_summary() -> None:
    text = render_collection("Patents", items("A cell", "A wing"), ".md").decode()
    assert text.startswith(
        "# Patents\n\n## Contents\n\n- [A cell](#summary-1)\n- [A wing](#summary-2)\n\n"
    )
    marks = re.findall(r"\[\^(\d-\d)\](?!:)", text)
    notes = re.findall(r"^\[\^(\d-\d)\]:", text, re.MULTILINE)
    assert marks == notes == ["1-1", "1-2", "2-1", "2-2"]
    assert "<h2>A wing</h2>" in MarkdownIt().render(text)


def test_a_word_document_has_contents_bookmarks_and_one_row_of_footnotes() -> None:
    data = render_collection("Patents", items("A cell", "A wing"), ".docx")
    word = docx.Document(io.BytesIO(data))
    xml = word.element.xml
    assert re.findall(r'w:anchor="([^"]+)"', xml) == ["summary-1", "summary-2"]
    assert re.findall(r'bookmarkStart [^>]*w:name="([^"]+)"', xml) == ["summary-1", "summary-2"]
    headings = [p.text for p in word.paragraphs if p.style.name == "Heading 1"]
    assert headings == ["Contents", "A cell", "A wing"]
    assert re.findall(r'footnoteReference w:id="(\d)"', xml) == ["1", "2", "3", "4"]


def test_plain_text_has_its_contents_first() -> None:
    text = render_collection("Patents", items("A cell", "A wing"), ".txt").decode()
    assert text.startswith("Patents\n=======\n\nContents\n1. A cell\n2. A wing\n")
    assert text.count("It is 20 µm thick.") == 4


def test_without_quotations_there_are_none() -> None:
    for suffix in (".md", ".html", ".txt", ".docx"):
        with_them, without = (
            render_collection("P", items("A cell"), suffix, wanted) for wanted in (True, False)
        )
        assert len(without) < len(with_them)
    assert b"[^" not in render_collection("P", items("A cell"), ".md", False)


def test_the_same_summaries_give_the_same_bytes() -> None:
    for suffix in (".md", ".html", ".txt", ".docx"):
        first, again = (render_collection("P", items("A", "B"), suffix) for _ in range(2))
        assert first == again


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(EpitomeError, match=r"“\.pdf” is not a format of several summaries"):
        render_collection("P", items("A"), ".pdf")


@pytest.mark.parametrize("title", ["=1+1", "+49 30", "-2+3", "@SUM(A1)", " =1", "\t=1"])
def test_no_field_of_the_table_is_a_formula(title: str) -> None:
    ((summary, excerpt),) = items("A")
    named = replace(summary, title=title)
    head, row = csv.reader(io.StringIO(b"".join(csv_lines([(named, excerpt)])).decode("utf-8-sig")))
    assert head[:4] == ["file", "title", "pages", "words"]
    assert not any(field.lstrip()[:1] in set("=+-@") for field in row if field)
    assert row[7] == summary.text and row[8].startswith("p. 1, [0031]; p. 2")
    assert row[9] == "pages without text: they are scans"


def test_each_line_is_the_json_of_a_summary() -> None:
    lines = b"".join(json_lines(items("A cell", "A wing"))).decode().splitlines()
    values = [json.loads(line) for line in lines]
    for value in values:
        validate(value, "summarise")
    assert [value["inputs"][0]["title"] for value in values] == ["A cell", "A wing"]
    quotation = values[0]["result"]["sentences"][0]["evidence"][0]["quotation"]
    assert quotation == "It is 20 µm thick."

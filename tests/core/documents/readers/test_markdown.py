"""Markdown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.document import Kind, Source
from core.documents.genre import genre_of
from core.documents.readers.markdown import looks_like_markdown, read_markdown
from core.documents.readers.markdown_slides import SLIDES
from core.events import result_of
from core.stop import StopToken
from tests.helpers.reader_checks import check_spans, outline, read, texts

_PIECES = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60),
        st.sampled_from(
            ["", "# A", "---", "- a", "  - b", "1. x", "> q", "```", "| a | b |", "|---|---|",
             "<div>", "</div>", "<table><tr><td>x", "[a]: b", "[a][a]", "![i](j)", "<!--", "-->"]
        ),
    ),
    max_size=25,
)  # fmt: skip


def test_every_kind_of_block_is_kept() -> None:
    text = (
        '# The *pump* {#pump}\n\nIt has `two` [floats](f.md "F") and a [valve][v].\n'
        "Made of cork<br>and brass.\n\n[v]: v.md\n\n"
        "## Parts ##\n\n- Basin\n  - upper\n- [x] Float\n\n"
        "3. Fill\n4. Start\n\n> Water runs down.\n\n```c\nint x;\n  run();\n```\n\n"
        "| Name | Width |\n| --- | --- |\n| Basin | 12 |\n\n![a picture](p.png)\n"
    )
    assert outline(read(text, "pump.md")) == [
        (Kind.HEADING, "The pump"),
        (Kind.PARAGRAPH, "It has two floats and a valve. Made of cork and brass."),
        (Kind.HEADING, "Parts"),
        (Kind.LIST_ITEM, "Basin"),
        (Kind.LIST_ITEM, "upper"),
        (Kind.LIST_ITEM, "Float"),
        (Kind.LIST_ITEM, "3. Fill"),
        (Kind.LIST_ITEM, "4. Start"),
        (Kind.QUOTE, "Water runs down."),
        (Kind.CODE, "int x;\n  run();"),
        (Kind.TABLE, "Name\tWidth\nBasin\t12"),
    ]
    assert list(read(text, "pump.md").levels) == [1, 0, 2, 1, 2, 1, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("mark", ["---", "+++"])
def test_front_matter_gives_the_title_and_is_not_read(mark: str) -> None:
    sign = ":" if mark == "---" else " ="
    front = f'{mark}\ntitle{sign} "Of pumps"\ntags{sign} [a]\n{mark}\n'
    document = read(front + "# Other\n\nIt works.\n", "a.md")
    assert document.title == "Of pumps"
    assert texts(document) == ["Other", "It works."]


def test_a_rule_at_the_start_is_no_front_matter() -> None:
    document = read("---\n\nIt works well, as said.\n\n---\n\nThe end.\n", "a.md")
    assert texts(document) == ["It works well, as said.", "The end."]


def test_title_is_the_first_main_heading_else_the_files_name() -> None:
    assert read("Some words.\n\n# Pumps\n", "a.md").title == "Pumps"
    assert read("## Pumps\n\nSome words.\n", "a.md").title == "a"


def test_footnotes_are_footnotes_and_their_marks_go() -> None:
    document = read("It works.[^1] Well.\n\n[^1]: Since 1881.\n", "a.md")
    assert outline(document) == [
        (Kind.PARAGRAPH, "It works. Well."),
        (Kind.FOOTNOTE, "Since 1881."),
    ]


def test_html_inside_is_read_as_html() -> None:
    block = "<div>\n<p>Inside <b>a</b> block.</p>\n</div>"
    text = f'<a name="x"></a>\n\n{block}\n\n<!-- note -->\nAfter.\n'
    assert texts(read(text, "a.md")) == ["Inside a block.", "After."]


def test_only_marked_up_text_looks_like_markdown() -> None:
    assert looks_like_markdown("# A\n\n[b](c)\n\n## D\n")
    assert not looks_like_markdown("# A\n\nb\n\n## D\n")
    assert not looks_like_markdown("Plain words [1](see there), no headings.")


@given(_PIECES)
@settings(max_examples=300, deadline=None)
def test_any_markdown_gives_sound_spans(pieces: list[str]) -> None:
    data = "\n".join(pieces).encode("utf-8", "replace")
    check_spans(result_of(read_markdown(data, Source("a"), StopToken())))


_SLIDES = """---
title: The mill
---
class: center, middle

# The mill

---
name: wheel
## The wheel
.left[It turns by day.]
--

It stands still in winter.
???
We say how old it is.
---
## The river
- It is *deep*
- It is cold
---
background-image: url(village.png)

## The village

The village mends the wheel.
---
## The end
Thank you for all of it.
"""


def test_slides_in_markdown_keep_their_text_as_text() -> None:
    document = read(_SLIDES.encode(), "a.md")
    assert SLIDES in document.reading.notes
    assert genre_of(document).name == "slides"
    assert outline(document) == [
        (Kind.HEADING, "The mill"),
        (Kind.HEADING, "The wheel"),
        (Kind.PARAGRAPH, "It turns by day."),
        (Kind.PARAGRAPH, "It stands still in winter."),
        (Kind.PARAGRAPH, "We say how old it is."),
        (Kind.HEADING, "The river"),
        (Kind.LIST_ITEM, "It is deep"),
        (Kind.LIST_ITEM, "It is cold"),
        (Kind.HEADING, "The village"),
        (Kind.PARAGRAPH, "The village mends the wheel."),
        (Kind.HEADING, "The end"),
        (Kind.PARAGRAPH, "Thank you for all of it."),
    ]


def test_rules_between_sections_make_no_slides() -> None:
    text = "# The mill\n\nIt turns.\n\n---\n\nIt stands still.\n\n---\n\n## The end\n\nIt ends.\n"
    assert SLIDES not in read(text.encode(), "a.md").reading.notes

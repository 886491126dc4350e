"""The outline has every heading, with the first sentence below it that stands alone."""

from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.document import Kind
from core.documents.readers.door import read_pasted
from core.events import result_of
from core.stop import StopToken
from core.summaries.summary import OutlineEntry
from core.summarisers.built_in import rank_document
from core.summarisers.presentation.outline import build_outline

TEXT = """# The old bridge

## Why it was closed

It was. The council closed the old bridge in May because two of its four piers had sunk.

## Photographs

## What comes next

See the table below. The county will rebuild both piers by the spring of next year. It pays half.
The town raises the other half of the two million by a tax on parking. Nobody spoke against that.
"""


def outline(text: str) -> tuple[OutlineEntry, ...]:
    document = result_of(read_pasted(text, "", StopToken()))
    entries = build_outline(document, result_of(rank_document(document, StopToken())))
    headings = [
        document.paragraph(index)
        for index in range(document.num_paragraphs)
        if document.kinds[index] == Kind.HEADING
    ]
    assert [entry.title for entry in entries] == [" ".join(each.split()) for each in headings]
    for entry in entries:
        assert document.text.startswith(entry.title.split()[0], entry.start)
        if entry.text:
            assert document.text.startswith(entry.text.split()[0], entry.text_start)
    return entries


def test_a_heading_has_the_first_good_sentence_below_it() -> None:
    told = {entry.title: entry.text for entry in outline(TEXT)}
    assert told["Why it was closed"].startswith("The council closed the old bridge")
    assert told["Photographs"] == ""
    assert told["What comes next"].startswith("The county will rebuild")


def test_a_text_without_headings_has_no_outline() -> None:
    assert outline("The council closed the old bridge in May. It had sunk.") == ()


@settings(max_examples=30)
@given(st.lists(st.sampled_from(["# One", "## Two", "A bridge was closed.", "It sank."])))
def test_any_order_of_headings_and_text_has_an_outline(lines: list[str]) -> None:
    outline("\n\n".join(["The town has one bridge.", *lines]))

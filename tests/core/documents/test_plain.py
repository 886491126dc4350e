"""Rows of tables as documents: their headings, and what they are called."""

import pytest

from core.documents.document import Kind
from core.documents.plain import first_line, plain_document

TEXT = "# Detecting signals\n\nThe valve opens.\n\n### Background of it\n\nThe pump runs. It stops."


def shown(text: str) -> list[tuple[str, int, int]]:
    document = plain_document(text, "", "")
    spans = zip(document.starts.tolist(), document.ends.tolist(), strict=True)
    texts = [document.text[start:end].strip() for start, end in spans]
    return list(zip(texts, document.kinds.tolist(), document.levels.tolist(), strict=True))


def test_marked_headings_are_shown_without_their_marks() -> None:
    heading, paragraph = int(Kind.HEADING), int(Kind.PARAGRAPH)
    assert shown(TEXT) == [
        ("Detecting signals", heading, 1),
        ("The valve opens.", paragraph, 0),
        ("Background of it", heading, 3),
        ("The pump runs. It stops.", paragraph, 0),
    ]
    assert plain_document(TEXT, "", "").text == TEXT, "offsets stay what they are"


@pytest.mark.parametrize("text", ["#hashtag is no heading.", "# a list\nof lines", "####### deep."])
def test_other_number_signs_are_words(text: str) -> None:
    (found, kind, _) = shown(f"{text}\n\nThe end.")[0]
    assert found == text and kind == Kind.PARAGRAPH


def test_a_title_has_no_mark() -> None:
    assert first_line(TEXT) == "Detecting signals"
    assert first_line("#hashtag\nmore") == "#hashtag"

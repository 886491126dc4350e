"""A document as it was read: as marked-up plain text, and as JSON with places."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from core.documents.document import Document, Kind
from core.export.json_file import envelope, reading_value
from core.export.parts import clean_lines

_MARKS = {
    Kind.QUOTE: "> ",
    Kind.FOOTNOTE: "[footnote] ",
    Kind.REFERENCE: "[reference] ",
    Kind.CAPTION: "[caption] ",
    Kind.BOILERPLATE: "[boilerplate] ",
}


def document_lines(document: Document) -> Iterator[str]:
    """The paragraphs of a document with the marks of their kinds, a blank line after each.

    Args:
        document: The document.

    Yields:
        Headings after ``#``, as many as their level; items of lists after ``-``, indented by their
        depth; code, tables and transcripts as they are; other kinds after their name in brackets.
    """
    for index in range(document.num_paragraphs):
        level = int(document.levels[index])
        text = clean_lines(document.paragraph(index))
        yield _mark(Kind(document.kinds[index]), level) + text
        yield ""


def _mark(kind: Kind, level: int) -> str:
    if kind == Kind.HEADING:
        return "#" * max(level, 1) + " "
    if kind == Kind.LIST_ITEM:
        return "  " * (level - 1) + "- "
    return _MARKS.get(kind, "")


def document_envelope(
    document: Document, settings: dict[str, Any], timings_s: dict[str, float]
) -> dict[str, Any]:
    """Returns the output of ``epitome read --json``.

    Args:
        document: The document.
        settings: The settings with which it was read.
        timings_s: Seconds by step.

    Returns:
        Plain values for `to_json`. Offsets are code points of ``result.text``.
    """
    left_out = [asdict(item) for item in document.reading.left_out]
    result = {
        "title": document.title,
        "text": document.text,
        "paragraphs": [_paragraph(document, index) for index in range(document.num_paragraphs)],
        "read": reading_value(document.reading) | {"left_out": left_out},
    }
    warnings = dict.fromkeys(document.reading.notes)
    return envelope("read", document, settings, result, timings_s, warnings)


def _paragraph(document: Document, index: int) -> dict[str, Any]:
    start = int(document.starts[index])
    return {
        "start": start,
        "end": int(document.ends[index]),
        "kind": Kind(document.kinds[index]).name.lower().replace("_", "-"),
        "level": int(document.levels[index]),
        "page": document.page_at(start),
        "label": document.label(index),
        "speaker": document.speaker(index),
        "speaker_label": int(document.label_lengths[index]),
    }

"""A summary as plain text: a sentence a line, numbered notes below."""

from core.documents.document import Document
from core.export.parts import (
    EVIDENCE_HEADING,
    MADE_HEADING,
    NO_SUPPORT,
    READ_HEADING,
    clean,
    doubt_lines,
    made_lines,
    passages,
    reading_lines,
    title_of,
)
from core.summary import Summary


def render_text(summary: Summary, document: Document, quotations: bool = True) -> bytes:
    """The summary as plain text in UTF-8, lines ended by a line feed."""
    title = title_of(summary)
    lines = [title, "=" * min(len(title), 72), ""]
    for number, sentence in enumerate(summary.sentences, 1):
        mark = f" [{number}]" if quotations else ""
        lines += [f"{clean(sentence.spoken)}{mark}", ""]
    if quotations:
        lines += [EVIDENCE_HEADING, *_notes(summary, document), ""]
    lines += [READ_HEADING, *reading_lines(summary), ""]
    lines += [MADE_HEADING, *made_lines(summary, document)]
    return ("\n".join(lines) + "\n").encode()


def _notes(summary: Summary, document: Document) -> list[str]:
    lines = []
    for number, sentence in enumerate(summary.sentences, 1):
        found = passages(document, sentence)
        notes = [f"{item.place}: “{item.quotation}”" for item in found] or [NO_SUPPORT]
        lines += [f"[{number}] {note}" for note in (*notes, *doubt_lines(sentence))]
    return lines

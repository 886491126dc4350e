"""A summary as plain text: a sentence a line, numbered notes below."""

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
from core.summaries.summary import Quotable, Summary


def render_text(summary: Summary, document: Quotable, quotations: bool = True) -> bytes:
    """The summary as plain text in UTF-8, lines ended by a line feed."""
    return ("\n".join(text_lines(summary, document, quotations)) + "\n").encode()


def text_lines(summary: Summary, document: Quotable, quotations: bool) -> list[str]:
    """The lines of a summary: title, sentences, notes, what was read, how it was made."""
    title = title_of(summary)
    lines = [title, "=" * min(len(title), 72), ""]
    for number, sentence in enumerate(summary.sentences, 1):
        mark = f" [{number}]" if quotations else ""
        lines += [f"{clean(sentence.spoken)}{mark}", ""]
    if quotations:
        lines += [EVIDENCE_HEADING, *_notes(summary, document), ""]
    lines += [READ_HEADING, *reading_lines(summary), ""]
    return [*lines, MADE_HEADING, *made_lines(summary, document)]


def _notes(summary: Summary, document: Quotable) -> list[str]:
    lines = []
    for number, sentence in enumerate(summary.sentences, 1):
        found = passages(document, sentence)
        notes = [f"{item.place}: “{item.quotation}”" for item in found] or [NO_SUPPORT]
        lines += [f"[{number}] {note}" for note in (*notes, *doubt_lines(sentence))]
    return lines

"""A summary as Markdown: the evidence in footnotes."""

import re

from core.documents.document import Document
from core.export.parts import (
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
from core.summary import Summary, SummarySentence

_MARKS = re.compile(r"([\\`*_\[\]<>&~$|])")
_AT_START = re.compile(r"^(\d{1,9}(?=[.)])|(?=[-+=#:]))")


def render_markdown(summary: Summary, document: Document, quotations: bool = True) -> bytes:
    """The summary as Markdown with footnotes, in UTF-8."""
    parts = [f"# {escape(title_of(summary))}"]
    parts += [
        _speaker(sentence) + escape(clean(sentence.text)) + (f"[^{number}]" if quotations else "")
        for number, sentence in enumerate(summary.sentences, 1)
    ]
    parts += [f"## {READ_HEADING}", *map(escape, reading_lines(summary))]
    parts += [f"## {MADE_HEADING}", *map(escape, made_lines(summary, document))]
    if quotations:
        parts += [
            f"[^{number}]: {_note(document, sentence)}"
            for number, sentence in enumerate(summary.sentences, 1)
        ]
    return ("\n\n".join(parts) + "\n").encode()


def escape(text: str) -> str:
    """Text in which nothing is taken for Markdown; one line."""
    marked = _MARKS.sub(r"\\\1", text)
    return _AT_START.sub(lambda match: f"{match[1]}\\", marked)


def _speaker(sentence: SummarySentence) -> str:
    return f"**{escape(clean(sentence.voice))}:** " if sentence.voice else ""


def _note(document: Document, sentence: SummarySentence) -> str:
    found = passages(document, sentence)
    quotes = "; ".join(f"{escape(item.place)}: “{escape(item.quotation)}”" for item in found)
    return " ".join((quotes or NO_SUPPORT, *map(escape, doubt_lines(sentence))))

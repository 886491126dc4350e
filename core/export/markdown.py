"""A summary as Markdown: the evidence in footnotes."""

import re

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
from core.summaries.summary import Quotable, Summary, SummarySentence

_MARKS = re.compile(r"([\\`*_\[\]<>&~$|])")
_AT_START = re.compile(r"^(\d{1,9}(?=[.)])|(?=[-+=#:]))")


def render_markdown(summary: Summary, document: Quotable, quotations: bool = True) -> bytes:
    """The summary as Markdown with footnotes, in UTF-8."""
    parts = markdown_parts(summary, document, quotations)
    return ("\n\n".join(parts) + "\n").encode()


def markdown_parts(
    summary: Summary, document: Quotable, quotations: bool, *, level: int = 1, key: str = ""
) -> list[str]:
    """The paragraphs of a summary.

    Args:
        summary: The summary.
        document: What it was made of.
        quotations: Whether every sentence has its evidence.
        level: The level of its heading.
        key: Begins the names of its footnotes, to tell them from those of other summaries.

    Returns:
        Heading, sentences, what was read, how it was made, footnotes.
    """
    marks, numbered = "#" * level, list(enumerate(summary.sentences, 1))
    parts = [f"{marks} {escape(title_of(summary))}"]
    parts += [
        _speaker(item) + escape(clean(item.text)) + (f"[^{key}{number}]" if quotations else "")
        for number, item in numbered
    ]
    parts += [f"{marks}# {READ_HEADING}", *map(escape, reading_lines(summary))]
    parts += [f"{marks}# {MADE_HEADING}", *map(escape, made_lines(summary, document))]
    if quotations:
        parts += [f"[^{key}{number}]: {_note(document, item)}" for number, item in numbered]
    return parts


def escape(text: str) -> str:
    """Text in which nothing is taken for Markdown; one line."""
    marked = _MARKS.sub(r"\\\1", text)
    return _AT_START.sub(lambda match: f"{match[1]}\\", marked)


def _speaker(sentence: SummarySentence) -> str:
    return f"**{escape(clean(sentence.voice))}:** " if sentence.voice else ""


def _note(document: Quotable, sentence: SummarySentence) -> str:
    found = passages(document, sentence)
    quotes = "; ".join(f"{escape(item.place)}: “{escape(item.quotation)}”" for item in found)
    return " ".join((quotes or NO_SUPPORT, *map(escape, doubt_lines(sentence))))

"""Plain text as a document: the rows of tables and corpora, which have no marked headings."""

import re

import numpy as np

from core.documents.document import Document, Kind, Reading, Source, count_words

_PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n\s*")
_HEADING_CHARACTERS = 90
_ENDS_SENTENCE = tuple(".!?:;,…。！？")
_TITLE_CHARACTERS = 80
_MARK = re.compile(r"(#{1,6})[^\S\n]+(?=\S[^\n]*$)")
"""What marks a heading, as in Markdown: a paragraph of one line."""


def marked_heading(text: str) -> str:
    """The words of the heading with which a text begins.

    Args:
        text: A text, or its beginning.

    Returns:
        The words without their mark; "" if the text begins with none that is marked.
    """
    first = _PARAGRAPH_BREAK.split(text.strip(), maxsplit=1)[0]
    mark = _MARK.match(first)
    return first[mark.end() :] if mark else ""


def plain_document(text: str, title: str, name: str, language: str = "") -> Document:
    """A text as the reading view shows it; what is marked or looks like a heading is set as one.

    Args:
        text: All of it; it is kept as it is.
        title: What it is called.
        name: Where it came from.
        language: The code of its language; empty where it is not known.

    Returns:
        The document; its paragraphs are separated by blank lines.
    """
    starts: list[int] = []
    ends, kinds, levels = [], [], []
    start = 0
    for end, after in (
        *(match.span() for match in _PARAGRAPH_BREAK.finditer(text)),
        (len(text),) * 2,
    ):
        if text[start:end].strip():
            mark = _MARK.match(text[start:end].rstrip())
            heading = mark is not None or (_is_heading(text, start, end) and after < len(text))
            level = len(mark[1]) if mark else 1 if not starts else 2
            starts.append(start + (mark.end() if mark else 0))
            ends.append(end)
            kinds.append(Kind.HEADING if heading else Kind.PARAGRAPH)
            levels.append(level if heading else 0)
        start = after
    num_words = count_words(text)
    return Document(
        text,
        title,
        Source(name),
        Reading(num_words, num_words, language=language),
        np.array(starts, np.int64),
        np.array(ends, np.int64),
        np.array(kinds, np.uint8),
        np.array(levels, np.uint8),
        np.full(len(starts), -1, np.int32),
    )


def first_line(text: str) -> str:
    """The first line of a text with words in it, shortened: its title where it has no other."""
    head = text.lstrip()[: 4 * _TITLE_CHARACTERS].split("\n", 1)[0].split()
    line = _MARK.sub("", " ".join(head), count=1)
    if len(line) <= _TITLE_CHARACTERS:
        return line
    return f"{line[:_TITLE_CHARACTERS].rsplit(' ', 1)[0]} …"


def _is_heading(text: str, start: int, end: int) -> bool:
    """Whether a paragraph is one short line that ends no sentence."""
    line = text[start:end].strip()
    return (
        end - start <= _HEADING_CHARACTERS
        and "\n" not in line
        and not line.endswith(_ENDS_SENTENCE)
        and (line[:1].isalnum() or line.startswith("#"))
    )

"""What a person pastes: HTML where it holds structure, else its plain text."""

import re
from dataclasses import replace
from textwrap import shorten

from core.documents.document import Document, Source, count_words
from core.documents.line_mode import LineMode
from core.documents.readers.html import document_of_html
from core.documents.readers.mojibake import REPAIRED, repair
from core.documents.readers.text import read_text
from core.events import Progress, Steps
from core.stop import StopToken

_STRUCTURE = re.compile(r"<(?:p|h[1-6]|li|blockquote|pre|table|dt)\b", re.IGNORECASE)
_FRAGMENT = re.compile(r"<!--\s*StartFragment\s*-->(.*)<!--\s*EndFragment\s*-->", re.DOTALL)
_ENOUGH = 0.8  # share of the plain text's words that the HTML must give as well
_TITLE_CHARACTERS = 60


def read_clipboard(
    text: str, html: str, source: Source, stop: StopToken, lines: LineMode = "auto"
) -> Steps[Document]:
    """Reads what lies on the clipboard.

    Args:
        text: Its plain text; may be empty.
        html: Its HTML; may be empty, and may be only the text in a wrapper.
        source: What to call it.
        stop: The wish to end early.
        lines: The mode of joining the lines of plain text.

    Yields:
        That it is reading.

    Returns:
        The document, from the HTML if that holds paragraphs, headings or lists and loses no
        words; its title is its first heading or its first words.
    """
    yield Progress(0, 0, "lines", "Reading")
    document = None
    if _STRUCTURE.search(html):
        fragment = _FRAGMENT.search(html)
        found = fragment[1] if fragment else html
        inner = repair(found)
        notes = [REPAIRED] if inner != found else []
        document = document_of_html(inner, source, stop, notes, whole=True)
        if document.reading.words < _ENOUGH * count_words(text):
            document = None
    if document is None:
        data = text.encode("utf-8", "replace")
        document = yield from read_text(data, source, stop, lines)
    if document.title == source.name and document.num_paragraphs:
        document = replace(document, title=_first_words(document.paragraph(0)))
    return document


def _first_words(paragraph: str) -> str:
    return shorten(paragraph, _TITLE_CHARACTERS, placeholder=" …") or paragraph[:_TITLE_CHARACTERS]

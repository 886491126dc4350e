"""What the marks of an e-book's page say: notes, page breaks, grouped headings, imprints."""

import re
from typing import Any

from core.documents.document import Kind, count_words
from core.documents.readers.cleaning import one_line
from core.documents.readers.epub_matter import PURPOSES
from core.documents.readers.epub_package import types_of

NOTES = frozenset(
    ("footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "notes")
)
_MARKS = frozenset(("noteref", "backlink"))
_NOTE_CLASS = re.compile(r"(?:^|\s)(?:foot|end|rear)notes?(?:$|\s)", re.IGNORECASE)
_LICENCE_CLASS = re.compile(r"(?:^|\s)pg-boilerplate(?:$|\s)")
_PAGE_CLASS = re.compile(r"(?:^|\s)page-?(?:num(?:ber)?s?|no|break)(?:$|\s)", re.IGNORECASE)
_LONGEST_MARK = 12  # characters: "[Pg xviii]"
_NOTE_MARK = re.compile(r"[\[(]?(?:\d{1,4}|[*†‡§]{1,3})[\])]?[↩︎]?|↩︎?")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BRIDGEHEADS = frozenset(("bridgehead", "se:bridgehead"))
_NUMBER = re.compile(r"(?:(?:chapter|book|part|letter)\s+)?(?:[IVXLC]+|\d+)\.?", re.IGNORECASE)
_MOST_TITLE_WORDS = 12


def is_page(body: Any) -> bool:
    """Whether a page is part of an e-book: its body says what it is for."""
    return body.get("epub:type") is not None


def kind_of(element: Any) -> Kind | None:
    """What the running text in an element is, where its marks say so: a note, an imprint."""
    types, classes = types_of(element), element.get("class") or ""
    if types & NOTES or _NOTE_CLASS.search(classes):
        return Kind.FOOTNOTE
    if types & PURPOSES or _LICENCE_CLASS.search(classes):
        return Kind.BOILERPLATE
    return Kind.CAPTION if types & _BRIDGEHEADS else None


def prepare(body: Any) -> int:
    """Takes out the marks of notes and page breaks, and makes one heading of grouped ones.

    Args:
        body: A page's body.

    Returns:
        How many numbers of printed pages were taken out.
    """
    numbers = 0
    for element in list(body.iter("a", "span", "div", "hr", "sup", "hgroup", "p")):
        if element.tag == "hgroup":
            _join_group(element)
        elif element.tag == "p":
            _join_bridgehead(element)
        elif _is_page_break(element):
            numbers += count_words("".join(element.itertext()))
            element.drop_tree()
        elif types_of(element) & _MARKS or _is_note_mark(element):
            element.drop_tree()
    return numbers


def _is_page_break(element: Any) -> bool:
    """Whether an element only tells where a page of the printed book begins."""
    named = "pagebreak" in types_of(element) or _PAGE_CLASS.search(element.get("class") or "")
    return bool(named) and len(_beginning(element)) <= _LONGEST_MARK


def _is_note_mark(element: Any) -> bool:
    """Whether a link is the number of a note: it leads to the note, and can be led back to."""
    if element.tag != "a" or "#" not in (element.get("href") or ""):
        return False
    around = (element, element.getparent(), *element)
    named = any(e is not None and (e.get("id") or e.get("name")) for e in around)
    return named and bool(_NOTE_MARK.fullmatch(_beginning(element)))


def _beginning(element: Any) -> str:
    """The text of an element, no more of it than is needed to see that it is no mark."""
    text = ""
    for piece in element.itertext():
        text += piece.strip()
        if len(text) > _LONGEST_MARK:
            break
    return text


def _join_group(group: Any) -> None:
    headings = [e for e in group if e.tag in _HEADINGS]
    if not headings or group.getparent() is None:
        return
    parts = [one_line("".join(e.itertext())) for e in group if isinstance(e.tag, str)]
    for element in list(group):
        if element is not headings[0]:
            element.drop_tree()
    for inner in list(headings[0]):
        inner.drop_tree()
    headings[0].text = ": ".join(filter(None, parts))
    group.text = headings[0].tail = None


def _join_bridgehead(paragraph: Any) -> None:
    """Makes one heading of a number alone and the words that the book puts below it."""
    heading = paragraph.getprevious()
    if heading is None or heading.tag not in _HEADINGS or not types_of(paragraph) & _BRIDGEHEADS:
        return
    number, words = (one_line("".join(e.itertext())) for e in (heading, paragraph))
    if _NUMBER.fullmatch(number) and 0 < count_words(words) <= _MOST_TITLE_WORDS:
        for inner in list(heading):
            inner.drop_tree()
        heading.text = f"{number}: {words.removesuffix('.')}"
        paragraph.drop_tree()

"""What a paragraph is, where its own words make it plain: one rule for all readers."""

import re
from collections.abc import Iterable
from dataclasses import replace

from core.documents.document import Block, Kind
from core.documents.section_names import CAPTIONS, CONTENTS, REFERENCES
from core.documents.turns import mark_turns

_REFERENCE_HEADING = re.compile(
    r"(?:[\dIVX]+\.?\s+)?(?:references|bibliography|works cited|literature(?: cited)?|citations"
    r"|references and notes|reference list|list of references|further reading|external links"
    rf"|{REFERENCES})[:.]?",
    re.IGNORECASE,
)
_CONTENTS_HEADING = re.compile(
    r"(?:table of )?contents|list of (?:figures|tables|illustrations)|index|see also"
    rf"|{CONTENTS}",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?:fig(?:ure)?s?\.?|table|chart|plate|scheme|box|listing|algorithm|photo|map"
    rf"|{CAPTIONS})\s+"
    r"(?:[A-Z]?\d+(?:[.–-]\d+)*[a-z]?|[IVX]+)\s*(?:[:|—–]\s*|\.\s+(?=[\W\d]*[A-ZÀ-ÝА-Я]))\S",
    re.IGNORECASE,
)
_BOILERPLATE = re.compile(
    r"(?:©|\(c\)|copyright\s*(?:©|\(c\)|by\b)).{0,40}\b(?:1[5-9]|20)\d\d\b"
    r"|copyright\s+(?:1[5-9]|20)\d\d\b"
    r"|.{0,80}\ball rights reserved\b"
    r"|page \d+ of \d+[.]?$"
    r"|this page (?:is |was )?(?:intentionally )?(?:left )?blank"
    r"|this (?:work|article|document|content|text|book) is (?:made available|licen[cs]ed|released)"
    r" under|licen[cs]ed under|permission to make digital or hard copies"
    r"|permission is (?:hereby )?granted(?:, free of charge,)?"
    r" to (?:any person obtaining|copy|make)\b"
    r"|permission to (?:use, )?copy, |redistribution and use in source and binary forms"
    r"|this \w+ is free software[:;,] you (?:can|may) |this \w+ is distributed in the hope that"
    r"|spdx-licen[cs]e-identifier|isbn(?:-1[03])?[:\s]+[\dX-]{10,}",
    re.IGNORECASE,
)
_DOT_LEADER = re.compile(r".{0,150}?(?:\.{4,}|(?:\. ){4,}|…{2,})\s*[\divxlc]{1,6}")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b")
_ENTRY_MARK = re.compile(r"\[\w[\w+.,: -]{0,20}\]|\d{1,3}[.)]\s|\^|https?://|doi\b", re.IGNORECASE)
# "[12] Smith, J., …" or "[12] J. Smith, …": an entry, whatever heading it stands under.
_AUTHORED_ENTRY = re.compile(
    r"\[\d{1,3}\]\s+(?:[^\W\d_][\w’'-]+, [A-Z]\.|(?:[A-Z]\.[ -]?){1,3} ?[^\W\d_][\w’'-]+,)"
)
_SENTENCE = re.compile(r"[^\W\d_]{2}[”’\")]?[.!?。][”’\")]?\Z")
_LONGEST_END = 8
_LONGEST_CONTENTS_LINE = 300
_MOST_WORDS_CAPTION = 80
_MOST_WORDS_BOILERPLATE = 90
_MOST_WORDS_ENTRY = 120
_UNMARKED_CONTENTS = "contents under a line that is no heading"
_RUNNING = (Kind.PARAGRAPH, Kind.LIST_ITEM)


def refine_kinds(blocks: Iterable[Block]) -> list[Block]:
    """Finds captions, entries of reference lists, contents lines and boilerplate by their words.

    It is careful: only paragraphs and list items change, and only where the words leave little
    doubt ("Figure 3 shows …" stays a paragraph, "Figure 3: Yield by year" is a caption).

    Args:
        blocks: All blocks of a document in reading order, headings marked.

    Returns:
        The blocks in the same order, with the same texts; those of a transcript as
        `core.documents.turns` parts them into turns.
    """
    refined: list[Block] = []
    section, level = "", 0
    found = list(blocks)
    for index, block in enumerate(found):
        if block.kind == Kind.HEADING:
            # A deeper heading lies inside the list, such as "Books" under "References".
            is_deeper = section and block.level > level
            if not is_deeper or _section(block.text) or _ends_contents(section, found, index):
                section, level = _section(block.text), block.level
        elif block.kind in _RUNNING:
            if section == _UNMARKED_CONTENTS and block.kind != Kind.LIST_ITEM:
                section = ""
            if not section and _CONTENTS_HEADING.fullmatch(block.text):
                section = _UNMARKED_CONTENTS
            kind = _kind_of(block, section)
            block = block if kind == block.kind else replace(block, kind=kind, level=0)
        refined.append(block)
    return mark_turns(refined)


def is_boilerplate(text: str) -> bool:
    """Whether a paragraph only tells of rights, licences, numbers of books and the like."""
    return bool(_BOILERPLATE.match(text)) and _at_most(text, _MOST_WORDS_BOILERPLATE)


def _section(heading: str) -> str:
    """Which list a heading opens: "references", "contents" (links of any kind), or none."""
    if _REFERENCE_HEADING.fullmatch(heading.strip()):
        return "references"
    return "contents" if _CONTENTS_HEADING.fullmatch(heading.strip()) else ""


def _ends_contents(section: str, blocks: list[Block], heading: int) -> bool:
    """Whether a deeper heading is that of a chapter: sentences stand under it, not contents."""
    if section == "references":
        return False
    for index in range(heading + 1, len(blocks)):
        block = blocks[index]
        if block.kind == Kind.HEADING:
            return False
        if block.kind in _RUNNING and _SENTENCE.search(block.text[-_LONGEST_END:]):
            return True
    return False


def _kind_of(block: Block, section: str) -> Kind:
    text = block.text
    if _is_entry(text) if section == "references" else _is_authored_entry(text):
        return Kind.REFERENCE
    if section in ("contents", _UNMARKED_CONTENTS) and (
        block.kind == Kind.LIST_ITEM or len(text) < 100
    ):
        return Kind.BOILERPLATE
    has_leader = "...." in text or ". . . . " in text or "……" in text
    if has_leader and len(text) < _LONGEST_CONTENTS_LINE and _DOT_LEADER.fullmatch(text):
        return Kind.BOILERPLATE
    if (
        block.kind == Kind.PARAGRAPH
        and _CAPTION.match(text)
        and _at_most(text, _MOST_WORDS_CAPTION)
    ):
        return Kind.CAPTION
    return Kind.BOILERPLATE if is_boilerplate(text) else block.kind


def _is_entry(text: str) -> bool:
    marked = _YEAR.search(text) or _ENTRY_MARK.match(text) or _at_most(text, 30)
    return bool(marked) and _at_most(text, _MOST_WORDS_ENTRY)


def _is_authored_entry(text: str) -> bool:
    named = _AUTHORED_ENTRY.match(text) and _YEAR.search(text)
    return bool(named) and _at_most(text, _MOST_WORDS_ENTRY)


def _at_most(text: str, num_words: int) -> bool:
    return len(text) <= 15 * num_words and len(text.split()) <= num_words

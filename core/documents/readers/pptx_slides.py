"""What the blocks of a slide are: its title, its items, or the one statement that it makes."""

import re
from dataclasses import replace
from itertools import groupby

from core.documents.document import Block, Kind

NOTES = "Speaker notes"
_LONGEST_TITLE = 12  # words
_SHORTEST_STATEMENT, _SHORTEST_SENTENCE = 7, 4  # words of a title that is all the slide says
_LONGEST_ITEM = 25  # words
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)]*$")
_LABELS = (Kind.PARAGRAPH, Kind.CAPTION)


def with_titles(blocks: list[Block]) -> list[Block]:
    """The blocks of all slides with the titles as headings.

    Args:
        blocks: The blocks in reading order, with their pages.

    Returns:
        As many. Where no placeholder says what the title of a slide is, it is the short text at
        its top; a title that is a sentence, and all that the slide says, is a paragraph.
    """
    found: list[Block] = []
    for number, slide in groupby(blocks, lambda block: block.page):
        shown = list(slide)
        marks = [index for index, block in enumerate(shown) if is_notes_mark(block)]
        end = marks[0] if marks else len(shown)
        found += [*_titled(shown[:end], number), *shown[end:]]
    return found


def _titled(blocks: list[Block], number: int) -> list[Block]:
    if not blocks:
        return blocks
    first, rest = blocks[0], blocks[1:]
    if first.kind == Kind.HEADING and not rest and _is_statement(first.text):
        return [replace(first, kind=Kind.PARAGRAPH, level=0)]
    has_title = any(block.kind == Kind.HEADING for block in blocks)
    has_text = not rest or any(block.kind != Kind.CAPTION for block in rest)
    if not has_title and has_text and _is_title(first):
        return [replace(first, kind=Kind.HEADING, level=1 if number == 1 else 2), *rest]
    return blocks


def itemised(blocks: list[Block]) -> list[Block]:
    """The paragraphs of one box as list items, where several of them are no sentences."""
    plain = [b for b in blocks if b.kind == Kind.PARAGRAPH and not b.text.endswith(":")]
    items = [block for block in plain if _is_item(block.text)]
    if len(items) < 2 or 3 * len(items) < 2 * len(plain):
        return blocks
    return [
        replace(block, kind=Kind.LIST_ITEM, level=1)
        if block.kind == Kind.PARAGRAPH and _is_item(block.text)
        else block
        for block in blocks
    ]


def without_empty_notes(blocks: list[Block]) -> list[Block]:
    """The blocks of all slides without announcements of notes that none follow."""
    pages = [*(block.page for block in blocks[1:]), 0]
    return [
        block
        for block, next_page in zip(blocks, pages, strict=False)  # one page too many for no blocks
        if not is_notes_mark(block) or block.page == next_page
    ]


def is_notes_mark(block: Block) -> bool:
    """Whether a block announces the speaker notes of a slide."""
    return block.kind == Kind.CAPTION and block.text == NOTES


def _is_statement(text: str) -> bool:
    """Whether a title says something: a sentence, and no question."""
    words = len(text.split())
    if text.endswith("?"):
        return False
    return words >= (_SHORTEST_SENTENCE if _SENTENCE_END.search(text) else _SHORTEST_STATEMENT)


def _is_title(block: Block) -> bool:
    text = block.text
    is_short = len(text.split()) <= _LONGEST_TITLE and any(map(str.isalpha, text))
    return block.kind in _LABELS and is_short and not re.search(r"[.!…:;,]$", text)


def _is_item(text: str) -> bool:
    return len(text.split()) <= _LONGEST_ITEM and not re.search(r"[.!?…:;][\"'”’»)]*$", text)

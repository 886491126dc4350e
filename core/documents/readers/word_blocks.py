"""What the paragraphs and tables of word processors become, whatever file they stand in."""

import re
from collections.abc import Iterable
from dataclasses import replace

from core.documents.document import Block, Kind, count_words
from core.documents.readers.cleaning import one_line, trimmed_lines

_MOST_WORDS_PARAGRAPH = 40
_LONGEST_BOLD_HEADING = 12  # words
_JUNK_TITLE = re.compile(r"microsoft word|^(?:untitled|document\d*|title)$|\.docx?$", re.IGNORECASE)


def table_blocks(rows: list[list[list[Block]]]) -> list[Block]:
    """A table as one block, and its footnotes; or the paragraphs of one that only places text.

    Args:
        rows: For each row its cells, for each cell its paragraphs.

    Returns:
        The blocks; a table has a line a row, its cells parted by tabs.
    """
    if _is_layout(rows):
        return [block for row in rows for cell in row for block in cell]
    notes = [b for row in rows for cell in row for b in cell if b.kind == Kind.FOOTNOTE]
    lines = ["\t".join(_cell_text(cell) for cell in row).rstrip() for row in rows]
    text = "\n".join(line for line in lines if line.strip()).strip()
    return [Block(text, Kind.TABLE), *notes]


def with_bold_headings(blocks: list[Block], bold: Iterable[int]) -> list[Block]:
    """Makes headings of short bold paragraphs where a document has no heading styles.

    Args:
        blocks: The paragraphs.
        bold: The places of those that are all bold.

    Returns:
        As many blocks.
    """
    if sum(block.kind == Kind.HEADING for block in blocks) > 1:
        return blocks
    blocks = list(blocks)
    for index in bold:
        block = blocks[index]
        short = count_words(block.text) <= _LONGEST_BOLD_HEADING
        if block.kind == Kind.PARAGRAPH and short and block.text[-1] not in ".,;!":
            blocks[index] = replace(block, kind=Kind.HEADING, level=3)
    return blocks


def with_joined_code(blocks: list[Block]) -> list[Block]:
    """Lines of code, each a paragraph in a word processor, as one block."""
    joined: list[Block] = []
    for block in blocks:
        if block.kind == Kind.CODE and joined and joined[-1].kind == Kind.CODE:
            joined[-1] = replace(joined[-1], text=f"{joined[-1].text}\n{block.text}")
        else:
            joined.append(block)
    return [
        replace(block, text=trimmed_lines(block.text)) if block.kind == Kind.CODE else block
        for block in joined
    ]


def first_heading(blocks: list[Block]) -> str:
    """The first main heading near the beginning; empty where there is none."""
    return next((b.text for b in blocks[:10] if b.kind == Kind.HEADING and b.level == 1), "")


def is_junk_title(title: str) -> bool:
    """Whether a program put a title among a file's properties, no person."""
    return bool(_JUNK_TITLE.search(title))


def _is_layout(rows: list[list[list[Block]]]) -> bool:
    """Whether a table only places text: one column, or cells with paragraphs or tables."""
    if max((len(row) for row in rows), default=0) <= 1:
        return True
    cells = [cell for row in rows for cell in row]
    return any(
        block.kind in (Kind.TABLE, Kind.CODE) or count_words(block.text) > _MOST_WORDS_PARAGRAPH
        for cell in cells
        for block in cell
    )


def _cell_text(cell: list[Block]) -> str:
    return one_line(" ".join(block.text for block in cell if block.kind != Kind.FOOTNOTE))

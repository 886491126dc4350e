"""Tables whose cells hold sentences, such as checklists: each such cell is an item of a list."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from core.documents.document import Block, Kind, count_words
from core.documents.readers.cleaning import one_line

MOST_WORDS_CELL: Final = 40
"""A cell with more is running text, and its table only places it."""

_SHORTEST_PROSE = 6  # words of a cell that is a sentence
_ROWS_WITH_PROSE, _WORDS_IN_PROSE = 0.5, 0.6
_SENTENCE = re.compile(r"[^\W\d_a-z].*[.!?…。！？][\"'”’»)]*$", re.DOTALL)
_BETWEEN = " · "  # cells that hold no sentence


def is_prose_table(rows: list[list[str]]) -> bool:
    """Whether most rows of a table hold a sentence, and most of its words stand in sentences."""
    full = [row for row in rows if any(row)]
    with_prose = sum(any(map(is_prose, row)) for row in full)
    if with_prose < 2 or with_prose < _ROWS_WITH_PROSE * len(full):
        return False
    words = [(count_words(cell), is_prose(cell)) for row in full for cell in row]
    in_prose = sum(count for count, is_sentence in words if is_sentence)
    return in_prose >= _WORDS_IN_PROSE * sum(count for count, _ in words)


def prose_blocks(rows: list[list[str]]) -> Iterator[Block]:
    """The cells of such a table, row by row.

    Args:
        rows: The texts of its cells.

    Yields:
        A list item for each cell that is a sentence, and a caption for the cells beside it.
    """
    for row in rows:
        for is_sentence, cells in groupby(filter(None, row), is_prose):
            if is_sentence:
                yield from (Block(cell, Kind.LIST_ITEM, 1) for cell in cells)
            else:
                yield Block(_BETWEEN.join(cells), Kind.CAPTION)


def is_prose(cell: str) -> bool:
    """Whether a cell holds a sentence."""
    return bool(_SENTENCE.match(cell)) and count_words(cell) >= _SHORTEST_PROSE


def cell_text(cell: list[Block]) -> str:
    """The text of a cell on one line, without its footnotes."""
    return one_line(" ".join(block.text for block in cell if block.kind != Kind.FOOTNOTE))

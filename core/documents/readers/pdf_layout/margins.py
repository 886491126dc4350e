"""Notes in small type in the margin of a page, as laws have, which would mix with its lines.

Letters: W words.
"""

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.sheet import Sheet, Words

_SMALL = 0.88  # of the type size of the text
_EDGE = 2.0  # percent of the words of the text that may stand outside its edges
_GAP = 2.0  # points between text and note
_WIDEST = 0.3  # of the page
_MOST_SHARE = 0.3  # of the words of the page
_FEWEST_WORDS = 60  # of text, for its edges to be known
_LINES_APART = 2.2  # type sizes: notes further apart are two


def part_margins(sheet: Sheet) -> tuple[Sheet, list[Words]]:
    """Takes the notes in the margins out of a page.

    Args:
        sheet: The page.

    Returns:
        The page without them, and the words of each note from top to bottom.
    """
    words = sheet.words
    if len(words) < _FEWEST_WORDS:
        return sheet, []
    small = words.size < _SMALL * float(np.median(words.size))
    if not small.any() or (~small).sum() < _FEWEST_WORDS:
        return sheet, []
    text = words.take(~small)
    left, right = np.percentile(text.x0, _EDGE), np.percentile(text.x1, 100 - _EDGE)
    within = (words.base > text.top.min()) & (words.base < text.bottom.max())
    sides = [side & small & within for side in (words.x1 < left - _GAP, words.x0 > right + _GAP)]
    sides = [side for side in sides if _is_margin(side, sheet)]
    notes = [note for side in sides for note in _notes(words.take(side))]
    if not notes:
        return sheet, []
    rest = ~np.logical_or.reduce(sides)
    return sheet.with_words(words.take(rest)), notes


def _is_margin(side: NDArray[np.bool_], sheet: Sheet) -> bool:
    """Whether words beside the text are few and narrow, and no other words stand among them."""
    words = sheet.words
    if not side.any() or side.sum() > _MOST_SHARE * len(words):
        return False
    x0, x1 = words.x0[side].min(), words.x1[side].max()
    others = ~side & (words.x0 < x1) & (words.x1 > x0)
    letters = any(text.isalpha() for text in words.texts[side])
    return bool(letters and x1 - x0 < _WIDEST * sheet.width and not others.any())


def _notes(words: Words) -> list[Words]:
    """The words of one margin, parted where a note ends."""
    words = words.take(np.argsort(words.base, kind="stable"))
    apart = np.diff(words.base) > _LINES_APART * words.size[:-1]
    parts = np.split(np.arange(len(words)), np.flatnonzero(apart) + 1)
    return [words.take(part) for part in parts]

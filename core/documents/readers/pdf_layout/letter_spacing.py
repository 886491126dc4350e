"""Words whose letters are set apart, by letter-spacing or by a space typed after each.

Letters: C characters.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.letters import Letters

_FEWEST_LETTERS = 4  # of one text object, or in a row
_LEAST = 0.08  # of the type size: narrower gaps between letters part nothing
_MOST = 1.2  # of the type size: wider ones part columns
_EVEN = 1.35  # times the narrowest gap of a row: letters of a word are no further apart
_WORD = 1.5  # times the same: words are so far apart at least
_SLACK = 0.05  # of the type size
_LONGEST_PIECE = 3  # letters: the longest word of a row has as many at least
_CHOICES = frozenset("ABCDEF")  # a row of only these is a key to answers, or a scale

Item = tuple[float, float, float, str, float, bool]
"""A word of a line: left and right edge, baseline, text, type size, and if it is glued."""


def letter_spacing(
    letters: Letters, objects: NDArray[np.uint64], codes: NDArray[np.uint32]
) -> NDArray[np.float64]:
    """[C] Distances from letters to those before them that their text object adds.

    Args:
        letters: The characters of a page.
        objects: [C] the address of the text object that draws each.
        codes: [C] code points.

    Returns:
        The narrowest gap between the letters of each text object without spaces between them, if
        it has several letters and is spaced at all; else 0.
    """
    count = len(letters)
    spacing = np.zeros(count)
    gap = np.concatenate(([0.0], letters.x0[1:] - letters.x1[:-1]))
    is_next = np.concatenate(([False], objects[1:] == objects[:-1])) & ~letters.spaced
    if np.count_nonzero(is_next & (gap > _LEAST * letters.size)) < _FEWEST_LETTERS - 1:
        return spacing
    starts = np.flatnonzero(np.diff(objects, prepend=objects[:1] + np.uint64(1)))
    lengths = np.diff(starts, append=count)
    narrowest = np.minimum.reduceat(np.where(is_next, gap, np.inf), starts)
    num_gaps = np.add.reduceat(is_next.astype(np.int64), starts)
    is_letter = (codes > 64) & ~((codes > 122) & (codes < 192))
    num_letters = np.add.reduceat(is_letter.astype(np.int64), starts)
    is_spaced = (num_gaps >= _FEWEST_LETTERS - 1) & (2 * num_letters > lengths)
    is_spaced &= narrowest > _LEAST * letters.size[starts]
    own = np.repeat(np.where(is_spaced, narrowest, 0.0), lengths)
    return np.where(is_next, own, 0.0)


def join_spaced_letters(items: list[Item]) -> list[Item]:
    """Joins letters of a line that stand apart as evenly as those of spaced words do.

    Args:
        items: The words of a line, from the left.

    Returns:
        The words; rows of single letters as the words that they make.
    """
    if sum(len(item[3]) == 1 for item in items) < _FEWEST_LETTERS:
        return items
    result: list[Item] = []
    start = 0
    while start < len(items):
        end = start
        while end < len(items) and len(items[end][3]) == 1:
            end += 1
        if end - start >= _FEWEST_LETTERS:
            before = items[start][0] - items[start - 1][1] if start else np.inf
            after = items[end][0] - items[end - 1][1] if end < len(items) else np.inf
            result += _join_row(items[start:end], min(before, after))
            start = end
        else:
            end = max(end, start + 1)
            result += items[start:end]
            start = end
    return result


def _join_row(row: list[Item], margin: float) -> list[Item]:
    """Words of a row of single letters; as it was where it may be a list of letters."""
    size = row[0][4]
    gaps = [after[0] - before[1] for before, after in pairwise(row)]
    narrowest = min(gaps)
    if not _LEAST * size < narrowest < _MOST * size or margin < _WORD * narrowest:
        return row
    inside = [gap <= _EVEN * narrowest + _SLACK * size for gap in gaps]
    if any(not near and gap < _WORD * narrowest for near, gap in zip(inside, gaps, strict=True)):
        return row
    words = [[row[0]]]
    for item, near in zip(row[1:], inside, strict=True):
        if near:
            words[-1].append(item)
        else:
            words.append([item])
    if not _are_words(["".join(item[3] for item in word) for word in words]):
        return row
    return [
        (word[0][0], word[-1][1], word[0][2], "".join(item[3] for item in word), size, False)
        for word in words
    ]


def _are_words(texts: list[str]) -> bool:
    letters = "".join(texts)
    if sum(map(str.isalpha, letters)) < max(_FEWEST_LETTERS, 0.6 * len(letters)):
        return False
    in_order = all(ord(after) - ord(before) == 1 for before, after in pairwise(letters))
    is_key = _CHOICES.issuperset(letters.upper())
    return not in_order and not is_key and max(map(len, texts)) >= _LONGEST_PIECE

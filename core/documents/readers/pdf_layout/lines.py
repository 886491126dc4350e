"""Lines of text from words that stand in one column."""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.cleaning import LIGATURES
from core.documents.readers.pdf_layout.letter_spacing import Item, join_spaced_letters
from core.documents.readers.pdf_layout.sheet import Words

_SAME_LINE = 0.3  # of the type size: baselines nearer than this are one line's
_SMALL_REACH = 0.75  # of the line's type size, up or down
_SMALL_CHARS = 5  # of a raised or lowered word on average, at most
_SCRAP_CHARS = 2  # in all: pieces of formulas, wherever they stand
_MONO = 0.8  # of the letters of a line of code; text may name many functions
_SMALL = 0.82  # of the line's type size: superscripts and subscripts
_SEGMENT_GAP = 1.0  # of the type size: wider gaps part the cells of a table
_EVEN = 0.15  # of the mean gap: how far the gaps of a justified line may differ
_WIDEST_EVEN = 4.0  # in type sizes: no justified line has wider gaps
_GLUED_GAP = 0.1  # of the type size
_SUPER = str.maketrans("0123456789+-−()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ")
_SUB = str.maketrans("0123456789+-−()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎")
_RAISABLE = re.compile(r"[\d+\-−()n,]*\d[\d+\-−(),]*|n")
_ACCENTS = {"¨": "\u0308", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c"}
_ACCENT = re.compile(r"([¨´ˆ˜ˇ]) ?([A-Za-z])")
_STRUCK = re.compile("\u0338 ?([^\\s\\w])")  # "not", as TeX writes it: before the sign
_PLAIN = {
    **LIGATURES,
    **dict.fromkeys((0xF0B7, 0xF0A7, 0xF0D8, 0xF076, 0xF02D, 0x25AA, 0xF06E, 0xF06C), "•"),
    0xAD: None,
    **{  # signs of text that is set from top to bottom
        code: unicodedata.normalize("NFKC", chr(code))
        for code in (*range(0xFE10, 0xFE1A), *range(0xFE35, 0xFE45))
    },
}


@dataclass(frozen=True)
class Line:
    """A line of text.

    Args:
        page: Number of its page, from 1.
        text: Its words with single spaces; a line-end hyphen may be U+0002.
        x0: Left edge, as all lengths in points.
        x1: Right edge.
        base: Its baseline, y downwards.
        size: The type size of most of its letters.
        bold: Whether most of it is bold.
        mono: Whether nearly all of it is set in a fixed-pitch face.
        hidden: Whether it belongs to an invisible recognition layer.
        cells: Runs of words parted by wide gaps: left edge, right edge, text.
        even: Whether all gaps between its words are equal, as in justified text.
        in_table: Whether it is a row of a table.
        boxed: Whether it stands in a box beside the text.
        aside: Whether it stands beside the text: a note in the margin, or a short cell.
        has_fraction: Whether words that stood one over the other were put side by side.
        lead: Length of its beginning in bold; 0 if all of it is bold, or nothing at its beginning.
        spaced: True if letters that stood apart were joined.
        drawn: Place of each cell's first word in the drawing order of the page.
    """

    page: int
    text: str
    x0: float
    x1: float
    base: float
    size: float
    bold: bool = False
    mono: bool = False
    hidden: bool = False
    cells: tuple[tuple[float, float, str], ...] = ()
    even: bool = False
    in_table: bool = False
    boxed: bool = False
    aside: bool = False
    has_fraction: bool = False
    lead: int = 0
    drawn: tuple[int, ...] = ()
    spaced: bool = False

    @property
    def width(self) -> float:
        """From edge to edge."""
        return self.x1 - self.x0


def lines_of(words: Words, page: int) -> list[Line]:
    """Lines from top to bottom.

    Args:
        words: The words of one column.
        page: Number of the page.

    Returns:
        The lines; raised and lowered small digits become superscripts and subscripts.
    """
    return [_as_line(words, group, page) for group in line_groups(words)]


def line_groups(words: Words) -> list[NDArray[np.int64]]:
    """Indices of the words of each line, lines from top to bottom."""
    if not len(words):
        return []
    order = np.argsort(words.base, kind="stable")
    bases, sizes = words.base[order].tolist(), words.size[order].tolist()
    groups: list[list[int]] = []
    anchor = -1e9
    for index, base, size in zip(order.tolist(), bases, sizes, strict=True):
        if base - anchor > _SAME_LINE * size:
            groups.append([])
            anchor = base
        groups[-1].append(index)
    arrays = [np.array(group, np.int64) for group in groups]
    return _with_small_ones(words, arrays)


def _with_small_ones(words: Words, groups: list[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """Puts groups of raised or lowered small words to the line they belong to."""
    largest = [float(words.size[group].max()) for group in groups]
    bases = [float(words.base[group][0]) for group in groups]
    merged: list[list[int]] = [group.tolist() for group in groups]
    for i in range(len(groups)):
        near = [
            j
            for j in (i - 2, i - 1, i + 1, i + 2)
            if 0 <= j < len(groups)
            and largest[i] < _SMALL * largest[j]
            and abs(bases[i] - bases[j]) < _SMALL_REACH * largest[j]
            and _fits(words, groups[i], groups[j])
        ]
        if near:
            target = min(near, key=lambda j: abs(bases[i] - bases[j]))
            merged[target].extend(merged[i])
            merged[i] = []
    return [np.array(group, np.int64) for group in merged if group]


def _fits(words: Words, small: NDArray[np.int64], line: NDArray[np.int64]) -> bool:
    """Whether small words are few and stand within a line, not over or under its words."""
    num_chars = sum(len(text) for text in words.texts[small].tolist())
    if num_chars > _SMALL_CHARS * len(small):
        return False
    size = float(words.size[line].max())
    lefts, rights = words.x0[small, None], words.x1[small, None]
    if lefts.min() < words.x0[line].min() - 2 * size:
        return False
    if rights.max() > words.x1[line].max() + 2 * size:
        return False
    if num_chars <= _SCRAP_CHARS or len(line) <= 3:
        return True
    shared = np.minimum(rights, words.x1[line]) - np.maximum(lefts, words.x0[line])
    return not (shared > 0.5 * (rights - lefts)).any()


def _with_fractions(items: list[Item], size: float, base: float) -> list[Item]:
    """Puts a small word that stands above another small one before it, with a stroke between."""
    result: list[Item] = []
    for item in items:
        before = result[-1] if result else None
        if (
            before
            and max(before[4], item[4]) < _SMALL * size
            and min(before[1], item[1]) - max(before[0], item[0])
            > 0.4 * min(before[1] - before[0], item[1] - item[0])
            and (before[2] - base) * (item[2] - base) < 0
        ):
            upper, lower = (before, item) if before[2] < item[2] else (item, before)
            text = f"{upper[3]}/{lower[3]}"
            edges = min(before[0], item[0]), max(before[1], item[1])
            result[-1] = (*edges, base, text, size, False)
        else:
            result.append(item)
    return result


def _as_line(words: Words, group: NDArray[np.int64], page: int) -> Line:
    group = group[np.argsort(words.x0[group], kind="stable")]
    texts = words.texts[group].tolist()
    lengths = np.array([len(text) for text in texts])
    size = _weighted_median(words.size[group], lengths)
    base = _weighted_median(words.base[group], lengths)
    single = _items(words, group)
    items = join_spaced_letters(single)
    level = _with_fractions(items, size, base)
    cells = _cells(level, size, base)
    text = " ".join(cell[2] for cell in cells)
    return Line(
        page,
        text,
        cells[0][0],
        float(words.x1[group].max()),
        base,
        size,
        _mostly(words.bold[group], lengths),
        _mostly(words.mono[group], lengths, _MONO),
        bool(words.hidden[group].all()),
        tuple(cells),
        len(cells) > 1 and _has_even_gaps(words.x0[group], words.x1[group], size),
        has_fraction=len(level) < len(items),
        lead=_lead(single, words.bold[group], text, size, base),
        drawn=_drawn(words, group, cells),
        spaced=len(items) < len(single),
    )


def _drawn(
    words: Words, group: NDArray[np.int64], cells: list[tuple[float, float, str]]
) -> tuple[int, ...]:
    """Place of each cell's first word in the drawing order; `group` is ordered from the left."""
    if len(cells) == 1:
        return (int(words.order[group].min()),)
    starts = np.searchsorted(words.x0[group], [left for left, _, _ in cells])
    return tuple(np.minimum.reduceat(words.order[group], starts).tolist())


def _lead(items: list[Item], bold: NDArray[np.bool_], text: str, size: float, base: float) -> int:
    """Length of the text that the bold words at the beginning of a line make."""
    count = int(np.argmin(bold)) if bold[0] and not bold.all() else 0
    if not count:
        return 0
    head = " ".join(cell[2] for cell in _cells(items[:count], size, base))
    return len(head) if text.startswith(head + " ") else 0


def _has_even_gaps(x0: NDArray[np.float64], x1: NDArray[np.float64], size: float) -> bool:
    gaps = x0[1:] - x1[:-1]
    gaps = gaps[gaps > _GLUED_GAP * size]
    if len(gaps) < 2 or gaps.mean() > _WIDEST_EVEN * size:
        return False
    return float(gaps.max() - gaps.min()) < _EVEN * float(gaps.mean())


def _items(words: Words, group: NDArray[np.int64]) -> list[Item]:
    follows = np.diff(words.order[group], prepend=-9) == 1
    return list(
        zip(
            words.x0[group].tolist(),
            words.x1[group].tolist(),
            words.base[group].tolist(),
            words.texts[group].tolist(),
            words.size[group].tolist(),
            (words.glued[group] & follows).tolist(),
            strict=True,
        )
    )


def _cells(items: list[Item], size: float, base: float) -> list[tuple[float, float, str]]:
    """Joins words with spaces, parts them where gaps are wide, and raises small digits."""
    cells: list[tuple[float, float, str]] = []
    start, end, text = items[0][0], items[0][0], ""
    for left, right, word_base, word, word_size, glued in items:
        gap, shift = left - end, base - word_base
        close = gap < _GLUED_GAP * size or glued
        if text and gap > _SEGMENT_GAP * size:
            cells.append((start, end, _plain(text)))
            start, text = left, ""
        small = abs(shift) > 0.1 * size and word_size < _SMALL * size
        if small and (close or not text) and _RAISABLE.fullmatch(word):
            word = word.translate(_SUPER if shift > 0 else _SUB)
        text += word if not text or close else " " + word
        end = max(end, right)
    cells.append((start, end, _plain(text)))
    return cells


def _plain(text: str) -> str:
    """Ligatures parted, accents and strokes that stand before their letter or sign put onto it."""
    if text.isascii():
        return text
    text = _STRUCK.sub(_struck, text) if "\u0338" in text else text
    return _ACCENT.sub(_with_accent, text.translate(_PLAIN))


def _struck(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", match[1] + "\u0338")


def _with_accent(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", match[2] + _ACCENTS[match[1]])


def _weighted_median(values: NDArray[np.float64], weights: NDArray[np.int64]) -> float:
    if (values == values[0]).all():  # as of most lines
        return float(values[0])
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order[int(np.searchsorted(reached, reached[-1] / 2))]])


def _mostly(flags: NDArray[np.bool_], weights: NDArray[np.int64], share: float = 0.5) -> bool:
    return bool(flags.any() and weights[flags].sum() > share * weights.sum())

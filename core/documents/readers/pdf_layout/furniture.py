"""What repeats at the head or foot of pages: running heads and feet, and page numbers."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.lines import line_groups
from core.documents.readers.pdf_layout.sheet import Sheet

_ZONE = 0.24  # share of a page's height at its head, and at its foot
_MOST_ROWS = 3  # at the head, and at the foot
_SAME_HEIGHT = 4.0  # points
_LONGEST = 18  # words
_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[-–—|\[(\s.]*(?:(?:page|seite|p\.)\s*)?(?P<value>\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:/|of|von)\s*\d{1,4})?[-–—|\])\s.]*",
    re.IGNORECASE,
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True)
class _Row:
    page: int
    at_foot: bool
    outermost: int  # 0 for the first or last row of the page, 1 for the next
    base: float
    text: str
    words: NDArray[np.int64]
    gap: float  # to the next row towards the middle of the page, in type sizes

    @property
    def pattern(self) -> str:
        return _NUMBER.sub("#", self.text).lower()

    @property
    def number(self) -> int | None:
        """The number it is, or begins or ends with."""
        if match := _PAGE_NUMBER.fullmatch(self.text):
            return _as_number(match["value"])
        tokens = self.text.split()
        for token in (tokens[0], tokens[-1]):
            if token.isdigit() and len(token) <= 4:
                return int(token)
        return None


@dataclass(frozen=True)
class Furniture:
    """Which words of each page are furniture.

    Args:
        heads: For each page the indices of words of running heads and feet.
        numbers: For each page the indices of words that are page numbers.
    """

    heads: dict[int, NDArray[np.int64]]
    numbers: dict[int, NDArray[np.int64]]


def find_furniture(sheets: list[Sheet]) -> Furniture:
    """Running heads and feet and page numbers of all pages."""
    rows = [row for sheet in sheets for row in _edge_rows(sheet)]
    kept = _repeated(rows, len(sheets)) | _numbered(rows, len(sheets))
    kept |= _in_slots(rows, kept, len(sheets))
    heads: dict[int, list[NDArray[np.int64]]] = defaultdict(list)
    numbers: dict[int, list[NDArray[np.int64]]] = defaultdict(list)
    for index in kept:
        row = rows[index]
        target = numbers if _PAGE_NUMBER.fullmatch(row.text) else heads
        target[row.page].append(row.words)
    return Furniture(_joined(heads), _joined(numbers))


def _joined(parts: dict[int, list[NDArray[np.int64]]]) -> dict[int, NDArray[np.int64]]:
    return {page: np.concatenate(arrays) for page, arrays in parts.items()}


def _edge_rows(sheet: Sheet) -> list[_Row]:
    words = sheet.words
    rows = []
    for at_foot in (False, True):
        limit = _ZONE * sheet.height
        near = words.base > sheet.height - limit if at_foot else words.base < limit
        at = np.flatnonzero(near)
        zone = words.take(at)
        groups = line_groups(zone)[:: -1 if at_foot else 1]
        bases = [float(np.median(zone.base[group])) for group in groups]
        inner = np.delete(words.base, at)
        bases.append(_nearest(inner, at_foot, sheet.height))
        for place, group in enumerate(groups[:_MOST_ROWS]):
            ordered = group[np.argsort(zone.x0[group], kind="stable")]
            text = " ".join(zone.texts[ordered].tolist())
            gap = abs(bases[place + 1] - bases[place]) / float(zone.size[group].max())
            rows.append(_Row(sheet.page, at_foot, place, bases[place], text, at[group], gap))
    return rows


def _nearest(bases: NDArray[np.float64], at_foot: bool, height: float) -> float:
    if not len(bases):
        return 0.0 if at_foot else height
    return float(bases.max() if at_foot else bases.min())


def _repeated(rows: list[_Row], num_pages: int) -> set[int]:
    """Rows that stand at the same height of neighbouring pages with the same words."""
    alike: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        if len(row.text.split()) <= _LONGEST and re.search(r"[^\W\d_]{2}", row.text):
            alike[row.at_foot, row.pattern].append(index)
    fewest = 2 if num_pages < 5 else 3
    kept: set[int] = set()
    for group in alike.values():
        kept.update(_at_same_height(group, rows, fewest))
    return kept


def _at_same_height(group: list[int], rows: list[_Row], fewest: int) -> Iterator[int]:
    """Those of a group with others at their height, on enough pages and on one near by."""
    group = sorted(group, key=lambda index: rows[index].base)
    bases = [rows[index].base for index in group]
    on_page: dict[int, list[float]] = defaultdict(list)
    for index in group:
        on_page[rows[index].page].append(rows[index].base)
    for index in group:
        row = rows[index]
        first = bisect_left(bases, row.base - _SAME_HEIGHT)
        end = bisect_right(bases, row.base + _SAME_HEIGHT)
        near = group[
            first : min(end, first + _MOST_ROWS * fewest)
        ]  # at most so many are one page's
        beside = [base for step in (-2, -1, 1, 2) for base in on_page.get(row.page + step, ())]
        if len({rows[other].page for other in near}) >= fewest and any(
            abs(base - row.base) <= _SAME_HEIGHT for base in beside
        ):
            yield index


def _numbered(rows: list[_Row], num_pages: int) -> set[int]:
    """Rows whose number goes up with the pages."""
    votes: Counter[int] = Counter()
    for row in rows:
        if row.number is not None and len(row.text.split()) <= _LONGEST:
            votes[row.number - row.page] += 1
    fewest = 1 if num_pages == 1 else 2 if num_pages < 5 else 3
    shifts = {shift for shift, count in votes.items() if count >= max(fewest, 0.2 * num_pages)}
    if num_pages == 1:
        shifts &= {0}
    kept: set[int] = set()
    for index, row in enumerate(rows):
        alone = bool(_PAGE_NUMBER.fullmatch(row.text))
        short = row.outermost == 0 and len(row.text.split()) <= 12 and row.gap > 1.3
        fits = row.number is not None and row.number - row.page in shifts
        if fits and ((alone and row.gap > 1) or (short and num_pages > 2)):
            kept.add(index)
    return kept


def _in_slots(rows: list[_Row], kept: set[int], num_pages: int) -> set[int]:
    """Rows set apart where other pages have furniture, such as each chapter's own name."""
    heights = Counter((rows[i].at_foot, round(rows[i].base / _SAME_HEIGHT)) for i in kept)
    slots = {slot for slot, count in heights.items() if count >= max(3, 0.3 * num_pages)}
    found = set()
    for index, row in enumerate(rows):
        place = round(row.base / _SAME_HEIGHT)
        near = any((row.at_foot, place + step) in slots for step in (-1, 0, 1))
        if near and row.outermost == 0 and row.gap > 1.8 and len(row.text.split()) <= 12:
            found.add(index)
    return found


def _as_number(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    values = [_ROMAN[char] for char in text.lower()]
    if not text.isalpha():
        return None
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )

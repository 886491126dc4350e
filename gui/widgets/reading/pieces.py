"""The paragraphs of a document as pieces that can be laid out one by one.

A piece is a paragraph, or a few thousand characters of a very long one. Everything here is done
for all of them at once with numpy. Letters: P paragraphs, Q pieces.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind

MAX_PIECE = 3_000
"""Code points of the longest piece: laying out one must not be felt."""
_LOOK_BACK = 300  # how far before that a space is looked for


@dataclass(frozen=True, eq=False)
class Pieces:
    """What is laid out, and where it begins.

    Args:
        starts: [Q] int64, first code point of each.
        ends: [Q] int64, one past the last.
        paragraphs: [Q] int64, the paragraph each belongs to.
        is_first: [Q] bool, whether its paragraph begins with it.
        pages: [Q] int64, the page announced above it; 0 when none begins there.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    paragraphs: NDArray[np.int64]
    is_first: NDArray[np.bool_]
    pages: NDArray[np.int64]

    @classmethod
    def of(cls, document: Document) -> "Pieces":
        """The pieces of a document, in its order."""
        lengths = document.ends - document.starts
        counts = np.maximum(1, -(-lengths // MAX_PIECE))
        paragraphs = np.repeat(np.arange(len(lengths)), counts)
        firsts = np.cumsum(counts) - counts
        inside = np.arange(len(paragraphs)) - firsts[paragraphs]
        starts = document.starts[paragraphs] + inside * MAX_PIECE
        _move_to_spaces(document.text, starts, np.flatnonzero(inside))
        ends = np.append(starts[1:], 0)
        last = np.append(inside[1:] == 0, True)[: len(ends)]
        ends = np.where(last, document.ends[paragraphs], ends[: len(last)])
        is_first = inside == 0
        return cls(starts, ends, paragraphs, is_first, _pages(document, starts, is_first))

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, offset: int) -> int:
        """The piece that holds a code point, or the last one before it."""
        return max(0, int(np.searchsorted(self.starts, offset, side="right")) - 1)


def _move_to_spaces(text: str, starts: NDArray[np.int64], inner: NDArray[np.intp]) -> None:
    # Only very long paragraphs come here: at most one turn for every MAX_PIECE characters.
    for index in inner:
        start = int(starts[index])
        space = text.rfind(" ", start - _LOOK_BACK, start)
        if space >= 0:
            starts[index] = space + 1


def _pages(
    document: Document, starts: NDArray[np.int64], is_first: NDArray[np.bool_]
) -> NDArray[np.int64]:
    pages = np.zeros(len(starts), np.int64)
    if len(document.page_starts):
        at = np.searchsorted(document.page_starts, starts[is_first], side="right")
        new = np.diff(at, prepend=at[:1]) > 0  # the first page needs no announcement
        pages[is_first] = np.where(new, at, 0)
    return pages


@dataclass(frozen=True)
class Style:
    """How paragraphs of a kind are set.

    Args:
        role: Font by role.
        color: Token of their colour.
        indent: Logical px from the column's left edge.
        above: Logical px between it and the paragraph before.
        wrap: Whether lines break between words.
    """

    role: str = "read"
    color: str = "text"
    indent: int = 0
    above: int = 14
    wrap: bool = True


LIST_STEP_PX = 24
_MAX_LIST_DEPTH = 4
ABOVE_AFTER_HEADING_PX = 8
PAGE_MARK_PX = 16
ABOVE_PAGE_MARK_PX = 14

_KIND_STYLES = {
    Kind.PARAGRAPH: Style(),
    Kind.QUOTE: Style(indent=24, color="text2"),
    Kind.CAPTION: Style("reads", "text2"),
    Kind.CODE: Style("mono", indent=12, above=20, wrap=False),
    Kind.TABLE: Style("mono", indent=12, above=20, wrap=False),
    Kind.FOOTNOTE: Style("readxs", "text2", above=10),
    Kind.REFERENCE: Style("reads", above=8),
    Kind.BOILERPLATE: Style("reads", "text3"),
    Kind.SPEAKER: Style("readsec", "text2", above=18),
    Kind.INTERJECTION: Style(color="text2"),
}
_HEADING = Style("readh", above=32)
_SECTION = Style("readsec", above=18)
_LISTS = tuple(
    Style(indent=LIST_STEP_PX * depth, above=6) for depth in range(1, _MAX_LIST_DEPTH + 1)
)
STYLES: tuple[Style, ...] = (*_KIND_STYLES.values(), _HEADING, _SECTION, *_LISTS)
"""Every style; `style_codes` gives indices into it."""
_SMALLER = {"read": "reads", "reads": "readxs", "readh": "readsec"}
SMALL_STYLES = tuple(replace(each, role=_SMALLER.get(each.role, each.role)) for each in STYLES)
"""The same for narrow columns."""


def style_codes(document: Document) -> NDArray[np.int64]:
    """[P] the index in `STYLES` for every paragraph."""
    by_kind = np.zeros(max(Kind) + 1, np.int64)
    for code, kind in enumerate(_KIND_STYLES):
        by_kind[kind] = code
    codes = by_kind[np.minimum(document.kinds, max(Kind))]
    heading = STYLES.index(_HEADING) + (document.levels > 1)
    codes = np.where(document.kinds == Kind.HEADING, heading, codes)
    depth = np.clip(document.levels.astype(np.int64), 1, _MAX_LIST_DEPTH)
    lists = STYLES.index(_LISTS[0]) - 1 + depth
    return np.where(document.kinds == Kind.LIST_ITEM, lists, codes)


def spaces_above(document: Document, pieces: Pieces) -> NDArray[np.int64]:
    """[Q] logical px between each piece and the one before, page marks included."""
    above = np.array([style.above for style in STYLES])[style_codes(document)]
    after_heading = np.append(False, np.isin(document.kinds[:-1], (Kind.HEADING, Kind.SPEAKER)))
    above = np.where(after_heading, ABOVE_AFTER_HEADING_PX, above)
    spaces = np.where(pieces.is_first, above[pieces.paragraphs], 0)
    if len(spaces):
        spaces[0] = 0
    spaces += np.where(pieces.pages > 0, PAGE_MARK_PX + ABOVE_PAGE_MARK_PX, 0)
    return spaces


def guess_lines(
    document: Document, pieces: Pieces, letters_per_line: NDArray[np.float64]
) -> NDArray[np.int64]:
    """How many lines each piece may take.

    Args:
        document: The text.
        pieces: Its pieces.
        letters_per_line: For each of `STYLES`.

    Returns:
        [Q] at least 1 for each piece.
    """
    per_line = letters_per_line[style_codes(document)][pieces.paragraphs]
    lines = np.ceil((pieces.ends - pieces.starts) / np.maximum(1.0, per_line))
    return np.maximum(1, lines).astype(np.int64)

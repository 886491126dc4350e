"""Pages of an open PDF as `Sheet`s: characters put together to words, all turned upright.

Letters: C characters, W words.
"""

from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from core.documents.document import count_words
from core.documents.readers.pdf_layout import directions
from core.documents.readers.pdf_layout.actual_text import open_page
from core.documents.readers.pdf_layout.fields import read_typed, read_written
from core.documents.readers.pdf_layout.glyphs import FontFaces, Glyphs, read_glyphs
from core.documents.readers.pdf_layout.layers import Layers
from core.documents.readers.pdf_layout.letter_spacing import letter_spacing
from core.documents.readers.pdf_layout.letters import Letters
from core.documents.readers.pdf_layout.overprints import find_copies, find_watermarks
from core.documents.readers.pdf_layout.painting import RULE_THICKNESS, Box, Painting
from core.documents.readers.pdf_layout.sheet import Shape, Sheet, Words, no_words
from core.documents.readers.pdf_layout.strikes import find_struck
from core.documents.readers.pdf_layout.vertical import set_above_and_below, turn_columns
from core.documents.readers.pdf_layout.visibility import Hidden, find_hidden

_MOST_OBJECTS = 20_000  # of a page
_MOST_STRUCK = 0.5  # share of a page; beyond it the lines mean something else
_MOST_SHAPES = 3000  # a map or a plot may hold a hundred thousand
_WORD_GAP = 0.18  # of the type size: a wider gap without a space parts words
_GLUED_GAP = 0.3  # of the type size: a narrower one that has no space may part no words
_BASELINE_SHIFT = 0.08  # of the type size
_SPACES = np.array([9, 10, 13, 32, 160, 0x3000, *range(0x2000, 0x200C), 0x202F, 0x205F], np.uint32)
_LINE_ENDS = np.array([10, 13], np.uint32)
_NOTHING = np.array([0, 0xAD, 0x200D, 0x2060, 0xFEFF, 0xFFFE, 0xFFFF], np.uint32)


def read_sheet(document: Any, index: int, faces: FontFaces, layers: Layers) -> Sheet:
    """One page of an open document.

    Args:
        document: pdfium's handle.
        index: The page's place, from 0.
        faces: Fonts met on earlier pages.
        layers: Of the document.

    Returns:
        The page; empty and marked as damaged if pdfium cannot load it.
    """
    page, painting, num_replaced = open_page(document, index, faces)
    if not page:
        return Sheet(index + 1, 612.0, 792.0, no_words(), damaged=True)
    text_page = pdfium.FPDFText_LoadPage(page)
    try:
        glyphs, box = read_glyphs(text_page, faces), _page_box(page)
        drawn = _is_drawn(glyphs)
        upright_glyphs, glyphs = glyphs, turn_columns(glyphs, drawn)
        has_columns = glyphs is not upright_glyphs
        hidden = find_hidden(document, page, glyphs, drawn, box, painting, layers)
        kept = _find_extra(page, glyphs, drawn, hidden, box, painting)
        typed, words = read_typed(page), _hidden_words(glyphs, hidden)
        if kept.any():
            words[Hidden.STRUCK_BUT_KEPT] = count_words(" ".join(_loose_words(glyphs, kept)))
        if Hidden.COPY in words or Hidden.WATERMARK in words:  # they part no words
            kept = (hidden != Hidden.COPY) & (hidden != Hidden.WATERMARK)
            glyphs, drawn, hidden = glyphs.take(kept), drawn[kept], hidden[kept]
        visible, recognised = drawn & (hidden <= Hidden.RECOGNISED), hidden == Hidden.RECOGNISED
        shapes = _read_shapes(painting, box)
        sheet = _as_sheet(index + 1, glyphs, visible, recognised, box, shapes)
        if has_columns:
            sheet = _with_rows(sheet, glyphs, visible, recognised, box)
        if num_replaced:
            words[Hidden.OTHER_WORDS] = num_replaced
        written = read_written(page)
        if not (typed or written or words or glyphs.num_unread):
            return sheet
        return replace(
            sheet, typed=typed, written=written, hidden=words, num_unread=glyphs.num_unread
        )
    finally:
        pdfium.FPDFText_ClosePage(text_page)
        pdfium.FPDF_ClosePage(page)


def _find_extra(
    page: Any,
    glyphs: Glyphs,
    drawn: NDArray[np.bool_],
    hidden: NDArray[np.int8],
    box: Box,
    painting: Painting,
) -> NDArray[np.bool_]:
    """Marks what is seen and is no text of the page: copies, watermarks and struck words.

    Args:
        page: pdfium's handle.
        glyphs: All characters of the page.
        drawn: [C] True for real characters.
        hidden: [C] `Hidden` of each, which it changes.
        box: The page.
        painting: The objects of the page.

    Returns:
        [C] True for struck letters that are read all the same, since most of the page is struck.
    """
    visible = drawn & (hidden == Hidden.NOT)
    hidden[find_watermarks(glyphs, visible)] = Hidden.WATERMARK
    visible, recognised = drawn & (hidden <= Hidden.RECOGNISED), hidden == Hidden.RECOGNISED
    hidden[find_copies(glyphs, visible, recognised, box)] = Hidden.COPY
    visible = drawn & (hidden <= Hidden.RECOGNISED)
    struck = find_struck(glyphs, visible, painting, page)
    if struck.sum() >= _MOST_STRUCK * visible.sum():
        return struck
    hidden[struck] = Hidden.STRUCK
    return np.zeros(len(hidden), bool)


def _as_sheet(
    number: int,
    glyphs: Glyphs,
    visible: NDArray[np.bool_],
    recognised: NDArray[np.bool_],
    box: Box,
    shapes: list[Shape],
) -> Sheet:
    if not len(glyphs.codes):  # a file of nothing but empty pages may have 30,000 of them
        width, height = box[2] - box[0], box[3] - box[1]
        flat = tuple(_turn_shape(shape, 0, box) for shape in shapes)
        return Sheet(number, width, height, no_words(), flat)
    quarter = _main_quarter(glyphs, visible)
    upright = np.abs((glyphs.angle - 90 * quarter + 180) % 360 - 180) <= 5
    left, bottom, right, top = box
    width, height = (right - left, top - bottom)[:: -1 if quarter % 2 else 1]
    letters = _find_letters(glyphs, visible, upright, quarter, box)
    words = _as_words(glyphs, letters, recognised)
    inside = (words.x1 > 0) & (words.x0 < width) & (words.base > 0) & (words.top < height)
    turned = (_turn_shape(shape, quarter, box) for shape in shapes)
    return Sheet(
        number,
        width,
        height,
        words.take(inside),
        tuple(shape.mirrored(width) if letters.is_mirrored else shape for shape in turned),
        tuple(_loose_words(glyphs, visible & ~upright)),
    )


def _with_rows(
    sheet: Sheet,
    glyphs: Glyphs,
    visible: NDArray[np.bool_],
    recognised: NDArray[np.bool_],
    box: Box,
) -> Sheet:
    """A page of columns from top to bottom with its lines from left to right before or after."""
    is_row = glyphs.angle == 0
    if _main_quarter(glyphs, visible) != 3 or not (visible & is_row).any():
        return sheet
    rows = _as_words(glyphs, _find_letters(glyphs, visible, is_row, 0, box), recognised)
    rows = rows.take((rows.x1 > 0) & (rows.base > 0) & (rows.top < sheet.width))
    words, drop, is_line = set_above_and_below(sheet.words, rows, sheet.height)
    is_column = np.abs(glyphs.angle % 360 - 270) <= 5
    sideways = tuple(_loose_words(glyphs, visible & ~is_row & ~is_column))
    return replace(
        sheet,
        words=words,
        height=max(sheet.height + drop, float(words.bottom.max(initial=0.0))),
        shapes=tuple(replace(each, y0=each.y0 + drop, y1=each.y1 + drop) for each in sheet.shapes),
        sideways=(*sideways, *rows.texts[~is_line].tolist()),
    )


def _page_box(page: Any) -> Box:
    rect = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, rect)
    return rect.left, rect.bottom, rect.right, rect.top


def _is_drawn(glyphs: Glyphs) -> NDArray[np.bool_]:
    """[C] True for a real character, which is no white space."""
    codes = glyphs.codes
    control = ((codes < 32) & (codes != 2)) | ((codes > 126) & (codes < 160))
    drawn: NDArray[np.bool_] = ~control & ~np.isin(codes, _SPACES) & ~np.isin(codes, _NOTHING)
    return drawn


def _hidden_words(glyphs: Glyphs, hidden: NDArray[np.int8]) -> dict[int, int]:
    """How many words are not seen, by `Hidden`."""
    return {
        reason: count_words(" ".join(_loose_words(glyphs, hidden == reason)))
        for reason in set(np.unique(hidden).tolist())
        if reason > Hidden.RECOGNISED
    }


def _main_quarter(glyphs: Glyphs, visible: NDArray[np.bool_]) -> int:
    """In how many quarter turns anticlockwise most of the text runs."""
    turns = ((glyphs.angle[visible] + 45) // 90) % 4
    return int(np.bincount(turns, minlength=4).argmax())


def _turn(
    x: NDArray[np.float64], y: NDArray[np.float64], quarter: int, box: Box
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Upright coordinates, y downwards, of points in the page's own."""
    left, bottom, right, top = box
    if quarter == 0:
        return x - left, top - y
    if quarter == 1:
        return y - bottom, x - left
    if quarter == 2:
        return right - x, y - bottom
    return top - y, right - x


def _turn_shape(shape: Shape, quarter: int, box: Box) -> Shape:
    xs, ys = _turn(np.array([shape.x0, shape.x1]), np.array([shape.y0, shape.y1]), quarter, box)
    return Shape(shape.kind, float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))


def _find_letters(
    glyphs: Glyphs,
    visible: NDArray[np.bool_],
    upright: NDArray[np.bool_],
    quarter: int,
    box: Box,
) -> Letters:
    """The letters that are seen on a page that runs in some quarter turns anticlockwise."""
    at = np.flatnonzero(visible & upright)
    has_leftward = directions.has_leftward(glyphs.codes[at])
    if has_leftward:
        is_space = np.isin(glyphs.codes, _SPACES) & ~np.isin(glyphs.codes, _LINE_ENDS)
        at = np.flatnonzero((visible & upright) | is_space)
    corners = glyphs.boxes[at].astype(np.float64)
    xs = np.stack(
        [_turn(corners[:, i], corners[:, j], quarter, box)[0] for i, j in ((0, 1), (2, 3))]
    )
    origins = glyphs.origins[at]
    base = _turn(origins[:, 0], origins[:, 1], quarter, box)[1]
    spaced = np.diff(np.cumsum(~visible)[at], prepend=-1) > 0
    letters = Letters(at, xs.min(axis=0), xs.max(axis=0), base, glyphs.size[at], spaced)
    if not has_leftward:
        return letters
    left, bottom, right, top = box
    width = top - bottom if quarter % 2 else right - left
    return letters.in_reading_order(glyphs, visible, width)


def _as_words(glyphs: Glyphs, letters: Letters, recognised: NDArray[np.bool_]) -> Words:
    if not len(letters):
        return no_words()
    at, x0, x1, base = letters.at, letters.x0, letters.x1, letters.base
    size, spaced = letters.size, letters.spaced
    gap = x0 - np.concatenate(([-1e9], x1[:-1]))
    gap -= letter_spacing(letters, glyphs.objects[at], glyphs.codes[at])
    shift = np.abs(np.diff(base, prepend=-1e9)) > _BASELINE_SHIFT * size
    breaks = spaced | shift | (gap > _WORD_GAP * size) | (gap < -0.7 * size)
    breaks[0] = True
    starts = np.flatnonzero(breaks)
    # Where words change places, pdfium's spaces are not all known, and only the gaps tell.
    glued_gap = _WORD_GAP if letters.has_leftward else _GLUED_GAP
    text = _decoded(glyphs.codes[at])
    ends = np.append(starts[1:], len(at))
    texts = np.empty(len(starts), object)
    texts[:] = [_paired(text[a:b]) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    if letters.has_leftward:
        texts[:] = [directions.plain_letters(text) for text in texts]
    return Words(
        texts,
        np.minimum.reduceat(x0, starts),
        np.maximum.reduceat(x1, starts),
        base[starts],
        np.maximum.reduceat(size, starts),
        np.add.reduceat(glyphs.bold[at].astype(int), starts) * 2 > ends - starts,
        np.add.reduceat(glyphs.mono[at].astype(int), starts) * 2 > ends - starts,
        recognised[at][starts],
        ~spaced[starts] & (np.abs(gap[starts]) < glued_gap * size[starts]),
        np.arange(len(starts)),
    )


def _loose_words(glyphs: Glyphs, wanted: NDArray[np.bool_]) -> list[str]:
    at = np.flatnonzero(wanted)
    pieces = np.split(glyphs.codes[at], np.flatnonzero(np.diff(at) > 1) + 1)
    return [_paired(_decoded(piece)) for piece in pieces if len(piece)]


def _decoded(codes: NDArray[np.uint32]) -> str:
    """Text from code points, one character for each; what is no character becomes U+FFFD."""
    good = np.where(codes < 0x110000, codes, 0xFFFD)
    return good.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _paired(word: str) -> str:
    """A word in which each two surrogates have become one character."""
    if word.isascii() or not any("\ud800" <= char <= "\udfff" for char in word):
        return word
    return word.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _read_shapes(painting: Painting, box: Box) -> list[Shape]:
    objects = painting.objects[:_MOST_OBJECTS]
    shapes = (shape for _, kind, bounds in objects if (shape := _as_shape(kind, bounds, box)))
    return list(islice(shapes, _MOST_SHAPES))


def _as_shape(kind: int, bounds: Box, box: Box) -> Shape | None:
    if kind not in _KINDS:
        return None
    left, bottom, right, top = bounds
    left, right = max(left, box[0]), min(right, box[2])
    bottom, top = max(bottom, box[1]), min(top, box[3])
    if right < left or top < bottom:
        return None
    thin = min(right - left, top - bottom) <= RULE_THICKNESS
    name = "rule" if kind == pdfium.FPDF_PAGEOBJ_PATH and thin else _KINDS[kind]
    return Shape(name, left, bottom, right, top)


_KINDS = {
    pdfium.FPDF_PAGEOBJ_IMAGE: "picture",
    pdfium.FPDF_PAGEOBJ_PATH: "drawing",
    pdfium.FPDF_PAGEOBJ_FORM: "form",
}

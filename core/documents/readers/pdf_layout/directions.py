"""The order in which the letters of Arabic, Hebrew and their relatives are read.

pdfium's own order fails where such letters meet Latin words, numbers and brackets, so only the
places of the letters count here: each line is taken from left to right as it is seen, and set in
the order in which it is read, the reverse of the Unicode bidirectional algorithm (UAX #9). The
letters also get new places: afterwards every line is read from left to right, and a page in such a
script is the mirror image of itself, with its first column and its list marks at the left.

Letters: C characters.
"""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SAME_LINE = 0.3  # of the type size: baselines nearer than this are one line's
_SEGMENT_GAP = 1.0  # of the type size: over wider gaps no words change places
_FIRST = 0x590  # below are no letters that are read leftwards
_CLASSES = {"L": "L", "R": "R", "AL": "A", "EN": "D", "AN": "D", "ET": "T", "CS": "C", "ES": "E"}
# Patterns of the classes of characters as they are seen from left to right, "|" between lines.
# First Latin words in a line that is read leftwards, with a number before them ("3D model").
_LATIN_WORDS = r"(?:D(?:[CE]?D){0,20})?L(?:[^RA|]*[LD]T*)?"
# In Arabic, unlike Hebrew, a hyphen parts two numbers, and a sign is no part of its number.
_FORWARD_IN_HEBREW = re.compile(rf"{_LATIN_WORDS}|(?<!T)T*D(?:[CE]?D)*T*")
_FORWARD_IN_ARABIC = re.compile(rf"{_LATIN_WORDS}|D(?:C?D)*")
_LEFTWARD = re.compile(r"[RA](?:[^L|]*[RA])?")
_PART = re.compile(r"[^|]+")
_TURNED_BRACKET = re.compile(r"^[)\]}](?=\w)|(?<=\w)[(\[{](?=[.,;:!?،؛؟]*$)")
_MIRRORED = str.maketrans("()[]{}", ")(][}{")
_FORMS = {
    code: " ".join(unicodedata.normalize("NFKC", chr(code)).split())
    for code in (*range(0xFB1D, 0xFB50), *range(0xFB50, 0xFE00), *range(0xFE70, 0xFEFD))
    if unicodedata.decomposition(chr(code))
}


@dataclass(frozen=True)
class Placed:
    """Characters in the order in which they are read, at places that run from left to right.

    Args:
        order: [C] their former indices.
        x0: [C] left edges.
        x1: [C] right edges.
        base: [C] baselines.
        is_mirrored: True if the whole page is mirrored.
    """

    order: NDArray[np.int64]
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    base: NDArray[np.float64]
    is_mirrored: bool


def has_leftward(codes: NDArray[np.uint32]) -> bool:
    """True if characters may be read from right to left."""
    if not len(codes) or codes.max() < _FIRST:
        return False
    kinds = np.unique(codes[(codes >= _FIRST) & (codes < 0x110000)])
    return any(unicodedata.bidirectional(chr(code)) in ("R", "AL") for code in kinds.tolist())


def place_letters(
    codes: NDArray[np.uint32],
    x0: NDArray[np.float64],
    x1: NDArray[np.float64],
    base: NDArray[np.float64],
    size: NDArray[np.float64],
    width: float,
) -> Placed:
    """Sets the characters of a page in the order in which they are read.

    Args:
        codes: [C] code points, spaces included.
        x0: [C] left edges.
        x1: [C] right edges.
        base: [C] baselines, y downwards.
        size: [C] type sizes.
        width: Of the page.

    Returns:
        The characters; vowel signs stand where their letter does.
    """
    kinds, which = np.unique(codes, return_inverse=True)
    chars = [chr(code) if code < 0x110000 else "\ufffd" for code in kinds.tolist()]
    classes = np.array([_CLASSES.get(unicodedata.bidirectional(char), "N") for char in chars])
    is_sign = np.array([unicodedata.category(char) == "Mn" for char in chars])[which]
    classes = classes[which]
    x0, x1, base = x0.copy(), x1.copy(), base.copy()
    if is_sign.any() and not is_sign.all():
        letters = np.flatnonzero(~is_sign & np.isin(classes, ("R", "A", "L")))
        signs = np.flatnonzero(is_sign)
        if len(letters):
            at = letters[_nearest(x0, x1, base, size, letters, signs)]
            for values in (x0, x1, base):
                values[signs] = values[at]
            classes[signs] = classes[at]
    text = "".join(classes.tolist())
    return _place(text, _is_mostly_leftward(text), is_sign, x0, x1, base, size, width)


def place_words(
    texts: list[str],
    x0: NDArray[np.float64],
    x1: NDArray[np.float64],
    base: NDArray[np.float64],
    size: NDArray[np.float64],
    width: float,
) -> Placed:
    """The same for whole words, the letters of each in their order already."""
    by_word = [
        "".join(_CLASSES.get(unicodedata.bidirectional(char), "N") for char in text)
        for text in texts
    ]
    classes = "".join(next((each for each in "ARLD" if each in found), "N") for found in by_word)
    is_mirrored = _is_mostly_leftward("".join(by_word))
    no_signs = np.zeros(len(texts), bool)
    return _place(classes, is_mirrored, no_signs, x0, x1, base, size, width)


def _place(
    classes: str,
    is_mirrored: bool,
    is_sign: NDArray[np.bool_],
    x0: NDArray[np.float64],
    x1: NDArray[np.float64],
    base: NDArray[np.float64],
    size: NDArray[np.float64],
    width: float,
) -> Placed:
    seen, part = _parts(x0, x1, base, size)
    starts = np.flatnonzero(np.diff(part, prepend=-1))
    text = "".join(np.insert(np.array([*classes])[seen], starts, "|").tolist())
    at = np.insert(seen, starts, -1)
    forward = _FORWARD_IN_ARABIC if classes.count("A") > classes.count("R") else _FORWARD_IN_HEBREW
    x0, x1 = x0.copy(), x1.copy()
    if is_mirrored:
        x0, x1 = width - x1, width - x0
        _mirror_runs(x0, x1, at, forward, text, 0, len(text))
    else:
        for match in _PART.finditer(text):
            start, end = match.span()
            if _is_set_leftward(match[0]):
                _mirror(x0, x1, at[start:end])
                _mirror_runs(x0, x1, at, forward, text, start, end)
                continue
            for run in _LEFTWARD.finditer(text, start, end):
                _mirror(x0, x1, at[slice(*run.span())])
                _mirror_runs(x0, x1, at, forward, text, *run.span())
    rank = np.zeros(len(seen), np.int64)
    rank[seen] = np.repeat(np.minimum.reduceat(seen, starts), np.diff(starts, append=len(seen)))
    order = np.lexsort((np.arange(len(seen)), is_sign, x0 + x1, rank))
    return Placed(order, x0[order], x1[order], base[order], is_mirrored)


def _is_set_leftward(classes: str) -> bool:
    """True for a part of a line that is read leftwards; not if its full stop is at the right."""
    return _is_mostly_leftward(classes) and not (classes[-1] == "C" and classes[0] in "RA")


def _is_mostly_leftward(classes: str) -> bool:
    return classes.count("R") + classes.count("A") > classes.count("L")


def _mirror_runs(
    x0: NDArray[np.float64],
    x1: NDArray[np.float64],
    at: NDArray[np.int64],
    pattern: re.Pattern[str],
    text: str,
    start: int,
    end: int,
) -> None:
    """Mirrors the characters of each match within their own edges."""
    for match in pattern.finditer(text, start, end):
        if match.end() - match.start() > 1:
            _mirror(x0, x1, at[slice(*match.span())])


def _mirror(x0: NDArray[np.float64], x1: NDArray[np.float64], at: NDArray[np.int64]) -> None:
    edges = x0[at].min() + x1[at].max()
    x0[at], x1[at] = edges - x1[at], edges - x0[at]


def _rows(base: NDArray[np.float64], size: NDArray[np.float64]) -> NDArray[np.int64]:
    """[C] the number of each character's line, from the top."""
    order = np.argsort(base, kind="stable")
    row, rows, anchor = -1, [], -1e9
    pairs = zip(base[order].tolist(), (_SAME_LINE * size[order]).tolist(), strict=True)
    for height, reach in pairs:
        if height - anchor > reach:
            row, anchor = row + 1, height
        rows.append(row)
    result = np.empty(len(order), np.int64)
    result[order] = rows
    return result


def _parts(
    x0: NDArray[np.float64],
    x1: NDArray[np.float64],
    base: NDArray[np.float64],
    size: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """[C] indices as they are seen, line by line from left to right; [C] the parts of lines."""
    row = _rows(base, size)
    order = np.lexsort((x0, row))
    row, shift = row[order], _row_shift(x0, x1)
    ends = np.maximum.accumulate(x1[order] + row * shift)
    gaps = (x0[order] + row * shift)[1:] - ends[:-1]
    begins = (gaps > _SEGMENT_GAP * size[order[1:]]) | (np.diff(row) > 0)
    part = np.concatenate(([0], np.cumsum(begins)))
    return order[np.lexsort(((x0 + x1)[order], part))], part


def _row_shift(x0: NDArray[np.float64], x1: NDArray[np.float64]) -> float:
    """A distance over which no two characters of a line are apart."""
    return 4.0 * float(np.ptp(np.concatenate((x0, x1)))) + 1.0


def _nearest(
    x0: NDArray[np.float64],
    x1: NDArray[np.float64],
    base: NDArray[np.float64],
    size: NDArray[np.float64],
    letters: NDArray[np.int64],
    signs: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The place among the letters of the one that each vowel sign belongs to."""
    row = _rows(base[letters], size[letters])
    heights = np.zeros(row.max() + 1)
    heights[row] = base[letters]
    middle, shift = 0.5 * (x0 + x1), _row_shift(x0, x1)
    keys = middle[letters] + row * shift
    order = np.argsort(keys, kind="stable")
    wanted = middle[signs] + _closest(heights, base[signs]) * shift
    nearest: NDArray[np.int64] = order[_closest(keys[order], wanted)]
    return nearest


def _closest(values: NDArray[np.float64], wanted: NDArray[np.float64]) -> NDArray[np.int64]:
    """Indices of the closest of ascending values."""
    after = np.clip(np.searchsorted(values, wanted), 0, len(values) - 1)
    before = np.maximum(after - 1, 0)
    nearer = np.abs(wanted - values[before]) <= np.abs(values[after] - wanted)
    return np.where(nearer, before, after)


def plain_letters(word: str) -> str:
    """A word of a page with Arabic or Hebrew as it is written elsewhere.

    Args:
        word: Its characters in the order in which they are read.

    Returns:
        The word with letters instead of the forms in which they are joined, and with brackets that
        open before it and close after it.
    """
    turned = _TURNED_BRACKET.sub(lambda match: match[0].translate(_MIRRORED), word)
    return turned if turned.isascii() else turned.translate(_FORMS)

"""Recognised words as the words of a page: upright, without tilt, in points.

Letters: W words.
"""

import re
from dataclasses import replace
from math import atan, cos, sin

import numpy as np
from numpy.typing import NDArray

from core.documents.document import count_words
from core.documents.readers.pdf_layout import directions, scans
from core.documents.readers.pdf_layout import sheet as sheets
from core.documents.readers.pdf_layout.sheet import Sheet, Words
from core.documents.readers.recognition.engine import DOUBTFUL, Recognised
from core.documents.readers.recognition.pictures import Picture

_UNREADABLE = 40.0  # percent of confidence: lines of less are mostly ink that is no text
_RULE = re.compile(r"[|¦_]+")  # a line between columns, or below a word
_ONE_SIZE = 0.2  # of the usual size: lines differ by so much for the letters they happen to hold
_MORE_WORDS = 2.0  # times the words of a page's own text, or that is kept
_PROSE_WORDS = 100  # a misread page of fewer is a drawing with labels
_PROSE_CONFIDENCE = 80.0


def as_sheet(sheet: Sheet, picture: Picture, turn: int, found: Recognised, language: str) -> Sheet:
    """A page with its recognised words.

    Args:
        sheet: The page as it was read.
        picture: The page as it was drawn.
        turn: Quarter turns anticlockwise that set it upright.
        found: Its words.
        language: Tesseract's code of the language.

    Returns:
        The page; as it was, if nothing was recognised that is worth more than its own text.
    """
    found = found.take(np.array([not _RULE.fullmatch(text) for text in found.texts], bool))
    is_word = np.array([count_words(text) > 0 for text in found.texts], bool)
    unreadable = is_word & (found.line_confidence < _UNREADABLE)
    kept = found.take(~unreadable & (is_word | (found.confidence >= DOUBTFUL)))
    if not _is_better(kept, sheet):
        return replace(sheet, tried=True)
    height, width = picture.pixels.shape[:: -1 if turn % 2 else 1]
    return Sheet(
        sheet.page,
        width / picture.scale,
        height / picture.scale,
        _as_words(kept, picture.scale, width / picture.scale),
        tried=True,
        recognised=sheets.Recognised(
            language,
            num_doubtful=int((kept.confidence < DOUBTFUL).sum()),
            num_unreadable=int(unreadable.sum()),
            turn=turn,
            complete=found.complete,
        ),
    )


def _is_better(found: Recognised, sheet: Sheet) -> bool:
    """Whether what was recognised says more than the page's own text."""
    if len(sheet.words) and scans.is_rubble(sheet):
        return len(found) >= _PROSE_WORDS and found.mean_confidence >= _PROSE_CONFIDENCE
    return len(found) > _MORE_WORDS * len(sheet.words)


def _as_words(found: Recognised, scale: float, width: float) -> Words:
    x0, x1, base = (values / scale for values in _without_tilt(found))
    size = _even_sizes(found.size) / scale
    order = np.arange(len(found))
    texts = found.texts.tolist()
    if directions.has_leftward(np.array([ord(char) for char in "".join(texts)], np.uint32)):
        placed = directions.place_words(texts, x0, x1, base, size, width)
        order, x0, x1, base = placed.order, placed.x0, placed.x1, placed.base
    no = np.zeros(len(found), bool)
    return Words(
        found.texts[order],
        x0,
        x1,
        base,
        size[order],
        bold=no,
        mono=no,
        hidden=no,
        glued=no,
        order=np.arange(len(found)),
    )


def _without_tilt(
    found: Recognised,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Left edge, right edge and baseline of each word as if the page had been laid straight."""
    tilt = atan(float(np.median(found.slope)))
    middle = 0.5 * (found.x0 + found.x1)
    along = middle * cos(tilt) + found.base * sin(tilt)
    base = found.base * cos(tilt) - middle * sin(tilt)
    half = 0.5 * (found.x1 - found.x0)
    return along - half, along + half, base


def _even_sizes(size: NDArray[np.float64]) -> NDArray[np.float64]:
    """[W] the sizes, those near the usual one equal to it."""
    usual = np.median(size)
    return np.where(np.abs(size - usual) <= _ONE_SIZE * usual, usual, size)

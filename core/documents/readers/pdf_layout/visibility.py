"""Text of a page that its reader cannot see, by what hides it.

Colour, size, rendering mode, clipping, layers and what is painted over it decide; where one of
them is not certain, the text counts as seen.

Letters: C characters, D of them that are drawn, R runs of them by one text object each.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from core.documents.readers.hidden import (
    LEAST_POINTS,
    NEAR,
    OUTSIDE,
    SAME_COLOUR,
    TOO_SMALL,
    TRANSPARENT,
)
from core.documents.readers.pdf_layout import native
from core.documents.readers.pdf_layout.glyphs import INVISIBLE, Glyphs
from core.documents.readers.pdf_layout.layers import Layers, is_drawn_by_procedures
from core.documents.readers.pdf_layout.painting import Box, PaintedShape, Painting

_CLIPPING = 7  # text rendering mode that paints nothing, as `INVISIBLE`
_FILLED, _STROKED = (0, 2, 4, 6), (1, 2, 5, 6)
_FAINT = 13  # of 255: less opacity is not seen
_WHITE, _OPAQUE = 255, 255
_A5_HEIGHT = 595.0  # points
_SAMPLES = np.array([(0.2, 0.3), (0.2, 0.65), (0.8, 0.3), (0.8, 0.65)])  # in a character's box
_LAYER_SHARE, _OVER_PICTURES = 0.5, 0.8  # of the characters of a recognition layer
_MOST_PAIRS, _FEWEST_SHAPES = 5_000_000, 50  # of shapes and runs; of shapes
_MOST_PIXELS, _FEWEST_PIXELS = 40_000_000, 1_000_000  # of the pictures of a page; of each


class Hidden(IntEnum):
    """The reason why a character is not seen, or why it is read all the same."""

    NOT = 0
    RECOGNISED = 1  # in the picture of a scan
    OUTSIDE = 2
    INVISIBLE = 3
    TRANSPARENT = 4
    TINY = 5
    CLIPPED = 6
    COVERED = 7
    BEHIND_PICTURE = 8
    COLOUR = 9
    LAYER = 10
    OTHER_WORDS = 11
    COPY = 12
    WATERMARK = 13
    STRUCK = 14
    STRUCK_BUT_KEPT = 15


_HIDDEN_TEXT = "hidden text"
REASONS = {
    Hidden.OUTSIDE: (_HIDDEN_TEXT, OUTSIDE),
    Hidden.INVISIBLE: (_HIDDEN_TEXT, "it is drawn invisibly"),
    Hidden.TRANSPARENT: (_HIDDEN_TEXT, TRANSPARENT),
    Hidden.TINY: (_HIDDEN_TEXT, TOO_SMALL),
    Hidden.CLIPPED: (_HIDDEN_TEXT, "it is clipped away"),
    Hidden.COVERED: (_HIDDEN_TEXT, "a shape covers it"),
    Hidden.BEHIND_PICTURE: (_HIDDEN_TEXT, "a picture covers it"),
    Hidden.COLOUR: (_HIDDEN_TEXT, SAME_COLOUR),
    Hidden.LAYER: (_HIDDEN_TEXT, "its layer is switched off"),
    Hidden.OTHER_WORDS: (_HIDDEN_TEXT, "other words are drawn in its place"),
    Hidden.COPY: ("text drawn twice", "it is read once"),
    Hidden.WATERMARK: ("watermarks", "they are drawn across the text"),
    Hidden.STRUCK: ("deleted passages", "the page strikes them out"),
}
"""The text that is left out, and the reason, a clause for each."""


@dataclass(frozen=True)
class _Runs:
    """The drawn characters of a page, by the text objects that draw them.

    Args:
        addresses: Of the text objects.
        order: [R] their places in the painting order; 0 where it is not known.
        run: [D] the run of each character.
        boxes: [D, 4] left, bottom, right and top of each character.
        around: [R, 4] the same of each run.
        modes: [R] text rendering modes.
        colours: [R, 2, 4] of filling and stroke: red, green, blue and opacity, to 255.
        paints: [R, 2] True where filling or stroke is painted and seen.
        over: [shapes, R] True where a shape that is painted later touches a run's box.
        below: [shapes, R] True where one that was painted before does.
        shapes: Those of the page; the largest where there are very many.
        are_all: True if these are all.
        strips: What is too thin to be among them: [S] places in the painting order, and
            [S, 4] left, bottom, right and top.
    """

    addresses: list[int]
    order: NDArray[np.int64]
    run: NDArray[np.int64]
    boxes: NDArray[np.float64]
    around: NDArray[np.float64]
    modes: NDArray[np.int64]
    colours: NDArray[np.int64]
    paints: NDArray[np.bool_]
    over: NDArray[np.bool_]
    below: NDArray[np.bool_]
    shapes: list[PaintedShape]
    are_all: bool
    strips: tuple[NDArray[np.int64], NDArray[np.float64]]

    @property
    def are_painted(self) -> NDArray[np.bool_]:
        """[R] True for runs of which something is painted."""
        painted: NDArray[np.bool_] = np.any(self.paints, axis=1)
        return painted

    def samples(self, at: NDArray[np.int64]) -> NDArray[np.float64]:
        """[at, 4, 2] points within some of the characters."""
        boxes = self.boxes[at]
        start, size = boxes[:, None, :2], boxes[:, 2:] - boxes[:, :2]
        points: NDArray[np.float64] = start + _SAMPLES * size[:, None]
        return points


def find_hidden(
    document: Any,
    page: Any,
    glyphs: Glyphs,
    drawn: NDArray[np.bool_],
    box: Box,
    painting: Painting,
    layers: Layers,
) -> NDArray[np.int8]:
    """Finds the characters of a page that are not seen on it.

    Args:
        document: pdfium's handle of the document.
        page: pdfium's handle of the page; its text may look differently afterwards.
        glyphs: All its characters.
        drawn: [C] True for those that are no white space.
        box: Of the page.
        painting: Its objects.
        layers: Of the document.

    Returns:
        [C] `Hidden`.
    """
    hidden = np.zeros(len(glyphs.codes), np.int8)
    at = np.flatnonzero(drawn & (glyphs.objects > 0))
    if not len(at):
        return hidden
    runs = _read_runs(glyphs, at, painting)
    found = np.zeros(len(at), np.int8)
    shapes = runs.shapes
    is_tiny: NDArray[np.bool_] = (glyphs.seen_size[at] < _least_size(box)) & (
        glyphs.mode[at] != INVISIBLE
    )
    if is_tiny.any():
        is_tiny = is_tiny & (glyphs.seen_size[at] * layers.largest_unit < _least_size(box))
    for reason, which in (
        (Hidden.LAYER, layers.find_switched_off(page, runs.addresses, painting)[runs.run]),
        (Hidden.COLOUR, _has_background_colour(runs, shapes, painting)),
        (Hidden.BEHIND_PICTURE, _is_covered(runs, shapes, _covers)),
        (Hidden.COVERED, _is_covered(runs, shapes, _covers_as_shape)),
        (Hidden.CLIPPED, _is_clipped(runs, painting)),
        (Hidden.TINY, is_tiny),
        (Hidden.TRANSPARENT, ~runs.are_painted[runs.run]),
        (Hidden.INVISIBLE, _is_invisible(runs)[runs.run]),
        (Hidden.OUTSIDE, _is_outside(glyphs.origins[at], box)),
    ):
        found[which] = reason
    if found.any():
        found[_recognition_layer(runs, found, shapes)] = Hidden.RECOGNISED
        behind = found == Hidden.BEHIND_PICTURE
        if behind.any():
            opaque = _opaque(document, page, runs, shapes)
            covered = _is_covered(
                runs,
                shapes,
                lambda shape: (
                    shape.is_certain and (not shape.is_picture or shape.address in opaque)
                ),
            )
            found[behind & ~covered] = Hidden.NOT
        hidden[at] = found
    return hidden


def _covers(shape: PaintedShape) -> bool:
    return shape.is_certain


def _covers_as_shape(shape: PaintedShape) -> bool:
    return shape.is_certain and not shape.is_picture


def _read_runs(glyphs: Glyphs, at: NDArray[np.int64], painting: Painting) -> _Runs:
    objects = glyphs.objects[at]
    firsts = np.flatnonzero(np.diff(objects, prepend=np.uint64(0)))
    addresses = objects[firsts].tolist()
    boxes = glyphs.boxes[at][:, [0, 3, 2, 1]].astype(np.float64)
    low, high = np.minimum.reduceat(boxes, firsts), np.maximum.reduceat(boxes, firsts)
    around = np.hstack((low[:, :2], high[:, 2:]))
    modes = glyphs.mode[at[firsts]]
    paints = np.stack((np.isin(modes, _FILLED), np.isin(modes, _STROKED)), axis=1)
    colours = np.zeros((len(addresses), 2, 4), np.int64)
    colours[:, 0] = native.colours_of(addresses)
    if paints[:, 1].any():
        colours[:, 1] = native.colours_of(addresses, stroke=True)
    order = np.array([painting.order.get(address, 0) for address in addresses])
    shapes = _largest(painting.shapes, max(_FEWEST_SHAPES, _MOST_PAIRS // len(addresses)))
    edges = np.array([shape.box for shape in shapes], np.float32).reshape(-1, 4).T
    left, bottom, right, top = edges[..., None]
    touch = (left < around[:, 2]) & (right > around[:, 0])
    touch &= (bottom < around[:, 3]) & (top > around[:, 1]) & (order > 0)
    later = np.array([shape.order for shape in shapes], np.int64)[:, None] > order
    return _Runs(
        addresses,
        order,
        np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(at))),
        boxes,
        around,
        modes,
        colours,
        (paints | ~paints.any(axis=1, keepdims=True)) & (colours[..., 3] >= _FAINT),
        touch & later,
        touch & ~later,
        shapes,
        len(shapes) == len(painting.shapes),
        (
            np.array([strip.order for strip in painting.strips], np.int64),
            np.array([strip.box for strip in painting.strips], np.float64).reshape(-1, 4),
        ),
    )


def _largest(shapes: list[PaintedShape], most: int) -> list[PaintedShape]:
    """The largest of many shapes, in their order."""
    if len(shapes) <= most:
        return shapes
    boxes = np.array([shape.box for shape in shapes])
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return [shapes[index] for index in np.sort(np.argsort(-areas, kind="stable")[:most])]


def _least_size(box: Box) -> float:
    """Points; on a small page, which is enlarged to be read, less."""
    return LEAST_POINTS * min(1.0, max(box[2] - box[0], box[3] - box[1]) / _A5_HEIGHT)


def _is_outside(origins: NDArray[np.float64], box: Box) -> NDArray[np.bool_]:
    x, y = origins.T
    inside = (x >= box[0] - 2) & (x <= box[2] + 2) & (y >= box[1] - 2) & (y <= box[3] + 2)
    outside: NDArray[np.bool_] = ~inside
    return outside


def _is_invisible(runs: _Runs) -> NDArray[np.bool_]:
    """[R] True for text that is not painted, nor clips what is painted after it."""
    invisible: NDArray[np.bool_] = runs.modes == INVISIBLE
    places, boxes = runs.strips
    clipping = (runs.modes == _CLIPPING) & (runs.order > 0) & ~np.any(runs.over, axis=0)
    for index in np.flatnonzero(clipping).tolist():
        later = places > runs.order[index]
        clipping[index] = runs.are_all and not _touch(boxes[later], runs.around[index]).any()
    unseen: NDArray[np.bool_] = invisible | clipping
    return unseen


def _is_clipped(runs: _Runs, painting: Painting) -> NDArray[np.bool_]:
    """[D] True for characters outside of the path that clips them."""
    clips = np.full((len(runs.addresses), 4), (-np.inf, -np.inf, np.inf, np.inf))
    for index, address in enumerate(runs.addresses):
        if not runs.order[index]:  # its form is not known
            continue
        clip, _ = painting.clip(address, painting.holders.get(address))
        if clip is not None:
            clips[index] = clip
    starts, ends = clips[:, :2] > runs.around[:, :2], clips[:, 2:] < runs.around[:, 2:]
    cut: NDArray[np.bool_] = np.any(starts | ends, axis=1)
    clipped = np.zeros(len(runs.run), bool)
    at = np.flatnonzero(cut[runs.run])
    if len(at):
        edges, samples = clips[runs.run[at], None], runs.samples(at)
        inside = (samples >= edges[..., :2]) & (samples <= edges[..., 2:])
        clipped[at] = ~np.any(np.all(inside, axis=2), axis=1)
    return clipped


def _is_covered(
    runs: _Runs, shapes: list[PaintedShape], covers: Callable[[PaintedShape], bool]
) -> NDArray[np.bool_]:
    """[D] True for characters over which shapes are painted."""
    covered = np.zeros((len(runs.run), len(_SAMPLES)), bool)
    for index in np.flatnonzero(np.any(runs.over, axis=1)).tolist():
        if covers(shapes[index]):
            at = np.flatnonzero(runs.over[index][runs.run])
            covered[at] |= _contains(shapes[index], runs.samples(at))
    everywhere: NDArray[np.bool_] = np.all(covered, axis=1)
    return everywhere


def _contains(shape: PaintedShape, samples: NDArray[np.float64]) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = shape.contains(samples.reshape(-1, 2)).reshape(samples.shape[:2])
    return inside


def _has_background_colour(
    runs: _Runs, shapes: list[PaintedShape], painting: Painting
) -> NDArray[np.bool_]:
    """[D] True for characters that have the colour of the shape or the paper behind them."""
    same = np.zeros(len(runs.run), bool)
    if not runs.are_all or painting.is_cut:
        return same
    suspects = _is_like(runs, np.full(3, _WHITE))
    touching: NDArray[np.bool_] = np.any(runs.below, axis=1)
    below = np.flatnonzero(touching)
    colours = [
        tuple(shapes[index].colour) if _covers_as_shape(shapes[index]) else () for index in below
    ]
    for colour in set(filter(None, colours)):
        of_colour = below[[each == colour for each in colours]]
        touched: NDArray[np.bool_] = np.any(runs.below[of_colour], axis=0)
        suspects |= touched & _is_like(runs, np.array(colour))
    for index in np.flatnonzero(suspects):
        suspects[index] = not is_drawn_by_procedures(runs.addresses[index])
    at = np.flatnonzero(suspects[runs.run])
    if not len(at):
        return same
    run, samples = runs.run[at], runs.samples(at)
    behind = np.full((*samples.shape[:2], 3), float(_WHITE))
    for index in below:
        shape, over = shapes[index], np.flatnonzero(runs.below[index][run])
        if not len(over):
            continue
        inside = np.zeros(behind.shape[:2], bool)
        inside[over] = _contains(shape, samples[over])
        if _covers_as_shape(shape):
            behind[inside] = shape.colour
        elif shape.has_colour:  # of a shape that is mixed with what is below
            inside[inside] = ~(np.abs(behind[inside] - shape.colour) <= NEAR).all(axis=1)
            behind[inside] = np.nan
        else:
            behind[inside] = np.nan
    if painting.is_cut:  # while it was looked at
        return same
    behind[_are_on_strips(runs, run, samples)] = np.nan
    painted, paints = runs.colours[run][:, :, None, :3], runs.paints[run]
    is_like = (np.abs(painted - behind[:, None]) <= NEAR).all(axis=(2, 3))
    same[at] = (is_like | ~paints).all(axis=1) & paints.any(axis=1)
    return same


def _are_on_strips(
    runs: _Runs, run: NDArray[np.int64], samples: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """[at, 4] True for points of characters below which something thin is painted."""
    on = np.zeros(samples.shape[:2], bool)
    places, boxes = runs.strips
    for each in np.unique(run).tolist():
        near = _touch(boxes, runs.around[each]) & (places < runs.order[each])
        at = np.flatnonzero(run == each)
        x, y = samples[at, :, 0], samples[at, :, 1]
        for left, bottom, right, top in boxes[near].tolist():
            on[at] |= (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
    return on


def _touch(boxes: NDArray[np.float64], box: NDArray[np.float64]) -> NDArray[np.bool_]:
    low, high = boxes[:, :2], boxes[:, 2:]
    touching: NDArray[np.bool_] = np.all((low < box[2:]) & (high > box[:2]), axis=1)
    return touching


def _is_like(runs: _Runs, colour: NDArray[np.int64]) -> NDArray[np.bool_]:
    """[R] True for runs that are painted in no other colour than one."""
    near = (np.abs(runs.colours[:, :, :3] - colour) <= NEAR).all(axis=2)
    like: NDArray[np.bool_] = (near | ~runs.paints).all(axis=1) & runs.are_painted
    return like


def _recognition_layer(
    runs: _Runs, found: NDArray[np.int8], shapes: list[PaintedShape]
) -> NDArray[np.bool_]:
    """[D] True for the text that was recognised in the picture of a page, and lies over it."""
    layer = np.isin(found, (Hidden.INVISIBLE, Hidden.TRANSPARENT, Hidden.BEHIND_PICTURE))
    none = np.zeros(len(found), bool)
    if layer.sum() < _LAYER_SHARE * len(found):
        return none
    has_text = bool((found == Hidden.NOT).any())  # else outlines of letters may be drawn
    if not runs.are_all:
        return layer
    over, (x, y) = none.copy(), (0.5 * (runs.boxes[:, :2] + runs.boxes[:, 2:])).T
    for shape in shapes:
        if shape.is_picture or not has_text:
            left, bottom, right, top = shape.box
            over |= (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
    return layer if over[layer].mean() >= _OVER_PICTURES else none


def _opaque(document: Any, page: Any, runs: _Runs, shapes: list[PaintedShape]) -> set[int]:
    """The addresses of the pictures over text through which nothing shows."""
    touching = [shapes[index] for index in np.flatnonzero(np.any(runs.over, axis=1))]
    opaque, left = set(), _MOST_PIXELS
    for shape in touching:
        if shape.is_picture and shape.is_certain and left > 0:
            left -= _count_pixels(shape.address)
            if left > 0 and _is_opaque(document, page, shape.address):
                opaque.add(shape.address)
    return opaque


def _count_pixels(address: int) -> int:
    width, height = ctypes.c_uint(), ctypes.c_uint()
    image = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
    pdfium.FPDFImageObj_GetImagePixelSize(image, width, height)
    return max(_FEWEST_PIXELS, width.value * height.value)


def _is_opaque(document: Any, page: Any, address: int) -> bool:
    image = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
    bitmap = pdfium.FPDFImageObj_GetRenderedBitmap(document, page, image)
    if not bitmap:
        return False
    try:
        if pdfium.FPDFBitmap_GetFormat(bitmap) != pdfium.FPDFBitmap_BGRA:
            return True
        num_bytes = pdfium.FPDFBitmap_GetStride(bitmap) * pdfium.FPDFBitmap_GetHeight(bitmap)
        pixels = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), num_bytes)
        return bool((np.frombuffer(pixels, np.uint8)[3::4] == _OPAQUE).all())
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)

"""The objects of a page in the order in which they are painted, those within forms included.

Letters: N points.
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from core.documents.readers.pdf_layout import native

RULE_THICKNESS = 3.0
"""Points: what is thinner is a rule, and covers no text."""

_MOST_OBJECTS = 100_000  # of a page
MOST_FORMS = 10_000
"""Of a page that are unfolded: each may hold others that hold others."""

_DEEPEST = 20  # forms in forms
_MOST_SEGMENTS = 5_000  # of a path that is looked at closely
_FRAME = range(3, 8)  # points of a path of thin lines that do not lie side by side
_MOST_TESTS = 100_000_000  # of a page: points times edges
_TESTS_A_SEGMENT = 1_000  # as many take as long as reading one
_MOST_CLIPS = 1_000_000  # of a page: objects times the paths that clip them
_OPAQUE = 242  # of 255
_PATTERN = [0xBF, 0xBF, 0xBF]  # what pdfium gives as the colour of a pattern
_BEZIER = np.linspace(0, 1, 9)[1:, None]
_NEARLY_RECTANGULAR = 0.98  # of the area of its box

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass
class _Budget:
    """Counts down what is computed."""

    left: int

    def take(self, amount: int) -> bool:
        """Counts an amount; False where it is more than is left."""
        self.left -= amount
        return self.left >= 0


@dataclass(frozen=True)
class _Holder:
    """A form that holds objects.

    Args:
        matrix: From its coordinates to those of the page, as pdfium has them.
        clip: The part of the page to which it is clipped; None for all of it.
        is_layered: True if it is marked as part of a layer.
        is_transparent: True if it is mixed with what is below it.
    """

    matrix: NDArray[np.float64]
    clip: Box | None
    is_layered: bool
    is_transparent: bool


@dataclass(frozen=True)
class PaintedShape:
    """A filled shape or a picture that is large enough to hide text.

    Args:
        address: Of its object.
        order: Its place in the painting order.
        box: The part of the page that it may paint.
        kind: pdfium's type of its object.
        colour: [3] what it is filled with; not known of pictures.
        is_certain: True if all of its area is painted in that colour, and nothing shows through.
        holder: The form that it is in.
        budget: What may still be computed for the shapes of its page.
    """

    address: int
    order: int
    box: Box
    kind: int
    colour: NDArray[np.int64]
    is_certain: bool
    holder: _Holder | None
    budget: "_Budget"

    @property
    def has_colour(self) -> bool:
        """True if its colour is known, though it may be mixed with what is below."""
        return bool(self.kind == pdfium.FPDF_PAGEOBJ_PATH) and self.colour.tolist() != _PATTERN

    @property
    def is_picture(self) -> bool:
        """True for an image."""
        return bool(self.kind == pdfium.FPDF_PAGEOBJ_IMAGE)

    def contains(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """[N] True for points [N, 2] inside of it; of no path or a very long one, of its box."""
        left, bottom, right, top = self.box
        x, y = points.T
        inside: NDArray[np.bool_] = (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
        if self.kind == pdfium.FPDF_PAGEOBJ_PATH and inside.any():
            if _count_segments(self.address) > _MOST_SEGMENTS:
                return inside
            if not self.budget.take(_TESTS_A_SEGMENT * self._num_segments):
                return np.zeros(len(points), bool)
            edges = self._outline
            if not edges.is_rectangle and (self.is_certain or edges.parts):
                num_edges = sum(map(len, edges.parts))
                if not self.budget.take(int(inside.sum()) * num_edges):
                    return np.zeros(len(points), bool)
                inside[inside] = edges.contain(points[inside])
        return inside

    @property
    def _num_segments(self) -> int:
        """How many are still to be read."""
        if "_outline" in self.__dict__:
            return 0
        return _count_segments(self.address)

    @cached_property
    def _outline(self) -> "_Outline":
        """The edges of a path; none of lines that are not straight."""
        return _read_outline(self.address, self.holder)


@dataclass(frozen=True)
class _Outline:
    """Closed lines [points, 2], and True if they are filled by the rule of even and odd."""

    parts: list[NDArray[np.float64]]
    even_odd: bool

    @cached_property
    def is_rectangle(self) -> bool:
        """True for one rectangle along the page."""
        return len(self.parts) == 1 and _is_rectangular(self.parts[0])

    def contain(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """[N] True for points [N, 2] inside."""
        winding = np.zeros(len(points), np.int64)
        x, y = points[:, :1], points[:, 1:]
        for part in self.parts:
            x0, y0 = part.T
            x1, y1 = np.roll(part, -1, axis=0).T
            rises, falls = (y0 <= y) & (y1 > y), (y0 > y) & (y1 <= y)
            side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)
            winding += (rises & (side > 0)).sum(axis=1) - (falls & (side < 0)).sum(axis=1)
        inside: NDArray[np.bool_] = (winding % 2 != 0) if self.even_odd else winding != 0
        return inside


@dataclass(frozen=True)
class Strip:
    """Something thin that a page paints.

    Args:
        address: Of its object.
        order: Its place in the painting order.
        box: The part of the page that it may paint.
    """

    address: int
    order: int
    box: Box


@dataclass
class Painting:
    """What a page paints.

    Args:
        objects: The page's own objects that are no text: address, type and bounds.
        order: The place of each text object in the painting order, by its address.
        holders: The form that a text object is in, by its address.
        shapes: What may hide text, in the painting order.
        strips: Shapes too thin to cover text, though many may be its background.
        num_forms: How many forms were unfolded.
    """

    objects: list[tuple[int, int, Box]] = field(default_factory=list)
    order: dict[int, int] = field(default_factory=dict)
    holders: dict[int, _Holder] = field(default_factory=dict)
    shapes: list[PaintedShape] = field(default_factory=list)
    strips: list[Strip] = field(default_factory=list)
    num_forms: int = 0
    _has_closed_forms: bool = False
    _num_objects: int = 0
    _tests: _Budget = field(default_factory=lambda: _Budget(_MOST_TESTS))
    _clips_left: _Budget = field(default_factory=lambda: _Budget(_MOST_CLIPS))
    _clips: dict[tuple[int, int], tuple[Box, bool]] = field(default_factory=dict)

    @property
    def is_cut(self) -> bool:
        """True if not all of it was looked at, so that there may be more behind text."""
        is_full = self._num_objects >= _MOST_OBJECTS
        return is_full or self._has_closed_forms or self._tests.left < 0

    @classmethod
    def read(cls, page: Any) -> "Painting":
        """The painting of a loaded page."""
        painting = cls()
        painting._walk(native.address_of(page), None, 0)
        return painting

    def _walk(self, container: int, holder: _Holder | None, depth: int) -> None:
        left = _MOST_OBJECTS - self._num_objects
        for address in native.objects_on(container, left, is_form=depth > 0):
            if self._num_objects >= _MOST_OBJECTS:
                return
            self._num_objects += 1
            kind = native.type_of_object(address)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self.order[address] = self._num_objects
                if holder is not None:
                    self.holders[address] = holder
                continue
            bounds = native.bounds_of(address)
            if bounds is None:
                continue
            if not depth:
                self.objects.append((address, kind, bounds))
            if kind != pdfium.FPDF_PAGEOBJ_FORM:
                self._add_shape(address, kind, bounds, holder)
            elif depth < _DEEPEST and self.num_forms < MOST_FORMS:
                self.num_forms += 1
                self._walk(address, self._form(address, holder), depth + 1)
            else:
                self._has_closed_forms = True

    def _form(self, address: int, outer: _Holder | None) -> _Holder:
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFPageObj_GetMatrix(_handle(address), matrix)
        clip, _ = self.clip(address, outer)
        is_layered = native.is_layered(address) or bool(outer and outer.is_layered)
        is_transparent = bool(pdfium.FPDFPageObj_HasTransparency(_handle(address)))
        is_transparent |= outer is not None and outer.is_transparent
        return _Holder(_combined(matrix, outer), clip, is_layered, is_transparent)

    def clip(self, address: int, holder: _Holder | None) -> tuple[Box | None, bool]:
        """The part of the page to which an object is clipped, None for all; True if it is a
        rectangle."""
        clip, certain = (holder.clip if holder else None), True
        if not self._clips_left.take(native.count_clips(address)):
            return clip, False
        for key, handle, place in native.clips_of(address):
            if not key:
                continue
            known = self._clips.get((key, id(holder)))
            if known is None:
                points = _moved(native.clip_points(handle, place).astype(np.float64), holder)
                known = self._clips[key, id(holder)] = (_box_of(points), _is_rectangular(points))
            clip = _common(clip, known[0])
            certain = certain and known[1]
        return clip, certain

    def _add_shape(self, address: int, kind: int, bounds: Box, holder: _Holder | None) -> None:
        if holder is not None:
            left, bottom, right, top = bounds
            corners = np.array([(x, y) for x in (left, right) for y in (bottom, top)])
            bounds = _box_of(_moved(corners, holder))
        is_picture, order = kind == pdfium.FPDF_PAGEOBJ_IMAGE, self._num_objects
        if _is_thin(bounds) and not is_picture:
            self.strips.append(Strip(address, order, bounds))
            return
        colour, is_certain = np.zeros(3, np.int64), False
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            paint = _paint(address)
            if paint is None:
                if _count_segments(address) not in _FRAME:
                    self.strips.append(Strip(address, order, bounds))
                return
            colour, is_certain = paint
        elif not is_picture and kind != pdfium.FPDF_PAGEOBJ_SHADING:
            return
        clip, is_rectangle = self.clip(address, holder)
        box = _common(clip, bounds)
        if min(box[2] - box[0], box[3] - box[1]) <= 0:
            return
        is_layered = native.is_layered(address) or bool(holder and holder.is_layered)
        is_certain = (
            (is_certain or (is_picture and _is_upright(address, holder)))
            and is_rectangle
            and not (_is_thin(box) or is_layered or (holder and holder.is_transparent))
            and not pdfium.FPDFPageObj_HasTransparency(_handle(address))
        )
        self.shapes.append(
            PaintedShape(address, order, box, kind, colour, is_certain, holder, self._tests)
        )


def _handle(address: int) -> Any:
    return ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)


def _count_segments(path: int) -> int:
    return int(pdfium.FPDFPath_CountSegments(_handle(path)))


def _is_upright(address: int, holder: _Holder | None) -> bool:
    """True for a picture whose sides run along the page, so that it is as large as its box."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(_handle(address), matrix)
    sides = np.abs(_combined(matrix, holder)[:2])
    is_small = sides <= 0.01 * sides.max()
    return bool(is_small.diagonal().all() or np.fliplr(is_small).diagonal().all())


def _paint(address: int) -> tuple[NDArray[np.int64], bool] | None:
    """The colour of a path, and True if it is all of one opaque colour; None if it is not filled.

    A wide line is as a filled shape.
    """
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(_handle(address), mode, stroke)
    is_line = not mode.value
    if is_line:
        width = ctypes.c_float()
        pdfium.FPDFPageObj_GetStrokeWidth(_handle(address), width)
        if not stroke.value or width.value <= RULE_THICKNESS:
            return None
    red, green, blue, opacity = native.colours_of([address], stroke=is_line)[0].tolist()
    colour = [red, green, blue]
    is_certain = opacity >= _OPAQUE and colour != _PATTERN
    is_certain = is_certain and _count_segments(address) <= _MOST_SEGMENTS
    if is_line:
        is_straight = pdfium.FPDFPath_CountSegments(_handle(address)) == 2
        is_certain = (
            is_certain and is_straight and pdfium.FPDFPageObj_GetDashCount(_handle(address)) <= 0
        )
    return np.array(colour, np.int64), is_certain


def _read_outline(address: int, holder: _Holder | None) -> _Outline:
    handle, mode, stroke = _handle(address), ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(handle, mode, stroke)
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(handle, matrix)
    parts = [np.array(part) for part in _subpaths(handle)]
    if not mode.value:
        width = ctypes.c_float()
        pdfium.FPDFPageObj_GetStrokeWidth(handle, width)
        parts = [_stroked(part, width.value) for part in parts if len(part) == 2]
    to_page = _combined(matrix, holder)
    closed = [_apply(to_page, part) for part in parts if len(part) > 2]
    return _Outline(closed, mode.value == pdfium.FPDF_FILLMODE_ALTERNATE)


def _stroked(line: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """[4, 2] the edges of a straight line [2, 2]."""
    x, y = line[1] - line[0]
    across = np.array((-y, x)) * 0.5 * width / max(1e-9, float(np.hypot(x, y)))
    return np.array((line[0] + across, line[1] + across, line[1] - across, line[0] - across))


def _subpaths(path: Any) -> Iterator[list[tuple[float, float]]]:
    """The lines of a path; its curves as short straight ones."""
    part: list[tuple[float, float]] = []
    controls: list[tuple[float, float]] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(min(pdfium.FPDFPath_CountSegments(path), _MOST_SEGMENTS)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        point, kind = (x.value, y.value), pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            yield part
            part = [point]
        elif kind == pdfium.FPDF_SEGMENT_BEZIERTO and part:
            controls.append(point)
            if len(controls) == 3:
                a, b, c, d = (np.array(each) for each in (part[-1], *controls))
                t, u = _BEZIER, 1 - _BEZIER
                curve = u**3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t**3 * d
                part += [(float(px), float(py)) for px, py in curve]
                controls = []
        else:
            part.append(point)
    yield part


def _combined(matrix: Any, outer: _Holder | None) -> NDArray[np.float64]:
    """[3, 2] a matrix of pdfium, followed by that of what holds it."""
    own = np.array([(matrix.a, matrix.b), (matrix.c, matrix.d), (matrix.e, matrix.f)], np.float64)
    if outer is None:
        return own
    return np.vstack((own[:2] @ outer.matrix[:2], _apply(outer.matrix, own[2:])))


def _apply(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    moved: NDArray[np.float64] = points @ matrix[:2] + matrix[2]
    return moved


def _moved(points: NDArray[np.float64], holder: _Holder | None) -> NDArray[np.float64]:
    return points if holder is None else _apply(holder.matrix, points)


def _box_of(points: NDArray[np.float64]) -> Box:
    if not len(points):
        return 0.0, 0.0, 0.0, 0.0
    (left, bottom), (right, top) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return left, bottom, right, top


def _is_rectangular(points: NDArray[np.float64]) -> bool:
    left, bottom, right, top = _box_of(points)
    x, y = points.T
    area = 0.5 * abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))
    return area >= _NEARLY_RECTANGULAR * (right - left) * (top - bottom)


def _common(one: Box | None, other: Box) -> Box:
    if one is None:
        return other
    return (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )


def _is_thin(box: Box) -> bool:
    return min(box[2] - box[0], box[3] - box[1]) <= RULE_THICKNESS

"""Shapes of a slide: what they inherit from its layout, and in which order they are read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from operator import attrgetter
from typing import Any, NamedTuple

from core.documents.readers.pptx_text import A

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
TITLES = ("title", "ctrTitle")
FURNITURE = ("dt", "ftr", "sldNum", "hdr", "sldImg")
_SHAPES = tuple(f"{P}{name}" for name in ("sp", "pic", "graphicFrame", "grpSp", "contentPart"))
_PROPERTIES = tuple(f"{P}{name}" for name in ("spPr", "xfrm", "grpSpPr"))
_FRAME, _PLACE, _OFFSET, _SIZE = f"{P}xfrm", f"{A}xfrm", f"{A}off", f"{A}ext"
_STYLE = f"{P}txBody/{A}lstStyle"
_INHERITED = {"ctrTitle": "title", "subTitle": "body", "obj": "body", "": "body"}
_SAME_COLUMN = 0.04  # of the slide's width: by how much the edges of one stack may differ
_SAME_ROW = 0.5  # of the higher of two shapes: how much of it must lie beside the other
_OVERLAP = 0.1  # of a shape's side: by so much frames overlap whose text does not
_MOST_CUTS = 50


@dataclass(frozen=True)
class Box:
    """Where a shape lies, in the units of the slide or its group."""

    left: int = 0
    top: int = 0
    width: int = 0
    height: int = 0

    @property
    def bottom(self) -> int:
        """The lower edge."""
        return self.top + self.height


@dataclass(frozen=True)
class Shape:
    """A shape that is read.

    Args:
        element: Its element.
        box: Where it lies.
        place: What placeholder it fills: "title", "body", "ftr"; empty for none.
        styles: Its list styles that are not empty, its own first.
    """

    element: Any
    box: Box
    place: str
    styles: tuple[Any, ...]


class Model:
    """A layout or master: what the placeholders of slides take after.

    Args:
        root: Its root element; None for none.
    """

    def __init__(self, root: Any = None) -> None:
        self.root = root

    def placeholder(self, mark: Any, *, by_type: bool = False) -> Any:
        """The placeholder that one of a slide takes after.

        Args:
            mark: The mark of the slide's; None for none.
            by_type: Whether it is told by its type alone, as on a master.

        Returns:
            Its element, or None.
        """
        if mark is None:
            return None
        wanted, index = str(mark.get("type") or ""), mark.get("idx")
        if by_type:
            return self._placeholders.get(("master", _INHERITED.get(wanted, wanted)))
        return self._placeholders.get(("index", index) if index else ("type", wanted))

    @cached_property
    def _placeholders(self) -> dict[tuple[str, str], Any]:
        """The first placeholder of each index, type, and type as on a master."""
        found: dict[tuple[str, str], Any] = {}
        for element in () if self.root is None else self.root.iter(f"{P}sp"):
            own = next(element.iter(f"{P}ph"), None)
            if own is not None:
                kind = str(own.get("type") or "")
                found.setdefault(("index", str(own.get("idx"))), element)
                found.setdefault(("type", kind), element)
                found.setdefault(("master", _INHERITED.get(kind, kind)), element)
        return found


def shapes_of(tree: Any, layout: Model, master: Model) -> Iterator[Shape]:
    """The shapes directly in a slide or group.

    Args:
        tree: The slide's shape tree, or a group.
        layout: The slide's layout.
        master: Its master.

    Yields:
        Shapes as they stand in the file.
    """
    for element in _unwrapped(tree):
        mark = next(element.iter(f"{P}ph"), None) if element.tag != f"{P}grpSp" else None
        models = [
            m
            for m in (layout.placeholder(mark), master.placeholder(mark, by_type=True))
            if m is not None
        ]
        place = str(mark.get("type") or "body") if mark is not None else ""
        elements = (element, *models)
        box = next((box for e in elements if (box := _box(e)) is not None), Box())
        styles = [e.find(_STYLE) for e in elements]
        if mark is not None and place not in TITLES and master.root is not None:
            styles.append(master.root.find(f"{P}txStyles/{P}bodyStyle"))
        # Most shapes have an empty style of their own.
        yield Shape(element, box, place, tuple(s for s in styles if s is not None and len(s)))


def in_reading_order(shapes: list[Shape], slide_width: int) -> list[Shape]:
    """Shapes as a person reads them: titles, then from top to bottom and from left to right.

    Shapes of one column that follow each other in the file, such as a heading and the text below
    it, stay together.

    Args:
        shapes: Shapes as they stand in the file.
        slide_width: Width of the slide in the units of their boxes.

    Returns:
        The same shapes.
    """
    titles = [shape for shape in shapes if shape.place in TITLES]
    stacks: list[list[Shape]] = []
    for shape in shapes:
        if shape.place in TITLES:
            continue
        if stacks and _is_below(shape.box, stacks[-1][-1].box, _SAME_COLUMN * slide_width):
            stacks[-1].append(shape)
        else:
            stacks.append([shape])
    ordered = _ordered([_Stack(stack, _across(stack), _down(stack)) for stack in stacks])
    return [*titles, *(shape for stack in ordered for shape in stack.shapes)]


def _is_below(box: Box, above: Box, most: float) -> bool:
    aligned = abs(box.left - above.left) <= most and abs(box.width - above.width) <= most
    return aligned and above.bottom - above.height / 4 <= box.top <= above.bottom + 2 * most


class _Stack(NamedTuple):
    """Shapes below each other.

    Args:
        shapes: Them.
        across: Where they begin and end from top to bottom.
        down: Where they begin and end from left to right.
    """

    shapes: list[Shape]
    across: tuple[int, int]
    down: tuple[int, int]


def _ordered(stacks: list[_Stack], depth: int = 0) -> list[_Stack]:
    """Stacks in reading order, by cutting the slide where nothing stands, across and then down."""
    if len(stacks) < 2 or depth == _MOST_CUTS:
        return stacks
    for side in (attrgetter("across"), attrgetter("down")):
        parts = _cut(stacks, side)
        if len(parts) > 1:
            return [stack for part in parts for stack in _ordered(part, depth + 1)]
    rows: list[list[_Stack]] = []
    for stack in sorted(stacks, key=attrgetter("across")):
        if rows and _are_beside(rows[-1][0].across, stack.across):
            rows[-1].append(stack)
        else:
            rows.append([stack])
    return [stack for row in rows for stack in sorted(row, key=attrgetter("down"))]


def _across(stack: list[Shape]) -> tuple[int, int]:
    return stack[0].box.top, max(shape.box.bottom for shape in stack)


def _down(stack: list[Shape]) -> tuple[int, int]:
    return min(s.box.left for s in stack), max(s.box.left + s.box.width for s in stack)


def _cut(stacks: list[_Stack], side: Callable[[_Stack], tuple[int, int]]) -> list[list[_Stack]]:
    """Stacks parted where there is a gap between them; frames may overlap a little."""
    parts: list[list[_Stack]] = []
    reached = -inf
    for stack in sorted(stacks, key=side):
        start, end = side(stack)
        slack = _OVERLAP * (end - start)
        if start + slack < reached:
            parts[-1].append(stack)
        else:
            parts.append([stack])
        reached = max(reached, end - slack)
    return parts


def _are_beside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    common = min(one[1], other[1]) - max(one[0], other[0])
    return common >= 0 and common >= _SAME_ROW * max(one[1] - one[0], other[1] - other[0])


def _unwrapped(tree: Any) -> Iterator[Any]:
    """The shapes of a tree; of alternatives for old and new programs the new one's."""
    for element in tree:
        if element.tag in _SHAPES:
            yield element
        elif element.tag == f"{MC}AlternateContent":
            chosen = element.find(f"{MC}Choice")
            chosen = element.find(f"{MC}Fallback") if chosen is None else chosen
            yield from () if chosen is None else _unwrapped(chosen)


def _box(element: Any) -> Box | None:
    for properties in element.iterchildren(*_PROPERTIES):
        frames = (properties,) if properties.tag == _FRAME else properties.iterchildren(_PLACE)
        corners = {each.tag: each for frame in frames for each in frame}
        offset, size = corners.get(_OFFSET), corners.get(_SIZE)
        if offset is not None:
            sides = (0, 0) if size is None else (_number(size, "cx"), _number(size, "cy"))
            return Box(_number(offset, "x"), _number(offset, "y"), *sides)
    return None


def _number(element: Any, attribute: str) -> int:
    try:
        return int(str(element.get(attribute) or "0")[:20])
    except ValueError:
        return 0

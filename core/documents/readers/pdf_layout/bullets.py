"""Bullets that are small pictures before the lines of a list."""

from dataclasses import replace

from core.documents.readers.pdf_layout.lines import Line
from core.documents.readers.pdf_layout.sheet import Shape

_LARGEST = 1.6  # in type sizes, both ways
_FARTHEST = 3.0  # in type sizes, from its line
_FEWEST = 2  # of a list


def with_bullets(lines: list[Line], shapes: tuple[Shape, ...]) -> list[Line]:
    """The lines of a column, a bullet written before those that have one as a picture.

    Args:
        lines: From top to bottom.
        shapes: All shapes of the page.

    Returns:
        As many lines; where only one would have a bullet, none has.
    """
    pictures = [shape for shape in shapes if shape.kind == "picture"]
    marked = {
        index: bullet
        for index, line in enumerate(lines)
        if (bullet := next((each for each in pictures if _is_bullet(each, line)), None))
    }
    if len(marked) < _FEWEST:
        return lines
    return [
        _with_bullet(line, marked[index]) if index in marked else line
        for index, line in enumerate(lines)
    ]


def _is_bullet(picture: Shape, line: Line) -> bool:
    largest = _LARGEST * line.size
    small = picture.x1 - picture.x0 < largest and picture.y1 - picture.y0 < largest
    middle = 0.5 * (picture.y0 + picture.y1)
    beside = line.base - 0.9 * line.size < middle < line.base + 0.2 * line.size
    return small and beside and 0 <= line.x0 - picture.x1 < _FARTHEST * line.size


def _with_bullet(line: Line, bullet: Shape) -> Line:
    (_, right, text), *others = line.cells
    cells = ((bullet.x0, right, f"• {text}"), *others)
    return replace(line, text=f"• {line.text}", x0=bullet.x0, cells=cells)

"""Words inside drawings and pictures: axes, legends, reference signs."""

from collections.abc import Iterable
from math import inf
from statistics import fmean, pstdev

from core.documents.readers.pdf_layout.lines import Line
from core.documents.readers.pdf_layout.sheet import Shape, Sheet

_MOST_WORDS = 5  # of a label
_RUNNING_SHARE = 0.4  # of the words in a drawing: with more of them in long lines it is no figure
_SMALLEST = 40.0  # points, both ways: what is smaller is no figure
_LARGEST_SHARE = 0.85  # of the page: what is larger is a background
_FEWEST_STROKES = 8
_REACH = 12.0  # points between strokes of one drawing
_FEWEST_BARS = 3  # filled shapes, among strokes and ruled lines
_UNLIKE = 0.15  # of their mean: how much bars differ in width or height; rows of tables do not
_LABEL_REACH = 1.6  # in type sizes: how far round a chart its labels stand

PAGE_OF_CHARTS = 0.3
"""Share of a page's words that label its figures, from which on it is a page of charts."""


def figure_labels(columns: list[list[Line]], figures: list[Shape]) -> list[set[int]]:
    """Which short lines of a page lie within figures or label them from outside.

    On a page of charts all short lines in their type are labels.

    Args:
        columns: The lines of each column.
        figures: Where the figures of the page are.

    Returns:
        Their indices in each column.
    """
    figures = [figure for figure in figures if not _holds_text(figure, columns)]
    if not figures:
        return [set() for _ in columns]
    inside = [_labels_in(lines, figures) for lines in columns]
    sizes = {
        round(line.size, 1)
        for lines, found in zip(columns, inside, strict=True)
        for index, line in enumerate(lines)
        if index in found or _is_axis_number(line, figures)
    }
    words = sum(_num_words(lines, range(len(lines))) for lines in columns)
    labels = sum(map(_num_words, columns, inside))
    reach = _LABEL_REACH if labels < PAGE_OF_CHARTS * words else inf
    return [
        found | _labels_beside(lines, figures, sizes, reach)
        for lines, found in zip(columns, inside, strict=True)
    ]


def _labels_in(lines: list[Line], figures: list[Shape]) -> set[int]:
    return {i for i, line in enumerate(lines) if _is_label(line) and _lies_in(line, figures, 0.0)}


def _holds_text(figure: Shape, columns: list[list[Line]]) -> bool:
    """Whether lines of running text stand in a drawing: a frame, or strokes under words."""
    lines = [line for column in columns for line in column if _lies_in(line, [figure], 0.0)]
    words = [len(line.text.split()) for line in lines]
    running = sum(count for line, count in zip(lines, words, strict=True) if _is_running(line))
    return running > _RUNNING_SHARE * sum(words)


def _is_running(line: Line) -> bool:
    return len(line.text.split()) > _MOST_WORDS * len(line.cells)


def _labels_beside(
    lines: list[Line], figures: list[Shape], sizes: set[float], reach: float
) -> set[int]:
    """Lines within reach, in type sizes, that are set as labels are."""
    return {
        index
        for index, line in enumerate(lines)
        if round(line.size, 1) in sizes
        and _is_label(line)
        and _lies_in(line, figures, reach * line.size)
    }


def _is_axis_number(line: Line, figures: list[Shape]) -> bool:
    near = _lies_in(line, figures, _LABEL_REACH * line.size)
    return near and not any(map(str.isalpha, line.text))


def _num_words(lines: list[Line], which: Iterable[int]) -> int:
    return sum(len(lines[index].text.split()) for index in which)


def figures_of(sheet: Sheet) -> list[Shape]:
    """Where pictures and drawings of some size are, near strokes taken together."""
    figures = [shape for shape in sheet.shapes if shape.kind in ("picture", "form")]
    page = sheet.width * sheet.height
    figures = [figure for figure in figures if figure.area < _LARGEST_SHARE * page]
    strokes = [
        shape
        for shape in sheet.shapes
        if shape.kind in ("drawing", "rule") and shape.area < _LARGEST_SHARE * page
    ]
    figures += [_around(cluster) for cluster in _clusters(strokes) if _is_figure(cluster)]
    return [
        figure
        for figure in figures
        if figure.x1 - figure.x0 > _SMALLEST and figure.y1 - figure.y0 > _SMALLEST
    ]


def _clusters(strokes: list[Shape]) -> list[list[Shape]]:
    """Strokes that lie near each other."""
    done: list[tuple[Shape, list[Shape]]] = []
    growing: list[tuple[Shape, list[Shape]]] = []
    for stroke in sorted(strokes, key=lambda shape: shape.y0):
        done += [each for each in growing if each[0].y1 < stroke.y0 - _REACH]
        growing = [each for each in growing if each[0].y1 >= stroke.y0 - _REACH]
        near = [each for each in growing if _touches(each[0], stroke)]
        growing = [each for each in growing if not _touches(each[0], stroke)]
        box, members = _around([stroke, *(each[0] for each in near)]), [stroke]
        for _, others in sorted(near, key=lambda each: -len(each[1])):
            members, others = (others, members) if len(others) > len(members) else (members, others)
            members.extend(others)
        growing.append((box, members))
    return [members for _, members in (*done, *growing)]


def _is_figure(cluster: list[Shape]) -> bool:
    """Whether strokes make a drawing: many of them, or bars among ruled lines."""
    drawings = [shape for shape in cluster if shape.kind == "drawing"]
    if len(drawings) >= _FEWEST_STROKES:
        return True
    if len(cluster) < _FEWEST_STROKES or len(drawings) < _FEWEST_BARS:
        return False
    widths = [shape.x1 - shape.x0 for shape in drawings]
    heights = [shape.y1 - shape.y0 for shape in drawings]
    return any(_UNLIKE * fmean(sizes) < pstdev(sizes) for sizes in (widths, heights))


def _touches(a: Shape, b: Shape) -> bool:
    across = a.x0 - _REACH < b.x1 and b.x0 < a.x1 + _REACH
    return across and a.y0 - _REACH < b.y1 and b.y0 < a.y1 + _REACH


def _around(shapes: list[Shape]) -> Shape:
    return Shape(
        "drawing",
        min(shape.x0 for shape in shapes),
        min(shape.y0 for shape in shapes),
        max(shape.x1 for shape in shapes),
        max(shape.y1 for shape in shapes),
    )


def _lies_in(line: Line, figures: list[Shape], reach: float) -> bool:
    """Whether each cell of a line lies in a figure, or within reach of one."""
    y = line.base - 0.3 * line.size
    beside = [each for each in figures if each.y0 - reach <= y <= each.y1 + reach]
    return all(
        any(each.x0 - reach <= 0.5 * (left + right) <= each.x1 + reach for each in beside)
        for left, right, _ in line.cells
    )


def _is_label(line: Line) -> bool:
    return not _is_running(line) and line.text[-1] not in ".;:"

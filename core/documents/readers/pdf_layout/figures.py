"""Words inside drawings and pictures: axes, legends, reference signs."""

from core.documents.readers.pdf_layout.lines import Line
from core.documents.readers.pdf_layout.sheet import Shape, Sheet

_MOST_WORDS = 5  # of a label
_SMALLEST = 40.0  # points, both ways: what is smaller is no figure
_LARGEST_SHARE = 0.85  # of the page: what is larger is a background
_FEWEST_STROKES = 8
_REACH = 12.0  # points between strokes of one drawing


def figure_labels(lines: list[Line], figures: list[Shape]) -> set[int]:
    """Which short lines of a column lie within figures.

    Args:
        lines: The lines of one column.
        figures: Where the figures of the page are.

    Returns:
        Their indices.
    """
    return {
        index
        for index, line in enumerate(lines)
        if any(_holds(figure, line) for figure in figures) and _is_label(line)
    }


def figures_of(sheet: Sheet) -> list[Shape]:
    """Where pictures and drawings of some size are, near strokes taken together."""
    figures = [shape for shape in sheet.shapes if shape.kind in ("picture", "form")]
    page = sheet.width * sheet.height
    figures = [figure for figure in figures if figure.area < _LARGEST_SHARE * page]
    strokes = [
        shape
        for shape in sheet.shapes
        if shape.kind == "drawing" and shape.area < _LARGEST_SHARE * page
    ]
    figures += [box for box, count in _clusters(strokes) if count >= _FEWEST_STROKES]
    return [
        figure
        for figure in figures
        if figure.x1 - figure.x0 > _SMALLEST and figure.y1 - figure.y0 > _SMALLEST
    ]


def _clusters(strokes: list[Shape]) -> list[tuple[Shape, int]]:
    """Boxes round strokes that lie near each other, and how many each holds."""
    done: list[tuple[Shape, int]] = []
    growing: list[tuple[Shape, int]] = []
    for stroke in sorted(strokes, key=lambda shape: shape.y0):
        done += [each for each in growing if each[0].y1 < stroke.y0 - _REACH]
        growing = [each for each in growing if each[0].y1 >= stroke.y0 - _REACH]
        near = [each for each in growing if _touches(each[0], stroke)]
        growing = [each for each in growing if not _touches(each[0], stroke)]
        box, count = stroke, 1
        for other, other_count in near:
            box, count = _around(box, other), count + other_count
        growing.append((box, count))
    return done + growing


def _touches(a: Shape, b: Shape) -> bool:
    across = a.x0 - _REACH < b.x1 and b.x0 < a.x1 + _REACH
    return across and a.y0 - _REACH < b.y1 and b.y0 < a.y1 + _REACH


def _around(a: Shape, b: Shape) -> Shape:
    return Shape("drawing", min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1))


def _holds(figure: Shape, line: Line) -> bool:
    x, y = 0.5 * (line.x0 + line.x1), line.base - 0.3 * line.size
    return figure.x0 <= x <= figure.x1 and figure.y0 <= y <= figure.y1


def _is_label(line: Line) -> bool:
    words = line.text.split()
    return len(words) <= _MOST_WORDS * len(line.cells) and line.text[-1] not in ".;:"

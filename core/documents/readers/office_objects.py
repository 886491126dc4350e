"""Charts and diagrams (SmartArt) of Word and PowerPoint files, and objects of other programs."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from core.documents.document import Block, Kind
from core.documents.readers.pptx_text import A, paragraphs_of

_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_RELATED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_EQUATION = re.compile(r"equation|mathtype|mathml|axmath", re.IGNORECASE)
_DEEPEST = 6
_MOST_CELLS = 1_000_000  # of a chart's numbers


DRAWN = ("{*}relIds", "{*}chart")
"""Elements that refer to the part of a diagram or chart."""


def drawn_blocks(
    references: Iterable[Any],
    targets: dict[str, tuple[str, str]],
    read_part: Callable[[str], Any],
    known: set[str],
) -> list[Block]:
    """The blocks of the first chart or diagram of a drawing that has text.

    Args:
        references: The elements in the drawing that refer to them (`DRAWN`).
        targets: Kinds and names of the parts that the ids in the drawing's part refer to.
        read_part: Gives the root of a part, None where there is none.
        known: Names of parts that were read, to which it adds: a file may name one often.

    Returns:
        Captions and a table, or list items.
    """
    for element in references:
        key = element.get(f"{_RELATED}dm") or element.get(f"{_RELATED}id")
        kind, part = targets.get(key, ("", ""))
        root = read_part(part) if part not in known else None
        known.add(part)
        read = diagram_blocks if kind == "diagramData" else chart_blocks
        if root is not None and (blocks := list(read(root))):
            return blocks
    return []


def is_equation(program: str) -> bool:
    """True for the name of a program that sets formulas, such as "Equation.DSMT4"."""
    return _EQUATION.search(program) is not None


def chart_blocks(root: Any) -> Iterator[Block]:
    """The titles of a chart as captions, and its numbers as a table.

    Args:
        root: The root element of the chart's part.

    Yields:
        Captions, then a table with a line for each category, if there are any.
    """
    for title in root.iter("{*}title"):
        linked = (point.text or "" for point in title.iter(f"{_CHART}v"))
        if text := paragraphs_of(title) or " ".join(linked).strip():
            yield Block(text, Kind.CAPTION)
    series = list(root.iter(f"{_CHART}ser"))
    names = [" ".join(_points(one, "tx").values()) for one in series]
    categories: dict[int, str] = {}
    values = []
    for one in series:
        categories |= _points(one, "cat") or _points(one, "xVal")
        values.append(_points(one, "val") or _points(one, "yVal"))
    rows = sorted({index for column in (categories, *values) for index in column})
    if len(rows) * (len(series) + 1) > _MOST_CELLS:
        return
    lines = [["", *names]]
    lines += [[categories.get(i, ""), *(column.get(i, "") for column in values)] for i in rows]
    text = "\n".join("\t".join(line).rstrip() for line in lines if any(line))
    if text := text.strip():
        yield Block(text, Kind.TABLE)


def _points(series: Any, name: str) -> dict[int, str]:
    place = series.find(f"{_CHART}{name}")
    points = {}
    for point in () if place is None else place.iter(f"{_CHART}pt"):
        index = str(point.get("idx") or "")
        value = " ".join((point.findtext(f"{_CHART}v") or "").split())
        if index.isascii() and index.isdecimal() and len(index) < 8 and value:
            points[int(index)] = _short(value)
    return points


def _short(value: str) -> str:
    """A number without the tail that binary fractions leave ("4.4000000000000004")."""
    try:
        return f"{float(value):.12g}" if len(value) > 12 else value
    except ValueError:
        return value


def diagram_blocks(root: Any) -> Iterator[Block]:
    """The entries of a diagram as list items, each below the one it belongs to.

    Args:
        root: The root element of the diagram's data part.

    Yields:
        List items.
    """
    texts = {}
    for point in root.iter(f"{_DIAGRAM}pt"):
        body = point.find(f"{_DIAGRAM}t")
        texts[point.get("modelId")] = "" if body is None else paragraphs_of(body).strip()
    below: dict[Any, list[tuple[int, Any]]] = {}
    for link in root.iter(f"{_DIAGRAM}cxn"):
        if link.get("type", "parOf") == "parOf":
            order = link.get("srcOrd", "0")
            place = int(order) if order.isdecimal() and len(order) < 8 else 0
            below.setdefault(link.get("srcId"), []).append((place, link.get("destId")))
    placed = {key for links in below.values() for _, key in links}
    waiting = [(1, key) for key in reversed(list(texts)) if key not in placed]
    while waiting:
        depth, key = waiting.pop()
        text = texts.pop(key, None)  # taken out: a circle of links ends
        if text is None:
            continue
        if text:
            yield Block(text, Kind.LIST_ITEM, min(depth, _DEEPEST))
        links = sorted(below.get(key, []), key=lambda link: link[0], reverse=True)
        waiting += [(depth + bool(text), inner) for _, inner in links]
    for text in filter(None, texts.values()):
        yield Block(text, Kind.LIST_ITEM, 1)


def table_rows(table: Any) -> list[list[list[Block]]]:
    """The cells of a table, each a block at most; those merged into another are empty."""
    return [
        [
            [Block(text)] if (text := paragraphs_of(cell).strip()) else []
            for cell in row.iter(f"{A}tc")
        ]
        for row in table.iter(f"{A}tr")
    ]

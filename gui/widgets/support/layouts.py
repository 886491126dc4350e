"""Rows and columns of widgets, each laid out in one expression.

Parts come in their order. A number is a gap of so many px, `stretch()` takes the room that is left,
and a pair or triple is a part with its stretch factor and alignment::

    column(header, Divider(theme), (row(left, 12, right, stretch()), 1), into=self)
"""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Margins = int | tuple[int, int, int, int]
"""Of all four sides, or of left, top, right and bottom, in px."""


@dataclass(frozen=True)
class Stretch:
    """Room between parts that grows by a factor."""

    factor: int


Item = QWidget | QLayout
Part = Item | int | Stretch | tuple[Item, int] | tuple[Item, int, Qt.AlignmentFlag]


def stretch(factor: int = 1) -> Stretch:
    """Room that grows; with factor 0 only where nothing else does."""
    return Stretch(factor)


def row(
    *parts: Part, into: QWidget | None = None, margins: Margins = 0, spacing: int | None = 0
) -> QHBoxLayout:
    """Lays out parts from left to right.

    Args:
        *parts: Widgets, layouts, gaps in px and `stretch()`.
        into: The widget that holds them; None for a part of another layout.
        margins: Around them, in px.
        spacing: Between them, in px; None for that of the layout around it, or the style's.

    Returns:
        The layout.
    """
    layout = QHBoxLayout() if into is None else QHBoxLayout(into)
    _fill(layout, parts, margins, spacing)
    return layout


def column(
    *parts: Part, into: QWidget | None = None, margins: Margins = 0, spacing: int | None = 0
) -> QVBoxLayout:
    """Lays out parts from top to bottom; the arguments are those of `row`."""
    layout = QVBoxLayout() if into is None else QVBoxLayout(into)
    _fill(layout, parts, margins, spacing)
    return layout


def _fill(
    layout: QBoxLayout, parts: tuple[Part, ...], margins: Margins, spacing: int | None
) -> None:
    left, top, right, bottom = (margins,) * 4 if isinstance(margins, int) else margins
    layout.setContentsMargins(left, top, right, bottom)
    layout.setSpacing(-1 if spacing is None else spacing)
    for part in parts:
        if isinstance(part, int):
            layout.addSpacing(part)
        elif isinstance(part, Stretch):
            layout.addStretch(part.factor)
        elif isinstance(part, tuple):
            align = part[2] if len(part) == 3 else Qt.AlignmentFlag(0)
            _add(layout, part[0], part[1], align)
        else:
            _add(layout, part, 0, Qt.AlignmentFlag(0))


def _add(layout: QBoxLayout, item: Item, factor: int, align: Qt.AlignmentFlag) -> None:
    if isinstance(item, QLayout):
        layout.addLayout(item, factor)
    else:
        layout.addWidget(item, factor, align)

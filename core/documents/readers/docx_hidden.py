"""Text of a Word document that its reader does not see, by its own properties and its styles."""

from collections.abc import Iterator
from typing import Any

from core.documents.readers.docx_looks import (
    NOT_SHOWN,
    SHADING,
    UNKNOWN,
    RunLook,
    W,
    is_on,
    shading_colour,
)
from core.documents.readers.docx_styles import Styles, value_of
from core.documents.readers.hidden import (
    LEAST_POINTS,
    SAME_COLOUR,
    TOO_SMALL,
    WHITE,
    Colour,
    colour_from_hex,
    is_same_colour,
)
from core.documents.readers.numerals import whole_number

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_TWIPS = 20  # of a point
_AROUND = tuple(f"{W}{name}" for name in ("tc", "tr", "tbl", "txbxContent"))


class Visibility:
    """Says which runs of a document are not seen, and why.

    Args:
        styles: Of the document.
        document: The root of its main part.
    """

    def __init__(self, styles: Styles, document: Any) -> None:
        self._styles = styles
        anchors = document.iter(f"{_DRAWING}anchor")
        is_painted = any(anchor.get("behindDoc") in ("1", "true") for anchor in anchors)
        is_painted = is_painted or document.find(f"{W}background") is not None
        self._paper: Colour = UNKNOWN if is_painted else WHITE
        self._paragraph: Any = None  # the last one
        self._properties: dict[str, Any] = {}
        self._behind: Colour | None = None  # the paragraph, once that was asked for
        self._table: Any = None  # the last one, and its own colour
        self._table_colour: Colour | None = None

    def begin_paragraph(self, paragraph: Any, properties: dict[str, Any]) -> None:
        """Begins a paragraph.

        Args:
            paragraph: Its element.
            properties: Its properties by their names.
        """
        self._paragraph, self._properties, self._behind = paragraph, properties, None

    def why_hidden(self, look: RunLook) -> str:
        """Returns the reason why a run of the paragraph is not seen.

        Args:
            look: The appearance of the run.

        Returns:
            A clause; empty for a run that is seen.
        """
        if look.why_hidden or look.colour is None:
            return look.why_hidden
        background = look.background
        if background is None:
            background = self._background()
        return SAME_COLOUR if is_same_colour(look.colour, background) else ""

    def _background(self) -> Colour:
        """The colour behind the paragraph: the nearest one from it outwards."""
        if self._behind is None:
            shadings = (colour for colour in self._shadings() if colour is not None)
            self._behind = next(shadings, self._paper)
        return self._behind

    def _shadings(self) -> Iterator[Colour | None]:
        """The colours behind the paragraph from the nearest outwards; None where there is none."""
        yield shading_colour(self._styles.paragraph_shading(self._properties))
        for outer in self._paragraph.iterancestors(*_AROUND):
            if outer.tag == f"{W}tc":
                yield shading_colour(outer.find(f"{W}tcPr/{SHADING}"))
            elif outer.tag == f"{W}tr":
                yield None if outer.find(f"{W}tblPrEx/{SHADING}") is None else UNKNOWN
            elif outer.tag == f"{W}tbl":
                yield self._colour_of_table(outer)
            else:
                yield _box_colour(outer)

    def _colour_of_table(self, table: Any) -> Colour | None:
        if table is not self._table:
            key = value_of(table, f"tblPr/{W}tblStyle")
            is_shaded = table.find(f"{W}tblPr/{SHADING}") is not None or self._styles.shades(key)
            self._table, self._table_colour = table, UNKNOWN if is_shaded else None
        return self._table_colour


def why_hidden_row(row: Any) -> str:
    """Returns the reason why a table row is not seen; empty for one that is."""
    if is_on(row.find(f"{W}trPr/{W}hidden")):
        return NOT_SHOWN
    height = row.find(f"{W}trPr/{W}trHeight")
    if height is None or height.get(f"{W}hRule") != "exact":
        return ""
    twips = whole_number(height.get(f"{W}val"))
    return TOO_SMALL if twips and twips <= _TWIPS * LEAST_POINTS else ""


def _box_colour(content: Any) -> Colour | None:
    """The colour of a text box; None of one that is not filled."""
    shape = next(content.iterancestors("{*}wsp"), None)
    if shape is None or shape.find("{*}style") is not None:
        return UNKNOWN
    properties = shape.find("{*}spPr")
    if properties is None:
        return UNKNOWN
    fill = next((each for each in properties if each.tag.endswith("Fill")), None)
    if fill is None or fill.tag.endswith("}noFill"):
        return None
    colour = fill.find("{*}srgbClr") if fill.tag.endswith("}solidFill") else None
    return (
        UNKNOWN if colour is None or len(colour) else colour_from_hex(colour.get("val")) or UNKNOWN
    )

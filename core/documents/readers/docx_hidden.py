"""Text of a Word document that its reader does not see, by its own properties and its styles."""

from collections.abc import Iterator
from typing import Any

from core.documents.readers.docx_styles import RunLook, Styles, W, is_on, value_of
from core.documents.readers.hidden import (
    LEAST_POINTS,
    SAME_COLOUR,
    TOO_SMALL,
    TRANSPARENT,
    WHITE,
    Colour,
    colour_from_hex,
    is_same_colour,
)
from core.documents.readers.numerals import whole_number

NOT_SHOWN = "Word does not show it"
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_HALF_POINTS, _TWIPS = 2, 20  # of a point
_UNKNOWN: Colour = ()
_DRAWN_AROUND = tuple(f"{W}{name}" for name in ("outline", "emboss", "imprint", "shadow"))
_EFFECTS = tuple(f"{_W14}{name}" for name in ("textFill", "textOutline", "glow", "shadow"))


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
        self._paper: Colour = _UNKNOWN if is_painted else WHITE
        self._paragraph: Any = None  # the last one, and what is behind it
        self._behind: Colour = self._paper

    def why_hidden(self, look: RunLook, paragraph: Any) -> str:
        """Returns the reason why a run is not seen.

        Args:
            look: The appearance of the run.
            paragraph: The paragraph that it is in.

        Returns:
            A clause; empty for a run that is seen.
        """
        if look.is_hidden:
            return NOT_SHOWN
        size = whole_number(_value(look.properties.get(f"{W}sz")))
        if size is not None and size <= _HALF_POINTS * LEAST_POINTS:
            return TOO_SMALL
        fill = look.properties.get(f"{_W14}textFill")
        if fill is not None and fill.find(f"{_W14}noFill") is not None:
            outline = look.properties.get(f"{_W14}textOutline")
            return TRANSPARENT if outline is None else ""
        colour = _colour(look.properties.get(f"{W}color"))
        if colour is None or _has_effects(look.properties):
            return ""
        background = self._background(look.properties, paragraph)
        return SAME_COLOUR if is_same_colour(colour, background) else ""

    def _background(self, properties: dict[str, Any], paragraph: Any) -> Colour:
        """The colour behind a run: the nearest one from the run outwards."""
        highlight = _value(properties.get(f"{W}highlight"))
        if highlight and highlight != "none":
            return {"white": WHITE, "black": (0, 0, 0)}.get(highlight, _UNKNOWN)
        own = _shading(properties.get(f"{W}shd"))
        if own is not None:
            return own
        if paragraph is not self._paragraph:
            shadings = (colour for colour in self._shadings(paragraph) if colour is not None)
            self._paragraph, self._behind = paragraph, next(shadings, self._paper)
        return self._behind

    def _shadings(self, paragraph: Any) -> Iterator[Colour | None]:
        """The colours behind a paragraph from the nearest outwards; None where there is none."""
        yield _shading(self._styles.paragraph_shading(paragraph.find(f"{W}pPr")))
        for outer in paragraph.iterancestors(
            *(f"{W}{name}" for name in ("tc", "tr", "tbl", "txbxContent"))
        ):
            if outer.tag == f"{W}tc":
                yield _shading(outer.find(f"{W}tcPr/{W}shd"))
            elif outer.tag == f"{W}tr":
                yield None if outer.find(f"{W}tblPrEx/{W}shd") is None else _UNKNOWN
            elif outer.tag == f"{W}tbl":
                key = value_of(outer, f"tblPr/{W}tblStyle")
                is_shaded = outer.find(f"{W}tblPr/{W}shd") is not None
                yield _UNKNOWN if is_shaded or self._styles.shades(key) else None
            else:
                yield _box_colour(outer)


def why_hidden_row(row: Any) -> str:
    """Returns the reason why a table row is not seen; empty for one that is."""
    if is_on(row.find(f"{W}trPr/{W}hidden")):
        return NOT_SHOWN
    height = row.find(f"{W}trPr/{W}trHeight")
    if height is None or height.get(f"{W}hRule") != "exact":
        return ""
    twips = whole_number(height.get(f"{W}val"))
    return TOO_SMALL if twips and twips <= _TWIPS * LEAST_POINTS else ""


def _has_effects(properties: dict[str, Any]) -> bool:
    """True for letters that are seen by more than their colour."""
    effects = (properties[name] for name in _EFFECTS if name in properties)
    return any(is_on(properties.get(name)) for name in _DRAWN_AROUND) or any(
        effect.find(f"{_W14}noFill") is None for effect in effects
    )


def _colour(element: Any) -> Colour | None:
    """The colour of letters; None where it is not known."""
    if element is None:
        return None
    value, theme = colour_from_hex(_value(element)), element.get(f"{W}themeColor")
    if theme is None:
        return value
    is_plain = element.get(f"{W}themeTint") is None and element.get(f"{W}themeShade") is None
    is_white = theme in ("background1", "light1") and is_plain and value in (None, WHITE)
    return WHITE if is_white else None


def _box_colour(content: Any) -> Colour | None:
    """The colour of a text box; None of one that is not filled."""
    shape = next(content.iterancestors("{*}wsp"), None)
    if shape is None or shape.find("{*}style") is not None:
        return _UNKNOWN
    properties = shape.find("{*}spPr")
    if properties is None:
        return _UNKNOWN
    fill = next((each for each in properties if each.tag.endswith("Fill")), None)
    if fill is None or fill.tag.endswith("}noFill"):
        return None
    colour = fill.find("{*}srgbClr") if fill.tag.endswith("}solidFill") else None
    return (
        _UNKNOWN
        if colour is None or len(colour)
        else colour_from_hex(colour.get("val")) or _UNKNOWN
    )


def _value(element: Any) -> str:
    return "" if element is None else str(element.get(f"{W}val") or "")


def _shading(element: Any) -> Colour | None:
    """The colour of a shading; None where there is none."""
    if element is None:
        return None
    pattern = element.get(f"{W}val")
    if pattern in ("clear", "nil", None):
        fill = element.get(f"{W}fill")
        if element.get(f"{W}themeFill") is not None and colour_from_hex(fill) is None:
            return _UNKNOWN
        return colour_from_hex(fill)
    return (
        (colour_from_hex(element.get(f"{W}color")) or _UNKNOWN) if pattern == "solid" else _UNKNOWN
    )

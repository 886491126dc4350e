"""The look of a run of a Word document, from its own properties and those of its styles."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.documents.readers.hidden import (
    LEAST_POINTS,
    TOO_SMALL,
    TRANSPARENT,
    WHITE,
    Colour,
    colour_from_hex,
)
from core.documents.readers.numerals import whole_number

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
VALUE = f"{W}val"
FONTS, SHADING, PARAGRAPH_STYLE = f"{W}rFonts", f"{W}shd", f"{W}pStyle"
_HALF_POINTS = 2  # of a point
UNKNOWN: Colour = ()
"""A colour that is not known."""

NOT_SHOWN = "Word does not show it"
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_BOLD, _SIZE, _COLOUR = f"{W}b", f"{W}sz", f"{W}color"
_HIGHLIGHT = f"{W}highlight"
_FILL, _OUTLINE, _NO_FILL = f"{_W14}textFill", f"{_W14}textOutline", f"{_W14}noFill"
_DRAWN_AROUND = tuple(f"{W}{name}" for name in ("outline", "emboss", "imprint", "shadow"))
_EFFECTS = (_FILL, _OUTLINE, f"{_W14}glow", f"{_W14}shadow")
_HIGHLIGHTS: dict[str, Colour] = {"white": WHITE, "black": (0, 0, 0)}


@dataclass(eq=False)
class RunLook:
    """Look of a run, from itself and its styles; one for all runs with the same.

    Args:
        is_hidden: True if Word does not show it.
        is_struck: True if Word strikes it through.
        properties: The elements that set it, by their names.
        script: Word's name for raised ("superscript") or lowered ("subscript") letters, by the run
            itself or its style; "baseline" or empty for others.
        moved: The distance by which they move it up from its line, in half points, below 0 down.
    """

    is_hidden: bool
    is_struck: bool
    properties: dict[str, Any]
    script: str = ""
    moved: int = 0

    @cached_property
    def is_bold(self) -> bool:
        """True for bold text."""
        return is_on(self.properties.get(_BOLD))

    @cached_property
    def font(self) -> str:
        """The name of its font for Latin letters; empty where the theme says it, or nothing."""
        return latin_font(self.properties.get(FONTS)) or ""

    @cached_property
    def why_hidden(self) -> str:
        """The reason why it is not seen on any background; empty where it is."""
        if self.is_hidden:
            return NOT_SHOWN
        size = whole_number(get_value(self.properties.get(_SIZE)))
        if size is not None and size <= _HALF_POINTS * LEAST_POINTS:
            return TOO_SMALL
        fill = self.properties.get(_FILL)
        is_transparent = fill is not None and fill.find(_NO_FILL) is not None
        return TRANSPARENT if is_transparent and _OUTLINE not in self.properties else ""

    @cached_property
    def colour(self) -> Colour | None:
        """The colour of its letters; None where that is not known, or not all that is seen."""
        effects = [self.properties[name] for name in _EFFECTS if name in self.properties]
        is_drawn = any(is_on(self.properties.get(name)) for name in _DRAWN_AROUND)
        if is_drawn or any(effect.find(_NO_FILL) is None for effect in effects):
            return None
        return _letter_colour(self.properties.get(_COLOUR))

    @cached_property
    def background(self) -> Colour | None:
        """The colour behind it; None where it is that of its paragraph."""
        highlight = get_value(self.properties.get(_HIGHLIGHT))
        if highlight and highlight != "none":
            return _HIGHLIGHTS.get(highlight, UNKNOWN)
        return shading_colour(self.properties.get(SHADING))


def children_by_name(element: Any) -> dict[str, Any]:
    """The elements in another by their names, the first of each name; none where it is None."""
    return {} if element is None else {each.tag: each for each in reversed(element)}


def is_on(element: Any) -> bool:
    """True for a property that is there and not switched off."""
    return element is not None and element.get(VALUE) not in ("0", "false", "off")


def latin_font(fonts: Any) -> str | None:
    """The font of Latin letters; empty for one of the theme, None where none is given."""
    if fonts is None:
        return None
    for name in ("ascii", "hAnsi"):
        if fonts.get(f"{W}{name}Theme") is not None:
            return ""
        if fonts.get(f"{W}{name}") is not None:
            return str(fonts.get(f"{W}{name}"))
    return None


def shading_colour(element: Any) -> Colour | None:
    """The colour of a shading; None where there is none."""
    if element is None:
        return None
    pattern = element.get(VALUE)
    if pattern in ("clear", "nil", None):
        fill = element.get(f"{W}fill")
        if element.get(f"{W}themeFill") is not None and colour_from_hex(fill) is None:
            return UNKNOWN
        return colour_from_hex(fill)
    return (colour_from_hex(element.get(f"{W}color")) or UNKNOWN) if pattern == "solid" else UNKNOWN


def _letter_colour(element: Any) -> Colour | None:
    if element is None:
        return None
    value, theme = colour_from_hex(get_value(element)), element.get(f"{W}themeColor")
    if theme is None:
        return value
    is_plain = element.get(f"{W}themeTint") is None and element.get(f"{W}themeShade") is None
    is_white = theme in ("background1", "light1") and is_plain and value in (None, WHITE)
    return WHITE if is_white else None


def get_value(element: Any) -> str:
    """The `w:val` of an element; empty without one."""
    return "" if element is None else str(element.get(VALUE) or "")

"""Text of an OpenDocument file that its reader does not see, by its colour and size."""

import re
from functools import lru_cache
from typing import Any

from core.documents.readers.hidden import (
    LEAST_POINTS,
    SAME_COLOUR,
    TOO_SMALL,
    TRANSPARENT,
    WHITE,
    colour_from_hex,
    is_same_colour,
)
from core.documents.readers.odt_styles import DRAW, TABLE, TEXT, Look, Styles

_POINTS = re.compile(r"(\d{1,4}(?:\.\d{1,9})?)(pt|px|mm|cm|in)")
_UNITS = {"pt": 1.0, "px": 0.75, "mm": 2.83, "cm": 28.3, "in": 72.0}
_NONE = ("", "transparent")
_FAINT = re.compile(r"[0-4](?:\.\d*)?%")


def why_hidden(look: Look, paragraph: Any, styles: Styles) -> str:
    """Why a piece of text is not seen.

    Args:
        look: How it looks.
        paragraph: The paragraph that it is in.
        styles: Of the document.

    Returns:
        A clause; empty for text that is seen.
    """
    why = _why_hidden_anywhere(look)
    if why is None:
        return SAME_COLOUR if _is_on_white(paragraph, styles) else ""
    return why


@lru_cache(1024)
def _why_hidden_anywhere(look: Look) -> str | None:
    """The reason why text is not seen, empty if it is; None if what is behind it decides."""
    size = _POINTS.fullmatch(look.size)
    if size and float(size[1]) * _UNITS[size[2]] <= LEAST_POINTS:
        return TOO_SMALL
    if _FAINT.fullmatch(look.opacity):
        return TRANSPARENT
    colour = colour_from_hex(look.colour)
    if colour is None:
        return ""
    if look.background not in _NONE:
        return SAME_COLOUR if is_same_colour(colour, colour_from_hex(look.background)) else ""
    return None if is_same_colour(colour, WHITE) else ""


def _is_on_white(paragraph: Any, styles: Styles) -> bool:
    for outer in paragraph.iterancestors():
        if not isinstance(outer.tag, str):
            continue
        if outer.tag.startswith(DRAW):
            return False  # a box or a shape of any colour
        if outer.tag.startswith(TABLE) or outer.tag == f"{TEXT}section":
            space = TABLE if outer.tag.startswith(TABLE) else TEXT
            family = outer.tag.removeprefix(space)
            name = outer.get(f"{space}style-name", "")
            background = styles.background_of(family, name)
            if background not in _NONE:
                return is_same_colour(colour_from_hex(background), WHITE)
    return styles.is_paper_white

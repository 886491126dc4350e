"""Text of an RTF file that its reader does not see, by its colour and size."""

import re
from functools import cached_property
from typing import NamedTuple

from core.documents.readers.hidden import (
    LEAST_POINTS,
    SAME_COLOUR,
    TOO_SMALL,
    WHITE,
    Colour,
    is_same_colour,
)
from core.documents.readers.rtf_flow import Format

NOT_SHOWN = "Word does not show it"
LOOKS = {
    "cf": "colour",
    "fs": "half_points",
    "cb": "background",
    "chcbpat": "background",
    "highlight": "background",
    "cbpat": "shading",
}
"""Control words, and the field of `Look` that each sets."""

_COLOURS = re.compile(r"\{\\colortbl([^{}]{0,100000})\}")
_PAINTED = re.compile(
    r"\\(?:(?:shading|chshdng|trshdng|cfpat|chcfpat|trcfpat|trcbpat)[1-9]"
    r"|(?:ch|tr)?bg(?:dk)?(?:horiz|vert|fdiag|bdiag|cross|dcross)"
    r"|(?:background|shp|do|outl|embo|impr|shad)(?![a-z0-9]))"
)  # more than one colour behind letters, or around them
_SHADED_CELLS = re.compile(r"\\cl(?:(?:cbpat|cfpat|shdng)(?:raw)?[1-9]|bg[a-z])")
_PART = re.compile(r"\\(red|green|blue)(\d{1,3})(?!\d)")


class Look(NamedTuple):
    """How characters look; colours are numbers of the file's table.

    Args:
        colour: Of the letters; 0 for the usual one.
        half_points: Their size; 24 where none is said.
        background: Behind them; -1 for none.
        shading: Behind their paragraph; -1 for none.
    """

    colour: int = 0
    half_points: int = 24
    background: int = -1
    shading: int = -1


USUAL = Look()
"""The look of text of which nothing is said."""


class Visibility:
    """Says which characters of a file are not seen, and why.

    Args:
        text: The file.
    """

    def __init__(self, text: str) -> None:
        table = _COLOURS.search(text)
        entries = table[1].split(";") if table else []
        self._colours = [_colour(entry) for entry in entries]
        self._text = text

    def why_hidden(self, look: Look, paragraph: Format) -> str:
        """Why characters are not seen.

        Args:
            look: How they look.
            paragraph: What holds for their paragraph.

        Returns:
            A clause; empty for characters that are seen.
        """
        if 0 <= look.half_points <= 2 * LEAST_POINTS:
            return TOO_SMALL
        colour = self._find(look.colour)
        if not look.colour or colour is None or self._is_painted:
            return ""
        for number in (look.background, look.shading):
            behind = self._find(number) if number > 0 else None
            if behind is not None:
                return SAME_COLOUR if is_same_colour(colour, behind) else ""
        is_unknown = paragraph.in_table and self._are_cells_shaded
        return SAME_COLOUR if is_same_colour(colour, WHITE) and not is_unknown else ""

    @cached_property
    def _is_painted(self) -> bool:
        """True if the background of letters may be of a colour that is not known."""
        return _PAINTED.search(self._text) is not None

    @cached_property
    def _are_cells_shaded(self) -> bool:
        return _SHADED_CELLS.search(self._text) is not None

    def _find(self, number: int) -> Colour | None:
        return self._colours[number] if 0 <= number < len(self._colours) else None


def _colour(entry: str) -> Colour | None:
    """The colour of an entry of the table; None for the usual one."""
    parts = dict(_PART.findall(entry))
    return tuple(int(parts.get(name, 0)) for name in ("red", "green", "blue")) if parts else None

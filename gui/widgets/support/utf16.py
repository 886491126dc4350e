"""Offsets in code points, as the core counts them, and in UTF-16 units, as Qt does."""

import re

import numpy as np

_UNIT = (
    r"(?:[%‰°℃′″]|"
    r"(?:[kMGTdcmµμn]|da)?(?:m|g|s|l|L|Hz|Pa|W|Wh|V|A|Ah|J|N|Ω|F|H|K|C|mol|bar|eV|B|bit|min|h)"
    r"(?:[²³]|/\w+)?(?![\w’']))"
)
_QUANTITY = re.compile(rf"(?<=\d)(?: {_UNIT})+")
_THOUSANDS = re.compile(r"(?<!\d)(?<!\d )\d{1,3}(?: \d{3}){1,3}(?!\d)")

_HALF_LETTER = re.compile("[\ud800-\udfff]")


def display_text(text: str) -> str:
    """The text as it is laid out: as long as the original, so that offsets hold for both.

    A number stays on one line with its thousands and its unit; line breaks inside code and tables
    stay breaks; halves of letters, which Qt would drop, are shown as the replacement character.
    """
    whole = text if text.isascii() else _HALF_LETTER.sub("\ufffd", text)
    bound = _QUANTITY.sub(_bound, _THOUSANDS.sub(_bound, whole))
    return bound.replace("\n", "\u2028") if "\n" in bound else bound


def _bound(match: re.Match[str]) -> str:
    return match[0].replace(" ", "\u00a0")


class Utf16Map:
    """Translates offsets of one text between code points and UTF-16 units."""

    def __init__(self, text: str) -> None:
        num_units = len(text.encode("utf-16-le", "surrogatepass")) // 2
        self._units: np.ndarray[tuple[int], np.dtype[np.int64]] | None = None
        if num_units != len(text):
            points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
            self._units = np.zeros(len(text) + 1, np.int64)
            np.cumsum(1 + (points > 0xFFFF), out=self._units[1:])

    def to_utf16(self, offset: int) -> int:
        """The UTF-16 unit at which a code point begins."""
        return offset if self._units is None else int(self._units[offset])

    def to_code_points(self, unit: int) -> int:
        """The code point that holds a UTF-16 unit."""
        if self._units is None:
            return unit
        return int(np.searchsorted(self._units, unit, side="right")) - 1

"""Text that the readers of a document do not see: the reasons, and how it is counted."""

import re
from collections import Counter
from typing import Final

from core.documents.document import LeftOut

NOT_SHOWN: Final = "the document does not show it"
TOO_SMALL: Final = "it is too small to be seen"
TRANSPARENT: Final = "it is transparent"
SAME_COLOUR: Final = "it has the colour of its background"
OUTSIDE: Final = "it lies outside of the page"

NEAR: Final = 16
"""Of 255, in each part: colours that are so near are one to the eye."""

LEAST_POINTS: Final = 1.0
"""Letters of this size are not seen on a page."""

WHITE: Final = (255, 255, 255)

Colour = tuple[int, ...]
"""Red, green and blue, to 255; empty where there is one that is not known."""

_HEX = re.compile(r"#?([0-9a-fA-F]{6})")


def hidden_text(words: Counter[str]) -> list[LeftOut]:
    """What is left out of a document, by the reason.

    Args:
        words: How many words, by the reason.

    Returns:
        An item for each reason.
    """
    return [
        LeftOut("hidden text", why, count, missed=False) for why, count in words.items() if count
    ]


def colour_from_hex(text: str | None) -> Colour | None:
    """The colour of six digits; None for other text."""
    match = _HEX.fullmatch(text or "")
    return tuple(bytes.fromhex(match[1])) if match else None


def is_same_colour(one: Colour | None, other: Colour | None) -> bool:
    """True for two known colours that no eye can part."""
    if not one or not other:
        return False
    return all(abs(a - b) <= NEAR for a, b in zip(one, other, strict=True))

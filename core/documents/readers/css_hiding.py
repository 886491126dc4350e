"""The properties that keep text from being seen: of an element, and of all that a page declares."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from math import ceil, log
from typing import Any

from core.documents.readers.css_rules import HEEDED, UNKNOWN
from core.documents.readers.css_values import (
    FAINT,
    LENGTH,
    USUAL_SIZE_PX,
    get_background,
    get_pixels,
    get_size,
    get_symbol_font,
    get_text_colour,
)
from core.documents.readers.hidden import OUTSIDE, Colour, is_same_colour

LEAST_SIZE_PX = 1.34  # one point
NOT_DISPLAYED = "it is not displayed"
_CLIPPED = re.compile(
    r"rect\(\s*(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?\s*\)"
)
_CUT = re.compile(r"inset\(\s*+(?:50|100)%|circle\(\s*+0|polygon\(\s*+0[^,()]{0,100}\)")
_SHRUNK = re.compile(
    r"scale(?:3d|x|y)?\(\s*+0?(?:\.0\d{0,9})?\s*+[,)]"
    r"|translate(?:3d|x|y)?\([^()]{0,100}-(?:[2-9]\d{3}|\d{5})"
)
_FADED = re.compile(r"opacity\(\s*+(?:0?\.0\d{0,9}|0)%?\s*+\)")
_FAR = -900.0  # pixels to the left or upwards: beside the page
_FARTHER = -3000.0  # pixels to the right or downwards, where a window may be scrolled to
_REPAINTING = {
    "text-shadow": "none", "-webkit-text-stroke": "0", "-webkit-text-stroke-width": "0",
    "filter": "none", "backdrop-filter": "none", "mix-blend-mode": "normal", "zoom": "1",
    "scale": "none",
}  # fmt: skip
_BLOCKS = frozenset(
    (
        *("p", "div", "section", "article", "aside", "header", "footer", "main", "nav", "ul", "ol"),
        *("li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "form"),
        *("fieldset", "figure", "figcaption", "address", "center"),
    )
)
_BLOCK_DISPLAYS = ("block", "inline-block", "flex", "grid", "list-item", "flow-root")
MOVING = frozenset(
    (
        *("left", "top", "right", "bottom", "margin-left", "margin-top", "text-indent"),
        *("transform", "translate"),
    )
)
_REASONS = (
    *("display", "content-visibility", "mso-hide", "opacity", "filter", "clip", "clip-path"),
    "transform",
)
_OVERFLOWS = ("overflow", "overflow-x", "overflow-y")
_SIDES = ("height", "max-height", "width", "max-width")
_TEXT_COLOURS = ("color", "-webkit-text-fill-color")
_COLOURS = frozenset(
    (
        *(*_TEXT_COLOURS, "background-color", "background-image", "box-shadow"),
        *("border-image", "border-image-source"),
    )
)
_BOXES = frozenset(
    (
        *(*_OVERFLOWS, *_SIDES, "min-height", "min-width", "padding", "padding-top"),
        "padding-bottom",
    )
)
_STRIKING, _FONT, _SIZE = "text-decoration-line", "font-family", "font-size"
_MOST_COMPARED = 2_000  # pairs of colours
_MOST_LEVELS = 60  # elements within one another
_LINKS, _MARKED = "blue", "yellow"


def find_effective(
    declared: Mapping[str, Collection[str]], root: Any, background: Colour | None
) -> frozenset[str]:
    """The properties that may change what of a page is seen, and by which letters.

    Most pages set hundreds of margins, sizes and colours, none of which hides anything: it takes
    much time to find out for which elements they hold, and there is nothing to be gained by it.

    Args:
        declared: The values that a property has anywhere on the page, in small letters.
        root: The page.
        background: The colour of the page where nothing else is said; None if it is not known.

    Returns:
        The names of properties. Without all others each element of the page is as visible, and
        for the same reason.
    """

    def any_of(names: Iterable[str], is_effective: Callable[[dict[str, str]], object]) -> bool:
        return any(
            is_effective({"position": "absolute", name: value})
            for name in names
            for value in declared.get(name, ())
        )

    effective = set[str]()
    if any_of((_FONT,), lambda values: get_symbol_font(values, "")):
        effective.add(_FONT)
    if any_of((_STRIKING,), is_struck):
        effective.add(_STRIKING)
    is_squeezing = any_of(
        _OVERFLOWS, lambda values: is_squeezed("p", {"height": "0", **values})
    ) and any_of(_SIDES, lambda values: is_squeezed("p", {"overflow": "hidden", **values}))
    is_moving = is_squeezing or any_of(MOVING, is_far)
    is_shrinking = _is_shrinking(declared.get(_SIZE, ()), root)
    is_colouring = _is_colouring(declared, background)
    is_hiding = any_of(_REASONS, find_reason) or any_of(("visibility",), is_invisible)
    if is_moving or is_shrinking or is_colouring or is_hiding:
        effective |= HEEDED - _BOXES - MOVING - _COLOURS - {_FONT, _STRIKING, _SIZE}
        effective.add("transform")
    if is_squeezing:
        effective |= _BOXES
    if is_moving:
        effective |= MOVING
    if is_shrinking:
        effective.add(_SIZE)
    if is_colouring:
        effective |= _COLOURS
    return frozenset(effective)


def _is_shrinking(sizes: Collection[str], root: Any) -> bool:
    """True if letters may get too small to be seen, where the elements that shrink them nest."""
    least, share = USUAL_SIZE_PX, 1.0
    for value in sizes:
        size, of_double = (get_size({_SIZE: value}, outer) for outer in (1.0, 2.0))
        if size == of_double:
            least = min(least, size)
        else:
            share = min(share, size)
    if least <= LEAST_SIZE_PX or share <= 0:
        return True
    if share >= 1:
        return False
    levels = ceil(log(LEAST_SIZE_PX / least) / log(share))
    return levels > _MOST_LEVELS or bool(root.xpath("/*" * levels))


def _is_colouring(declared: Mapping[str, Collection[str]], background: Colour | None) -> bool:
    """True if text may have the colour of its background."""
    values = {value for name in _TEXT_COLOURS for value in declared.get(name, ())}
    colours = {get_text_colour({"color": value}, None) for value in (*values, _LINKS)}
    behind = {
        get_background({"background-color": value}, None)
        for value in (*declared.get("background-color", ()), _MARKED)
    }
    return (
        () in colours
        or len(colours) * len(behind) > _MOST_COMPARED
        or any(is_same_colour(one, other) for one in colours for other in (*behind, background))
    )


def is_repainted(values: dict[str, str]) -> bool:
    """True if effects change the colour or the size of what is drawn."""
    return (
        any(values.get(name, usual) != usual for name, usual in _REPAINTING.items())
        or any(kind in values.get("transform", "") for kind in ("scale", "matrix", UNKNOWN))
        or any(
            cut in values.get(name, "")
            for name in ("background-clip", "-webkit-background-clip")
            for cut in ("text", UNKNOWN)
        )
    )


def is_invisible(values: dict[str, str]) -> bool:
    """True for what is laid out and not drawn."""
    return values.get("visibility", "") in ("hidden", "collapse")


def is_struck(values: dict[str, str]) -> bool:
    """True for what is struck through."""
    return "line-through" in values.get("text-decoration-line", "").split()


def find_reason(values: dict[str, str]) -> str:
    """Why an element and all in it is not seen; empty if it is, or if a place may undo it."""
    opacity = LENGTH.match(values.get("opacity", ""))
    if (
        values.get("display", "").startswith("none")
        or values.get("content-visibility") == "hidden"
        or values.get("mso-hide") == "all"
        or (opacity and float(opacity[1]) <= (100 * FAINT if opacity[2] == "%" else FAINT))
        or _FADED.search(values.get("filter", ""))
    ):
        return NOT_DISPLAYED
    if (
        (
            values.get("position") in ("absolute", "fixed")
            and _CLIPPED.search(values.get("clip", ""))
        )
        or _CUT.search(values.get("clip-path", ""))
        or _SHRUNK.search(values.get("transform", ""))
    ):
        return OUTSIDE
    return ""


def is_far(values: dict[str, str]) -> bool:
    """True for what lies beside the page."""
    position = values.get("position", "")
    is_placed = position in ("absolute", "fixed")
    return (
        (is_placed and any(get_pixels(values, name) <= _FAR for name in ("left", "top")))
        or (is_placed and any(get_pixels(values, name) <= _FARTHER for name in ("right", "bottom")))
        or any(
            get_pixels(values, name) <= _FAR
            for name in ("text-indent", "margin-left", "margin-top")
        )
        or (position == "relative" and get_pixels(values, "left") <= _FAR)
    )


def is_squeezed(tag: str, values: dict[str, str]) -> bool:
    """True for a box of no height or width that shows nothing of what does not fit."""
    display = values.get("display", "")
    is_placed = values.get("position") in ("absolute", "fixed")
    is_block = display in _BLOCK_DISPLAYS or (tag in _BLOCKS and not display)
    if not is_block and not (is_placed and not display.startswith("table") and tag != "table"):
        return False
    if any(values.get(name, "0") not in ("0", "0px") for name in ("min-height", "min-width")):
        return False
    overflow = " ".join(values.get(name, "") for name in _OVERFLOWS)
    if "hidden" not in overflow and "clip" not in overflow:
        return False
    if any(
        mark in values.get(name, "")
        for name in ("padding", "padding-top", "padding-bottom")
        for mark in ("%", UNKNOWN)
    ):
        return False  # a frame that keeps the proportions of what lies in it
    sides = (values.get(name, "") for name in _SIDES)
    lengths = (LENGTH.match(side) for side in sides)
    return any(
        length and abs(float(length[1])) <= 1 and length[2] in (None, "px", "pt")
        for length in lengths
    )

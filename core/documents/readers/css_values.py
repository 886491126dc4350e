"""Values of styles: lengths and colours, as far as they can be known without drawing a page."""

import re
from colorsys import hls_to_rgb
from functools import lru_cache

from core.documents.readers.hidden import Colour
from core.documents.readers.symbol_fonts import is_symbol_font

LENGTH = re.compile(
    r"(-?(?:\d++(?:\.\d*+)?|\.\d++))(px|pt|r?em|ex|ch|%|vw|vh|cm|mm|in|pc)?(?![\w.])"
)
_NUMBER = r"(?:\d++(?:\.\d*+)?|\.\d++)"
_FUNCTION = re.compile(r"rgba?\(([^()]*)\)")
_HSL = re.compile(
    rf"hsla?\(\s*+({_NUMBER})(?:deg)?[\s,]++({_NUMBER})%[\s,]++({_NUMBER})%"
    rf"\s*+(?:[,/]\s*+({_NUMBER}%?)\s*+)?\)"
)
_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
USUAL_SIZE_PX = 16.0
FAINT = 0.05  # opacity
_PIXELS = {"px": 1.0, "pt": 4 / 3, "cm": 37.8, "mm": 3.78, "in": 96.0, "pc": 16.0}
_WORD = re.compile(r"[a-z][a-z-]*")
_ANYWHERE = frozenset(("inherit", "initial", "unset", "revert", "revert-layer"))
_SYSTEM_COLOURS = frozenset(
    "accentcolor accentcolortext activeborder activecaption activetext appworkspace background "
    "buttonborder buttonface buttonhighlight buttonshadow buttontext canvas canvastext captiontext "
    "field fieldtext graytext highlight highlighttext inactiveborder inactivecaption "
    "inactivecaptiontext infobackground infotext linktext mark marktext menu menutext scrollbar "
    "selecteditem selecteditemtext threeddarkshadow threedface threedhighlight threedlightshadow "
    "threedshadow visitedtext window windowframe windowtext currentcolor transparent".split()
)
_SIZES = "auto none min-content max-content fit-content stretch"
_WORDS = {  # which browsers understand as values of properties
    "display": "none block inline inline-block flex inline-flex grid inline-grid flow flow-root "
    "contents table inline-table table-row table-cell table-row-group table-header-group "
    "table-footer-group table-column table-column-group table-caption list-item run-in ruby "
    "ruby-base ruby-text ruby-base-container ruby-text-container math subgrid grid-lanes",
    "visibility": "visible hidden collapse",
    "content-visibility": "visible auto hidden",
    "opacity": "",
    "position": "static relative absolute fixed sticky",
    "font-size": "xx-small x-small small medium large x-large xx-large xxx-large smaller larger "
    "math",
    "clip": "auto",
    "clip-path": "none border-box padding-box content-box margin-box fill-box stroke-box view-box",
    "transform": "none",
    "filter": "none",
    **dict.fromkeys(("left", "top", "right", "bottom", "margin-left", "margin-top"), "auto"),
    "text-indent": "",
    **dict.fromkeys(("height", "max-height", "width", "max-width"), _SIZES),
    **dict.fromkeys(("min-height", "min-width"), _SIZES),
}
_KNOWN_WORDS = {name: frozenset(words.split()) | _ANYWHERE for name, words in _WORDS.items()}
_OF_BACKGROUNDS = frozenset(
    "none repeat repeat-x repeat-y no-repeat space round scroll fixed local center left right top "
    "bottom cover contain auto border-box padding-box content-box text".split()
)
_HEX_ALONE = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_COLOURED = ("color", "background-color", "-webkit-text-fill-color")


def is_understood(name: str, value: str) -> bool:
    """True for a value that browsers may understand; others are as if they were not there."""
    if not value:
        return False
    if name == "background" and "(" not in value:
        return all(part in _OF_BACKGROUNDS or _is_colour(part) for part in value.split())
    if name in _COLOURED:
        return _is_colour(value)
    known = name not in _KNOWN_WORDS or value in _KNOWN_WORDS[name]
    return known or _WORD.fullmatch(value) is None


def _is_colour(value: str) -> bool:
    """True for a value that browsers may understand as a colour."""
    if value.startswith("#"):
        return _HEX_ALONE.fullmatch(value) is not None
    if _WORD.fullmatch(value) is None or value in _ANYWHERE or value in _SYSTEM_COLOURS:
        return True
    return _named_colour(value) is not None


@lru_cache(1_000)
def _named_colour(name: str) -> Colour | None:
    """A colour by its name in style sheets; None if it is none."""
    from PIL.ImageColor import colormap, getrgb

    return getrgb(name)[:3] if name in colormap else None


def get_pixels(values: dict[str, str], name: str) -> float:
    length = LENGTH.match(values.get(name, ""))
    if not length:
        return 0.0
    unit = length[2] or "px"
    if unit in ("%", "vw", "vh"):
        return float(length[1]) * 2  # blocks that fill the window start to the left of their place
    return float(length[1]) * _PIXELS.get(unit, USUAL_SIZE_PX)


def get_size(values: dict[str, str], outer_px: float) -> float:
    value = values.get("font-size", "")
    length = LENGTH.match(value)
    if not length:
        return USUAL_SIZE_PX if value and value != "inherit" else outer_px
    unit, number = length[2], float(length[1])
    if unit in ("em", "%", "ex", "ch"):
        share = number / 100 if unit == "%" else number
        return share * (outer_px if outer_px > 0 else 0.0)
    if unit in (None, "px", "pt", "cm", "mm", "in", "pc"):
        return number * _PIXELS.get(unit or "px", 1.0)
    return number * USUAL_SIZE_PX


def get_symbol_font(values: dict[str, str], outer: str) -> str:
    """The font of letters if it draws signs in their place; empty for other fonts."""
    value = values.get("font-family")
    if value is None or value in ("inherit", "unset"):
        return outer
    family = value.partition(",")[0]
    return family if is_symbol_font(family) else ""


def get_text_colour(values: dict[str, str], outer: Colour | None) -> Colour | None:
    """The colour of letters; empty if they are transparent, None where it is not known."""
    value = values.get("-webkit-text-fill-color") or values.get("color")
    if value is None or value == "inherit":
        return outer
    if value == "transparent":
        return ()
    return _colour(value)


def get_background(values: dict[str, str], outer: Colour | None) -> Colour | None:
    if any(
        values.get(name, "none") not in ("none", "initial", "inherit", "")
        for name in ("background-image", "box-shadow", "border-image", "border-image-source")
    ):
        return ()
    value = values.get("background-color")
    if value is None or value in ("inherit", "none", "transparent", "initial", "unset", ""):
        return outer
    found = next(
        filter(None, map(_colour, (_FUNCTION.findall(value) and [value]) or value.split())), None
    )
    if found is not None:
        return found
    return outer if set(value.split()) <= {"none", "transparent", "0", "repeat", "scroll"} else ()


def _colour(value: str) -> Colour | None:
    """Red, green and blue; empty for what is transparent, None for what is not known."""
    value = value.strip()
    if _WORD.fullmatch(value) and (named := _named_colour(value)) is not None:
        return named
    if match := _HEX.match(value):
        digits = match[1]
        if len(digits) in (3, 4):
            digits = "".join(2 * digit for digit in digits)
        if len(digits) == 8:
            if int(digits[6:], 16) <= 255 * FAINT:
                return ()
            if digits[6:] != "ff":
                return None
        return tuple(int(digits[at : at + 2], 16) for at in (0, 2, 4)) if len(digits) >= 6 else None
    if match := _FUNCTION.match(value):
        parts = re.findall(r"[\d.]+%?", match[1])
        numbers = [_part(part, 255) for part in parts[:3]]
        opacity = _part(parts[3], 1) if len(parts) > 3 else 1.0
        if opacity <= FAINT:
            return ()
        return tuple(map(round, numbers)) if len(numbers) == 3 and opacity > 1 - FAINT else None
    if match := _HSL.match(value):
        hue, saturation, lightness = map(float, match.groups()[:3])
        opacity = _part(match[4] or "1", 1)
        if opacity <= 1 - FAINT:
            return () if opacity <= FAINT else None
        shades = hls_to_rgb(hue / 360 % 1, min(1.0, lightness / 100), min(1.0, saturation / 100))
        return tuple(round(255 * shade) for shade in shades)
    if re.fullmatch(r"[0-9a-f]{6}", value):  # of old attributes
        return _colour(f"#{value}")
    return None


def _part(text: str, whole: float) -> float:
    try:
        return float(text[:-1]) / 100 * whole if text.endswith("%") else float(text)
    except ValueError:
        return whole

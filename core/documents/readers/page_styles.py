"""Text of a web page that its reader does not see, by the styles of the page itself.

Rules of style sheets, style attributes and the older attributes for colours are heeded, as far as
they can be known without drawing the page. Where a colour or a rule is not known, text counts as
seen.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from colorsys import hls_to_rgb
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from lxml import etree

from core.documents.document import count_words
from core.documents.readers.hidden import (
    OUTSIDE,
    SAME_COLOUR,
    TOO_SMALL,
    WHITE,
    Colour,
    is_same_colour,
)

_COMMENT = re.compile(r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?|<!--|-->")
_BRACE = re.compile(r"[{}]")
_SIMPLE = re.compile(
    r"([.#]?)([\w-]+|\*)"
    r"|\[\s*+([\w-]++)\s*+(?:([~^$*|]?)=\s*+[\"']?([^\"'\]]*+)[\"']?\s*+)?\]"
)
_COMBINATOR = re.compile(r"\s*[>+~]\s*|\s+")
_PLACE = re.compile(
    r":(first-child|last-child|only-child|nth-child\((\d{1,4}|odd|even)\)|not\(([^()]{1,99})\))"
)
_IMPORTANT = re.compile(r"!\s*important\s*$")
_LENGTH = re.compile(
    r"(-?(?:\d++(?:\.\d*+)?|\.\d++))(px|pt|r?em|ex|ch|%|vw|vh|cm|mm|in|pc)?(?![\w.])"
)
_FUNCTION = re.compile(r"rgba?\(([^()]*)\)")
_HSL = re.compile(r"hsla?\(\s*([\d.]+)(?:deg)?[\s,]+([\d.]+)%[\s,]+([\d.]+)%\s*\)")
_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
_UNKNOWN_PAINT = re.compile(r"url\(|gradient\(|var\(|image\(|currentcolor|lab\(|lch\(|color\(")
_CLIPPED = re.compile(
    r"rect\(\s*(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?\s*\)"
)
_CUT = re.compile(r"inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0[^,]*\)")
_SHRUNK = re.compile(
    r"scale(?:3d|x|y)?\(\s*0?(?:\.0\d*)?\s*[,)]|translate(?:3d|x|y)?\([^)]*-\d{4,}"
)
_FADED = re.compile(r"opacity\(\s*(?:0?\.0\d*|0)%?\s*\)")
_UNHEEDED = ("@keyframes", "@font-face", "@page", "@-", "@counter", "@property", "@import")
_OTHER_MEDIA = re.compile(r"\b(?:print|speech|aural|not)\b")
_FEATURE = re.compile(r"\(([^()]*)\)")
_SCREEN = {"width": 1280.0, "height": 800.0}  # pixels, of a usual window
_LEAST_SIZE_PX = 1.34  # one point
_USUAL_SIZE_PX = 16.0
_FAR = -500.0  # pixels to the left or upwards: beside the page
_FAINT = 0.05  # opacity
_MOST_RULES = 20_000
_MOST_TESTS = 3_000_000  # of an element against a rule
_LONGEST_SELECTOR = 300  # characters
_MOST_BESIDE = 100  # elements beside one that are looked at
_FEWEST_SEEN, _MANY_HIDDEN = 20, 50  # words: such a page is shown by its scripts
_PICTURES = ("img", "picture", "video", "canvas", "svg", "object", "iframe")
_FORMULAS = re.compile(r"(?:^|[\s_-])(?:katex|mathjax|mjx|mwe-math)", re.IGNORECASE)
_UNREAD = frozenset(("script", "style", "head", "template", "noscript", "title", "textarea"))
_PIXELS = {"px": 1.0, "pt": 4 / 3, "cm": 37.8, "mm": 3.78, "in": 96.0, "pc": 16.0}
_NAMES = {
    "white": WHITE, "black": (0, 0, 0), "red": (255, 0, 0), "green": (0, 128, 0),
    "blue": (0, 0, 255), "yellow": (255, 255, 0), "gray": (128,) * 3, "grey": (128,) * 3,
    "silver": (192,) * 3, "navy": (0, 0, 128), "maroon": (128, 0, 0), "lime": (0, 255, 0),
    "aqua": (0, 255, 255), "cyan": (0, 255, 255), "teal": (0, 128, 128), "purple": (128, 0, 128),
    "fuchsia": (255, 0, 255), "magenta": (255, 0, 255), "olive": (128, 128, 0),
    "orange": (255, 165, 0), "snow": (255, 250, 250), "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255), "whitesmoke": (245,) * 3, "floralwhite": (255, 250, 240),
    "azure": (240, 255, 255), "mintcream": (245, 255, 250), "lightgray": (211,) * 3,
    "lightgrey": (211,) * 3, "gainsboro": (220,) * 3, "darkgray": (169,) * 3,
    "darkgrey": (169,) * 3, "dimgray": (105,) * 3, "beige": (245, 245, 220),
}  # fmt: skip
_HEEDED = frozenset(
    (
        *("display", "visibility", "opacity", "content-visibility", "font-size", "font", "color"),
        *("background", "background-color", "background-image", "position", "left", "top", "right"),
        *("bottom", "text-indent", "margin-left", "margin-top", "clip", "clip-path", "height"),
        *("max-height", "width", "max-width", "overflow", "overflow-x", "overflow-y", "transform"),
        *("filter", "mso-hide", "-webkit-text-fill-color", "-webkit-background-clip"),
        *("background-clip", "text-shadow", "padding", "padding-top", "padding-bottom"),
    )
)
_MAY_MATTER = re.compile(
    r"display|visibility|opacity|font|color|background|position|left|top|right|bottom|indent"
    r"|margin|clip|height|width|overflow|transform|filter|mso-hide|shadow|padding",
    re.IGNORECASE,
)

_DISPLAY = "it is not displayed"


@dataclass(frozen=True)
class _Compound:
    """The parts of a selector that one element must have."""

    tag: str = ""
    key: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str, str | None], ...] = ()
    place: str = ""  # among the elements beside it: "1", "odd", "last-child"
    other: "_Compound | None" = None  # which it must not be

    def fits(self, element: Any) -> bool:
        """True for an element that has all of them."""
        if self.tag and element.tag != self.tag:
            return False
        if self.key and element.get("id") != self.key:
            return False
        if self.classes and not self.classes.issubset((element.get("class") or "").split()):
            return False
        if not all(_has(element.get(name), how, value) for name, how, value in self.attributes):
            return False
        if self.other is not None and self.other.fits(element):
            return False
        return not self.place or _is_at(element, self.place)


@dataclass(frozen=True)
class _Rule:
    """What a selector gives elements.

    Args:
        compounds: From the element outwards, each with the sign between it and the one before it
            in the selector: " ", ">", "+" or "~".
        rank: Its weight among rules.
        values: Its properties, with True for those that are important.
    """

    compounds: tuple[tuple[_Compound, str], ...]
    rank: tuple[int, int, int, int]
    values: dict[str, tuple[str, bool]]


@dataclass(frozen=True)
class _Look:
    """What an element hands on to those in it.

    Args:
        reason: Why its text is not seen; empty while it is.
        size_px: Of its letters.
        colour: Of its letters; None where it is not known.
        background: Behind them; None where none is said, empty where it is not known.
        is_visible: False for what is laid out and not drawn, which inner elements may undo.
    """

    reason: str = ""
    size_px: float = _USUAL_SIZE_PX
    colour: Colour | None = None
    background: Colour | None = None
    is_visible: bool = True


@dataclass
class _Sheet:
    """The rules of a page, by what the elements that they fit have."""

    by_mark: dict[str, list[_Rule]] = field(default_factory=lambda: defaultdict(list))
    num_rules: int = 0
    num_tests: int = 0

    def add(self, text: str) -> None:
        """Adds the rules of a style sheet."""
        for prelude, body in _rules_in(_COMMENT.sub(" ", text)):
            if self.num_rules >= _MOST_RULES:
                return
            values = _declarations(body) if _MAY_MATTER.search(body) else {}
            for selector in prelude.split(",") if values else ():
                self._add_rule(selector.strip(), values)

    def _add_rule(self, selector: str, values: dict[str, tuple[str, bool]]) -> None:
        compounds = _compounds(selector)
        if not compounds:
            return
        parts = [compound for compound, _ in compounds]
        rank = (
            sum(bool(part.key) for part in parts),
            sum(len(part.classes) + len(part.attributes) for part in parts),
            sum(bool(part.tag) for part in parts),
            self.num_rules,
        )
        self.num_rules += 1
        last = parts[0]
        mark = f"#{last.key}" if last.key else f".{min(last.classes)}" if last.classes else last.tag
        self.by_mark[mark].append(_Rule(compounds, rank, values))

    def values_of(self, element: Any) -> dict[str, str]:
        """The properties of an element, by rules and by its own attributes."""
        best: dict[str, tuple[tuple[Any, ...], str]] = {}
        marks = ["", str(element.tag)]
        if classes := element.get("class"):
            marks += [f".{name}" for name in set(classes.split())]
        if key := element.get("id"):
            marks.append(f"#{key}")
        for mark in marks if self.num_tests < _MOST_TESTS else ():
            for rule in self.by_mark.get(mark, ()):
                self.num_tests += 1
                if self._fits(rule, element):
                    _take(best, rule.values, (0, *rule.rank))
        if style := element.get("style"):
            _take(best, _declarations(style), (1, 0, 0, 0, 0))
        return {name: value for name, (_, value) in best.items()}

    def _fits(self, rule: _Rule, element: Any) -> bool:
        (first, sign), *outer = rule.compounds
        if not first.fits(element):
            return False
        for compound, next_sign in outer:
            for each in _related(element, sign):
                self.num_tests += 1
                if compound.fits(each):
                    element = each
                    break
            else:
                return False
            sign = next_sign
        return True


def _related(element: Any, sign: str) -> Iterator[Any]:
    """The elements that the part of a selector before a sign may be."""
    if sign in ("+", "~"):
        beside = element.itersiblings(tag=etree.Element, preceding=True)
        return islice(beside, 1 if sign == "+" else _MOST_BESIDE)
    return islice(element.iterancestors(), 1 if sign == ">" else None)


def _is_at(element: Any, place: str) -> bool:
    """True for an element at a place among those beside it."""
    before = sum(
        1 for _ in islice(element.itersiblings(etree.Element, preceding=True), _MOST_BESIDE)
    )
    is_last = next(element.itersiblings(etree.Element), None) is None
    if place.isdecimal():
        return before + 1 == int(place)
    return {
        "odd": before % 2 == 0,
        "even": before % 2 == 1,
        "last-child": is_last,
        "only-child": is_last and not before,
    }[place]


def remove_unseen(
    root: Any, sheets: Iterable[str] | None = None, *, on_paper: bool = True
) -> Counter[str]:
    """Takes out of a page the text that its reader does not see.

    Args:
        root: The page, or a fragment of one.
        sheets: The texts of the style sheets that it names; None where they are not there, so that
            the page may have any background.
        on_paper: True if it is white where nothing else is said; False of a part of a page.

    Returns:
        How many words were taken out, by the reason.
    """
    sheet = _Sheet()
    for text in [
        e.text for e in root.iter("style") if _is_of_screen(f"@media {e.get('media') or ''}")
    ] + list(sheets or ()):
        sheet.add(text or "")
    if not sheet.num_rules and not root.xpath(
        "//*[@style or @hidden or @bgcolor or @color or @text]"
    ):
        return Counter()
    is_white = on_paper and (
        sheets is not None or not root.xpath("//link[contains(@rel, 'stylesheet')]")
    )
    hidden = list(_find_unseen(root, sheet, is_white=is_white))
    words = Counter[str]()
    for _, _, text, reason in hidden:
        words[reason] += count_words(text)
    total = sum(words.values())
    if total >= _MANY_HIDDEN and count_words(_text(root)) - total < _FEWEST_SEEN:
        return Counter()
    for element, name, _, _ in hidden:
        setattr(element, name, " ")
    return +words


def _is_of_screen(query: str) -> bool:
    """True for a media query that holds in a usual window; other rules have none."""
    kind, _, conditions = query.lower().partition("@media")
    if kind:
        return True
    return any(
        not _OTHER_MEDIA.search(each) and all(map(_holds, _FEATURE.findall(each)))
        for each in conditions.split(",")
    )


def _holds(feature: str) -> bool:
    name, _, value = (part.strip() for part in feature.partition(":"))
    bound, _, side = name.partition("-")
    if bound not in ("min", "max") or side not in _SCREEN:
        return (name, value) == ("prefers-color-scheme", "light")
    pixels = _pixels({side: value}, side)
    return pixels <= _SCREEN[side] if bound == "min" else pixels >= _SCREEN[side]


def _text(root: Any) -> str:
    return " ".join(
        root.xpath("//text()[not(ancestor::script or ancestor::style or ancestor::head)]")
    )


def _find_unseen(
    root: Any,
    sheet: _Sheet,
    *,
    is_white: bool,
) -> Iterator[tuple[Any, str, str, str]]:
    """Each piece of text that is not seen: its element, "text" or "tail", itself and the reason."""
    looks = [_Look()]
    pictures: dict[Any, bool] | None = {} if is_white else None  # what is known of them
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    skipped = None
    for event, element in walker:
        if event == "start":
            if element.tag in _UNREAD or _is_formula(element):
                skipped = element
                walker.skip_subtree()
                continue
            looks.append(_look(element, sheet, looks[-1]))
            yield from _unseen(element, "text", looks[-1], element, pictures)
        else:
            if event == "end":
                if element is skipped:
                    skipped = None
                else:
                    looks.pop()
            if element is not root:
                yield from _unseen(element, "tail", looks[-1], element.getparent(), pictures)


def _unseen(
    element: Any,
    name: str,
    look: _Look,
    holder: Any,
    pictures: dict[Any, bool] | None,
) -> Iterator[tuple[Any, str, str, str]]:
    text = getattr(element, name)
    if not text or text.isspace():
        return
    reason = look.reason
    if not reason and not look.is_visible:
        reason = _DISPLAY
    if not reason and look.size_px <= _LEAST_SIZE_PX:
        reason = TOO_SMALL
    if not reason and look.colour is not None and _is_background(look, holder, pictures):
        reason = SAME_COLOUR
    if reason:
        yield element, name, text, reason


def _is_background(look: _Look, holder: Any, pictures: dict[Any, bool] | None) -> bool:
    background = look.background
    if background is None and pictures is not None and not _has_picture_behind(holder, pictures):
        background = WHITE
    return look.colour == () or is_same_colour(look.colour, background)


def _has_picture_behind(element: Any, known: dict[Any, bool]) -> bool:
    """True if a picture may lie behind the text of an element of a page without background."""
    while element is not None and element.tag not in ("body", "html"):
        if element not in known:
            known[element] = next(element.iter(*_PICTURES), None) is not None
        if known[element]:
            return True
        element = element.getparent()
    return False


def _is_formula(element: Any) -> bool:
    """True for the markup of a formula, which pages hide behind its drawing."""
    if element.tag == "math" or _FORMULAS.search(element.get("class") or ""):
        return True
    hidden = element.get("style") or element.get("hidden") is not None
    return bool(hidden) and next(element.iter("math"), None) is not None


def _look(element: Any, sheet: _Sheet, outer: _Look) -> _Look:
    if not isinstance(element.tag, str):
        return outer
    values = sheet.values_of(element) if sheet.num_rules or element.get("style") else {}
    for attribute, name in (("bgcolor", "background-color"), ("background", "background-image")):
        if attribute in element.attrib:
            values.setdefault(name, element.get(attribute) or "url(")
    if element.tag in ("font", "basefont") and element.get("color"):
        values.setdefault("color", element.get("color"))
    if element.tag == "a" and element.get("href") is not None:
        values.setdefault("color", "blue")
    elif element.tag == "mark":
        values.setdefault("background-color", "yellow")
    elif element.tag == "body" and element.get("text"):
        values.setdefault("color", element.get("text"))
    is_gone = element.get("hidden") is not None and "display" not in values
    if not values and not is_gone:
        return outer
    values = {name: value.lower() for name, value in values.items()}
    reason = outer.reason
    if not reason and element.tag not in ("html", "body"):
        reason = _DISPLAY if is_gone else _reason(values)
    visibility = values.get("visibility", "")
    is_visible = outer.is_visible
    if visibility in ("hidden", "collapse", "visible"):
        is_visible = visibility == "visible" or element.tag in ("html", "body")
    return replace(
        outer,
        reason=reason,
        is_visible=is_visible,
        size_px=_size(values, outer.size_px),
        colour=_text_colour(values, outer.colour),
        background=_background(values, outer.background),
    )


def _reason(values: dict[str, str]) -> str:
    """Why an element and all in it is not seen; empty if it is."""
    opacity = _LENGTH.match(values.get("opacity", ""))
    if (
        values.get("display", "").startswith("none")
        or values.get("content-visibility") == "hidden"
        or values.get("mso-hide") == "all"
        or (opacity and float(opacity[1]) <= (100 * _FAINT if opacity[2] == "%" else _FAINT))
        or _FADED.search(values.get("filter", ""))
        or _is_squeezed(values)
    ):
        return _DISPLAY
    position = values.get("position", "")
    is_placed = position in ("absolute", "fixed")
    if (
        (
            is_placed
            and any(_pixels(values, name) <= _FAR for name in ("left", "top", "right", "bottom"))
        )
        or any(
            _pixels(values, name) <= _FAR for name in ("text-indent", "margin-left", "margin-top")
        )
        or (position == "relative" and _pixels(values, "left") <= _FAR)
        or (is_placed and _CLIPPED.search(values.get("clip", "")))
        or _CUT.search(values.get("clip-path", ""))
        or _SHRUNK.search(values.get("transform", ""))
    ):
        return OUTSIDE
    return ""


def _is_squeezed(values: dict[str, str]) -> bool:
    """True for a box of no height or width that shows nothing of what does not fit."""
    overflow = " ".join(values.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    if "hidden" not in overflow and "clip" not in overflow:
        return False
    if any("%" in values.get(name, "") for name in ("padding", "padding-top", "padding-bottom")):
        return False  # a frame that keeps the proportions of what lies in it
    sides = (values.get(name, "") for name in ("height", "max-height", "width", "max-width"))
    lengths = (_LENGTH.match(side) for side in sides)
    return any(
        length and abs(float(length[1])) <= 1 and length[2] in (None, "px", "pt")
        for length in lengths
    )


def _pixels(values: dict[str, str], name: str) -> float:
    length = _LENGTH.match(values.get(name, ""))
    if not length:
        return 0.0
    unit = length[2] or "px"
    if unit == "%":
        return float(length[1]) * 5  # of a page some 500 pixels wide
    return float(length[1]) * _PIXELS.get(unit, _USUAL_SIZE_PX)


def _size(values: dict[str, str], outer_px: float) -> float:
    value = values.get("font-size", "")
    if not value and (font := values.get("font")):
        value = next(
            (each for each in font.split() if each[:1].isdigit() and "00" not in each[:3]), ""
        )
    length = _LENGTH.match(value)
    if not length:
        return _USUAL_SIZE_PX if value and value != "inherit" else outer_px
    unit, number = length[2], float(length[1])
    if unit in ("em", "%", "ex", "ch"):
        share = number / 100 if unit == "%" else number
        return share * (outer_px if outer_px > 0 else 0.0)
    if unit in (None, "px", "pt", "cm", "mm", "in", "pc"):
        return number * _PIXELS.get(unit or "px", 1.0)
    return number * _USUAL_SIZE_PX


def _text_colour(values: dict[str, str], outer: Colour | None) -> Colour | None:
    """The colour of letters; empty if they are transparent, None where it is not known."""
    value = values.get("-webkit-text-fill-color") or values.get("color")
    if value is None or value == "inherit":
        return outer
    is_cut_out = "text" in f"{values.get('background-clip')}{values.get('-webkit-background-clip')}"
    if is_cut_out or values.get("text-shadow", "none") != "none":
        return None
    if value == "transparent":
        return ()
    return _colour(value)


def _background(values: dict[str, str], outer: Colour | None) -> Colour | None:
    image = values.get("background-image", "none")
    if image not in ("none", "initial", "inherit", ""):
        return ()
    value = values.get("background-color") or values.get("background")
    if "background" in values and _UNKNOWN_PAINT.search(values["background"]):
        return ()
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
    if value in _NAMES:
        return _NAMES[value]
    if match := _HEX.match(value):
        digits = match[1]
        if len(digits) in (3, 4):
            digits = "".join(2 * digit for digit in digits)
        if len(digits) == 8:
            if int(digits[6:], 16) <= 255 * _FAINT:
                return ()
            if digits[6:] != "ff":
                return None
        return tuple(int(digits[at : at + 2], 16) for at in (0, 2, 4)) if len(digits) >= 6 else None
    if match := _FUNCTION.match(value):
        parts = re.findall(r"[\d.]+%?", match[1])
        numbers = [_part(part, 255) for part in parts[:3]]
        opacity = _part(parts[3], 1) if len(parts) > 3 else 1.0
        if opacity <= _FAINT:
            return ()
        return tuple(map(round, numbers)) if len(numbers) == 3 and opacity > 1 - _FAINT else None
    if match := _HSL.match(value):
        hue, saturation, lightness = map(float, match.groups())
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


def _take(
    best: dict[str, tuple[tuple[Any, ...], str]],
    values: dict[str, tuple[str, bool]],
    rank: tuple[int, ...],
) -> None:
    for name, (value, is_important) in values.items():
        own = (is_important, *rank)
        if name not in best or own >= best[name][0]:
            best[name] = own, value


def _rules_in(text: str) -> Iterator[tuple[str, str]]:
    """The selectors and declarations of a style sheet that holds for a screen of any size."""
    start, depth, unheeded = 0, 0, 0
    prelude = ""
    for brace in _BRACE.finditer(text):
        piece = text[start : brace.start()].strip()
        start = brace.end()
        if brace[0] == "}":
            if prelude and not unheeded:
                yield prelude, piece
            prelude = ""
            depth = max(0, depth - 1)
            unheeded = 0 if depth < unheeded else unheeded
            continue
        depth += 1
        prelude = piece.rpartition(";")[2].strip()
        if prelude.startswith("@"):
            is_heeded = not prelude.startswith(_UNHEEDED) and _is_of_screen(prelude)
            unheeded = unheeded or (0 if is_heeded else depth)
            prelude = ""


def _declarations(text: str) -> dict[str, tuple[str, bool]]:
    values: dict[str, tuple[str, bool]] = {}
    for declaration in text.split(";"):
        name, colon, value = declaration.partition(":")
        name = name.strip().lower()
        if colon and name in _HEEDED:
            is_important = bool(_IMPORTANT.search(value))
            plain = _IMPORTANT.sub("", value).strip().lower()
            if plain and (name not in values or is_important or not values[name][1]):
                values[name] = plain, is_important
    return values


def _compounds(selector: str) -> tuple[tuple[_Compound, str], ...]:
    """The parts of a selector from the element outwards; empty for one that is not understood."""
    if not selector or len(selector) > _LONGEST_SELECTOR:
        return ()
    selector = selector.replace(":root", "html")
    found: list[tuple[_Compound, str]] = []
    at, sign = 0, ""
    compound = _Compound()
    while at < len(selector):
        if match := _SIMPLE.match(selector, at):
            compound = _with(compound, match)
        elif match := _PLACE.match(selector, at):
            other = _compounds(match[3]) if match[3] else ()
            if match[3] and len(other) != 1:
                return ()
            place = match[2] or {"first-child": "1"}.get(match[1], match[1])
            compound = (
                replace(compound, other=other[0][0]) if other else replace(compound, place=place)
            )
        elif (match := _COMBINATOR.match(selector, at)) and match.end() > at:
            found.append((compound, sign))
            compound, sign = _Compound(), match[0].strip() or " "
        else:
            return ()
        at = match.end()
    found.append((compound, sign))
    return tuple(reversed(found))


def _with(compound: _Compound, match: re.Match[str]) -> _Compound:
    sign, name, attribute, how, value = match.groups()
    if attribute:
        return replace(
            compound, attributes=(*compound.attributes, (attribute.lower(), how or "", value))
        )
    if sign == ".":
        return replace(compound, classes=compound.classes | {name})
    if sign == "#":
        return replace(compound, key=name)
    return replace(compound, tag="" if name == "*" else name.lower())


def _has(own: str | None, how: str, value: str | None) -> bool:
    """True if an attribute is as a selector says."""
    if own is None or value is None:
        return own is not None
    return {
        "": own == value,
        "~": value in own.split(),
        "^": own.startswith(value),
        "$": own.endswith(value),
        "*": value in own,
        "|": own == value or own.startswith(f"{value}-"),
    }[how]

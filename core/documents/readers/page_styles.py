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

_TOKEN = re.compile(
    r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?|<!--|-->"
    r"|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
    r"|\\[^0-9a-fA-F\n]",
    re.DOTALL,
)
_SIGNIFICANT = re.compile(r"\\[^0-9a-fA-F]|[{}()\[\];:,!]", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?")
_BRACE = re.compile(r"[{}]")
_LIST = re.compile(r"[()\[\],]")
_NAME = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?)++"
_SIMPLE = re.compile(
    rf"([.#]?)({_NAME}|\*)"
    rf"|\[\s*+([\w-]++)\s*+(?:([~^$*|]?)=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|({_NAME}))\s*+)?\]"
)
_COMBINATOR = re.compile(r"\s*+[>+~]\s*+|\s++")
_PLACE = re.compile(
    r":(first-child|last-child|only-child|nth-child\((\d{1,2}|odd|even)\)|not\(([^()]{1,99})\))"
)
_OTHER = re.compile(
    r"::?([\w-]++)(?:\((?:[^()]++|\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\))*+\))?"
    r"|\[[^\]]*+\]|[&|]"
)
_BOXES = ("before", "after")  # drawn beside the text of an element, or behind it
_LETTERS = ("first-line", "first-letter")
_IMPORTANT = re.compile(r"!\s*important\s*$")
_LENGTH = re.compile(
    r"(-?(?:\d++(?:\.\d*+)?|\.\d++))(px|pt|r?em|ex|ch|%|vw|vh|cm|mm|in|pc)?(?![\w.])"
)
_NUMBER = r"(?:\d++(?:\.\d*+)?|\.\d++)"
_FONT_SIZE = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:[a-z]+|%)|0(?:/|$)")
_FUNCTION = re.compile(r"rgba?\(([^()]*)\)")
_HSL = re.compile(
    rf"hsla?\(\s*+({_NUMBER})(?:deg)?[\s,]++({_NUMBER})%[\s,]++({_NUMBER})%"
    rf"\s*+(?:[,/]\s*+({_NUMBER}%?)\s*+)?\)"
)
_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
_UNKNOWN_PAINT = re.compile(r"url\(|gradient\(|var\(|image\(|currentcolor|lab\(|lch\(|color\(")
_CLIPPED = re.compile(
    r"rect\(\s*(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?\s*\)"
)
_CUT = re.compile(r"inset\(\s*+(?:50|100)%|circle\(\s*+0|polygon\(\s*+0[^,()]{0,100}\)")
_SHRUNK = re.compile(
    r"scale(?:3d|x|y)?\(\s*+0?(?:\.0\d{0,9})?\s*+[,)]"
    r"|translate(?:3d|x|y)?\([^()]{0,100}-(?:[2-9]\d{3}|\d{5})"
)
_FADED = re.compile(r"opacity\(\s*+(?:0?\.0\d{0,9}|0)%?\s*+\)")
_UNHEEDED = re.compile(
    r"@(?:-\w+-)?(?:keyframes|font-|page|counter|property|viewport|view-transition|position-try)"
)
_ELSEWHERE = re.compile(r"@import\b|color-scheme\s*+:[^;}]{0,50}dark", re.IGNORECASE)
_MEDIA = {"": True, "all": True, "screen": True, "only screen": True, "only all": True}
_OTHER_MEDIA = re.compile(r"(?:only )?(?:print|speech|aural|tty|tv|handheld|braille|projection)")
_SCREEN = {"width": 1280.0, "height": 800.0}  # pixels, of a usual window
_LEAST_SIZE_PX = 1.34  # one point
_USUAL_SIZE_PX = 16.0
_FAR = -900.0  # pixels to the left or upwards: beside the page
_FARTHER = -3000.0  # pixels to the right or downwards, where a window may be scrolled to
_FAINT = 0.05  # opacity
_MOST_RULES = 20_000
_MOST_TESTS = 3_000_000  # of an element against a rule
_LONGEST_SELECTOR, _LONGEST_VALUE = 1000, 1000  # characters
_MOST_NESTED = 100  # selectors of a rule within others
_UNKNOWN = "?"  # a value that cannot be known: it hides nothing
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
        *("-webkit-text-stroke", "-webkit-text-stroke-width", "mix-blend-mode", "box-shadow"),
        *("border-image", "border-image-source", "backdrop-filter", "zoom", "scale", "translate"),
        *("animation", "animation-name", "transition", "transition-property", "min-height"),
        *("transition-duration", "min-width", "float", "margin", "inset", "all"),
    )
)
_MAY_MATTER = re.compile(
    r"display|visibility|opacity|font|color|background|position|left|top|right|bottom|indent"
    r"|margin|clip|height|width|overflow|transform|filter|mso-hide|shadow|padding|stroke|blend"
    r"|border-image|zoom|scale|translate|animation|transition|float|inset|all\b|\\",
    re.IGNORECASE,
)

_DISPLAY = "it is not displayed"
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
_MOVING = frozenset(
    ("left", "top", "right", "bottom", "margin-left", "margin-top", "text-indent", "transform")
) | {"translate"}


@dataclass(frozen=True)
class _Compound:
    """The parts of a selector that one element must have."""

    tag: str = ""
    key: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str, str | None], ...] = ()
    place: str = ""  # among the elements beside it: "1", "odd", "last-child"
    others: tuple["_Compound", ...] = ()  # which it must not be

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
        if any(other.fits(element) for other in self.others):
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
        is_sure: False if it may also not hold for the elements that it fits.
    """

    compounds: tuple[tuple[_Compound, str], ...]
    rank: tuple[int, int, int, int]
    values: dict[str, tuple[str, bool]]
    is_sure: bool = True


@dataclass(frozen=True)
class _Selector:
    """A selector; its parts go from the element outwards."""

    compounds: tuple[tuple[_Compound, str], ...] = ((_Compound(), ""),)
    rank: tuple[int, int, int] = (0, 0, 0)
    is_sure: bool = False
    pseudo: str = ""  # the part of an element that it is for


@dataclass(frozen=True)
class _Look:
    """What an element hands on to those in it.

    Args:
        reason: Why its text is not seen; empty while it is.
        size_px: Of its letters.
        colour: Of its letters; None where it is not known.
        background: Behind them; None where none is said, empty where it is not known.
        is_visible: False for what is laid out and not drawn, which inner elements may undo.
        is_movable: True if an inner element that has its own place may be seen all the same.
        is_repainted: True if effects change the colour or the size of what is drawn.
    """

    reason: str = ""
    size_px: float = _USUAL_SIZE_PX
    colour: Colour | None = None
    background: Colour | None = None
    is_visible: bool = True
    is_movable: bool = False
    is_repainted: bool = False


@dataclass
class _Sheet:
    """The rules of a page, by what the elements that they fit have."""

    by_mark: dict[str, list[_Rule]] = field(default_factory=lambda: defaultdict(list))
    num_rules: int = 0
    num_tests: int = 0
    is_whole: bool = True  # False if it names others, or the page may be dark
    has_scripts: bool = False
    painted: set[Any] = field(default_factory=set)  # elements with a placed one that has a colour

    def add(self, text: str, *, is_sure: bool = True) -> None:
        """Adds the rules of a style sheet; unsure ones only make what they set unknown."""
        if _ELSEWHERE.search(text):
            self.is_whole = False
        for selectors, body, holds in _rules_in(_plain(text)):
            if self.num_rules >= _MOST_RULES:
                return
            values = _declarations(body) if _MAY_MATTER.search(body) else {}
            for selector in selectors if values else ():
                self._add_rule(_selector(selector), values, is_sure=is_sure and holds)

    def _add_rule(
        self, selector: _Selector, values: dict[str, tuple[str, bool]], *, is_sure: bool
    ) -> None:
        if selector.pseudo in _BOXES:
            if not any(name.startswith(("background", "box-shadow")) for name in values):
                return
            values = {"background-image": ("url(", False)}
        elif selector.pseudo and selector.pseudo not in _LETTERS:
            return
        last = selector.compounds[0][0]
        rank = (*selector.rank, self.num_rules)
        self.num_rules += 1
        mark = f"#{last.key}" if last.key else f".{min(last.classes)}" if last.classes else last.tag
        self.by_mark[mark].append(
            _Rule(selector.compounds, rank, values, is_sure and selector.is_sure)
        )

    def values_of(self, element: Any) -> dict[str, str]:
        """The properties of an element, by rules and by its own attributes."""
        if self.num_tests >= _MOST_TESTS or self.num_rules >= _MOST_RULES:
            return dict.fromkeys(_HEEDED, _UNKNOWN)
        best: dict[str, tuple[tuple[Any, ...], str]] = {}
        unsure: list[_Rule] = []
        marks = ["", str(element.tag)]
        if classes := element.get("class"):
            marks += [f".{name}" for name in set(classes.split())]
        if key := element.get("id"):
            marks.append(f"#{key}")
        for mark in marks:
            for rule in self.by_mark.get(mark, ()):
                self.num_tests += 1
                if not self._fits(rule, element):
                    continue
                if rule.is_sure:
                    _take(best, rule.values, (0, *rule.rank))
                else:
                    unsure.append(rule)
        if style := element.get("style"):
            _take(best, _declarations(_plain(style)), (1, 0, 0, 0, 0))
        values = {name: value for name, (_, value) in best.items()}
        for rule in unsure:
            for name, (value, is_important) in rule.values.items():
                rank = best[name][0][:2] if name in best else ()
                if rank <= (is_important, 0) and values.get(name) != value:
                    values[name] = _UNKNOWN
        return values

    def _fits(self, rule: _Rule, element: Any) -> bool:
        (first, sign), *outer = rule.compounds
        if not first.fits(element):
            return False
        found = {element: None}
        for compound, next_sign in outer:
            near: dict[Any, None] = {}
            for inner in found:
                for each in _related(inner, sign):
                    self.num_tests += 1
                    if each not in near and compound.fits(each):
                        near[each] = None
            if not near:
                return False
            found, sign = near, next_sign
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
    sheet = _Sheet(has_scripts=any(map(_is_script, root.iter("script"))))
    for style in root.iter("style"):
        holds = _is_of_screen(style.get("media") or "")
        if holds is not False and _is_obeyed(style):
            sheet.add(style.text or "", is_sure=bool(holds))
    for text in sheets or ():
        sheet.add(text)
    if not sheet.num_rules and not root.xpath(
        "//*[@style or @hidden or @bgcolor or @color or @text]"
    ):
        return Counter()
    is_white = (
        on_paper
        and sheet.is_whole
        and (sheets is not None or not root.xpath("//link[contains(@rel, 'stylesheet')]"))
        and not root.xpath("//meta[@name='color-scheme'][contains(@content, 'dark')]")
    )
    hidden = list(_find_unseen(root, sheet, is_white=is_white))
    hidden = [each for each in hidden if each[-1] != SAME_COLOUR or not _is_painted(each[0], sheet)]
    words = Counter[str]()
    for _, _, text, reason in hidden:
        words[reason] += count_words(text)
    total = sum(words.values())
    if total >= _MANY_HIDDEN and count_words(_text(root)) - total < _FEWEST_SEEN:
        return Counter()
    for element, name, _, _ in hidden:
        setattr(element, name, " ")
    return +words


def _is_script(element: Any) -> bool:
    kind = (element.get("type") or "").lower()
    return not kind or "javascript" in kind or "ecmascript" in kind or kind == "module"


def _is_obeyed(style: Any) -> bool:
    """True for an element with styles that a browser with scripts obeys."""
    if (style.get("type") or "text/css").strip().lower() != "text/css":
        return False
    return next(style.iterancestors("noscript", "template"), None) is None


def _is_of_screen(query: str) -> bool | None:
    """True for a media query that holds in a usual window; None where that is not known."""
    found = [_is_met(each) for each in query.lower().split(",")]
    return True if True in found else None if None in found else False


def _is_met(conditions: str) -> bool | None:
    found = [_holds(" ".join(each.split())) for each in re.split(r"\sand\b", conditions)]
    return False if False in found else None if None in found else True


def _holds(condition: str) -> bool | None:
    if condition in _MEDIA:
        return True
    if _OTHER_MEDIA.fullmatch(condition):
        return False
    if not condition.startswith("(") or not condition.endswith(")"):
        return None
    name, _, value = (part.strip() for part in condition[1:-1].partition(":"))
    if name == "prefers-color-scheme":
        return value == "light"
    bound, _, side = name.partition("-")
    if bound not in ("min", "max") or side not in _SCREEN or not _LENGTH.fullmatch(value):
        return None
    pixels = _pixels({side: value}, side)
    return pixels <= _SCREEN[side] if bound == "min" else pixels >= _SCREEN[side]


def _is_painted(element: Any, sheet: _Sheet) -> bool:
    return bool(sheet.painted) and not sheet.painted.isdisjoint(element.iterancestors())


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
    if not reason and look.is_repainted:
        return
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
    formula = next(element.iter("math"), None) if hidden else None
    return formula is not None and bool("".join(formula.itertext()).strip())


def _look(element: Any, sheet: _Sheet, outer: _Look) -> _Look:
    if not isinstance(element.tag, str):
        return outer
    values = _values(element, sheet)
    is_gone = element.get("hidden") is not None and "display" not in values
    if not values and not is_gone:
        return outer
    values = {name: value.lower() for name, value in values.items()}
    _forget_what_moves(values, has_scripts=sheet.has_scripts)
    if values.get("position", "static") not in ("static", "relative") and (
        element.tag in _PICTURES or any(name.startswith("background") for name in values)
    ):
        sheet.painted.add(element.getparent())
    reason, is_movable = _hiding(element.tag, values, outer, is_gone=is_gone)
    visibility = values.get("visibility", "inherit")
    is_visible = outer.is_visible
    if visibility != "inherit":
        is_visible = visibility not in ("hidden", "collapse") or element.tag in ("html", "body")
    return replace(
        outer,
        reason=reason,
        is_visible=is_visible,
        is_movable=is_movable,
        is_repainted=outer.is_repainted or _is_repainted(values),
        size_px=_size(values, outer.size_px),
        colour=_text_colour(values, outer.colour),
        background=_background(values, outer.background),
    )


def _values(element: Any, sheet: _Sheet) -> dict[str, str]:
    """The properties of an element, those of its older attributes too."""
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
    return values


def _hiding(tag: str, values: dict[str, str], outer: _Look, *, is_gone: bool) -> tuple[str, bool]:
    """Why an element is not seen, and True if the place of an inner one may undo it."""
    is_placed = not _MOVING.isdisjoint(values) or values.get("position") in (
        *("absolute", "fixed", _UNKNOWN),
    )
    if outer.reason and not (outer.is_movable and is_placed):
        return outer.reason, outer.is_movable
    if tag in ("html", "body"):
        return "", False
    if reason := _DISPLAY if is_gone else _reason(values):
        return reason, False
    if _is_squeezed(tag, values):
        return _DISPLAY, True
    return (OUTSIDE, True) if _is_far(values) else ("", False)


def _forget_what_moves(values: dict[str, str], *, has_scripts: bool) -> None:
    """Makes unknown what an animation, a transition or a script of the page may change."""
    if any(
        name.startswith(("animation", "transition")) and value != "none"
        for name, value in values.items()
    ):
        for name in values.keys() - {"display", "mso-hide"}:
            values[name] = _UNKNOWN
    elif has_scripts and "opacity" in values:
        values["opacity"] = _UNKNOWN


def _is_repainted(values: dict[str, str]) -> bool:
    """True if effects change the colour or the size of what is drawn."""
    return (
        any(values.get(name, usual) != usual for name, usual in _REPAINTING.items())
        or any(kind in values.get("transform", "") for kind in ("scale", "matrix", _UNKNOWN))
        or any(
            cut in values.get(name, "")
            for name in ("background-clip", "-webkit-background-clip")
            for cut in ("text", _UNKNOWN)
        )
    )


def _reason(values: dict[str, str]) -> str:
    """Why an element and all in it is not seen; empty if it is, or if a place may undo it."""
    opacity = _LENGTH.match(values.get("opacity", ""))
    if (
        values.get("display", "").startswith("none")
        or values.get("content-visibility") == "hidden"
        or values.get("mso-hide") == "all"
        or (opacity and float(opacity[1]) <= (100 * _FAINT if opacity[2] == "%" else _FAINT))
        or _FADED.search(values.get("filter", ""))
    ):
        return _DISPLAY
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


def _is_far(values: dict[str, str]) -> bool:
    """True for what lies beside the page."""
    position = values.get("position", "")
    is_placed = position in ("absolute", "fixed")
    return (
        (is_placed and any(_pixels(values, name) <= _FAR for name in ("left", "top")))
        or (is_placed and any(_pixels(values, name) <= _FARTHER for name in ("right", "bottom")))
        or any(
            _pixels(values, name) <= _FAR for name in ("text-indent", "margin-left", "margin-top")
        )
        or (position == "relative" and _pixels(values, "left") <= _FAR)
    )


def _is_squeezed(tag: str, values: dict[str, str]) -> bool:
    """True for a box of no height or width that shows nothing of what does not fit."""
    display = values.get("display", "")
    is_placed = values.get("position") in ("absolute", "fixed")
    is_block = display in _BLOCK_DISPLAYS or (tag in _BLOCKS and not display)
    if not is_block and not (is_placed and not display.startswith("table") and tag != "table"):
        return False
    if any(values.get(name, "0") not in ("0", "0px") for name in ("min-height", "min-width")):
        return False
    overflow = " ".join(values.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    if "hidden" not in overflow and "clip" not in overflow:
        return False
    if any(
        mark in values.get(name, "")
        for name in ("padding", "padding-top", "padding-bottom")
        for mark in ("%", _UNKNOWN)
    ):
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
    if unit in ("%", "vw", "vh"):
        return float(length[1]) * 2  # blocks that fill the window start to the left of their place
    return float(length[1]) * _PIXELS.get(unit, _USUAL_SIZE_PX)


def _size(values: dict[str, str], outer_px: float) -> float:
    value = values.get("font-size", "")
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
    if value == "transparent":
        return ()
    return _colour(value)


def _background(values: dict[str, str], outer: Colour | None) -> Colour | None:
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
        hue, saturation, lightness = map(float, match.groups()[:3])
        opacity = _part(match[4] or "1", 1)
        if opacity <= 1 - _FAINT:
            return () if opacity <= _FAINT else None
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


def _plain(text: str) -> str:
    """Style text without comments, with signs that only stand for themselves as numbers."""
    return _TOKEN.sub(_plain_token, text)


def _plain_token(match: re.Match[str]) -> str:
    token = match[0]
    if token.startswith("\\"):
        return f"\\{ord(token[1]):x} "
    if token[0] in "\"'":
        return token[0] + _SIGNIFICANT.sub(_as_number, token[1:-1]) + token[0]
    return " "


def _as_number(match: re.Match[str]) -> str:
    return f"\\{ord(match[0][-1]):x} "


def _unescape(text: str) -> str:
    def sign(match: re.Match[str]) -> str:
        number = int(match[1], 16)
        return chr(number) if 0 < number <= 0x10FFFF else "\ufffd"

    return _ESCAPE.sub(sign, text) if "\\" in text else text


@dataclass
class _Block:
    """A part of a style sheet between braces.

    Args:
        selectors: For which its declarations are; none of the sheet itself.
        holds: True or False, or None where that is not known.
        declarations: Those of it.
    """

    selectors: tuple[str, ...] = ()
    holds: bool | None = True
    declarations: list[str] = field(default_factory=list)


def _rules_in(text: str) -> Iterator[tuple[tuple[str, ...], str, bool]]:
    """The selectors and declarations of a style sheet, and True for those that surely hold."""
    blocks = [_Block()]
    start = 0
    for brace in _BRACE.finditer(text):
        piece = text[start : brace.start()]
        start = brace.end()
        if brace[0] == "{":
            before, _, prelude = piece.rpartition(";")
            blocks[-1].declarations.append(before)
            blocks.append(_block(prelude.strip(), blocks[-1]))
        elif len(blocks) > 1:
            block = blocks.pop()
            block.declarations.append(piece)
            if block.selectors and block.holds is not False:
                yield block.selectors, ";".join(block.declarations), block.holds is True


def _block(prelude: str, outer: _Block) -> _Block:
    if not prelude.startswith("@"):
        selectors = tuple(each.strip() for each in _split(prelude))
        holds = outer.holds
        if outer.selectors:
            if len(outer.selectors) > 1:
                holds = holds and None
            selectors = _nested(selectors, outer.selectors)
        return _Block(selectors, holds)
    if outer.holds is False or _UNHEEDED.match(prelude.lower()):
        return _Block(outer.selectors, holds=False)
    kind, _, query = prelude.lower().partition("@media")
    holds = None if kind else _is_of_screen(query)
    return _Block(outer.selectors, holds if outer.holds or holds is False else None)


def _nested(selectors: tuple[str, ...], outer: tuple[str, ...]) -> tuple[str, ...]:
    if len(selectors) * len(outer) > _MOST_NESTED or max(map(len, outer)) > _LONGEST_SELECTOR:
        return ("&",)
    return tuple(
        inner.replace("&", each, 5) if "&" in inner else f"{each} {inner}"
        for inner in selectors
        for each in outer
    )


def _split(selectors: str) -> Iterator[str]:
    """The selectors of a list."""
    start, depth = 0, 0
    for sign in _LIST.finditer(selectors):
        if sign[0] != ",":
            depth += 1 if sign[0] in "([" else -1
        elif depth <= 0:
            yield selectors[start : sign.start()]
            start = sign.end()
    yield selectors[start:]


def _declarations(text: str) -> dict[str, tuple[str, bool]]:
    """The properties that are heeded, those that stand for several as each of them."""
    values: dict[str, tuple[str, bool]] = {}
    for declaration in text.split(";"):
        name, colon, value = declaration.partition(":")
        name = _unescape(name).strip().lower()
        if not colon or name not in _HEEDED:
            continue
        is_important = False
        if len(value) > _LONGEST_VALUE:
            plain = _UNKNOWN
        else:
            is_important = bool(_IMPORTANT.search(value))
            plain = _IMPORTANT.sub("", value).strip().lower()
        for each, part in _longhands(name, plain) if plain else ():
            if each not in values or is_important or not values[each][1]:
                values[each] = part, is_important
    return values


def _longhands(name: str, value: str) -> Iterator[tuple[str, str]]:
    if name == "all":
        yield from dict.fromkeys(_HEEDED, _UNKNOWN).items()
    elif name == "font":
        yield "font-size", next(filter(_FONT_SIZE.match, value.split()), _UNKNOWN)
    elif name == "background":
        yield "background-image", "url(" if _UNKNOWN_PAINT.search(value) else "none"
        yield "background-color", value
    elif name in ("margin", "inset"):
        parts = value.split() if "(" not in value else [_UNKNOWN]
        top, right, bottom, left = (parts * 4)[:4] if len(parts) < 3 else (*parts, parts[1])[:4]
        start = "margin-" if name == "margin" else ""
        yield f"{start}top", top
        yield f"{start}left", left
        if name == "inset":
            yield "right", right
            yield "bottom", bottom
    else:
        yield name, value


def _selector(text: str) -> _Selector:
    """A selector; parts that are not understood are left out, and it is not sure then."""
    if not text or len(text) > _LONGEST_SELECTOR:
        return _Selector()
    found: list[tuple[_Compound, str]] = []
    at, sign, pseudo = 0, "", ""
    is_sure = True
    rank = [0, 0, 0]
    compound = _Compound()
    while at < len(text):
        if match := _SIMPLE.match(text, at):
            name = match[2] or ""
            rank[0 if match[1] == "#" else 1 if match[1] or match[3] else 2] += name != "*"
            is_sure = is_sure and not (match[1] == "#" and compound.key)
            compound = _with(compound, match)
        elif match := _PLACE.match(text, at):
            other = _selector(match[3].strip()) if match[3] else None
            if other is None:
                is_sure = is_sure and not compound.place
                place = match[2] or {"first-child": "1"}.get(match[1], match[1])
                compound = replace(compound, place=place)
                rank[1] += 1
            elif other.is_sure and len(other.compounds) == 1 and "," not in match[3]:
                compound = replace(compound, others=(*compound.others, other.compounds[0][0]))
                rank = [own + more for own, more in zip(rank, other.rank, strict=True)]
            else:
                is_sure = False
        elif match := _OTHER.match(text, at):
            if match[0] == ":root":
                compound = replace(compound, tag="html")
                rank[1] += 1
            else:
                is_sure = False
                if match[0].startswith("::") or match[1] in (*_BOXES, *_LETTERS):
                    pseudo = match[1]
        elif match := _COMBINATOR.match(text, at):
            found.append((compound, sign))
            compound, sign = _Compound(), match[0].strip() or " "
        else:
            return _Selector()
        at = match.end()
    found.append((compound, sign))
    return _Selector(tuple(reversed(found)), (rank[0], rank[1], rank[2]), is_sure, pseudo)


def _with(compound: _Compound, match: re.Match[str]) -> _Compound:
    sign, name, attribute, how, *values = match.groups()
    if attribute:
        value = next((_unescape(each) for each in values if each is not None), None)
        return replace(
            compound, attributes=(*compound.attributes, (attribute.lower(), how or "", value))
        )
    name = _unescape(name)
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

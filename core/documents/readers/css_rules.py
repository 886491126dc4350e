"""Style sheets, taken apart: their rules, what they declare, and if they hold on a screen."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from core.documents.readers.css_values import LENGTH, get_pixels, is_understood

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
_IMPORTANT = re.compile(r"!\s*important\s*$")
_FONT_SIZE = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:[a-z]+|%)|0(?:/|$)")
_UNKNOWN_PAINT = re.compile(r"url\(|gradient\(|var\(|image\(|currentcolor|lab\(|lch\(|color\(")
_UNHEEDED = re.compile(
    r"@(?:-\w+-)?(?:keyframes|font-|page|counter|property|viewport|view-transition|position-try)"
)
_MEDIA = {"": True, "all": True, "screen": True, "only screen": True, "only all": True}
_OTHER_MEDIA = re.compile(r"(?:only )?(?:print|speech|aural|tty|tv|handheld|braille|projection)")
_SCREEN = {"width": 1280.0, "height": 800.0}  # pixels, of a usual window
_MOST_NESTED = 100  # selectors of a rule within others
UNKNOWN = "?"  # a value that cannot be known: it hides nothing
HEEDED = frozenset(
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
        *("transition-duration", "min-width", "float", "margin", "inset", "all", "font-family"),
        *("text-decoration", "text-decoration-line"),
    )
)
MAY_MATTER = re.compile(
    r"display|visibility|opacity|font|color|background|position|left|top|right|bottom|indent"
    r"|margin|clip|height|width|overflow|transform|filter|mso-hide|shadow|padding|stroke|blend"
    r"|border-image|zoom|scale|translate|animation|transition|float|inset|decoration|all\b|\\",
    re.IGNORECASE,
)
_PAGE = frozenset((":root", "html", "body", "*"))
_VARIABLE = re.compile(r"var\(\s*+(--[\w-]++)\s*+(?:,[^(),]{0,200}(?:\([^()]{0,200}\))?\s*+)?\)")
_MOST_NESTED_VARIABLES = 5
LONGEST_SELECTOR = 1000  # characters
_LONGEST_VALUE = 1000  # characters


def is_for_screen(query: str) -> bool | None:
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
    if bound not in ("min", "max") or side not in _SCREEN or not LENGTH.fullmatch(value):
        return None
    pixels = get_pixels({side: value}, side)
    return pixels <= _SCREEN[side] if bound == "min" else pixels >= _SCREEN[side]


def simplify_style(text: str) -> str:
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


def unescape(text: str) -> str:
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


def split_rules(text: str) -> Iterator[tuple[tuple[str, ...], str, bool]]:
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
    holds = None if kind else is_for_screen(query)
    return _Block(outer.selectors, holds if outer.holds or holds is False else None)


def _nested(selectors: tuple[str, ...], outer: tuple[str, ...]) -> tuple[str, ...]:
    if len(selectors) * len(outer) > _MOST_NESTED or max(map(len, outer)) > LONGEST_SELECTOR:
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


def parse_declarations(
    text: str, variables: Mapping[str, str] = MappingProxyType({})
) -> dict[str, tuple[str, bool]]:
    """The properties that are heeded, those that stand for several as each of them.

    Args:
        text: Declarations of a rule or of an element.
        variables: Values of variables of the whole page, by their names.

    Returns:
        Values by property, with True for those that are important. What browsers do not
        understand is not there, so that what was declared before it holds.
    """
    values: dict[str, tuple[str, bool]] = {}
    for declaration in text.split(";"):
        name, colon, value = declaration.partition(":")
        name = unescape(name).strip().lower()
        if not colon or name not in HEEDED:
            continue
        is_important = False
        value = insert_variables(value, variables)
        if len(value) > _LONGEST_VALUE:
            plain = UNKNOWN
        else:
            is_important = bool(_IMPORTANT.search(value))
            plain = _IMPORTANT.sub("", value).strip().lower()
        for each, part in _longhands(name, plain) if is_understood(name, plain) else ():
            if each not in values or is_important or not values[each][1]:
                values[each] = part, is_important
    return values


def find_variables(sheets: Iterable[tuple[str, bool]]) -> dict[str, str]:
    """The variables that have one value on a whole page.

    Args:
        sheets: Texts of style sheets, with True for those that surely hold.

    Returns:
        Values by name ("--paper"); those that are set for parts of the page are not there.
    """
    values: dict[str, str] = {}
    elsewhere: set[str] = set()
    for text, is_sure in sheets:
        for selectors, body, holds in split_rules(simplify_style(text)):
            is_of_page = is_sure and holds and _PAGE.issuperset(selectors)
            for declaration in body.split(";") if "--" in body else ():
                name, colon, value = (part.strip() for part in declaration.partition(":"))
                if not colon or not name.startswith("--"):
                    continue
                if not is_of_page or values.setdefault(name, value) != value:
                    elsewhere.add(name)
    return {name: value for name, value in values.items() if name not in elsewhere}


def insert_variables(value: str, variables: Mapping[str, str]) -> str:
    """A value with those of the variables that it names; others stay, so that it is not known."""
    for _ in range(_MOST_NESTED_VARIABLES):
        if "var(" not in value or len(value) > _LONGEST_VALUE:
            break
        value = _VARIABLE.sub(lambda match: variables.get(match[1], match[0]), value)
    return value


def _longhands(name: str, value: str) -> Iterator[tuple[str, str]]:
    if name == "all":
        yield from dict.fromkeys(HEEDED, UNKNOWN).items()
    elif name == "font":
        yield "font-size", next(filter(_FONT_SIZE.match, value.split()), UNKNOWN)
        yield "font-family", _family(value)
    elif name == "text-decoration":
        yield "text-decoration-line", value
    elif name == "background":
        yield "background-image", "url(" if _UNKNOWN_PAINT.search(value) else "none"
        yield "background-color", value
    elif name in ("margin", "inset"):
        parts = value.split() if "(" not in value else [UNKNOWN]
        top, right, bottom, left = (parts * 4)[:4] if len(parts) < 3 else (*parts, parts[1])[:4]
        start = "margin-" if name == "margin" else ""
        yield f"{start}top", top
        yield f"{start}left", left
        if name == "inset":
            yield "right", right
            yield "bottom", bottom
    else:
        yield name, value


def _family(font: str) -> str:
    """The first family of the fonts that a declaration for all of a font's properties names."""
    first = font.partition(",")[0].rstrip()
    if first.endswith(("'", '"')):
        return first.split(first[-1])[-2]
    return (first.split() or [UNKNOWN])[-1]

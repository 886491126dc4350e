r"""Fields of Word whose code is what they show: signs (SYMBOL) and small formulas (EQ).

Word saves no result of them, or a picture: "EQ \f(1,2)" is the fraction 1/2. An EQ field also sets
readings above Chinese and Japanese characters, which are left away as those of `w:ruby` are.
"""

import re
from collections.abc import Callable
from typing import Any

from core.documents.readers.formulas import MOST_CHARACTERS, OMITTED, set_apart, text_of_mathml
from core.documents.readers.office_formulas import (
    NOT_IN_A_LINE,
    make_element,
    make_leaf,
    make_leaves,
)
from core.documents.readers.office_objects import is_equation
from core.documents.readers.symbol_fonts import is_symbol_font, with_signs

TICKED_BOX, EMPTY_BOX = "☒", "☐"
"""Characters for the boxes of forms."""

_SYMBOL = re.compile(r"\s*SYMBOL\s+(?P<code>0x[0-9a-f]{1,6}|\d{1,7})\b(?P<rest>.*)", re.I | re.S)
_FONT = re.compile(r"\\f\s*(?:\"([^\"]{1,60})\"|([^\s\\\"]{1,60}))", re.IGNORECASE)
_UNICODE = re.compile(r"\\u\b", re.IGNORECASE)
_EQ = re.compile(r"\s*EQ\b(?P<source>.*)", re.IGNORECASE | re.DOTALL)
_EMBED = re.compile(r"\s*(?:EMBED|LINK)\s+\\?\"?(?P<program>[\w.]{1,60})", re.IGNORECASE)
_GENERAL = re.compile(r"\s*\\\*\s*(?:\"[^\"]*\"|[^\s\\(]+)\s*")  # "\* jc2", "\* MERGEFORMAT"
_TOKEN = re.compile(r"\\(?P<switch>[a-z]{1,2})\s*(?P<number>-?\d*)\s*|\\(?P<plain>.)|(?P<char>.)",
                    re.IGNORECASE | re.DOTALL)  # fmt: skip
_SEPARATORS = (",", ";")
_DEEPEST = 20
_OVERLAID = "○〇◯□△◇●■"  # shapes around a character
_ARROWS = "→⃗"


def field_text(code: str) -> str | None:
    """Returns what a field shows that its code says alone.

    Args:
        code: The code, such as `SYMBOL 109 \\f "Symbol"`.

    Returns:
        The text, a formula on its way into a sentence; None for fields that show their result.
    """
    if match := _SYMBOL.fullmatch(code):
        return _sign(int(match["code"], 0 if match["code"][:2].lower() == "0x" else 10), match)
    if match := _EQ.fullmatch(code):
        return _equation(match["source"])
    match = _EMBED.match(code)
    return set_apart(OMITTED) if match and is_equation(match["program"]) else None


def _sign(code: int, match: re.Match[str]) -> str:
    """The sign of a SYMBOL field."""
    font = _FONT.search(match["rest"])
    name = (font[1] or font[2]) if font else ""
    if not 0x20 <= code <= 0x10FFFF or 0xD800 <= code < 0xE000:
        return ""
    if code < 0x100 and not is_symbol_font(name) and not _UNICODE.search(match["rest"]):
        return bytes([code]).decode("cp1252", "ignore")
    return with_signs(chr(code), name)


def _equation(source: str) -> str:
    if len(source) > MOST_CHARACTERS:
        return OMITTED
    source = _GENERAL.sub(" ", source).strip()
    if not source:
        return ""
    try:
        row = _Equation(source).row(0)
    except _NotUnderstoodError:
        return OMITTED
    return set_apart(text_of_mathml(make_element("math", *row)))


class _NotUnderstoodError(Exception):
    """A formula that is damaged, or that is no line of text."""


class _Equation:
    """Reads the code of an EQ field from left to right, as MathML."""

    def __init__(self, source: str) -> None:
        self._tokens = list(_TOKEN.finditer(source))
        self._at = 0

    def row(self, depth: int) -> list[Any]:
        """The elements up to the end of an argument."""
        if depth > _DEEPEST:
            raise _NotUnderstoodError
        parts: list[Any] = []
        text = ""
        open_brackets = 0  # which are text themselves
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            char = token["char"] or token["plain"]
            is_end = (char == ")" and not open_brackets) or char in _SEPARATORS
            if depth and is_end and not token["plain"]:
                break
            self._at += 1
            if char:
                open_brackets += (char == "(") - (char == ")")
                text += char
                continue
            parts += make_leaves(text)
            text = ""
            self._add(parts, self._read_switch(token["switch"].lower(), depth + 1))
        return [*parts, *make_leaves(text)]

    def _add(self, parts: list[Any], part: Any) -> None:
        """Adds an element to a row, where a power or index goes with the one before."""
        if part.tag in ("msup", "msub"):
            base = parts.pop() if parts else make_element("mrow")
            part.insert(0, base)
        parts.append(part)

    def _read_switch(self, name: str, depth: int) -> Any:
        options = self._options()
        arguments = self._arguments(depth)
        build = _BUILDERS.get(name)
        if build is None:
            raise _NotUnderstoodError
        return build(options, arguments)

    def _options(self) -> dict[str, str]:
        """The options before an argument; each with the bracket that it names, if it does."""
        options: dict[str, str] = {}
        last = ""
        while self._at < len(self._tokens) and not self._tokens[self._at]["char"]:
            token = self._tokens[self._at]
            last = token["switch"].lower() if token["switch"] else last
            options[last] = token["plain"] or ""
            self._at += 1
        return options

    def _arguments(self, depth: int) -> list[Any]:
        if self._at == len(self._tokens) or self._tokens[self._at]["char"] != "(":
            raise _NotUnderstoodError
        found: list[Any] = []
        while not found or self._tokens[self._at]["char"] != ")":
            self._at += 1
            found.append(make_element("mrow", *self.row(depth)))
            if self._at == len(self._tokens):
                raise _NotUnderstoodError
        self._at += 1
        return found


def _fraction(options: dict[str, str], arguments: list[Any]) -> Any:
    return make_element("mfrac", *arguments)  # which is left out unless there are two


def _root(options: dict[str, str], arguments: list[Any]) -> Any:
    *index, base = arguments
    has_index = index and "".join(index[0].itertext()).strip()
    return make_element("mroot", base, index[0]) if has_index else make_element("msqrt", base)


def _shift(options: dict[str, str], arguments: list[Any]) -> Any:
    """A power or an index, still without its base."""
    if len(arguments) > 1:
        raise _NotUnderstoodError
    return make_element("msub" if "do" in options else "msup", *arguments)


def _overlay(options: dict[str, str], arguments: list[Any]) -> Any:
    """Characters drawn over each other: one with its reading, or within a circle."""
    readings = [each for each in arguments if len(each) == 1 and each[0].tag in ("msup", "msub")]
    bases = [each for each in arguments if each not in readings] or arguments[-1:]
    filled = [each for each in bases if "".join(each.itertext()).strip() not in _OVERLAID]
    if len(readings) > 1 or len(filled) > 1:  # a power above an index, for example
        raise _NotUnderstoodError
    base = make_element("mrow", *(filled or bases[:1]))
    has_arrow = any("".join(each.itertext()).strip() in _ARROWS for each in readings)
    return make_element("mover", base, make_leaf("mo", "→")) if has_arrow else base


def _bracket(options: dict[str, str], arguments: list[Any]) -> Any:
    opened, closed = options.get("lc", ""), options.get("rc", "")
    if "bc" in options:
        opened = options["bc"]
        closed = {"[": "]", "{": "}", "<": ">", "(": ")"}.get(opened, opened)
    elif not options:
        opened, closed = "(", ")"
    return make_element("mrow", make_leaf("mo", opened), *arguments, make_leaf("mo", closed))


def _box(options: dict[str, str], arguments: list[Any]) -> Any:
    is_barred = set(options) == {"to"}
    return (
        make_element("mover", *arguments, make_leaf("mo", "¯"))
        if is_barred
        else make_element("mrow", *arguments)
    )


def _list(options: dict[str, str], arguments: list[Any]) -> Any:
    parts = [part for each in arguments for part in (make_leaf("mo", ", "), each)]
    return make_element("mrow", *parts[1:])


def _sum(options: dict[str, str], arguments: list[Any]) -> Any:
    if len(arguments) != 3:
        raise _NotUnderstoodError
    sign = "∑" if "su" in options else "∏" if "pr" in options else "∫"
    low, high, of = arguments
    return make_element(
        "mrow",
        make_element("msubsup", make_leaf("mo", sign), low, high),
        make_element("mspace"),
        of,
    )


def _displace(options: dict[str, str], arguments: list[Any]) -> Any:
    return make_element("mspace")


def _stack(options: dict[str, str], arguments: list[Any]) -> Any:
    """An array, which is no line unless it has one entry."""
    return make_element("mrow" if len(arguments) == 1 else NOT_IN_A_LINE, *arguments)


_BUILDERS: dict[str, Callable[[dict[str, str], list[Any]], Any]] = {
    "f": _fraction,
    "r": _root,
    "s": _shift,
    "o": _overlay,
    "b": _bracket,
    "x": _box,
    "l": _list,
    "i": _sum,
    "d": _displace,
    "a": _stack,
}

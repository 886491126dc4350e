"""Formulas of Word and PowerPoint as one line of text.

Their markup (OMML) is rewritten as MathML, of which there is one way to text.
"""

import re
from collections.abc import Callable
from typing import Any

from lxml import etree

from core.documents.readers.formulas import MOST_CHARACTERS, OMITTED, text_of_mathml
from core.documents.readers.symbol_fonts import is_symbol_font, with_signs

MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
"""The namespace of formulas in Office files."""

_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|\s+|.", re.DOTALL)
_PRIVATE = re.compile("[\uf020-\uf0ff]")
_DELETED = ("del", "moveFrom")
_ALONE = frozenset(
    (
        *("oMath", "oMathPara", "e", "num", "den", "sup", "sub", "deg", "lim", "fName", "box"),
        *("borderBox", "ins", "moveTo", "smartTag", "sdt", "sdtContent"),
    )
)
# The mark of a letter as MathML spells it.
_ACCENTS = {
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "¯",
    "\u0305": "¯",
    "\u0307": "˙",
    "\u20d7": "→",
}
_DEEPEST = 100  # elements within elements
NOT_IN_A_LINE = "notInALine"
"""An element that MathML has not, so that the formula is left out."""


def text_of_omml(element: Any) -> str:
    """A formula as a line of text.

    Args:
        element: An `oMath` or `oMathPara` of lxml.

    Returns:
        Its text: "1/2", "10⁶", "√16"; `OMITTED` where it does not fit into a line or is not
        understood.
    """
    if _is_too_much(element):
        return OMITTED
    return text_of_mathml(make_element("math", _mathml(element)))


def find_formulas(display: Any) -> list[Any]:
    """The formulas of a paragraph of display math (`oMathPara`), each on a line of its own."""
    return display.findall(f"{MATHS}oMath") or [display]


def _is_too_much(element: Any) -> bool:
    """Whether a formula is longer or deeper than any on a line."""
    depth = length = 0
    for event, inner in etree.iterwalk(element, events=("start", "end")):
        depth += 1 if event == "start" else -1
        length += len(inner.text or "") if event == "start" else 0
        if depth > _DEEPEST or length > MOST_CHARACTERS:
            return True
    return False


def make_element(name: str, *children: Any) -> Any:
    """Makes an element of MathML."""
    element = etree.Element(name)
    element.extend(children)
    return element


def make_leaf(name: str, text: str) -> Any:
    """Makes an element of MathML that holds text."""
    element = etree.Element(name)
    element.text = text
    return element


def make_leaves(text: str) -> list[Any]:
    """Makes an element of MathML for each name, number and sign of a text."""
    return [make_leaf(_kind(token), token) for token in _TOKEN.findall(text)]


def _name(element: Any) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _mathml(element: Any) -> Any:
    """An element of a formula, with all it holds."""
    name = _name(element)
    if name in _ALONE:
        return make_element(
            "mrow", *(part for child in element if _is_read(child) for part in _row(child))
        )
    return _BUILT[name](element) if name in _BUILT else make_element(NOT_IN_A_LINE)


def _row(element: Any) -> list[Any]:
    """What an element becomes in a row: of a run, a leaf for each name, number and sign."""
    return _leaves(element) if _name(element) == "r" else [_mathml(element)]


def _is_read(element: Any) -> bool:
    """Whether an element holds anything of the formula's text."""
    name = _name(element)
    if not name or name in _DELETED or name.endswith("Pr"):
        return False
    return next(element.iter(f"{MATHS}t", f"{MATHS}chr"), None) is not None or name in _BUILT


def _leaves(run: Any) -> list[Any]:
    text = "".join(part.text or "" for part in run.iter(f"{MATHS}t"))
    if _PRIVATE.search(text):
        font = next(run.iter("{*}rFonts", "{*}latin"), None)
        names = () if font is None else font.values()
        text = with_signs(text, next(filter(is_symbol_font, names), "Symbol"))
    is_plain = run.find(f"{MATHS}rPr/{MATHS}nor") is not None
    if is_plain and not text.isalnum():
        return [make_leaf("mtext", text)]
    return make_leaves(text)


def _kind(token: str) -> str:
    if token.isspace():
        return "mspace"
    return "mn" if token[0].isdecimal() else "mi" if token[0].isalpha() else "mo"


def _part(element: Any, name: str) -> Any:
    found = element.find(f"{MATHS}{name}")
    return make_element("mrow") if found is None else _mathml(found)


def _is_empty(element: Any) -> bool:
    return not "".join(element.itertext()).strip()


def _value(element: Any, name: str, default: str) -> str:
    """A property of a part of a formula."""
    found = element.find(f"{MATHS}{_name(element)}Pr/{MATHS}{name}")
    return default if found is None else str(found.get(f"{MATHS}val") or "")


def _of_parts(name: str, *parts: str) -> Callable[[Any], Any]:
    return lambda element: make_element(name, *(_part(element, part) for part in parts))


def _scripts(base: Any, low: Any, high: Any) -> Any:
    """A base with those of its index and power that are not empty."""
    if not _is_empty(low) and not _is_empty(high):
        return make_element("msubsup", base, low, high)
    if not _is_empty(low):
        return make_element("msub", base, low)
    return make_element("msup", base, high) if not _is_empty(high) else base


def _of_scripts(element: Any) -> Any:
    return _scripts(_part(element, "e"), _part(element, "sub"), _part(element, "sup"))


def _before(element: Any) -> Any:
    """Index and power before their base, as of an isotope."""
    scripts = _scripts(make_element("mrow"), _part(element, "sub"), _part(element, "sup"))
    return make_element("mrow", scripts, _part(element, "e"))


def _fraction(element: Any) -> Any:
    if _value(element, "type", "bar") == "noBar":
        return make_element(NOT_IN_A_LINE)
    return make_element("mfrac", _part(element, "num"), _part(element, "den"))


def _root(element: Any) -> Any:
    index = _part(element, "deg")
    if _is_empty(index):
        return make_element("msqrt", _part(element, "e"))
    return make_element("mroot", _part(element, "e"), index)


def _in_delimiters(element: Any) -> Any:
    parts = [make_leaf("mo", _value(element, "begChr", "("))]
    for number, inner in enumerate(element.findall(f"{MATHS}e")):
        parts += [make_leaf("mo", _value(element, "sepChr", "|"))] if number else []
        parts.append(_mathml(inner))
    return make_element("mrow", *parts, make_leaf("mo", _value(element, "endChr", ")")))


def _sum(element: Any) -> Any:
    """A sum, an integral, a product."""
    sign = make_leaf("mo", _value(element, "chr", "∫"))
    scripts = _scripts(sign, _part(element, "sub"), _part(element, "sup"))
    return make_element("mrow", scripts, _part(element, "e"))


def _function(element: Any) -> Any:
    applied = make_leaf("mo", "\u2061")
    return make_element("mrow", _part(element, "fName"), applied, _part(element, "e"))


def _accent(element: Any) -> Any:
    mark = _ACCENTS.get(_value(element, "chr", "\u0302"))
    return (
        make_element("mover", _part(element, "e"), make_leaf("mo", mark))
        if mark
        else make_element(NOT_IN_A_LINE)
    )


def _bar(element: Any) -> Any:
    is_above = _value(element, "pos", "bot") == "top"
    return (
        make_element("mover", _part(element, "e"), make_leaf("mo", "¯"))
        if is_above
        else make_element(NOT_IN_A_LINE)
    )


_BUILT: dict[str, Callable[[Any], Any]] = {
    "f": _fraction,
    "rad": _root,
    "d": _in_delimiters,
    "nary": _sum,
    "func": _function,
    "acc": _accent,
    "bar": _bar,
    "sPre": _before,
    **dict.fromkeys(("sSup", "sSub", "sSubSup"), _of_scripts),
    "limLow": _of_parts("munder", "e", "lim"),
    "limUpp": _of_parts("mover", "e", "lim"),
}

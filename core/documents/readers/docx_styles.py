"""What Word's styles and automatic numbers say about a paragraph."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from core.documents.document import Kind
from core.documents.readers.docx_looks import (
    FONTS,
    PARAGRAPH_STYLE,
    SHADING,
    VALUE,
    RunLook,
    W,
    children_by_name,
    get_value,
    is_on,
    latin_font,
)
from core.documents.readers.numerals import LONGEST_TEMPLATE, numeral, whole_number
from core.documents.readers.symbol_fonts import are_ticked, find_box

_LONGEST_CHAIN = 20
_LEAST_MOVED = 3  # half points
_MOST_LOOKS = 5_000  # that are kept
_VANISH, _STYLE, _CHANGE = f"{W}vanish", f"{W}rStyle", f"{W}rPrChange"
_VERTICAL, _POSITION = f"{W}vertAlign", f"{W}position"
_STRIKES = (f"{W}strike", f"{W}dstrike")

# The first pattern that a style's name meets; names are those of Word and of publishers.
_NAMES: tuple[tuple[re.Pattern[str], Kind, int], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind, level)
    for pattern, kind, level in (
        (r"(?:book ?|chapter ?|part ?|doc(?:ument)? ?)?title", Kind.HEADING, 1),
        (r"subtitle", Kind.HEADING, 2),
        (r"head(?:ing)? ?a", Kind.HEADING, 2),
        (r"head(?:ing)? ?b", Kind.HEADING, 3),
        (r"head(?:ing)? ?c", Kind.HEADING, 4),
        (r"section ?head(?:ing)?|(?:box|list) ?head", Kind.HEADING, 3),
        (r".*caption.*|.*(?:code|table|figure) ?label.*", Kind.CAPTION, 0),
        (
            r"_?(?:\w* ?)?code(?!title)\w*(?: \w+)*|.*preformatted.*|.*source ?code.*|plain ?text"
            r"|.*listing.*|literal.*|.*console.*|macro.*",
            Kind.CODE,
            0,
        ),
        (r".*quot(?:e|ation).*|block ?text|epigraph|extract", Kind.QUOTE, 0),
        (r"toc ?\d?|toc heading|table of .*|index ?(?:\d|heading)?", Kind.BOILERPLATE, 0),
        (r"header|footer|.*directive|.*slug|endmatter.*", Kind.BOILERPLATE, 0),
        (r"(?:foot|end)note ?text", Kind.FOOTNOTE, 0),
        (r"bibliography.*|references?", Kind.REFERENCE, 0),
        (r"(?:\w+ ?)?list ?(?:bullet|number|continue)\w*(?: ?\d)?", Kind.LIST_ITEM, 1),
    )
)


@dataclass(frozen=True)
class Style:
    """What a paragraph style says.

    Args:
        kind: What its paragraphs are.
        level: Level of a heading or list item, else 0.
        numbering: The list it belongs to, or empty.
        list_level: Depth in that list, from 0; None if the list itself names its styles.
        is_title: Whether it is the style of a document's title.
    """

    kind: Kind = Kind.PARAGRAPH
    level: int = 0
    numbering: str = ""
    list_level: int | None = None
    is_title: bool = False


class Styles:
    """The styles of a document; what they inherit is filled in where they are used.

    Args:
        root: The root element of `word/styles.xml`, or None.
    """

    def __init__(self, root: Any) -> None:
        elements = {} if root is None else {e.get(f"{W}styleId"): e for e in root.iter(f"{W}style")}
        self._elements: dict[str, Any] = {key: e for key, e in elements.items() if key}
        self._resolved: dict[str, Style] = {}
        self._looks: dict[str, dict[str, Any]] = {}
        self._styled_looks: dict[tuple[str, ...], RunLook] = {}
        self._run_looks: dict[tuple[Any, ...], RunLook] = {}
        self._shadings: dict[str, Any] = {}
        usual = None if root is None else root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")
        self._usual = {} if usual is None else {each.tag: each for each in usual}
        self._default = self._find_default("paragraph")
        self._default_table = self._find_default("table")

    def _find_default(self, kind: str) -> str:
        return next((key for key, e in self._elements.items() if _is_default(e, kind)), "")

    def of(self, key: str) -> Style:
        """The style with an id; the default style where there is none."""
        key = key if key in self._elements else self._default
        if key not in self._resolved:
            self._resolved[key] = _style(key, self._elements)
        return self._resolved[key]

    def run_look(self, properties: Any, paragraph: str, table: str | None) -> RunLook:
        """How a run looks.

        Args:
            properties: The run's properties, or None.
            paragraph: The style of its paragraph, empty for the usual one.
            table: The style of the table that it is in, empty for the usual one; None outside.

        Returns:
            Its look, with what its styles say.
        """
        own = () if properties is None else [each for each in properties if each.tag != _CHANGE]
        # What has elements in it, such as an effect, is taken for one of its kind.
        parts = [each if len(each) else (each.tag, *each.items()) for each in own]
        key = (paragraph, table, *parts)
        look = self._run_looks.get(key)
        if look is None:
            if len(self._run_looks) == _MOST_LOOKS:
                self._run_looks.clear()
            named = {each.tag: each for each in own}
            look = self._run_looks[key] = self._new_look(named, paragraph, table)
        return look

    def _new_look(self, own: dict[str, Any], paragraph: str, table: str | None) -> RunLook:
        outer = paragraph if paragraph in self._elements else self._default
        inner = str(own[_STYLE].get(VALUE)) if _STYLE in own else ""
        key = (table or self._default_table,) if table is not None else ()
        styled = self._styled_look(*key, outer, inner)
        is_hidden = is_on(own[_VANISH]) if _VANISH in own else styled.is_hidden
        strikes = [own[name] for name in _STRIKES if name in own]
        is_struck = any(map(is_on, strikes)) if strikes else styled.is_struck
        script, position = (
            get_value(own.get(name)) or get_value(self._look_of_style(inner).get(name))
            for name in (_VERTICAL, _POSITION)
        )
        properties = _merge(styled.properties, own)
        return RunLook(is_hidden, is_struck, properties, script, _distance(position))

    def _styled_look(self, *keys: str) -> RunLook:
        if keys not in self._styled_looks:
            looks = [self._look_of_style(key) for key in keys]
            merged = self._usual
            for look in looks:
                merged = _merge(merged, look)
            is_struck = any(self._is_toggled(name, looks) for name in _STRIKES)
            self._styled_looks[keys] = RunLook(self._is_toggled(_VANISH, looks), is_struck, merged)
        return self._styled_looks[keys]

    def _is_toggled(self, name: str, looks: list[dict[str, Any]]) -> bool:
        """True for a property that styles switch on; two of them undo each other."""
        count = sum(is_on(look.get(name)) for look in looks)
        return count % 2 == 1 if count else is_on(self._usual.get(name))

    def _look_of_style(self, key: str) -> dict[str, Any]:
        if key not in self._looks:
            look: dict[str, Any] = {}
            for element in reversed(_chain(key, self._elements)):
                look = _merge(look, {each.tag: each for each in element.iterfind(f"{W}rPr/*")})
            self._looks[key] = look
        return self._looks[key]

    def paragraph_shading(self, properties: dict[str, Any]) -> Any:
        """The element that shades a paragraph, its own or that of its style; None without one."""
        if SHADING in properties:
            return properties[SHADING]
        key = get_value(properties.get(PARAGRAPH_STYLE))
        if key not in self._shadings:
            chain = _chain(key if key in self._elements else self._default, self._elements)
            found = (element.find(f"{W}pPr/{SHADING}") for element in chain)
            self._shadings[key] = next((each for each in found if each is not None), None)
        return self._shadings[key]

    def shades(self, key: str) -> bool:
        """True for a style of tables that may shade cells."""
        chain = _chain(key, self._elements)
        return any(next(element.iter(SHADING), None) is not None for element in chain)


def _distance(position: str) -> int:
    """The distance of letters from their line; 0 for one too small to be seen as another line."""
    distance = int(position) if re.fullmatch(r"-?[0-9]{1,4}", position) else 0
    return distance if abs(distance) >= _LEAST_MOVED else 0


def _is_default(element: Any, kind: str) -> bool:
    return element.get(f"{W}type") == kind and element.get(f"{W}default") in ("1", "true")


def _merge(outer: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Properties with those of a style or run of its own; fonts of other scripts change none."""
    merged = outer | own
    if FONTS in own and FONTS in outer and latin_font(own[FONTS]) is None:
        merged[FONTS] = outer[FONTS]
    return merged


def _chain(key: str, elements: dict[str, Any]) -> list[Any]:
    """A style and those that it is based on, the nearest first."""
    chain: list[Any] = []
    while key in elements and len(chain) < _LONGEST_CHAIN:
        chain.append(elements[key])
        key = value_of(elements[key], "basedOn")
    return chain


def _style(key: str, elements: dict[str, Any]) -> Style:
    chain = _chain(key, elements)
    kind, level = Kind.PARAGRAPH, 0
    numbering, list_level, outline = "", None, ""
    for element in chain:
        if kind == Kind.PARAGRAPH:
            kind, level = kind_by_name(value_of(element, "name"))
        outline = outline or value_of(element, f"pPr/{W}outlineLvl")
        if not numbering:
            numbering = value_of(element, f"pPr/{W}numPr/{W}numId")
            depth = whole_number(value_of(element, f"pPr/{W}numPr/{W}ilvl"))
            list_level = list_level if depth is None else depth
    if kind == Kind.PARAGRAPH and outline in tuple("012345678"):
        kind, level = Kind.HEADING, min(int(outline) + 1, 6)
    name = value_of(chain[0], "name").lower() if chain else ""
    return Style(kind, level, numbering, list_level, name in ("title", "chaptertitle"))


@lru_cache(4096)
def kind_by_name(name: str) -> tuple[Kind, int]:
    """What the paragraphs of a style are, by the style's name, and their level."""
    if match := re.fullmatch(r"heading ?(\d)", name.strip(), re.IGNORECASE):
        return Kind.HEADING, min(int(match[1]), 6)
    for pattern, kind, level in _NAMES:
        if pattern.fullmatch(name.strip()):
            return kind, level
    return Kind.PARAGRAPH, 0


def value_of(element: Any, path: str) -> str:
    """The `w:val` of an element below another; empty where there is none.

    Args:
        element: The element to look below.
        path: Its path; the first step is in Word's namespace.

    Returns:
        The value.
    """
    found = element.find(W + path)
    return "" if found is None else str(found.get(f"{W}val") or "")


@dataclass
class _Level:
    format: str = "bullet"
    text: str = ""
    start: int = 1
    style: str = ""
    plain_digits: bool = False
    box: str = ""  # the box of a bullet that is one, empty or ticked


@dataclass
class _List:
    """A list of a document, with how far each of its levels has counted."""

    levels: dict[int, _Level] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts the automatic numbers of a document, paragraph by paragraph, in its order.

    Args:
        root: The root element of `word/numbering.xml`, or None.
    """

    def __init__(self, root: Any) -> None:
        self._lists: dict[str, _List] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        self._have_ticks = False
        if root is None:
            return
        abstract = {
            e.get(f"{W}abstractNumId"): _List(_levels(e)) for e in root.iter(f"{W}abstractNum")
        }
        levels = (level for each in abstract.values() for level in each.levels.values())
        self._have_ticks = are_ticked(level.box for level in levels)
        for num in root.iter(f"{W}num"):
            key = str(num.get(f"{W}numId"))
            self._lists[key] = abstract.get(value_of(num, "abstractNumId"), _List())
            self._restarts[key] = _restarts(num)

    def level_of_style(self, key: str, style_id: str) -> int:
        """Depth in a list, from 0, of the paragraphs of a style."""
        levels = self._lists[key].levels if key in self._lists else {}
        return next((d for d, level in levels.items() if level.style == style_id), 0)

    def next_marker(self, key: str, depth: int) -> str | None:
        """The number printed before the next paragraph of a list.

        Args:
            key: The list.
            depth: The paragraph's depth in it, from 0.

        Returns:
            "2.1", "(a)" and the like; empty for a bullet, but for boxes of which some are ticked;
            None if there is no such list.
        """
        if key not in self._lists or depth not in self._lists[key].levels:
            return None
        numbered = self._lists[key]
        for level, start in self._restarts.pop(key, {}).items():
            numbered.counts[level] = start - 1
        start = numbered.levels[depth].start
        numbered.counts[depth] = numbered.counts.get(depth, start - 1) + 1
        for deeper in [level for level in numbered.counts if level > depth]:
            del numbered.counts[deeper]
        box = numbered.levels[depth].box
        return box if box and self._have_ticks else _printed(numbered, depth)


def _levels(abstract: Any) -> dict[int, _Level]:
    levels = {}
    for element in abstract.iter(f"{W}lvl"):
        own = children_by_name(element)
        form, text, start, style = (
            get_value(own.get(f"{W}{name}")) for name in ("numFmt", "lvlText", "start", "pStyle")
        )
        first = whole_number(start)
        font = latin_font(children_by_name(own.get(f"{W}rPr")).get(FONTS))
        levels[whole_number(element.get(f"{W}ilvl")) or 0] = _Level(
            form or "decimal",
            text[:LONGEST_TEMPLATE],
            1 if first is None else first,
            style,
            f"{W}isLgl" in own,
            find_box(text, font or "") if form == "bullet" else "",
        )
    return levels


def _restarts(num: Any) -> dict[int, int]:
    restarts = {}
    for element in num.iter(f"{W}lvlOverride"):
        start = whole_number(value_of(element, "startOverride"))
        if start is not None:
            restarts[whole_number(element.get(f"{W}ilvl")) or 0] = start
    return restarts


def _printed(numbered: _List, depth: int) -> str:
    level = numbered.levels[depth]
    if level.format in ("bullet", "none"):
        return "" if level.format == "bullet" else re.sub(r"%\d", "", level.text).strip()

    def number(match: re.Match[str]) -> str:
        above = int(match[1]) - 1
        own = numbered.levels.get(above, _Level())
        count = numbered.counts.get(above, own.start)
        name = "decimal" if level.plain_digits else own.format
        return numeral(count, name)

    return re.sub(r"%(\d)", number, level.text).strip()

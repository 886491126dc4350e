"""What OpenDocument's styles, list styles and outline say about a paragraph."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from core.documents.document import Kind
from core.documents.readers.docx_styles import kind_by_name
from core.documents.readers.hidden import WHITE, colour_from_hex
from core.documents.readers.numerals import FORMS_BY_SIGN, LONGEST_TEMPLATE, numeral, whole_number
from core.documents.readers.symbol_fonts import are_ticked, find_box

_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE, DRAW, STYLE = (
    f"{{{_ODF}{name}:1.0}}" for name in ("office", "text", "table", "drawing", "style")
)
_FO = f"{{{_ODF}xsl-fo-compatible:1.0}}"
_SVG = f"{{{_ODF}svg-compatible:1.0}}"
LIBRE = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
_CODED = re.compile(r"_([0-9a-f]{1,4})_")
_UNKNOWN = "unknown"  # a background of which the colour is not known
_LONGEST_CHAIN = 20
_DEEPEST_LEVEL = 10  # of a list, in OpenDocument


class Look(NamedTuple):
    """How text looks, as its style says it; empty where it says nothing.

    Args:
        colour: Of its letters.
        size: Of its letters.
        opacity: Of its letters.
        background: Behind it.
        font: The name of its font.
        stroke: The line through it; "none" where there is none.
    """

    colour: str = ""
    size: str = ""
    opacity: str = ""
    background: str = ""
    font: str = ""
    stroke: str = ""

    @property
    def is_struck(self) -> bool:
        """True for text with a line through it."""
        return self.stroke not in ("", "none")

    @lru_cache(1024)  # noqa: B019 (looks are small, and few)
    def inner(self, own: "Look") -> "Look":
        """The look of text in this one, with a style of its own."""
        size = self.size if own.size.endswith("%") else own.size or self.size
        return Look(
            own.colour or self.colour,
            size,
            own.opacity or self.opacity,
            own.background or self.background,
            own.font or self.font,
            own.stroke or self.stroke,
        )


USUAL_LOOK = Look()
"""The look of text of which no style says anything."""


@dataclass(frozen=True)
class TextStyle:
    """What a paragraph's or a span's style says.

    Args:
        kind: What paragraphs of it are.
        level: Level of a heading or list item, else 0.
        list_style: The list style it brings along, or empty.
        is_title: Whether it is the style of a document's title.
        hidden: Whether its text is not shown.
        bold: Whether its text is bold.
        shift: 1 where its text is raised, -1 where it is lowered, else 0.
        look: Colours and size.
    """

    kind: Kind = Kind.PARAGRAPH
    level: int = 0
    list_style: str = ""
    is_title: bool = False
    hidden: bool = False
    bold: bool = False
    shift: int = 0
    look: Look = USUAL_LOOK


@dataclass(frozen=True)
class ListLevel:
    """How one level of a list prints its numbers.

    Args:
        form: The numbers' form; empty for bullets and levels without a number.
        template: The number as printed, each level's own as "%1%".
        start: The first number.
        box: The box of a bullet that is one, empty or ticked.
    """

    form: str = ""
    template: str = ""
    start: int = 1
    box: str = ""


@dataclass
class Counter:
    """How far a list has counted on each of its levels, from 1."""

    counts: dict[int, int] = field(default_factory=dict)

    def restart(self, depth: int) -> None:
        """Forgets what was counted on a level and below it."""
        self.counts = {level: count for level, count in self.counts.items() if level < depth}

    def next_marker(self, levels: dict[int, ListLevel], depth: int, start: int | None) -> str:
        """The number printed before the next item of a level.

        Args:
            levels: The list's levels.
            depth: The item's level, from 1.
            start: The number that the item itself sets; None for the next one.

        Returns:
            "2.1." and the like; empty for a bullet.
        """
        own = levels.get(depth, ListLevel())
        count = self.counts.get(depth, own.start - 1) + 1
        self.restart(depth)
        self.counts[depth] = count if start is None else start

        def number(match: re.Match[str]) -> str:
            level = levels.get(int(match[1]), ListLevel())
            return numeral(self.counts.get(int(match[1]), level.start), level.form)

        return re.sub(r"%(\d{1,2})%", number, own.template).strip() if own.form else ""


class Styles:
    """The styles of a document.

    Args:
        roots: The root elements that hold them, those of the text first.
    """

    def __init__(self, roots: Iterable[Any]) -> None:
        self._elements: dict[tuple[str, str], Any] = {}
        self._resolved: dict[tuple[str, str], TextStyle] = {}
        self._lists: dict[str, dict[int, ListLevel]] = {}
        self.outline: dict[int, ListLevel] = {}
        self._fonts: dict[str, str] = {}  # the families of fonts by the names that styles give
        self.is_paper_white = True
        for root in roots:
            for element in root.iter(f"{STYLE}style"):
                key = (element.get(f"{STYLE}family", ""), element.get(f"{STYLE}name", ""))
                self._elements.setdefault(key, element)
            for element in root.iter(f"{STYLE}font-face"):
                family = element.get(f"{_SVG}font-family", "")
                self._fonts.setdefault(element.get(f"{STYLE}name", ""), family)
            for element in root.iter(f"{TEXT}list-style"):
                self._lists.setdefault(element.get(f"{STYLE}name", ""), _levels(element))
            for element in root.iter(f"{STYLE}page-layout-properties"):
                colour = element.get(f"{_FO}background-color", "transparent")
                is_plain = colour_from_hex(colour) == WHITE or colour == "transparent"
                is_plain = is_plain and element.find(f"{STYLE}background-image") is None
                self.is_paper_white = self.is_paper_white and is_plain
            for element in root.iter(f"{TEXT}outline-style"):
                self.outline = self.outline or _levels(element)

    def of(self, family: str, name: str) -> TextStyle:
        """A style with what it inherits.

        Args:
            family: "paragraph" or "text".
            name: Its name in the file.

        Returns:
            What it says; the default where there is no such style.
        """
        key = (family, name)
        if key not in self._resolved:
            self._resolved[key] = self._resolve(family, name)
        return self._resolved[key]

    def background_of(self, family: str, name: str) -> str:
        """The background of a style of cells, rows, tables or sections; empty for none."""
        element = self._elements.get((family, name))
        properties = None if element is None else element.find(f"{STYLE}{family}-properties")
        return "" if properties is None else _background(properties)

    @cached_property
    def have_ticks(self) -> bool:
        """True if lists have both empty and ticked boxes."""
        return are_ticked(level.box for levels in self._lists.values() for level in levels.values())

    def levels_of(self, list_style: str) -> dict[int, ListLevel]:
        """The levels of a list style, from 1; empty if there is none of that name."""
        return self._lists.get(list_style, {})

    def _resolve(self, family: str, name: str) -> TextStyle:
        chain: list[Any] = []
        names: list[str] = []
        while name and len(chain) < _LONGEST_CHAIN:
            element = self._elements.get((family, name))
            shown = element.get(f"{STYLE}display-name") if element is not None else None
            names.append(shown or _decoded(name))
            if element is None:
                break
            chain.append(element)
            name = element.get(f"{STYLE}parent-style-name", "")
        kind, level = _first_kind(names)
        outline = _first(chain, f"{STYLE}default-outline-level")
        if kind == Kind.PARAGRAPH and (depth := whole_number(outline)):
            kind, level = Kind.HEADING, min(depth, 6)
        letters: dict[str, str] = {}
        for element in reversed(chain):
            own = element.find(f"{STYLE}text-properties")
            letters |= {} if own is None else own.attrib
        weight = letters.get(f"{_FO}font-weight", "")
        return TextStyle(
            kind,
            level,
            _first(chain, f"{STYLE}list-style-name"),
            any(own.lower() == "title" for own in names[:2]),
            letters.get(f"{TEXT}display") == "none",
            weight == "bold" or (whole_number(weight) or 0) >= 600,
            _shift(letters.get(f"{STYLE}text-position", "")),
            Look(
                _colour(letters),
                letters.get(f"{_FO}font-size", ""),
                letters.get(f"{LIBRE}opacity", ""),
                _letters_background(letters, chain),
                self._font(letters),
                _stroke(letters),
            ),
        )

    def _font(self, letters: dict[str, str]) -> str:
        name = letters.get(f"{STYLE}font-name", "")
        family = self._fonts.get(name, name) or letters.get(f"{_FO}font-family", "")
        return family.strip("'\"")


def _colour(letters: dict[str, str]) -> str:
    """The colour of letters; "auto" where it follows the background."""
    is_automatic = letters.get(f"{STYLE}use-window-font-color") == "true"
    return "auto" if is_automatic else letters.get(f"{_FO}color", "")


def _stroke(letters: dict[str, str]) -> str:
    """The line through letters; "none" where a style says that there is none."""
    kind = letters.get(f"{STYLE}text-line-through-type", "")
    style = letters.get(f"{STYLE}text-line-through-style", "")
    return "none" if "none" in (kind, style) else kind or style


def _letters_background(letters: dict[str, str], chain: list[Any]) -> str:
    """What is behind letters; not known of those that are seen by their outlines."""
    if letters.get(f"{STYLE}text-outline") == "true":
        return _UNKNOWN
    own = letters.get(f"{_FO}background-color", "")
    found = (element.find(f"{STYLE}paragraph-properties") for element in chain)
    outer = (_background(properties) for properties in found if properties is not None)
    return own or next(filter(None, outer), "")


def _background(properties: Any) -> str:
    picture = properties.find(f"{STYLE}background-image")
    is_filled = properties.get(f"{DRAW}fill", "none") not in ("none", "solid")
    if is_filled or (picture is not None and (picture.attrib or len(picture))):
        return _UNKNOWN
    return str(properties.get(f"{_FO}background-color", ""))


def _shift(position: str) -> int:
    """How text is shifted by "super 58%", "-33% 58%" and the like: up 1, down -1, else 0."""
    first = position.split(" ", 1)[0]
    if first in ("super", "sub"):
        return 1 if first == "super" else -1
    if not first.strip("-0.%"):
        return 0
    return -1 if first.startswith("-") else 1


def _decoded(name: str) -> str:
    """A style's name as a person sees it: "Text_20_body" is "Text body"."""
    return _CODED.sub(lambda match: chr(int(match[1], 16)), name)


def _first_kind(names: list[str]) -> tuple[Kind, int]:
    kinds = map(kind_by_name, names)
    return next((found for found in kinds if found[0] != Kind.PARAGRAPH), (Kind.PARAGRAPH, 0))


def _first(chain: list[Any], attribute: str) -> str:
    return next((str(e.get(attribute)) for e in chain if e.get(attribute) is not None), "")


def _find_box(level: Any) -> str:
    """The box that a level has as its bullet; empty for other levels."""
    bullet = level.get(f"{TEXT}bullet-char")
    properties = level.find(f"{STYLE}text-properties") if bullet else None
    if properties is None:
        return find_box(bullet or "", "")
    font = properties.get(f"{STYLE}font-name") or properties.get(f"{_FO}font-family") or ""
    return find_box(bullet, font.strip("'\""))


def _levels(list_style: Any) -> dict[int, ListLevel]:
    levels: dict[int, ListLevel] = {}
    for element in list_style:
        depth = number_of(element, f"{TEXT}level") or 0
        if not isinstance(element.tag, str) or not 1 <= depth <= _DEEPEST_LEVEL:
            continue
        form = element.get(f"{STYLE}num-format", "")
        if not element.tag.endswith(("-style-number", "outline-level-style")):
            form = ""
        shown = number_of(element, f"{TEXT}display-levels") or 1
        numbers = ".".join(f"%{level}%" for level in range(max(1, depth - shown + 1), depth + 1))
        template = element.get(f"{LIBRE}num-list-format")
        if template is None:
            prefix = element.get(f"{STYLE}num-prefix", "")
            template = f"{prefix}{numbers}{element.get(f'{STYLE}num-suffix', '')}"
        start = number_of(element, f"{TEXT}start-value")
        levels[depth] = ListLevel(
            FORMS_BY_SIGN.get(form, "decimal") if form else "",
            template[:LONGEST_TEMPLATE],
            1 if start is None else start,
            _find_box(element),
        )
    return levels


def number_of(element: Any, attribute: str) -> int | None:
    """A whole number among an element's attributes; None where there is none of sensible size."""
    return whole_number(element.get(attribute))

"""Text of a slide that its audience does not see: beside it, too small, or of its own colour."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from core.documents.document import count_words
from core.documents.readers.hidden import (
    LEAST_POINTS,
    OUTSIDE,
    SAME_COLOUR,
    TOO_SMALL,
    TRANSPARENT,
    WHITE,
    Colour,
    colour_from_hex,
    is_same_colour,
)
from core.documents.readers.numerals import whole_number
from core.documents.readers.pptx_shapes import Box, Model, P, Shape
from core.documents.readers.pptx_text import RUNS, A

_FILLS = tuple(
    f"{A}{name}" for name in ("solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
)
_EFFECTS = frozenset(f"{A}{name}" for name in ("highlight", "effectDag", "ln"))
_PAINTING = {*_FILLS, *_EFFECTS, f"{A}noFill", f"{A}effectLst"}
_USUAL_SCHEME = {"bg1": WHITE, "lt1": WHITE, "tx1": (0, 0, 0), "dk1": (0, 0, 0)}
_USUAL_MAP = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_CHANGES = frozenset(f"{A}{name}" for name in ("lumMod", "lumOff", "shade", "tint", "alpha"))
_FAINT = 5_000  # of 100,000: less opacity is not seen
_PLAIN_BACKGROUND = "1001"
_MOST_SHAPES = 300  # of a slide whose shapes are compared with each other
_UNKNOWN: Colour = ()
_NOWHERE = Box()


def read_scheme(theme: Any, master: Any) -> dict[str, Colour]:
    """The colours of a theme by the names that slides give them.

    Args:
        theme: The root of the theme's part, or None.
        master: The root of the master that maps them, or None.

    Returns:
        The colours; empty where one is not known.
    """
    scheme: dict[str, Colour] = dict(_USUAL_SCHEME)
    colours = None if theme is None else theme.find(f".//{A}clrScheme")
    for entry in () if colours is None else colours:
        for colour in entry:
            value = colour.get("lastClr") or colour.get("val")
            scheme[entry.tag.removeprefix(A)] = colour_from_hex(value) or _UNKNOWN
    mapped = None if master is None else master.find(f"{P}clrMap")
    names = _USUAL_MAP if mapped is None else dict(mapped.attrib)
    return scheme | {name: scheme.get(own, _UNKNOWN) for name, own in names.items()}


class _Paint(NamedTuple):
    """Paint of letters.

    Args:
        size: Their size in hundredths of a point; None if it is not said.
        why: The reason why they are not seen, empty if they are; None if it is not said.
        colour: Their colour; None where it is not known.
        is_final: True if their colour is said, or is not all that is seen of them.
    """

    size: int | None = None
    why: str | None = None
    colour: Colour | None = None
    is_final: bool = False

    def over(self, farther: "_Paint") -> "_Paint":
        """Returns this paint with another one where it does not say anything."""
        size = farther.size if self.size is None else self.size
        why = farther.why if self.why is None else self.why
        return _Paint(size, why, *(self if self.is_final else farther)[2:])


@dataclass(frozen=True)
class Surface:
    """What lies behind the text of a slide.

    Args:
        roots: The slide, its layout and its master, as far as they are there.
        scheme: The colours of its theme.
        width: Of the slide, in the units of its boxes.
        height: Of the slide.
    """

    roots: tuple[Any, ...]
    scheme: dict[str, Colour]
    width: int
    height: int

    def remove_unseen(self, shape: Shape, others: list[Shape]) -> dict[str, int]:
        """Takes out of a shape the text that is not seen.

        Args:
            shape: The shape.
            others: All shapes beside it.

        Returns:
            How many words were taken out, by the reason.
        """
        if self._is_outside(shape.box):
            return {OUTSIDE: sum(map(_take_out, shape.element.iter(f"{A}t")))}
        words: dict[str, int] = {}
        behind: Colour | None = None
        for run in shape.element.iter(*RUNS):
            paint = self._paint_of_run(run, shape.styles)
            is_tiny = paint.size is not None and paint.size <= 100 * LEAST_POINTS
            why = TOO_SMALL if is_tiny else paint.why or ""
            colour = None if why else paint.colour
            if colour:
                if shape.element.tag == f"{P}graphicFrame":
                    behind = self._cell_fill(run)
                elif behind is None:
                    behind = self._behind(shape, others)
                why = SAME_COLOUR if is_same_colour(colour, behind) else ""
            if why:
                texts = run.iterchildren(f"{A}t")
                words[why] = words.get(why, 0) + sum(map(_take_out, texts))
        return words

    def _paint_of_run(self, run: Any, styles: tuple[Any, ...]) -> _Paint:
        paragraph = run.getparent()
        depth = None if paragraph is None else next(paragraph.iterchildren(f"{A}pPr"), None)
        level = (whole_number(depth.get("lvl")) if depth is not None else None) or 0
        if (styles, level) not in self._style_paints:
            self._style_paints[styles, level] = self._paint_of_styles(styles, level)
        paint = self._style_paints[styles, level]
        own = next(run.iterchildren(f"{A}rPr"), None)
        return paint if own is None else _paint(own, self.scheme).over(paint)

    def _paint_of_styles(self, styles: tuple[Any, ...], level: int) -> _Paint:
        paint = _Paint()
        for style in styles:
            properties = style.find(f"{A}lvl{level + 1}pPr/{A}defRPr")
            if properties is not None:
                paint = paint.over(_paint(properties, self.scheme))
        return paint

    @cached_property
    def _style_paints(self) -> dict[tuple[Any, int], _Paint]:
        """Paint from styles, by the styles and the depth of a paragraph."""
        return {}

    def _cell_fill(self, run: Any) -> Colour:
        """The fill of a table's cell; not known where its style or what is behind decides."""
        cell = next(run.iterancestors(f"{A}tc"), None)
        fill = None if cell is None else cell.find(f"{A}tcPr/{A}solidFill")
        return _UNKNOWN if fill is None else _colour(fill, self.scheme) or _UNKNOWN

    def _is_outside(self, box: Box) -> bool:
        if box == _NOWHERE:
            return False
        return (
            box.left >= self.width
            or box.top >= self.height
            or box.left + box.width < 0
            or box.bottom < 0
        )

    def _behind(self, shape: Shape, others: list[Shape]) -> Colour:
        """The colour behind a shape's text; empty where it is not known."""
        own = shape.element.find(f"{P}spPr")
        fill = next((each for each in own if each.tag in _FILLS), None) if own is not None else None
        if fill is not None:
            return _colour(fill, self.scheme) or _UNKNOWN
        is_empty = own is not None and own.find(f"{A}noFill") is not None
        if _is_styled(shape.element) and not is_empty:
            return _UNKNOWN
        return self._paper(shape, others)

    def _paper(self, shape: Shape, others: list[Shape]) -> Colour:
        """The background of the slide; not known where something may lie between."""
        if len(others) > _MOST_SHAPES:
            return _UNKNOWN
        around = (other for other in others if other.element is not shape.element)
        if any(_may_fill(other.element) and _touch(other.box, shape.box) for other in around):
            return _UNKNOWN
        return _UNKNOWN if self._is_decorated else self._background

    @cached_property
    def _is_decorated(self) -> bool:
        """True if the layout or the master paints something."""
        elements = (each for root in self.roots[1:] for each in root.iter(f"{P}sp", f"{P}pic"))
        return any(map(_may_fill, elements))

    @cached_property
    def _background(self) -> Colour:
        for root in self.roots:
            background = root.find(f"{P}cSld/{P}bg")
            if background is None:
                continue
            own = background.find(f"{P}bgPr/{A}solidFill")
            reference = background.find(f"{P}bgRef")
            if own is not None:
                return _colour(own, self.scheme) or _UNKNOWN
            if reference is not None and reference.get("idx") == _PLAIN_BACKGROUND:
                return _colour(reference, self.scheme) or _UNKNOWN
            return _UNKNOWN
        return WHITE


def _take_out(text: Any) -> int:
    """Takes out a text that is not seen; returns how many words it had."""
    words = count_words(text.text or "")
    text.text = ""
    return words


def _paint(properties: Any, scheme: dict[str, Colour]) -> _Paint:
    size = whole_number(properties.get("sz"))
    names = {each.tag: each for each in reversed(properties) if each.tag in _PAINTING}
    if not names:
        return _Paint(size)
    fill = next((each for each in properties if each.tag in _FILLS), None)
    effects = names.get(f"{A}effectLst")
    if not _EFFECTS.isdisjoint(names) or (effects is not None and len(effects)):
        return _Paint(size, _why_unfilled(names, fill), None, is_final=True)
    colour = None if fill is None else _colour(fill, scheme)
    return _Paint(size, _why_unfilled(names, fill), colour, is_final=fill is not None)


def _why_unfilled(names: dict[str, Any], fill: Any) -> str | None:
    if f"{A}noFill" in names:
        return "" if f"{A}ln" in names else TRANSPARENT
    if f"{A}solidFill" in names:
        alphas = names[f"{A}solidFill"].iter(f"{A}alpha")
        opacity = next((whole_number(each.get("val")) for each in alphas), None)
        return TRANSPARENT if opacity is not None and opacity <= _FAINT else ""
    return None if fill is None else ""


def _colour(fill: Any, scheme: dict[str, Colour]) -> Colour | None:
    """The colour of a solid fill or a reference; None where it is not known."""
    if fill.tag in _FILLS and fill.tag != f"{A}solidFill":
        return None
    for element in fill:
        if any(change.tag in _CHANGES for change in element):
            return None
        if element.tag == f"{A}srgbClr":
            return colour_from_hex(element.get("val"))
        if element.tag == f"{A}sysClr":
            return colour_from_hex(element.get("lastClr"))
        if element.tag == f"{A}schemeClr":
            return scheme.get(element.get("val") or "") or None
    return None


def _is_styled(element: Any) -> bool:
    """True for a shape that its theme may fill."""
    reference = element.find(f"{P}style/{A}fillRef")
    return reference is not None and reference.get("idx") not in (None, "0")


def _may_fill(element: Any) -> bool:
    if element.tag != f"{P}sp":
        return True
    own = element.find(f"{P}spPr")
    return _is_styled(element) or (own is not None and any(each.tag in _FILLS for each in own))


def _touch(one: Box, other: Box) -> bool:
    if _NOWHERE in (one, other):
        return True
    return (
        one.left < other.left + other.width
        and other.left < one.left + one.width
        and one.top < other.bottom
        and other.top < one.bottom
    )


def surface(
    slide: Any, layout: Model, master: Model, scheme: dict[str, Colour], size: tuple[int, int]
) -> Surface:
    """The surface of a slide.

    Args:
        slide: Its root.
        layout: Its layout.
        master: Its master.
        scheme: The colours of its theme.
        size: Width and height.

    Returns:
        The surface.
    """
    roots = tuple(root for root in (slide, layout.root, master.root) if root is not None)
    return Surface(roots, scheme, *size)

"""Paragraphs of PowerPoint's shapes: their text, and the bullets and numbers before them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from core.documents.document import Block, Kind, count_words
from core.documents.readers import office
from core.documents.readers.cleaning import clean, one_line
from core.documents.readers.formulas import joined, set_apart
from core.documents.readers.line_breaks import mark_bold, remove_marks, split_at_heads
from core.documents.readers.numerals import numeral
from core.documents.readers.office_formulas import MATHS, text_of_omml
from core.documents.readers.scripts import lowered, raised, with_scripts
from core.documents.readers.symbol_fonts import are_ticked, find_box, with_signs

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
RUNS = (f"{A}r", f"{A}fld")
_TEXT, _BREAK, _FORMULA, _RUN_LOOK = f"{A}t", f"{A}br", f"{MATHS}oMath", f"{A}rPr"
_LOOK, _LATIN, _SIGN = f"{A}pPr", f"{A}latin", f"{A}sym"
_LINE_END = "\x07"  # between formulas of one display; no cleaned text has it
_PRIVATE = re.compile("[\uf020-\uf0ff]+")
_BULLETS = tuple(f"{A}bu{name}" for name in ("None", "Char", "AutoNum", "Blip"))
_NUMBER_TYPE = re.compile(r"(arabic|alphaLc|alphaUc|romanLc|romanUc)\w*?(Period|ParenR|ParenBoth)")
_FORMS = {
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}
_PRINTED = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})"}


def text_of(paragraph: Any) -> str:
    """The text of a paragraph on one line, formulas included."""
    return _one_line(remove_marks(_marked_text(paragraph)))


def _marked_text(paragraph: Any) -> str:
    """The text of a paragraph with marks of bold, raised and lowered pieces."""
    parts = paragraph.iter(_TEXT, _BREAK, _FORMULA)
    return "".join(map(_piece, parts))


def _one_line(text: str) -> str:
    return one_line(clean(joined(with_scripts(text))))


def _piece(element: Any) -> str:
    """The text of a run, a line break or a formula."""
    if element.tag == _FORMULA:
        is_next = next(element.itersiblings(_FORMULA, preceding=True), None) is not None
        is_line = is_next and element.getparent().tag == f"{MATHS}oMathPara"
        return f"{_LINE_END if is_line else ''}{set_apart(text_of_omml(element))}"
    if element.tag == _BREAK:
        return "\n"
    text, run = element.text or "", element.getparent()
    properties = None if run is None else next(run.iterchildren(_RUN_LOOK), None)
    if properties is None:
        return text
    if len(properties):
        text = _with_signs(text, properties)
    shift = str(properties.get("baseline") or "")
    if shift.strip("-0%"):
        text = lowered(text) if shift.startswith("-") else raised(text)
    return mark_bold(text) if properties.get("b") in ("1", "true") else text


def _with_signs(text: str, properties: Any) -> str:
    """A run's text as its fonts draw it; one of them draws only the private area of Unicode."""
    fonts = {each.tag: each for each in properties}
    latin, sign = fonts.get(_LATIN), fonts.get(_SIGN)
    if latin is not None:
        text = with_signs(text, str(latin.get("typeface")))
    if sign is not None and _PRIVATE.search(text):
        font = str(sign.get("typeface"))
        text = _PRIVATE.sub(lambda match: with_signs(match[0], font), text)
    return text


def take_out_struck(tree: Any) -> int:
    """Takes out of a part what is struck through.

    Args:
        tree: The shapes of a slide, or a diagram.

    Returns:
        How many words were taken out.
    """
    words = 0
    for run in tree.iter(*RUNS):
        properties = next(run.iterchildren(_RUN_LOOK), None)
        if properties is None or properties.get("strike") not in ("sngStrike", "dblStrike"):
            continue
        for text in run.iterchildren(f"{A}t"):
            words += count_words(text.text or "")
            text.text = office.edge_space(text.text or "")
    return words


def paragraphs_of(body: Any) -> str:
    """All text of a shape or part on one line."""
    paragraphs = (p for p in body.iter(f"{A}p") if next(p.iterancestors(f"{A}p"), None) is None)
    return " ".join(map(text_of, paragraphs))


def blocks_of_body(body: Any, styles: tuple[Any, ...]) -> Iterator[Block]:
    """The paragraphs and list items of a shape's text.

    Args:
        body: The shape's `txBody`.
        styles: The list styles that hold for it, its own first, then what it inherits.

    Yields:
        A block for each paragraph that is not empty; automatic numbers are written out.
    """
    numbers = _Numbers()
    paragraphs = list(body.iterchildren(f"{A}p"))
    depths = list(map(_depth, paragraphs))
    bullets = [_bullet(*each, styles) for each in zip(paragraphs, depths, strict=True)]
    boxes = [_find_box(bullet) for bullet in bullets]
    have_ticks = any(boxes) and are_ticked(boxes)
    for paragraph, depth, bullet, box in zip(paragraphs, depths, bullets, boxes, strict=True):
        marked = _marked_text(paragraph)
        text = _one_line(remove_marks(marked))
        if not text:
            continue
        marker = numbers.marker(bullet, depth) or (box if have_ticks else "")
        if bullet is None or bullet.tag == f"{A}buNone":
            is_parted = "\n" in marked or _LINE_END in marked
            yield from map(Block, filter(None, _lines(marked))) if is_parted else (Block(text),)
        else:
            yield Block(f"{marker} {text}".strip(), Kind.LIST_ITEM, min(depth + 1, 6))


def _find_box(bullet: Any) -> str:
    """The box that stands before a paragraph; empty for other bullets."""
    if bullet is None or bullet.tag != f"{A}buChar":
        return ""
    font = bullet.getparent().find(f"{A}buFont")
    name = "" if font is None else str(font.get("typeface"))
    return find_box(str(bullet.get("char") or ""), name)


def _lines(text: str) -> Iterator[str]:
    """The paragraphs of a marked text: bold heads and formulas of a display are their own."""
    for line in text.split(_LINE_END):
        for part in split_at_heads(line, at_speakers=False):
            yield _one_line(part.text)


@dataclass
class _Numbers:
    """How far the automatic numbers of one shape have counted, by depth from 0."""

    counts: dict[int, int] = field(default_factory=dict)
    kinds: dict[int, tuple[str, int]] = field(default_factory=dict)

    def marker(self, bullet: Any, depth: int) -> str:
        """The number printed before a paragraph; a bullet or plain paragraph ends the count."""
        is_number = bullet is not None and bullet.tag == f"{A}buAutoNum"
        kind = (str(bullet.get("type") or ""), _start(bullet)) if is_number else ("", 1)
        goes_on = is_number and self.kinds.get(depth) == kind
        count = self.counts.get(depth, 0) + 1 if goes_on else kind[1]
        self.counts = {level: count for level, count in self.counts.items() if level < depth}
        self.kinds = {level: kind for level, kind in self.kinds.items() if level < depth}
        if not is_number:
            return ""
        self.counts[depth], self.kinds[depth] = count, kind
        match = _NUMBER_TYPE.match(kind[0])
        form, end = (match[1], match[2]) if match else ("arabic", "Period")
        return _PRINTED[end].format(numeral(count, _FORMS.get(form, "decimal")))


def _start(bullet: Any) -> int:
    start = str(bullet.get("startAt") or "1")
    return int(start) if start.isascii() and start.isdecimal() and len(start) < 6 else 1


def _depth(paragraph: Any) -> int:
    properties = next(paragraph.iterchildren(_LOOK), None)
    level = "0" if properties is None else str(properties.get("lvl") or "0")
    return int(level) if level in tuple("012345678") else 0


def _bullet(paragraph: Any, depth: int, styles: tuple[Any, ...]) -> Any:
    """The element that says what stands before a paragraph; None if nothing says it."""
    for holder, name in (
        (paragraph, _LOOK),
        *((style, f"{A}lvl{depth + 1}pPr") for style in styles),
    ):
        for place in islice(holder.iterchildren(name), 1):
            for element in place.iterchildren(*_BULLETS):
                return element
    return None

"""A web page as its reader sees it, by the styles of the page itself.

Text that is not seen is taken out, letters in symbol fonts become the signs that are drawn, and
elements that are struck through are marked.

Rules of style sheets, style attributes and the older attributes for colours are heeded, as far as
they can be known without drawing the page. Where a colour or a rule is not known, text counts as
seen.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from core.documents.document import count_words
from core.documents.readers.css_cascade import StyleSheet
from core.documents.readers.css_hiding import (
    LEAST_SIZE_PX,
    MOVING,
    NOT_DISPLAYED,
    find_effective,
    find_reason,
    is_far,
    is_invisible,
    is_repainted,
    is_squeezed,
    is_struck,
)
from core.documents.readers.css_rules import UNKNOWN, find_variables, is_for_screen
from core.documents.readers.css_selectors import find_names
from core.documents.readers.css_values import (
    USUAL_SIZE_PX,
    get_background,
    get_size,
    get_symbol_font,
    get_text_colour,
)
from core.documents.readers.hidden import (
    OUTSIDE,
    SAME_COLOUR,
    TOO_SMALL,
    WHITE,
    Colour,
    is_same_colour,
)
from core.documents.readers.symbol_fonts import with_signs

STRUCK_THROUGH = "data-struck-through"
"""The attribute of an element that styles strike through, with all that is in it."""

_PICTURES = ("img", "picture", "video", "canvas", "svg", "object", "iframe")
_FORMULAS = re.compile(r"(?:^|[\s_-])(?:katex|mathjax|mjx|mwe-math)", re.IGNORECASE)
_MOST_AROUND_FORMULA = 4  # elements
_UNREAD = frozenset(("script", "style", "head", "template", "noscript", "title", "textarea"))
_OLDER_STYLES = {
    "bgcolor": "background-color", "text": "color", "color": "color", "face": "font-family",
}  # fmt: skip
_STYLE_LINKS = etree.XPath("boolean(//link[contains(@rel, 'stylesheet')])")
_DARK_SCHEMES = etree.XPath("boolean(//meta[@name='color-scheme'][contains(@content, 'dark')])")
_OWN_STYLES = frozenset(("style", "hidden", "background", *_OLDER_STYLES))
_DRAWN = ("font-family", "text-decoration-line")  # which neither moves nor reveals text
_Signs = tuple[Any, str, str, str]  # an element, "text" or "tail", that text and its font
_FEWEST_SEEN, _MANY_HIDDEN = 20, 50  # words: such a page is shown by its scripts


@dataclass(frozen=True)
class _Look:
    """The look that an element hands on to those in it.

    Args:
        reason: Why its text is not seen; empty while it is.
        size_px: Of its letters.
        colour: Of its letters; None where it is not known.
        background: Behind them; None where none is said, empty where it is not known.
        is_visible: False for what is laid out and not drawn, which inner elements may undo.
        is_movable: True if an inner element that has its own place may be seen all the same.
        is_repainted: True if effects change the colour or the size of what is drawn.
        symbol_font: Of its letters, if that draws signs in their place.
    """

    reason: str = ""
    size_px: float = USUAL_SIZE_PX
    colour: Colour | None = None
    background: Colour | None = None
    is_visible: bool = True
    is_movable: bool = False
    is_repainted: bool = False
    symbol_font: str = ""

    @cached_property
    def is_plain(self) -> bool:
        """True if all text that has it is seen, and is no sign."""
        if self.reason or self.symbol_font or not self.is_visible:
            return False
        return self.is_repainted or (self.colour is None and self.size_px > LEAST_SIZE_PX)


def apply_styles(
    root: Any, sheets: Iterable[str] | None = None, *, on_paper: bool = True
) -> Counter[str]:
    """Makes the text of a page what its reader sees.

    What is not seen is taken out, letters in symbol fonts become signs, and elements that are
    struck through get the attribute `STRUCK_THROUGH`.

    Args:
        root: The page, or a fragment of one.
        sheets: The texts of the style sheets that it names; None where they are not there, so that
            the page may have any background.
        on_paper: True if it is white where nothing else is said; False of a part of a page.

    Returns:
        How many words were taken out, by the reason.
    """
    own = [
        (style.text or "", bool(holds))
        for style in root.iter("style")
        if (holds := is_for_screen(style.get("media") or "")) is not False and _is_obeyed(style)
    ]
    is_known = sheets is not None or not _STYLE_LINKS(root)
    texts = [*own, *((text, True) for text in sheets or ())]
    sheet = StyleSheet(
        find_names(root) if texts else frozenset(),
        has_scripts=any(map(_is_script, root.iter("script"))),
    )
    if is_known and not any("@import" in text for text, _ in texts):
        sheet.variables = _variables(root, texts)
    for text, is_sure in texts:
        sheet.add(text, is_sure=is_sure)
    if sheet.is_full:
        return Counter()
    is_white = on_paper and sheet.is_whole and is_known and not _DARK_SCHEMES(root)
    own = [each for each in root.iter() if not _OWN_STYLES.isdisjoint(each.keys())]
    declared = _find_declared(own, sheet)
    properties = find_effective(declared, root, WHITE if is_white else None) if declared else ()
    if not properties:
        return Counter()
    sheet.keep(properties)
    styled = {*own, *(root.iter("a", "mark") if "color" in properties else ())}
    signs: list[_Signs] = []
    hidden = list(_find_unseen(root, sheet, styled, signs, is_white=is_white))
    _write_signs(signs, root)
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


def _variables(root: Any, sheets: list[tuple[str, bool]]) -> dict[str, str]:
    """The values of variables that are the same on the whole page."""
    variables = find_variables(sheets) if any("--" in text for text, _ in sheets) else {}
    for style in root.xpath("//@style[contains(., '--')]") if variables else ():
        for declaration in style.split(";"):
            variables.pop(declaration.partition(":")[0].strip(), None)
    return variables


def _find_declared(own: Iterable[Any], sheet: StyleSheet) -> dict[str, set[str]]:
    """The values of each property in the rules of a page, and of the elements with their own."""
    declared = sheet.find_declared(style for each in own if (style := each.get("style")))
    for element in own:
        if element.get("hidden") is not None:
            declared["display"].add("none")
        for attribute, name in _OLDER_STYLES.items():
            if value := element.get(attribute):
                declared[name].add(value.lower())
    return declared


def _is_script(element: Any) -> bool:
    kind = (element.get("type") or "").lower()
    return not kind or "javascript" in kind or "ecmascript" in kind or kind == "module"


def _is_obeyed(style: Any) -> bool:
    """True for an element with styles that a browser with scripts obeys."""
    if (style.get("type") or "text/css").strip().lower() != "text/css":
        return False
    return next(style.iterancestors("noscript", "template"), None) is None


def _is_painted(element: Any, sheet: StyleSheet) -> bool:
    return bool(sheet.painted) and not sheet.painted.isdisjoint(element.iterancestors())


def _text(root: Any) -> str:
    return " ".join(
        root.xpath("//text()[not(ancestor::script or ancestor::style or ancestor::head)]")
    )


def _write_signs(signs: list[_Signs], root: Any) -> None:
    """Writes letters in symbol fonts as signs, unless that is most of a longer page."""
    num_words = sum(count_words(text) for _, _, text, _ in signs)
    if num_words >= _FEWEST_SEEN and 2 * num_words >= count_words(_text(root)):
        return
    for element, name, text, font in signs:
        setattr(element, name, with_signs(text, font))


def _find_unseen(
    root: Any,
    sheet: StyleSheet,
    styled: Set[Any],
    signs: list[_Signs],
    *,
    is_white: bool,
) -> Iterator[tuple[Any, str, str, str]]:
    """Each piece of text that is not seen: its element, "text" or "tail", itself and the reason.

    Rules apart, only styled elements change what is seen. Text in symbol fonts is added to the
    signs on the way.
    """
    looks = [_Look()]
    pictures: dict[Any, bool] | None = {} if is_white else None  # what is known of them
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    skipped = None
    for event, element in walker:
        if event == "start":
            tag = element.tag
            if tag in _UNREAD or (tag == "math" and _is_drawn(element)):
                skipped = element
                walker.skip_subtree()
                continue
            look = looks[-1]
            if element in styled or sheet.may_style(element):
                look = _look(element, sheet, look)
            looks.append(look)
            if not look.is_plain:
                yield from _unseen(element, "text", look, element, pictures)
                _add_signs(signs, element, "text", look)
        else:
            if event == "end":
                if element is skipped:
                    skipped = None
                else:
                    looks.pop()
            look = looks[-1]
            if not look.is_plain and element is not root:
                yield from _unseen(element, "tail", look, element.getparent(), pictures)
                _add_signs(signs, element, "tail", look)


def _add_signs(signs: list[_Signs], element: Any, name: str, look: _Look) -> None:
    if look.symbol_font and (text := getattr(element, name)):
        signs.append((element, name, text, look.symbol_font))


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
        reason = NOT_DISPLAYED
    if not reason and look.is_repainted:
        return
    if not reason and look.size_px <= LEAST_SIZE_PX:
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


def _is_drawn(formula: Any) -> bool:
    """True for the markup of a formula that a page hides beside its drawing."""
    around = list(islice(formula.iterancestors(), _MOST_AROUND_FORMULA))
    if any(_FORMULAS.search(f"{each.tag} {each.get('class') or ''}") for each in around):
        return True
    return any(
        each is not None and each.tag in _PICTURES
        for element in (formula, *around[:1])
        for each in (element.getprevious(), element.getnext())
    )


def _look(element: Any, sheet: StyleSheet, outer: _Look) -> _Look:
    values = _values(element, sheet)
    is_gone = element.get("hidden") is not None and "display" not in values
    if not values and not is_gone:
        return outer
    change = _change(outer, element.tag, tuple(values.items()), sheet.has_scripts, is_gone)
    if change.is_painted:
        sheet.painted.add(element.getparent())
    if change.is_struck:
        element.set(STRUCK_THROUGH, "")
    return change.look


class _Change(NamedTuple):
    """The look that an element hands on, and its other effects.

    Args:
        look: The look.
        is_painted: True if it may paint what lies around it.
        is_struck: True if its words are struck through.
    """

    look: _Look
    is_painted: bool
    is_struck: bool


@lru_cache(maxsize=1024)  # a page has many elements with the same properties
def _change(
    outer: _Look,
    tag: str,
    declared: tuple[tuple[str, str], ...],
    has_scripts: bool,
    is_gone: bool,
) -> _Change:
    """The change of the look by the properties of an element."""
    values = {name: value.lower() for name, value in declared}
    _forget_what_moves(values, has_scripts=has_scripts)
    is_painted = values.get("position", "static") not in ("static", "relative") and (
        tag in _PICTURES or any(name.startswith("background") for name in values)
    )
    reason, is_movable = _hiding(tag, values, outer, is_gone=is_gone)
    is_visible = outer.is_visible
    if values.get("visibility", "inherit") != "inherit":
        is_visible = not is_invisible(values) or tag in ("html", "body")
    look = replace(
        outer,
        reason=reason,
        is_visible=is_visible,
        is_movable=is_movable,
        is_repainted=outer.is_repainted or is_repainted(values),
        size_px=get_size(values, outer.size_px),
        colour=get_text_colour(values, outer.colour),
        background=get_background(values, outer.background),
        symbol_font=get_symbol_font(values, outer.symbol_font),
    )
    return _Change(look, is_painted, is_struck(values))


def _values(element: Any, sheet: StyleSheet) -> dict[str, str]:
    """The properties of an element, those of its older attributes too."""
    values = sheet.values_of(element) if sheet.by_mark or element.get("style") else {}
    for attribute, name in (("bgcolor", "background-color"), ("background", "background-image")):
        if attribute in element.attrib:
            values.setdefault(name, element.get(attribute) or "url(")
    if element.tag in ("font", "basefont"):
        for attribute, name in (("color", "color"), ("face", "font-family")):
            if value := element.get(attribute):
                values.setdefault(name, value)
    if element.tag == "a" and element.get("href") is not None:
        values.setdefault("color", "blue")
    elif element.tag == "mark":
        values.setdefault("background-color", "yellow")
    elif element.tag == "body" and element.get("text"):
        values.setdefault("color", element.get("text"))
    return values


def _hiding(tag: str, values: dict[str, str], outer: _Look, *, is_gone: bool) -> tuple[str, bool]:
    """Why an element is not seen, and True if the place of an inner one may undo it."""
    is_placed = not MOVING.isdisjoint(values) or values.get("position") in (
        *("absolute", "fixed", UNKNOWN),
    )
    if outer.reason and not (outer.is_movable and is_placed):
        return outer.reason, outer.is_movable
    if tag in ("html", "body"):
        return "", False
    if reason := NOT_DISPLAYED if is_gone else find_reason(values):
        return reason, False
    if is_squeezed(tag, values):
        return NOT_DISPLAYED, True
    return (OUTSIDE, True) if is_far(values) else ("", False)


def _forget_what_moves(values: dict[str, str], *, has_scripts: bool) -> None:
    """Makes unknown what an animation, a transition or a script of the page may change."""
    if any(
        name.startswith(("animation", "transition")) and value != "none"
        for name, value in values.items()
    ):
        for name in values.keys() - {"display", "mso-hide", *_DRAWN}:
            values[name] = UNKNOWN
    elif has_scripts and "opacity" in values:
        values["opacity"] = UNKNOWN

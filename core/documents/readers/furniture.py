"""Page furniture: menus, side bars, footers and the like, known by how the page names them."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from lxml import etree

_FURNITURE_TAGS = ("nav", "footer", "aside", "form", "dialog", "menu")
_FURNITURE_ROLES = (
    *("navigation", "banner", "contentinfo", "search", "complementary"),
    *("dialog", "alert", "menu", "menubar", "toolbar"),
)
_FURNITURE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:nav(?:bar|box|igation)?|toc|menu|breadcrumbs?|side-?bar|cookie\S*|advert\S*"
    r"|share(?:-?(?:buttons?|links?|bar|icons?|tools?))?|sharing|social|newsletter|related"
    r"|comments?|pagination|pager|skip(?:link|-link)?|footer|masthead|noprint|editsection|jump-link|catlinks|printfooter|hatnote|metadata"
    r"|toolbar|bookmark|permalink|anchorjs\S*|sr-only|visually-hidden|screen-reader-text)(?:$|[\s_])",
    re.IGNORECASE,
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NEVER_FURNITURE = ("html", "body", "main", "article", *_HEADINGS)
_INLINE = ("a", "abbr", "b", "cite", "code", "em", "i", "q", "small", "span", "strong", "u")
_RUNNING = ("p", "li", "dd", "blockquote", "pre")
_CONTROLS = ("form", "input", "textarea", "select", "button")
_MAIN_ID = re.compile(r"main|content|article|story|post|body|entry|text")  # the extractor's hints
_SECTION_CLASS = re.compile(r"(?:^|\s)(?:sub)*section(?:$|\s)|(?:^|\s)sect[1-6](?:$|\s)")
_MOST_LOST = 0.25  # share of the extractor's words that furniture may hold
_SURE = 0.1  # share of the running text that the extractor found where it is believed
_MOST_RUNNING = 0.5  # of a page's running text that furniture may hold where it is not
_WORD_END = re.compile(r"\W+")
_TELLING_WORDS = 6  # an element of running text has more


def free_sections(root: Any) -> None:
    """Takes the ids from sections of the text.

    They are made of headings. Pruning would take "comments" for the comments of readers, and the
    extractor "unavailable" for navigation, as it looks for "nav" within ids.
    """
    for section in [element for element in root.iter() if _is_section(element)]:
        del section.attrib["id"]


def drop_furniture(root: Any, found: Mapping[Any, int], running: Mapping[Any, int]) -> bool:
    """Takes out what names itself furniture, unless too much of the main text is inside.

    Wrappers of a whole page are often named for what lies in them beside the text
    ("right-sidebar", "share", the form of ASP.NET): these stay, and what is in them is looked at.

    Args:
        root: The page.
        found: The number of words that an extractor took for main text, by their block element.
        running: The same of all running text.

    Returns:
        True if anything was taken out.
    """
    num_found, num_running = sum(found.values()), sum(running.values())
    furniture = _outermost(root, _Weights(root, found), _MOST_LOST * num_found)
    if num_found < _SURE * num_running:
        weights = _Weights(root, running)
        lost = (
            weights.inside(element)
            for element in furniture
            if not (found and _holds_comments(element))
        )
        if sum(lost) > _MOST_RUNNING * num_running:
            furniture = _outermost(root, _Weights(root, {**found, **running}), 0)
    for element in furniture:
        element.drop_tree()
    return bool(furniture)


class _Weights:
    """The weights of elements with all that is in them.

    Args:
        root: The page.
        own: The weights of block elements, without the blocks in them.
    """

    def __init__(self, root: Any, own: Mapping[Any, int]) -> None:
        self._own: Mapping[Any, int] = own
        self._sums: dict[Any, int] = dict(own)
        for element in reversed(list(root.iter())):
            weight, parent = self._sums.get(element), element.getparent()
            if weight and parent is not None:
                self._sums[parent] = self._sums.get(parent, 0) + weight

    def inside(self, element: Any) -> int:
        """The weight of an element; of one within a block, the words that it has of it."""
        if element.tag not in _INLINE or element in self._sums:
            return self._sums.get(element, 0)
        block = next(e for e in element.iterancestors() if e.tag not in _INLINE)
        if not (most := self._own.get(block, 0)):
            return 0
        return min(most, len("".join(element.itertext()).split()))


def _outermost(root: Any, weights: _Weights, may_lose: float) -> list[Any]:
    """Furniture that is in no other, as long as no more words than some are lost with it.

    Of elements with one class, all go or all stay.
    """
    named = [e for e in root.iter() if e.getparent() is not None and _is_furniture(e)]
    losses = Counter[str]()
    for element in named:
        losses[element.get("class", "")] += weights.inside(element)
    candidates = {
        each for each in named if not each.get("class") or losses[each.get("class")] <= may_lose
    }
    furniture: list[Any] = []
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        if element in candidates and (loss := weights.inside(element)) <= may_lose:
            may_lose -= loss
            furniture.append(element)
            walker.skip_subtree()
    return furniture


def _holds_comments(element: Any) -> bool:
    """True for the comments of readers, which may be longer than what they are about."""
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return "comment" in names.lower()


def _is_furniture(element: Any) -> bool:
    tag = element.tag
    if not isinstance(tag, str) or tag in _NEVER_FURNITURE:
        return False
    if tag in _FURNITURE_TAGS or element.get("role") in _FURNITURE_ROLES:
        return True
    if tag == "header":
        return not any(parent.tag in ("article", "main") for parent in element.iterancestors())
    classes, key = str(element.get("class") or ""), str(element.get("id") or "")
    if tag == "sup" and "reference" in classes.split():
        return True
    if tag == "a" and _has_words_beside(element):
        return False
    if _FURNITURE_CLASS.search(classes):
        return True
    return bool(_FURNITURE_CLASS.search(key))


def _has_words_beside(element: Any) -> bool:
    """True if an element is within running text."""
    while True:
        parent, before = element.getparent(), element.getprevious()
        ahead = parent.text if before is None else before.tail
        if any(char.isalnum() for char in f"{ahead or ''}{element.tail or ''}"):
            return True
        if parent.tag not in _INLINE or parent.getparent() is None:
            return False
        element = parent


def _is_section(element: Any) -> bool:
    """True for a section of the text, whose id repeats its heading ("cookies", "sharing")."""
    key = str(element.get("id") or "").lower()
    if element.tag not in ("section", "div") or not key or _MAIN_ID.search(key):
        return False
    first = next((e for e in element.iter() if isinstance(e.tag, str) and _own(e)), element)
    around = (first, *first.iterancestors())
    heading = next((e for e in around if e.tag in _HEADINGS), None)
    if heading is None or element not in heading.iterancestors():
        return False
    is_marked = element.tag == "section" or _SECTION_CLASS.search(element.get("class") or "")
    named = {word for word in _WORD_END.split(key) if word.isalpha()}
    heading_words = set(_WORD_END.split("".join(heading.itertext()).lower()))
    return bool((is_marked or named <= heading_words) and _is_written(element))


def _own(element: Any) -> str:
    return str(element.text or "").strip()


def _is_written(element: Any) -> bool:
    """True if an element has running text, and nothing to fill in or to choose."""
    controls = element.iter(*_CONTROLS)
    if any(not _is_inside(control, element, (*_HEADINGS, "pre")) for control in controls):
        return False
    for part in element.iter(*_RUNNING):
        words = " ".join(part.xpath(".//text()[not(ancestor::a)]")).split()
        if len(words) >= _TELLING_WORDS and not _is_inside(part, element, ("article",)):
            return True
    return False


def _is_inside(inner: Any, element: Any, tags: tuple[str, ...]) -> bool:
    """True if one of some tags, or named furniture, is between an element and one around it."""
    for parent in inner.iterancestors():
        if parent is element:
            return False
        if parent.tag in tags or _FURNITURE_CLASS.search(parent.get("class") or ""):
            return True
    return False

"""HTML: the main text of a page, without its menus, side bars and footers.

The extractor says where on the page the main text lies; what lies there is then read from the
page itself, so that nothing inside it gets lost (code, formulas, numbers of list items).
"""

import re
from itertools import groupby
from typing import Any

from core.documents.budget import Budget
from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers.cleaning import one_line
from core.documents.readers.encodings import declared_encoding, decode
from core.documents.readers.failures import not_text
from core.documents.readers.formulas import without_omitted
from core.documents.readers.hidden import hidden_text
from core.documents.readers.link_lines import Links
from core.documents.readers.office import deleted_passages
from core.documents.readers.page_styles import remove_unseen
from core.events import Progress, Steps
from core.stop import StopToken

_FURNITURE_TAGS = ("nav", "footer", "aside", "form", "dialog", "menu")
_FURNITURE_ROLES = (
    *("navigation", "banner", "contentinfo", "search", "complementary"),
    *("dialog", "alert", "menu", "menubar", "toolbar"),
)
_FURNITURE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:nav(?:bar|box|igation)?|toc|menu|breadcrumbs?|side-?bar|cookie\S*|advert\S*"
    r"|share|sharing|social|newsletter|related|comments?|pagination|pager|skip(?:link|-link)?"
    r"|masthead|noprint|editsection|jump-link|catlinks|printfooter|hatnote|metadata"
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
_MOST_OF_PAGE = 0.5  # an element with more of the page's text is no furniture, whatever its name
_TITLE_TAIL = re.compile(r"(?<!\s)\s+[|–—·•»\-]\s++[^|–—·•»]{1,60}$")
_PERMALINK = re.compile(r"\s*[#¶§]$")
_TELLING_WORDS = 6  # a block with fewer says little about where the main text is
_TOO_LITTLE = 0.3  # share of the page's running text below which the extractor is not believed
_ABOVE = 8  # blocks above the main text among which its title is looked for
_NEVER_MENU = (Kind.CODE, Kind.TABLE, Kind.QUOTE, Kind.CAPTION)
_KEY = re.compile(r"\W+")
_KEY_LENGTH = 48
_MOST_EXTRACTED, _LONGEST_RUN = 10_000, 5_000  # blocks of a page, and short ones in a row
_MOST_ELEMENTS = 100_000  # of a page that the extractor is given; it takes 50 µs for each
_SHORT = 100  # characters
_AFTER = re.compile(r"(?:foot)?notes|references|citations|bibliography|further reading|see also")


def read_html(data: bytes, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads a saved web page.

    Args:
        data: All its bytes.
        source: Where they came from; its name stands for a title the page does not have.
        stop: The wish to end early.

    Yields:
        That it is reading.

    Returns:
        The document of its main text; menus and the like are counted as left out.

    Raises:
        EpitomeError: If the bytes are no text in any known encoding.
    """
    yield Progress(0, 0, "words", "Reading")
    decoded = decode(data, declared_encoding(data))
    if decoded is None:
        raise not_text(source.name)
    yield Progress(0, 0, "words", "Reading")
    document = document_of_html(decoded.text, source, stop, [decoded.note] if decoded.note else [])
    return document


def document_of_html(
    html: str,
    source: Source,
    stop: StopToken,
    notes: list[str],
    *,
    whole: bool = False,
    sheets: list[str] | None = None,
) -> Document:
    """The document of HTML that is text already.

    Args:
        html: The page or a fragment.
        source: Where it came from.
        stop: The wish to end early.
        notes: What is worth saying about it, one sentence each.
        whole: Whether all of it was meant (a fragment that a person copied), so that no part is
            looked for.
        sheets: The style sheets that it names; None where they are not known.

    Returns:
        The document.
    """
    from lxml.html import tostring

    from core.documents.readers import epub_marks
    from core.documents.readers.markup import (
        FLATTENED,
        blocks_of,
        drop_deletions,
        parse_html,
    )

    root, is_tree = parse_html(html)
    if not is_tree:
        whole, notes = True, [*notes, FLATTENED]  # nothing is left to know the main text by
    if root is None:
        return Document.from_blocks([], title=source.name, source=source, notes=notes)
    hidden = remove_unseen(root, sheets, on_paper=not whole)
    title = _title(root)
    body = _body(root)
    is_chapter = epub_marks.is_page(body)
    whole = whole or is_chapter
    stop.raise_if_set()
    deleted = drop_deletions(body)
    everything = blocks_of(body, budget=Budget(source.name))
    all_words = _words(everything)
    if not whole and (_free_sections(root) or deleted or hidden):
        html = tostring(root, encoding="unicode")
    is_extractable = not whole and _is_extractable(everything, sum(1 for _ in body.iter()))
    extracted = _extracted(html) if is_extractable else []
    stop.raise_if_set()
    blocks = everything
    if is_chapter:
        epub_marks.prepare(body)
        blocks = blocks_of(_body(root), epub_marks.kind_of)
    elif not whole and _prune(root):
        blocks = blocks_of(_body(root))
    stop.raise_if_set()
    links = None if whole else Links.of(root)
    blocks = [_without_permalink(block) for block in blocks]
    blocks = [block for block in blocks if not (links and links.are_all_of(block))]
    title = (is_chapter and _first_heading(blocks)) or title
    if not whole:
        blocks = _main_part(blocks, extracted)
    furniture = all_words - _words(blocks)
    blocks, omitted = without_omitted(blocks)
    left_out = LeftOut(
        "menus and other page elements", "they are not part of the text", furniture, missed=False
    )
    crossed = deleted_passages(deleted, "the page marks them as deleted")
    found = [what for what in (crossed, left_out) if what.words > 0]
    return Document.from_blocks(
        refine_kinds(blocks),
        title=title or _first_heading(blocks) or source.name,
        source=source,
        left_out=[*omitted, *hidden_text(hidden), *found],
        notes=notes,
    )


def _body(root: Any) -> Any:
    body = root.find("body")
    return root if body is None else body


def _words(blocks: list[Block]) -> int:
    return sum(count_words(block.text) for block in blocks)


def _title(root: Any) -> str:
    """The page's own title: what it tells others, its only main heading, or its window title."""
    for meta in root.iter("meta"):
        if meta.get("property") == "og:title" and (meta.get("content") or "").strip():
            return one_line(str(meta.get("content")))
    window = one_line(root.findtext(".//title") or "")
    mains = [one_line("".join(h1.itertext())) for h1 in root.iter("h1")]
    known = set(_KEY.split(window.lower()))
    inside = [main for main in mains if main and known.issuperset(_KEY.split(main.lower()))]
    own = _TITLE_TAIL.sub("", window)
    if not inside:
        return own
    main = max(inside, key=len)
    return _PERMALINK.sub("", _heading_below(root, main, own) or main)


def _heading_below(root: Any, main: str, own: str) -> str:
    """The heading right below the main one if it is what the window's title begins with.

    Then the main heading names the site or the book, and stands above each of its pages.
    """
    heads = [one_line("".join(head.itertext())) for head in root.iter("h1", "h2", "h3")]
    below = next(iter(heads[heads.index(main) + 1 :]), "")
    return below if _key(_PERMALINK.sub("", below)) == _key(own) != _key(main) else ""


def _first_heading(blocks: list[Block]) -> str:
    return next((block.text for block in blocks[:5] if block.kind == Kind.HEADING), "")


def _without_permalink(block: Block) -> Block:
    if block.kind != Kind.HEADING:
        return block
    return Block(_PERMALINK.sub("", block.text), block.kind, block.level)


def _free_sections(root: Any) -> bool:
    """Takes the ids from sections of the text; whether there were any.

    They are made of headings. Pruning would take "comments" for the comments of readers, and the
    extractor "unavailable" for navigation, as it looks for "nav" within ids.
    """
    sections = [element for element in root.iter() if _is_section(element)]
    for section in sections:
        del section.attrib["id"]
    return bool(sections)


def _prune(root: Any) -> bool:
    """Takes out what names itself furniture, unless most of the page is inside; whether any was."""
    most, found = _MOST_OF_PAGE * len("".join(_body(root).itertext())), False
    for element in list(root.iter()):
        attached = element is not root and element.getparent() is not None
        if attached and _is_furniture(element) and sum(map(len, element.itertext())) < most:
            element.drop_tree()
            found = True
    return found


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
    """Whether an element stands within running text."""
    while True:
        parent, before = element.getparent(), element.getprevious()
        ahead = parent.text if before is None else before.tail
        if any(char.isalnum() for char in f"{ahead or ''}{element.tail or ''}"):
            return True
        if parent.tag not in _INLINE or parent.getparent() is None:
            return False
        element = parent


def _is_section(element: Any) -> bool:
    """Whether an element is a part of the text, whose id is its heading's: "cookies", "sharing"."""
    key = str(element.get("id") or "").lower()
    if element.tag not in ("section", "div") or not key or _MAIN_ID.search(key):
        return False
    first = next((e for e in element.iter() if isinstance(e.tag, str) and _own(e)), element)
    around = (first, *first.iterancestors())
    heading = next((e for e in around if e.tag in _HEADINGS), None)
    if heading is None or element not in heading.iterancestors():
        return False
    is_marked = element.tag == "section" or _SECTION_CLASS.search(element.get("class") or "")
    named = {word for word in _KEY.split(key) if word.isalpha()}
    said = set(_KEY.split("".join(heading.itertext()).lower()))
    return bool((is_marked or named <= said) and _is_written(element))


def _own(element: Any) -> str:
    return str(element.text or "").strip()


def _is_written(element: Any) -> bool:
    """Whether there is running text in an element, and nothing to fill in or to choose."""
    controls = element.iter(*_CONTROLS)
    if any(not _is_inside(control, element, (*_HEADINGS, "pre")) for control in controls):
        return False
    for part in element.iter(*_RUNNING):
        words = " ".join(part.xpath(".//text()[not(ancestor::a)]")).split()
        if len(words) >= _TELLING_WORDS and not _is_inside(part, element, ("article",)):
            return True
    return False


def _is_inside(inner: Any, element: Any, tags: tuple[str, ...]) -> bool:
    """Whether an element below another lies in one of some tags, or in named furniture, there."""
    for parent in inner.iterancestors():
        if parent is element:
            return False
        if parent.tag in tags or _FURNITURE_CLASS.search(parent.get("class") or ""):
            return True
    return False


def _is_extractable(blocks: list[Block], num_elements: int) -> bool:
    """Whether the extractor ends in time: it looks from each short block to the next long one."""
    if len(blocks) > _MOST_EXTRACTED or num_elements > _MOST_ELEMENTS:
        return False
    runs = groupby(blocks, lambda block: len(block.text) < _SHORT)
    return all(not short or sum(1 for _ in run) <= _LONGEST_RUN for short, run in runs)


def _extracted(html: str) -> list[Block]:
    """What the extractor takes for the main text; empty if it finds none."""
    import trafilatura

    from core.documents.readers.markup import blocks_of

    found: Any = trafilatura.bare_extraction(
        html,
        include_comments=False,
        include_formatting=True,
        with_metadata=False,
        output_format="xml",  # else it writes a text, too, in time that grows with the square
    )
    return [] if found is None or found.body is None else blocks_of(found.body)


def _key(text: str) -> str:
    return _KEY.sub("", text).lower()[:_KEY_LENGTH]


def _main_part(blocks: list[Block], extracted: list[Block]) -> list[Block]:
    """The stretch of blocks that the extractor found, with the title above it."""
    keys = {_key(block.text) for block in extracted}
    telling = [len(block.text.split()) >= _TELLING_WORDS for block in blocks]
    found = [
        index for index, block in enumerate(blocks) if telling[index] and _key(block.text) in keys
    ]
    if not found or _words(extracted) < _TOO_LITTLE * _words(
        [block for block, tells in zip(blocks, telling, strict=True) if tells]
    ):
        return blocks
    belongs = [_key(block.text) in keys or block.kind in _NEVER_MENU for block in blocks]
    return blocks[_first(blocks, belongs, found[0]) : _last(blocks, belongs, found[-1]) + 1]


def _first(blocks: list[Block], belongs: list[bool], found: int) -> int:
    """Where the main text begins: at its title above what was found, if it has one."""
    above = range(max(0, found - _ABOVE), found)
    mains = [i for i in above if blocks[i].kind == Kind.HEADING and blocks[i].level == 1]
    if mains:
        return mains[-1]
    while found and (belongs[found - 1] or blocks[found - 1].kind == Kind.HEADING):
        found -= 1
    return found


def _last(blocks: list[Block], belongs: list[bool], found: int) -> int:
    """Where the main text ends: after the notes and references that follow it."""
    last = found
    in_notes = False
    for index in range(found + 1, len(blocks)):
        block = blocks[index]
        if block.kind == Kind.HEADING:
            in_notes = bool(_AFTER.match(block.text.lower()))
            continue
        if not in_notes and not belongs[index]:
            break
        last = index
    return last

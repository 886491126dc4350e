"""HTML: the main text of a page, without its menus, side bars and footers.

The extractor says where on the page the main text lies; what lies there is then read from the
page itself, so that nothing inside it gets lost (code, formulas, numbers of list items).
"""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

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
from core.documents.readers.page_styles import apply_styles
from core.events import Progress, Steps
from core.numbers import format_count
from core.stop import StopToken

_MOST_LEFT_OUT = 1 / 3  # of the visible words of a page: if fewer are read, a note says so
_VISIBLE_TEXT = etree.XPath(
    "descendant-or-self::*[not(self::script or self::style or self::template)]/text()",
    smart_strings=False,
)
_TITLE_TAIL = re.compile(r"(?<!\s)\s+[|–—·•»\-]\s++[^|–—·•»]{1,60}$")
_PERMALINK = re.compile(r"\s*[#¶§]$")
_KEY = re.compile(r"\W+")


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
    from core.documents.readers.furniture import drop_furniture, free_sections
    from core.documents.readers.main_text import extract, main_part, weigh
    from core.documents.readers.markup import (
        FLATTENED,
        blocks_of,
        drop_deletions,
        parse_html,
        placed_blocks,
        with_bold_headings,
    )

    root, is_tree = parse_html(html)
    if not is_tree:
        whole, notes = True, [*notes, FLATTENED]  # nothing is left to know the main text by
    if root is None:
        return Document.from_blocks([], title=source.name, source=source, notes=notes)
    elements = list(root.iter())  # While they are held, lxml makes the object of each only once.
    hidden = apply_styles(root, sheets, on_paper=not whole)
    title = _title(root)
    body = _body(root)
    is_chapter = epub_marks.is_page(body)
    whole = whole or is_chapter
    stop.raise_if_set()
    deleted = drop_deletions(body)
    placed = placed_blocks(body, budget=Budget(source.name))
    all_words = _words([each.block for each in placed])
    if is_chapter:
        epub_marks.prepare(body)
        blocks = blocks_of(body, epub_marks.kind_of)
    elif whole:
        blocks = with_bold_headings(placed)
    else:
        visible = one_line(" ".join(_VISIBLE_TEXT(body)))
        free_sections(root)
        for quotation in body.iter("q"):
            quotation.tag = "span"  # which the extractor would take for a paragraph
        extracted = extract(tostring(root, encoding="unicode"), placed, len(elements))
        stop.raise_if_set()
        links = Links.of(root)
        if drop_furniture(root, *weigh(placed, extracted, links)):
            placed, links = placed_blocks(_body(root)), Links.of(root)
        stop.raise_if_set()
        placed = [each._replace(block=_without_permalink(each.block)) for each in placed]
        placed = [each for each in placed if not links.are_all_of(each.block)]
        blocks = with_bold_headings(main_part(placed, extracted, links))
        notes = [*notes, *_coverage(_words(blocks), all_words, visible)]
    blocks = [_without_permalink(block) for block in blocks]
    title = (is_chapter and _first_heading(blocks)) or title
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


def _coverage(read: int, laid_out: int, text: str) -> Iterator[str]:
    """A note where much of a page was taken for no part of its text."""
    visible = max(laid_out, count_words(text))
    if read < _MOST_LEFT_OUT * visible:
        yield (
            f"Only {format_count(read)} of the {format_count(visible)} visible words of the page "
            "were read as its text. If text is missing, copy it in a browser and paste it."
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


def _key(text: str) -> str:
    return _KEY.sub("", text).lower()

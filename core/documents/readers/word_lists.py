"""Lists in pages that Word and Outlook write: paragraphs that begin with the mark of an item."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from core.documents.readers.symbol_fonts import are_ticked, find_box

_IGNORED = re.compile(r"mso-list\s*:\s*ignore", re.IGNORECASE)
_SPACER = re.compile(r"font\s*:\s*7\.0pt\s+[\"']?Times New Roman", re.IGNORECASE)
_IS_LISTED = re.compile(r"mso-list\s*:|text-indent\s*:\s*-", re.IGNORECASE)
_LEVEL = re.compile(r"mso-list\s*:[^;:]*\blevel([1-6])", re.IGNORECASE)
_FONT = re.compile(r"font-family\s*:\s*[\"']?([\w ]+)", re.IGNORECASE)
_LONGEST_MARK = 40  # characters
_FARTHEST = 8  # elements between a mark and its paragraph


class _Item(NamedTuple):
    """A paragraph that is an item.

    Args:
        paragraph: Its element.
        holder: The element that the mark is the first text of.
        mark: The mark.
        font: The mark's, if its style names one.
    """

    paragraph: Any
    holder: Any
    mark: str
    font: str

    @property
    def is_bullet(self) -> bool:
        """True for a mark that is no number."""
        is_letter = len(self.mark) == 1 and not self.mark.isdecimal()
        return is_letter or not any(map(str.isalnum, self.mark))


def make_lists(root: Any) -> None:
    """Makes items of lists of the paragraphs that begin with a mark of Word's.

    Bullets are taken out; numbers stay as text, and so do boxes of which some are ticked.

    Args:
        root: The page.
    """
    items = list(_find_items(root))
    boxes = [find_box(item.mark, item.font) for item in items]
    has_ticks = are_ticked(filter(None, boxes))
    parts: Any = None
    for item, box in zip(items, boxes, strict=True):
        mark = (box if has_ticks else "") if item.is_bullet else item.mark
        item.holder.text = f"{mark} " if mark else None
        above = item.paragraph.getprevious()
        if above is None or above is not parts or (above.tail or "").strip():
            parts = item.paragraph.makeelement("ul")
            item.paragraph.addprevious(parts)
        _append(parts, item.paragraph)


def _append(parts: Any, paragraph: Any) -> None:
    level = _LEVEL.search(paragraph.get("style") or "")
    for name in (*("ul",) * (int(level[1]) - 1 if level else 0), "li"):
        inner = parts.makeelement(name)
        parts.append(inner)
        parts = inner
    parts.append(paragraph)


def _find_items(root: Any) -> Iterator[_Item]:
    """The paragraphs whose first text is a mark, in time that grows with the page."""
    last = None
    for span in root.iter("span"):
        style = span.get("style")
        if not style:
            continue
        if _IGNORED.search(style):
            holder = span
        elif _SPACER.search(style) and not "".join(span.itertext()).strip():
            holder = span.getparent()
        else:
            continue
        around = [holder, *islice(holder.iterancestors(), _FARTHEST)]
        paragraph = next((each for each in around if each.tag == "p"), None)
        if paragraph is None or paragraph is last or not _is_listed(paragraph):
            continue
        last = paragraph
        while len(holder) and not (holder.text or "").strip():
            holder = holder[0]
        text = next(filter(str.strip, paragraph.itertext()), "")
        mark = (holder.text or "").strip()
        if mark and holder.text == text and len(mark) <= _LONGEST_MARK:
            fonts = (_FONT.search(each.get("style") or "") for each in around)
            font = next(filter(None, fonts), None)
            yield _Item(paragraph, holder, mark, font[1] if font else "")


def _is_listed(paragraph: Any) -> bool:
    """True for a paragraph that is laid out as an item, and is in no other list."""
    is_listed = (paragraph.get("class") or "").startswith("MsoList") or _IS_LISTED.search(
        paragraph.get("style") or ""
    )
    parent = paragraph.getparent()
    return bool(is_listed) and parent is not None and parent.tag != "li"

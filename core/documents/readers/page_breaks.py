"""Pages of plain text: the form feeds that programs write between them, and what repeats there."""

import re
from collections import Counter
from itertools import pairwise

from core.documents.document import LeftOut, count_words

_NUMBER = re.compile(r"[-–—\s]*(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s+of\s+\d+)?[-–—\s]*", re.I)
_SENTENCE_END = re.compile(r"[.!?:;…。！？।؟۔։][\"'”’»)\]」』）]*$")
_FEWEST_PAGES = 2
_REPEATED = 0.4  # of the pages begin or end so; heads of left and right pages may differ
_FEWEST_WORDS = 3  # "Chapter 2" is no head
_MOST_LINES = 2  # of a head or a foot


def without_page_breaks(text: str) -> tuple[str, list[LeftOut]]:
    """Joins the pages of a text, without heads, feet and page numbers.

    Args:
        text: Any text, as it was decoded.

    Returns:
        The text, and what was left out. It is the text as it is unless form feeds part its pages.
    """
    if "\f" not in text:
        return text, []
    pages = [_trim(page.splitlines()) for page in text.split("\f") if page.strip()]
    if len(pages) < _FEWEST_PAGES:
        return text, []
    left_out: list[str] = []
    for _ in range(_MOST_LINES):
        for place in (0, -1):
            left_out += _cut_repeated(pages, place)
    parts = [*pages[:1]]
    for before, page in pairwise(pages):
        parts += [[]] * _ends(before, page) + [page]
    words = sum(map(count_words, left_out))
    out = LeftOut("running heads and feet", "they repeat from page to page", words, missed=False)
    return "\n".join("\n".join(part) for part in parts), [out] * bool(words)


def _cut_repeated(pages: list[list[str]], place: int) -> list[str]:
    """Takes the first (0) or last (-1) line from pages where it repeats or is a number."""
    ends = [page[place].strip() if page else "" for page in pages]
    counts = Counter(map(_without_number, ends))
    least = max(_FEWEST_PAGES, _REPEATED * len(pages))
    numbers = [bool(_NUMBER.fullmatch(end)) for end in ends]
    are_numbers = sum(numbers) >= least
    cut = []
    for index, (page, end, is_number) in enumerate(zip(pages, ends, numbers, strict=True)):
        is_title = index == 0 and place == 0 and not is_number
        repeats = counts[_without_number(end)] >= least and not is_number
        if end and not is_title and (repeats or (is_number and are_numbers)):
            cut.append(end)
            del page[place]
            pages[index] = _trim(page)
    return cut


def _trim(lines: list[str]) -> list[str]:
    """Lines without blank ones before and behind them."""
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _without_number(line: str) -> str:
    """A line of several words without the number of its page at one of its ends."""
    words = line.split()
    if len(words) >= _FEWEST_WORDS:
        words = words[words[0].isdecimal() : len(words) - words[-1].isdecimal()]
    return " ".join(words)


def _ends(before: list[str], page: list[str]) -> bool:
    """True if a paragraph ends with a page."""
    if not before or not page:
        return True
    return _SENTENCE_END.search(before[-1].rstrip()) is not None or page[0][:1].isspace()

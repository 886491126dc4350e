"""Measures the order in which text comes out of real pages against the order in which one reads.

`reading_order.json` holds the labels: for each page its paragraphs by their first and last words,
written down from the picture of the page. A quote that begins (or ends) with "…" is cut by the
page's end. Spaces, hyphens, accents and capitals do not count when quotes are looked for.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path

FILES = Path(__file__).parents[2] / "../shared/data/files"
_LABELS = Path(__file__).parent / "reading_order.json"
_UNTOLD = re.compile(r"[\W_]+")

Quotes = tuple[str, str]
Pieces = Sequence[str]
"""The text of a page as a program gives it, one string a paragraph."""


@dataclass(frozen=True)
class Page:
    """One labelled page.

    Args:
        file: Its file in the shared data.
        page: Its number from 1.
        shows: What is hard about it.
        running: First and last words of each heading, paragraph and list item, in order.
        aside: Those of notes, captions and side notes: in one piece, but at no certain place.
    """

    file: str
    page: int
    shows: str
    running: tuple[Quotes, ...]
    aside: tuple[Quotes, ...] = ()


@dataclass(frozen=True)
class Score:
    """How well a page's text follows its labels; counts, so that pages can be added.

    Args:
        labels: Labelled paragraphs.
        found: Those whose first and last words are there.
        in_one_piece: Those with no other labelled paragraph's words between the two.
        whole: Those that are one paragraph of the output, no more and no less.
        neighbours: Neighbouring pairs of running text.
        in_turn: Those that are found and in the right order.
        pairs: All pairs of running text.
        in_order: Those that are found and in the right order.
    """

    labels: int = 0
    found: int = 0
    in_one_piece: int = 0
    whole: int = 0
    neighbours: int = 0
    in_turn: int = 0
    pairs: int = 0
    in_order: int = 0

    def __add__(self, other: "Score") -> "Score":
        mine, theirs = vars(self), vars(other)
        return Score(**{name: mine[name] + theirs[name] for name in mine})


def labelled_pages() -> list[Page]:
    """All pages that are labelled."""
    rows = json.loads(_LABELS.read_text("utf-8"))
    return [
        Page(
            row["file"],
            row["page"],
            row["shows"],
            tuple((first, last) for first, last in row["running"]),
            tuple((first, last) for first, last in row.get("aside", ())),
        )
        for row in rows
    ]


def squeezed(text: str) -> str:
    """Letters and digits alone, so that two programs' spaces and hyphens do not matter."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return _UNTOLD.sub("", "".join(char for char in plain if not unicodedata.combining(char)))


def score(page: Page, pieces: Pieces) -> Score:
    """Compares the paragraphs of a page with its labels."""
    parts = [part for part in map(squeezed, pieces) if part]
    text, ends, length = "".join(parts), set[int](), 0
    for part in parts:
        length += len(part)
        ends.add(length)
    starts = {0, *ends}
    spans = [_span(text, quotes) for quotes in (*page.running, *page.aside)]
    edges = sorted(edge for span in spans if span for edge in span)
    running = spans[: len(page.running)]
    return Score(
        labels=len(spans),
        found=sum(span is not None for span in spans),
        in_one_piece=sum(span is not None and _is_alone(span, edges) for span in spans),
        whole=sum(
            span is not None and _is_whole(quotes, span, starts, ends) and _is_alone(span, edges)
            for quotes, span in zip((*page.running, *page.aside), spans, strict=True)
        ),
        neighbours=max(0, len(running) - 1),
        in_turn=sum(_follow(*pair) for pair in pairwise(running)),
        pairs=len(running) * (len(running) - 1) // 2,
        in_order=sum(_follow(*pair) for pair in combinations(running, 2)),
    )


Span = tuple[int, int]


def _span(text: str, quotes: Quotes) -> Span | None:
    """Where a paragraph begins and ends in squeezed text; None if its words are not there."""
    first, last = map(squeezed, quotes)
    start = text.find(first)
    end = text.find(last, start) if start >= 0 else -1
    return (start, end + len(last)) if end >= 0 else None


def _is_alone(span: Span, edges: list[int]) -> bool:
    return not any(span[0] < edge < span[1] for edge in edges)


def _is_whole(quotes: Quotes, span: Span, starts: set[int], ends: set[int]) -> bool:
    """Whether a paragraph begins and ends one of the output's; a page's end cuts both alike."""
    begins = span[0] in starts or quotes[0].startswith("…")
    return begins and (span[1] in ends or quotes[1].endswith("…"))


def _follow(before: Span | None, after: Span | None) -> bool:
    return before is not None and after is not None and before[0] < after[0]


def total(pages: Sequence[Page], read: Callable[[Page], Pieces]) -> Score:
    """The sum over pages of what a program makes of each."""
    return sum((score(page, read(page)) for page in pages), Score())

"""Lists and numbered headings of OpenDocument texts: where a paragraph stands, and its number."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.documents.readers.odt_styles import TEXT, Counter, Styles, number_of

_ID = "{http://www.w3.org/XML/1998/namespace}id"


@dataclass
class Place:
    """An item of a list, while it is read.

    Args:
        style: The list's style.
        depth: Its level, from 1.
        counter: Its numbers.
        start: The number that the item sets itself; None for the next one.
        waits: Whether the item's number is still to be printed.
    """

    style: str
    depth: int
    counter: Counter
    start: int | None = None
    waits: bool = False


class Lists:
    """Counts the automatic numbers of a text, paragraph by paragraph, in its order.

    Args:
        styles: The text's styles.
    """

    def __init__(self, styles: Styles) -> None:
        self.place: Place | None = None
        self._styles = styles
        self._counters: dict[str, Counter] = {}  # by a list's id, and by its style
        self._outline = Counter()

    def items(self, element: Any) -> Iterator[Any]:
        """The items of a list; while one is read, `place` tells where it stands.

        Args:
            element: The list.

        Yields:
            The elements of its items and of what stands before them without a number.
        """
        outer = self.place
        depth = 1 if outer is None else outer.depth + 1
        style = element.get(f"{TEXT}style-name") or ("" if outer is None else outer.style)
        counter = self._counter(element, style) if outer is None else outer.counter
        if outer is not None and element.get(f"{TEXT}continue-numbering") != "true":
            counter.restart(depth)
        for item in element.iterchildren(f"{TEXT}list-item", f"{TEXT}list-header"):
            start = number_of(item, f"{TEXT}start-value")
            is_item = item.tag == f"{TEXT}list-item"
            self.place = Place(style, depth, counter, start, is_item)
            yield item
        self.place = outer

    def marker(self, paragraph: Any, list_style: str) -> str | None:
        """The number printed before a paragraph or heading.

        Args:
            paragraph: Its element.
            list_style: The list style that its own style brings along, or empty.

        Returns:
            The number; empty for a bullet and for an item's further paragraphs; None for a
            paragraph outside all lists.
        """
        place = self.place
        if place is None:
            return self._marker_of_heading(paragraph)
        if not place.waits:
            return ""
        place.waits = False
        levels = self._styles.levels_of(place.style or list_style)
        marker = place.counter.next_marker(levels, place.depth, place.start)
        box = levels[place.depth].box if place.depth in levels and self._styles.have_ticks else ""
        return marker or box

    def _marker_of_heading(self, element: Any) -> str | None:
        depth = number_of(element, f"{TEXT}outline-level") or 1
        is_heading = element.tag == f"{TEXT}h" and depth in self._styles.outline
        if not is_heading or element.get(f"{TEXT}is-list-header") == "true":
            return None
        start = number_of(element, f"{TEXT}start-value")
        return self._outline.next_marker(self._styles.outline, depth, start) or None

    def _counter(self, element: Any, style: str) -> Counter:
        """Where a list begins to count: anew, or after the list that it goes on with."""
        goes_on = element.get(f"{TEXT}continue-list")
        if goes_on is None and element.get(f"{TEXT}continue-numbering") == "true":
            goes_on = f"style {style}"
        counter = self._counters.get(goes_on or "", Counter())
        keys = (element.get(_ID), f"style {style}")
        self._counters |= {key: counter for key in keys if key}
        return counter

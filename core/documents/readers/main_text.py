"""The main text of a page: the part that the page was made for.

An extractor names pieces of it. They are a witness: what names itself furniture goes only as far
as it holds none of them, and of what stays the main text is the stretch from the first piece to
the last, with the running text in the same kind of place before and after.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from core.documents.document import Block, Kind, count_words
from core.documents.readers.link_lines import Links
from core.documents.readers.markup import Placed, blocks_of

_TELLING_WORDS = 6  # a block with fewer says little about where the main text is
_FULL_LINE_WORDS = 12  # a block with more is running text even if no sentence ends in it
_TOO_LITTLE = 0.3  # share of the page's running text below which the extractor is not believed
_HARDLY_ANY, _FEW_WORDS = 0.1, 40  # the same where comments of readers may be running text, too
_USUAL_PLACE = 0.2  # share of the extractor's words in a kind of place that the text is in
_MOST_LINKS = 3  # in a row, that are no menu between parts of the main text
_ABOVE = 8  # blocks above the main text among which its title is looked for
_NEVER_MENU = (Kind.CODE, Kind.TABLE, Kind.QUOTE, Kind.CAPTION)
_KEY = re.compile(r"\W+")
_KEY_LENGTH = 48
_MOST_EXTRACTED, _LONGEST_RUN = 10_000, 5_000  # blocks of a page, and short ones in a row
_MOST_ELEMENTS = 100_000  # of a page that the extractor is given; it takes 50 µs for each
_SHORT = 100  # characters
_AFTER = re.compile(r"(?:foot)?notes|references|citations|bibliography|further reading|see also")
_SENTENCE_END = re.compile(r"[.!?…:;。！？][\"'”’»)\]]*$")
_IMPRINT = re.compile(r"©|\(c\) ?\d|copyright|all rights reserved", re.IGNORECASE)
_IN_PLACE = frozenset(  # elements of a text, which say nothing about its place on the page
    (
        *("p", "li", "ul", "ol", "dl", "dt", "dd", "blockquote", "pre", "figure", "figcaption"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "center", "address", "table"),
    )
)


def extract(html: str, placed: list[Placed], num_elements: int) -> list[Block]:
    """The pieces of a page that an extractor takes for its main text.

    Args:
        html: The page.
        placed: The blocks of the page.
        num_elements: Of the page.

    Returns:
        Blocks as the extractor has them; none if it finds nothing or would take too long.
    """
    import trafilatura

    if not _is_extractable([each.block for each in placed], num_elements):
        return []
    found: Any = trafilatura.bare_extraction(
        html,
        include_comments=False,
        include_formatting=True,
        with_metadata=False,
        output_format="xml",  # else it writes a text, too, in time that grows with the square
    )
    return [] if found is None or found.body is None else blocks_of(found.body)


def weigh(
    placed: list[Placed], extracted: list[Block], links: Links
) -> tuple[dict[Any, int], dict[Any, int]]:
    """Counts the words of the main text in each element of a page.

    Args:
        placed: The blocks of the page.
        extracted: The blocks that the extractor found.
        links: Those of the page.

    Returns:
        By the element that they are in, how many words the extractor found, and how many are of
        running text; the first is empty if the extractor found hardly any.
    """
    keys = {_key(block.text) for block in extracted}
    running = [
        each for each in placed if _is_telling(each.block) and each.block.text not in links.all
    ]
    found = [each for each in running if _key(each.block.text) in keys]
    if _words(found) < min(_FEW_WORDS, _HARDLY_ANY * _words(running)):
        found = []
    return _by_place(found), _by_place(running or placed)


def main_part(placed: list[Placed], extracted: list[Block], links: Links) -> list[Placed]:
    """The main text of a page without its furniture, with the title above it.

    Args:
        placed: The blocks of the page.
        extracted: The blocks that the extractor found.
        links: Those of the page.

    Returns:
        A stretch of the blocks; all of them if the extractor is not believed.
    """
    blocks = [each.block for each in placed]
    keys = {_key(block.text) for block in extracted}
    telling = [index for index, block in enumerate(blocks) if _is_telling(block)]
    found = [index for index in telling if _key(blocks[index].text) in keys]
    num_words = sum(count_words(blocks[index].text) for index in telling)
    if not found or sum(count_words(block.text) for block in extracted) < _TOO_LITTLE * num_words:
        return placed
    kinds = _PlaceKinds()
    usual = kinds.usual([placed[index] for index in found])
    alike = {
        index
        for index in telling
        if _is_running(blocks[index]) and kinds.get(placed[index].place) in usual
    }
    first = _farthest(blocks, range(found[0] - 1, -1, -1), alike, links, found[0])
    last = _farthest(blocks, range(found[-1] + 1, len(blocks)), alike, links, found[-1])
    belongs = [_key(block.text) in keys or block.kind in _NEVER_MENU for block in blocks]
    return placed[_first(blocks, belongs, first) : _last(blocks, belongs, last) + 1]


def _farthest(blocks: list[Block], way: range, alike: set[int], links: Links, start: int) -> int:
    """The last block on a way that is like the main text, before a menu lies in between."""
    num_links = 0
    for index in way:
        if index in alike:
            start, num_links = index, 0
        elif blocks[index].text in links.all:
            num_links += 1
            if num_links > _MOST_LINKS:
                break
    return start


@dataclass
class _PlaceKinds:
    """Numbers for the kinds of places of a page: the names and classes of the elements around."""

    _numbers: dict[tuple[int, str, str], int] = field(default_factory=dict)
    _known: dict[Any, int] = field(default_factory=dict)

    def get(self, place: Any) -> int:
        """The kind of place of a block, by the element that its text is in."""
        while place.tag in _IN_PLACE and place.getparent() is not None:
            place = place.getparent()
        chain = []
        while place is not None and place not in self._known:
            chain.append(place)
            place = place.getparent()
        kind = -1 if place is None else self._known[place]
        for element in reversed(chain):
            look = kind, str(element.tag), str(element.get("class") or "")
            kind = self._known[element] = self._numbers.setdefault(look, len(self._numbers))
        return kind

    def usual(self, found: list[Placed]) -> set[int]:
        """The kinds of places in which more than a few of the extractor's words are."""
        words = Counter[int]()
        for each in found:
            words[self.get(each.place)] += count_words(each.block.text)
        return {kind for kind, count in words.items() if count >= _USUAL_PLACE * words.total()}


def _is_telling(block: Block) -> bool:
    return len(block.text.split()) >= _TELLING_WORDS


def _is_running(block: Block) -> bool:
    """True for a block of sentences."""
    is_full = len(block.text.split()) >= _FULL_LINE_WORDS or _SENTENCE_END.search(block.text)
    return bool(is_full) and not _IMPRINT.search(block.text)


def _words(placed: Iterable[Placed]) -> int:
    return sum(count_words(each.block.text) for each in placed)


def _by_place(placed: list[Placed]) -> dict[Any, int]:
    words = Counter[Any]()
    for block, place, _ in placed:
        cells = list(place.iter("td", "th")) if block.kind == Kind.TABLE else []
        for cell in cells:
            words[cell] += count_words("".join(cell.itertext()))
        if not cells:
            words[place] += count_words(block.text)
    return dict(words)


def _is_extractable(blocks: list[Block], num_elements: int) -> bool:
    """True if the extractor ends in time: it looks from each short block to the next long one."""
    if len(blocks) > _MOST_EXTRACTED or num_elements > _MOST_ELEMENTS:
        return False
    runs = groupby(blocks, lambda block: len(block.text) < _SHORT)
    return all(not short or sum(1 for _ in run) <= _LONGEST_RUN for short, run in runs)


def _key(text: str) -> str:
    return _KEY.sub("", text[: 3 * _KEY_LENGTH]).lower()[:_KEY_LENGTH]


def _first(blocks: list[Block], belongs: list[bool], found: int) -> int:
    """The index of the first block of the main text: its title above `found`, if it has one."""
    above = range(max(0, found - _ABOVE), found)
    mains = [i for i in above if blocks[i].kind == Kind.HEADING and blocks[i].level == 1]
    if mains:
        return mains[-1]
    while found and (belongs[found - 1] or blocks[found - 1].kind == Kind.HEADING):
        found -= 1
    return found


def _last(blocks: list[Block], belongs: list[bool], found: int) -> int:
    """The index of the last block of the main text, with the notes and references below it."""
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

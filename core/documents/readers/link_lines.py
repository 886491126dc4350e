"""Lines of a web page that are nothing but links: menus which no element names as such."""

import re
from dataclasses import dataclass
from typing import Any, Self

from core.documents.document import Block, Kind
from core.documents.readers.cleaning import one_line

_BETWEEN = re.compile(r"\s*[|·•›»¦]\s*|\s+[/–—-]\s+")
_IN_PAGE = re.compile(r"\s*[,|·•;]\s*")
_LABEL = re.compile(r"[^:,.]{1,30}:\s+")
_FEWEST, _FEWEST_IN_PAGE = 2, 3
_LONGEST = 400  # characters


@dataclass(frozen=True)
class Links:
    """What the links of a page say.

    Args:
        all: The texts of all links.
        in_page: Of those that lead to another place on the page.
    """

    all: frozenset[str]
    in_page: frozenset[str]

    @classmethod
    def of(cls, root: Any) -> Self:
        """Those of a page."""
        texts = [
            (one_line("".join(anchor.itertext())), str(anchor.get("href") or ""))
            for anchor in root.iter("a")
        ]
        return cls(
            frozenset(text for text, href in texts if text and href),
            frozenset(text for text, href in texts if text and href.startswith("#")),
        )

    def are_all_of(self, block: Block) -> bool:
        """Whether a paragraph is a row of links with signs between them, or leads about the page:
        "Home | Help", "Jump to: Summary, Titles, Committees"."""
        if block.kind != Kind.PARAGRAPH or len(block.text) > _LONGEST:
            return False
        pieces = _pieces(_BETWEEN, block.text)
        if len(pieces) >= _FEWEST and self.all.issuperset(pieces):
            return True
        pieces = _pieces(_IN_PAGE, _LABEL.sub("", block.text, count=1))
        return len(pieces) >= _FEWEST_IN_PAGE and self.in_page.issuperset(pieces)


def _pieces(between: re.Pattern[str], text: str) -> list[str]:
    return [piece for piece in between.split(text.strip("[] ")) if piece]

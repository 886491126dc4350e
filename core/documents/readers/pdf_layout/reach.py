"""How far a PDF is read: all of it, or as many pages as there is time and memory for.

A page that is left out because the file is too long is told, and the pages before it are read all
the same.
"""

from dataclasses import dataclass
from typing import Final

from core.documents.readers.pdf_layout.sheet import Sheet
from core.numbers import format_count
from core.system.limits import share_taken

MOST_PAGES: Final = 30_000
MOST_WORDS: Final = 1_500_000
"""Of all pages; a thousand pages of a law report have 500,000."""

MOST_DAMAGED: Final = 1000
"""Pages in a row; a damaged file may claim to have a million."""

_READING_SHARE = 0.4  # of what a document may take; putting the words in order takes the rest


@dataclass
class Reach:
    """Counts what is read of one file.

    Args:
        num_pages: How many the file has.
        pages: How many were read.
        words: How many they hold.
        damaged: How many of the last pages could not be opened.
        ended_by: Why no more are read, a clause; empty while more are.
    """

    num_pages: int
    pages: int = 0
    words: int = 0
    damaged: int = 0
    ended_by: str = ""

    def add(self, sheet: Sheet) -> None:
        """Counts a page, and decides whether it is the last."""
        self.pages += 1
        self.words += len(sheet.words)
        self.damaged = self.damaged + 1 if sheet.damaged else 0
        if self.pages < self.num_pages:
            self.ended_by = self._reason()

    def _reason(self) -> str:
        if self.damaged == MOST_DAMAGED:
            return f"the last {format_count(MOST_DAMAGED)} could not be opened"
        if self.pages == MOST_PAGES:
            return f"no more than {format_count(MOST_PAGES)} are read of a file"
        if self.words >= MOST_WORDS:
            return f"they have more than {format_count(MOST_WORDS)} words"
        if share_taken() > _READING_SHARE:
            return "the rest would take more time or memory than a document may"
        return ""

    @property
    def pages_read(self) -> str:
        """Which pages were read: "its page", "the first 30,000 of its 300,000 pages"."""
        if self.ended_by:
            last, total = format_count(self.pages), format_count(self.num_pages)
            return f"the first {last} of its {total} pages"
        return "its page" if self.pages == 1 else f"its {format_count(self.pages)} pages"

    def notes(self) -> list[str]:
        """Which pages were read, one sentence; nothing where all were."""
        if not self.ended_by:
            return []
        last, total = format_count(self.pages), format_count(self.num_pages)
        return [
            f"Pages 1 to {last} of {total} were read: {self.ended_by}. "
            "Split the file to read the other pages."
        ]

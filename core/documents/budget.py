"""What one document may take of the machine while it is read.

A few kilobytes can ask for gigabytes: parts that unpack without end, notes that cite notes, numbers
of lists as long as a page. Readers count what they unpack and make; whatever a file does, it ends
at the same three limits.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from core.errors import EpitomeError
from core.numbers import format_count, format_size

MOST_CHARACTERS: Final = 50_000_000
"""Of text; as many as the largest plain text file has."""

MOST_PARAGRAPHS: Final = 500_000
"""Headings, list items and lines of verse included; a long novel has 15,000."""

MOST_LINES: Final = 2_000_000
"""Of plain text, tables and mail; 50 MB of ordinary lines are fewer."""

MOST_TAGS: Final = 6_000_000
"""Of markup; a document of a thousand pages has two million."""

MOST_UNPACKED_BYTES: Final = 1_000_000_000
"""Of an archive's parts that are read."""

OVER: Final = "budget"
"""The kind of the error for a document that needs more."""


@dataclass
class Budget:
    """Counts what is made of one file.

    Args:
        name: What to call the file in errors.
        characters: How many of text were made.
        paragraphs: How many were made.
        tags: How many of markup were parsed.
        unpacked_bytes: How many bytes of an archive's parts were read.
    """

    name: str
    characters: int = 0
    paragraphs: int = 0
    tags: int = 0
    unpacked_bytes: int = 0

    def add_text(self, text: str) -> None:
        """Counts a paragraph.

        Args:
            text: What it says.

        Raises:
            EpitomeError: If it is too much; so do the others.
        """
        self.paragraphs += 1
        self.characters += len(text)
        self._check(self.characters, MOST_CHARACTERS, "characters of text")
        self._check(self.paragraphs, MOST_PARAGRAPHS, "paragraphs")

    def counted(self, texts: Iterable[str]) -> Iterator[str]:
        """Texts that are joined: gives each after it was counted."""
        for text in texts:
            self.characters += len(text)
            self._check(self.characters, MOST_CHARACTERS, "characters of text")
            yield text

    def add_tags(self, number: int) -> None:
        """Counts tags, before they are parsed."""
        self.tags += number
        self._check(self.tags, MOST_TAGS, "tags")

    def check_lines(self, data: bytes) -> None:
        """Looks how many lines a file has, before it is read."""
        self._check(max(data.count(b"\n"), data.count(b"\r")), MOST_LINES, "lines")

    def add_bytes(self, number: int) -> None:
        """Counts bytes, before they are unpacked."""
        self.unpacked_bytes += number
        if self.unpacked_bytes > MOST_UNPACKED_BYTES:
            raise self._over(f"unpacks to more than {format_size(MOST_UNPACKED_BYTES)}")

    def _check(self, count: int, most: int, what: str) -> None:
        if count > most:
            raise self._over(f"has more than {format_count(most)} {what}")

    def _over(self, what: str) -> EpitomeError:
        return EpitomeError(
            f"“{self.name}” {what}, which is the most that a document can have.",
            "Split it into smaller files, and open them one by one.",
            OVER,
        )

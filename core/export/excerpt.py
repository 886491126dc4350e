"""A summary with what it quotes of its document, to be exported when the document is gone."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Self

from pydantic import TypeAdapter

from core.documents.document import Reading, Source
from core.storage.parsing import json_text, parse_json
from core.summaries.summary import Evidence, Quotable, Summary


@dataclass(frozen=True)
class Excerpt:
    """The passages of a document that a summary refers to; a `core.summaries.summary.Quotable`.

    Args:
        title: The title of the document.
        source: Where it came from.
        reading: What was read of it.
        passages: By their offsets, what the document says there.
    """

    title: str
    source: Source
    reading: Reading
    passages: dict[tuple[int, int], str] = field(default_factory=dict)

    def passage(self, start: int, end: int) -> str:
        """The text between two offsets; empty if the summary does not refer to it."""
        return self.passages.get((start, end), "")


@dataclass(frozen=True)
class KeptSummary:
    """A summary that can be exported without its document.

    Args:
        summary: The summary.
        title: The title of its document.
        quotes: Start, end and text of each passage that it refers to.
    """

    summary: Summary
    title: str
    quotes: tuple[tuple[int, int, str], ...]

    @classmethod
    def of(cls, summary: Summary, document: Quotable) -> Self:
        """Takes the passages out of the document."""
        spans = dict.fromkeys((item.start, item.end) for item in _evidence(summary))
        quotes = tuple((start, end, document.passage(start, end)) for start, end in spans)
        return cls(summary, document.title, quotes)

    @classmethod
    def from_json(cls, text: str) -> "KeptSummary":
        """Reads what `to_json` wrote.

        Args:
            text: The JSON.

        Returns:
            The same summary.

        Raises:
            ValueError: If it is something else.
        """
        return _adapter().validate_python(parse_json(text))

    def to_json(self) -> str:
        """All of it as JSON on one line."""
        return json_text(asdict(self))

    @property
    def excerpt(self) -> Excerpt:
        """What an export needs of the document."""
        passages = {(start, end): text for start, end, text in self.quotes}
        return Excerpt(self.title, self.summary.source, self.summary.read, passages)


@cache
def _adapter() -> TypeAdapter[KeptSummary]:
    return TypeAdapter(KeptSummary)


def _evidence(summary: Summary) -> Iterator[Evidence]:
    for sentence in summary.sentences:
        yield from sentence.evidence
    yield from (*summary.edits.dropped, *summary.edits.replaced)

"""What the history keeps of a summary."""

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from core.display_names import shown, storable_path, storable_text

if TYPE_CHECKING:  # the settings need the limits at the start, and no document
    from core.summaries.summary import Edits, Summary

ORIGINS = ("summarise", "batch", "command")
"""Where summaries are made: in the two panels, and by ``epitome summarise``."""


def new_id() -> str:
    """A name for an entry that no other one has."""
    return uuid4().hex


@dataclass(frozen=True)
class Limits:
    """How much is kept; starred entries are not removed.

    Args:
        days: For how long; 0 for ever.
        megabytes: How much text of summaries; 0 for any amount.
    """

    days: int = 0
    megabytes: int = 0


@dataclass(frozen=True)
class Entry:
    """A summary in the list.

    Args:
        id: Its name.
        title: The document's title, or what the person calls it.
        name: The name of the document's file, or "Pasted text".
        path: The document's file; empty when there was none.
        sha256: Hash of the bytes that were read.
        model: What wrote it.
        length: The requested length, as ``str(Length)``.
        language: The chosen language of the source, as `OpenJob` takes it.
        edits: How many sentences were pinned, dropped or replaced by hand.
        sentences: How many sentences it has.
        words: How many words.
        origin: Where it was made: one of `ORIGINS`.
        made_s: When, in seconds since 1970.
        starred: Whether it has a star.
        note: What the person wrote about it.
        first: Its first sentence.
        trashed_s: When it was deleted, in seconds since 1970; None while it is not in the trash.
        documents: How many documents it is of.
    """

    id: str
    title: str
    name: str
    path: str
    sha256: str
    model: str
    length: str
    language: str
    edits: int
    sentences: int
    words: int
    origin: str
    made_s: float
    starred: int
    note: str
    first: str
    trashed_s: float | None
    documents: int = 1


_LATEST_S = 253_402_300_000.0  # the year 9999
_PLAIN: dict[Any, Callable[[Any], Any]] = {
    str: lambda value: os.fsdecode(value) if isinstance(value, str | bytes) else "",
    int: lambda value: value if type(value) is int and abs(value) < 2**31 else 0,
    float: lambda value: float(value) if _is_time(value) else 0.0,
    float | None: lambda value: float(value) if _is_time(value) else None,
}


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value < _LATEST_S


def entry_of(row: Sequence[Any]) -> Entry:
    """An entry from its row; what is of a wrong type, in a damaged file, is empty or 0."""
    kinds = [each.type for each in fields(Entry)]
    return Entry(*(_PLAIN[kind](value) for kind, value in zip(kinds, row, strict=True)))


@dataclass(frozen=True)
class Kept:
    """An entry with its summary.

    Args:
        entry: What the list shows.
        kept: The summary and its quotations, as `core.export.excerpt.KeptSummary.to_json` gives it;
            of several documents, as `core.export.kept_combined.combined_to_json` does.
    """

    entry: Entry
    kept: str


@dataclass(frozen=True)
class NewEntry:
    """A summary that is to be kept.

    Args:
        summary: The summary; of several documents, as `core.export.kept_combined.as_summary` gives
            it.
        kept: The same with its quotations, as in `Kept`.
        language: As in `Entry`.
        origin: As in `Entry`.
        id: As in `Entry`; what was kept under it is replaced.
        made_s: As in `Entry`.
        note: As in `Entry`.
        documents: As in `Entry`.
    """

    summary: "Summary"
    kept: str
    language: str = "auto"
    origin: str = "summarise"
    id: str = field(default_factory=new_id)
    made_s: float = field(default_factory=time.time)
    note: str = ""
    documents: int = 1

    @property
    def title(self) -> str:
        """The document's title, or the name of its file."""
        return shown(" ".join(self.summary.title.split()) or self.summary.source.name)

    @property
    def text(self) -> str:
        """What is searched: the sentences with who says them, and the name of the file."""
        said = "\n".join(sentence.spoken for sentence in self.summary.sentences)
        return storable_text(f"{said}\n{shown(self.summary.source.name)}")

    @property
    def mark(self) -> str:
        """Tells summaries apart: the same document, settings and sentences give the same."""
        summary = self.summary
        pinned = [index for index, each in enumerate(summary.sentences) if each.pinned]
        told = [
            summary.source.sha256, summary.model, str(summary.length), self.language, self.text,
            pinned, _starts(summary.edits),
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def columns(self) -> dict[str, Any]:
        """The values of the row, by column."""
        summary, source = self.summary, self.summary.source
        edits = summary.edits
        num_pinned = sum(sentence.pinned for sentence in summary.sentences)
        first = summary.sentences[0].spoken if summary.sentences else ""
        return {
            "id": self.id, "mark": self.mark, "title": self.title, "name": shown(source.name),
            "path": storable_path(source.path), "sha256": source.sha256, "model": summary.model,
            "length": str(summary.length), "language": self.language,
            "edits": num_pinned + len(edits.dropped) + len(edits.replaced),
            "sentences": len(summary.sentences), "words": summary.words, "origin": self.origin,
            "made": self.made_s, "note": storable_text(self.note), "first": storable_text(first),
            "bytes": len(self.kept.encode("utf-8", "replace")) + len(self.text.encode()),
            "documents": self.documents,
        }  # fmt: skip


def _starts(edits: "Edits") -> list[list[int]]:
    return [[item.start for item in items] for items in (edits.dropped, edits.replaced)]

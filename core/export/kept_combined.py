"""One summary of several documents as the history keeps it."""

import hashlib
from dataclasses import asdict, replace
from functools import cache

from pydantic import TypeAdapter

from core.documents.document import Reading, Source
from core.export.combined import CombinedSummary, name_of, title_of_combined
from core.export.excerpt import KeptSummary
from core.storage.parsing import json_text, parse_json
from core.summaries.summary import Edits, Summary

_MOST_NAMES = 3


def as_summary(combined: CombinedSummary) -> Summary:
    """What a list shows and a search finds of it: its points, under the names of its documents.

    Args:
        combined: The summary.

    Returns:
        A summary whose source stands for all documents; each sentence is a point.
    """
    read = [document.summary.read for document in combined.documents]
    languages = {each.language for each in read}
    digests = "".join(document.summary.source.sha256 for document in combined.documents)
    names = [name_of(document) for document in combined.documents]
    return Summary(
        f"{title_of_combined(combined)}: {_listed(names)}",
        Source(", ".join(names), "", hashlib.sha256(digests.encode()).hexdigest()),
        tuple(point.voices[0].sentence for point in combined.points),
        combined.length,
        Reading(
            sum(each.words for each in read),
            sum(each.of_words for each in read),
            sum(each.pages for each in read),
            sum(each.of_pages for each in read),
            language=languages.pop() if len(languages) == 1 else "",
        ),
        combined.notes,
    )


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_NAMES
    shown = ", ".join(names[:_MOST_NAMES])
    return f"{shown} and {more} more" if more > 0 else shown


def combined_to_json(combined: CombinedSummary) -> str:
    """All of it that is shown, as JSON on one line; what was not taken into it is left out."""
    return json_text(asdict(_trimmed(combined)))


def combined_from_json(text: str) -> CombinedSummary:
    """Reads what `combined_to_json` wrote.

    Args:
        text: The JSON.

    Returns:
        The same summary.

    Raises:
        ValueError: If it is something else.
    """
    return _adapter().validate_python(parse_json(text))


def _trimmed(combined: CombinedSummary) -> CombinedSummary:
    used: list[set[tuple[int, int]]] = [set() for _ in combined.documents]
    for point in combined.points:
        for voice in (*point.voices, *point.contrary):
            used[voice.document] |= {(item.start, item.end) for item in voice.sentence.evidence}
    documents = tuple(map(_trimmed_document, combined.documents, used))
    return replace(combined, documents=documents)


def _trimmed_document(document: KeptSummary, used: set[tuple[int, int]]) -> KeptSummary:
    quotes = tuple(quote for quote in document.quotes if quote[:2] in used)
    summary = replace(document.summary, sentences=(), edits=Edits())
    return replace(document, summary=summary, quotes=quotes)


@cache
def _adapter() -> TypeAdapter[CombinedSummary]:
    return TypeAdapter(CombinedSummary)

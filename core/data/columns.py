"""Finds the columns of a table with documents and summaries, given or guessed by name."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.data.settings import Make
from core.documents.readers.columns import DOCUMENTS, TITLES, first_named
from core.errors import EpitomeError

SUMMARIES = (
    "summary", "abstract", "highlights", "summaries", "tldr", "tl;dr", "digest", "target_text",
)  # fmt: skip
IDS = ("id", "doc_id", "docid", "uid", "guid", "url", "publication_number")


@dataclass(frozen=True)
class Columns:
    """The columns to read.

    Args:
        document: The column of documents.
        summary: The column of summaries; empty if there is none.
        title: The column of titles; empty if there is none.
        id: The column of row ids; empty if there is none.
    """

    document: str
    summary: str = ""
    title: str = ""
    id: str = ""

    def describe(self, make: Make) -> str:
        """A clause that says which of them are read for rows of this kind."""
        summary = f", summaries from “{self.summary}”" if make == "pairs" else ""
        return f"documents from “{self.document}”{summary}"


def find_columns(
    names: Sequence[str], origin: str, document: str = "", summary: str = ""
) -> Columns:
    """Finds the columns of a table.

    Args:
        names: The names of its columns.
        origin: The name of the table in error messages.
        document: The column of documents; guessed if empty.
        summary: The column of summaries; guessed if empty.

    Returns:
        The columns.

    Raises:
        EpitomeError: If a given column does not exist, or none looks like documents.
    """
    for wanted in filter(None, (document, summary)):
        if wanted not in names:
            raise EpitomeError(
                f"{origin} has no column “{wanted}”; it has {_listed(names)}.",
                "Choose one of these.",
            )
    # A column cannot be both: one given for documents is not guessed for summaries.
    free = [name for name in names if name not in (document, summary)]
    document = document or first_named(DOCUMENTS, free) or (free[0] if len(names) == 1 else "")
    if not document:
        raise EpitomeError(
            f"No column of {origin} looks like documents; it has {_listed(names)}.",
            "Choose one with --document-column.",
        )
    free = [name for name in free if name != document]
    return Columns(
        document,
        summary or first_named(SUMMARIES, free),
        first_named(TITLES, free),
        first_named(IDS, free),
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names) or "none"

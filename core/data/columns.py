"""Which columns of a table hold documents and summaries: named, or guessed from their names."""

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
    """The columns that are read.

    Args:
        document: Holds the documents.
        summary: Holds their summaries; empty if none does.
        title: Holds titles; empty if none does.
        id: Names the rows; empty if none does.
    """

    document: str
    summary: str = ""
    title: str = ""
    id: str = ""

    def told(self, make: Make) -> str:
        """Which of them are read for such rows, as a clause."""
        summary = f", summaries from “{self.summary}”" if make == "pairs" else ""
        return f"documents from “{self.document}”{summary}"


def find_columns(
    names: Sequence[str], origin: str, document: str = "", summary: str = ""
) -> Columns:
    """Finds the columns of a table.

    Args:
        names: What its columns are called.
        origin: What to call the table.
        document: The column of documents; guessed if empty.
        summary: The column of summaries; guessed if empty.

    Returns:
        The columns.

    Raises:
        EpitomeError: If a named column is not there, or none looks like documents.
    """
    for wanted in filter(None, (document, summary)):
        if wanted not in names:
            raise EpitomeError(
                f"{origin} has no column “{wanted}”; it has {_listed(names)}.", "Name one of them."
            )
    # One column cannot be both: what was named for one is not guessed for the other.
    free = [name for name in names if name not in (document, summary)]
    document = document or first_named(DOCUMENTS, free) or (free[0] if len(names) == 1 else "")
    if not document:
        raise EpitomeError(
            f"No column of {origin} looks like documents; it has {_listed(names)}.",
            "Name the right one with --document-column.",
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

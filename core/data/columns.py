"""Which columns of a table hold documents and summaries: named, or guessed from their names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.data.settings import Make
from core.errors import EpitomeError

# Most telling first. BigPatent calls its documents "description" and its summaries "abstract".
DOCUMENTS = (
    "document", "article", "text", "body", "full_text", "fulltext", "content", "contents",
    "description", "report", "dialogue", "passage", "maintext", "paper", "source_text",
)  # fmt: skip
SUMMARIES = (
    "summary", "abstract", "highlights", "summaries", "tldr", "tl;dr", "digest", "target_text",
)  # fmt: skip
TITLES = ("title", "headline", "name")
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
    document = document or _first(DOCUMENTS, free) or (free[0] if len(names) == 1 else "")
    if not document:
        raise EpitomeError(
            f"No column of {origin} looks like documents; it has {_listed(names)}.",
            "Name the right one with --document-column.",
        )
    free = [name for name in free if name != document]
    return Columns(
        document, summary or _first(SUMMARIES, free), _first(TITLES, free), _first(IDS, free)
    )


def _first(wanted: Iterable[str], names: Sequence[str]) -> str:
    """The first wanted name that is there, in whatever case; empty if none is."""
    lowered = {name.lower().strip(): name for name in reversed(names)}
    return next((lowered[name] for name in wanted if name in lowered), "")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names) or "none"

"""Which column of a table holds texts and which their titles, guessed from names and words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.documents.document import count_words
from core.errors import EpitomeError

# Most telling first. BigPatent calls its documents "description" and its summaries "abstract".
DOCUMENTS = (
    "document", "article", "text", "body", "full_text", "fulltext", "content", "contents",
    "description", "report", "dialogue", "passage", "maintext", "paper", "source_text",
)  # fmt: skip
TITLES = ("title", "headline", "subject", "heading", "name")

Row = Mapping[str, str]

_SAMPLE_ROWS = 200
_FEWEST_WORDS = 5.0  # of a field on average, for a column of texts
_TITLE_WORDS = 25.0
_MOST_LISTED = 12
_NEARLY = 0.5  # of the longest column's words make a column with a telling name the one


@dataclass(frozen=True)
class TextColumns:
    """The columns that are read, and those that hold texts too.

    Args:
        text: Holds the texts; empty if no column does.
        title: Holds titles; empty if none does.
        others: Hold texts and are not read.
    """

    text: str = ""
    title: str = ""
    others: tuple[str, ...] = ()


def find_text_columns(rows: Sequence[Row], names: Sequence[str], text: str = "") -> TextColumns:
    """Finds the column of texts: the one with the most words, or nearly so and named for it.

    Args:
        rows: The rows.
        names: What the columns are called.
        text: The column of texts, where it is known.

    Returns:
        The columns.
    """
    words = {name: _mean_words(rows, name) for name in names}
    texts = [name for name in names if words[name] >= _FEWEST_WORDS]
    if not text:
        if not texts:
            return TextColumns()
        longest = max(texts, key=lambda name: words[name])
        enough = [name for name in texts if words[name] >= _NEARLY * words[longest]]
        text = first_named(DOCUMENTS, enough) or longest
    short = [name for name in names if name != text and 0 < words[name] <= _TITLE_WORDS]
    title = first_named(TITLES, short)
    others = tuple(name for name in texts if name not in (text, title))
    return TextColumns(text, title, others)


def first_named(wanted: Iterable[str], names: Sequence[str]) -> str:
    """The first wanted name that is there, in whatever case and depth; empty if none is."""
    lowered: dict[str, str] = {}
    for name in reversed(names):
        lowered[name.lower().strip().rsplit(".", 1)[-1]] = name
    for name in reversed(names):
        lowered[name.lower().strip()] = name
    return next((lowered[name] for name in wanted if name in lowered), "")


def column_named(wanted: str, names: Sequence[str], file: str) -> str:
    """The column that a person named.

    Args:
        wanted: What they typed, in whatever case; empty for none.
        names: What the columns are called; none where the file is no table.
        file: The name of the file.

    Returns:
        The column; empty if none was named.

    Raises:
        EpitomeError: If there is no such column.
    """
    known = first_named([wanted.lower().strip()], names)
    if not wanted or known:
        return known
    there = f"; it has {listed(names)}" if names else ""
    remedy = "Name one of these." if names else "Leave the column out; it is read as plain text."
    raise EpitomeError(f"“{file}” has no column “{wanted}”{there}.", remedy)


def listed(names: Sequence[str]) -> str:
    """Columns in a sentence: "“a”, “b”"; of many the first, and how many more there are."""
    more = len(names) - _MOST_LISTED
    first = ", ".join(f"“{name}”" for name in names[:_MOST_LISTED])
    return f"{first} and {more} more" if more > 0 else first


def _mean_words(rows: Sequence[Row], name: str) -> float:
    """Mean words of a column's fields that are not empty, from rows over the whole table."""
    step = max(1, len(rows) // _SAMPLE_ROWS)
    fields = [field for row in rows[::step] if (field := row.get(name, "").strip())]
    return sum(map(count_words, fields)) / len(fields) if fields else 0.0

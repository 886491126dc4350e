"""The state of the History panel, without Qt."""

from collections.abc import Mapping
from dataclasses import replace

from core.jobs.history.history import HistoryFound
from core.library.history import Shown
from core.library.history_entry import Entry
from core.summaries.summary import Summary

FIRST_ENTRIES = 200
"""How many are shown at first; more when the list is scrolled to its end."""


class HistoryState:
    """The entries that are shown, and the chosen one."""

    def __init__(self) -> None:
        self.entries: tuple[Entry, ...] = ()
        self.counts: Mapping[Shown, int] = {"all": 0, "starred": 0, "trash": 0}
        self.is_known = False
        """True once the history was read."""
        self.query = ""
        self.shown: Shown = "all"
        self.limit = FIRST_ENTRIES
        self.chosen = ""
        """The id of the chosen entry; empty for none."""

    def take(self, found: HistoryFound) -> None:
        """Takes a result; another entry is chosen when the chosen one is not in it."""
        before = [entry.id for entry in self.entries]
        self.entries, self.counts, self.is_known = found.entries, found.counts, True
        ids = [entry.id for entry in self.entries]
        if self.chosen not in ids:
            # The next one takes its place, as under the pointer.
            place = before.index(self.chosen) if self.chosen in before else 0
            self.chosen = ids[min(place, len(ids) - 1)] if ids else ""

    def search(self, query: str, shown: Shown) -> None:
        """Begins another search."""
        self.query, self.shown, self.limit = query, shown, FIRST_ENTRIES

    @property
    def selected(self) -> Entry | None:
        """The chosen entry."""
        return next((entry for entry in self.entries if entry.id == self.chosen), None)

    def change_selected(self, **values: object) -> None:
        """Shows a change of the chosen entry before it is written."""
        self.entries = tuple(
            replace(entry, **values) if entry.id == self.chosen else entry  # type: ignore[arg-type]
            for entry in self.entries
        )

    @property
    def has_more(self) -> bool:
        """True if there may be older entries beyond the limit."""
        return len(self.entries) >= self.limit

    @property
    def is_empty(self) -> bool:
        """True if all lists are empty."""
        return self.is_known and not (self.counts["all"] + self.counts["trash"])


def reopened(entry: Entry, summary: Summary) -> dict[str, str]:
    """What Summarise needs to show a document as it was summarised then."""
    pinned = (s.evidence[0].sentence for s in summary.sentences if s.pinned and s.evidence)
    return {
        "file": entry.path,
        "model": entry.model,
        "length": entry.length,
        "language": entry.language,
        "pinned": " ".join(map(str, pinned)),
        "dropped": " ".join(str(item.sentence) for item in summary.edits.dropped),
        "replaced": " ".join(str(item.sentence) for item in summary.edits.replaced),
    }

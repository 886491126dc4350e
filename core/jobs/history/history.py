"""Looks into the history of summaries: what its panel asks for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.events import Event, Finished
from core.export.combined import CombinedSummary
from core.export.excerpt import KeptSummary
from core.export.kept_combined import combined_from_json
from core.library.history import History, Shown
from core.library.history_entry import Entry
from core.stop import StopToken


@dataclass(frozen=True)
class HistoryFound:
    """What was found.

    Args:
        entries: The newest of them.
        counts: How many entries each list has, whatever is searched.
        note: What a person should be told; empty when all is well.
    """

    entries: tuple[Entry, ...]
    counts: dict[Shown, int]
    note: str


def search_history(
    history: History, wanted: str = "", shown: Shown = "all", most: int = 200
) -> HistoryFound:
    """Searches the history.

    Args:
        history: The history.
        wanted: Words that begin so.
        shown: Which entries.
        most: How many are wanted.

    Returns:
        The entries, and how many there are.
    """
    entries = history.search(wanted, shown, most)
    counts = history.count()
    return HistoryFound(entries, counts, history.take_note())


_Reader = Callable[[str], KeptSummary | CombinedSummary]


@dataclass(frozen=True)
class OpenedEntry:
    """A summary of the history.

    Args:
        entry: What the list shows.
        kept: The summary with its quotations; of several documents, the one of all.
    """

    entry: Entry
    kept: KeptSummary | CombinedSummary


@dataclass(frozen=True)
class OpenEntryJob:
    """Reads one summary of the history.

    Args:
        history: The history.
        id: Its name.
    """

    history: History
    id: str

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with an `OpenedEntry`; None if it cannot be read."""
        kept = self.history.open(self.id)
        if kept is None:
            yield Finished(None)
            return
        is_one = kept.entry.documents == 1
        read: _Reader = KeptSummary.from_json if is_one else combined_from_json
        try:
            yield Finished(OpenedEntry(kept.entry, read(kept.kept)))
        except ValueError:
            yield Finished(None)

"""Keeps summaries in the history that are made outside the window, as the person's settings say."""

from collections.abc import Callable

from core.errors import EpitomeError
from core.export.combined import CombinedSummary
from core.export.excerpt import KeptSummary
from core.export.kept_combined import as_summary, combined_to_json
from core.library.folders import Folders
from core.library.history import History
from core.library.history_entry import NewEntry
from core.library.home_file import read_regular
from core.library.preferences import Preferences
from core.numbers import format_quantity


def entry_of_combined(combined: CombinedSummary, language: str, origin: str) -> NewEntry:
    """One summary of several documents as an entry of the history; arguments as `HistoryKeeper`."""
    documents = len(combined.documents)
    return NewEntry(
        as_summary(combined), combined_to_json(combined), language, origin, documents=documents
    )


class HistoryKeeper:
    """Keeps one summary after the other; the settings are read anew for each.

    Args:
        folders: Where the settings and the history are; None for this user's.

    Attributes:
        problem: Why a summary could not be kept, the first time; empty when all is well.
        removed: How many old summaries were removed to keep within the limits.
    """

    def __init__(self, folders: Folders | None = None) -> None:
        self._folders = folders or Folders.of_this_user()
        self._history = History(self._folders.history_file)
        self._notes: list[str] = []
        self.problem = ""
        self.removed = 0

    def keep_summary(self, kept: KeptSummary, language: str, origin: str) -> None:
        """Keeps a summary of one document.

        Args:
            kept: The summary with its quotations.
            language: The chosen language of the source, as `SummariseSettings` has it.
            origin: Where it was made: one of `core.library.history_entry.ORIGINS`.
        """
        self._keep(lambda: NewEntry(kept.summary, kept.to_json(), language, origin))

    def keep_combined(self, combined: CombinedSummary, language: str, origin: str) -> None:
        """Keeps one summary of several documents; arguments as `keep_summary`."""
        self._keep(lambda: entry_of_combined(combined, language, origin))

    def _keep(self, entry: Callable[[], NewEntry]) -> None:
        problem = ""
        try:
            preferences = self._preferences()
            if preferences.keeps_history:
                limits = preferences.history_limits
                self.removed += self._history.keep(entry(), limits=limits)
                if note := self._history.take_note():
                    self._notes.append(note)
        except EpitomeError as error:
            problem = str(error)
        except (OSError, ValueError):
            problem = "The settings cannot be read, so the summaries are not kept in the history."
        if problem and not self.problem:
            self.problem = problem
            self._notes.append(problem)

    def take_notes(self) -> list[str]:
        """What a person should be told since the last call, a sentence or two each."""
        notes, self._notes = self._notes, []
        return notes

    @property
    def removed_line(self) -> str:
        """That old summaries were removed; empty when none was."""
        if not self.removed:
            return ""
        number = format_quantity(self.removed, "old summary", "old summaries")
        return f"The history is full: {number} removed. Settings, History, sets its limits."

    def _preferences(self) -> Preferences:
        file = self._folders.settings_file
        try:
            data = read_regular(file)
        except FileNotFoundError:
            return Preferences()
        return Preferences.from_toml(data.decode(), file)

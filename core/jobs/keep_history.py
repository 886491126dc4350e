"""Keeps summaries in the history that are made outside the window, as the person's settings say."""

from core.errors import EpitomeError
from core.export.excerpt import KeptSummary
from core.library.folders import Folders
from core.library.history import History
from core.library.history_entry import NewEntry
from core.library.preferences import Preferences


def keep_in_history(folders: Folders, kept: KeptSummary, language: str, origin: str) -> str:
    """Keeps a summary, unless the settings say otherwise or cannot be read.

    Args:
        folders: Where the settings and the history are.
        kept: The summary with its quotations.
        language: The chosen language of the source, as `SummariseSettings` has it.
        origin: Where it was made: one of `core.library.history_entry.ORIGINS`.

    Returns:
        Why it could not be kept; empty when all is well.
    """
    try:
        preferences = _preferences(folders)
        if preferences.keeps_history:
            new = NewEntry(kept.summary, kept.to_json(), language, origin)
            History(folders.history_file).keep(new, limits=preferences.history_limits)
    except EpitomeError as error:
        return str(error)
    except (OSError, ValueError):
        return "The settings cannot be read, so the summaries are not kept in the history."
    return ""


def _preferences(folders: Folders) -> Preferences:
    file = folders.settings_file
    if not file.exists():
        return Preferences()
    return Preferences.from_toml(file.read_text("utf-8"), file)

"""Keeps the settings in the file that all windows share."""

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from core.library.preferences import Preferences, change_preferences, settings_of_keeping
from gui.workers.keeper import Keeper

_LOOK = "settings"


class PreferencesKeeper(QObject):
    """Writes what was changed in this window, and finds what another one decided.

    Args:
        keeper: Writes and reads, one after the other.
        file: Where the settings are kept.
        parent: Qt's owner.
    """

    found = Signal(object)
    """What the file says of keeping, by name, while nothing that was changed here waits."""

    def __init__(self, keeper: Keeper, file: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._keeper, self._file = keeper, file
        self._num_changes = 0
        self._looked: list[tuple[int, dict[str, Any]]] = []
        keeper.kept.connect(self._tell_found)

    def keep(self, preferences: Preferences, changed: Collection[str]) -> None:
        """Writes what was changed soon; the other settings stay as they are in the file.

        Args:
            preferences: All settings.
            changed: The names of those that were changed.
        """
        self._num_changes += 1
        # Only a later change of the same settings may take the place of one that waits.
        what = f"{_LOOK} {' '.join(sorted(changed))}"
        self._keeper.keep(what, partial(change_preferences, preferences, changed, self._file))
        self.look()

    def look(self) -> None:
        """Looks in the file, once all that waits is written."""
        self._keeper.keep(_LOOK, partial(self._look, self._num_changes))

    def _look(self, num_changes: int) -> None:
        self._looked.append((num_changes, settings_of_keeping(self._file)))

    def _tell_found(self, what: str) -> None:
        if what != _LOOK or not self._looked:
            return
        num_changes, settings = self._looked.pop()
        self._looked.clear()
        if num_changes == self._num_changes:  # else it was changed here meanwhile
            self.found.emit(settings)

"""The menu of recent documents."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from core.library.recent import Recent
from core.numbers import format_quantity
from gui.panels.summarise.saving.dates import time_of
from gui.panels.summarise.saving.export_actions import shortened
from gui.theme.theme import Theme
from gui.widgets.inputs.menu import Menu
from gui.workers.file_presence import FilePresence

_LONGEST_FOLDER = 28


class RecentMenu(Menu):
    """Recent documents, newest first; it opens at once, and marks what is missing when it is known.

    Args:
        theme: The look.
        parent: Qt's owner.
        recents: What was opened.
        presence: Finds out which files are missing.
        on_path: Called with the path of the chosen one.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        recents: Sequence[Recent],
        presence: FilePresence,
        on_path: Callable[[str], object],
    ) -> None:
        super().__init__(theme, "", parent)
        self.setAccessibleName(self.tr("Recent documents"))
        self._items: dict[str, QAction] = {}
        for recent in recents:
            title = shortened(recent.title).replace("&", "&&")
            parts = (_folder_of(recent.path), time_of(recent.opened))
            detail = " · ".join(part for part in parts if part)
            item = self.add(title, partial(on_path, recent.path), icon="file-text", detail=detail)
            item.setToolTip(f"{recent.path}\n{format_quantity(recent.words, 'word')}")
            self._items[recent.path] = item
        if not recents:
            self.add(self.tr("No recent documents")).setEnabled(False)
        presence.known.connect(self._mark)
        presence.ask(self._items)

    def _mark(self, path: str, is_missing: bool) -> None:
        item = self._items.get(path)
        if item is not None and is_missing:
            item.setEnabled(False)
            item.setToolTip(self.tr("{path} cannot be found.").format(path=path))


def _folder_of(path: str) -> str:
    """The name of a file's folder, shortened in its middle."""
    name = Path(path).parent.name or str(Path(path).parent)
    if len(name) <= _LONGEST_FOLDER:
        return name
    half = _LONGEST_FOLDER // 2
    return f"{name[:half]}…{name[-half:]}"

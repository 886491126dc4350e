"""The menu of recent documents."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from core.library.recent import Recent
from core.numbers import format_quantity
from gui.panels.summarise.actions import shortened
from gui.theme.theme import Theme
from gui.widgets.menu import Menu
from gui.workers.presence import Presence


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
        presence: Presence,
        on_path: Callable[[str], object],
    ) -> None:
        super().__init__(theme, "", parent)
        self.setAccessibleName(self.tr("Recent documents"))
        self._items: dict[str, QAction] = {}
        for recent in recents:
            title = shortened(recent.title).replace("&", "&&")
            item = self.add(title, partial(on_path, recent.path), icon="file-text")
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

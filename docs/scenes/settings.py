"""The Settings panel in its window, with settings and folders of its own."""

import os
from shutil import rmtree
from tempfile import mkdtemp
from unittest.mock import patch
from weakref import finalize

from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.library.folders import Folders
from core.library.preferences import Preferences, save_preferences
from core.library.recent import Recent, Recents
from gui.panels.settings.panel import SettingsPanel
from gui.theme.theme import Theme
from gui.widgets.chrome.rail import Rail, RailItem
from gui.widgets.display.plane import Plane

SIZE_PX = (1440, 900)
_ICONS_ONLY_BELOW_PX = 1200


def build(theme: Theme, size: tuple[int, int] = SIZE_PX) -> QWidget:
    """The window's rail and the panel; `grab()` it once it is shown."""
    page = Plane(theme, "surface")
    page.setFixedSize(*size)
    items = (
        RailItem("summarise", "Summarise", "text-quote"),
        RailItem("settings", "Settings", "settings", at_foot=True),
    )
    rail = Rail(theme, items)
    rail.set_value("settings")
    rail.set_narrow(size[0] < _ICONS_ONLY_BELOW_PX)
    row = QHBoxLayout(page)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    row.addWidget(rail)
    row.addWidget(_panel(theme), 1)
    return page


def _panel(theme: Theme) -> SettingsPanel:
    kept = mkdtemp(prefix="epitome-")
    home = {"HOME": kept, "USERPROFILE": kept, "EPITOME_HOME": ""}
    with patch.dict(os.environ, home):  # so that no picture shows whose computer made it
        panel = SettingsPanel(theme, Preferences(), _folders())
    finalize(panel, rmtree, kept, ignore_errors=True)
    return panel


def _folders() -> Folders:
    folders = Folders.of_this_user()
    for title in ("The clock that listens to the sea", "Ground water in the Upper Rhine"):
        Recents(folders.recents_file).add(Recent(f"{title}.pdf", title, words=1_753))
    save_preferences(Preferences(), folders.settings_file)
    return folders

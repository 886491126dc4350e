"""What is called as nobody would call it is listed in every panel, on one line and in order."""

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.jobs.batches.rows import NO_RECORD
from core.jobs.batches.store import BatchStore, FoundSource
from core.library.folders import Folders
from core.library.history import History
from core.library.recent import Recent, Recents
from core.runs.about import RunAbout, write_about
from core.runs.folder import RunFolder
from gui.panel_table import panel_table
from tests.helpers.full_home import BATCH, CORPUS, RUN, full_home
from tests.helpers.histories import an_entry
from tests.helpers.told import at_work, said_on
from tests.helpers.windows import end_window, show_window, toasts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")

ODD = "two\nlines \u202efdp\x1b[31m caf\udce9"
MISLEADING = ("\u202e", "\x1b", "\udce9", "two\nlines")


@pytest.fixture(scope="module")
def odd_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which everything that has a name has an odd one."""
    home = tmp_path_factory.mktemp("odd") / "home"
    full_home(home)
    folders = Folders.under(home)
    write_about(RunFolder(folders.runs / RUN), RunAbout(ODD.replace("\udce9", ""), "\u202enote"))
    for folder in (
        folders.runs / RUN,
        folders.corpora / CORPUS,
        folders.tokenizers / "tiny",
        folders.comparisons / "harbours",
    ):
        folder.rename(folder.with_name(f"{folder.name} {ODD}"))
    with BatchStore(folders.batches / BATCH) as store:
        store.add([FoundSource(f"/papers/{ODD}.md", f"{ODD}.md", NO_RECORD)])
    (preset,) = (folders.config / "presets").iterdir()
    preset.rename(preset.with_name(f"{ODD}.toml"))
    History(folders.history_file).keep(an_entry(f"Title {ODD}", path=f"/papers/{ODD}.md"))
    Recents(folders.recents_file).add(Recent(f"/papers/{ODD}.md", f"Title {ODD}", 9))
    return home


def test_no_list_of_the_window_shows_what_misleads(qtbot: QtBot, odd_home: Path) -> None:
    window = show_window(odd_home)
    try:
        seen, misleading = 0, set()
        for entry in panel_table():
            window.show_panel(entry.name)
            qtbot.waitUntil(lambda: not at_work(window))
            for where, words in said_on(window):
                seen += "lines" in words and "fdp" in words
                if any(mark in words for mark in MISLEADING):
                    misleading.add((entry.name, where, words))
            assert not any("went wrong" in said for said in toasts(window)), entry.name
        assert not misleading, "\n".join(map(repr, sorted(misleading)))
        assert seen > 6, "the odd names are listed"
    finally:
        end_window(window)

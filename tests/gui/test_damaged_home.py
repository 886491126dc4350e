"""Whatever became of the files of a filled home, the window and all its panels open."""

import hashlib
import random
import shutil
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.panel_table import panel_table
from tests.core.cli.test_damaged_home import KINDS_OF_DAMAGE
from tests.helpers.full_home import full_home
from tests.helpers.told import WENT_WRONG, at_work
from tests.helpers.windows import end_window, show_window, toasts, words_on

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")

TAKEN_ALONG = (".lock", "lock", "-wal", "-shm", "engine.log")
"""What the program makes anew whenever it likes."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    home = tmp_path_factory.mktemp("filled") / "home"
    return home, [file for file in full_home(home) if not file.name.endswith(TAKEN_ALONG)]


def said_by_all(qtbot: QtBot, window: MainWindow) -> str:
    """What the window says when each of its panels was shown."""
    told = []
    for entry in panel_table():
        window.show_panel(entry.name)
        qtbot.waitUntil(lambda: not at_work(window))
        told += [*toasts(window), words_on(window)]
    return "\n".join(told)


KINDS = list(KINDS_OF_DAMAGE)
A_TURN = 3
"""Each file is tried in every third way, beginning with another one than the file before it."""


def damage(file: Path, kind: str) -> None:
    if file.stat().st_size:
        KINDS_OF_DAMAGE[kind](file)


@pytest.mark.parametrize("turn", range(0, len(KINDS), A_TURN))
def test_all_panels_open_though_every_file_is_bad(
    qtbot: QtBot, home: Path, filled: tuple[Path, list[Path]], turn: int
) -> None:
    shutil.copytree(filled[0], home)
    for place, file in enumerate(filled[1]):
        damage(home / file, KINDS[(place + turn) % len(KINDS)])
    window = show_window(home)
    try:
        told = said_by_all(qtbot, window)
        assert window.isVisible()
        assert WENT_WRONG not in told
    finally:
        end_window(window)


CHANCE = random.Random(7)
SOME = [{CHANCE.random(): CHANCE.choice(KINDS) for _ in range(4)} for _ in range(3)]
"""Of a home, the files that go bad, each by its share of the way through the list, and how."""


@pytest.mark.parametrize("some", SOME)
def test_bad_files_cost_no_other_file(
    qtbot: QtBot, home: Path, filled: tuple[Path, list[Path]], some: dict[float, str]
) -> None:
    shutil.copytree(filled[0], home)
    # What a crashed window had open is shown again, and removed with the window that shows it.
    files = [file for file in filled[1] if "session" not in file.parts]
    bad = {files[int(share * len(files))]: kind for share, kind in some.items()}
    for file, kind in bad.items():
        damage(home / file, kind)
    kept = [file for file in files if file not in bad and file.suffix not in (".sqlite",)]
    kept = [file for file in kept if file.name != "window.json"]  # written when it closes
    before = {file: hashlib.sha256((home / file).read_bytes()).digest() for file in kept}
    window = show_window(home)
    try:
        assert WENT_WRONG not in said_by_all(qtbot, window)
    finally:
        end_window(window)
    after = {file: hashlib.sha256((home / file).read_bytes()).digest() for file in kept}
    assert after == before
    for file in bad:
        assert list((home / file).parent.glob(f"{file.stem}*")), f"{file} is gone"

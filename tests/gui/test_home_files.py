"""Whatever became of the program's own files, its window opens and says which are bad."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from core.library.folders import Folders
from core.library.preferences import (
    Preferences,
    WindowState,
    save_preferences,
    save_window_state,
)
from core.library.recent import Recent, Recents
from core.library.session import Session
from core.library.session_state import SessionState
from core.storage.schema import SCHEMA_VERSION
from gui.app import make_window
from tests.helpers.damage import DAMAGES, cut
from tests.helpers.patience import PATIENCE_S
from tests.helpers.reading import make_document
from tests.helpers.windows import ARTICLE, end_window, toasts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")

FILES = ("config/settings.toml", "data/window.json", "data/recents.json")
SESSION_FILES = ("state.json", "document.bin")
FOLDERS = ("config", "data", "data/session", "log")


def fill(home: Path) -> Path:
    """A home in which everything was written; gives the folder of a session left by a crash."""
    folders = Folders.under(home)
    save_preferences(Preferences(theme="light", motion="off"), folders.settings_file)
    state = WindowState("AdnQ", "summarise", {"summarise": {"source_share": 515}})
    save_window_state(state, folders.window_file)
    Recents(folders.recents_file).add(Recent(str(ARTICLE), "The clock", 1753, 0))
    folders.log.mkdir()
    (folders.log / "engine.log").write_text("nothing\n", "utf-8")
    document = make_document(30)
    session = Session.begin(folders.sessions)
    session.keep_document(document)
    session.keep_state(SessionState(title="Mine", sha256=document.source.sha256))
    session._lock.release()  # as the system does with what the process held
    return session.folder


def said_at_the_start(home: Path) -> str:
    """All that the window of a home says when it opens."""
    window = make_window(Folders.under(home))
    try:
        window.show()
        window.begin([])
        assert window.isVisible()
        return "\n".join(toasts(window))
    finally:
        end_window(window)


@given(
    name=st.sampled_from([*FILES, *SESSION_FILES, "lock", "log/engine.log", "session/door.lock"]),
    damage=st.sampled_from(list(DAMAGES.values())),
)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_window_opens_whatever_became_of_a_file(
    qtbot: QtBot, name: str, damage: Callable[[Path], None]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        session = fill(home)
        if name in (*SESSION_FILES, "lock"):
            file = session / name
        else:
            file = home / "data" / name if name.startswith("session") else home / name
        damage(file)
        told = said_at_the_start(home)
        if name in FILES:
            aside = list(file.parent.glob(f"{file.stem}.damaged*"))
            assert aside or damage is cut, "half a settings file may be a good one"
            assert not aside or f"{file.name} " in told
        elif name in SESSION_FILES:
            assert f"{session}.damaged" in told
            assert Path(f"{session}.damaged", name).lstat()


def test_files_of_a_newer_program_are_left_alone(qtbot: QtBot, home: Path) -> None:
    session = fill(home)
    files = [*(home / name for name in FILES), session / "state.json"]
    for file in files:
        text = file.read_text("utf-8").replace(
            f"schema_version = {SCHEMA_VERSION}", "schema_version = 9"
        )
        file.write_text(text.replace('"schema_version": 1', '"schema_version": 9'), "utf-8")
    before = [file.read_bytes() for file in files]
    assert all(b"9" in data for data in before)
    told = said_at_the_start(home)
    assert [file.read_bytes() for file in files] == before
    assert not list(home.rglob("*.damaged*"))
    assert all(f"{file.name} was made by a newer Epitome" in told for file in files[:3])
    assert "What a newer Epitome had open is left for it" in told


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("damage", ["other bytes", "a named pipe", "a link to itself"])
def test_the_window_opens_whatever_became_of_a_folder(
    qtbot: QtBot, home: Path, name: str, damage: str
) -> None:
    fill(home)
    folder = home / name
    folder.rename(folder.with_name("moved"))
    folder.touch()
    DAMAGES[damage](folder)
    told = said_at_the_start(home)
    if name == "config":
        assert "settings.toml cannot be read" in told
    elif name != "log":
        assert "cannot be saved for recovery" in told


@pytest.mark.parametrize("damage", ["other bytes", "a named pipe"])
def test_the_window_opens_without_a_home(qtbot: QtBot, tmp_path: Path, damage: str) -> None:
    home = tmp_path / "home"
    home.touch()
    DAMAGES[damage](home)
    assert "cannot be read" in said_at_the_start(home)


def test_nothing_is_said_of_a_sound_home(qtbot: QtBot, home: Path) -> None:
    fill(home)
    assert said_at_the_start(home).startswith("Epitome was not closed properly last time")


def test_the_program_starts_with_a_pipe_for_its_settings(home: Path) -> None:
    fill(home)
    DAMAGES["a named pipe"](home / "config" / "settings.toml")
    script = '{"steps": [["close", 0]]}'
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.window_program", script],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr

"""Whatever became of a file of the program: a default and a sentence, and nothing is lost."""

import errno
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.library import home_file
from core.library.home_file import read_home_file, read_regular
from core.library.preferences import (
    Preferences,
    WindowState,
    load_preferences,
    load_window_state,
    save_preferences,
    save_window_state,
)
from core.library.recent import Recent, Recents
from tests.helpers.damage import DAMAGES, as_nobody

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def read(file: Path) -> tuple[Any, str]:
    return read_home_file(file, json.loads, {}, "The list of boats", "the list starts empty")


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_gives_the_default_and_is_kept(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "boats.json"
    file.write_text('{"boats": 3}', "utf-8")
    assert read(file) == ({"boats": 3}, "")
    DAMAGES[damage](file)
    if damage == "another value":
        assert read(file) == ([1, 2], "")
        return
    value, note = read(file)
    assert value == {}
    assert note.startswith("The list of boats boats.json ")
    assert note.endswith(" It is kept as boats.damaged.json; the list starts empty.")
    assert (tmp_path / "boats.damaged.json").lstat()
    assert read(file) == ({}, ""), "it is told once"


def test_a_file_that_may_not_be_read_is_kept_and_told(tmp_path: Path) -> None:
    file = tmp_path / "boats.json"
    file.write_text("{}", "utf-8")
    file.chmod(0)
    with as_nobody(tmp_path, file):
        value, note = read(file)
    assert value == {}
    assert "boats.json cannot be read (Permission denied). It is kept as" in note


def test_files_in_a_folder_that_may_not_be_read_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "settings.toml").write_text("theme = 'dark'\n", "utf-8")
    folder.chmod(0)
    with as_nobody(folder):
        preferences, note = load_preferences(folder / "settings.toml")
    assert preferences == Preferences()
    assert note == (
        "The settings file settings.toml cannot be read (Permission denied). The defaults are used."
    )
    folder.chmod(0o700)


def test_a_pipe_is_not_waited_for_though_somebody_writes_into_it(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe")
    both = os.open(tmp_path / "pipe", os.O_RDWR)
    try:
        with pytest.raises(OSError, match="it is a named pipe, not a file"):
            read_regular(tmp_path / "pipe")
    finally:
        os.close(both)


GOOD = st.sampled_from(["settings.toml", "window.json", "recents.json"])


@given(
    name=GOOD,
    start=st.integers(0, 400),
    length=st.integers(0, 400),
    data=st.binary(max_size=200)
    | st.sampled_from([b"NaN", b"1e999", b'"\\ud800"', b"-1", b"null", b"true", b"[[1]]"]),
)
@example(name="settings.toml", start=17, length=0, data=b"2")
@example(name="settings.toml", start=17, length=400, data=b"2\n[[[\xff")
@example(name="window.json", start=21, length=0, data=b"9")
@example(name="recents.json", start=21, length=400, data=b"9")
def test_whatever_stands_in_a_home_file_its_reading_ends(
    name: str, start: int, length: int, data: bytes
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        save_preferences(Preferences(), file.with_name("settings.toml"))
        state = WindowState("AdnQ", "summarise", {"summarise": {"source_share": 700}})
        save_window_state(state, file.with_name("window.json"))
        Recents(file.with_name("recents.json")).add(Recent("/a", "a", 3, 1))
        written = file.read_bytes()
        changed = written[:start] + data + written[start + length :]
        file.write_bytes(changed)
        preferences, note = load_preferences(file.with_name("settings.toml"))
        assert 14 <= preferences.reading_size <= 24
        state, more = load_window_state(file.with_name("window.json"))
        assert state.geometry.encode("ascii") is not None
        assert all(type(each) in (int, str) for of in state.panels.values() for each in of.values())
        recents = Recents(file.with_name("recents.json"))
        for recent in recents.read():
            assert recent.words >= 0 and recent.title + recent.path is not None
        told = " ".join((note, more, recents.note))
        damaged = list(Path(folder).glob("*.damaged*"))
        if "made by a newer Epitome" in told:
            assert name in told and file.read_bytes() == changed and not damaged
        else:
            assert bool(damaged) == bool(told.strip())
            assert not damaged or (name in told and damaged[0].name in told)


def test_settings_that_could_not_be_read_for_a_while_are_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, window = tmp_path / "settings.toml", tmp_path / "window.json"
    save_preferences(Preferences(theme="dark"), settings)
    save_window_state(WindowState(panel="settings"), window)

    def failing(*arguments: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(home_file, "read_regular", failing)
        assert load_preferences(settings)[0] == Preferences()
        assert load_window_state(window)[0] == WindowState()
    with pytest.raises(EpitomeError, match="could not be read, so it is not replaced"):
        save_preferences(Preferences(), settings)
    with pytest.raises(EpitomeError, match="could not be read, so it is not replaced"):
        save_window_state(WindowState(), window)
    assert load_preferences(settings)[0].theme == "dark"
    assert load_window_state(window)[0].panel == "settings"
    save_preferences(Preferences(), settings)

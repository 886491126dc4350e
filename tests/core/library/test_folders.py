"""Where files go."""

from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.library.folders import Folders
from tests.helpers.systems import on_posix


def test_one_variable_moves_all_four_folders(home: Path) -> None:
    folders = Folders.of_this_user()
    assert folders.data == home / "data"
    assert (folders.config, folders.cache, folders.log) == (
        home / "config",
        home / "cache",
        home / "log",
    )
    assert folders.settings_file == home / "config" / "settings.toml"
    assert folders.sessions == home / "data" / "session"
    made = {folders.corpora, folders.tokenizers, folders.runs}
    assert made == {home / "data" / name for name in ("corpora", "tokenizers", "runs")}


def test_without_it_the_system_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EPITOME_HOME")
    folders = Folders.of_this_user()
    for folder in (folders.data, folders.config, folders.cache, folders.log):
        assert "Epitome" in folder.parts and folder.is_absolute()


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        pytest.param("~no-such-user/e", "no user has that name", marks=on_posix),
        ("{tmp}/file", "{tmp}/file is a file"),
        pytest.param("{tmp}/file/home", "Not a directory", marks=on_posix),
        pytest.param("{tmp}/" + "n" * 256, "File name too long", marks=on_posix),
    ],
)
def test_a_home_that_cannot_be_a_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, reason: str
) -> None:
    (tmp_path / "file").touch()
    named, reason = (str(Path(each.format(tmp=tmp_path))) for each in (named, reason))
    monkeypatch.setenv("EPITOME_HOME", named)
    with pytest.raises(EpitomeError) as error:
        Folders.of_this_user()
    told = f"EPITOME_HOME is {named}, which cannot be a folder ({reason})."
    assert error.value.message == told


def test_asking_for_folders_makes_none(home: Path) -> None:
    Folders.of_this_user()
    assert not home.exists()

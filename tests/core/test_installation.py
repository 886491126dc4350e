"""A copy that an installer has put there says so, and keeps added parts with the person's data."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.installation import (
    MARK,
    PINS,
    Installation,
    _python_program,
    can_hold_files,
    installation,
)
from core.library import folders
from core.library.folders import Folders
from tests.helpers.systems import on_posix


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    """A copy that the Debian package has installed."""
    (tmp_path / MARK).write_text(json.dumps({"kind": "deb"}), "utf-8")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    installation.cache_clear()
    yield installation()
    installation.cache_clear()


def test_a_repository_is_one() -> None:
    assert installation().kind == installation().title == "source"
    assert installation().parts is installation().pins is None
    added = f"{_python_program()} packaging/bootstrap.py run --with-scans"
    assert installation().adding("scans") == added
    assert _python_program("win32") == "py -3"


def test_a_package_says_how_it_is_mended_and_extended(packaged: Installation) -> None:
    assert packaged.title == "Debian package"
    assert packaged.mend == "sudo apt-get install --reinstall epitome"
    assert packaged.adding("training") == "epitome install training"
    assert packaged.pins == Path(sys.prefix) / PINS


@pytest.mark.skipif(sys.platform != "linux", reason="these installers are for Linux")
@pytest.mark.parametrize("variable", ["EPITOME_HOME", "XDG_DATA_HOME", "HOME"])
def test_parts_lie_in_the_data_folder(
    packaged: Installation, variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EPITOME_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path / "mine"))
    assert packaged.parts is not None
    assert packaged.parts.parents[1] == Folders.of_this_user().data


def portable(folder: Path) -> Installation:
    """A portable copy, unpacked there."""
    (folder / "python").mkdir(parents=True)
    return Installation("portable", folder / "python")


def test_a_portable_copy_keeps_its_data_beside_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = portable(tmp_path / "My programs – 2" / "epitome")
    assert copy.home == tmp_path / "My programs – 2" / "epitome" / "home"
    assert copy.title == "portable folder"
    assert not copy.home.exists(), "nothing is made before something is written"
    monkeypatch.setattr(folders, "installation", lambda: copy)
    monkeypatch.delenv("EPITOME_HOME")
    assert Folders.of_this_user() == Folders.under(copy.home)
    assert copy.parts is not None and copy.parts.parents[1] == Folders.of_this_user().data
    monkeypatch.setenv("EPITOME_HOME", str(tmp_path / "mine"))
    assert Folders.of_this_user() == Folders.under(tmp_path / "mine")


@on_posix
def test_where_it_cannot_write_a_portable_copy_uses_the_usual_folders_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = portable(tmp_path / "epitome")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    monkeypatch.setattr(folders, "installation", lambda: copy)
    monkeypatch.delenv("EPITOME_HOME")
    assert copy.home is None
    assert copy.title == "portable folder, read-only"
    assert tmp_path / "epitome" not in Folders.of_this_user().data.parents


@pytest.mark.parametrize("kind", ["deb", "appimage", "windows", "macos"])
def test_every_installer_has_a_name_and_a_way_to_mend_it(tmp_path: Path, kind: str) -> None:
    copy = Installation(kind, tmp_path)
    assert copy.title != "source" and "bootstrap" not in copy.mend
    assert copy.home is None and copy.parts is not None


@pytest.mark.skipif(sys.platform != "linux", reason="these installers are for Linux")
def test_added_parts_are_found_when_python_starts(tmp_path: Path) -> None:
    home, added = tmp_path / "home", tmp_path / "added"
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    parts = home / "data" / "parts" / version
    parts.mkdir(parents=True)
    added.mkdir()
    (parts / "epitome-part-demo.pth").write_text(f"{added}\n", "utf-8")
    (tmp_path / MARK).write_text(json.dumps({"kind": "portable"}), "utf-8")
    code = f"import sys; sys.prefix = {str(tmp_path)!r}; import core.installation as i\n"
    code += "i.find_parts(); print(sys.path[-1])"
    environment = {**os.environ, "EPITOME_HOME": str(home)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == str(added), done.stderr


def test_on_windows_only_an_attempt_says_whether_a_folder_can_hold_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert can_hold_files(tmp_path, "win32") and not list(tmp_path.iterdir())
    assert not can_hold_files(tmp_path / "none", "win32")
    monkeypatch.setattr(os, "access", lambda *_: True)  # as Windows answers for Program Files
    (tmp_path / "file").touch()
    assert not can_hold_files(tmp_path / "file", "win32")

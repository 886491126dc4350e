"""The list of recent documents."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.library import home_file, recent
from core.library.recent import MOST_RECENTS, Recent, Recents, file_is_missing
from core.storage.portable_names import path_key


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "recents.json"


ADD = """
import sys
from pathlib import Path
from core.library.recent import Recent, Recents
for number in range(8):
    Recents(Path(sys.argv[1])).add(Recent(f"/{sys.argv[2]}{number}", "x"))
"""


def test_the_newest_comes_first_and_each_file_once(file: Path) -> None:
    for name in ("a", "b", "a"):
        Recents(file).add(Recent(f"/{name}.pdf", name, words=3, pages=1))
    again = Recents(file).read()
    assert [Path(item.path).name for item in again] == ["a.pdf", "b.pdf"]
    assert (again[0].words, again[0].pages) == (3, 1)
    assert again[0].opened.endswith("+00:00")


def test_a_file_is_listed_once_however_its_accents_are_composed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent, "path_key", lambda path: path_key(path, "darwin"))
    for name in ("/Caf\u00e9.txt", "/Cafe\u0301.txt"):
        Recents(file).add(Recent(name, "x"))
    (only,) = Recents(file).read()
    assert Path(only.path).name == "Cafe\u0301.txt"


def test_the_list_ends_somewhere(file: Path) -> None:
    for number in range(MOST_RECENTS + 5):
        Recents(file).add(Recent(f"/{number}", str(number)))
    assert [item.title for item in Recents(file).read()] == [str(n) for n in range(24, 4, -1)]


def test_a_missing_file_is_shown_as_missing_and_stays(file: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.txt"
    there.write_text("x", "utf-8")
    Recents(file).add(Recent(str(there), "there"))
    Recents(file).add(Recent(str(tmp_path / "gone.txt"), "gone"))
    assert [(item.title, file_is_missing(item.path)) for item in Recents(file).read()] == [
        ("gone", True),
        ("there", False),
    ]


def test_a_list_that_was_emptied_stays_empty(file: Path) -> None:
    Recents(file).add(Recent("/a", "a"))
    Recents(file).add(Recent("/b", "b"))
    Recents(file).clear()
    assert Recents(file).read() == ()


@pytest.mark.parametrize("damage", [b"{", b"\xff\xfe", b'{"recents": [{"path": 3}]}', b"[]"])
def test_a_damaged_list_is_set_aside_and_said(file: Path, damage: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(damage)
    recents = Recents(file)
    assert recents.read() == ()
    assert recents.note == (
        "The list of recent documents recents.json is damaged. "
        "It is kept as recents.damaged.json; the list starts empty."
    )
    assert file.with_name("recents.damaged.json").read_bytes() == damage
    file.write_bytes(damage)
    recents.read()
    assert file.with_name("recents.damaged-2.json").exists()


def test_two_windows_lose_nothing_of_each_other(file: Path) -> None:
    command = [sys.executable, "-c", ADD, str(file)]
    root = Path(__file__).parents[3]
    children = [subprocess.Popen([*command, name], cwd=root) for name in "ab"]
    assert [child.wait() for child in children] == [0, 0]
    assert len(Recents(file).read()) == 16


def test_a_list_that_cannot_be_read_now_is_not_replaced(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recents = Recents(file)
    recents.add(Recent("/a", "a"))

    def failing(*arguments: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(home_file, "read_regular", failing)
        with pytest.raises(EpitomeError) as error:
            recents.add(Recent("/b", "b"))
    assert error.value.message == f"{file} could not be read, so it is not replaced."
    assert error.value.remedy == "Start Epitome again once the file can be read."
    recents.add(Recent("/c", "c"))
    assert [item.title for item in recents.read()] == ["c", "a"]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "recents.lock").mkdir()
    with pytest.raises(EpitomeError, match=r"recent documents cannot be written .* Set EPITOME"):
        Recents(tmp_path / "data" / "recents.json").add(Recent("/a", "a"))
    (tmp_path / "file").touch()
    with pytest.raises(EpitomeError, match=r"recent documents cannot be written .* Set EPITOME"):
        Recents(tmp_path / "file" / "recents.json").add(Recent("/a", "a"))

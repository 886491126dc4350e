"""A name means a folder among the person's own, or the one of that name here."""

import sys
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.library import named_folders
from core.library.named_folders import (
    MOST_FOLDER,
    named_folder,
    new_folder,
    own_folder,
    typed_path,
)
from tests.helpers.odd_names import STAYING, TRAVELLING


def test_a_new_folder_is_where_its_name_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    under = tmp_path / "corpora"
    (tmp_path / "papers").mkdir()
    assert new_folder("papers", under) == under / "papers"
    assert new_folder("./papers", under) == tmp_path / "papers"
    assert new_folder("deep/papers", under) == tmp_path / "deep" / "papers"
    assert new_folder(tmp_path / "x", under) == tmp_path / "x"


def test_a_name_is_looked_for_among_named_folders_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    under = tmp_path / "corpora"
    assert named_folder("papers", under) == under / "papers"
    (tmp_path / "papers").mkdir()
    assert named_folder("papers", under) == tmp_path / "papers"
    (under / "papers").mkdir(parents=True)
    assert named_folder("papers", under) == under / "papers"


@pytest.mark.parametrize(
    ("there", "name"), [("Cafe\u0301", "Caf\u00e9"), ("Gr\u00f6\u00dfe", "Gro\u0308\u00dfe")]
)
def test_a_folder_that_came_from_another_system_is_found_by_its_name(
    there: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / there).mkdir()
    assert named_folder(name, tmp_path).samefile(tmp_path / there)
    assert named_folder(f"{name}2", tmp_path) == tmp_path / f"{name}2"


def test_a_tilde_before_no_name_of_a_person_is_part_of_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    assert typed_path("~/papers") == tmp_path / "home" / "papers"
    for name in ("~notes of nobody.txt", "~$report.docx", "~nobody here/x"):
        assert typed_path(name) == Path(name)
    assert named_folder("~run of nobody", tmp_path / "runs").name == "~run of nobody"
    assert new_folder("~nobody here/x", tmp_path / "runs") == tmp_path / "~nobody here" / "x"


@pytest.mark.parametrize("name", ["", " ", "a\0b", "x" * 300])
def test_what_can_be_no_name_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(EpitomeError, match=r"(Give it a|Choose a shorter) name\."):
        new_folder(name, tmp_path)


def test_what_is_to_be_found_by_its_name_has_one(tmp_path: Path) -> None:
    assert own_folder("rate 1e-3", tmp_path, "a run") == tmp_path / "rate 1e-3"
    for name in ("rate 1e-3/warm-up 1", "../elsewhere", "a\\b", ".hidden", str(tmp_path / "x")):
        with pytest.raises(EpitomeError, match="cannot be the name of a run: it has no slashes"):
            own_folder(name, tmp_path, "a run")
    with pytest.raises(EpitomeError, match="at most 255 bytes"):
        own_folder("ü" * 128, tmp_path / "not made yet", "a run")


@pytest.mark.parametrize("name", TRAVELLING)
def test_a_name_that_every_system_takes_is_taken(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(named_folders, "has_short_paths", lambda: False)
    assert own_folder(name, tmp_path, "a run") == tmp_path / name


@pytest.mark.parametrize(
    ("why", "name"), [(why, name) for why, names in STAYING.items() for name in names]
)
def test_a_name_that_some_system_takes_otherwise_is_refused(
    why: str, name: str, tmp_path: Path
) -> None:
    under = tmp_path / "not made yet"
    for refuse in (own_folder, new_folder):
        with pytest.raises(EpitomeError, match=f"cannot be the name of a run: .*{why}"):
            refuse(name, under, "a run")


def test_the_last_name_of_a_path_is_checked_too(tmp_path: Path) -> None:
    assert new_folder(tmp_path / "a:b" / "run", tmp_path) == tmp_path / "a:b" / "run"
    with pytest.raises(EpitomeError, match="has none of"):
        new_folder(tmp_path / "run" / "a:b", tmp_path)
    assert new_folder("..", tmp_path).name == ".."
    assert new_folder("/", tmp_path).name == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows makes no such folders")
def test_what_has_another_name_already_stays_usable(tmp_path: Path) -> None:
    for name in ("a:b", "nul", "run.", "Ru?n"):
        (tmp_path / name).mkdir()
        assert named_folder(name, tmp_path) == tmp_path / name
        assert new_folder(name, tmp_path) == tmp_path / name
        assert own_folder(name, tmp_path, "a run") == tmp_path / name


@pytest.mark.parametrize(
    ("there", "name"),
    [("Run", "run"), ("run", "RUN"), ("Größe", "gro\u0308ße"), ("caf\u0065\u0301", "café")],
)
def test_a_name_that_is_there_in_other_letters_is_refused(
    there: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / there).mkdir()
    with pytest.raises(EpitomeError, match=f"“{there}” is there already"):
        own_folder(name, tmp_path, "a run")
    assert own_folder(f"{name}-2", tmp_path, "a run") == tmp_path / f"{name}-2"


def test_a_folder_whose_files_windows_would_not_take_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = MOST_FOLDER - len(str(tmp_path)) - 1
    monkeypatch.setattr(named_folders, "has_short_paths", lambda: False)
    new_folder("x" * (room + 1), tmp_path)
    monkeypatch.setattr(named_folders, "has_short_paths", lambda: True)
    assert new_folder("x" * room, tmp_path)
    message = f"of a run would have a path of {MOST_FOLDER + 1} characters, and Windows takes"
    with pytest.raises(EpitomeError, match=message):
        new_folder("x" * (room + 1), tmp_path, "a run")
    (tmp_path / ("x" * (room + 1))).mkdir()
    assert new_folder("x" * (room + 1), tmp_path)  # it is there: the system takes longer ones

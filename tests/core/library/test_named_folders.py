"""A name means a folder among the person's own, or the one of that name here."""

from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.library.named_folders import named_folder, new_folder, own_folder, typed_path


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

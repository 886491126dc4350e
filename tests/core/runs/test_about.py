"""A run's name and notes stay with its folder."""

from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.runs.about import RunAbout, read_about, write_about
from core.runs.folder import RunFolder, check_holds_no_other


def test_name_and_notes_come_back_and_the_folder_stays_one_of_a_run(tmp_path: Path) -> None:
    folder, about = RunFolder(tmp_path / "run"), RunAbout("Second try", "With “clip” off.\nBetter.")
    folder.path.mkdir()
    assert read_about(folder) == RunAbout()
    write_about(folder, about)
    assert read_about(folder) == about
    check_holds_no_other(folder)


@pytest.mark.parametrize("damage", ["", "[]", "{", '"text"', "[" * 100_000])
def test_a_damaged_file_says_nothing(tmp_path: Path, damage: str) -> None:
    folder = RunFolder(tmp_path)
    folder.about_file.write_text(damage)
    assert read_about(folder) == RunAbout()


def test_notes_make_no_folder_in_place_of_one_that_was_moved(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "moved")
    with pytest.raises(EpitomeError, match="cannot be written"):
        write_about(folder, RunAbout("", "Too short."))
    assert not folder.path.exists()

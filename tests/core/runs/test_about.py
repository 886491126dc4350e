"""A run's name and notes, and what is told of its model, stay with its folder."""

from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.runs.about import RunAbout, read_about, write_about
from core.runs.evaluations import Evaluation, keep_evaluation, read_evaluations
from core.runs.folder import RunFolder, check_holds_no_other
from core.runs.model_card import ModelCard, read_model_card, write_model_card


def test_name_and_notes_come_back_and_the_folder_stays_one_of_a_run(tmp_path: Path) -> None:
    folder, about = RunFolder(tmp_path / "run"), RunAbout("Second try", "With “clip” off.\nBetter.")
    folder.path.mkdir()
    assert read_about(folder) == RunAbout()
    write_about(folder, about)
    assert read_about(folder) == about
    (folder.path / "queued.toml").touch()
    check_holds_no_other(folder)


@pytest.mark.parametrize("damage", ["", "[]", "{", '"text"', "[" * 100_000])
def test_a_damaged_file_says_nothing(tmp_path: Path, damage: str) -> None:
    folder = RunFolder(tmp_path)
    folder.about_file.write_text(damage, "utf-8")
    assert read_about(folder) == RunAbout()


@pytest.mark.parametrize("damage", [b"", b"[]", b"{", b"\xff"])
def test_a_damaged_file_is_kept_when_it_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    folder = RunFolder(tmp_path)
    for file in (folder.about_file, folder.card_file, folder.evaluations_file):
        file.write_bytes(damage)
    write_about(folder, RunAbout("", "Too short."))
    write_model_card(folder, ModelCard("MIT"))
    keep_evaluation(folder, Evaluation("pairs.jsonl", "", 1, 1, "", "", ()))
    for file in (folder.about_file, folder.card_file, folder.evaluations_file):
        assert file.with_name(f"{file.stem}.damaged.json").read_bytes() == damage
    assert read_about(folder).notes == "Too short."
    assert read_model_card(folder) == ModelCard("MIT")
    assert len(read_evaluations(folder)) == 1


def test_of_a_damaged_card_nothing_is_known(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    assert not read_model_card(folder).is_damaged
    write_model_card(folder, ModelCard("MIT"))
    assert read_model_card(folder) == ModelCard("MIT")
    folder.card_file.write_bytes(b"{")
    assert read_model_card(folder) == ModelCard(is_damaged=True)


def test_notes_make_no_folder_in_place_of_one_that_was_moved(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "moved")
    with pytest.raises(EpitomeError, match="cannot be written"):
        write_about(folder, RunAbout("", "Too short."))
    assert not folder.path.exists()

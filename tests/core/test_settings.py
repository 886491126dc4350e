"""Files of settings, and files that are written whole."""

import errno
import os
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.settings import Settings, option
from core.storage.atomic_files import write_whole


class Oven(Settings):
    """Settings to be written."""

    heat: int = option(180, "Heat", "How hot.", unit="°C", ge=50, le=250)
    timer: float | None = option(1.0, "Timer", "When it rings; none for never.", unit="h", gt=0)
    trays: tuple[int, ...] = option((1,), "Trays", "Which are in use.", min_length=1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("heat =", "cannot be read"),
        ("schema_version = 0", "has schema version 0; this program reads versions 1 to 3."),
        ("schema_version = 7", "was made by a newer Epitome, and this version leaves it alone."),
        ("heat = 300", "“heat” was 300: it should be less than or equal to 250."),
        ("heat = 'x'", "“heat” was 'x': it should be a valid integer."),
        ("timer = 'x'", "“timer” was 'x': it should be a valid number, or none."),
        ("timer = -1", "“timer” was -1: it should be greater than 0, or none."),
        ("heat = 'none'", "“heat” was 'none': it should be a valid integer."),
        ("cold = 1", "“cold” is not a setting."),
        ("trays = []", "“trays” was empty: it should have 1 or more."),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused_in_words(
    tmp_path: Path, text: str, told: str
) -> None:
    file = tmp_path / "oven.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(EpitomeError) as error:
        Oven.load(file)
    assert told in error.value.message


@pytest.mark.parametrize("timer", [None, 1.0, 2.5])
def test_what_is_saved_is_loaded_the_same_also_where_nothing_is_set(
    tmp_path: Path, timer: float | None
) -> None:
    oven = Oven(heat=99, timer=timer, trays=(2, 3))
    oven.save(tmp_path / "oven.toml")
    assert Oven.load(tmp_path / "oven.toml") == oven
    assert oven.to_toml().startswith("schema_version = 3\n")


def test_a_row_with_a_wrong_entry_is_not_also_too_short() -> None:
    with pytest.raises(EpitomeError) as error:
        Oven.checked({"trays": ("x",)})
    assert error.value.message == "“trays.0” was 'x': it should be a valid integer."


def test_a_file_that_cannot_be_written_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    (taken / "inside").mkdir(parents=True)
    with pytest.raises(EpitomeError, match=r"taken cannot be written \(.+\)\. Choose another"):
        write_whole(taken, b"new")
    with pytest.raises(EpitomeError, match=r"cannot be written \(.+\)\. Choose a shorter"):
        write_whole(tmp_path / ("n" * 300), b"new", "Do this.")
    assert list(tmp_path.iterdir()) == [taken]


def test_a_full_disk_has_its_own_remedy_and_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = tmp_path / "kept"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EpitomeError, match=r"No space left.*\. Free some space on its disk\."):
        write_whole(file, b"new", "Do this.", replace=True)
    assert file.read_bytes() == b"old" and list(tmp_path.iterdir()) == [file]

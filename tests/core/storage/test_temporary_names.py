"""What a killed process left half written is deleted by the next one that writes the same file."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.storage import temporary_names as temporary
from core.storage.atomic_files import write_whole
from core.storage.temporary_names import fitting_name, temporary_name


@pytest.fixture
def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left(path: Path, *, old: bool = True) -> Path:
    path.write_bytes(b"half")
    if old:
        long_ago_s = time.time() - 3600
        os.utime(path, (long_ago_s, long_ago_s))
    return path


def test_a_half_that_a_kill_left_is_deleted(tmp_path: Path, dead: int) -> None:
    half = left(tmp_path / f"out.md.epitome-{dead}-0123abcd.tmp")
    write_whole(tmp_path / "out.md", b"whole")
    assert not half.exists()
    assert (tmp_path / "out.md").read_bytes() == b"whole"


def test_what_may_be_in_use_or_is_no_such_half_stays(tmp_path: Path, dead: int) -> None:
    kept = [
        left(tmp_path / f"out.md.epitome-{os.getppid()}-0123abcd.tmp"),
        left(tmp_path / f"out.md.epitome-{dead}-0123abcd.tmp", old=False),
        left(tmp_path / f"other.md.epitome-{dead}-0123abcd.tmp"),
        left(tmp_path / "out.md.tmp"),
        left(tmp_path / f"out.md.{dead}.tmp"),
        left(tmp_path / f"out.md.epitome-{dead}-0123abcd.tmp.txt"),
    ]
    folder = tmp_path / f"out.md.epitome-{dead + 1_000_000}-0123abcd.tmp"
    folder.mkdir()
    write_whole(tmp_path / "out.md", b"whole")
    assert all(path.exists() for path in [*kept, folder])


def test_a_folder_is_looked_through_once(tmp_path: Path, dead: int) -> None:
    write_whole(tmp_path / "a", b"", replace=True)
    later = left(tmp_path / f"a.epitome-{dead}-0123abcd.tmp")
    write_whole(tmp_path / "a", b"", replace=True)
    assert later.exists(), "or many files in one folder would take a time that grows with both"
    temporary._FOUND.clear()
    write_whole(tmp_path / "a", b"", replace=True)
    assert not later.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="names are counted otherwise there")
@pytest.mark.parametrize("name", ["a" * 255, "ü" * 127, "\udcff" * 255, "界" * 85])
def test_a_file_with_the_longest_name_is_written(tmp_path: Path, name: str) -> None:
    write_whole(tmp_path / name, b"whole")
    write_whole(tmp_path / name, b"again", replace=True)
    assert [os.fsencode(path.name) for path in tmp_path.iterdir()] == [os.fsencode(name)]


@pytest.mark.parametrize("stem", ["a" * 300, "界" * 100, "\udcff" * 400, "", "short"])
def test_a_name_is_cut_between_characters_and_its_ending_stays(stem: str) -> None:
    made = fitting_name(stem, "-2.docx")
    assert made.endswith("-2.docx") and len(os.fsencode(made)) <= 255
    assert stem.startswith(made.removesuffix("-2.docx"))
    assert len(os.fsencode(temporary_name(Path("/nowhere") / made).name)) <= 255

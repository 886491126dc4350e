"""Files and folders that are dropped together become a list of documents."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.events import Finished, Stopped
from core.jobs.documents.find_documents import DocumentsFound, FindDocumentsJob
from core.jobs.run import run_inline
from core.jobs.sources.source_files import FolderContent
from core.stop import StopToken


def find(*names: Path, most: int = 50) -> DocumentsFound:
    *_, last = run_inline(FindDocumentsJob(names, most), StopToken())
    assert isinstance(last, Finished), last
    found: DocumentsFound = last.result
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "reports"
    for name in ("b.md", "a.txt", "deep/c.PDF", "x.jpg", "y.jpg", "z", "~$a.docx", ".d/e.txt"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("words", "utf-8")
    return folder


def test_a_folder_gives_its_documents_and_says_what_was_left_out(folder: Path) -> None:
    found = find(folder)
    assert found.paths == tuple(folder / name for name in ("a.txt", "b.md", "deep/c.PDF"))
    assert found.title == "Opened 3 documents"
    assert found.text == ("reports: 4 files passed over (2 .jpg, 1 without an ending, 1 hidden).")


def test_files_are_taken_whatever_they_are_called_each_once(folder: Path) -> None:
    odd = folder / "z"
    found = find(odd, folder / "b.md", odd, folder / "missing.txt")
    assert found == DocumentsFound((odd, folder / "b.md", folder / "missing.txt"))
    mixed = find(folder / "b.md", folder)
    assert [path.name for path in mixed.paths] == ["b.md", "a.txt", "c.PDF"]


def test_names_are_made_absolute(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert find(Path("a.txt"), Path("deep")).paths == (folder / "a.txt", folder / "deep" / "c.PDF")


def test_more_than_there_is_room_for_names_the_command(folder: Path) -> None:
    found = find(folder, most=2)
    assert [path.name for path in found.paths] == ["a.txt", "b.md"]
    assert found.title == "Opened 2 of 3 documents" and found.is_cut
    assert found.text.startswith(f"For all of them type: epitome summarise {folder} reports: 4")
    files = find(*(folder / name for name in ("a.txt", "b.md", "x.jpg", "y.jpg")), most=1)
    assert files.text == f"For all of them type: epitome summarise {folder}"


def test_a_folder_without_documents_is_told(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.jpg").write_bytes(b"")
    found = find(tmp_path / "pictures")
    assert found.paths == ()
    assert found.title == "There is no document in “pictures” that can be read"
    assert found.text == "pictures: 1 file passed over (1 .jpg)."


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_a_pipe_is_never_opened(folder: Path) -> None:
    os.mkfifo(folder / "p.txt")
    found = find(folder)
    assert [path.name for path in found.paths] == ["a.txt", "b.md", "c.PDF"]
    assert found.text.endswith("reports: 1 device or pipe passed over.")


def test_the_search_can_be_stopped(folder: Path) -> None:
    stop = StopToken()
    stop.request("cancel")
    *_, last = run_inline(FindDocumentsJob((folder,), 50), stop)
    assert isinstance(last, Stopped)


@given(st.dictionaries(st.sampled_from([f".{n}" for n in range(9)]), st.integers(1, 9), min_size=1))
def test_every_file_that_was_left_out_is_counted(passed: dict[str, int]) -> None:
    content = FolderContent()
    content.passed.update(passed)
    (said,) = content.left_out
    total, _, kinds = said.partition(" passed over (")
    counts = [int(kind.split()[0]) for kind in kinds.rstrip(")").split(", ")]
    assert int(total.split()[0]) == sum(counts) == sum(passed.values())
    assert len(counts) <= 5

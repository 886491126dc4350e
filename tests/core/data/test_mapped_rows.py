"""Rows are read from disk as the library reads them that wrote them, and without it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.data.corpus import open_corpus
from core.data.datasets_library import datasets_library
from core.data.mapped_rows import MappedRows, map_rows
from core.errors import EpitomeError
from tests.helpers.runs import kept_corpus, tiny_corpus

ROOT = Path(__file__).parents[3]
NUMBER = 23


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of three files, each with several batches."""
    library = datasets_library("Tests")
    rows: dict[str, list[Any]] = {
        "id": [f"row-{number}" for number in range(NUMBER)],
        "pieces": [["a"] * (number % 3) for number in range(NUMBER)],
        "stays": [[number % 2 == 0] * (number % 4) for number in range(NUMBER)],
    }
    folder = tmp_path_factory.mktemp("rows") / "train"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("datasets.config.DEFAULT_MAX_BATCH_SIZE", 3)
        library.Dataset.from_dict(rows).save_to_disk(str(folder), num_shards=3)
    return folder


@pytest.fixture
def rows(folder: Path) -> MappedRows:
    return map_rows(folder)


@pytest.fixture(scope="module")
def twin(folder: Path) -> list[dict[str, Any]]:
    return list(datasets_library("Tests").load_from_disk(str(folder)))


def test_each_row_is_the_library_s(rows: MappedRows, twin: list[dict[str, Any]]) -> None:
    assert len(rows) == len(twin) == NUMBER
    assert list(rows) == twin
    assert [rows[number] for number in range(NUMBER)] == twin
    for number in (-1, NUMBER):
        with pytest.raises(IndexError):
            rows[number]


@pytest.mark.parametrize("end", [0, 1, 8, NUMBER, NUMBER + 5])
@pytest.mark.parametrize("first", [0, 7, NUMBER])
def test_a_part_has_its_rows_and_their_columns(
    rows: MappedRows, twin: list[dict[str, Any]], first: int, end: int
) -> None:
    part = rows[first:end]
    assert list(part) == twin[first:end]
    wanted = {name: [row[name] for row in twin[first:end]] for name in twin[0]}
    assert part.columns() == wanted


@pytest.mark.parametrize("step", [2, -1])
def test_rows_are_taken_one_after_the_other(rows: MappedRows, step: int) -> None:
    with pytest.raises(ValueError, match=f"the step was {step}"):
        rows[::step]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes in folders are POSIX")
@pytest.mark.parametrize("file", ["state.json", "data-00000-of-00001.arrow"])
@pytest.mark.parametrize("damage", ["gone", "pipe", "empty", "other"])
def test_what_is_damaged_is_told_and_nothing_is_waited_for(
    tmp_path: Path, file: str, damage: str
) -> None:
    corpus = tiny_corpus(tmp_path / "corpus")
    path = corpus / "documents" / "train" / file
    path.unlink()
    if damage == "pipe":
        os.mkfifo(path)
    elif damage != "gone":
        path.write_bytes(b"" if damage == "empty" else b"[1]")
    with pytest.raises(EpitomeError, match=r"cannot be read \(.*\)\. Prepare it again with"):
        open_corpus(corpus).rows("train")


def test_no_other_library_is_loaded_to_read_rows() -> None:
    program = (
        "import sys; from core.data.corpus import open_corpus; "
        f"print(len(open_corpus({str(kept_corpus())!r}).rows('train'))); "
        "assert not {'datasets', 'pandas', 'torch'} & set(sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == len(open_corpus(kept_corpus()).rows("train"))

"""Documents without references are read from files, folders, tables and corpora."""

from pathlib import Path

import pytest

from core.distribution.resources import resource
from core.documents.document import Kind
from core.errors import EpitomeError
from core.evaluation.pairs import Pairs
from core.evaluation.settings import ScoreSettings
from core.events import result_of
from core.jobs.sources.read_documents import read_scored
from core.stop import StopToken
from tests.helpers.pair_files import DOCUMENT, OTHER, ROWS, write_rows

ARTICLE = resource("samples", "article.md")

ALONE = ScoreSettings(references=False, metrics=("words",))


def read(path: Path, settings: ScoreSettings = ALONE) -> Pairs:
    return result_of(read_scored(path, settings, StopToken()))


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(DOCUMENT, "utf-8")
    (tmp_path / "b.txt").write_text(OTHER, "utf-8")
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.4 torn")
    pairs = read(tmp_path)
    assert pairs.ids == ("a.md", "b.txt") and pairs.kinds == ("md", "txt")
    assert not pairs.has_references and pairs.references == ("", "")
    assert any(note.startswith("Left out: c.pdf.") for note in pairs.notes)


def test_only_the_first_files_are_taken_and_that_is_said(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(OTHER, "utf-8")
    pairs = read(tmp_path, ALONE.model_copy(update={"limit": 2}))
    assert (
        len(pairs) == 2 and pairs.is_cut and pairs.notes == ("Only the first 2 files were taken.",)
    )


def test_a_file_between_the_taken_ones_that_cannot_be_read_leaves_a_gap(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(OTHER, "utf-8")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.4 torn")
    assert not read(tmp_path).has_gaps
    (tmp_path / "c.txt").write_text(DOCUMENT, "utf-8")
    pairs = read(tmp_path)
    assert pairs.ids == ("a.txt", "c.txt") and pairs.has_gaps


def test_one_document_is_enough() -> None:
    pairs = read(ARTICLE)
    assert len(pairs) == 1 and pairs.documents is not None
    assert pairs.documents[0].startswith("The clock that listens to the sea")
    kinds = pairs.read[pairs.documents[0]].kinds  # which a text alone does not tell
    assert kinds[0] == Kind.HEADING


def test_a_table_of_documents_needs_no_column_of_references(tmp_path: Path) -> None:
    rows = [{"text": row["document"], "kind": "note"} for row in ROWS]
    pairs = read(write_rows(tmp_path / "texts.csv", rows))
    assert pairs.documents == tuple(row["document"] for row in ROWS)
    assert pairs.kinds == ("note",) * 3 and not pairs.has_references
    with pytest.raises(EpitomeError, match="no column of references") as caught:
        read(tmp_path / "texts.csv", ScoreSettings())
    assert "--no-references" in caught.value.remedy


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(EpitomeError, match="holds no document that can be read"):
        read(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"")
    with pytest.raises(EpitomeError, match="is empty"):
        read(tmp_path / "a.txt")

"""Documents and references out of tables, their columns guessed or named."""

import sys
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.evaluation.pairs import Pairs, read_pairs, text_hash
from core.evaluation.settings import ScoreSettings
from tests.helpers.pair_files import ROWS, write_rows

FORMATS = ("parquet", "jsonl", "csv", "tsv")


def read(path: Path, **settings: object) -> Pairs:
    return read_pairs(path, ScoreSettings.checked(settings))


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_holds_the_same(tmp_path: Path, suffix: str) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    pairs = read(write_rows(tmp_path / f"pairs.{suffix}", ROWS))
    assert pairs.ids == ("cell", "pump", "both")
    assert pairs.references == tuple(row["summary"] for row in ROWS)
    assert pairs.documents == tuple(row["document"] for row in ROWS)
    assert pairs.hashes == tuple(text_hash(row["document"]) for row in ROWS)
    assert pairs.notes == (
        "Guessed from the names of the columns: references in “summary” and documents in "
        "“document”.",
    )


def test_a_document_may_be_longer_than_csv_likes(tmp_path: Path) -> None:
    row = {"article": "word " * 100_000, "highlights": "word"}
    pairs = read(write_rows(tmp_path / "long.csv", [row]))
    assert pairs.documents == (row["article"],)
    assert pairs.ids == ("1",)


def test_only_the_first_rows_are_taken_and_that_is_told(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "pairs.jsonl", ROWS)
    assert read(path, limit=2).ids == ("cell", "pump")
    assert read(path, limit=2).notes[1:] == ("Only the first 2 rows of “pairs.jsonl” were taken.",)
    assert len(read(path, limit=3).notes) == 1  # none was left out


def test_no_two_documents_are_called_the_same(tmp_path: Path) -> None:
    names = ["a", None, "a", "", "a (2)", "2", 7]
    rows = [{"id": name, "document": "A text.", "summary": "Text."} for name in names]
    pairs = read(write_rows(tmp_path / "pairs.jsonl", rows))
    assert pairs.ids == ("a", "2", "a (2)", "4", "a (2) (2)", "2 (2)", "7")


def test_columns_that_are_named_are_not_guessed(tmp_path: Path) -> None:
    rows = [{"text": "short", "long one": "A long text.", "summary": "not this"}]
    path = write_rows(tmp_path / "pairs.jsonl", rows)
    pairs = read(path, document_column="long one", summary_column="text")
    assert (pairs.documents, pairs.references) == (("A long text.",), ("short",))
    assert pairs.notes == ()
    # What was named for the one is not guessed for the other.
    assert read(path, summary_column="text").documents is None


def test_a_list_of_sentences_is_one_on_each_line(tmp_path: Path) -> None:
    rows = [{"article": ["One.", "Two."], "abstract": ["All."]}]
    pairs = read(write_rows(tmp_path / "pairs.jsonl", rows))
    assert pairs.documents == ("One.\nTwo.",)


def test_references_may_stand_alone(tmp_path: Path) -> None:
    pairs = read(write_rows(tmp_path / "pairs.jsonl", [{"reference": "Only this."}]))
    assert (pairs.references, pairs.documents, pairs.hashes) == (("Only this.",), None, None)


@pytest.mark.parametrize(
    ("name", "content", "settings", "told"),
    [
        ("a.txt", "text", {}, "“a.txt” is no table: .parquet, .jsonl"),
        ("a.jsonl", "", {}, "it has no rows"),
        ("a.csv", "document,summary\n", {}, "it has no rows"),
        ("a.jsonl", '{"summary": "a"}\n{"summary"', {}, "Row 2 of “a.jsonl” cannot be read"),
        ("a.jsonl", '{"summary": "a"}\n{"summary": null}', {}, "Row 2 of “a.jsonl” has no text"),
        ("a.jsonl", '{"left": "a", "right": "b"}', {}, "its columns are left, right"),
        ("a.jsonl", '{"summary": "a"}', {"summary_column": "b"}, "There is no column “b”; there"),
        (
            "a.csv",
            "document,summary\na,b\nx\n",
            {},
            "Row 2 of “a.csv” cannot be read (not a row",
        ),
    ],
)
def test_what_cannot_be_scored_is_told(
    tmp_path: Path, name: str, content: str, settings: dict[str, str], told: str
) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    with pytest.raises(EpitomeError) as caught:
        read(path, **settings)
    assert told in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(EpitomeError, match=r"none\.csv cannot be read \(No such file"):
        read(tmp_path / "none.csv")


def test_parquet_without_pyarrow_names_the_command_that_brings_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(EpitomeError, match=r"pyarrow.*--with-training"):
        read(tmp_path / "pairs.parquet")

"""Tables are read row by row, with the reason for each row that is none."""

import bz2
import gzip
import json
from pathlib import Path

import pytest

from core.data import tables
from core.data.columns import Columns, find_columns
from core.data.source_rows import SourceRow, source_row
from core.data.tables import NO_ROW, is_table, open_table
from core.errors import EpitomeError, WrongFileKindError
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs

ROW = {"id": 1, "document": "A “text”\nof lines; with, all.", "summary": ["One.", "Two."]}


def read(path: Path) -> tuple[list[str], list[object]]:
    names, rows = open_table(path)
    return names, list(rows)


def test_parquet(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "a.parquet", TEXTS, SUMMARIES)
    names, rows = read(path)
    assert names == ["id", "document", "summary"]
    assert len(rows) == 60
    assert rows[3] == {"id": "row-3", "document": TEXTS[3], "summary": SUMMARIES[3]}


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".jsonl.gz", ".JSONL.bz2"])
def test_json_lines_packed_or_not(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    lines = [json.dumps(ROW), "", '{"document": ', "[1]", json.dumps({"document": "b"})]
    pack = {"gz": gzip.compress, "bz2": bz2.compress}.get(suffix.rpartition(".")[2], bytes)
    path.write_bytes(pack("\n".join(lines).encode()))
    names, rows = read(path)
    assert is_table(path) and names == ["id", "document", "summary"]
    assert rows[0] == ROW and rows[3] == {"document": "b"}
    assert str(rows[1]).startswith(NO_ROW) and rows[2] == f"{NO_ROW}not an object"


@pytest.mark.parametrize(("suffix", "sign"), [(".csv", ","), (".tsv", "\t")])
def test_separated_values(tmp_path: Path, suffix: str, sign: str) -> None:
    path = tmp_path / f"a{suffix}"
    long = "word " * 50_000
    lines = [f"text{sign}title", f'"two\r\nlines{sign} ""x"""{sign}T', "alone", f"{long}{sign}"]
    path.write_bytes(("\ufeff" + "\r\n".join(lines)).encode())
    names, rows = read(path)
    assert names == ["text", "title"]
    assert rows == [
        {"text": f'two\r\nlines{sign} "x"', "title": "T"},
        f"{NO_ROW}1 fields instead of 2",
        {"text": long, "title": ""},
    ]


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_bytes_that_are_no_utf8_cost_their_row_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "a.csv":
        path.write_bytes("text,title\nGrün,1\n".encode() + "Grün,2\n".encode("latin-1"))
    else:
        lines = [json.dumps({"text": "Grün", "title": n}, ensure_ascii=False) for n in "12"]
        path.write_bytes(f"{lines[0]}\n".encode() + lines[1].encode("latin-1"))
    first, second = read(path)[1]
    assert first == {"text": "Grün", "title": "1"}
    assert str(second).startswith(NO_ROW) and "utf" in str(second).lower()


def test_a_packed_table_that_ends_early_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    lines = [json.dumps({"text": f"{number} {hash(str(number))}"}) for number in range(20_000)]
    path.write_bytes(gzip.compress("\n".join(lines).encode())[:-5000])
    _, rows = open_table(path)
    with pytest.raises(EpitomeError, match=r"cannot be read \(.*\)\. Repair it"):
        list(rows)


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl", "a.csv", "a.jsonl.gz"])
def test_what_is_no_table_is_told(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for data in (b"", b"\x00\x01 nothing"):
        path.write_bytes(data)
        with pytest.raises(EpitomeError, match=r"cannot be read \(.*\)\. Repair it"):
            open_table(path)
            raise AssertionError(f"{name} was read from {data!r}")


@pytest.mark.parametrize(
    ("names", "columns"),
    [
        (["id", "title", "document", "summary"], Columns("document", "summary", "title", "id")),
        (["article", "highlights", "id"], Columns("article", "highlights", "", "id")),
        (["description", "abstract"], Columns("description", "abstract")),
        (["Text", "SUMMARY "], Columns("Text", "SUMMARY ")),
        (["article", "abstract"], Columns("article", "abstract")),
        (["stuff"], Columns("stuff")),
        (["url", "text", "title"], Columns("text", "", "title", "url")),
    ],
)
def test_columns_are_guessed_from_names(names: list[str], columns: Columns) -> None:
    assert find_columns(names, "a.csv") == columns


def test_named_columns_win_and_are_not_guessed_again() -> None:
    names = ["document", "text", "summary"]
    assert find_columns(names, "a", "text") == Columns("text", "summary")
    assert find_columns(names, "a", "", "document") == Columns("text", "document")
    assert find_columns(names, "a", "summary") == Columns("summary", "")


def test_unknown_columns_are_told() -> None:
    with pytest.raises(EpitomeError, match=r"a has no column “body”; it has “x”, “y”\. Choose one"):
        find_columns(["x", "y"], "a", "body")
    with pytest.raises(EpitomeError, match=r"No column of a looks like documents; .* --document-c"):
        find_columns(["x", "y"], "a")


def test_fields_become_text() -> None:
    columns = Columns("document", "summary", "title", "id")
    found = source_row({"document": "a\ud800", "summary": ["One.", None, "Two."], "id": 7}, columns,
                    "t:1", "train")  # fmt: skip
    assert found == SourceRow("t:1", "7", "", "a?", "One.\n\nTwo.", "train")
    assert source_row({"document": None}, Columns("document"), "t:2", None) == SourceRow(
        "t:2", "t:2"
    )
    assert source_row("not a row", columns, "t:3", None).fault == "not a row"


def test_a_refusal_of_the_system_keeps_its_kind(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").mkdir()
    with pytest.raises(WrongFileKindError) as error:
        open_table(tmp_path / "rows.jsonl")
    assert (
        error.value.message
        == f"The table {tmp_path}/rows.jsonl cannot be read (it is a folder, not a file)."
    )
    assert error.value.remedy == "Repair it, or leave it out."


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".csv.bz2"])
def test_a_table_of_empty_lines_is_refused_before_it_is_all_read(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_EMPTY_LINES", 1_000)
    path = tmp_path / f"a{suffix}"
    compress = gzip.compress if suffix.endswith("gz") else bz2.compress
    path.write_bytes(compress(b"\n" * 2_000))
    with pytest.raises(EpitomeError, match="1\u202f000 empty lines follow one another"):
        list(open_table(path)[1])


def test_empty_lines_between_rows_do_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_EMPTY_LINES", 3)
    path = tmp_path / "a.jsonl"
    path.write_text('\n\n\n{"a": 1}\n' * 20)
    assert len(list(open_table(path)[1])) == 20


def test_the_first_row_is_not_looked_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_BEFORE_ROWS", 10)
    path = tmp_path / "a.jsonl"
    path.write_text("no row\n" * 11 + '{"a": 1}\n')
    with pytest.raises(EpitomeError, match="none of its first 10 lines is a row"):
        open_table(path)
    path.write_text("no row\n" * 9 + '{"a": 1}\n')
    assert open_table(path)[0] == ["a"]


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".csv.bz2"])
def test_a_packed_table_unpacks_no_more_than_is_sensible(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_FREE_BYTES", 10_000)
    monkeypatch.setattr(tables, "MOST_RATIO", 20)
    path = tmp_path / f"a{suffix}"
    line = b'{"a": 1}\n' if "jsonl" in suffix else b"a,b\n"
    compress = gzip.compress if suffix.endswith("gz") else bz2.compress
    path.write_bytes(compress(line * 50_000))
    with pytest.raises(EpitomeError, match="it unpacks to more than"):
        list(open_table(path)[1])
    path.write_bytes(compress(line * 1_000))
    assert list(open_table(path)[1])

"""Tables are read row by row, with the reason for each row that is none."""

import bz2
import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from core.data import tables
from core.data.columns import Columns, find_columns
from core.data.source_rows import SourceRow, source_row
from core.data.tables import NO_ROW, is_table, open_table, table_notes
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
def test_lines_that_are_no_utf8_are_read_in_the_encoding_that_is_guessed(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    if name == "a.csv":
        path.write_bytes("text,title\nGrün,1\n".encode() + "Grün,2\n".encode("latin-1"))
    else:
        lines = [json.dumps({"text": "Grün", "title": n}, ensure_ascii=False) for n in "12"]
        path.write_bytes(f"{lines[0]}\n".encode() + lines[1].encode("latin-1"))
    assert read(path)[1] == [{"text": "Grün", "title": "1"}, {"text": "Grün", "title": "2"}]
    assert table_notes(path)[0].startswith("The encoding was guessed: windows-1252.")


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_a_damaged_line_of_utf8_costs_itself_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    line = json.dumps({"text": "Grün"}, ensure_ascii=False) if "json" in name else "Grün"
    head = b"text\n" if name == "a.csv" else b""
    path.write_bytes(head + f"{line}\n".encode() * 20 + line.encode("latin-1"))
    rows = read(path)[1]
    assert rows == [{"text": "Grün"}] * 20 + [f"{NO_ROW}not valid UTF-8"]


PAIRS = [("He said “yes”; we, too, agreed.", "Ja, 1; 2"), ("Größe zählt – hier.", "x|y")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("sign", list(",;\t|"))
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.gz"])
def test_separators_and_encodings_are_found(
    tmp_path: Path, suffix: str, sign: str, encoding: str
) -> None:
    path, text = tmp_path / f"a{suffix}", io.StringIO()
    csv.writer(text, delimiter=sign).writerows([("document", "summary"), *PAIRS * 5])
    data = text.getvalue().encode(encoding)
    path.write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    names, rows = read(path)
    assert names == ["document", "summary"]
    assert rows == [dict(zip(names, pair, strict=True)) for pair in PAIRS * 5]
    usual = "\t" if suffix == ".tsv" else ","
    assert any("separator was guessed" in note for note in table_notes(path)) == (sign != usual)


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\ndocument;summary\nOne, two.;a\n",
        '\ufeff"sep=^"\r\ndocument^summary\r\nOne, two.^a\r\n',
        "document,summary\nOne, two.,a\n",
        '"document","summary"\n"One, two.","a"\n',
    ],
)
def test_a_line_that_names_the_separator_is_obeyed_and_commas_of_texts_stay(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, "utf-8", newline="")
    assert read(path) == (["document", "summary"], [{"document": "One, two.", "summary": "a"}])
    assert not table_notes(path)


def test_fields_that_are_too_many_cost_their_row_where_no_text_explains_them(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text,number\nSome words,1\nOther words,2,3\n", "utf-8")
    assert read(path)[1][1] == f"{NO_ROW}3 fields instead of 2"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r'"He said \"yes\" to all, then left.",b', 'He said "yes" to all, then left.'),
        (r'"C:\new and \"this\", too",b', r'C:\new and "this", too'),
        (r'"A folder C:\",b', "A folder C:\\"),
        (r'"A \""quotation\"" by LaTeX, too",b', r"A \"quotation\" by LaTeX, too"),
        (r"Schr\"o'dinger and G\"odel,b", r"Schr\"o'dinger and G\"odel"),
    ],
)
def test_backslashes_before_quotation_marks(tmp_path: Path, written: str, meant: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text("document,summary\n" + f"{written}\n" * 3, "utf-8")
    assert read(path)[1] == [{"document": meant, "summary": "b"}] * 3


def test_a_quotation_mark_that_is_never_closed_swallows_no_row(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    lines = [f'{n}\t"Well, said he number {n}' if n % 3 else f'{n}\t5" pipe' for n in range(20)]
    path.write_text("id\ttext\n" + "\n".join(lines) + "\n", "utf-8")
    rows = read(path)[1]
    assert len(rows) == 20 and rows[1] == {"id": "1", "text": '"Well, said he number 1'}
    assert table_notes(path) == (
        "Quotation marks do not enclose the fields and were read as text.",
    )


def test_separators_inside_quotation_marks_are_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = [(f"Opened in {n}; well, so.", f"In {n}; a house") for n in range(30)]
    text = "".join(f'"{document}";"{summary}"\n' for document, summary in rows)
    path.write_text(f"document;summary\n{text}", "utf-8")
    assert [tuple(row.values()) for row in read(path)[1]] == rows  # type: ignore[attr-defined]
    assert table_notes(path) == ("The separator was guessed: fields are separated by semicolons.",)


_ONE_COLUMN = [
    'The council met on Tuesday, and it voted; then it left.\n\nThe "bridge" stays closed, so far.',
    "Nothing else was decided; it rained all day.\nThe members went home, as they do.",
    'Two, three; four, "five", and no line break.',
]


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("num_rows", [1, 2, 3, 90])
def test_one_quoted_column_keeps_line_breaks_and_separators(
    tmp_path: Path, suffix: str, end: str, num_rows: int
) -> None:
    path, text = tmp_path / f"a{suffix}", io.StringIO()
    texts = (_ONE_COLUMN * 30)[:num_rows]
    csv.writer(text, lineterminator=end).writerows([each] for each in ("prediction", *texts))
    path.write_text(text.getvalue(), "utf-8", newline="")
    assert read(path) == (["prediction"], [{"prediction": each} for each in texts])
    assert not table_notes(path)


def test_one_column_whose_quotation_marks_enclose_no_field_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    texts = ['"No" he said and left', "He came again", '"Yes" said she']
    path.write_text("text\n" + "\n".join(texts) + "\n", "utf-8")
    assert read(path)[1] == [{"text": each} for each in texts]


_TWO_LINES = "The bridge is closed.\nLorries take the road"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (f'"{_TWO_LINES}, as \\"ever\\".","b"\n', f'{_TWO_LINES}, as "ever".'),
        (f'"{_TWO_LINES}, as ever.","b"\n', f"{_TWO_LINES}, as ever."),
        (f"{_TWO_LINES} now.,b\n", f"{_TWO_LINES} now."),
    ],
)
def test_a_backslash_before_a_line_break_is_no_text(
    tmp_path: Path, written: str, meant: str
) -> None:
    path = tmp_path / "a.csv"
    escaped = written.replace("closed.\n", "closed.\\\n") * 3
    path.write_text(f"document,summary\n{escaped}", "utf-8")
    assert read(path)[1] == [{"document": meant, "summary": "b"}] * 3
    assert "Backslashes before" in table_notes(path)[0]


@pytest.mark.parametrize("row", ["1,C:\\files\\\n", '1,"One \\\ntwo\nthree"\n', "1,a\\\n2,b\n"])
def test_a_backslash_at_the_end_of_a_line_can_be_text(tmp_path: Path, row: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,text\n" + row * 3, "utf-8")
    rows = read(path)[1]
    assert "\\" in str(rows) and len(rows) == 3 * len(row.rstrip().split("\n2,"))
    assert not table_notes(path)


def test_the_sign_of_databases_for_no_value_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('"document","summary"\n"C:\\New",\\N\n"b","\\No"\n', "utf-8")
    assert read(path)[1] == [
        {"document": "C:\\New", "summary": ""},
        {"document": "b", "summary": "\\No"},
    ]


def test_comments_above_the_names_of_columns_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('\ufeff# exported by tool 1.2\r\n#\r\nid,text\r\n1,A "b"\r\n', "utf-8")
    assert read(path) == (["id", "text"], [{"id": "1", "text": 'A "b"'}])
    assert table_notes(path) == (
        "The table begins below 2 lines of comments, which are not in the text.",
    )


@pytest.mark.parametrize("head", ["#id,text", "# id,text", "#ship,A post\n#boat,A post"])
def test_a_head_or_a_row_may_begin_with_the_sign_of_comments(tmp_path: Path, head: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{head}\n1,A\n2,B\n", "utf-8")
    assert read(path)[0] == head.split("\n")[0].split(",")
    assert len(read(path)[1]) == 2 + head.count("\n") and not table_notes(path)


def test_a_space_behind_each_separator_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('id, text, label\n1, "Hello, world", a\n2, "Good, then", b\n', "utf-8")
    names, rows = read(path)
    assert names == ["id", "text", "label"]
    assert rows[0] == {"id": "1", "text": "Hello, world", "label": "a"}


def test_a_table_without_names_of_columns_loses_no_row(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("1,The museum opened.\n2,It shows boats.\n", "utf-8")
    names, rows = read(path)
    assert names == ["column 1", "column 2"] and len(rows) == 2


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('[{"input": "a"}, {"input": "b"}]', [{"input": "a"}, {"input": "b"}]),
        ('[\n {"input": "a"},\n 7\n]', [{"input": "a"}, f"{NO_ROW}not an object"]),
        ('{"input": "a"}\n{"input": "b"}\n', [{"input": "a"}, {"input": "b"}]),
    ],
)
def test_json_with_rows_is_a_table(tmp_path: Path, text: str, rows: list[object]) -> None:
    path = tmp_path / "alpaca.json"
    path.write_text(text, "utf-8")
    assert is_table(path) and read(path) == (["input"], rows)


@pytest.mark.parametrize("text", ['{"name": "epitome",\n "private": true}', "[1, 2]", "", "words"])
def test_json_without_rows_is_no_table(tmp_path: Path, text: str) -> None:
    path = tmp_path / "package.json"
    path.write_text(text, "utf-8")
    assert not is_table(path) and not is_table(tmp_path / "none.json")


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


MESSAGES = [
    {"role": "user", "content": "Sum up."},
    {"role": "assistant", "content": [{"type": "text", "text": "A museum."}]},
]


@pytest.mark.parametrize(
    "messages",
    [MESSAGES, [{"from": "user", "value": "Sum up."}, {"from": "assistant", "value": "A museum."}]],
)
def test_messages_become_text_under_their_roles(messages: list[dict[str, object]]) -> None:
    row = source_row({"messages": messages}, Columns("messages"), "t:1", None)
    assert row.document == "user: Sum up.\n\nassistant: A museum."


@pytest.mark.parametrize("value", [{"a": 1}, [{"type": "image", "text": "x"}], [["x", {"b": 2}]]])
def test_other_objects_are_no_text(value: object) -> None:
    row = source_row({"document": value}, Columns("document"), "t:1", None)
    assert not row.document and row.fault.startswith(f"{NO_ROW}an object with the fields “")


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
    path.write_text('\n\n\n{"a": 1}\n' * 20, "utf-8")
    assert len(list(open_table(path)[1])) == 20


def test_the_first_row_is_not_looked_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_BEFORE_ROWS", 10)
    path = tmp_path / "a.jsonl"
    path.write_text("no row\n" * 11 + '{"a": 1}\n', "utf-8")
    with pytest.raises(EpitomeError, match="none of its first 10 lines is a row"):
        open_table(path)
    path.write_text("no row\n" * 9 + '{"a": 1}\n', "utf-8")
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

"""Tables with a column of texts: which column, which rows, in whatever dialect."""

import csv
import io
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Kind
from core.documents.readers import table_rows, tables
from core.documents.readers.mojibake import repair
from core.errors import EpitomeError
from tests.helpers.reader_checks import check_spans, outline, read, texts

_LONG = "The pump draws water from the lower basin and lifts it into the upper one."
_ROWS = [
    {"id": "1", "title": "First", "body": f"{_LONG} It runs by night."},
    {"id": "2", "title": "", "body": _LONG},
    {"id": "3", "title": "Third", "body": ""},
]


def _csv(rows: list[dict[str, str]], **dialect: Any) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), **dialect)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _lines(rows: list[Any]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def _checked(document: Document) -> Document:
    check_spans(document)
    return document


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (_csv(_ROWS), "a.csv"),
        (_csv(_ROWS, delimiter=";"), "a.csv"),
        (_csv(_ROWS, delimiter="\t", lineterminator="\n"), "a.tsv"),
        (_csv(_ROWS, delimiter="|", quoting=csv.QUOTE_ALL), "a.csv"),
        ("\ufeff" + _csv(_ROWS), "a.csv"),
        (_lines(_ROWS), "a.jsonl"),
        (_lines(_ROWS), "a.json"),
        (json.dumps(_ROWS), "a.json"),
        (json.dumps(_ROWS, indent=2), "standard input"),
        (json.dumps({"version": 1, "data": _ROWS}, indent=1), "a.json"),
        (json.dumps({"version": 1, "data": _ROWS}), "a.json"),
    ],
)
def test_rows_become_sections(data: str, name: str) -> None:
    document = _checked(read(data, name))
    assert outline(document) == [
        (Kind.HEADING, "First"),
        (Kind.PARAGRAPH, f"{_LONG} It runs by night."),
        (Kind.PARAGRAPH, _LONG),
    ]
    note, *guessed = document.reading.notes
    assert note == "Read column “body” of 3 under the titles of “title”; 3 rows."
    signs = {";": "semicolons", "|": "bars"}.get(data[2].strip('"d,\t') or data[4])
    assert guessed == (
        [f"The separator was guessed: fields are separated by {signs}."] if signs else []
    )
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.missed) == ("1 row without text", False)


def test_the_longest_column_is_read_unless_a_named_one_is_nearly_as_long() -> None:
    row = {"abstract": _LONG, "text": _LONG + " So.", "remark": _LONG + " And then it does rest."}
    document = read(_lines([row]), "a.jsonl")
    assert texts(document) == [row["text"]]
    (left_out,) = document.reading.left_out
    assert left_out.what == "columns “abstract”, “remark”"
    assert (left_out.words, left_out.missed) == (35, True)
    short = {"text": "A word or two more here", "notes": _LONG * 3}
    assert texts(read(_lines([short]), "a.jsonl")) == [_LONG * 3]


def test_paragraphs_inside_a_field_and_pages_in_it() -> None:
    rows = [{"text": f"{_LONG}\n\n- one\n- two"}, {"text": f"<p>{_LONG}</p><ul><li>three</ul>"}]
    assert outline(read(_csv(rows), "a.csv")) == [
        (Kind.PARAGRAPH, _LONG),
        (Kind.LIST_ITEM, "one"),
        (Kind.LIST_ITEM, "two"),
        (Kind.PARAGRAPH, _LONG),
        (Kind.LIST_ITEM, "three"),
    ]


def test_fields_inside_fields_are_read_by_dotted_names() -> None:
    row = {"message": {"role": "user", "text": _LONG}, "title": "Pumps"}
    document = read(_lines([row]), "a.jsonl")
    assert texts(document) == ["Pumps", _LONG]
    assert document.title == "Pumps"
    assert "“message.text” of 3" in document.reading.notes[0]
    chat = {"messages": [{"role": "user", "content": _LONG}, {"content": f"{_LONG} Yes."}]}
    assert texts(read(json.dumps(chat), "a.json")) == [_LONG, f"{_LONG} Yes."]


def test_rows_and_lines_that_are_broken_are_said() -> None:
    data = _lines(_ROWS[:2]) + '{"body": "cut\n[1, 2]\n"text"\n' + "9" * 5_000 + "\n"
    document = read(data, "a.jsonl")
    assert len(texts(document, Kind.PARAGRAPH)) == 2
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.missed) == ("4 lines", True)


@pytest.mark.parametrize("first", ['{"body": "cut', "\ufffd\ufffd", "[1, 2]", "{", "\0\0"])
def test_a_damaged_first_line_costs_itself_alone(first: str) -> None:
    document = read(f"{first}\n{_lines(_ROWS)}", "a.jsonl")
    assert len(texts(document, Kind.PARAGRAPH)) == 2
    left_out = [(each.what, each.why) for each in document.reading.left_out]
    assert ("1 line", "no valid row") in left_out


@pytest.mark.parametrize("data", ['{"a": [1, 2', '[{"body": "cut"', '{\n "a": tru\n}'])
def test_json_that_is_none_is_read_as_text_and_that_is_said(data: str) -> None:
    notes = read(data, "a.json").reading.notes
    assert notes[0] == "The file is not valid JSON, so it was read as plain text."


def test_json_too_large_for_a_tree_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (table_rows, tables):
        monkeypatch.setattr(module, "MAX_JSON_CHARACTERS", 1_000)
    data = json.dumps([{"body": _LONG}] * 20, indent=1)
    with pytest.raises(EpitomeError, match=r"is one JSON value; such files can have up to 1") as e:
        read(data, "a.json")
    assert e.value.remedy == "Save it as JSON Lines, with one object on each line."
    assert texts(read(_lines([{"body": _LONG}] * 20), "a.jsonl"))


def test_ragged_rows_are_read_and_said() -> None:
    data = f"title,body,town\nFirst,{_LONG},Ulm,more\nSecond,{_LONG}\n\nThird\n"
    document = read(data, "a.csv")
    assert texts(document) == ["First", _LONG, "Second", _LONG]
    assert (
        document.reading.notes[1] == "3 rows have more or fewer fields than the table has columns."
    )


@pytest.mark.parametrize("row", ["1,{},{}", "1,{}, {}"])
def test_commas_that_are_not_quoted_lose_no_words(row: str) -> None:
    data = "id,text\n" + "".join(row.format(_LONG, number) + "\n" for number in range(3))
    document = read(data, "a.csv")
    assert all(f"{_LONG}," in text for text in texts(document)) and len(texts(document)) == 3
    assert "3 rows" in document.reading.notes[1]


@pytest.mark.parametrize("first", ["sep=;\n", '"sep=;"\r\n', "\ufeffSEP=;\r\n"])
def test_a_first_line_that_names_the_separator_is_no_row(first: str) -> None:
    data = f"{first}id;text\n1;{_LONG}, said he\n2;{_LONG}\n"
    document = read(data, "a.csv")
    assert texts(document) == [f"{_LONG}, said he", _LONG]
    assert document.reading.notes == ("Read column “text” of 2; 2 rows.",)


def test_as_many_commas_in_each_row_make_no_columns() -> None:
    data = "id;text\n" + f"1;Well, {_LONG} Yes, sir\n" * 30
    assert texts(read(data, "a.csv")) == [f"Well, {_LONG} Yes, sir"] * 30


def test_a_table_without_names_of_columns() -> None:
    data = "".join(f'{n};"{_LONG} Number {n}."\n' for n in range(3))
    document = read(data, "a.csv")
    assert len(texts(document, Kind.PARAGRAPH)) == 3
    assert document.reading.notes[0] == "Read column 2 of 2; 3 rows."


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("name,town,sum\n" + "Ann Lee,Ulm,12\n" * 9, "a.csv"),
        ('{"name": "epitome", "version": "1.0", "private": true}', "package.json"),
        ("[1, 2, 3, 4]", "a.json"),
        ("no JSON at all, but words", "a.json"),
        ("one\ntwo\nthree\n", "a.csv"),
    ],
)
def test_a_table_without_texts_is_plain_text(data: str, name: str) -> None:
    document = _checked(read(data, name))
    assert document.source.format in ("text", "markdown")
    assert not document.reading.notes


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8", "cp1252"])
def test_a_text_that_excel_saved_with_tabs_is_a_table(encoding: str) -> None:
    rows = [{"Nr": str(n), "Text": f'{_LONG} „Über"\nalles, {n}.'} for n in range(3)]
    data = _csv(rows, delimiter="\t").replace("„", "ü").encode(encoding)
    document = read(data, "a.txt")
    assert len(texts(document)) == 3 and document.source.format == "csv"
    assert any("Read column “Text” of 2; 3 rows." in note for note in document.reading.notes)


def test_excel_names_columns_in_any_language_where_the_encoding_shows_excel() -> None:
    rows = [{"Artikel": f"{_LONG * 300}\n{_LONG}", "Zusammenfassung": "Pumpe."}] * 3
    document = read(_csv(rows, delimiter="\t").encode("utf-16"), "a.txt")
    assert document.source.format == "csv" and document.text.count(_LONG) == 903


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
@pytest.mark.parametrize(
    "text",
    [
        f"10:00\tAnna\t{_LONG}\n10:01\tPaul\t{_LONG}\n10:02\tAnna\t{_LONG}\n",
        f"{_LONG}\tA\n{_LONG}\tB\n",
        f"10:00\tAnna\tHello\n10:01\tPaul\t{_LONG}\n10:02\tAnna\t{_LONG}\n",
        f"Contents\t3\nThe pump\t4\n\n{_LONG}\n\n{_LONG}\n",
        "Name\tTown\nAnn\tUlm\nBob\tKiel\n",
        f"\t{_LONG}\n\n\t{_LONG}\n",
    ],
)
def test_other_texts_with_tabs_are_no_tables_of_texts(text: str, encoding: str) -> None:
    assert read(text.encode(encoding), "a.txt").source.format != "csv"


def test_windows_1252_and_zero_bytes() -> None:
    data = f"title;body\n1;{_LONG} “Café”\0\n".encode("cp1252")
    document = read(data, "a.csv")
    assert texts(document, Kind.PARAGRAPH) == [f"{_LONG} “Café”"]
    assert document.reading.notes[0].startswith("The encoding was guessed: windows-1252.")


def test_huge_fields_and_open_quotes_lose_nothing() -> None:
    huge = "word " * 300_000
    assert read(f'title,body\na,"{huge}', "a.csv").reading.words > 300_000
    document = read(f'title,body\na,"{_LONG}\nb,{_LONG}\n', "a.csv")
    assert document.text.count(_LONG) == 2


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_deep_json_is_not_followed(opening: str) -> None:
    with suppress(EpitomeError):
        assert read(opening * 100_000, "a.json").reading.words == 1


def test_rows_without_end_are_cut_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_rows, "MAX_ROWS", 2)
    for data, name in ((_lines(_ROWS * 2), "a.jsonl"), (_csv(_ROWS * 2), "a.csv")):
        (left_out,) = read(data, name).reading.left_out
        assert (left_out.what, left_out.missed) == ("the last 4 rows", True)


def _told(field: str) -> str:
    return f"It was {field} then, as all of us know."


_FIELDS = st.text(
    st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=30
).filter(lambda text: repair(_told(text)) == _told(text))


@given(st.lists(_FIELDS, min_size=1, max_size=5), st.sampled_from([",", ";", "\t"]))
def test_what_was_written_is_read_back(fields: list[str], delimiter: str) -> None:
    rows = [{"body": _told(field), "n": "1"} for field in fields]
    written = [" ".join(row["body"].split()) for row in rows]
    for data, name in (
        (_csv(rows, delimiter=delimiter), "a.csv"),
        (_lines(rows), "a.jsonl"),
        (json.dumps(rows, ensure_ascii=False), "a.json"),
    ):
        found = read(data, name)
        assert [" ".join(text.split()) for text in texts(found)] == written

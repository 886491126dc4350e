"""No export lets somebody else's text become a formula in a spreadsheet."""

import csv
import io
import re
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.export.csv_file import csv_text, harmless

ROOT = Path(__file__).parents[3]
FORMULAS = ("=cmd|' /C calc'!A0", "+1+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1+1")


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_becomes_text(text: str) -> None:
    assert harmless(text) == f"'{text}" or str(harmless(text)).startswith("'")


@pytest.mark.parametrize(
    "cell", ["-2.5", "+3", "-1e-9", -2, 0.5, None, "", "a = b", "1-2", "e-mail"]
)
def test_numbers_and_other_texts_stay_as_they_are(cell: object) -> None:
    assert harmless(cell) == cell


@given(st.text("=+-@;|\t\r\n ab,\"'\ufeff\u200b1", max_size=30), st.sampled_from(";\t|"))
@example(text=";\u200b=", sign=";")
@example(text="\u200b'=", sign=";")
def test_no_cell_is_a_formula_whatever_parts_the_cells_when_it_is_read(
    text: str, sign: str
) -> None:
    made = csv_text([[text, "second"]])
    for row in csv.reader(io.StringIO(made, newline=""), delimiter=sign, quoting=csv.QUOTE_NONE):
        for cell in row:
            begun = cell.strip("\"'\ufeff\u200b \n\r")
            assert cell[:1] not in ("=", "@"), (made, cell)
            first = cell.lstrip("\ufeff\u200b")[:1]  # what has no width hides no guard
            assert not begun.startswith(("=", "@")) or first in ("'", '"', " "), (made, cell)


def test_the_name_of_a_file_need_not_be_utf8() -> None:
    assert csv_text([["caf\udce9.txt", 1]]).encode() == b"caf?.txt,1\n"


def test_a_table_reads_back() -> None:
    rows = [["name", "value"], ["a, b", 1.5], ['with "quotes"', -2], ["two\nlines", ""]]
    read = list(csv.reader(io.StringIO(csv_text(rows), newline="")))
    assert read == [[str(cell) for cell in row] for row in rows]


def test_every_writer_of_csv_is_this_one() -> None:
    files = (file for part in ("core", "gui") for file in (ROOT / part).rglob("*.py"))
    writer = re.compile(r"csv\.(writer|DictWriter)")
    writers = [file for file in files if writer.search(file.read_text("utf-8"))]
    assert writers == [ROOT / "core" / "export" / "csv_file.py"]


def test_the_search_for_writers_finds_one() -> None:
    assert "csv.writer" in Path(sys.modules[csv_text.__module__].__file__ or "").read_text("utf-8")

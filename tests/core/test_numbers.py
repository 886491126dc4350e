"""Numbers as a person reads them, in one way everywhere."""

import re
from pathlib import Path

import pytest

from core.numbers import (
    format_count,
    format_pages,
    format_quantity,
    format_seconds,
    format_share,
    format_size,
)

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (format_count(14_962), "14\u202f962"),
        (format_count(-1_000_000), "-1\u202f000\u202f000"),
        (format_quantity(1, "page"), "1 page"),
        (format_quantity(2000, "summary", "summaries"), "2\u202f000 summaries"),
        (format_share(1, 3), "33\u202f%"),
        (format_seconds(130), "2\u202fmin 10\u202fs"),
        (format_pages((3, 4, 5, 9)), "pages 3–5, 9"),
        (format_size(1), "1\u202fbyte"),
        (format_size(999), "999\u202fbytes"),
        (format_size(1000), "1.0\u202fkB"),
        (format_size(38_200_000), "38\u202fMB"),
        (format_size(2 * 10**15), "2000\u202fTB"),
    ],
)
def test_numbers_are_written_as_a_person_reads_them(told: str, expected: str) -> None:
    assert told == expected


# Another way to write thousands would stand in one sentence with this one.
ALLOWED = {"core/numbers.py", "core/profiling/table.py", "gui/widgets/support/numbers.py"}


def test_nothing_else_writes_thousands() -> None:
    files = [file for part in ("core", "gui") for file in (ROOT / part).rglob("*.py")]
    found = {
        file.relative_to(ROOT).as_posix()
        for file in files
        if re.search(r":[^\s{}\"']*,(?:\.\d+f)?\}", file.read_text("utf-8"))
    }
    assert found - ALLOWED == set()

"""`epitome read`: a document as it was read."""

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.cli.main import main
from tests.helpers.schemas import validate

Captured = pytest.CaptureFixture[str]
MARKDOWN = """# The museum

It opened in May.

- boats of the river
  - a ferry
- tools

> A good house.

| year | visitors |
| --- | --- |
| 2024 | 4112 |
"""


@pytest.fixture
def report(tmp_path: Path) -> str:
    """A short document with paragraphs of several kinds."""
    path = tmp_path / "report.md"
    path.write_text(MARKDOWN, "utf-8")
    return str(path)


def as_json(capsys: Captured, *words: str) -> dict[str, Any]:
    assert main(["read", *words, "--json"]) == 0
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    validate(value, "read")
    return value


def test_the_text_is_printed_with_the_marks_of_its_kinds(report: str, capsys: Captured) -> None:
    assert main(["read", report]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        *("# The museum", "", "It opened in May.", ""),
        *("- boats of the river", "", "  - a ferry", "", "- tools", ""),
        *("> A good house.", "", "year\tvisitors", "2024\t4112", ""),
    ]
    assert err.startswith("Read all ") and "Language: " in err


def test_places_are_offsets_of_the_text(report: str, capsys: Captured) -> None:
    result = as_json(capsys, report)["result"]
    found = [
        (each["kind"], each["level"], result["text"][each["start"] : each["end"]])
        for each in result["paragraphs"]
    ]
    assert found[:4] == [
        ("heading", 1, "The museum"),
        ("paragraph", 0, "It opened in May."),
        ("list-item", 1, "boats of the river"),
        ("list-item", 2, "a ferry"),
    ]


def test_what_was_left_out_and_noted_is_said(tmp_path: Path, capsys: Captured) -> None:
    page = tmp_path / "page.html"
    hidden = "<p hidden>Five words that are hidden.</p>"
    page.write_text(f"<html><body><p>It opened in May.</p>{hidden}</body></html>", "utf-8")
    (left_out,) = as_json(capsys, str(page))["result"]["read"]["left_out"]
    assert (left_out["words"], left_out["missed"]) == (5, False)
    assert main(["read", str(page)]) == 0
    assert f"Taken out: {left_out['what']} (5 words)." in capsys.readouterr().err


def test_no_character_of_a_document_commands_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    data = io.BytesIO(b"It opened \x1b[31min May.\n")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=data))
    assert main(["read", "-"]) == 0
    assert capsys.readouterr().out == "It opened [31min May.\n\n"


def test_a_column_of_a_table_is_chosen(tmp_path: Path, capsys: Captured) -> None:
    table = tmp_path / "papers.csv"
    table.write_text("title,abstract\nBoats,It opened in May.\nTools,It shows boats.\n", "utf-8")
    value = as_json(capsys, str(table), "--column", "abstract")
    assert "It shows boats." in value["result"]["text"]
    assert value["settings"] == {"language": "auto", "column": "abstract", "lines": "auto"}


@pytest.mark.parametrize("words", [[], ["a.txt", "--password-file"]])
def test_wrong_usage_is_code_2(words: list[str], capsys: Captured) -> None:
    assert main(["read", *words]) == 2
    assert capsys.readouterr().out == ""


def test_lines_are_joined_or_kept_as_chosen(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "steps.txt"
    path.write_text("take the boats\ncarry the nets\ncount all cards\n" * 3, "utf-8")
    kept = as_json(capsys, str(path))["result"]
    assert len(kept["paragraphs"]) == 9
    assert main(["read", str(path)]) == 0
    assert "read as a paragraph" in capsys.readouterr().err
    joined = as_json(capsys, str(path), "--lines", "join")
    assert joined["settings"]["lines"] == "join"
    assert len(joined["result"]["paragraphs"]) == 1
    report = tmp_path / "report.md"
    report.write_text(MARKDOWN, "utf-8")
    assert main(["read", str(report), "--lines", "keep"]) == 0
    assert "Lines are joined or kept only in plain text" in capsys.readouterr().err

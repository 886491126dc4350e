"""`epitome gsg`: picks, ranks and scores."""

import json
from pathlib import Path

import pytest

from core.cli.main import main
from core.gsg.selection import select_gap_sentences
from core.gsg.settings import GapSentenceSettings
from tests.core.cli.conftest import SENTENCES
from tests.helpers.runs import tiny_corpus
from tests.helpers.schemas import validate

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A file of eight lines, each a sentence."""
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(SENTENCES) + "\n", "utf-8")
    return path


def picked(capsys: Captured, *words: str) -> list[dict[str, object]]:
    assert main(["gsg", *words, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "gsg")
    assert value["result"]["sentences"] == len(SENTENCES)
    result: list[dict[str, object]] = value["result"]["picked"]
    return result


@pytest.mark.parametrize("strategy", ["sequential-document", "independent-pairwise", "lead"])
def test_picks_are_those_of_the_engine_in_document_order(
    lines: Path, capsys: Captured, strategy: str
) -> None:
    found = picked(capsys, str(lines), "--lines", "--strategy", strategy, "--count", "3")
    settings = GapSentenceSettings.checked({"strategy": strategy, "count": 3})
    wished = select_gap_sentences(SENTENCES, settings)
    assert [item["index"] for item in found] == list(wished.in_document_order)
    by_rank = sorted(found, key=lambda item: str(item["rank"]))
    assert [item["index"] for item in by_rank] == list(wished.picked)
    assert [item["score"] for item in by_rank] == list(wished.scores)
    assert all(item["text"] == SENTENCES[int(str(item["index"]))] for item in found)


def test_the_plain_result_is_a_table(lines: Path, capsys: Captured) -> None:
    assert main(["gsg", str(lines), "--lines", "--ratio", "0.25"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("Read all ")
    rows = [row.split("\t") for row in out.splitlines()]
    assert len(rows) == 2
    assert all(SENTENCES[int(index)] == text for index, _, _, text in rows)
    assert {rank for _, rank, _, _ in rows} == {"1", "2"}


def test_the_same_seed_picks_the_same(lines: Path, capsys: Captured) -> None:
    words = (str(lines), "--lines", "--strategy", "random", "--seed", "5")
    first = picked(capsys, *words)
    assert first == picked(capsys, *words)
    assert {item["score"] for item in first} == {None}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["gsg"], "One source is asked for, and 0 were named."),
        (["gsg", "x", "--ratio", "2"], "“ratio” was '2'"),
        (["gsg", "x", "--rouge", "L"], "ROUGE-L is allowed with the independent strategies only"),
    ],
)
def test_wrong_usage_is_code_2(words: list[str], told: str, capsys: Captured) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


def test_a_file_has_no_rows_and_a_corpus_no_sentences(
    lines: Path, home: Path, capsys: Captured
) -> None:
    assert main(["gsg", str(lines), "--row", "1"]) == 2
    assert "is a file, and --row counts the documents of a corpus." in capsys.readouterr().err
    tiny_corpus(home / "data" / "corpora" / "reports")
    assert main(["gsg", "reports"]) == 2
    assert "Name one of its documents with --row N." in capsys.readouterr().err
    assert main(["gsg", "reports", "--row", "1"]) == 0


def test_a_failure_is_code_1(tmp_path: Path, capsys: Captured) -> None:
    assert main(["gsg", str(tmp_path / "none.txt")]) == 1
    assert "none.txt" in capsys.readouterr().err


def test_the_job_file_is_printed_and_read(lines: Path, tmp_path: Path, capsys: Captured) -> None:
    words = ["gsg", str(lines), "--lines", "--count", "2", "--print-config"]
    assert main(words) == 0
    file = tmp_path / "job.toml"
    file.write_text(capsys.readouterr().out, "utf-8")
    assert len(picked(capsys, "--config", str(file))) == 2


def test_lines_are_asked_of_plain_text_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7\n" + bytes(range(256)))
    assert main(["gsg", str(path), "--lines"]) == 1
    assert "is not plain text; only plain text can have one" in capsys.readouterr().err

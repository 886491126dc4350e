"""`epitome evaluate` and `epitome compare`: tables, JSON, what cannot be meant."""

import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from core.cli.main import main
from core.metrics.rouge import rouge
from tests.helpers.command import start, wait_until
from tests.helpers.pair_files import ROWS, write_rows
from tests.helpers.schemas import validate

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    return str(write_rows(tmp_path / "pairs.jsonl", ROWS))


@pytest.fixture
def ready(tmp_path: Path) -> str:
    return str(write_rows(tmp_path / "ready.csv", [{"output": row["summary"]} for row in ROWS]))


def result(capsys: Captured, command: str, *words: str) -> dict[str, Any]:
    assert main([command, *words, "--json"]) == 0
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    validate(value, command)
    return value


def test_scores_stand_under_their_heads_with_their_recipe(
    pairs: str, ready: str, capsys: Captured
) -> None:
    words = ("--pairs", pairs, "--predictions", ready, "--metrics", "rouge-1,words")
    assert main(["evaluate", *words]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[:5] == [
        "predictions in ready.csv; 3 documents of pairs.jsonl",
        "",
        "measure                value",
        "rouge-1 f1, %         100.00",
        "rouge-1 precision, %  100.00",
    ]
    assert "rouge: Epitome" in out and "no stemming" in out
    assert err.splitlines() == [
        "Guessed from the names of the columns: references in “summary” and documents in "
        "“document”.",
        "Guessed: the predictions of “ready.csv” are in “output”.",
    ]


def test_json_says_what_was_read_scored_and_how(pairs: str, ready: str, capsys: Captured) -> None:
    pytest.importorskip("sacrebleu")
    words = ("--pairs", pairs, "--predictions", ready, "--metrics", "all", "--intervals")
    value = result(capsys, "evaluate", *words)
    assert [Path(read["path"]).name for read in value["inputs"]] == ["pairs.jsonl", "ready.csv"]
    scores = {score["measure"]: score for score in value["result"]["scores"]}
    assert scores["rouge-l f1"] == {
        "measure": "rouge-l f1", "unit": "%", "value": 100, "low": 100, "high": 100,
    }  # fmt: skip
    assert {"rouge-w f1", "bleu-4", "novel 2-grams", "density", "words"} <= set(scores)
    made = {"rouge", "bleu", "novelty", "content", "support", "words", "intervals"}
    assert set(value["result"]["recipes"]) == made
    assert value["result"]["documents"] == 3


def test_groups_of_documents_are_scored_too(
    pairs: str, ready: str, tmp_path: Path, capsys: Captured
) -> None:
    words = ("--pairs", pairs, "--by", "kind,length", "--metrics", "rouge-1,content")
    value = result(capsys, "evaluate", *words, "--predictions", ready)
    groups = value["result"]["groups"]
    for by in ("kind", "length"):
        assert sum(each["documents"] for each in groups if each["by"] == by) == 3
    assert groups[0]["scores"][0] == {
        "measure": "rouge-1 f1", "unit": "%", "value": 100, "low": None, "high": None,
    }  # fmt: skip
    assert {"by kind", "by length", "content"} <= set(value["result"]["recipes"])
    out = tmp_path / "out"
    compared = result(capsys, "compare", *words, "--model", "lead", "--predictions", ready,
                      "--out", str(out))  # fmt: skip
    assert {each["system"] for each in compared["result"]["groups"]} == {"lead", ready}
    assert (out / "groups.csv").exists()
    assert main(["compare", *words, "--model", "lead", "--predictions", ready]) == 0
    told = capsys.readouterr().out
    assert "by kind" in told and "by length" in told and "content precision, %" in told


def test_a_model_writes_as_long_as_asked(pairs: str, capsys: Captured, tmp_path: Path) -> None:
    words = ("--pairs", pairs, "--model", "lead", "--length", "1s", "--limit", "2")
    value = result(capsys, "evaluate", *words, "--out", str(tmp_path / "out"))
    kept = (tmp_path / "out/predictions.jsonl").read_text("utf-8")
    first = [json.loads(line) for line in kept.splitlines()]
    assert [row["prediction"].count("\n") for row in first] == [0, 0]
    scored = {score["measure"]: score["value"] for score in value["result"]["scores"]}
    wished = [
        100 * rouge(row["prediction"], pair["summary"], ("1",))["1"].f1
        for row, pair in zip(first, ROWS, strict=False)
    ]
    assert scored["rouge-1 f1"] == pytest.approx(sum(wished) / 2)
    assert "Only the first 2 rows of “pairs.jsonl” were taken." in value["warnings"]


def test_systems_are_compared_and_the_extreme_documents_named(
    pairs: str, ready: str, capsys: Captured
) -> None:
    pytest.importorskip("sacrebleu")
    words = ("--pairs", pairs, "--model", "lead", "--model", "random", "--predictions", ready)
    value = result(capsys, "compare", *words, "--metrics", "rouge-2,bleu")
    assert [system["system"] for system in value["result"]["systems"]] == ["lead", "random", ready]
    first, second = value["result"]["differences"]
    assert (first["system"], second["system"], second["less"]) == ("random", ready, "lead")
    rouge_2, *_, bleu_4 = second["scores"]
    assert rouge_2["most_won"]["document"] in {"cell", "pump", "both"}
    assert rouge_2["low"] > 0 and rouge_2["share_above"] == 1
    assert bleu_4["measure"] == "bleu-4" and bleu_4["most_won"] is None


def test_compared_systems_are_columns(pairs: str, ready: str, capsys: Captured) -> None:
    words = ("--pairs", pairs, "--model", "lead", "--predictions", ready, "--metrics", "rouge-1")
    assert main(["compare", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "3 documents of pairs.jsonl"
    assert lines[4].split() == ["measure", "lead", ready]
    assert lines[5].startswith("rouge-1 f1, %") and lines[5].endswith("100.00 ±0.00")
    few = "3 documents are too few to say more than chance (at least 20)"
    assert f"{ready} less lead; {few}" in lines
    assert any(line.startswith("intervals: 95\u202f% expanded percentile") for line in lines)


def test_the_test_split_of_a_corpus_is_scored(tmp_path: Path, capsys: Captured) -> None:
    pytest.importorskip("datasets")
    rows = [row | {"document": row["document"] * 20} for row in ROWS]
    (tmp_path / "rows").mkdir()
    test = write_rows(tmp_path / "rows" / "test.jsonl", rows)
    write_rows(tmp_path / "rows" / "train.jsonl", [{"document": "A b c. " * 40, "summary": "D."}])
    made = str(tmp_path / "made")
    assert main(["corpus", str(tmp_path / "rows"), "--make", "pairs", "--out", made]) == 0
    capsys.readouterr()
    words = ("evaluate", "--model", "lead", "--length", "1s")
    of_corpus = result(capsys, *words, "--corpus", made)
    of_file = result(capsys, *words, "--pairs", str(test))
    assert of_corpus["result"] == of_file["result"]
    assert of_corpus["inputs"][0]["words"] == of_file["inputs"][0]["words"]
    assert main([*words, "--corpus", made, "--summary-column", "summary"]) == 1
    assert "A corpus has columns of its own." in capsys.readouterr().err


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_the_job_file_is_printed_and_read(
    command: str, pairs: str, ready: str, capsys: Captured, tmp_path: Path
) -> None:
    systems = ["--model", "lead"] + (["--predictions", ready] if command == "compare" else [])
    words = ["--pairs", pairs, *systems, "--metrics", "rouge-l", "--stem", "--seed", "3"]
    assert main([command, *words, "--print-config"]) == 0
    file = tmp_path / "job.toml"
    file.write_text(capsys.readouterr().out, "utf-8")
    value = result(capsys, command, "--config", str(file))
    assert value["settings"]["metrics"] == ["rouge-l"]
    assert value["settings"]["stem"] is True and value["settings"]["seed"] == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["evaluate", "--model", "lead"], "No file of pairs, or corpus, was named."),
        (
            ["evaluate", "--model", "lead", "--pairs", "x", "--corpus", "y"],
            "A file and a corpus were named. Name one with --pairs or --corpus.",
        ),
        (
            ["evaluate", "--model", "lead", "--model", "random", "--pairs", "x"],
            "2 systems were named, and one is scored.",
        ),
        (["evaluate", "--pairs", "x"], "Nothing was named that is to be scored. Name a --model"),
        (
            ["evaluate", "--pairs", "x", "--model", "lead", "--predictions", "y"],
            "2 systems were named, and one is scored. Name one, or call epitome compare.",
        ),
        (["compare", "--pairs", "x", "--model", "lead"], "Only “lead” was named, and two systems"),
        (
            ["compare", "--pairs", "x", "--model", "lead", "--model", "lead"],
            "“lead” was named twice.",
        ),
        (
            ["compare", "--pairs", "x", "--intervals"],
            "“--intervals” is not an option of epitome",
        ),
        (["evaluate", "--metrics", "rouge-9"], "“metrics.0” was 'rouge-9'"),
    ],
)
def test_wrong_usage_is_code_2(words: list[str], told: str, capsys: Captured) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--pairs", "none.csv", "--model", "lead"], "none.csv cannot be read (No such file"),
        (["--pairs", "PAIRS", "--model", "lid"], "“lid” is no model; built-in, lead, random,"),
        (["--pairs", "PAIRS", "--model", "FOLDER"], "There is no run in "),
    ],
)
def test_what_fails_is_code_1(
    words: list[str], told: str, pairs: str, tmp_path: Path, capsys: Captured
) -> None:
    if "FOLDER" in words:
        pytest.importorskip("torch")
    places = {"PAIRS": pairs, "FOLDER": str(tmp_path)}
    assert main(["evaluate", *(places.get(word, word) for word in words)]) == 1
    assert told in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ended_in_the_midst_the_same_call_goes_on(tmp_path: Path, capsys: Captured) -> None:
    rows = [{**ROWS[2], "id": str(number)} for number in range(120)]
    pairs, out = write_rows(tmp_path / "many.jsonl", rows), tmp_path / "out"
    words = ("--pairs", str(pairs), "--model", "built-in", "--length", "2s", "--metrics", "words")
    kept, done = out / "predictions.jsonl", b""

    def size() -> int:
        return kept.stat().st_size if kept.exists() else 0

    for ended_by in (signal.SIGINT, signal.SIGKILL):
        more = len(done) + 1_000
        with start("evaluate", *words, "--out", str(out)) as process:
            wait_until(process, lambda more=more: size() >= more)
            process.send_signal(ended_by)
            _, err = process.communicate()
        before, done = done, kept.read_bytes()
        assert done.startswith(before[: before.rfind(b"\n") + 1])
        assert before.count(b"\n") < done.count(b"\n") < len(rows)
        if ended_by == signal.SIGINT:
            assert process.returncode == 130
            told = f"Interrupted. Run the same command to continue from the predictions in {out}."
            assert told in err.decode()
    gone_on = result(capsys, "evaluate", *words, "--out", str(out))
    assert gone_on["result"] == result(capsys, "evaluate", *words)["result"]
    assert kept.read_bytes().startswith(done[: done.rfind(b"\n") + 1])


def test_a_report_is_written_beside_what_is_kept(
    pairs: str, ready: str, tmp_path: Path, capsys: Captured
) -> None:
    out, report = tmp_path / "out", tmp_path / "report.html"
    words = ["--pairs", pairs, "--model", "lead", "--predictions", ready, "--metrics", "words"]
    assert main(["compare", *words, "--report", str(report)]) == 2
    assert "Name a folder with --out." in capsys.readouterr().err
    assert main(["compare", *words, "--out", str(out), "--report", str(report)]) == 0
    assert "Comparison of summaries" in report.read_text("utf-8")
    assert {"comparison.json", "texts.jsonl", "table.csv"} <= {path.name for path in out.iterdir()}


def test_documents_without_references_are_scored(
    pairs: str, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "note.txt").write_text(ROWS[0]["document"], "utf-8")
    words = ("--pairs", str(tmp_path / "note.txt"), "--no-references", "--metrics", "all")
    value = result(capsys, "compare", *words, "--model", "lead", "--model", "built-in")
    measured = {score["measure"] for score in value["result"]["systems"][0]["scores"]}
    assert {"unsupported sentences", "novel 1-grams", "words"} <= measured
    assert not any(name.startswith(("rouge", "bleu", "reference")) for name in measured)
    assert "note.txt" in capsys.readouterr().err or "no references" in " ".join(value["warnings"])

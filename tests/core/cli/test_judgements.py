"""`epitome judgements`: wins and ties, agreement, and files that are none."""

import json
from pathlib import Path

import pytest

from core.cli.main import main
from core.runs.judgements import Answer, Session, begin_judging, keep_answer
from tests.helpers.schemas import validate

Captured = pytest.CaptureFixture[str]


def session(folder: Path, judge: str, *answers: Answer) -> str:
    path, ids = folder / f"{judge}.jsonl", ("a", "b", "c", "d")
    systems = ("first", "second")
    begin_judging(path, Session(judge, 3, systems, ("overall",), (0, 1, 2, 3), ids, (False,) * 4))
    for answer in answers:
        keep_answer(path, answer)
    return str(path)


def test_wins_and_ties_are_told(tmp_path: Path, capsys: Captured) -> None:
    assert main(["judgements", session(tmp_path, "Ada", "A", "A", "equal", "B")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "Ada: first against second, 4 of 4 pairs, seed 3"
    assert second.startswith(
        "  overall: first 2, equal 1, second 1, neither 0; first ahead by +25 %"
    )


def test_two_judges_agree(tmp_path: Path, capsys: Captured) -> None:
    files = [session(tmp_path, "Ada", "A", "A", "B", "B"), session(tmp_path, "Bo", "A", "A", "B")]
    assert main(["judgements", *files]) == 0
    assert "agree on 100% of 3 common answers; Cohen's kappa 1.00" in capsys.readouterr().out
    assert main(["judgements", *files, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "judgements")
    assert value["result"]["agreement"]["common"] == 3
    assert [each["judged"] for each in value["result"]["sessions"]] == [4, 3]


def test_other_files_are_refused(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "notes.jsonl").write_text("{}\n", "utf-8")
    assert main(["judgements", str(tmp_path / "notes.jsonl")]) == 1
    assert "is no file of judgements" in capsys.readouterr().err

"""`epitome gauge`: what is typed, printed and told."""

import json
from pathlib import Path

import pytest

from core.cli.main import main
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan
from tests.helpers.schemas import validate

Captured = pytest.CaptureFixture[str]


@pytest.mark.slow
def test_the_result_is_printed_as_json(tmp_path: Path, capsys: Captured) -> None:
    plan = tiny_plan(tiny_corpus(tmp_path / "corpus"), steps=2, validate_every=2, rouge_rows=0)
    run_events(tmp_path / "tiny", plan)
    words = "--gauge rotations --rotations 2 --documents 2 --device cpu --threads 1 --json"
    assert main(["gauge", str(tmp_path / "tiny"), *words.split()]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "gauge")
    assert value["settings"]["gauge"] == ["rotations"]
    assert len(value["result"]["rotations"][0]["losses"]) == 2
    assert value["result"]["causality"] == value["result"]["twin"] == []


def test_the_job_file_names_the_run(tmp_path: Path, capsys: Captured) -> None:
    assert main(["gauge", "first", "--documents", "3", "--print-config"]) == 0
    job = tmp_path / "job.toml"
    job.write_text(capsys.readouterr().out, "utf-8")
    assert main(["gauge", "--config", str(job)]) == 1
    assert "There is no run in " in capsys.readouterr().err
    assert main(["gauge"]) == 2
    assert "One run is asked for, and 0 were named." in capsys.readouterr().err


def test_a_run_that_is_not_there_is_told(tmp_path: Path, capsys: Captured, home: Path) -> None:
    assert main(["gauge", str(tmp_path / "none")]) == 1
    assert "There is no run in " in capsys.readouterr().err

"""`epitome train`, as a person types it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import main
from core.runs.folder import RunFolder
from core.training.plan import RunPlan
from tests.helpers.command import ROOT
from tests.helpers.runs import curve, tiny_corpus, tiny_plan
from tests.helpers.schemas import validate

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")


@pytest.fixture
def job(corpus: Path, tmp_path: Path) -> str:
    path = tmp_path / "job.toml"
    path.write_text(tiny_plan(corpus, steps=4, validate_every=2).to_toml(), "utf-8")
    return str(path)


def test_a_run_by_name_lies_with_the_other_runs(job: str, home: Path, capsys: Captured) -> None:
    assert main(["train", "--config", job, "--out", "first"]) == 0
    assert (home / "data" / "runs" / "first" / "last.json").is_file()
    told = capsys.readouterr().err
    assert "train: Train: Read 52 examples of 52 whole" in told
    assert "train: step 2: validation loss " in told
    assert told.endswith(f"Done. The run lies in {home}/data/runs/first\n")


def test_json_is_the_envelope_of_the_schema(job: str, tmp_path: Path, capsys: Captured) -> None:
    assert main(["train", "--config", job, "--out", str(tmp_path / "run"), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "train")
    assert value["result"]["step"] == 4
    assert [each["step"] for each in value["result"]["validations"]] == [2, 4]
    assert value["settings"]["train"]["steps"] == 4


def test_what_is_printed_as_config_is_the_same_job_again(
    job: str, tmp_path: Path, capsys: Captured
) -> None:
    assert main(["train", "--config", job, "--steps", "9", "--seed", "5", "--print-config"]) == 0
    printed = tmp_path / "printed.toml"
    printed.write_text(capsys.readouterr().out, "utf-8")
    plan = RunPlan.read(printed)
    assert plan.train.steps == 9
    assert (plan.model.seed, plan.train.seed) == (5, 5)  # one seed for both
    assert main(["train", "--config", str(printed), "--print-config"]) == 0
    assert capsys.readouterr().out == printed.read_text("utf-8")


def test_a_run_without_clipping_is_printed_and_frozen_as_such(
    job: str, tmp_path: Path, capsys: Captured
) -> None:
    assert main(["train", "--config", job, "--clip", "none", "--print-config"]) == 0
    printed = tmp_path / "printed.toml"
    printed.write_text(capsys.readouterr().out, "utf-8")
    assert 'clip = "none"\n' in printed.read_text("utf-8")
    assert main(["train", "--config", str(printed), "--out", str(tmp_path / "run")]) == 0
    assert RunPlan.load(RunFolder(tmp_path / "run")).train.clip is None


def test_a_finished_run_may_be_resumed_and_stays_as_it_is(
    job: str, tmp_path: Path, capsys: Captured
) -> None:
    run = tmp_path / "run"
    assert main(["train", "--config", job, "--out", str(run)]) == 0
    before = curve(run)
    assert main(["train", "--resume", str(run)]) == 0
    assert curve(run) == before
    assert "The run goes on after step 4." in capsys.readouterr().err


@pytest.mark.slow
def test_two_processes_train_one_run(job: str, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert main(["train", "--config", job, "--out", str(one)]) == 0
    command = [sys.executable, "-m", "core.cli", "train", "--config", job, "--processes", "2"]
    done = subprocess.run(
        [*command, "--out", str(two), "--json"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[:3000]
    assert json.loads(done.stdout)["result"]["step"] == 4
    for ours, theirs in zip(numbers(one), numbers(two), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-3)


def numbers(run: Path) -> list[float]:
    return [json.loads(values)["loss"] for kind, values in curve(run) if kind != "SampleWritten"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "A new run needs --corpus. See epitome train --help."),
        (["--corpus", "x"], "A new run needs --tokenizer. See epitome train --help."),
        (["--steps", "0"], "“steps” was '0'"),
        (["--preset", "huge"], "Argument --preset: invalid choice: 'huge'"),
        (
            ["--rouge-rows", "200"],
            "“rouge_rows” must not exceed “validate_rows”: 200 is more than 100.",
        ),
        (["--processes", "0"], "--processes must be 1 or more; it was 0."),
    ],
)
def test_wrong_usage_is_code_2(words: list[str], told: str, capsys: Captured) -> None:
    assert main(["train", *words]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--corpus", "none", "--tokenizer", "none"], "There is no tokenizer in "),
        (["--resume", "none"], "There is no run in "),
    ],
)
def test_what_is_not_there_is_code_1(words: list[str], told: str, capsys: Captured) -> None:
    assert main(["train", *words]) == 1
    assert told in capsys.readouterr().err

"""`epitome train`, as a person types it."""

import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli.main import main
from core.events import Event, Message
from core.jobs.training.train import TrainJob
from core.runs.folder import RunFolder, processes_before
from core.stop import StopToken
from core.training.plan import RunPlan
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
    assert "train: Train: Read 52 examples (52 whole) as 52 rows" in told
    assert "train: step 2: validation loss " in told
    assert told.endswith(f"Done. The run is in {home}/data/runs/first\n")


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


@pytest.fixture
def run(job: str, tmp_path: Path, capsys: Captured) -> Path:
    """A run that was trained to its end."""
    folder = tmp_path / "run"
    assert main(["train", "--config", job, "--out", str(folder)]) == 0
    capsys.readouterr()
    return folder


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--steps", "9"], "--steps"),
        (["--from", "other", "--seed", "3", "--config", "x"], "--from, --seed and --config"),
        (["--preset", "small", "--out", "new", "--width", "9"], "--width, --preset and --out"),
    ],
)
def test_what_a_resumed_run_would_ignore_is_refused(
    run: Path, words: list[str], named: str, capsys: Captured
) -> None:
    assert main(["train", "--resume", str(run), *words]) == 2
    assert capsys.readouterr().err == (
        f"A run is resumed with its own settings, so {named} cannot be given. "
        f"Leave it out, or start a new run with --from {run}.\n"
    )


@pytest.mark.parametrize("option", ["--resume", "--from"])
def test_a_run_without_a_name_is_not_taken_for_a_new_one(
    corpus: Path, option: str, capsys: Captured
) -> None:
    assert main(["train", option, "", "--corpus", str(corpus)]) == 2  # as of a variable not set
    told = f"{option} takes the name or the folder of a run; it was empty. See epitome list runs.\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("words", "named"),
    [(["--width", "32"], "--width"), (["--preset", "small", "--depth", "3"], "--depth and --pre")],
)
def test_model_options_that_another_run_s_weights_would_overrule_are_refused(
    run: Path, words: list[str], named: str, capsys: Captured
) -> None:
    assert main(["train", "--from", str(run), "--corpus", "x", *words]) == 2
    told = capsys.readouterr().err
    assert f"has its model too, so {named}" in told
    assert told.endswith("Leave it out, or train a new model without --from.\n")


def test_a_start_that_does_not_exist_is_named_before_options_that_go_with_it(
    corpus: Path, tmp_path: Path, capsys: Captured
) -> None:
    missing = tmp_path / "bart"
    words = ["--from", str(missing), "--corpus", str(corpus), "--source-length", "512"]
    assert main(["train", *words]) == 2
    assert capsys.readouterr().err.startswith(f"There is no run or model in {missing}. Give --from")


def test_what_is_printed_is_what_will_run(run: Path, corpus: Path, capsys: Captured) -> None:
    assert main(["train", "--resume", str(run), "--print-config"]) == 0
    assert capsys.readouterr().out == (run / "job.toml").read_text("utf-8")
    plan = RunPlan.load(RunFolder(run))
    words = ["--from", str(run), "--corpus", str(corpus), "--steps", "1", "--seed", "4"]
    words += ["--device", "cpu", "--rouge-rows", "0"]
    assert main(["train", *words, "--print-config"]) == 0
    printed = run.with_name("printed.toml")
    printed.write_text(capsys.readouterr().out, "utf-8")
    assert RunPlan.read(printed).model == plan.model
    again = run.with_name("again")
    assert main(["train", "--config", str(printed), "--out", str(again)]) == 0
    ran, wanted = RunPlan.load(RunFolder(again)), RunPlan.read(printed)
    assert (ran.model, ran.decoding) == (wanted.model, wanted.decoding)
    assert ran.changes_since(wanted) == []


def test_a_new_model_is_printed_with_the_vocabulary_it_will_have(
    corpus: Path, capsys: Captured
) -> None:
    words = ["--corpus", str(corpus), "--tokenizer", str(corpus / "tokenizer")]
    assert main(["train", *words, "--print-config"]) == 0
    assert "\nvocabulary_size = 400\n" in capsys.readouterr().out


def test_another_model_in_the_job_file_is_told(run: Path, job: str, capsys: Captured) -> None:
    file = Path(job)
    file.write_text(file.read_text("utf-8").replace("\ndepth = 2\n", "\ndepth = 3\n"), "utf-8")
    assert main(["train", "--config", job, "--from", str(run), "--print-config"]) == 0
    told = capsys.readouterr()
    assert told.err == f"train: The model is that of {run}, not that of the job file.\n"
    assert "\ndepth = 2\n" in told.out


def test_a_finished_run_that_is_resumed_stays_as_it_is_and_says_so(
    job: str, tmp_path: Path, capsys: Captured
) -> None:
    run = tmp_path / "run"
    assert main(["train", "--config", job, "--out", str(run)]) == 0
    before = curve(run)
    assert main(["train", "--resume", str(run)]) == 0
    assert curve(run) == before
    assert "This run is finished (4 steps)." in capsys.readouterr().err


def test_a_run_is_resumed_in_as_many_processes_as_before(
    job: str, tmp_path: Path, capsys: Captured
) -> None:
    run = tmp_path / "run"
    assert main(["train", "--config", job, "--out", str(run)]) == 0
    file = run / "environment.json"
    about = json.loads(file.read_text("utf-8"))
    assert about["own_processes"] == 1
    file.write_text(json.dumps(about | {"own_processes": 2}), "utf-8")
    assert main(["train", "--resume", str(run), "--processes", "1"]) == 0
    assert "processes" not in capsys.readouterr().err
    file.write_text(json.dumps(about | {"own_processes": 2}), "utf-8")
    assert main(["train", "--resume", str(run)]) == 0
    assert "train: in 2 processes, as before." in capsys.readouterr().err


@pytest.mark.parametrize("number", [0, -1, 10**9, True, "2", None, 2.0, [2]])
def test_a_number_of_processes_that_cannot_be_is_one(tmp_path: Path, number: object) -> None:
    (tmp_path / "environment.json").write_text(json.dumps({"own_processes": number}), "utf-8")
    assert processes_before(RunFolder(tmp_path)) == 1
    (tmp_path / "environment.json").write_text("[1]", "utf-8")
    assert processes_before(RunFolder(tmp_path)) == 1


@pytest.mark.slow
def test_two_processes_train_one_run(
    job: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert main(["train", "--config", job, "--out", str(one)]) == 0
    command = ["train", "--config", job, "--processes", "2", "--out", str(two), "--json"]
    capfd.readouterr()
    code, (out, err) = main(command), capfd.readouterr()
    assert code == 0, err[:3000]
    assert json.loads(out)["result"]["step"] == 4
    for ours, theirs in zip(numbers(one), numbers(two), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-3)


def numbers(run: Path) -> list[float]:
    return [json.loads(values)["loss"] for kind, values in curve(run) if kind != "SampleWritten"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "A new run needs --corpus. See epitome train --help."),
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


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_a_run_that_is_stopped_before_it_began_is_not_said_to_go_on(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def set_up(
        job: TrainJob, folder: object, heartbeat: object, stop: StopToken
    ) -> Iterator[Event]:
        yield Message("info", "The corpus is tokenised.")
        signal.raise_signal(signal.SIGINT)
        stop.raise_if_set()

    monkeypatch.setattr(TrainJob, "_set_up", set_up)
    assert main(["train", "--corpus", str(corpus), "--out", str(tmp_path / "run")]) == 130
    told = "Stopped before the run began. Run the same command to start it.\n"
    assert capsys.readouterr().err.endswith(told)
    assert not (tmp_path / "run").exists()


def test_a_run_that_cannot_begin_leaves_nothing_but_what_was_there(
    tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "mine").mkdir()
    for name in ("run", "mine"):
        assert main(["train", "--corpus", "none", "--out", str(tmp_path / name)]) == 1
        assert "There is no corpus in" in capsys.readouterr().err
    assert not (tmp_path / "run").exists() and (tmp_path / "mine").is_dir()


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

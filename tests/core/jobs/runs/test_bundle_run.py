"""A bundle holds all that makes a run again, makes it again, and holds no data."""

import hashlib
import json
import tomllib
import zipfile
from pathlib import Path

import pytest

from core.cli.main import main
from core.events import Failed
from core.jobs.run import run_inline
from core.jobs.runs.bundle_run import BundleRunJob
from core.library.folders import Folders
from core.runs.folder import RunFolder
from core.stop import StopToken
from core.training.plan import RunPlan
from tests.helpers.corpora import SUMMARIES, TEXTS
from tests.helpers.runs import curve, run_events, tiny_corpus, tiny_plan
from tests.helpers.schemas import validate


@pytest.fixture
def run(home: Path) -> Path:
    """A finished run on the corpus “tiny”."""
    folders = Folders.of_this_user()
    corpus = tiny_corpus(folders.corpora / "tiny")
    tiny_corpus_tokenizer = folders.tokenizers / "tiny"
    tiny_corpus_tokenizer.parent.mkdir(parents=True)
    (corpus / "tokenizer").rename(tiny_corpus_tokenizer)
    plan = tiny_plan(corpus, steps=3, validate_every=3)
    named = plan.run.model_copy(update={"tokenizer": str(tiny_corpus_tokenizer)})
    folder = folders.runs / "first"
    run_events(folder, RunPlan(named, plan.model, plan.train, plan.decoding))
    return folder


def parts_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_command_writes_a_bundle_that_makes_the_run_again(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "first.zip"
    assert main(["bundle", "first", "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    validate(told, "bundle")
    assert told["result"]["file"] == str(out)
    parts = parts_of(out)
    assert set(parts) == {
        "README.txt", "command.txt", "corpus.toml", "environment.json", "events.jsonl",
        "hashes.json", "job.toml", "packages.txt",
    }  # fmt: skip
    _holds_versions_and_hashes(parts, run)
    _holds_no_data(parts)
    (tmp_path / "job.toml").write_bytes(parts["job.toml"])
    run_events(run.parent / "again", RunPlan.read(tmp_path / "job.toml"))
    assert curve(run.parent / "again") == curve(run)


def _holds_versions_and_hashes(parts: dict[str, bytes], run: Path) -> None:
    environment = json.loads(parts["environment.json"])
    assert {"epitome", "python", "torch", "threads"} <= environment.keys()
    assert f"torch=={environment['torch'].split('+')[0]}" in parts["packages.txt"].decode()
    hashes = json.loads(parts["hashes.json"])
    (weights,) = hashes["weights"].items()
    digest = hashlib.sha256((run / weights[0]).read_bytes()).hexdigest()
    assert weights[1] == digest
    assert set(hashes["corpus"]) >= {"documents/train/data-00000-of-00001.arrow"}
    assert "tokenizer/tokenizer.json" in hashes["tokenizer"]
    tables = tomllib.loads(parts["job.toml"].decode())
    assert (tables["run"]["corpus"], tables["run"]["tokenizer"]) == ("tiny", "tiny")
    assert parts["command.txt"].decode().startswith("epitome train ")
    kinds = [json.loads(line)["kind"] for line in parts["events.jsonl"].splitlines()]
    assert kinds.count("StepDone") == 3 and "SampleWritten" not in kinds


def _holds_no_data(parts: dict[str, bytes]) -> None:
    whole = b"\n".join(parts.values()).decode()
    for text in (*TEXTS, *SUMMARIES):
        assert text[:40] not in whole


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    (last,) = run_inline(BundleRunJob(tmp_path, tmp_path / "out.zip"), StopToken())
    assert isinstance(last, Failed)
    assert last.message == f"There is no run in {tmp_path} that has begun."
    assert last.remedy == "Choose another run; epitome list runs shows them."


def test_no_half_of_a_bundle_is_left(run: Path, tmp_path: Path) -> None:
    stop = StopToken()
    stop.request("cancel")
    list(run_inline(BundleRunJob(run, tmp_path / "out.zip"), stop))
    assert not list(tmp_path.glob("*out.zip*"))
    (*_, last) = run_inline(BundleRunJob(run, tmp_path / "no" / "out.zip"), StopToken())
    assert isinstance(last, Failed)
    assert RunFolder(run).exists

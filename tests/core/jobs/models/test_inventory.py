"""What the person has made is listed without loading any of it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import main
from core.events import Finished, Message, Stopped
from core.jobs.models.inventory import (
    Kind,
    Listed,
    ListedCorpus,
    ListedModel,
    ListedRun,
    ListedTokenizer,
    ListJob,
)
from core.jobs.queue.trash import discard_folder
from core.jobs.run import run_inline
from core.jobs.runs.list_runs import card_of
from core.library.folders import Folders
from core.runs.events_file import EventsFile
from core.runs.folder import RunFolder
from core.stop import Stopping, StopToken
from core.storage.files import FileLock
from core.training.events import StepDone
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan
from tests.helpers.schemas import validate


def listed(kind: Kind) -> tuple[Listed, ...]:
    (event,) = run_inline(ListJob(kind, Folders.of_this_user()), StopToken())
    assert isinstance(event, Finished), event
    items: tuple[Listed, ...] = event.result
    return items


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus with a tokenizer in its folder."""
    return tiny_corpus(tmp_path_factory.mktemp("made") / "corpus")


@pytest.fixture
def made(home: Path, corpus: Path) -> Folders:
    """A home with a corpus and a tokenizer."""
    folders = Folders.of_this_user()
    shutil.copytree(corpus, folders.corpora / "pairs", ignore=lambda *_: ["tokenizer"])
    shutil.copytree(corpus / "tokenizer", folders.tokenizers / "bytes")
    return folders


@pytest.mark.parametrize("kind", ["runs", "corpora", "tokenizers"])
def test_nothing_is_listed_where_nothing_was_made(
    kind: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    assert listed(kind) == ()
    assert main(["list", kind]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"There is no {'corpus' if kind == 'corpora' else kind[:-1]} yet; ")


def test_corpora_and_tokenizers_are_told_with_their_sizes(made: Folders) -> None:
    (corpus,), (tokenizer,) = listed("corpora"), listed("tokenizers")
    assert isinstance(corpus, ListedCorpus)
    assert isinstance(tokenizer, ListedTokenizer)
    assert (corpus.name, corpus.make, corpus.rows["validation"]) == ("pairs", "pairs", 8)
    assert (tokenizer.name, tokenizer.vocabulary_size) == ("bytes", 400)
    assert min(corpus.size_bytes, tokenizer.size_bytes) > 1000
    assert not corpus.fault and not tokenizer.fault


def test_a_finished_run_is_a_run_and_a_model(made: Folders, corpus: Path) -> None:
    run_events(made.runs / "first", tiny_plan(corpus))
    (run,) = listed("runs")
    assert isinstance(run, ListedRun)
    assert (run.name, run.state, run.step, run.steps) == ("first", "finished", 12, 12)
    assert (run.objective, run.family, run.corpus) == ("summary", "reformer", "corpus")
    assert run.best_loss is not None and 0 < run.best_loss < 10
    built_in, model = listed("models")
    assert isinstance(model, ListedModel)
    assert (built_in.name, model.name, model.step) == ("built-in", "first", 12)


def test_a_run_at_work_a_begun_one_and_a_broken_one_are_told_apart(home: Path) -> None:
    runs = Folders.of_this_user().runs
    for name in ("at-work", "begun", "broken"):
        (runs / name).mkdir(parents=True)
        (runs / name / "job.toml").write_text(
            "= torn" if name == "broken" else "[train]\nsteps=9", "utf-8"
        )
    (runs / "not-a-run").mkdir()
    (runs / "notes.txt").write_text("nothing", "utf-8")
    lock = FileLock(runs / "at-work" / "lock")
    assert lock.acquire()
    try:
        found = {each.name: each for each in listed("runs")}
    finally:
        lock.release()
    states = {name: each.state for name, each in found.items() if isinstance(each, ListedRun)}
    assert states == {"at-work": "running", "begun": "not started", "broken": "not started"}
    assert "Its job file cannot be read" in found["broken"].fault
    assert not found["begun"].fault


def test_a_run_whose_process_was_killed_failed_for_the_window_and_the_command(
    made: Folders, corpus: Path
) -> None:
    for name, wish in (("killed", None), ("stopped", "stop")):
        folder = RunFolder(made.runs / name)
        folder.path.mkdir(parents=True)
        tiny_plan(corpus).save(folder)
        events = EventsFile(folder.events_file)
        events.append(StepDone(1, 0, 2.0, 1.0, 1e-3, 9, 9, 0.1))
        events.append(Message("info", "It goes on."))
        if wish:
            events.append(Stopped("stop"))
    runs = {each.name: each for each in listed("runs")}
    for name, state in (("killed", "failed"), ("stopped", "stopped")):
        run, card = runs[name], card_of(made.runs / name)
        assert isinstance(run, ListedRun) and card is not None
        assert (run.state, card.state) == (state, state)


def test_a_damaged_corpus_and_tokenizer_are_listed_with_the_reason(home: Path) -> None:
    folders = Folders.of_this_user()
    (folders.corpora / "torn").mkdir(parents=True)
    (folders.corpora / "torn" / "corpus.toml").write_text("schema_version = 1\n", "utf-8")
    (folders.tokenizers / "torn").mkdir(parents=True)
    (folders.tokenizers / "torn" / "tokenizer.json").write_text("{}", "utf-8")
    assert "is damaged" in listed("corpora")[0].fault
    assert "cannot be read" in listed("tokenizers")[0].fault


@pytest.mark.parametrize("kind", ["runs", "corpora", "tokenizers", "models"])
def test_json_is_the_envelope_of_the_schema(
    kind: Kind, made: Folders, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", kind, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "list")
    assert value["result"]["kind"] == kind


def test_table_has_a_line_for_each(made: Folders, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "corpora"]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split() == [
        "corpus", "rows", "are", "train", "validation", "test", "changed", "size",
    ]  # fmt: skip
    assert line.startswith("pairs")


def test_another_kind_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "spoons"]) == 2
    assert "spoons" in capsys.readouterr().err


def test_listing_loads_no_training_part(made: Folders) -> None:
    code = (
        "import sys; from core.cli.main import main; main(['list', 'tokenizers']); "
        "print([name for name in ('torch', 'datasets', 'tokenizers') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_listing_can_be_stopped(made: Folders) -> None:
    stop = StopToken()
    stop.request("cancel")
    with pytest.raises(Stopping):
        list(ListJob("corpora", made).run(stop))


def test_the_trash_is_listed(made: Folders, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "trash"]) == 0
    assert capsys.readouterr().err == "The trash is empty.\n"
    place = discard_folder(made.corpora / "pairs", made.trash)
    assert main(["list", "trash", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "list")
    (item,) = value["result"]["items"]
    told = (item["name"], item["holds"], item["days_left"], item["folder"])
    assert told == ("pairs", "corpus", 30, str(place))
    assert main(["list", "trash"]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split() == ["name", "holds", "days", "left", "size", "folder"]
    assert line.split()[:3] == ["pairs", "corpus", "30"]

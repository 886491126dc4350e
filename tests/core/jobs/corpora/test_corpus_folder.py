"""Corpora are renamed, go to the trash and come back, but never while a run needs them."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from core.data.corpus import open_corpus
from core.events import Failed, Finished, Started
from core.jobs.call import CallJob
from core.jobs.corpora.corpus_folder import CorpusMoved, rename_corpus, trash_corpus
from core.jobs.job import Job
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.trash import take_from_trash
from core.jobs.run import run_inline
from core.jobs.training.queued_training import specify_training
from core.jobs.training.train import TrainJob
from core.library.folders import Folders
from core.runs.folder import RunFolder, at_work
from core.stop import StopToken
from tests.core.data.test_corpus_facts import a_card
from tests.helpers.models import a_model
from tests.helpers.runs import tiny_plan


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.under(tmp_path)


@pytest.fixture
def corpus(folders: Folders) -> Path:
    return a_card(folders.corpora / "reports", train=5)


def a_run(folders: Folders, corpus: Path) -> RunFolder:
    """A finished run on a corpus."""
    run = RunFolder(a_model(folders.runs, "first"))
    job = run.job_file.read_text("utf-8")
    run.job_file.write_text(job.replace("/corpora/patents", str(corpus)), "utf-8")
    return run


def last_of(job: Job) -> Finished | Failed:
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished | Failed)
    return last


def moved(job: Job) -> CorpusMoved:
    last = last_of(job)
    assert isinstance(last, Finished), last
    found = last.result
    assert isinstance(found, CorpusMoved)
    return found


def test_a_corpus_gets_another_name(folders: Folders, corpus: Path) -> None:
    run = a_run(folders, corpus)
    found = moved(CallJob(rename_corpus, corpus, " letters ", folders))
    assert found == CorpusMoved(folders.corpora / "letters", (run.path.name,))
    assert open_corpus(found.folder).counts == {"train": 5} and not corpus.exists()


@pytest.mark.parametrize("name", ["", "a/b", ".hidden", "x.preparing", "reports"])
def test_what_cannot_be_a_name_is_refused(folders: Folders, corpus: Path, name: str) -> None:
    assert isinstance(last_of(CallJob(rename_corpus, corpus, name, folders)), Failed)
    assert corpus.exists()


def test_a_corpus_goes_to_the_trash_and_comes_back(folders: Folders, corpus: Path) -> None:
    found = moved(CallJob(trash_corpus, corpus, folders))
    assert found.folder.parent == folders.trash and not corpus.exists()
    assert last_of(CallJob(take_from_trash, found.folder, corpus)) == Finished(corpus)
    assert open_corpus(corpus).counts == {"train": 5}


def test_a_corpus_that_a_run_reads_stays(folders: Folders, corpus: Path) -> None:
    run = a_run(folders, corpus)
    with at_work(run):
        for job in (
            CallJob(trash_corpus, corpus, folders),
            CallJob(rename_corpus, corpus, "other", folders),
        ):
            last = last_of(job)
            assert last == Failed(
                "The run first needs the corpus reports.", "Wait for its end, or stop it."
            )
    assert corpus.exists()


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("state", ["waiting", "being set up"])
def test_a_corpus_that_a_run_will_read_stays(
    folders: Folders, corpus: Path, tmp_path: Path, state: str, elsewhere: bool
) -> None:
    queue = JobQueue(folders.job_queue, folders.trash)
    place = (tmp_path / "elsewhere" if elsewhere else folders.runs) / "next"
    job = queue.add(specify_training(tiny_plan(corpus), place))
    if state == "being set up":
        begun = queue.begin_next(job.lane)
        assert begun is not None and not RunFolder(place).exists
    for change in (
        CallJob(trash_corpus, corpus, folders),
        CallJob(rename_corpus, corpus, "other", folders),
    ):
        assert last_of(change) == Failed(
            "The run next needs the corpus reports.", "Wait for its end, or stop it."
        )
    assert corpus.exists()


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_corpus_of_a_run_that_is_set_up_by_command_stays(
    corpus: Path, folders: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, elsewhere: bool
) -> None:
    monkeypatch.setenv("EPITOME_HOME", str(tmp_path))
    place = (tmp_path / "elsewhere" if elsewhere else folders.runs) / "next"
    with closing(run_inline(TrainJob(place, tiny_plan(corpus)), StopToken())) as events:
        assert isinstance(next(events), Started) and not RunFolder(place).exists
        for change in (
            CallJob(trash_corpus, corpus, folders),
            CallJob(rename_corpus, corpus, "other", folders),
        ):
            assert last_of(change) == Failed(
                "The run next needs the corpus reports.", "Wait for its end, or stop it."
            )
    assert moved(CallJob(trash_corpus, corpus, folders)).trained == ()
    assert not folders.corpora_in_use.exists()


def test_what_a_killed_run_said_of_its_corpus_does_not_count(
    corpus: Path, folders: Folders
) -> None:
    folders.corpora_in_use.mkdir()
    told = json.dumps({"run": str(folders.runs / "next"), "corpus": str(corpus)})
    for name, content in (("0", told), ("1", "torn"), ("2", "[]")):
        (folders.corpora_in_use / f"{name}.json").write_text(content, "utf-8")
        (folders.corpora_in_use / f"{name}.lock").touch()
    assert moved(CallJob(trash_corpus, corpus, folders)).trained == ()


def test_a_run_begins_though_its_corpus_cannot_be_kept_in_place(
    corpus: Path, folders: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EPITOME_HOME", str(tmp_path))
    folders.corpora_in_use.touch()  # no folder can be made there
    with closing(run_inline(TrainJob(tmp_path / "next", tiny_plan(corpus)), StopToken())) as events:
        assert isinstance(next(events), Started)


def test_a_corpus_is_free_again_when_the_run_that_waited_is_cancelled(
    folders: Folders, corpus: Path
) -> None:
    queue = JobQueue(folders.job_queue, folders.trash)
    job = queue.add(specify_training(tiny_plan(corpus), folders.runs / "next"))
    queue.ask(job.id, "cancel")
    assert moved(CallJob(trash_corpus, corpus, folders)).trained == ()

"""A queued corpus is prepared without a window, and goes on where it was paused."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from core.data.corpus import open_corpus
from core.data.settings import CorpusSettings
from core.events import Failed, Finished, Message, Progress, Stopped
from core.jobs.corpora.make_corpus import MakeCorpusJob
from core.jobs.corpora.queued_corpus import corpus_of, load_corpus_job, specify_corpus
from core.jobs.lanes.kinds import outputs_of, specify_again
from core.jobs.lanes.lane import attend
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.queued import QueuedJob
from core.jobs.run import run_inline
from core.stop import StopToken
from tests.helpers import killed_corpus
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs
from tests.helpers.planted_modules import plant_modules
from tests.helpers.queued_jobs import events_of, queue_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are ended as on POSIX")


@pytest.fixture
def queue(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobQueue]:
    with queue_of(home, monkeypatch) as queue:
        yield queue


def paused_corpus(queue: JobQueue, folder: Path) -> QueuedJob:
    """A corpus of which a part is prepared."""
    source = write_pairs(folder / "pairs.parquet", TEXTS * 100, SUMMARIES * 100)
    settings = CorpusSettings.checked({"processes": 1})
    job = queue.add(specify_corpus((str(source),), settings, folder / "corpus"))
    attend(queue)
    asked = False
    for event in events_of(queue, job.id):
        if isinstance(event, Progress) and not asked:
            asked = True
            queue.ask(job.id, "pause")
    assert event == Stopped("pause")
    return job


@pytest.mark.cold_start
def test_a_queued_corpus_is_prepared(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_pairs(tmp_path / "pairs.parquet", TEXTS, SUMMARIES)
    monkeypatch.chdir(tmp_path)
    settings = CorpusSettings.checked({"processes": 1})
    job = queue.add(specify_corpus(("pairs.parquet",), settings, tmp_path / "corpus"))
    here = tmp_path / "here"
    plant_modules(here, "core", "datasets")
    monkeypatch.chdir(here)
    attend(queue)
    told = list(events_of(queue, job.id))
    assert isinstance(told[-1], Finished), told[-1]
    assert not (here / "was-run").exists()
    assert told[-1].result["prepared"]["folder"] == str(tmp_path / "corpus")
    assert any(isinstance(event, Progress) for event in told)
    assert (
        told[-1].result["prepared"]["fingerprint"] == open_corpus(tmp_path / "corpus").fingerprint
    )


def test_it_goes_on_with_what_is_prepared(queue: JobQueue, tmp_path: Path) -> None:
    job = paused_corpus(queue, tmp_path)
    queue.resume(job.id)
    attend(queue)
    told = list(events_of(queue, job.id))
    assert isinstance(told[-1], Finished), told[-1]
    assert Message("info", "Resuming an earlier preparation.") in told


def test_its_settings_are_frozen_as_they_are(queue: JobQueue, tmp_path: Path) -> None:
    settings = CorpusSettings.checked({"split": "70/20/10", "processes": 2})
    job = queue.add(specify_corpus(("hf:some/set", "/a b"), settings, tmp_path / "corpus"))
    again = load_corpus_job(job.folder)
    assert (again.sources, again.settings, again.out) == (
        ("hf:some/set", "/a b"), settings, tmp_path / "corpus",
    )  # fmt: skip


def test_the_same_corpus_once_more_gets_a_name_of_its_own(queue: JobQueue, tmp_path: Path) -> None:
    settings = CorpusSettings.checked({"split": "70/20/10", "processes": 2})
    job = queue.add(specify_corpus(("/a b",), settings, tmp_path / "corpus"))
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus-2").mkdir()
    again = queue.add(specify_again(job))
    made = load_corpus_job(again.folder)
    assert corpus_of(again.folder) == tmp_path / "corpus-3"
    assert again.title == "corpus-3"
    assert (made.sources, made.settings, made.out) == (("/a b",), settings, tmp_path / "corpus-3")


def test_the_same_corpus_twice_more_gets_two_names(queue: JobQueue, tmp_path: Path) -> None:
    job = queue.add(specify_corpus(("/a b",), CorpusSettings(), tmp_path / "corpus"))
    for name in ("corpus-2", "corpus-3", "corpus-4"):
        again = queue.add(specify_again(job, taken=outputs_of(queue.jobs())))
        assert (again.title, corpus_of(again.folder)) == (name, tmp_path / name)
        queue.ask(again.id, "cancel")  # it can be taken back, and needs its name then
    (corpus_2,) = (each for each in queue.jobs() if each.title == "corpus-2")
    assert corpus_2.trashed is not None
    (corpus_2.trashed / "queued.toml").unlink()
    assert outputs_of(queue.jobs()) == {
        tmp_path / name for name in ("corpus", "corpus-3", "corpus-4")
    }


@pytest.mark.parametrize("wish", ["stop", "cancel"])
def test_the_folder_of_a_forgotten_job_is_deleted(
    queue: JobQueue, tmp_path: Path, wish: Literal["stop", "cancel"]
) -> None:
    job = queue.add(specify_corpus(("/a b",), CorpusSettings(), tmp_path / "corpus"))
    job = queue.ask(job.id, wish)
    assert (job.trashed or job.folder).is_dir()
    queue.forget(job.id)
    assert not (job.trashed or job.folder).exists()


@pytest.mark.slow
def test_one_that_is_killed_when_its_corpus_is_there_is_finished(
    queue: JobQueue, tmp_path: Path
) -> None:
    source = write_pairs(tmp_path / "pairs.parquet", TEXTS, SUMMARIES)
    settings = CorpusSettings.checked({"processes": 1})
    job = queue.add(specify_corpus((str(source),), settings, tmp_path / "corpus"))
    killed_corpus.attend(queue)
    *_, last = events_of(queue, job.id)
    assert isinstance(last, Finished), last
    fingerprint = open_corpus(tmp_path / "corpus").fingerprint
    assert last.result["prepared"]["fingerprint"] == fingerprint
    assert not (tmp_path / "corpus" / "plan.json").exists()


def test_a_job_finds_the_corpus_that_it_has_made_and_no_other(tmp_path: Path) -> None:
    source = write_pairs(tmp_path / "pairs.parquet", TEXTS, SUMMARIES)
    settings = CorpusSettings.checked({"processes": 1})
    job = MakeCorpusJob((str(source),), settings, tmp_path / "corpus", name="first")
    assert job.made_before() is None
    *_, made = run_inline(job, StopToken())
    *_, again = run_inline(job, StopToken())
    assert isinstance(made, Finished) and isinstance(again, Finished)
    assert again.result.prepared == made.result.prepared
    for name in ("second", ""):
        *_, refused = run_inline(replace(job, name=name), StopToken())
        assert isinstance(refused, Failed) and "already exists" in refused.message
    (tmp_path / "corpus" / "statistics.json").unlink()
    assert job.made_before() is None


def test_a_cancel_takes_along_what_is_prepared_and_its_undo_brings_it_back(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = paused_corpus(queue, tmp_path)
    assert (tmp_path / "corpus.preparing").is_dir()
    queue.ask(job.id, "cancel")
    assert [path.name for path in tmp_path.iterdir() if "corpus" in path.name] == []
    queue.undo_cancel(job.id)
    queue.resume(job.id)
    attend(queue)
    told = list(events_of(queue, job.id))
    assert isinstance(told[-1], Finished), told[-1]
    assert Message("info", "Resuming an earlier preparation.") in told


def test_the_draft_of_a_job_that_an_older_program_queued_is_cancelled_with_it(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = paused_corpus(queue, tmp_path)
    as_older_programs_wrote_it(queue)
    queue.ask(job.id, "cancel")
    assert [path.name for path in tmp_path.iterdir() if "corpus" in path.name] == []
    as_older_programs_wrote_it(queue)
    queue.undo_cancel(job.id)
    assert (tmp_path / "corpus.preparing").is_dir()


def test_a_job_that_an_older_program_queued_is_cancelled_also_without_its_settings(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = queue.add(specify_corpus(("/a b",), CorpusSettings(), tmp_path / "corpus"))
    as_older_programs_wrote_it(queue)
    (job.folder / "queued.toml").unlink()
    assert queue.ask(job.id, "cancel").state == "cancelled"


def as_older_programs_wrote_it(queue: JobQueue) -> None:
    """Leaves out of the file of the queue where drafts lie."""
    file = queue.folder / "queue.json"
    values = json.loads(file.read_text("utf-8"))
    for job in values["jobs"]:
        del job["draft"]
    file.write_text(json.dumps(values), "utf-8")

"""A queued corpus is prepared without a window, and goes on where it was paused."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from core.data.corpus import open_corpus
from core.data.settings import CorpusSettings
from core.events import Event, Finished, Message, Progress, Stopped
from core.jobs.following import JobFollower
from core.jobs.job_queue import JobQueue
from core.jobs.kinds import order_again
from core.jobs.lane import attend
from core.jobs.queued_corpus import corpus_of, order_corpus, queued_corpus
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs
from tests.helpers.queued_jobs import ROOT, end_all

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are ended as on POSIX")
PATIENCE = 10_000  # looks; an upper bound, never a wait
PAUSE = threading.Event()


@pytest.fixture
def queue(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobQueue]:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{os.environ['PYTHONPATH']}")
    yield JobQueue.of_this_user()
    end_all(home)


def happening(queue: JobQueue, id: str) -> Iterator[Event]:
    follower = JobFollower(queue, id)
    for _ in range(PATIENCE):
        if follower.over:
            return
        yield from follower.poll()
        PAUSE.wait(0.02)
    raise AssertionError("it did not end")


def test_a_queued_corpus_is_prepared(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_pairs(tmp_path / "pairs.parquet", TEXTS, SUMMARIES)
    monkeypatch.chdir(tmp_path)
    settings = CorpusSettings.checked({"processes": 1})
    job = queue.add(order_corpus(("pairs.parquet",), settings, tmp_path / "corpus"))
    monkeypatch.chdir("/")
    attend(queue)
    told = list(happening(queue, job.id))
    assert isinstance(told[-1], Finished), told[-1]
    assert told[-1].result["prepared"]["folder"] == str(tmp_path / "corpus")
    assert any(isinstance(event, Progress) for event in told)
    assert (
        told[-1].result["prepared"]["fingerprint"] == open_corpus(tmp_path / "corpus").fingerprint
    )


def test_it_goes_on_with_what_is_prepared(queue: JobQueue, tmp_path: Path) -> None:
    source = write_pairs(tmp_path / "pairs.parquet", TEXTS * 100, SUMMARIES * 100)
    settings = CorpusSettings.checked({"processes": 1})
    job = queue.add(order_corpus((str(source),), settings, tmp_path / "corpus"))
    attend(queue)
    asked = False
    for event in happening(queue, job.id):
        if isinstance(event, Progress) and not asked:
            asked = True
            queue.ask(job.id, "pause")
    assert event == Stopped("pause")
    queue.resume(job.id)
    attend(queue)
    told = list(happening(queue, job.id))
    assert isinstance(told[-1], Finished), told[-1]
    assert Message("info", "Resuming an earlier preparation.") in told


def test_its_settings_are_frozen_as_they_are(queue: JobQueue, tmp_path: Path) -> None:
    settings = CorpusSettings.checked({"split": "70/20/10", "processes": 2})
    job = queue.add(order_corpus(("hf:some/set", "/a b"), settings, tmp_path / "corpus"))
    again = queued_corpus(job.folder)
    assert (again.sources, again.settings, again.out) == (
        ("hf:some/set", "/a b"), settings, tmp_path / "corpus",
    )  # fmt: skip


def test_the_same_corpus_once_more_gets_a_name_of_its_own(queue: JobQueue, tmp_path: Path) -> None:
    settings = CorpusSettings.checked({"split": "70/20/10", "processes": 2})
    job = queue.add(order_corpus(("/a b",), settings, tmp_path / "corpus"))
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus-2").mkdir()
    again = queue.add(order_again(job))
    made = queued_corpus(again.folder)
    assert corpus_of(again.folder) == tmp_path / "corpus-3"
    assert again.title == "corpus-3"
    assert (made.sources, made.settings, made.out) == (("/a b",), settings, tmp_path / "corpus-3")


@pytest.mark.parametrize("wish", ["stop", "cancel"])
def test_the_folder_of_a_forgotten_job_is_deleted(
    queue: JobQueue, tmp_path: Path, wish: Literal["stop", "cancel"]
) -> None:
    job = queue.add(order_corpus(("/a b",), CorpusSettings(), tmp_path / "corpus"))
    job = queue.ask(job.id, wish)
    assert (job.trashed or job.folder).is_dir()
    queue.forget(job.id)
    assert not (job.trashed or job.folder).exists()

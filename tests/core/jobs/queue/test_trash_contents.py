"""What is in the trash is listed, restored, and deleted for good."""

import time
from pathlib import Path

import pytest

from core.data.settings import CorpusSettings
from core.events import Failed, Finished
from core.jobs.call import CallJob
from core.jobs.corpora.corpus_folder import trash_corpus
from core.jobs.corpora.queued_corpus import specify_corpus
from core.jobs.models.trash_model import trash_model
from core.jobs.queue import trash as trash_module
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.trash import discard_folder, note_elsewhere
from core.jobs.queue.trash_contents import (
    DeleteTrashedJob,
    ListTrashJob,
    RestoreTrashedJob,
    TrashedItem,
)
from core.jobs.run import run_inline
from core.library.folders import Folders
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard, write_model_card
from core.stop import StopToken
from tests.helpers.comparisons import large_comparison
from tests.helpers.models import a_model
from tests.helpers.prepared import pairs_corpus
from tests.helpers.queued_jobs import queue_count

DAY_S = 86_400


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.under(tmp_path)


def done(job: object) -> object:
    *_, last = run_inline(job, StopToken())  # type: ignore[arg-type]
    assert isinstance(last, Finished), last
    return last.result


def trash(folders: Folders, now_s: float | None = None) -> dict[str, TrashedItem]:
    listed = done(ListTrashJob(folders, now_s))
    assert isinstance(listed, tuple)
    return {item.name: item for item in listed}


def test_each_kind_is_listed_with_its_size_and_the_days_it_stays(folders: Folders) -> None:
    run = a_model(folders.runs, "trained")
    imported = a_model(folders.runs, "imported")
    write_model_card(RunFolder(imported), ModelCard(imported="2026-01-01"))
    done(CallJob(trash_model, run, folders))
    done(CallJob(trash_model, imported, folders))
    done(CallJob(trash_corpus, pairs_corpus(folders.corpora / "letters"), folders))
    discard_folder(large_comparison(folders.comparisons / "mine", 3), folders.trash)
    queue = JobQueue(folders.job_queue, folders.trash)
    queue.ask(queue_count(queue, folders.runs / "waiting").id, "cancel")
    order = specify_corpus(("a.txt",), CorpusSettings(), folders.corpora / "prepared")
    queue.ask(queue.add(order).id, "cancel")
    (folders.trash / "something-0123abcd").mkdir()
    found = trash(folders, time.time() + 2 * DAY_S)
    kinds = {name: item.kind for name, item in found.items()}
    assert kinds == {
        "trained": "run", "imported": "model", "letters": "corpus", "mine": "comparison",
        "waiting": "other", "prepared": "corpus", "something": "other",
    }  # fmt: skip
    assert found["trained"].size_bytes > 4000 and found["waiting"].job
    assert {item.days_left for item in found.values()} == {28}
    assert trash(folders, time.time() + 99 * DAY_S)["mine"].days_left == 0


def test_what_is_restored_is_where_it_was(folders: Folders) -> None:
    corpus = pairs_corpus(folders.corpora / "letters")
    before = sorted(path.relative_to(corpus) for path in corpus.rglob("*"))
    done(CallJob(trash_corpus, corpus, folders))
    assert done(RestoreTrashedJob(trash(folders)["letters"], folders)) == corpus
    assert sorted(path.relative_to(corpus) for path in corpus.rglob("*")) == before
    assert trash(folders) == {}


@pytest.mark.parametrize("name", ["a" * 100, "ä" * 55, "x" + "語" * 30, "long " * 40 + "end"])
def test_long_names_come_back_as_whole_as_disks_allow(folders: Folders, name: str) -> None:
    done(CallJob(trash_model, a_model(folders.runs, name), folders))
    (item,) = trash(folders).values()
    restored = done(RestoreTrashedJob(item, folders))
    assert isinstance(restored, Path) and len(restored.name.encode()) >= min(
        len(name.encode()), 115
    )
    assert name.startswith(restored.name)


def test_where_the_name_is_taken_it_is_restored_under_another_one(folders: Folders) -> None:
    done(CallJob(trash_model, a_model(folders.runs, "same", step=100), folders))
    a_model(folders.runs, "same", step=200)
    restored = done(RestoreTrashedJob(trash(folders)["same"], folders))
    assert restored == folders.runs / "same-2"
    assert (folders.runs / "same-2" / "checkpoints" / "step-00000100").is_dir()
    assert (folders.runs / "same" / "checkpoints" / "step-00000200").is_dir()


def test_a_cancelled_job_is_restored_with_its_place_in_the_queue(folders: Folders) -> None:
    queue = JobQueue(folders.job_queue, folders.trash)
    job = queue_count(queue, folders.runs / "waiting")
    queue.ask(job.id, "cancel")
    assert done(RestoreTrashedJob(trash(folders)["waiting"], folders)) == job.folder
    assert [each.state for each in queue.jobs()] == ["waiting"] and job.folder.is_dir()


def test_what_has_no_known_place_is_not_moved(folders: Folders) -> None:
    (folders.trash / "something-0123abcd").mkdir(parents=True)
    *_, last = run_inline(RestoreTrashedJob(trash(folders)["something"], folders), StopToken())
    assert isinstance(last, Failed) and "Nothing says where" in last.message
    assert (folders.trash / "something-0123abcd").is_dir()


def test_folders_of_others_are_not_listed(folders: Folders) -> None:
    done(CallJob(trash_model, a_model(folders.runs, "trained"), folders))
    elsewhere = folders.data / "disk" / ".epitome-trash"
    for name in ("photos", "photos-20240101", "job.toml", "taxes-2024"):
        for place in (folders.trash / name, elsewhere / name):
            place.mkdir(parents=True)
            (place / "a.jpg").touch()
    note_elsewhere(folders.trash, elsewhere / "photos")
    (elsewhere / "epitome-trash.txt").write_text(trash_module._MARK_TEXT, "utf-8")
    assert set(trash(folders)) == {"trained"}


def test_the_folder_of_a_job_is_listed_whatever_is_in_it(folders: Folders) -> None:
    queue = JobQueue(folders.job_queue, folders.trash)
    job = queue_count(queue, folders.runs / "waiting")
    (job.folder / "queued.toml").rename(job.folder / "notes.txt")
    queue.ask(job.id, "cancel")
    assert trash(folders)["waiting"].job == job.id


def test_what_is_deleted_for_good_is_gone_with_its_job(folders: Folders) -> None:
    queue = JobQueue(folders.job_queue, folders.trash)
    queue.ask(queue_count(queue, folders.runs / "waiting").id, "cancel")
    done(CallJob(trash_model, a_model(folders.runs, "trained"), folders))
    found = trash(folders)
    freed = done(DeleteTrashedJob(tuple(found.values()), folders))
    assert freed == sum(item.size_bytes for item in found.values())
    assert trash(folders) == {} and queue.jobs() == []
    assert not any(path.is_dir() for path in folders.trash.iterdir())


def test_nothing_outside_the_trash_is_deleted(folders: Folders, tmp_path: Path) -> None:
    done(CallJob(trash_model, a_model(folders.runs, "trained"), folders))
    precious = tmp_path / "precious"
    (precious / "deep").mkdir(parents=True)
    (folders.trash / "link").symlink_to(precious)
    assert set(trash(folders)) == {"trained"}
    for place in (precious, folders.trash / "link", folders.trash / ".." / "runs"):
        forged = TrashedItem(place, "x", "run", 0, 1)
        *_, last = run_inline(DeleteTrashedJob((forged,), folders), StopToken())
        assert isinstance(last, Failed) and "cannot be deleted from the trash" in last.message
    assert (precious / "deep").is_dir() and folders.runs.is_dir()


def test_a_run_that_was_deleted_is_in_no_list_of_jobs(folders: Folders) -> None:
    queue = JobQueue(folders.job_queue, folders.trash)
    job = queue_count(queue, folders.runs / "counted")
    begun = queue.begin_next("cpu")
    assert begun is not None
    queue.end(job.id, begun.start, Finished())
    queue.discard(job.folder)
    assert queue.jobs() == []

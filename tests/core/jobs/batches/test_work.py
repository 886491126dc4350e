"""A batch is worked through: failures stop nothing, and nothing is done twice."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Message, Progress, Stopped
from core.export.formats import render
from core.jobs.batches.adding import AddToBatchJob, SourcesAdded
from core.jobs.batches.export import ExportBatchJob
from core.jobs.batches.news import BatchNews, ListBatchesJob, read_news
from core.jobs.batches.queued import new_batch_folder, specify_batch, title_of_batch, work_on
from core.jobs.batches.reopening import read_row_text
from core.jobs.batches.rows import BatchRow, BatchSettings, Wish
from core.jobs.batches.store import BatchStore
from core.jobs.batches.work import BatchDone, BatchJob, UnlockRowJob
from core.jobs.call import CallJob
from core.jobs.lanes.kinds import specify_again
from core.jobs.lanes.lane import attend
from core.jobs.queue.job_queue import JobQueue
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseJob, SummariseSettings
from core.library.folders import Folders
from core.library.history import History
from core.library.preferences import Preferences, save_preferences
from core.runs.folder import RunFolder, process_at_work
from core.stop import StopToken
from tests.helpers.queued_jobs import events_of, queue_of
from tests.helpers.towns import TOWNS, text_of, write_documents
from tests.helpers.windows import SECRET, locked


def batch_of(folder: Path, *names: Path, **settings: object) -> Path:
    """A batch with the documents of some files and folders."""
    values = BatchSettings.checked({"length": "2s", "processes": 1} | settings)
    run(AddToBatchJob(folder, names, values))
    return folder


def run(job: object, stop: StopToken | None = None) -> Event:
    """The last event of a job."""
    *_, last = run_inline(job, stop or StopToken())  # type: ignore[arg-type]
    return last


def rows(folder: Path) -> dict[str, BatchRow]:
    with BatchStore(folder) as store:
        return {row.name: row for row in store.news(0, 0, -1)}


def test_its_summaries_are_in_the_history_unless_that_is_off(tmp_path: Path) -> None:
    folders = Folders.of_this_user()
    history = History(folders.history_file)
    documents = write_documents(tmp_path / "documents", 2)
    run(BatchJob(batch_of(tmp_path / "batch", documents, language="en")))
    kept = history.search()
    assert {entry.name for entry in kept} == {"0000.txt", "0001.txt"}
    assert {(entry.origin, entry.length, entry.language) for entry in kept} == {
        ("batch", "2s", "en")
    }
    history.forget()
    save_preferences(Preferences(private=True), folders.settings_file)
    run(BatchJob(batch_of(tmp_path / "second", documents)))
    assert history.search() == ()


def test_a_history_that_cannot_be_written_stops_no_batch(tmp_path: Path) -> None:
    Folders.of_this_user().history_file.mkdir(parents=True)
    documents = write_documents(tmp_path / "documents", 2)
    events = list(run_inline(BatchJob(batch_of(tmp_path / "batch", documents)), StopToken()))
    assert events[-1] == Finished(BatchDone(2, 2, 0))
    (told,) = [event.text for event in events if isinstance(event, Message)]
    assert "history.sqlite cannot be used" in told
    assert news_of(tmp_path / "batch").history_problem == told
    Folders.of_this_user().history_file.rmdir()
    with BatchStore(tmp_path / "batch") as store:
        store.do_again([1])
    run(BatchJob(tmp_path / "batch"))
    assert news_of(tmp_path / "batch").history_problem == ""


def news_of(folder: Path) -> BatchNews:
    last = run(CallJob(read_news, folder))
    assert isinstance(last, Finished) and isinstance(last.result, BatchNews)
    return last.result


def test_an_unlocked_document_is_in_the_history_too(tmp_path: Path) -> None:
    folder = batch_of(tmp_path / "batch", locked(tmp_path))
    run(BatchJob(folder))
    history = History(Folders.of_this_user().history_file)
    assert history.search() == ()
    assert run(UnlockRowJob(folder, 1, SECRET)) == Finished()
    (entry,) = history.search()
    assert (entry.name, entry.origin) == ("Lighthouse.pdf", "batch")


def test_a_failure_never_stops_the_rest(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents", 2)
    (documents / "0000a.docx").write_bytes(b"PK\x03\x04" + bytes(500))
    (documents / "0000b.txt").write_text("Two words.", "utf-8")
    locked(documents)
    folder = batch_of(tmp_path / "batch", documents)
    assert run(BatchJob(folder)) == Finished(BatchDone(5, 2, 3))
    found = rows(folder)
    assert {name: row.state for name, row in found.items()} == {
        "0000.txt": "done", "0000a.docx": "failed", "0000b.txt": "failed",
        "0001.txt": "done", "Lighthouse.pdf": "failed",
    }  # fmt: skip
    assert found["Lighthouse.pdf"].kind == "password"
    assert all(row.message and row.remedy for row in found.values() if row.state == "failed")
    done = found["0001.txt"]
    assert (done.sentences, done.language, done.words > 80) == (2, "en", True)
    assert done.first.startswith("The ") and "Borrow" in done.first


def test_a_summary_stays_where_it_cannot_be_made_again(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "disk", 2)
    folder = batch_of(tmp_path / "batch", documents)
    run(BatchJob(folder))
    before = rows(folder)
    exported = export(folder, tmp_path / "before.md")
    documents.rename(tmp_path / "unplugged")
    with BatchStore(folder) as store:
        store.do_again([1, 2])
    assert run(BatchJob(folder)) == Finished(BatchDone(2, 2, 0))
    found = rows(folder)
    assert all(row.state == "done" and row.has_note for row in found.values())
    assert "0000.txt" in found["0000.txt"].message and found["0000.txt"].remedy
    assert [row.first for row in found.values()] == [row.first for row in before.values()]
    assert news_of(folder).counts["note"] == 2
    assert export(folder, tmp_path / "after.md") == exported
    (tmp_path / "unplugged").rename(documents)
    with BatchStore(folder) as store:
        store.do_again([1, 2])
    run(BatchJob(folder))
    assert not any(row.has_note or row.message for row in rows(folder).values())


def export(folder: Path, path: Path) -> bytes:
    assert isinstance(run(ExportBatchJob(folder, "document", path)), Finished)
    return path.read_bytes()


def test_a_summary_of_a_batch_is_the_one_that_the_command_makes(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents", 1)
    folder = batch_of(tmp_path / "batch", documents)
    run(BatchJob(folder))
    settings = SummariseSettings.checked({"length": "2s"})
    alone = run(SummariseJob(SourceRef(path=documents / "0000.txt"), settings))
    assert isinstance(alone, Finished)
    summary, document = alone.result.summary, alone.result.document
    with BatchStore(folder) as store:
        ((_, kept),) = store.summaries()
    made = replace(kept.summary, seconds=0.0)
    assert made == replace(summary, seconds=0.0)
    for suffix in (".md", ".html", ".txt", ".docx"):
        assert render(made, kept.excerpt, suffix) == render(summary, document, suffix)
    told, alone_told = (
        json.loads(render(made, each, ".json"))["result"] for each in (kept.excerpt, document)
    )
    assert told == alone_told


def test_a_password_opens_a_document_and_is_kept_nowhere(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    locked(documents)
    folder = batch_of(tmp_path / "batch", documents)
    run(BatchJob(folder))
    wrong = run(UnlockRowJob(folder, 1, "wrong"))
    assert isinstance(wrong, Failed) and rows(folder)["Lighthouse.pdf"].state == "failed"
    assert run(UnlockRowJob(folder, 1, SECRET)) == Finished()
    assert rows(folder)["Lighthouse.pdf"].state == "done"
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert not any(SECRET.encode() in path.read_bytes() for path in files)
    assert SECRET not in repr(UnlockRowJob(folder, 1, SECRET))


def test_each_row_of_a_table_is_a_document(tmp_path: Path) -> None:
    table = tmp_path / "towns.jsonl"
    lines = [{"title": town, "text": text_of(town)} for town in TOWNS[:3]]
    lines.insert(1, {"title": "Nothing", "text": ""})
    table.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    folder = batch_of(tmp_path / "batch", table)
    assert run(BatchJob(folder)) == Finished(BatchDone(3, 3, 0))
    found = rows(folder)
    assert list(found) == [f"towns.jsonl: {town}" for town in TOWNS[:3]]
    assert [(row.record, row.title) for row in found.values()] == [
        (0, "Arden"), (2, "Borrow"), (3, "Caster"),
    ]  # fmt: skip
    assert "Caster" in found["towns.jsonl: Caster"].first
    assert run(CallJob(read_row_text, folder, 2)) == Finished(f"Borrow\n\n{text_of('Borrow')}")


def test_documents_with_settings_of_their_own_follow_them(tmp_path: Path) -> None:
    folder = batch_of(tmp_path / "batch", write_documents(tmp_path / "documents"))
    with BatchStore(folder) as store:
        store.wish([2], Wish(length="1s", language="de"))
    run(BatchJob(folder))
    found = list(rows(folder).values())
    assert [row.sentences for row in found] == [2, 1, 2]
    assert [row.language for row in found] == ["en", "de", "en"]


def test_what_is_added_is_told(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents", 2)
    (documents / "picture.xyz").write_bytes(b"x")
    added = run(AddToBatchJob(tmp_path / "batch", (documents,)))
    assert added == Finished(SourcesAdded(2, 0, ("documents: 1 file passed over (1 .xyz).",)))
    again = run(AddToBatchJob(tmp_path / "batch", (documents / "0000.txt",)))
    assert again == Finished(SourcesAdded(0, 1))


def test_a_pause_keeps_what_is_done(tmp_path: Path) -> None:
    folder = batch_of(tmp_path / "batch", write_documents(tmp_path / "documents", 6))
    stop = StopToken()
    last: Event | None = None
    for last in run_inline(BatchJob(folder), stop):
        if isinstance(last, Progress):
            stop.request("pause")
    assert last == Stopped("pause")
    before = ended_times(folder)
    assert 1 <= len(before) < 6
    assert {row.state for row in rows(folder).values()} == {"done", "waiting"}
    assert run(BatchJob(folder)) == Finished(BatchDone(6, 6, 0))
    assert before.items() <= ended_times(folder).items()  # none is done twice
    with BatchStore(folder) as store:
        assert store.resumed.startswith("Resumed. 1 document was finished before you paused")
        assert store.resumed.endswith("none is done twice.")


def test_a_batch_goes_on_however_it_was_ended(tmp_path: Path) -> None:
    folder = batch_of(tmp_path / "batch", write_documents(tmp_path / "documents"))
    stop = StopToken()
    for last in run_inline(BatchJob(folder), stop):
        if isinstance(last, Progress):
            stop.request("cancel")
    assert last == Stopped("cancel")
    assert run(BatchJob(folder)) == Finished(BatchDone(3, 3, 0))
    with BatchStore(folder) as store:
        assert "1 document was finished before the batch was cancelled on" in store.resumed
        store.end_start("a way of a later version")
    assert run(BatchJob(folder)) == Finished(BatchDone(3, 3, 0))
    with BatchStore(folder) as store:
        assert "3 documents were finished before the batch had ended on" in store.resumed


def test_a_batch_that_could_not_begin_was_not_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = batch_of(tmp_path / "batch", write_documents(tmp_path / "documents", 1))
    run(BatchJob(folder))

    def lost(*_: object) -> None:
        raise EpitomeError("The cluster is not there.", "Start it.")

    with monkeypatch.context() as patched:
        patched.setattr("core.jobs.batches.work._open_pool", lost)
        assert isinstance(run(BatchJob(folder)), Failed)
    run(BatchJob(folder))
    with BatchStore(folder) as store:
        assert "before the work on it failed on" in store.resumed


def test_a_look_tells_what_changed_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.jobs.batches.news.MOST_AT_ONCE", 4)
    folder = batch_of(tmp_path / "batch", write_documents(tmp_path / "documents", 6))
    first = run(CallJob(read_news, folder))
    assert isinstance(first, Finished) and first.result.has_more
    assert len(first.result.rows) == first.result.after == 4
    news = first.result
    rest = run(CallJob(read_news, folder, 0, news.after, news.revision))
    assert isinstance(rest, Finished) and not rest.result.has_more
    assert [row.number for row in rest.result.rows] == [5, 6]
    assert rest.result.counts["all"] == 6 and rest.result.settings.length == "2s"
    nothing = run(CallJob(read_news, folder, rest.result.revision))
    assert isinstance(nothing, Finished) and nothing.result.rows == ()


def test_batches_are_listed_the_newest_first(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "My documents", 1)
    batches = tmp_path / "batches"
    folder = batch_of(new_batch_folder(batches, documents), documents)
    assert "-my-documents-" in folder.name
    (batches / "broken").mkdir()
    (batches / "broken" / "batch.sqlite").write_bytes(b"nothing" * 100)
    listed = run(ListBatchesJob(batches))
    assert isinstance(listed, Finished)
    (batch,) = listed.result
    assert (batch.folder, batch.counts["all"]) == (folder, 1)
    assert title_of_batch(batch.sources) == "My documents"


posix = pytest.mark.skipif(sys.platform == "win32", reason="processes are ended as on POSIX")


@pytest.fixture
def queue(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobQueue]:
    with queue_of(home, monkeypatch) as queue:
        yield queue


def ended_times(folder: Path) -> dict[int, float]:
    with BatchStore(folder) as store:
        query = "SELECT number, ended FROM rows WHERE state = 'done'"
        return dict(store._database.execute(query).fetchall())


@posix
def test_a_killed_batch_goes_on_and_does_nothing_twice(queue: JobQueue, tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents", 60)
    folder = batch_of(queue.folder.parent / "batches" / "towns", documents)
    job = queue.add(specify_batch(folder))
    attend(queue)
    killed, told = False, list[Event]()
    for event in events_of(queue, job.id):
        told.append(event)
        if not killed and ended_times(folder):
            process = process_at_work(RunFolder(folder))
            assert process is not None
            process.kill()
            killed = True
    last = told[-1]
    assert isinstance(last, Failed) and last.kind == "killed"
    before = ended_times(folder)
    assert 1 <= len(before) < 60
    with BatchStore(folder) as store:
        assert len(list(store.summaries())) == len(before)
    work_on(queue, folder)
    attend(queue)
    *_, last = events_of(queue, job.id)
    assert isinstance(last, Finished), last
    after = ended_times(folder)
    assert len(after) == 60 and before.items() <= after.items()
    with BatchStore(folder) as store:
        assert "before the program that worked on it was ended" in store.resumed


@posix
def test_a_batch_is_queued_once_and_again_when_more_is_added(
    queue: JobQueue, tmp_path: Path
) -> None:
    folder = batch_of(tmp_path / "batch", write_documents(tmp_path / "documents", 2))
    work_on(queue, folder)
    work_on(queue, folder)
    (job,) = queue.jobs()
    assert (job.kind, job.title, job.lane) == ("batch", "documents", "documents")
    attend(queue)
    *_, last = events_of(queue, job.id)
    assert isinstance(last, Finished)
    more = write_documents(tmp_path / "more", 3)
    run(AddToBatchJob(folder, (more,)))
    work_on(queue, folder)
    (again,) = queue.jobs()
    assert again.id != job.id and again.title == "documents and 1 more"
    attend(queue)
    *_, last = events_of(queue, again.id)
    assert {row.state for row in rows(folder).values()} == {"done"}
    copy = queue.add(specify_again(again))
    assert copy.folder == tmp_path / "batch-2"
    with BatchStore(copy.folder) as store:
        assert store.counts()["waiting"] == store.counts()["all"] == 5

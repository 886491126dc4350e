"""Documents on a real cluster: the same summaries as on this machine, whatever happens to it."""

import gc
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli.main import main
from core.distribution.resources import resource
from core.events import Event, Failed, Finished, Stopped
from core.export.combined import render_combined
from core.jobs.batches.adding import AddToBatchJob
from core.jobs.batches.rows import BatchRow, BatchSettings
from core.jobs.batches.store import BatchStore
from core.jobs.batches.summarise_batch import (
    SourceFailed,
    SourcesKept,
    SourceSummarised,
    SummariseBatchJob,
)
from core.jobs.batches.work import BatchDone, BatchJob
from core.jobs.cluster import pool
from core.jobs.cluster.connection import CheckClusterJob, ClusterFacts
from core.jobs.cluster.environment import Environment
from core.jobs.run import run_inline
from core.jobs.sources.source_files import FolderOptions, files_named
from core.jobs.summaries.summarise import SummariseSettings
from core.jobs.summaries.summarise_together import TogetherJob
from core.stop import Stopping, StopToken
from tests.helpers.clusters import LocalCluster, local_cluster, needs_part
from tests.helpers.towns import TOWNS, text_of, write_documents
from tests.helpers.windows import locked

pytestmark = needs_part


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    with local_cluster(tmp_path_factory.mktemp("cluster"), 2) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    folder = tmp_path_factory.mktemp("faulty")
    with local_cluster(folder, 3, faulty=True, allowed_failures=0) as cluster:
        yield cluster


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Documents of several formats and odd names; among them some that cannot be read."""
    folder = write_documents(tmp_path / "papers", 4)
    for name in ("article.md", "report.docx", "patent.pdf"):
        (folder / name).write_bytes(resource("samples", name).read_bytes())
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing more")
    (folder / "short.txt").write_text("Two words.", "utf-8")
    (folder / "empty.txt").write_bytes(b"")
    (folder / os.fsdecode(b"caf\xe9\n.txt")).write_text(text_of("Arden"), "utf-8")
    (folder / "deep").mkdir()
    (folder / "deep" / "0000.txt").write_text(text_of("Holm"), "utf-8")
    locked(folder)
    return folder


def job_on(folder: Path, out: Path | None, address: str, **changes: object) -> SummariseBatchJob:
    found, _ = files_named(str(folder), FolderOptions())
    settings = SummariseSettings(length="2s")
    return SummariseBatchJob(found, settings, out, cluster=address, **changes)  # type: ignore[arg-type]


def told(
    job: SummariseBatchJob, stop: StopToken | None = None, after: Callable[[Event], object] = id
) -> list[Event]:
    events = []
    for event in run_inline(job, StopToken() if stop is None else stop):
        events.append(event)
        after(event)
    return events


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def failures(events: list[Event]) -> dict[str, Failed]:
    return {each.name: each.failure for each in events if isinstance(each, SourceFailed)}


def without_details(found: dict[str, Failed]) -> dict[str, Failed]:
    return {name: replace(failure, details="") for name, failure in found.items()}


@pytest.mark.parametrize("format", ["md", "docx", "html"])
def test_a_folder_is_written_as_on_this_machine(
    cluster: LocalCluster, papers: Path, tmp_path: Path, format: str
) -> None:
    events = {
        place: told(job_on(papers, tmp_path / place, address, format=format))
        for place, address in (("here", ""), ("there", cluster.address))
    }
    here, there = (files_in(tmp_path / place) for place in ("here", "there"))
    assert len(here) == 9 and here == there
    bad = {name: failures(found) for name, found in events.items()}
    assert {Path(name).name for name in bad["there"]} == {
        "broken.pdf", "empty.txt", "short.txt", "Lighthouse.pdf",
    }  # fmt: skip
    password = str(papers / "Lighthouse.pdf")
    assert bad["there"].pop(password).remedy == "Summarise it on this machine, without --cluster."
    bad["here"].pop(password)
    assert without_details(bad["here"]) == without_details(bad["there"])
    assert isinstance(events["there"][-1], Finished)


def test_several_documents_together_are_the_same_summary(
    cluster: LocalCluster, papers: Path
) -> None:
    found, _ = files_named(str(papers), FolderOptions())
    made = []
    for address in ("", cluster.address):
        job = TogetherJob(found, SummariseSettings(length="3s"), cluster=address)
        *_, last = run_inline(job, StopToken())
        assert isinstance(last, Finished), last
        made.append(last.result[0])
    assert render_combined(made[0], ".md") == render_combined(made[1], ".md")


def batch_of(folder: Path, address: str, *names: Path) -> Path:
    settings = BatchSettings.checked({"length": "2s"})
    list(run_inline(AddToBatchJob(folder, names, settings), StopToken()))
    with BatchStore(folder) as store:
        store.set_cluster(address)
    return folder


def stored(folder: Path) -> list[tuple[BatchRow, object]]:
    """What a batch holds, but for the time it took and the order in which it was stored."""
    with BatchStore(folder) as store:
        kept = {row.number: kept for row, kept in store.summaries()}
        return [
            (
                replace(row, seconds=0.0, revision=0),
                row.number in kept
                and replace(
                    kept[row.number], summary=replace(kept[row.number].summary, seconds=0.0)
                ),
            )
            for row in store.news(0, 0, -1)
        ]


def test_a_batch_of_files_and_rows_is_stored_as_on_this_machine(
    cluster: LocalCluster, papers: Path, tmp_path: Path
) -> None:
    table = tmp_path / "towns.jsonl"
    lines = [{"title": f"{town} {at}", "text": text_of(town)} for at in range(9) for town in TOWNS]
    table.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    ends = []
    for place, address in (("here", ""), ("there", cluster.address)):
        folder = batch_of(tmp_path / place, address, papers, table)
        *_, last = run_inline(BatchJob(folder), StopToken())
        assert isinstance(last, Finished), last
        ends.append(last.result)
    assert ends[0] == ends[1] and ends[0].total == 85 and ends[0].failed
    assert stored(tmp_path / "here") == stored(tmp_path / "there")


def test_a_batch_is_stopped_and_goes_on(cluster: LocalCluster, tmp_path: Path) -> None:
    folder = batch_of(tmp_path / "b", cluster.address, write_documents(tmp_path / "documents", 60))
    stop = StopToken()

    def look(event: Event) -> None:
        with BatchStore(folder) as store:
            if store.counts()["done"]:
                stop.request("pause")

    events = told(BatchJob(folder), stop, look)  # type: ignore[arg-type]
    assert events[-1] == Stopped("pause")
    with BatchStore(folder) as store:
        first = [row.number for row, _ in store.summaries()]
        ended = {number: store.row(number) for number in first}
        assert 0 < len(first) < 60
    *_, last = run_inline(BatchJob(folder), StopToken())
    assert last == Finished(BatchDone(60, 60, 0))
    with BatchStore(folder) as store:
        assert {number: store.row(number) for number in first} == ended  # none is done twice


def test_an_interrupted_run_goes_on(cluster: LocalCluster, tmp_path: Path) -> None:
    documents, out = write_documents(tmp_path / "documents", 40), tmp_path / "out"
    stop = StopToken()

    def end(event: Event) -> None:
        if isinstance(event, SourceSummarised):
            stop.request("stop")

    assert told(job_on(documents, out, cluster.address), stop, end)[-1] == Stopped("stop")
    assert sorted(path.name for path in out.iterdir()) == [".epitome-unfinished.jsonl", "0000.md"]
    before = (out / "0000.md").stat().st_mtime_ns
    events = told(job_on(documents, out, cluster.address))
    assert SourcesKept((out / "0000.md",)) in events
    assert sum(isinstance(event, SourceSummarised) for event in events) == 39
    last = events[-1]
    assert isinstance(last, Finished) and last.result.done == len(last.result.written) == 40
    assert (out / "0000.md").stat().st_mtime_ns == before
    told(job_on(documents, tmp_path / "here", ""))
    assert files_in(out) == files_in(tmp_path / "here")  # and the notes are deleted


def test_a_source_or_a_summary_that_was_changed_is_done_again(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    documents, out = write_documents(tmp_path / "documents", 4), tmp_path / "out"
    stop, number = StopToken(), 0

    def end(event: Event) -> None:
        nonlocal number
        number += isinstance(event, SourceSummarised)
        if number == 3:
            stop.request("stop")

    told(job_on(documents, out, cluster.address), stop, end)
    (documents / "0000.txt").write_text(text_of("Holm"), "utf-8")
    (out / "0001.md").write_text("Mine.", "utf-8")
    with (out / ".epitome-unfinished.jsonl").open("ab") as notes:
        notes.write(b'{"source": 1}\n[' * 3 + b"\xff\n" + b"[" * 99_999)
    events = told(job_on(documents, out, cluster.address))
    assert SourcesKept((out / "0002.md",)) in events
    assert "Holm" in (out / "0000-2.md").read_text("utf-8")
    assert (out / "0001.md").read_text("utf-8") == "Mine."
    assert sorted(files_in(out)) == [
        "0000-2.md", "0000.md", "0001-2.md", "0001.md", "0002.md", "0003.md"
    ]  # fmt: skip


@pytest.mark.parametrize("wish", ["cancel", "stop"])
def test_an_end_that_is_wished_for_comes_and_keeps_what_is_written(
    cluster: LocalCluster, tmp_path: Path, wish: str
) -> None:
    documents = write_documents(tmp_path / "documents", 20)
    stop = StopToken()

    def end(event: Event) -> None:
        if isinstance(event, SourceSummarised):
            stop.request(wish)  # type: ignore[arg-type]

    events = told(job_on(documents, tmp_path / "out", cluster.address), stop, end)
    assert events[-1] == Stopped(wish)
    assert (tmp_path / "out" / "0000.md").exists()


def test_a_killed_worker_costs_its_task_only(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents", 40)
    with local_cluster(tmp_path / "cluster", 2) as cluster:

        def kill(event: Event) -> None:
            if isinstance(event, SourceSummarised) and len(cluster.workers) == 2:
                cluster.kill(cluster.workers[0])

        events = told(job_on(documents, tmp_path / "there", cluster.address), after=kill)
        assert len(cluster.workers) == 1
    assert isinstance(events[-1], Finished) and not failures(events)
    told(job_on(documents, tmp_path / "here", ""))
    assert files_in(tmp_path / "here") == files_in(tmp_path / "there")


def test_a_document_that_ends_workers_fails_alone(faulty: LocalCluster, tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents", 30)
    (documents / "0011b.txt").write_text("KILL-WORKER " + text_of("Holm"), "utf-8")
    events = told(job_on(documents, tmp_path / "out", faulty.address))
    ((name, failure),) = failures(events).items()
    assert Path(name).name == "0011b.txt" and failure.kind == "ended"
    assert failure.message == "A worker ended while it had this document, twice."
    assert len(files_in(tmp_path / "out")) == 30


def test_a_reply_that_is_no_summary_is_the_failure_of_its_document(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents", 2)
    words = ("NUMBER", "TOO-MANY", "NO-BYTES", "NO-JSON", "NO-SUMMARY")
    for word in words:
        (documents / f"{word}.txt").write_text(f"REPLY-{word} {text_of('Holm')}", "utf-8")
    with local_cluster(tmp_path / "cluster", 1, faulty=True) as cluster:
        events = [
            event
            for file in sorted(documents.iterdir())
            for event in told(job_on(file, tmp_path / "out", cluster.address))
        ]
    found = failures(events)
    assert {Path(name).stem for name in found} == set(words)
    assert {failure.kind for failure in found.values()} == {"reply"}
    assert all(each.message.startswith("The worker's reply is not") for each in found.values())
    assert sorted(files_in(tmp_path / "out")) == ["0000.md", "0001.md"]


def test_a_cluster_without_workers_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = write_documents(tmp_path / "documents", 100)
    monkeypatch.setattr(pool, "_PATIENCE_S", 0.4)
    monkeypatch.setattr(pool, "_WATCH_S", 0.1)
    with local_cluster(tmp_path / "cluster", 0) as cluster:
        (first,) = (each for each in told(job_on(documents, None, cluster.address)) if _ends(each))
        cluster.add_worker()
        cluster.wait_for_workers(1)

        def kill(event: Event) -> None:
            if isinstance(event, SourceSummarised) and cluster.workers:
                cluster.kill(cluster.workers[0])

        second = told(job_on(documents, tmp_path / "out", cluster.address), after=kill)[-1]
    for last in (first, second):
        assert isinstance(last, Failed) and last.kind == "no-workers"
        assert last.message == f"The cluster at {cluster.address} has no workers."
        assert f"dask worker {cluster.address}" in last.remedy
    assert (tmp_path / "out" / "0000.md").exists()


def _ends(event: Event) -> bool:
    return isinstance(event, Failed | Finished)


def test_a_scheduler_that_goes_is_told_and_what_is_done_is_kept(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents", 100)
    with local_cluster(tmp_path / "cluster", 1) as cluster:

        def kill(event: Event) -> None:
            if isinstance(event, SourceSummarised):
                cluster.scheduler.kill()

        last = told(job_on(documents, tmp_path / "out", cluster.address), after=kill)[-1]
    assert isinstance(last, Failed) and last.kind == "unreachable"
    assert "was lost; what is done is kept" in last.message
    assert (tmp_path / "out" / "0000.md").exists()


def test_another_version_is_refused_before_any_document_is_sent(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Environment.here()
    other = replace(here, version="9.9")
    monkeypatch.setattr(Environment, "here", lambda: other)
    documents = write_documents(tmp_path / "documents", 2)
    last = told(job_on(documents, tmp_path / "out", cluster.address))[-1]
    assert isinstance(last, Failed)
    assert last.message.startswith("The worker tcp://127.0.0.1:")
    assert f"has {here}; this machine has {other}." in last.message
    assert last.remedy.startswith("Install the same version on all machines")
    assert not (tmp_path / "out").exists()


def test_an_address_is_checked(cluster: LocalCluster) -> None:
    *_, last = run_inline(CheckClusterJob(cluster.address), StopToken())
    assert last == Finished(ClusterFacts(2, 2))
    assert str(last.result) == "2 workers, 2 tasks at a time"  # type: ignore[attr-defined]
    *_, last = run_inline(CheckClusterJob("tcp://127.0.0.1:9", timeout_s=0.5), StopToken())
    assert isinstance(last, Failed) and last.kind == "unreachable"
    assert last.message.startswith("The cluster at tcp://127.0.0.1:9 cannot be reached (")


def test_what_answers_nothing_is_given_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        *_, last = run_inline(CheckClusterJob(address, timeout_s=0.5), StopToken())
        assert isinstance(last, Failed) and last.kind == "unreachable"
        assert "cannot be reached (no scheduler answered in 0.5 s)." in last.message
        stop = StopToken()
        until_connecting = threading.Timer(0.1, stop.request, ["cancel"])
        until_connecting.start()
        with pytest.raises(Stopping):
            pool.ClusterPool(address, stop)
        until_connecting.join()
    gc.collect()  # a connection that was not closed warns here


def test_the_command_says_that_documents_are_sent(
    cluster: LocalCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents, out = write_documents(tmp_path / "documents", 3), tmp_path / "out"
    line = ["summarise", str(documents), "--cluster", cluster.address, "--length", "2s"]
    assert main([*line, "--out", str(out)]) == 0
    err = capsys.readouterr().err
    sent = f"sent over the network, unencrypted, to the cluster at {cluster.address}."
    assert sent in err and err.count("written to") == 3
    assert main([*line, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [Path(each["inputs"][0]["path"]).name for each in found] == sorted(files_of(documents))
    assert all(len(each["result"]["sentences"]) == 2 for each in found)
    assert main(["summarise", str(documents / "0000.txt"), "--cluster", cluster.address]) == 0
    assert "harbour of Arden" in capsys.readouterr().out


def files_of(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]

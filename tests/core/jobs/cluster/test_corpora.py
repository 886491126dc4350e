"""Corpora that the workers of a real cluster prepare: the same bytes as on this machine."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.cli.main import main
from core.data import source_rows
from core.data.settings import CorpusSettings
from core.data.shards import ShardMaker
from core.data.source_rows import Block, SourceRow
from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Message, Progress, Stopped, result_of
from core.jobs.cluster import worker
from core.jobs.corpora.make_corpus import MakeCorpusJob
from core.jobs.corpora.make_shards import ShardJob
from core.jobs.run import run_inline
from core.stop import StopToken
from tests.helpers.clusters import LocalCluster, local_cluster, needs_part
from tests.helpers.corpora import TEXTS
from tests.helpers.shard_sources import content_of, write_files, write_sources

pytest.importorskip("datasets")
pytestmark = needs_part
GOES_ON = Message("info", "Resuming an earlier preparation.")


@pytest.fixture(scope="module", autouse=True)
def _small_blocks() -> Iterator[None]:
    """Blocks of a few documents, so that there are enough of them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(source_rows, "_BLOCK_CHARACTERS", 30_000)
        yield


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sources(tmp_path_factory.mktemp("sources") / "shards")


@pytest.fixture(scope="module")
def here(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The corpus as this machine prepares it."""
    out = tmp_path_factory.mktemp("here") / "corpus"
    *_, last = events_of(job_on(sources, out, ""))
    assert isinstance(last, Finished), last
    return content_of(out)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    with local_cluster(tmp_path_factory.mktemp("cluster"), 1) as cluster:
        yield cluster


def job_on(sources: Path, out: Path | None, address: str) -> MakeCorpusJob:
    settings = CorpusSettings.checked({"make": "gsg", "processes": 2})
    return MakeCorpusJob((str(sources),), settings, out, cluster=address)


def events_of(
    job: MakeCorpusJob,
    stop: StopToken | None = None,
    after: Callable[[Event], object] = lambda event: None,
) -> list[Event]:
    events = []
    for event in run_inline(job, StopToken() if stop is None else stop):
        events.append(event)
        after(event)
    return events


def is_shard(event: Event) -> bool:
    return isinstance(event, Progress) and event.what == "Preparing"


def test_a_worker_makes_the_same_corpus(
    cluster: LocalCluster, sources: Path, here: dict[str, bytes], tmp_path: Path
) -> None:
    *_, last = events_of(job_on(sources, tmp_path / "there", cluster.address))
    assert isinstance(last, Finished), last
    assert content_of(tmp_path / "there") == here
    skipped = last.result.prepared.statistics["skipped"]
    assert skipped["rows that cannot be read"] == 2
    assert skipped["tables that cannot be read to their end"] == 1


def test_a_corpus_that_was_begun_here_goes_on_though_a_worker_is_killed(
    sources: Path, here: dict[str, bytes], tmp_path: Path
) -> None:
    out, stop = tmp_path / "there", StopToken()
    parts = tmp_path / "there.preparing" / "parts"
    events_of(
        job_on(sources, out, ""),
        stop,
        lambda _: any(parts.glob("*.arrow")) and stop.request("stop"),
    )
    assert any(parts.glob("*.arrow"))
    with local_cluster(tmp_path / "cluster", 2) as cluster:

        def kill(event: Event) -> None:
            if is_shard(event) and len(cluster.workers) == 2:
                cluster.kill(cluster.workers[0])

        events = events_of(job_on(sources, out, cluster.address), after=kill)
        assert len(cluster.workers) == 1
    assert GOES_ON in events and isinstance(events[-1], Finished), events[-1]
    assert content_of(out) == here


def test_stopped_on_a_cluster_it_goes_on_here(
    cluster: LocalCluster, sources: Path, here: dict[str, bytes], tmp_path: Path
) -> None:
    out, stop = tmp_path / "there", StopToken()
    job = job_on(sources, out, cluster.address)
    events = events_of(job, stop, lambda event: is_shard(event) and stop.request("stop"))
    assert events[-1] == Stopped("stop") and not out.exists()
    events = events_of(job_on(sources, out, ""))
    assert GOES_ON in events and isinstance(events[-1], Finished), events[-1]
    assert content_of(out) == here


def test_the_command_prints_the_same_and_says_that_documents_are_sent(
    cluster: LocalCluster, sources: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["corpus", str(sources / "a.parquet"), "--make", "text"]
    assert main(words) == 0
    local = capsys.readouterr()
    assert main([*words, "--cluster", cluster.address, "--processes", "2"]) == 0
    there = capsys.readouterr()
    assert there.out == local.out
    sent = "The documents are sent over the network, unencrypted, to the cluster at"
    assert there.err.startswith(f"{sent} {cluster.address}.\n")
    assert "--processes changes nothing" in there.err


def test_files_of_documents_are_not_sent(cluster: LocalCluster, tmp_path: Path) -> None:
    *_, last = events_of(job_on(write_files(tmp_path / "files"), None, cluster.address))
    assert isinstance(last, Failed)
    assert last.message.startswith("A cluster gets the rows of tables and corpora only")
    assert "--include" in last.remedy


# Without a cluster


@pytest.fixture
def shard_job(tmp_path: Path) -> ShardJob:
    rows = (
        SourceRow("a:1", title="Pumps", document=TEXTS[0]),
        SourceRow("caf\udce9:2", document=TEXTS[1], summary="Ü", split="test"),
        SourceRow("a:3", fault="no row"),
    )
    (tmp_path / "parts").mkdir()
    maker = ShardMaker(tmp_path / "parts", CorpusSettings(), "text", with_texts=True)
    return ShardJob(maker, Block(7, 21, rows))


def order_of(job: ShardJob) -> bytes:
    return result_of(job.write_order(StopToken()))


def test_a_shard_that_is_sent_has_the_bytes_of_one_that_is_made_here(shard_job: ShardJob) -> None:
    *_, last = run_inline(shard_job, StopToken())
    file = shard_job.maker.path(7)
    local = file.read_bytes()
    file.unlink()
    (reply,) = worker.run_orders([order_of(shard_job)])
    worker._process().close()
    assert last == Finished(shard_job.read_reply(reply)) == Finished(3)
    assert file.read_bytes() == local


@pytest.mark.parametrize(
    "reply",
    [
        None,
        b"",
        b"{}",
        b"[3]\n",
        b'{"shard": 3}\nno Arrow',
        b'{"shard": [3]}\n',
        b'{"summary": 3}\n',
    ],
)
def test_a_reply_without_the_shard_leaves_no_file(shard_job: ShardJob, reply: object) -> None:
    found = shard_job.read_reply(reply)
    assert isinstance(found, Failed) and found.kind == "reply"
    assert found.message.startswith("The worker's reply is not a shard")
    assert not list(shard_job.maker.folder.iterdir())


def test_a_shard_of_other_rows_is_refused(shard_job: ShardJob) -> None:
    other = ShardJob(shard_job.maker, Block(7, 21, shard_job.block.rows[:1]))
    (reply,) = worker.run_orders([order_of(other)])
    worker._process().close()
    found = shard_job.read_reply(reply)
    assert isinstance(found, Failed) and "the rows of its block" in found.message
    assert not list(shard_job.maker.folder.iterdir())


def test_a_full_disk_is_an_error_of_this_machine(
    shard_job: ShardJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    (reply,) = worker.run_orders([order_of(shard_job)])
    worker._process().close()
    monkeypatch.setattr("core.jobs.cluster.shards.open_temporary", _no_room)
    with pytest.raises(EpitomeError, match="disk"):
        shard_job.read_reply(reply)


def _no_room(path: Path) -> object:
    raise OSError(28, "No space left on device")


def test_the_address_of_another_cluster_is_wrong_usage(
    sources: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", str(sources), "--cluster", "host:6379"]) == 2
    assert "should look like tcp://host:8786" in capsys.readouterr().err


def test_a_job_file_that_chose_the_engine_is_read(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "job.toml"
    words = 'schema_version = 2\ncommand = "corpus"\n[work]\nengine = "ray"\n'
    file.write_text(words, "utf-8")
    line = ["corpus", str(sources / "a.parquet"), "--make", "text", "--config", str(file)]
    assert main([*line, "--print-config"]) == 0
    assert "engine" not in capsys.readouterr().out
    file.write_text(words + 'cluster = "host:6379"\n', "utf-8")
    assert main(line) == 2
    assert "should look like tcp://host:8786" in capsys.readouterr().err

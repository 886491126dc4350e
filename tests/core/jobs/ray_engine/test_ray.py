"""Corpora made by a real Ray: the same bytes as by this program alone, whatever happens to it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.cli.main import main
from core.data.settings import CorpusSettings
from core.events import Event, Failed, Finished, Message, Progress, Stopped
from core.jobs.corpora.make_corpus import Engine, MakeCorpusJob
from core.jobs.run import run_inline
from core.stop import StopToken
from tests.helpers.rays import (
    content_of,
    needs_part,
    ray_cluster,
    ray_processes,
    workers_of,
    write_files,
    write_sources,
)

pytest.importorskip("datasets")
pytestmark = needs_part
GOES_ON = Message("info", "Resuming an earlier preparation.")


def job(sources: tuple[Path, ...], out: Path, engine: Engine, **others: Any) -> MakeCorpusJob:
    settings = CorpusSettings.checked({"make": "gsg", "processes": 2})
    return MakeCorpusJob(tuple(map(str, sources)), settings, out, engine=engine, **others)


def told(
    job: MakeCorpusJob,
    stop: StopToken | None = None,
    after: Callable[[Event], object] | None = None,
) -> list[Event]:
    events = []
    for event in run_inline(job, StopToken() if stop is None else stop):
        events.append(event)
        if after:
            after(event)
    return events


def is_shard(event: Event) -> bool:
    return isinstance(event, Progress) and event.what == "Preparing"


@pytest.mark.slow
def test_ray_goes_on_with_a_corpus_to_the_byte_though_its_workers_are_killed(
    tmp_path: Path,
) -> None:
    sources = (write_sources(tmp_path / "shards"), write_files(tmp_path / "files"))
    *_, here = told(job(sources, tmp_path / "here", "local"))
    assert isinstance(here, Finished), here
    out, stop = tmp_path / "there", StopToken()
    parts = tmp_path / "there.preparing" / "parts"
    told(
        job(sources, out, "local"),
        stop,
        lambda _: any(parts.glob("*.arrow")) and stop.request("stop"),
    )
    assert any(parts.glob("*.arrow"))
    killed: list[psutil.Process] = []
    addresses: set[str] = set()

    def kill(event: Event) -> None:
        if is_shard(event) and not killed:
            processes = ray_processes()
            addresses.update(
                each.laddr.ip.removeprefix("::ffff:")
                for process in processes
                for each in process.net_connections("inet")
                if each.status == psutil.CONN_LISTEN
            )
            killed.extend(workers_of(processes))
            for process in killed:
                process.kill()

    events = told(job(sources, out, "ray"), after=kill)
    assert GOES_ON in events and isinstance(events[-1], Finished), events[-1]
    assert killed and not ray_processes()
    assert addresses == {"127.0.0.1"}
    assert content_of(out) == content_of(tmp_path / "here")
    skipped = events[-1].result.prepared.statistics["skipped"]
    assert skipped["rows that cannot be read"] == 2
    assert skipped["tables that cannot be read to their end"] == 1
    assert skipped["files without enough text that can be read"] == 1


def test_stopped_while_it_starts_ray_leaves_nothing(tmp_path: Path) -> None:
    sources, stop = (write_sources(tmp_path / "shards"),), StopToken()
    before = set(Path("/tmp").glob("epitome-ray-*"))

    def stop_it() -> None:
        while not ray_processes():
            stop.wait(0.02)
        stop.request("stop")

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(stop_it)
        assert told(job(sources, tmp_path / "made", "ray"), stop)[-1] == Stopped("stop")
        asked.result()
    assert not ray_processes()
    assert set(Path("/tmp").glob("epitome-ray-*")) <= before


@pytest.mark.slow
def test_a_cluster_makes_the_same_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = write_sources(tmp_path / "shards")
    words = ["corpus", str(sources), "--make", "gsg", "--processes", "2"]
    assert main([*words, "--out", str(tmp_path / "here")]) == 0
    here = capsys.readouterr()
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "5" * 40)
    with ray_cluster() as address:
        sent = ["--engine", "ray", "--cluster", address, "--out", str(tmp_path / "there")]
        assert main([*words, *sent]) == 0, capsys.readouterr().err
    there = capsys.readouterr()
    assert there.out == here.out
    assert there.err.startswith("The documents are sent over the network, unencrypted, to the")
    assert content_of(tmp_path / "there") == content_of(tmp_path / "here")


def test_a_cluster_that_is_not_there_is_told(tmp_path: Path) -> None:
    sources = (write_sources(tmp_path / "shards"),)
    *_, last = told(job(sources, tmp_path / "made", "ray", cluster="127.0.0.1:1"))
    assert isinstance(last, Failed) and last.kind == "unreachable"
    assert last.message.startswith("The Ray cluster at 127.0.0.1:1 cannot be reached from this")
    assert last.remedy.endswith("ray start --address 127.0.0.1:1.")

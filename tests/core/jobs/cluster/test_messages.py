"""What clients and workers send each other, and what is refused; no cluster is needed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cli.main import main
from core.distribution.parts import Part, part_of
from core.errors import EpitomeError
from core.events import Failed, Finished, result_of
from core.jobs.batches.summarise_batch import SummariseBatchJob
from core.jobs.cluster import worker
from core.jobs.cluster.address import checked_address
from core.jobs.cluster.environment import Environment
from core.jobs.cluster.messages import OtherEnvironmentError
from core.jobs.run import run_inline
from core.jobs.sources.source_files import NamedSource
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import Summarised, SummariseJob, SummariseSettings
from core.stop import StopToken
from tests.helpers.towns import text_of

_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_KINDS = st.sampled_from(["summary", "shard", "failed", "kept", ""])
NO_JOB = SummariseJob(SourceRef(text=""), SummariseSettings())


@pytest.fixture
def job(tmp_path: Path) -> SummariseJob:
    file = tmp_path / "towns.txt"
    file.write_text(text_of("Arden"), "utf-8")
    return SummariseJob(SourceRef(path=file), SummariseSettings(length="2s"))


def order_of(job: SummariseJob) -> bytes:
    return result_of(job.write_order(StopToken()))


def reply_to(order: bytes) -> bytes:
    try:
        (reply,) = worker.run_orders([order])
    finally:
        worker._process().close()
    return reply


def test_a_worker_gives_the_summary_that_this_machine_makes(job: SummariseJob) -> None:
    there = job.read_reply(reply_to(order_of(job)))
    assert isinstance(there, Summarised)
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished)
    here = last.result
    assert replace(there.summary, seconds=0) == replace(here.summary, seconds=0)
    assert there.outline == here.outline and there.timings_s.keys() == here.timings_s.keys()
    document = there.document
    assert (document.title, document.source) == (here.document.title, here.document.source)
    for sentence in here.summary.sentences:
        for item in sentence.evidence:
            quoted = document.passage(item.start, item.end)
            assert quoted == here.document.passage(item.start, item.end) != ""


def test_text_and_piped_bytes_are_sent_too(job: SummariseJob) -> None:
    for source in (
        SourceRef(text=text_of("Holm") + " \ud800"),
        SourceRef(data=text_of("Holm").encode(), name="Standard input"),
    ):
        sent = replace(job, source=source)
        made = sent.read_reply(reply_to(order_of(sent)))
        assert isinstance(made, Summarised), made
        assert "Holm" in made.summary.text and made.summary.source.path == ""


def test_what_a_worker_cannot_do_is_refused_before_it_is_sent(job: SummariseJob) -> None:
    locked = replace(job, source=replace(job.source, password="secret"))
    with pytest.raises(EpitomeError, match="Passwords are not sent to a cluster") as refused:
        order_of(locked)
    assert refused.value.kind == "password"
    settings = job.settings.model_copy(update={"model": "mine"})
    with pytest.raises(EpitomeError, match="built-in summariser only, not with mine"):
        order_of(replace(job, settings=settings))
    with pytest.raises(EpitomeError, match="no file"):
        order_of(replace(job, source=SourceRef(path=Path("gone.txt"))))


def test_an_order_of_another_version_is_not_done(
    job: SummariseJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Environment.here()
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(Environment, "here", lambda: replace(here, version="9.9"))
        order = order_of(job)
    (reply,) = worker.run_orders([order])
    assert json.loads(reply) == {"environment": vars(here)}
    with pytest.raises(OtherEnvironmentError, match=f"A worker has {here}; this machine has"):
        job.read_reply(reply)


@pytest.mark.parametrize("order", [b"", b"{}\n", b"[1]\ntext", b"\xff", b"{" * 50_000])
def test_an_order_that_is_none_is_answered_with_a_failure(order: bytes) -> None:
    (reply,) = worker.run_orders([order])
    assert isinstance(NO_JOB.read_reply(reply), Failed)


@given(st.binary() | _PLAIN | _PLAIN.map(json.dumps).map(str.encode))
def test_a_reply_may_be_anything(reply: object) -> None:
    found = NO_JOB.read_reply(reply)
    assert isinstance(found, Failed) and found.kind == "reply"


@given(_KINDS, _PLAIN)
def test_a_reply_in_the_right_form_may_hold_anything(kind: str, value: object) -> None:
    found = NO_JOB.read_reply(json.dumps({kind: value}).encode())
    assert isinstance(found, Failed)


@given(_PLAIN)
def test_a_hostile_environment_is_no_other_error(value: object) -> None:
    reply = json.dumps({"environment": value}).encode()
    found = NO_JOB.read_reply(reply)
    assert isinstance(found, Failed) and found.kind == "reply"


@pytest.mark.parametrize(
    "address",
    ["tcp://host:8786", "tls://10.0.0.7:1", "tcp://[::1]:8786", " tcp://a-b.c:65535 ", ""],
)
def test_addresses(address: str) -> None:
    assert checked_address(address) == address.strip()


@pytest.mark.parametrize(
    "address",
    ["host:8786", "tcp://host", "http://host:80", "tcp://host:0", "tcp://host:65536", "tcp://:1",
     "tcp://a b:1", "tcp://u@h:1", "tcp://host:8786/x"],
)  # fmt: skip
def test_what_is_no_address(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="should look like tcp://host:8786"):
        checked_address(address)
    assert main(["summarise", "x.txt", "--cluster", address]) == 2
    assert "is no address of a Dask scheduler" in capsys.readouterr().err


def test_without_the_part_the_command_says_which_to_install(
    job: SummariseJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Part, "is_installed", property(lambda part: part.name != "cluster"))
    named = NamedSource("towns.txt", job.source)
    batch = SummariseBatchJob((named,), job.settings, cluster="tcp://127.0.0.1:9")
    *_, last = run_inline(batch, StopToken())
    assert isinstance(last, Failed) and last.kind == "missing-cluster"
    assert last.message.startswith("The part “Several machines” (Dask) is not installed")
    assert last.remedy == f"Run {part_of('cluster').command}."


def test_the_command_refuses_what_a_cluster_cannot_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["summarise", str(tmp_path), "--cluster", "tcp://127.0.0.1:9"]
    assert main([*line, "--model", "mine"]) == 2
    assert "built-in summariser only, not with mine" in capsys.readouterr().err
    assert main([*line, "--password-file", "secret.txt"]) == 2
    assert "Passwords are not sent to a cluster" in capsys.readouterr().err

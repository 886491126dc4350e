"""A trained run writes the summary of a document that is open."""

import gc
import os
import shutil
import weakref
from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.readers.door import read_pasted
from core.events import Event, Failed, Finished, Progress, Stopped, result_of
from core.jobs.run import run_inline
from core.jobs.sources import SourceRef
from core.jobs.summarise import SummariseJob, SummariseSettings
from core.jobs.warm_model import WARM
from core.jobs.write_summary import WriteSummaryJob
from core.stop import StopToken
from core.summary import Length
from tests.helpers.corpora import TEXTS
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan

TEXT = "\n\n".join(TEXTS[:4])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    corpus = tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")
    plan = tiny_plan(corpus, validate_every=12, rouge_rows=0)
    assert isinstance(run_events(folder, plan)[-1], Finished)
    return folder


def document() -> Document:
    return result_of(read_pasted(TEXT, "", StopToken()))


def events(run: Path, stop: StopToken | None = None) -> list[Event]:
    job = WriteSummaryJob(document(), run, Length(40, "words"), seconds=90.0)
    return list(run_inline(job, StopToken() if stop is None else stop))


def test_the_window_gets_what_the_command_line_gets(run: Path) -> None:
    told = events(run)
    assert any(isinstance(event, Progress) and event.what == "Writing" for event in told)
    assert isinstance(told[-1], Finished), told[-1]
    summary = told[-1].result
    settings = SummariseSettings(length="40w", model=str(run))
    *_, last = run_inline(SummariseJob(SourceRef(text=TEXT), settings), StopToken())
    assert isinstance(last, Finished), last
    expected = last.result.summary
    assert (summary.sentences, summary.notes) == (expected.sentences, expected.notes)
    assert summary.model == "tiny, step 12"


def test_the_time_that_reading_took_is_part_of_what_is_told(run: Path) -> None:
    last = events(run)[-1]
    assert isinstance(last, Finished), last
    assert last.result.seconds > 90


def test_a_wish_to_stop_is_heeded(run: Path) -> None:
    stop = StopToken()
    stop.request("cancel")
    assert events(run, stop)[-1] == Stopped("cancel")


def test_a_run_that_is_gone_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    assert events(gone)[-1] == Failed(
        f"There is no run in {gone}.", "Train one with epitome train."
    )


def weights_of(run: Path) -> Path:
    (weights,) = run.glob("checkpoints/*/model.safetensors")
    return weights


def spoil(file: Path, *, unseen: bool) -> None:
    """Writes another content of the same size into a file."""
    status = file.stat()
    file.write_bytes(bytes(status.st_size))
    if unseen:
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def copied(run: Path, folder: Path) -> Path:
    shutil.copytree(run, folder)
    return folder


def test_a_second_length_does_not_read_the_weights_again(run: Path, tmp_path: Path) -> None:
    own = copied(run, tmp_path / "own")
    assert isinstance(events(own)[-1], Finished)
    spoil(weights_of(own), unseen=True)
    *_, last = run_inline(WriteSummaryJob(document(), own, Length(2)), StopToken())
    assert isinstance(last, Finished), last


def test_weights_that_changed_are_read_again(run: Path, tmp_path: Path) -> None:
    own = copied(run, tmp_path / "own")
    assert isinstance(events(own)[-1], Finished)
    spoil(weights_of(own), unseen=False)
    last = events(own)[-1]
    assert isinstance(last, Failed) and "has no usable checkpoint" in last.message


def test_the_optimiser_is_not_read_to_write_a_summary(run: Path, tmp_path: Path) -> None:
    own = copied(run, tmp_path / "own")
    (weights_of(own).parent / "optimizer.safetensors").unlink()
    assert isinstance(events(own)[-1], Finished)


def test_a_model_is_let_go_when_another_is_asked_for(run: Path, tmp_path: Path) -> None:
    assert isinstance(events(run)[-1], Finished)
    first = weakref.ref(WARM.open(run))
    assert isinstance(events(tmp_path / "gone")[-1], Failed)
    gc.collect()
    assert first() is None

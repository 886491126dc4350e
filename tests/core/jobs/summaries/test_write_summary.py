"""A trained run writes the summary of a document that is open."""

import gc
import os
import shutil
import weakref
from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.readers.door import read_pasted
from core.errors import NO_RUN
from core.events import Event, Failed, Finished, Progress, Stopped, result_of
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseJob, SummariseSettings
from core.jobs.summaries.write_summary import WriteSummaryJob
from core.stop import StopToken, Wish
from core.summaries.summary import Length
from core.summarisers.events import TextWritten
from core.summarisers.warm_model import WARM
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
        f"There is no run in {gone}.", "Train one with epitome train.", kind=NO_RUN
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


def streamed(job: WriteSummaryJob, stop_after: int = -1, wish: Wish = "stop") -> list[Event]:
    """The events of a job that is asked to end after so many told texts."""
    stop, told, found = StopToken(), 0, list[Event]()
    for event in run_inline(job, stop):
        found.append(event)
        told += isinstance(event, TextWritten)
        if told == stop_after:
            stop.request(wish)
    return found


@pytest.fixture(scope="module")
def talker(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model, which may write 60 tokens."""
    own = tmp_path_factory.mktemp("talker") / "talker"
    shutil.copytree(run, own)
    job = own / "job.toml"
    job.write_text(job.read_text("utf-8").replace("max_length = 6", "max_length = 60"), "utf-8")
    return own


def words_of(text: str) -> list[str]:
    return text.split()


def test_the_text_is_told_as_it_is_written(talker: Path) -> None:
    found = streamed(WriteSummaryJob(document(), talker, Length(100, "words")))
    texts = [event.text for event in found if isinstance(event, TextWritten)]
    assert len(texts) > 10
    assert isinstance(found[-1], Finished), found[-1]
    whole = words_of(texts[-1])
    for sentence in found[-1].result.sentences:
        assert sentence.text in " ".join(whole)
    sizes = [len(text) for text in texts]
    assert sizes == sorted(sizes)


def test_what_is_stopped_keeps_what_is_written_with_its_evidence(talker: Path) -> None:
    job = WriteSummaryJob(document(), talker, Length(100, "words"))
    found = streamed(job, stop_after=12)
    last = found[-1]
    assert isinstance(last, Finished), last
    texts = [event.text for event in found if isinstance(event, TextWritten)]
    assert len(texts) < 60
    summary = last.result
    assert summary.sentences and all(each.text in texts[-1] for each in summary.sentences)
    assert "The writing was stopped; this is what the model had written by then." in summary.notes
    assert not any("maximum length" in note for note in summary.notes)


def test_parts_that_were_not_reached_are_told(talker: Path) -> None:
    long = result_of(read_pasted("\n\n".join(TEXTS[:40]), "", StopToken()))
    found = streamed(WriteSummaryJob(long, talker, Length(400, "words")), stop_after=3)
    last = found[-1]
    assert isinstance(last, Finished), last
    read = last.result.read
    (left_out,) = [each for each in read.left_out if "stopped" in each.why]
    assert left_out.words and read.words + left_out.words <= long.reading.words


def test_what_is_cancelled_keeps_nothing(talker: Path) -> None:
    job = WriteSummaryJob(document(), talker, Length(100, "words"))
    assert streamed(job, stop_after=5, wish="cancel")[-1] == Stopped("cancel")


def test_the_command_line_keeps_no_part_of_a_summary(talker: Path) -> None:
    stop = StopToken()
    settings = SummariseSettings(length="100w", model=str(talker))
    for event in run_inline(SummariseJob(SourceRef(text=TEXT), settings), stop):
        if isinstance(event, TextWritten):
            stop.request("stop")
        last = event
    assert last == Stopped("stop")

"""A trained run writes the summary of a document that is open."""

from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.readers.door import read_pasted
from core.events import Event, Failed, Finished, Progress, Stopped, result_of
from core.jobs.run import run_inline
from core.jobs.sources import SourceRef
from core.jobs.summarise import SummariseJob, SummariseSettings
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

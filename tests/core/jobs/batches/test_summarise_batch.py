"""Many sources, one after the other: each has its summary or its failure, and small events."""

import pickle
import re
from pathlib import Path

import pytest

from core.events import Event, Failed, Finished, Progress, Stopped
from core.jobs.batches.summarise_batch import (
    BatchDone,
    SourceBegun,
    SourceFailed,
    SourceSummarised,
    SummariseBatchJob,
)
from core.jobs.run import run_inline
from core.jobs.sources.source_files import FolderOptions, NamedSource, files_named
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseSettings
from core.stop import StopToken

TEXT = " ".join(f"The pump number {n} draws water from basin {n + 1}." for n in range(12))


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in ("a.txt", "c.txt"):
        (folder / name).write_text(TEXT, "utf-8")
    (folder / "b.pdf").write_bytes(b"%PDF-1.4 nothing more")
    return folder


def batch(papers: Path, out: Path | None, **changes: object) -> SummariseBatchJob:
    found, _ = files_named(str(papers), FolderOptions())
    settings = SummariseSettings(length="2s")
    return SummariseBatchJob(found, settings, out, **changes)  # type: ignore[arg-type]


def events_of(job: SummariseBatchJob) -> list[Event]:
    return list(run_inline(job, StopToken()))


def test_one_failure_stops_no_other_and_events_are_small(papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    job = pickle.loads(pickle.dumps(batch(papers, out)))
    events = events_of(job)
    told = [event for event in events if isinstance(event, SourceSummarised | SourceFailed)]
    assert [Path(event.name).name for event in told] == ["a.txt", "b.pdf", "c.txt"]
    first, second, third = told
    assert isinstance(first, SourceSummarised) and first.place == out / "a.md"
    assert first.lines[0].startswith("Read all ") and first.result is None
    assert isinstance(second, SourceFailed) and second.failure.remedy
    assert isinstance(third, SourceSummarised)
    last = events[-1]
    assert isinstance(last, Finished)
    assert last.result == BatchDone(3, 2, (second.name,), (out / "a.md", out / "c.md"))
    assert max(len(pickle.dumps(event)) for event in events) < 2_000
    assert sorted(path.name for path in out.iterdir()) == ["a.md", "c.md"]


@pytest.mark.parametrize("replace", [False, True])
def test_a_place_that_cannot_be_written_costs_no_summary(
    papers: Path, tmp_path: Path, *, replace: bool
) -> None:
    out = tmp_path / "out"
    (out / "a.md").mkdir(parents=True)
    events = events_of(batch(papers, out, replace=replace))
    places = [
        (event.place, event.occupied) for event in events if isinstance(event, SourceSummarised)
    ]
    assert places == [(out / "a-2.md", out / "a.md"), (out / "c.md", None)]


def test_a_wish_to_stop_keeps_what_is_written(papers: Path, tmp_path: Path) -> None:
    stop, events = StopToken(), []
    for event in run_inline(batch(papers, tmp_path / "out"), stop):
        events.append(event)
        if isinstance(event, SourceSummarised):
            stop.request("stop")
    assert events[-1] == Stopped("stop")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.md"]


def test_each_source_is_named_before_its_progress(papers: Path) -> None:
    events = events_of(batch(papers, None, with_results=True))
    begun = [event.name for event in events if isinstance(event, SourceBegun)]
    assert [Path(name).name for name in begun] == ["a.txt", "b.pdf", "c.txt"]
    first = next(n for n, event in enumerate(events) if isinstance(event, Progress))
    assert isinstance(events[first - 1], SourceBegun)
    done = next(event for event in events if isinstance(event, SourceSummarised))
    assert done.place is None and done.result is not None
    assert len(done.result.summary.sentences) == 2


def test_what_was_found_to_be_nothing_is_a_failure_of_its_own() -> None:
    nothing = NamedSource("empty", Failed("Nothing.", "Name another."))
    events = events_of(SummariseBatchJob((nothing,), SummariseSettings()))
    assert SourceFailed("empty", Failed("Nothing.", "Name another.")) in events


def test_nobody_is_asked_where_there_is_nobody() -> None:
    pipe = NamedSource("standard input", SourceRef(name="Standard input"))
    events = events_of(SummariseBatchJob((pipe,), SummariseSettings(), as_list=False))
    assert any(isinstance(event, SourceFailed) for event in events)


def test_the_events_do_not_depend_on_the_number_of_processes(papers: Path, tmp_path: Path) -> None:
    (papers / "d").mkdir()
    for number in range(4):
        (papers / f"e{number}.txt").write_text(TEXT + f" Basin {number} is dry.", "utf-8")
    (papers / "d" / "a.txt").write_text(TEXT, "utf-8")
    told = []
    for processes in (1, 3):
        out = tmp_path / f"out{processes}"
        events = events_of(batch(papers, out, processes=processes))
        kept = [event for event in events if not isinstance(event, Progress)]
        words = [str(event).replace(str(out), "OUT") for event in kept]
        told.append([re.sub(r"(?: Under)? [\d.]+\\u202fs\.", "", each) for each in words])
        files = {path.name: path.read_bytes() for path in sorted(out.iterdir())}
        assert sorted(files) == ["a-2.md", "a.md", "c.md", "e0.md", "e1.md", "e2.md", "e3.md"]
    assert told[0] == told[1]

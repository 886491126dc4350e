"""Queued sweeps: measured one after another, kept as they come, with what was forecast."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.events import Event, Finished, Progress, Stopped
from core.jobs.call import CallJob
from core.jobs.lanes.kinds import KINDS
from core.jobs.profiling.queued_profile import (
    MeasurePointsJob,
    Sweep,
    load_sweeps_job,
    specify_sweeps,
    specify_sweeps_again,
)
from core.jobs.run import run_inline
from core.library.folders import Folders
from core.models.reformer.settings import ReformerSettings
from core.models.transformer.settings import TransformerSettings
from core.profiling.kept_points import DatedPoint, identity_of, keep, key_of, read_points
from core.profiling.point_forecast import forecast_point
from core.profiling.settings import ProfileSettings
from core.runs.events_file import EventsFile
from core.stop import StopToken
from tests.helpers.measurements import done, failed

TINY = ReformerSettings(
    vocabulary_size=64, length=64, width=32, depth=1, heads=2, bucket_size=16, buckets=4
)
STEP = ProfileSettings(steps=1, warm_up=1, threads=1, device="cpu", vary=("length=32,64",))


def kept_in(file: Path, offset: int = 0) -> tuple[DatedPoint, ...]:
    *_, last = run_inline(CallJob(read_points, file, offset), StopToken())
    assert isinstance(last, Finished)
    return last.result.points  # type: ignore[attr-defined, no-any-return]


def stopped_after_one(job: MeasurePointsJob) -> list[Event]:
    stop, events = StopToken(), []
    for event in run_inline(job, stop):
        events.append(event)
        if isinstance(event, Progress) and event.done == 1:
            stop.request("pause")
    return events


@pytest.mark.slow
def test_a_stopped_sweep_keeps_its_points_and_goes_on_with_the_others(tmp_path: Path) -> None:
    file, began = tmp_path / "points.jsonl", datetime.now(UTC)
    job = MeasurePointsJob((Sweep(TINY, STEP),), file, began)
    assert stopped_after_one(job)[-1] == Stopped("pause")
    (first,) = kept_in(file)
    assert first.kept.point["length"] == 32 and first.kept.found is not None
    assert first.kept.found.num_tokens == 32 and first.kept.forecast_bytes > 0
    assert list(run_inline(job, StopToken()))[-1] == Finished(2)
    again, second = kept_in(file)
    assert again == first and second.kept.point["length"] == 64


def test_points_that_were_kept_since_then_are_not_measured_again(tmp_path: Path) -> None:
    file, sweep, began = tmp_path / "points.jsonl", Sweep(TINY, STEP), datetime.now(UTC)
    store = EventsFile(file)
    for point in sweep.points:
        store.append(keep(done(point), forecast_point(point)))
    events = list(run_inline(MeasurePointsJob((sweep,), file, began), StopToken()))
    assert events[-1] == Finished(2) and len(kept_in(file)) == 2


def test_a_kept_point_is_read_back_as_it_was_found(tmp_path: Path) -> None:
    file, (point, other) = tmp_path / "points.jsonl", Sweep(TINY, STEP).points
    told = forecast_point(point)
    kept = [keep(done(point), told), keep(failed(other), told)]
    store = EventsFile(file)
    for each in kept:
        store.append(each)
    assert [each.kept for each in kept_in(file)] == kept
    assert kept[0].key == key_of(identity_of(point)) != kept[1].key


def test_how_often_a_point_is_measured_makes_no_other_point() -> None:
    (point, _) = Sweep(TINY, STEP).points
    often = replace(point, step=point.step.model_copy(update={"steps": 9, "learning_rate": 1.0}))
    larger = replace(point, step=point.step.model_copy(update={"batch": 2}))
    assert identity_of(often) == identity_of(point) != identity_of(larger)


def test_a_job_is_frozen_as_job_files_of_the_command_and_read_back(home: Path) -> None:
    sweeps = (Sweep(TINY, STEP), Sweep(TransformerSettings(width=32), ProfileSettings()))
    order = specify_sweeps(sweeps)
    order.folder.mkdir(parents=True)
    order.save()
    job = load_sweeps_job(order.folder)
    assert job.sweeps == sweeps and job.file == Folders.of_this_user().measurements_file
    assert 'command = "profile"' in (order.folder / "sweep-001.toml").read_text("utf-8")
    again = specify_sweeps_again(order.folder)
    assert again.folder != order.folder and again.title == order.title == (
        "Measuring 3 points of memory and time"
    )
    assert KINDS[order.kind].load(order.folder) == job

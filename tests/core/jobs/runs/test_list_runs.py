"""Every run on the disk is listed with what it is and how it stands."""

import sys
from pathlib import Path

import pytest

from core.events import Failed, Finished, Progress, Stopped
from core.jobs.call import CallJob
from core.jobs.queue.job_queue import JobQueue
from core.jobs.run import run_inline
from core.jobs.runs.list_runs import RunCard, list_runs
from core.jobs.training.queued_training import specify_resumed, specify_training
from core.library.folders import Folders
from core.runs.about import RunAbout, write_about
from core.runs.events import Resumed
from core.runs.events_file import EventsFile, read_events
from core.runs.folder import RunFolder, at_work
from core.runs.model_card import ModelCard, write_model_card
from core.stop import StopToken
from core.training.events import StepDone
from tests.helpers.runs import finished_run, run_events, stopped_run, tiny_corpus, tiny_plan


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("home") / "corpus")


@pytest.fixture
def runs() -> Path:
    return Folders.of_this_user().runs


def cards(runs: Path, *more: Path) -> dict[str, RunCard]:
    (last,) = run_inline(CallJob(list_runs, runs, more), StopToken())
    assert isinstance(last, Finished)
    return {card.title: card for card in last.result}


def test_runs_in_every_state_are_told_apart(corpus: Path, runs: Path) -> None:
    plan = tiny_plan(corpus, objective="summary")
    finished_run(runs / "done", plan)
    stopped_run(runs / "paused", plan, "pause")
    finished_run(runs / "killed", plan)
    events = RunFolder(runs / "killed").events_file
    lines = events.read_bytes().splitlines(keepends=True)
    last = max(at for at, line in enumerate(lines) if b"StepDone" in line)
    events.write_bytes(b"".join(lines[: last + 1]))
    JobQueue.of_this_user().add(specify_training(plan, runs / "waiting"))
    (runs / "no run").mkdir()
    found = cards(runs)
    states = {name: card.state for name, card in found.items()}
    assert states == {
        "done": "finished", "paused": "paused", "killed": "failed", "waiting": "waiting",
    }  # fmt: skip
    done = found["done"]
    assert (done.objective, done.corpus, done.length) == ("summary", "corpus", 192)
    assert (done.step, done.steps) == (12, 12)
    assert done.validation is not None and set(done.validation.rouge) == {"1", "2", "L"}
    assert found["killed"].failure is not None
    assert "interrupted" in found["killed"].failure.message


def test_a_run_at_work_is_running_and_tells_its_step(corpus: Path, runs: Path) -> None:
    finished_run(runs / "run", tiny_plan(corpus))
    folder = RunFolder(runs / "run")
    with at_work(folder) as heartbeat:
        heartbeat.show(Progress(13, 20, "steps", "Training"))
        card = cards(runs)["run"]
    assert (card.state, card.step) == ("running", 13)
    assert cards(runs)["run"].state == "finished"


def test_steps_that_a_resumed_run_takes_back_are_not_listed(corpus: Path, runs: Path) -> None:
    finished_run(runs / "run", tiny_plan(corpus, steps=12))
    folder = RunFolder(runs / "run")
    recorded = read_events(folder.events_file)
    after = next(each.number for each in recorded if each.kind == "ValidationDone")
    first = cards(runs)["run"].validation
    events = EventsFile(folder.events_file)
    events.append(Resumed(after, 6))
    card = cards(runs)["run"]
    assert (card.step, card.state) == (6, "failed")
    assert card.validation is not None and first is not None
    assert (card.validation.step, first.step) == (6, 12)
    events.append(Stopped("pause"))
    card = cards(runs)["run"]
    assert (card.step, card.state, card.failure) == (6, "paused", None)


def test_what_a_run_failed_with_is_told(corpus: Path, runs: Path) -> None:
    folder = RunFolder(runs / "run")
    folder.path.mkdir(parents=True)
    tiny_plan(corpus).save(folder)
    failure = Failed("The disk is full.", "Free some space.")
    EventsFile(folder.events_file).append(StepDone(1, 0, 2.0, 1.0, 1e-3, 9, 9, 0.1))
    EventsFile(folder.events_file).append(failure)
    card = cards(runs)["run"]
    assert (card.state, card.failure, card.step) == ("failed", failure, 1)


def test_a_given_name_and_notes_are_shown(corpus: Path, runs: Path) -> None:
    finished_run(runs / "run", tiny_plan(corpus, steps=1))
    write_about(RunFolder(runs / "run"), RunAbout("First try", "Too short."))
    card = cards(runs)["First try"]
    assert (card.folder, card.notes) == (runs / "run", "Too short.")


def test_a_damaged_plan_hides_no_run(corpus: Path, runs: Path) -> None:
    finished_run(runs / "run", tiny_plan(corpus, steps=1))
    (runs / "run" / "job.toml").write_text("this is = = no TOML", "utf-8")
    assert cards(runs)["run"].state == "finished"


def test_an_imported_model_with_a_damaged_card_is_no_run(corpus: Path, runs: Path) -> None:
    plan = tiny_plan(corpus, objective="summary")
    for name in ("imported", "trained"):
        run = RunFolder(finished_run(runs / name, plan))
        write_model_card(run, ModelCard(imported="2026-01-01" if name == "imported" else ""))
    RunFolder(runs / "imported").events_file.unlink()  # there never was one
    assert set(cards(runs)) == {"trained"}
    for name in ("imported", "trained"):
        RunFolder(runs / name).card_file.write_bytes(b"{")
    assert set(cards(runs)) == {"trained"}


def test_runs_elsewhere_are_listed_when_they_are_named(
    corpus: Path, runs: Path, tmp_path: Path
) -> None:
    finished_run(tmp_path / "usb" / "run", tiny_plan(corpus, steps=1))
    assert cards(runs) == {}
    assert set(cards(runs, tmp_path / "usb" / "run")) == {"run"}


@pytest.mark.skipif(sys.platform == "win32", reason="the folder is held open")
def test_a_run_of_the_command_line_can_be_resumed_and_cancelled_like_a_queued_one(
    corpus: Path, runs: Path
) -> None:
    stopped_run(runs / "run", tiny_plan(corpus), "stop")
    queue = JobQueue.of_this_user()
    job = queue.adopt(specify_resumed(runs / "run", "First try"))
    assert (job.state, job.title, job.lane) == ("stopped", "First try", "cpu")
    assert queue.adopt(specify_resumed(runs / "run")).id == job.id
    assert queue.resume(job.id).state == "waiting"
    queue.ask(job.id, "stop")
    assert queue.ask(job.id, "cancel").state == "cancelled"
    assert not (runs / "run").exists()
    queue.undo_cancel(job.id)
    assert run_events(runs / "run")[-1].__class__ is Finished


def test_stopped_is_not_paused(corpus: Path, runs: Path) -> None:
    finished_run(runs / "run", tiny_plan(corpus, steps=1))
    events = EventsFile(RunFolder(runs / "run").events_file)
    events.append(Stopped("stop"))
    assert cards(runs)["run"].state == "stopped"

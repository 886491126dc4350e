"""A queued training run outlives whoever queued it, is paused, and goes on to the bit."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.events import Failed, Finished, Progress, Stopped
from core.jobs.lanes.lane import attend
from core.jobs.queue.job_queue import JobQueue
from core.jobs.run import run_inline
from core.jobs.training.queued_training import load_training_job, specify_training
from core.jobs.training.train import TrainJob
from core.library.folders import Folders
from core.library.preferences import Preferences, save_preferences
from core.runs.events import Resumed
from core.runs.events_file import read_events
from core.runs.folder import RunFolder, begin_start
from core.stop import StopToken
from core.training.events import StepDone
from core.training.plan import RunPlan
from tests.helpers.queued_jobs import events_of, queue_of
from tests.helpers.runs import curve, run_events, tiny_corpus, tiny_plan

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are ended as on POSIX")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")


@pytest.fixture
def queue(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobQueue]:
    with queue_of(home, monkeypatch) as queue:
        yield queue


@pytest.mark.slow
@pytest.mark.usefixtures("products_of_processes")
def test_a_paused_run_goes_on_to_the_bit(queue: JobQueue, corpus: Path, tmp_path: Path) -> None:
    plan = tiny_plan(corpus, steps=30, validate_every=30)
    run_events(tmp_path / "whole", plan)
    folder = tmp_path / "run"
    job = queue.add(specify_training(plan, folder))
    attend(queue)
    told, asked = [], False
    for event in events_of(queue, job.id):
        told.append(event)
        if isinstance(event, StepDone) and not asked:
            asked = True
            queue.ask(job.id, "pause")
    assert told[-1] == Stopped("pause"), told[-1]
    assert any(isinstance(event, Progress) and event.what == "Training" for event in told)
    steps = [event.step for event in told if isinstance(event, StepDone)]
    assert len(steps) < 30
    queue.resume(job.id)
    attend(queue)
    told = list(events_of(queue, job.id))
    assert isinstance(told[-1], Finished), told[-1]
    assert told[-1].result["step"] == 30
    assert [event.step for event in told if isinstance(event, StepDone)] == list(range(1, 31))
    assert [event.step for event in told if isinstance(event, Resumed)] == [len(steps)]
    assert curve(folder) == curve(tmp_path / "whole")


def test_what_is_missing_is_told_with_its_remedy(queue: JobQueue, tmp_path: Path) -> None:
    plan = tiny_plan(tmp_path / "no corpus")
    job = queue.add(specify_training(plan, tmp_path / "run"))
    attend(queue)
    told = list(events_of(queue, job.id))
    assert isinstance(told[-1], Failed)
    assert str(tmp_path / "no corpus") in told[-1].message
    assert not (tmp_path / "run" / "job.toml").exists()


def test_a_run_is_never_queued_over_another(queue: JobQueue, tmp_path: Path) -> None:
    (tmp_path / "job.toml").touch()
    with pytest.raises(EpitomeError) as error:
        queue.add(specify_training(tiny_plan(tmp_path), tmp_path))
    assert error.value.message == f"There is a run in {tmp_path} already."
    assert queue.jobs() == []


def test_what_a_queued_run_names_is_looked_up_at_once(
    queue: JobQueue, home: Path, tmp_path: Path
) -> None:
    (home / "data" / "corpora" / "patents").mkdir(parents=True)
    plan = tiny_plan(Path("patents"))
    job = queue.add(specify_training(plan, tmp_path / "run"))
    named = RunPlan.read(job.folder / "queued.toml").run.corpus
    assert named == str(home / "data" / "corpora" / "patents")


def test_a_new_run_takes_no_folder_that_holds_other_files(tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").touch()
    job = TrainJob(tmp_path, tiny_plan(tmp_path))
    with pytest.raises(EpitomeError, match=r"holds other files \(thesis\.docx\)"):
        job.check(RunFolder(tmp_path))


def test_a_process_of_a_run_may_come_after_its_first_has_begun_to_write(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.lock_file.touch()
    TrainJob(tmp_path, tiny_plan(tmp_path)).check(folder, makes=False)


def test_a_run_that_was_ended_before_it_began_is_begun_again(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    begin_start(folder, 1)
    for file in (folder.lock_file, folder.progress_file, folder.environment_file):
        file.touch()
    folder.tokenizer.mkdir()
    TrainJob(tmp_path, tiny_plan(tmp_path)).check(folder)


def test_a_queued_run_that_failed_is_begun_again(tmp_path: Path) -> None:
    order = specify_training(tiny_plan(tmp_path), tmp_path)
    order.save()
    folder = RunFolder(tmp_path)
    for file in (folder.log_file, folder.events_file, folder.control_file, folder.about_file):
        file.touch()
    order.save()


@pytest.mark.parametrize("wished", [True, False])
def test_a_queued_run_keeps_the_computer_awake_and_logs_whether_it_could(
    home: Path, corpus: Path, tmp_path: Path, wished: bool
) -> None:
    file = Folders.of_this_user().settings_file
    save_preferences(Preferences(keep_awake=wished), file)
    folder = tmp_path / "run"
    specify_training(tiny_plan(corpus, steps=1, rouge_rows=0), folder).save()
    job = load_training_job(folder)
    assert job.stay_awake
    list(run_inline(job, StopToken()))
    texts = [str(each.values.get("text")) for each in read_events(folder / "events.jsonl")]
    assert any(text.startswith("The computer ") for text in texts) == wished

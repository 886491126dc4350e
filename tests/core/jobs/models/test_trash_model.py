"""A model goes to the trash, and comes back, but never while a job works on it."""

from pathlib import Path

from core.events import Failed, Finished
from core.jobs.call import CallJob
from core.jobs.models.trash_model import trash_model
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.trash import take_from_trash
from core.jobs.run import run_inline
from core.library.folders import Folders
from core.runs.folder import RunFolder, at_work
from core.stop import StopToken
from tests.helpers.models import a_model
from tests.helpers.queued_jobs import specify_count


def trashed(folder: Path, folders: Folders) -> Finished | Failed:
    *_, last = run_inline(CallJob(trash_model, folder, folders), StopToken())
    assert isinstance(last, Finished | Failed)
    return last


def test_a_model_goes_to_the_trash_and_comes_back(tmp_path: Path) -> None:
    folders = Folders.under(tmp_path)
    folder = a_model(folders.runs, "run")
    done = trashed(folder, folders)
    assert isinstance(done, Finished) and done.result.parent == folders.trash
    assert not folder.exists() and (done.result / "job.toml").exists()
    *_, back = run_inline(CallJob(take_from_trash, done.result, folder), StopToken())
    assert back == Finished(folder)
    assert (folder / "job.toml").exists() and not done.result.exists()


def test_a_place_that_was_taken_meanwhile_is_told(tmp_path: Path) -> None:
    folders = Folders.under(tmp_path)
    folder = a_model(folders.runs, "run")
    done = trashed(folder, folders)
    assert isinstance(done, Finished)
    folder.mkdir()
    *_, back = run_inline(CallJob(take_from_trash, done.result, folder), StopToken())
    assert isinstance(back, Failed) and back.remedy == "Move that folder away."
    assert (done.result / "job.toml").exists()


def test_a_model_that_is_being_trained_stays(tmp_path: Path) -> None:
    folders = Folders.under(tmp_path)
    folder = a_model(folders.runs, "run")
    with at_work(RunFolder(folder)):
        refused = trashed(folder, folders)
    assert isinstance(refused, Failed) and "has not ended" in refused.message
    assert (folder / "job.toml").exists()


def test_a_model_whose_job_waits_stays(tmp_path: Path) -> None:
    folders = Folders.under(tmp_path)
    queue = JobQueue(folders.job_queue, folders.trash)
    job = queue.add(specify_count(folders.runs / "run"))
    assert isinstance(trashed(job.folder, folders), Failed)
    queue.ask(job.id, "stop")
    assert isinstance(trashed(job.folder, folders), Finished)

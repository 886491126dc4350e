"""The trash of cancelled jobs: what lies there, for how long, and what is never deleted."""

import errno
import json
import os
import shutil
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from core.data.staging import exclusive
from core.errors import EpitomeError
from core.events import Failed, Finished, Stopped
from core.jobs.lanes import lane
from core.jobs.queue import trash
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.listing import JobLister
from core.jobs.queue.queued import JobSpec, QueuedJob
from core.runs.folder import RunFolder, begin_start
from core.storage.regular_files import rename_patiently
from tests.helpers.queued_jobs import specify_count

DAY_S = 86_400


@pytest.fixture
def queue(tmp_path: Path) -> JobQueue:
    return JobQueue(tmp_path / "jobs", tmp_path / "trash")


def add(queue: JobQueue, folder: Path, draft: Path | None = None) -> QueuedJob:
    files = {"queued.toml": folder.name}
    return queue.add(JobSpec("count", folder.name, "cpu", folder, files, draft))


def stopped(queue: JobQueue, folder: Path, draft: Path) -> QueuedJob:
    """A job that has worked on its draft."""
    job = add(queue, folder, draft)
    begun = queue.begin_next("cpu")
    assert begun is not None and begun.id == job.id
    draft.mkdir(parents=True, exist_ok=True)
    plan = {"version": 1, "make": "text", "settings": {}, "sources": []}
    (draft / "plan.json").write_text(json.dumps(plan), "utf-8")
    (draft / "work").touch()
    queue.end(job.id, begun.start, Stopped("stop"))
    return job


def trashed(queue: JobQueue, folder: Path) -> Path:
    """The place in the trash of a job that was cancelled."""
    place = queue.ask(add(queue, folder).id, "cancel").trashed
    assert place is not None
    return place


def test_what_has_lain_there_for_a_month_is_deleted_and_leaves_the_list(
    queue: JobQueue, tmp_path: Path
) -> None:
    place = trashed(queue, tmp_path / "a")
    left = tmp_path / "trash" / "of-a-job-that-is-not-listed-any-more-01234567"
    left.mkdir()
    now_s = time.time()
    queue.empty_trash(now_s + 29 * DAY_S)
    assert place.is_dir() and left.is_dir() and len(queue.jobs()) == 1
    queue.empty_trash(now_s + 31 * DAY_S)
    assert not place.exists() and not left.exists() and queue.jobs() == []


@pytest.mark.parametrize("name", ["photos", "photos-20240101"])
@pytest.mark.parametrize("is_link", [False, True])
def test_folders_of_others_in_the_trash_stay(
    queue: JobQueue, tmp_path: Path, name: str, is_link: bool
) -> None:
    place = tmp_path / ("elsewhere" if is_link else "trash")
    (place / name).mkdir(parents=True)
    (place / name / "a.jpg").touch()
    (place / "a-0123abcd").mkdir()
    if is_link:
        (tmp_path / "trash").symlink_to(place)
    queue.empty_trash(time.time() + 31 * DAY_S)
    assert (place / name / "a.jpg").exists()
    assert (place / "a-0123abcd").exists() == is_link


def test_a_failed_job_in_the_trash_says_what_can_be_done_there(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = add(queue, tmp_path / "a")
    begun = queue.begin_next("cpu")
    assert begun is not None
    queue.end(job.id, begun.start, Failed("It broke.", "Resume it: it goes on."))
    lister = JobLister(queue, tmp_path / "runs")
    assert lister.list()[0].note == "It broke. Resume it: it goes on."
    queue.ask(job.id, "cancel")
    (listed,) = lister.list()
    assert listed.state == "cancelled" and "in the trash for 30 days" in listed.note
    assert "Resume" not in listed.note
    queue.undo_cancel(job.id)
    assert lister.list()[0].note == "It broke. Resume it: it goes on."


def test_a_failed_run_that_was_resumed_elsewhere_is_listed_as_failed_no_more(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = queue.add(replace(specify_count(tmp_path / "runs" / "a"), kind="train"))
    begun = queue.begin_next("cpu")
    assert begun is not None
    queue.end(job.id, begun.start, Failed("It was killed.", "Resume it."))
    assert [now.state for now in JobLister(queue, tmp_path / "runs").list()] == ["failed"]
    begin_start(RunFolder(job.folder), begun.start + 1)
    assert JobLister(queue, tmp_path / "runs").list() == ()
    queue.resume(job.id)
    assert [now.state for now in JobLister(queue, tmp_path / "runs").list()] == ["waiting"]


def test_the_days_are_counted_from_the_cancel(queue: JobQueue, tmp_path: Path) -> None:
    job = add(queue, tmp_path / "a")
    os.utime(job.folder, (0, 0))
    place = queue.ask(job.id, "cancel").trashed
    assert place is not None and place.stat().st_mtime > time.time() - DAY_S
    queue.empty_trash()
    assert place.is_dir()


def test_what_was_taken_back_stays(queue: JobQueue, tmp_path: Path) -> None:
    job = add(queue, tmp_path / "a")
    queue.ask(job.id, "cancel")
    queue.undo_cancel(job.id)
    queue.empty_trash(time.time() + 31 * DAY_S)
    assert job.folder.is_dir() and len(queue.jobs()) == 1


@pytest.fixture
def two_disks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder from which nothing can be renamed into the trash."""

    def rename_on_its_disk(source: Path, target: Path) -> None:
        if tmp_path / "trash" in target.parents:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        rename_patiently(source, target)

    monkeypatch.setattr(trash, "rename_patiently", rename_on_its_disk)
    return tmp_path / "disk"


def test_a_trash_on_another_disk_is_emptied_too(queue: JobQueue, two_disks: Path) -> None:
    place = trashed(queue, two_disks / "a")
    assert place.is_relative_to(two_disks)
    queue.empty_trash(time.time() + 31 * DAY_S)
    assert not place.exists()


def test_on_another_disk_what_no_job_names_is_emptied_too(queue: JobQueue, two_disks: Path) -> None:
    forgotten = add(queue, two_disks / "of a job")
    places = [queue.ask(forgotten.id, "cancel").trashed]
    queue.forget(forgotten.id)
    for name in ("a model", "another"):
        (two_disks / name / "checkpoints").mkdir(parents=True)
        (two_disks / name / "job.toml").touch()
        places.append(queue.discard(two_disks / name))
    assert all(place is not None and place.is_relative_to(two_disks) for place in places)
    queue.empty_trash(time.time() + 29 * DAY_S)
    assert all(place is not None and place.is_dir() for place in places)
    queue.empty_trash(time.time() + 31 * DAY_S)
    assert not any(place is not None and place.exists() for place in places)


def test_a_damaged_note_of_other_disks_deletes_nothing(queue: JobQueue, tmp_path: Path) -> None:
    precious = tmp_path / "precious" / "file"
    precious.mkdir(parents=True)
    (tmp_path / "trash").mkdir()
    note = f'{{"torn\n"{precious.parent}"\n7\n'
    (tmp_path / "trash" / "elsewhere.jsonl").write_text(note, "utf-8")
    queue.empty_trash(time.time() + 31 * DAY_S)
    assert precious.is_dir()


def test_what_cannot_be_deleted_is_no_error(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = trashed(queue, tmp_path / "a")
    (place.parent / "a file").touch()
    queue.empty_trash(time.time() + 31 * DAY_S)
    assert not place.exists() and (place.parent / "a file").exists()


def test_nothing_is_made_where_there_is_no_trash(queue: JobQueue, tmp_path: Path) -> None:
    queue.empty_trash()
    assert list(tmp_path.iterdir()) == []


def test_a_draft_goes_with_its_job_and_comes_back_with_it(queue: JobQueue, tmp_path: Path) -> None:
    draft = tmp_path / "corpora" / "a.preparing"
    job = stopped(queue, tmp_path / "a", draft)
    queue.ask(job.id, "cancel")
    assert list(draft.parent.iterdir()) == []
    queue.undo_cancel(job.id)
    assert (draft / "work").is_file()
    assert list((tmp_path / "trash").iterdir()) == []


def test_a_draft_is_gone_with_its_job_for_good(queue: JobQueue, tmp_path: Path) -> None:
    job = stopped(queue, tmp_path / "a", tmp_path / "a.preparing")
    place = queue.ask(job.id, "cancel").trashed
    queue.forget(job.id)
    assert list((tmp_path / "trash").iterdir()) == [place]  # where a month later it is deleted


@pytest.mark.parametrize("why", ["never begun", "finished", "shared", "in use"])
def test_a_draft_that_is_not_this_job_s_alone_stays(
    queue: JobQueue, tmp_path: Path, why: str
) -> None:
    draft = tmp_path / "a.preparing"
    if why == "never begun":
        draft.mkdir()
        job = add(queue, tmp_path / "a", draft)
    else:
        job = stopped(queue, tmp_path / "a", draft)
    if why == "finished":
        queue.resume(job.id)
        begun = queue.begin_next("cpu")
        assert begun is not None
        queue.end(job.id, begun.start, Finished())
    if why == "shared":
        add(queue, tmp_path / "b", draft)
    if why == "in use":
        with exclusive(draft):
            queue.ask(job.id, "cancel")
    else:
        queue.ask(job.id, "cancel")
    assert draft.is_dir()
    assert queue.undo_cancel(job.id).state in ("waiting", "stopped", "finished")


def test_a_draft_whose_place_was_taken_is_not_brought_back_over_it(
    queue: JobQueue, tmp_path: Path
) -> None:
    draft = tmp_path / "a.preparing"
    job = stopped(queue, tmp_path / "a", draft)
    queue.ask(job.id, "cancel")
    draft.mkdir()
    with pytest.raises(EpitomeError) as error:
        queue.undo_cancel(job.id)
    assert error.value.message == f"{draft} exists again."
    now = queue.job(job.id)
    assert now is not None and now.state == "cancelled" and not job.folder.exists()
    draft.rmdir()
    queue.undo_cancel(job.id)
    assert (draft / "work").is_file() and job.folder.is_dir()


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("after", [False, True])
def test_a_cancel_with_a_draft_that_is_killed_is_completed(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, after: bool
) -> None:
    draft = tmp_path / "a.preparing"
    job = stopped(queue, tmp_path / "a", draft)
    renamed = 0

    def rename_and_die(source: Path, target: Path) -> None:
        nonlocal renamed
        renamed += 1
        if renamed == number and not after:
            raise KeyboardInterrupt
        rename_patiently(source, target)
        if renamed == number:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(trash, "rename_patiently", rename_and_die)
        with pytest.raises(KeyboardInterrupt):
            queue.ask(job.id, "cancel")
    with pytest.raises(EpitomeError, match="cannot go on: it is cancelled"):
        queue.resume(job.id)
    assert not job.folder.exists() and not draft.exists()
    assert queue.undo_cancel(job.id).state == "stopped"
    assert job.folder.is_dir() and (draft / "work").is_file()


def test_a_draft_stays_as_long_as_its_job(queue: JobQueue, tmp_path: Path) -> None:
    job = queue.ask(stopped(queue, tmp_path / "a", tmp_path / "a.preparing").id, "cancel")
    assert job.trashed is not None
    now_s = time.time()
    os.utime(job.trashed, (now_s + 2 * DAY_S,) * 2)  # as if it had come later
    queue.empty_trash(now_s + 31 * DAY_S)
    queue.undo_cancel(job.id)
    assert (tmp_path / "a.preparing" / "work").is_file()


def forge(queue: JobQueue, **values: object) -> None:
    """Writes other values into the queue's file for each of its jobs, as any program can."""
    file = queue.folder / "queue.json"
    told = json.loads(file.read_bytes())
    told["jobs"] = [job | {name: str(value) for name, value in values.items()}
                    for job in told["jobs"]]  # fmt: skip
    file.write_text(json.dumps(told), "utf-8")


def put_precious(folder: Path) -> dict[str, bytes]:
    """Old files of a user, in folders whose names and files are near to those of ours."""
    for name in ("taxes", "a-0123abcd", "a-0123abcd.draft", ".epitome-trash/b-0123abcd"):
        (folder / name).mkdir(parents=True)
        for file in ("job.toml", "plan.json", "predictions.jsonl", "thesis.docx"):
            (folder / name / file).write_text(name, "utf-8")
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def use_all(queue: JobQueue) -> None:
    """Does all that moves or deletes folders."""
    queue.empty_trash(time.time() + 31 * DAY_S)
    for job in queue.jobs():
        for act in (
            lambda id=job.id: queue.ask(id, "cancel"),
            lambda id=job.id: queue.undo_cancel(id),
            lambda id=job.id: queue.ask(id, "cancel"),
        ):
            with suppress(EpitomeError):
                act()
    queue.empty_trash(time.time() + 31 * DAY_S)
    for job in queue.jobs():
        with suppress(EpitomeError):
            queue.forget(job.id)
    queue.empty_trash(time.time() + 31 * DAY_S)


@pytest.mark.parametrize("state", ["waiting", "stopped", "finished", "cancelled"])
@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize(
    "values",
    [
        {"folder": "{victim}"},
        {"folder": "{victim}/taxes"},
        {"folder": "{jobs}/.."},
        {"folder": "{jobs}/../victim"},
        {"folder": "{jobs}/link"},
        {"trashed": "{victim}/taxes"},
        {"trashed": "{victim}/.epitome-trash/b-0123abcd"},
        {"trashed": "{trash}/../victim"},
        {"trashed": "{trash}/.."},
        {"folder": "{jobs}/a", "trashed": "{victim}/taxes"},
        {"folder": "{victim}/a", "id": "0123abcd", "trashed": "{victim}/.epitome-trash/a-0123abcd"},
        {"folder": "{victim}/b", "id": "0123abcd", "trashed": "{victim}/.epitome-trash/b-0123abcd"},
        {"id": "../../victim", "trashed": "{trash}/a-../../victim"},
        {"draft": "{victim}/taxes"},
        {"draft": "{victim}"},
        {"draft": "{victim}/taxes", "trashed": "{victim}/a-0123abcd"},
    ],
)
def test_a_forged_queue_moves_and_deletes_nothing_of_others(
    queue: JobQueue, tmp_path: Path, values: dict[str, str], state: str, start: int
) -> None:
    victim = tmp_path / "victim"
    precious = put_precious(victim)
    add(queue, tmp_path / "a")
    (queue.folder / "link").symlink_to(victim)
    places = {"victim": victim, "jobs": queue.folder, "trash": tmp_path / "trash"}
    forge(queue, state=state, **{name: each.format(**places) for name, each in values.items()})
    file = queue.folder / "queue.json"
    file.write_text(file.read_text("utf-8").replace('"start": 0', f'"start": {start}'), "utf-8")
    use_all(queue)
    assert contents(victim) == precious
    assert queue.folder.is_dir()


def test_a_job_whose_folder_is_not_ours_does_not_start(queue: JobQueue, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    precious = put_precious(victim)
    add(queue, tmp_path / "a")
    forge(queue, folder=victim / "taxes")
    good = add(queue, tmp_path / "b")
    begun = queue.begin_next("cpu")
    assert begun is not None and begun.id == good.id
    (forged, _) = queue.jobs()
    assert forged.state == "failed" and forged.failure is not None
    assert forged.failure.message == f"The folder {victim / 'taxes'} holds no job."
    assert contents(victim) == precious


@pytest.mark.parametrize("state", ["running", "starting"])
@pytest.mark.parametrize("wish", ["cancel", "stop", "pause"])
@pytest.mark.parametrize("folder", ["taxes", ""])
def test_nothing_is_asked_of_a_job_whose_folder_is_not_ours(
    queue: JobQueue, tmp_path: Path, state: str, wish: Literal["cancel", "stop"], folder: str
) -> None:
    victim = tmp_path / "victim"
    precious = put_precious(victim)
    job = add(queue, tmp_path / "a")
    forge(queue, folder=victim / folder, state=state)
    assert queue.ask(job.id, wish).state == "failed"
    assert queue.ask(job.id, "cancel").state == "cancelled"
    assert contents(victim) == precious


@pytest.mark.parametrize("state", ["running", "starting"])
def test_nothing_is_watched_in_a_folder_that_is_not_ours(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setattr(lane.JobQueue, "of_this_user", lambda **_: queue)
    victim = tmp_path / "victim"
    precious = put_precious(victim)
    add(queue, tmp_path / "a")
    forge(queue, folder=victim / "taxes", state=state)
    lane.main("cpu")
    assert [job.state for job in queue.jobs()] == ["failed"]
    assert contents(victim) == precious


def test_a_forged_note_of_other_disks_deletes_nothing(queue: JobQueue, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    precious = put_precious(victim)
    linked = tmp_path / "linked" / ".epitome-trash"
    linked.parent.mkdir()
    linked.symlink_to(victim)
    (tmp_path / "trash").mkdir()
    notes = [victim, victim / ".epitome-trash", linked]
    lines = "".join(json.dumps(str(each)) + "\n" for each in notes)
    (tmp_path / "trash" / "elsewhere.jsonl").write_text(lines, "utf-8")
    use_all(queue)
    assert contents(victim) == precious


def test_the_queue_of_a_copied_home_leaves_the_first_home_alone(tmp_path: Path) -> None:
    first = JobQueue(tmp_path / "first" / "jobs", tmp_path / "first" / "trash")
    place = trashed(first, tmp_path / "first" / "runs" / "a")
    own = trashed(first, first.folder / "a-corpus")
    shutil.copytree(tmp_path / "first", tmp_path / "copy")
    use_all(JobQueue(tmp_path / "copy" / "jobs", tmp_path / "copy" / "trash"))
    assert place.is_dir() and own.is_dir()
    use_all(first)
    assert not place.exists() and not own.exists()


@pytest.fixture
def homes(tmp_path: Path) -> tuple[JobQueue, JobQueue]:
    """The queue of a home, and the one that a copy of the home will have."""
    first, copy = (tmp_path / name for name in ("first", "copy"))
    return JobQueue(first / "jobs", first / "trash"), JobQueue(copy / "jobs", copy / "trash")


PLACES = {
    "run": "first/runs/a",
    "batch": "first/batches/a",
    "job of a corpus": "first/jobs/a",
    "chosen": "chosen/a",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("state", ["waiting", "stopped", "finished", "running"])
def test_a_copied_home_moves_no_folder_of_the_first_one(
    homes: tuple[JobQueue, JobQueue], tmp_path: Path, place: str, state: str
) -> None:
    first, copy = homes
    job = stopped(first, tmp_path / place, tmp_path / "chosen" / "a.preparing")
    forge(first, state=state)
    shutil.copytree(tmp_path / "first", tmp_path / "copy")
    before = contents(tmp_path / "first") | contents(tmp_path / "chosen")
    use_all(copy)
    assert contents(tmp_path / "first") | contents(tmp_path / "chosen") == before
    cancelled = first.ask(job.id, "cancel")
    if state != "running":  # no process is there that would end
        assert cancelled.trashed is not None and not job.folder.exists()


def test_a_copied_home_works_on_no_job_of_the_first_one(
    homes: tuple[JobQueue, JobQueue], tmp_path: Path
) -> None:
    first, copy = homes
    places = [tmp_path / place for place in PLACES.values()]
    for place in places:
        add(first, place)
    shutil.copytree(tmp_path / "first", tmp_path / "copy")
    before = contents(tmp_path / "first") | contents(tmp_path / "chosen")
    assert copy.begin_next("cpu") is None
    failures = [job.failure.message for job in copy.jobs() if job.failure]
    assert failures == [f"{place} belongs to another home of Epitome." for place in places]
    for place in places:
        with pytest.raises(EpitomeError, match="belongs to another home"):
            copy.discard(place)
    assert contents(tmp_path / "first") | contents(tmp_path / "chosen") == before
    assert first.begin_next("cpu") is not None


def test_a_copied_home_empties_no_trash_on_another_disk(
    homes: tuple[JobQueue, JobQueue], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        if target.parent.name == "trash":
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        rename_patiently(source, target)

    monkeypatch.setattr(trash, "rename_patiently", refuse)
    first, copy = homes
    places = [trashed(first, tmp_path / "chosen" / "a")]
    (tmp_path / "chosen" / "model").mkdir()
    (tmp_path / "chosen" / "model" / "queued.toml").touch()
    places.append(first.discard(tmp_path / "chosen" / "model"))
    shutil.copytree(tmp_path / "first", tmp_path / "copy")
    assert trash.other_trashes(tmp_path / "copy" / "trash") == set()
    use_all(copy)
    assert all(place.is_dir() for place in places)
    assert trash.other_trashes(tmp_path / "first" / "trash") == {places[0].parent}
    first.empty_trash(time.time() + 31 * DAY_S)
    assert not any(place.exists() for place in places)


def test_a_home_is_the_same_one_by_any_path(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "home")
    by_link = JobQueue(tmp_path / "link" / "jobs", tmp_path / "link" / "trash")
    inside = add(by_link, tmp_path / "link" / "runs" / "a")
    chosen = add(by_link, tmp_path / "chosen" / "a")
    queue = JobQueue(tmp_path / "home" / "jobs", tmp_path / "home" / "trash")
    for job in (inside, chosen):
        assert queue.ask(job.id, "cancel").trashed is not None and not job.folder.exists()


def test_a_folder_that_epitome_did_not_make_is_not_discarded(
    queue: JobQueue, tmp_path: Path
) -> None:
    precious = put_precious(tmp_path / "victim")
    with pytest.raises(EpitomeError, match="was not made by Epitome"):
        queue.discard(tmp_path / "victim" / "taxes")
    assert contents(tmp_path / "victim") == precious


def test_on_another_disk_a_folder_of_the_trashs_name_is_not_emptied(
    queue: JobQueue, two_disks: Path
) -> None:
    precious = put_precious(two_disks)
    place = trashed(queue, two_disks / "a")
    assert place.parent == two_disks / ".epitome-trash"
    use_all(queue)
    assert precious.items() <= contents(two_disks).items()

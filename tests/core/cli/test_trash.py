"""`epitome trash`: what was deleted comes back, or goes for good."""

import json
from pathlib import Path

import pytest

from core.cli.main import main
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.trash import discard_folder
from core.library.folders import Folders
from tests.helpers.models import a_model
from tests.helpers.queued_jobs import queue_count
from tests.helpers.schemas import validate

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def folders() -> Folders:
    return Folders.of_this_user()


@pytest.fixture
def place(folders: Folders) -> Path:
    """The place in the trash of the model "first"."""
    return discard_folder(a_model(folders.runs, "first"), folders.trash)


def test_a_model_is_restored_by_its_name(folders: Folders, place: Path, capsys: Captured) -> None:
    assert main(["trash", "restore", "first"]) == 0
    told = capsys.readouterr()
    assert told.out == f"{folders.runs / 'first'}\n" and told.err == ""
    assert (folders.runs / "first").is_dir() and not place.exists()


def test_where_its_name_is_taken_the_new_one_is_said(
    folders: Folders, place: Path, capsys: Captured
) -> None:
    a_model(folders.runs, "first")
    assert main(["trash", "restore", place.name, "--json"]) == 0
    told = capsys.readouterr()
    value = json.loads(told.out)
    validate(value, "trash")
    assert value["result"]["folder"] == str(folders.runs / "first-2")
    assert "“first” is restored as “first-2”" in told.err


def test_a_cancelled_job_is_restored_to_its_place_in_the_queue(folders: Folders) -> None:
    queue = JobQueue(folders.job_queue, folders.trash)
    job = queue_count(queue, folders.runs / "counted")
    queue.ask(job.id, "cancel")
    assert main(["trash", "restore", "counted"]) == 0
    assert [each.state for each in queue.jobs()] == ["waiting"] and job.folder.is_dir()


def test_a_model_is_deleted_for_good(folders: Folders, place: Path, capsys: Captured) -> None:
    other = discard_folder(a_model(folders.runs, "second"), folders.trash)
    assert main(["trash", "delete", str(place), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "trash")
    assert value["result"]["deleted"] == ["first"] and value["result"]["freed_bytes"] > 1000
    assert not place.exists() and other.is_dir()


def test_the_trash_is_emptied(folders: Folders, place: Path, capsys: Captured) -> None:
    other = discard_folder(a_model(folders.runs, "second"), folders.trash)
    precious = folders.trash / "photos"
    precious.mkdir()
    assert main(["trash", "empty"]) == 0
    assert "Deleted 2 items for good, " in capsys.readouterr().err
    assert not place.exists() and not other.exists() and precious.is_dir()
    assert main(["trash", "empty"]) == 0
    assert capsys.readouterr().err == "The trash is empty.\n"


def test_what_is_not_clear_is_refused(folders: Folders, place: Path, capsys: Captured) -> None:
    twin = discard_folder(a_model(folders.runs, "first"), folders.trash)
    precious = folders.trash / "photos"
    precious.mkdir()
    for words, told in (
        (["delete", "first"], "is the name of 2 items in the trash."),
        (["restore", "photos"], "There is no “photos” in the trash."),
        (["delete", str(precious)], f"There is no “{precious}” in the trash."),
    ):
        assert main(["trash", *words]) == 1
        assert told in capsys.readouterr().err
    for words in (["delete"], ["restore"], ["empty", "first"], ["burn", "first"]):
        assert main(["trash", *words]) == 2
        assert capsys.readouterr().err
    assert place.is_dir() and twin.is_dir() and precious.is_dir()

"""Forgetting everything leaves nothing of any document, whatever killed processes have left."""

import os
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.jobs.batches.queued import specify_batch
from core.jobs.history.forget import _SWEPT_FOLDERS, forget_everything
from core.jobs.queue.job_queue import JobQueue, process_lock
from core.jobs.queue.trash import discard_folder
from core.library.folders import Folders
from core.library.history import connect
from core.library.session import Session
from core.storage.files import FileLock
from tests.helpers.full_home import BATCH, CORPUS, RUN, full_home

SECRET = b"The harbour master's diary"
# What a process leaves that is killed while it writes, renames or deletes, and what is set aside.
LEFT = """
    recents.json.4711.tmp recents.json.epitome-4711-0b5e8f3a.tmp .recents.json.swp
    recents.damaged.json recents.damaged-2.json decisions.json.4711.tmp decisions.damaged.json
    history.sqlite.4711.tmp history.damaged.sqlite history.damaged.sqlite-wal
    history.sqlite-journal history.damaged-2.sqlite-shm window.json.4711.tmp window.damaged.json
    train-draft.json.4711.tmp measurements.damaged.jsonl seal.key.4711.tmp
    session/left.17.tmp session/0123456789ab/document.bin.4711.tmp session/0123456789ab/document.bin
    session/aaaaaaaaaaaa.ended/document.bin session/bbbbbbbbbbbb.damaged/document.bin
    batches/loose.17.tmp batches/half/batch.sqlite-journal batches/half/job.toml.4711.tmp
    comparisons/half.new/texts.jsonl comparisons/loose.json.4711.tmp
    trash/half-01234567/job.toml trash/half-01234567/events.jsonl trash/towns-4567/batch.sqlite
    trash/towns-4567/job.toml trash/compared-89ab/comparison.json
    jobs/lanes.log jobs/queue.damaged.json jobs/queue.json.4711.tmp jobs/gone-0123/queued.toml
    ../cache/huggingface/rows.arrow ../cache/loose.17.tmp ../log/crashes/window-99999999.txt
    ../log/engine.log
""".split()


@pytest.fixture
def folders(home: Path) -> Folders:
    """A home with a file of each kind."""
    full_home(home)
    return Folders.under(home)


def files_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def leave(folders: Folders, *names: str) -> None:
    for name in names:
        path = folders.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(SECRET)


def test_nothing_that_killed_processes_left_remains(home: Path, folders: Folders) -> None:
    leave(folders, *LEFT)
    assert forget_everything(folders) == ()
    assert [path for path, data in files_in(home).items() if SECRET in data] == []
    assert [name for name in LEFT if (folders.data / name).exists()] == []
    assert not any(folders.batches.iterdir()) and not any(folders.comparisons.iterdir())
    assert [path.name for path in folders.sessions.iterdir()] == ["door.lock"]


def test_models_corpora_and_settings_stay_as_they_are(home: Path, folders: Folders) -> None:
    leave(folders, *LEFT)
    discard_folder(folders.runs / RUN, folders.trash)
    discard_folder(folders.tokenizers / "tiny", folders.trash)
    places = (folders.config, folders.corpora, folders.runs, folders.built_in, folders.tokenizers)
    before = [files_in(place) for place in places]
    trashed = {path.name for path in folders.trash.iterdir()} - {
        "half-01234567", "towns-4567", "compared-89ab",
    }  # fmt: skip
    assert len(trashed) == 3 and (folders.corpora / CORPUS).is_dir()
    jobs = JobQueue(folders.job_queue, folders.trash).jobs()
    forget_everything(folders)
    assert [files_in(place) for place in places] == before
    assert {path.name for path in folders.trash.iterdir()} == trashed
    assert JobQueue(folders.job_queue, folders.trash).jobs() == jobs
    for name in ("measurements.jsonl", "train-draft.json", "seal.key", "window.json"):
        assert (folders.data / name).stat().st_size > 0


def test_a_batch_at_work_stays_and_is_named(folders: Folders) -> None:
    queue = JobQueue(folders.job_queue, folders.trash)
    queue.add(specify_batch(folders.batches / BATCH))
    leave(folders, "batches/unlisted/batch.sqlite", "batches/other/batch.sqlite")
    lock = FileLock(process_lock(folders.batches / "unlisted"))
    assert lock.acquire()
    (note,) = forget_everything(folders)
    lock.release()
    assert note.startswith("Still at work or paused: 2 batches.")
    assert {path.name for path in folders.batches.iterdir()} == {BATCH, "unlisted"}


def test_what_another_window_has_open_stays_and_is_named(folders: Folders) -> None:
    session = Session.begin(folders.sessions)
    (session.folder / "document.bin").write_bytes(SECRET)
    (note,) = forget_everything(folders)
    assert "1 other window" in note and (session.folder / "document.bin").exists()
    session.end()


def test_a_history_that_cannot_be_forgotten_keeps_nothing_else(folders: Folders) -> None:
    with connect(folders.history_file) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    leave(folders, *LEFT)
    with pytest.raises(EpitomeError, match="history"):
        forget_everything(folders)
    assert [name for name in LEFT if (folders.data / name).exists()] == []


def test_what_cannot_be_deleted_is_named(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(folders, *LEFT)
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path.name == "recents.json.4711.tmp":
            raise PermissionError(13, "in use")
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(EpitomeError, match=r"Not deleted: .*recents\.json\.4711\.tmp\."):
        forget_everything(folders)
    left = [name for name in LEFT if (folders.data / name).exists()]
    assert left == ["recents.json.4711.tmp"]


def test_files_of_others_stay_and_are_named(folders: Folders, tmp_path: Path) -> None:
    thesis = folders.data / "thesis.md"
    thesis.write_bytes(SECRET)
    (note,) = forget_everything(folders)
    assert str(thesis) in note and thesis.read_bytes() == SECRET


@pytest.mark.parametrize(
    "name", ["batches/link", "trash/link", "session/link", "cache", "recents.json.1.tmp"]
)
def test_what_links_lead_to_stays(folders: Folders, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim.txt").write_bytes(SECRET)
    link = folders.cache / "link" if name == "cache" else folders.data / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside)
    notes = forget_everything(folders)
    if name.endswith(".tmp"):
        assert notes == () and not os.path.lexists(link)
    else:
        assert link.is_symlink() and str(link) in " ".join(notes)
    assert files_in(outside) == {outside / "victim.txt": SECRET}


OF_OTHERS = """
    ../cache/expensive.npz ../log/server.log ../log/crashes/notes.txt trash/thesis.docx
    trash/photos-20240101/a.jpg batches/2024.csv batches/tables/2024.csv jobs/cv.pdf jobs/cv/cv.pdf
    comparisons/price.ods comparisons/prices/price.ods session/photos/a.jpg history.docx
    session/0123456789ab/a.jpg session/aaaaaaaaaaaa.ended/a.jpg session/notes.txt
""".split()


@pytest.mark.parametrize("name", OF_OTHERS)
def test_files_of_others_in_folders_of_the_same_names_stay_and_are_named(
    folders: Folders, name: str
) -> None:
    leave(folders, name)
    (note,) = forget_everything(folders)
    assert (folders.data / name).read_bytes() == SECRET
    path = (folders.data / name).resolve()
    assert any(str(each) in note for each in (path, *path.parents[:1]))


@pytest.mark.parametrize(
    "name", ["cache", "log", "log/crashes", *(f"data/{name}" for name in sorted(_SWEPT_FOLDERS))]
)
def test_a_folder_that_is_a_link_is_left_and_named(home: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    leave(Folders.under(tmp_path), *(f"../outside/{Path(left).name}" for left in OF_OTHERS))
    for left in ("batch.sqlite", "engine.log", "loose.17.tmp", "window-99999999.txt"):
        (outside / left).write_bytes(SECRET)
    for inner in ("0123456789ab", "towns-01234567"):
        (outside / inner).mkdir()
        (outside / inner / "batch.sqlite").write_bytes(SECRET)
    before = files_in(outside)
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / name).symlink_to(outside)
    assert str(home / name) in " ".join(forget_everything(Folders.under(home)))
    after = files_in(outside)
    assert before.items() <= after.items()


def test_data_on_another_disk_is_forgotten_too(home: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    home.mkdir(exist_ok=True)
    (home / "data").symlink_to(tmp_path / "disk")
    leave(Folders.under(home), "recents.json.4711.tmp", "batches/half/batch.sqlite-journal")
    assert forget_everything(Folders.under(home)) == ()
    assert files_in(tmp_path / "disk").keys() <= {tmp_path / "disk" / "session" / "door.lock"}


def test_an_empty_home_is_forgotten(home: Path) -> None:
    assert forget_everything(Folders.under(home)) == ()

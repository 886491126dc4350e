"""Deletes everything the program keeps of documents; corpora and models stay.

It goes by what is in the home, not by what lists name: no list names what a killed process left.
At the end the home is searched again, and whatever remains is named.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.crash_reports import is_in_use
from core.errors import EpitomeError
from core.files import is_held
from core.jobs.batches.store import FILE as BATCH_FILE
from core.jobs.job_queue import process_lock
from core.jobs.queue_file import QueueFile
from core.jobs.queued import LASTING, QueuedJob
from core.jobs.trash import ELSEWHERE, draft_places, other_trashes
from core.library.decisions import DecisionsFile
from core.library.folders import Folders
from core.library.history import History
from core.library.recent import Recents
from core.library.session import DOOR, LOCK, delete_all
from core.numbers import format_quantity
from core.runs.comparisons import COMPARISON_FILE

_BATCH = "batch"
_MOST_NAMED = 5

# What stays beside the folders: files without anything of documents, or emptied of it.
_STAYING_FILES = {
    *("history.sqlite", "history.sqlite-wal", "history.sqlite-shm", "history.lock"),
    *("recents.json", "recents.lock", "decisions.json", "decisions.lock"),
    *("window.json", "window.lock", "train-draft.json", "train-draft.lock"),
    *("measurements.jsonl", "measurements.lock", "seal.key", "seal.lock"),
}
_STAYING_FOLDERS = {"corpora", "corpora-in-use", "tokenizers", "runs", "built-in", "parts"}
_SWEPT_FOLDERS = {"session", "batches", "comparisons", "trash", "jobs"}
# Every file that the program writes there is called so, and so are its drafts and damaged copies.
_OWN_STEMS = {name.partition(".")[0] for name in _STAYING_FILES}
_OF_QUEUE = {"queue.json", "queue.lock"}
# One of these is in the folder of each run, corpus, tokenizer and queued job but batches.
_OF_MODELS = (
    *("corpus.toml", "plan.json", "tokenizer.json", "queued.toml", "model.json"),
    *("checkpoints", "sweep-001.toml"),
)


def forget_everything(folders: Folders) -> tuple[str, ...]:
    """Deletes history, recent documents, pins, recovery copies, batches, comparisons, cache, log.

    Corpora, tokenizers and models stay, also those in the trash, and so does a batch whose job has
    not ended. What cannot be deleted keeps nothing else from being deleted.

    Args:
        folders: The program's folders.

    Returns:
        What stays of documents, and why, a sentence each.

    Raises:
        EpitomeError: If something remains that was to be deleted; it is named.
    """
    notes: list[str] = []
    refused: list[EpitomeError] = []

    def attempt(do: Callable[[], None]) -> None:
        try:
            do()
        except EpitomeError as error:
            refused.append(error)

    attempt(History(folders.history_file).forget)
    for list_file in (Recents(folders.recents_file), DecisionsFile(folders.decisions_file)):
        if os.path.lexists(list_file.file):
            attempt(list_file.clear)
    attempt(lambda: _forget_sessions(folders, notes))
    jobs: list[QueuedJob] | None = None
    try:
        jobs = _forget_jobs(folders)
    except EpitomeError as error:  # what is at work is not known
        refused.append(error)
    home = _Home(folders, jobs)
    num_batches = len(home.busy_batches())
    if num_batches:
        batches = format_quantity(num_batches, "batch", "batches")
        notes.append(f"Still at work or paused: {batches}. Cancel first, then do the same again.")
    for path in list(home.leftovers()):
        _delete(path)
    if foreign := list(home.foreign()):
        notes.append(f"Not of Epitome, and left where they are: {_named(foreign)}.")
    _raise_remaining(refused, [*home.leftovers(), *home.sessions()])
    return tuple(notes)


def _raise_remaining(refused: list[EpitomeError], left: list[Path]) -> None:
    if left:
        remedy = "Close what uses it, or delete it yourself."
        refused.append(EpitomeError(f"Not deleted: {_named(left)}.", remedy))
    if refused:
        raise EpitomeError(" ".join(error.message for error in refused), refused[0].remedy)


def _forget_sessions(folders: Folders, notes: list[str]) -> None:
    num_windows = delete_all(folders.sessions)
    if num_windows:
        windows = format_quantity(num_windows, "other window")
        notes.append(f"What is open in {windows} is kept until it is closed there.")


def _forget_jobs(folders: Folders) -> list[QueuedJob]:
    """Takes batches that have ended off the queue; gives the jobs that stay."""
    if not folders.job_queue.is_dir():
        return []
    file = QueueFile(folders.job_queue, folders.trash)
    with suppress(EpitomeError):
        file.read()  # a damaged one is set aside, and swept as what else is left
    with file.changing() as jobs:
        staying = [job for job in jobs if job.kind != _BATCH or job.state in LASTING]
        if len(staying) < len(jobs):
            file.write(staying, jobs)
    return staying


@dataclass(frozen=True)
class _Home:
    """What is in the home, and what of it stays.

    Args:
        folders: The program's folders.
        jobs: The jobs that stay; None where they are not known, and so nothing of jobs goes.
    """

    folders: Folders
    jobs: list[QueuedJob] | None

    def sessions(self) -> Iterator[Path]:
        """What `delete_all` should have deleted."""
        for path in _inside(self.folders.sessions):
            if path.name != DOOR and not is_held(path / LOCK):
                yield path

    def leftovers(self) -> Iterator[Path]:
        """All else that is to be deleted."""
        for path in _inside(self.folders.data):
            if _is_own_file(path) and path.name not in _STAYING_FILES:
                yield path
        crashes = self.folders.crashes
        for folder in (self.folders.comparisons, self.folders.cache, self.folders.log):
            yield from (each for each in _inside(folder) if each != crashes or each.is_symlink())
        if not crashes.is_symlink():
            yield from (path for path in _inside(crashes) if not is_in_use(path))
        if self.jobs is not None:
            yield from self._of_jobs(self._in_use(self.jobs))

    def foreign(self) -> Iterator[Path]:
        """What lies among the program's files and is none of them."""
        known = _STAYING_FOLDERS | _SWEPT_FOLDERS
        for path in _inside(self.folders.data):
            is_folder = path.name in known or path in (self.folders.cache, self.folders.log)
            if not (is_folder and path.is_dir()) and not (_is_own_file(path) or _is_setting(path)):
                yield path

    def busy_batches(self) -> set[Path]:
        """The folders of batches whose job has not ended."""
        found = {job.folder for job in self.jobs or () if job.kind == _BATCH}
        for path in _inside(self.folders.batches):
            if is_held(process_lock(path)):
                found.add(path.absolute())
        return found

    def _in_use(self, jobs: list[QueuedJob]) -> set[Path]:
        """The folders of jobs that stay."""
        places = {place for job in jobs for place in (job.folder, *draft_places(job))}
        return self.busy_batches() | places | {job.trashed for job in jobs if job.trashed}

    def _of_jobs(self, in_use: set[Path]) -> Iterator[Path]:
        for path in _inside(self.folders.batches):
            if path.absolute() not in in_use:
                yield path
        for path in _inside(self.folders.job_queue):
            is_lock = path.name.startswith("lane-") and path.suffix == ".lock"
            if path.absolute() not in in_use and path.name not in _OF_QUEUE and not is_lock:
                yield path
        others = other_trashes(self.folders.trash)
        for path in _inside(self.folders.trash):
            is_list = path.name == ELSEWHERE and any(map(_inside, others))
            if path not in in_use and not is_list and not _is_of_models(path):
                yield path
        for path in (path for other in others for path in _inside(other)):
            if path not in in_use and _is_of_documents(path):
                yield path


def _is_own_file(path: Path) -> bool:
    return path.name.lstrip(".").partition(".")[0] in _OWN_STEMS


def _is_setting(path: Path) -> bool:
    """True for what some systems keep in a folder of its own."""
    return path.name == "presets" or path.name.partition(".")[0] == "settings"


def _is_of_documents(folder: Path) -> bool:
    """True if a folder is one of a batch or comparison."""
    return any(os.path.lexists(folder / name) for name in (BATCH_FILE, COMPARISON_FILE))


def _is_of_models(folder: Path) -> bool:
    """True if a folder in the trash is one of a run, corpus, tokenizer or of a job that made it."""
    has_files = any(os.path.lexists(folder / name) for name in _OF_MODELS)
    return has_files and not _is_of_documents(folder)


def _inside(folder: Path) -> list[Path]:
    """What is in a folder; nothing where none is."""
    with suppress(OSError):
        return sorted(folder.iterdir())
    return []


def _delete(path: Path) -> None:
    """Deletes a file, link or folder as far as that can be done; links are not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _named(paths: list[Path]) -> str:
    names = [str(path) for path in paths[:_MOST_NAMED]]
    more = len(paths) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")

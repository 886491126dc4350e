"""Deletes everything the program keeps of documents; corpora and models stay.

It goes by what is in the home, not by what lists name: no list names what a killed process left.
At the end the home is searched again, and whatever remains is named.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import EpitomeError
from core.jobs.batches.store import FILE as BATCH_FILE
from core.jobs.queue.job_queue import process_lock
from core.jobs.queue.queue_file import QueueFile
from core.jobs.queue.queued import LASTING, QueuedJob
from core.jobs.queue.trash import ELSEWHERE, draft_places, is_entry, other_trashes
from core.library.decisions import DecisionsFile
from core.library.folders import Folders
from core.library.history import History
from core.library.recent import Recents
from core.library.session import DOOR, LOCK, delete_all, is_session
from core.numbers import format_quantity
from core.runs.comparisons import COMPARISON_FILE
from core.runs.comparisons import FILES as COMPARISON_FILES
from core.runs.folder import JOB_FILE
from core.storage.files import is_held
from core.storage.temporary_names import is_temporary_name, original_name
from core.system.crash_reports import is_in_use

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
_OF_DATABASE = re.compile(r"-(wal|shm|journal)$")
_OF_EDITOR = re.compile(r"\.(.+)\.sw[a-z]")
_OF_QUEUE = {"queue.json", "queue.lock"}
_OF_BATCHES = {BATCH_FILE, JOB_FILE, "process.json", "process.lock", "events.jsonl"}
_OF_COMPARISONS = {*COMPARISON_FILES, "judgements"}
_QUEUED = ("queued.toml", "sweep-001.toml", JOB_FILE)
_REPORT = re.compile(r"[a-z_]+-[0-9]+(\.seen)?\.txt")
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
            if is_session(path) and not is_held(path / LOCK):
                yield path

    def leftovers(self) -> Iterator[Path]:
        """All else that is to be deleted."""
        for path in _inside(self.folders.data, follows=True):
            if _is_own_file(path) and path.name not in _STAYING_FILES:
                yield path
        yield from filter(_is_temporary, _inside(self.folders.sessions))
        for path in _inside(self.folders.comparisons):
            if _is_temporary(path) or _is_made(path, _OF_COMPARISONS):
                yield path
        for path in _inside(self.folders.cache):
            if _is_temporary(path) or (path.name == "huggingface" and not path.is_symlink()):
                yield path
        for path in _inside(self.folders.log):
            if original_name(path.name) == "engine.log":
                yield path
        for path in _inside(self.folders.crashes):
            if _REPORT.fullmatch(path.name) and not is_in_use(path):
                yield path
        if self.jobs is not None:
            yield from self._of_jobs(self._in_use(self.jobs))

    def foreign(self) -> Iterator[Path]:
        """What lies among the program's files and is none of them; also links to folders."""
        folders = self.folders
        swept = [folders.data / name for name in sorted(_SWEPT_FOLDERS)]
        swept += [folders.cache, folders.log, folders.crashes]
        yield from (folder for folder in swept if folder.is_symlink())
        known = {*swept, *(folders.data / name for name in _STAYING_FOLDERS)}
        for path in _inside(folders.data, follows=True):
            is_folder = path in known and path.is_dir()
            if not (is_folder or _is_own_file(path) or _is_setting(path)):
                yield path
        staying = {*self.leftovers(), *self._in_use(self.jobs or []), folders.crashes}
        for folder in swept:
            for path in _inside(folder):
                if path not in staying and not self._is_staying(path):
                    yield path

    def _is_staying(self, path: Path) -> bool:
        """True for what stays in a swept folder although Epitome has made it."""
        folders, name = self.folders, path.name
        if path.parent == folders.sessions:
            return name == DOOR or is_session(path)
        if path.parent == folders.job_queue:
            return name in _OF_QUEUE or _is_lane_lock(path) or self.jobs is None
        if path.parent == folders.trash:
            return name == ELSEWHERE or is_entry(path) or _is_of_models(path)
        if path.parent == folders.crashes:
            return is_in_use(path)
        return path.parent == folders.batches and self.jobs is None

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
            is_own = _is_temporary(path) or _is_made(path, _OF_BATCHES)
            if path.absolute() not in in_use and is_own:
                yield path
        for path in _inside(self.folders.job_queue):
            is_own = original_name(path.name) in (*_OF_QUEUE, "lanes.log")
            if path.absolute() in in_use or path.name in _OF_QUEUE:
                continue
            if is_own or _is_temporary(path) or _has_any(path, *_QUEUED):
                yield path
        others = other_trashes(self.folders.trash)
        for path in _inside(self.folders.trash):
            is_list = path.name == ELSEWHERE and not any(map(_inside, others))
            is_ours = _is_of_documents(path) or (is_entry(path) and not _is_of_models(path))
            if path not in in_use and (is_list or _is_temporary(path) or is_ours):
                yield path
        for path in (path for other in others for path in _inside(other)):
            if path not in in_use and _is_of_documents(path):
                yield path


def _is_own_file(path: Path) -> bool:
    """True for a file beside the folders, and for a temporary or damaged copy of one."""
    match = _OF_EDITOR.fullmatch(path.name)
    name = original_name(_OF_DATABASE.sub("", match[1] if match else path.name))
    return name in _STAYING_FILES and (path.is_symlink() or not path.is_dir())


def _is_temporary(path: Path) -> bool:
    """True for a file, or a link, under the name of one that is being written."""
    return is_temporary_name(path.name) and (path.is_symlink() or not path.is_dir())


def _is_lane_lock(path: Path) -> bool:
    return path.name.startswith("lane-") and path.suffix == ".lock"


def _is_made(folder: Path, names: set[str]) -> bool:
    """True if a folder is one of a batch or comparison, or holds nothing but its files."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    inside = {_OF_DATABASE.sub("", original_name(path.name)) for path in _inside(folder)}
    return _is_of_documents(folder) or inside <= names


def _has_any(folder: Path, *names: str) -> bool:
    """True if a folder, and no link to one, holds a file of one of these names."""
    return not folder.is_symlink() and any(os.path.lexists(folder / name) for name in names)


def _is_setting(path: Path) -> bool:
    """True for what some systems keep in a folder of its own."""
    return path.name == "presets" or path.name.partition(".")[0] == "settings"


def _is_of_documents(folder: Path) -> bool:
    """True if a folder is one of a batch or comparison."""
    return _has_any(folder, BATCH_FILE, COMPARISON_FILE)


def _is_of_models(folder: Path) -> bool:
    """True if a folder in the trash is one of a run, corpus, tokenizer or of a job that made it."""
    return _has_any(folder, *_OF_MODELS) and not _is_of_documents(folder)


def _inside(folder: Path, follows: bool = False) -> list[Path]:
    """Returns what is in a folder; nothing where none is, or a link that is not to be followed."""
    with suppress(OSError):
        return [] if folder.is_symlink() and not follows else sorted(folder.iterdir())
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

"""Renames a corpus, and moves it to the trash and back; never while a training run reads it."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.data.corpus import STAGING_SUFFIX, read_card
from core.errors import EpitomeError, explained
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.queued import LASTING
from core.jobs.queue.trash import discard_folder
from core.library.folders import Folders
from core.library.named_folders import new_folder
from core.runs.corpus_use import runs_at_work
from core.runs.folder import RunFolder
from core.storage.files import is_held
from core.storage.parsing import parse_toml
from core.storage.regular_files import read_regular, rename_patiently
from core.training.plan import QUEUED_FILE


@dataclass(frozen=True)
class CorpusMoved:
    """A corpus that lies elsewhere now.

    Args:
        folder: Where.
        trained: Names of the runs that were trained on it under its old name.
    """

    folder: Path
    trained: tuple[str, ...]


def rename_corpus(folder: Path, name: str, folders: Folders) -> CorpusMoved:
    """Gives a corpus, and its folder, another name.

    Args:
        folder: The corpus.
        name: Its new name.
        folders: Where runs and the queue lie.

    Returns:
        Its new folder.

    Raises:
        EpitomeError: If the name cannot be used, or the corpus is in use.
    """
    read_card(folder)
    trained = _free(folder, folders)
    renamed = new_name(name, folder.parent)
    with explained(f"{folder} cannot be renamed", "Close the files in it."):
        rename_patiently(folder, renamed)
    return CorpusMoved(renamed, trained)


def trash_corpus(folder: Path, folders: Folders) -> CorpusMoved:
    """Moves a corpus to the trash, where it stays for `core.jobs.queue.trash.KEPT_DAYS` days.

    Args:
        folder: The corpus.
        folders: Where runs, the queue and the trash lie.

    Returns:
        Its place in the trash.

    Raises:
        EpitomeError: If it is in use.
    """
    trained = _free(folder, folders)
    return CorpusMoved(discard_folder(folder, folders.trash), trained)


def new_name(name: str, corpora: Path) -> Path:
    """The folder of a corpus that gets a new name.

    Args:
        name: The name.
        corpora: Where the corpus lies.

    Returns:
        The folder; there is none of that name yet.

    Raises:
        EpitomeError: If that cannot be its name.
    """
    folder = new_folder(name.strip(), corpora, "a corpus")
    if folder.parent != corpora or folder.suffix == STAGING_SUFFIX:
        raise EpitomeError(
            f"“{name}” cannot be the name of a corpus: it has no slashes, begins with no dot and "
            f"does not end with “{STAGING_SUFFIX}”.",
            "Choose another name.",
        )
    if folder.exists():
        raise EpitomeError(f"There is a folder “{folder.name}” already.", "Choose another name.")
    return folder


def _free(corpus: Path, folders: Folders) -> tuple[str, ...]:
    """Names of the runs on a corpus; refuses while one of them is at work, or about to be."""
    for path in runs_at_work(corpus, folders.corpora_in_use):
        raise _needed(path, corpus)
    queue = JobQueue(folders.job_queue, folders.trash)
    expected = {job.folder for job in queue.jobs() if job.state in LASTING}
    made = sorted(folders.runs.iterdir()) if folders.runs.is_dir() else []
    places = dict.fromkeys((*(path.absolute() for path in made), *sorted(expected)))
    runs = [RunFolder(path) for path in places if _needs(path, corpus)]
    for run in runs:
        if is_held(run.lock_file) or run.path in expected:
            raise _needed(run.path, corpus)
    return tuple(run.path.name for run in runs)


def _needed(run: Path, corpus: Path) -> EpitomeError:
    return EpitomeError(
        f"The run {run.name} needs the corpus {corpus.name}.", "Wait for its end, or stop it."
    )


def _needs(path: Path, corpus: Path) -> bool:
    """Whether a folder is that of a run on a corpus, also of one that has not begun."""
    run = RunFolder(path)
    with suppress(OSError, ValueError, KeyError, TypeError):
        plan = run.job_file if run.exists else path / QUEUED_FILE
        job = parse_toml(read_regular(plan).decode())
        return Path(job["run"]["corpus"]).absolute() == corpus.absolute()
    return False

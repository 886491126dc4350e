"""Corpora in the queue."""

import secrets
from collections.abc import Collection
from pathlib import Path

from core.data.settings import CorpusSettings
from core.data.staging import staging_place
from core.events import Finished
from core.jobs.corpora.make_corpus import MakeCorpusJob
from core.jobs.queue.queued import JobSpec
from core.library.folders import Folders
from core.library.named_folders import typed_path
from core.runs.job_file import read_job, write_job
from core.settings import Settings, option
from core.storage.files import next_free

CORPUS_FILE = "queued.toml"
_HUB = "hf:"


class CorpusPlace(Settings):
    """Where a queued corpus goes."""

    out: str = option("", "Folder", "Folder of the corpus.")


_TABLES: dict[str, type[Settings]] = {"settings": CorpusSettings, "output": CorpusPlace}


def specify_corpus(sources: tuple[str, ...], settings: CorpusSettings, out: Path) -> JobSpec:
    """A corpus that is to be prepared by the queue.

    Args:
        sources: Files, folders, data sets as ``hf:name``.
        settings: How to prepare them.
        out: The folder of the corpus.

    Returns:
        The job; it has a folder of its own beside the queue.
    """
    kept = tuple(map(_absolute, sources))
    folder = Folders.of_this_user().job_queue / f"{out.name}-{secrets.token_hex(4)}"
    tables = {"settings": settings, "output": CorpusPlace(out=str(out.absolute()))}
    files = {CORPUS_FILE: write_job("corpus", kept, tables)}
    return JobSpec("corpus", out.name, "cpu", folder, files, staging_place(out.absolute()))


def specify_corpus_again(folder: Path, taken: Collection[Path] = ()) -> JobSpec:
    """The corpus of a queued job once more, under the next free name.

    Args:
        folder: The job's.
        taken: The folders of corpora that other jobs are to prepare.

    Returns:
        The job.

    Raises:
        EpitomeError: If the job's settings cannot be read.
    """
    job = load_corpus_job(folder)
    return specify_corpus(job.sources, job.settings, next_free(corpus_of(folder), taken))


def load_corpus_job(folder: Path) -> MakeCorpusJob:
    """The job of a queued corpus; it goes on with what is prepared already.

    Args:
        folder: The job's.

    Returns:
        The job.

    Raises:
        EpitomeError: If its settings cannot be read.
    """
    file = read_job(folder / CORPUS_FILE, "corpus", _TABLES)
    settings = CorpusSettings.checked(file.tables["settings"])
    place = CorpusPlace.checked(file.tables["output"])
    return MakeCorpusJob(file.sources, settings, Path(place.out), name=folder.name)


def finished_corpus(folder: Path) -> Finished | None:
    """How the job of a corpus ended whose process was killed before it could say so.

    Args:
        folder: The job's.

    Returns:
        Its last event; None where the corpus is not there.

    Raises:
        EpitomeError: If its settings cannot be read.
    """
    made = load_corpus_job(folder).made_before()
    return Finished(made) if made else None


def corpus_of(folder: Path) -> Path:
    """The folder of the corpus that a queued job prepares.

    Args:
        folder: The job's.

    Returns:
        The folder; it may not be there yet.

    Raises:
        EpitomeError: If the job's settings cannot be read.
    """
    out = load_corpus_job(folder).out
    assert out is not None
    return out


def draft_of(folder: Path) -> Path:
    """Where the corpus of a queued job is built; fails as `corpus_of` does."""
    return staging_place(corpus_of(folder))


def _absolute(source: str) -> str:
    """A source by a name that means the same in every folder."""
    return source if source.startswith(_HUB) else str(typed_path(source).absolute())

"""A home with every kind of file that the program keeps, each made as the program makes it.

It takes seconds to make, and needs the training part; `full_home` has what is made at once.
"""

import os
import tempfile
from pathlib import Path
from unittest.mock import patch

from core.events import Finished
from core.jobs.batches.job_file import save_job_file
from core.jobs.batches.queued import specify_batch
from core.jobs.batches.store import BatchStore, FoundSource
from core.jobs.history.keep_history import HistoryKeeper
from core.jobs.lanes import lane
from core.jobs.models.convert_model import ConvertModelJob, ConvertSettings
from core.jobs.models.import_folder import ImportFolderJob
from core.jobs.queue.job_queue import JobQueue
from core.jobs.sources.source_files import NamedSource
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseSettings
from core.jobs.summaries.summarise_together import TogetherJob
from core.library.folders import HOME_VARIABLE, Folders
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs
from tests.helpers.full_home import full_home
from tests.helpers.library_folders import library_folder
from tests.helpers.prepared import prepare, result
from tests.helpers.queued_jobs import end_all, events_of
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan
from tests.helpers.towns import write_documents


def whole_home(home: Path) -> list[Path]:
    """Fills a home; gives its files, relative to it and in their order."""
    full_home(home)
    folders = Folders.under(home)
    with (
        tempfile.TemporaryDirectory() as made,
        patch.dict(os.environ, {HOME_VARIABLE: str(home)}),
    ):
        place = Path(made)
        _models(folders, place)
        _corpus(folders.corpora / "prepared", place / "pairs.parquet")
        _joined(folders, write_documents(place / "towns", 2))
        _worked_through(folders, write_documents(place / "more", 2))
    return sorted(path.relative_to(home) for path in home.rglob("*") if path.is_file())


def _models(folders: Folders, place: Path) -> None:
    """A model that was trained, one that was taken in, one that was made longer."""
    corpus = tiny_corpus(folders.corpora / "pairs")
    steps = {"steps": 2, "validate_every": 1, "checkpoint_every": 1}
    run_events(folders.runs / "trained", tiny_plan(corpus, **steps))
    result(ImportFolderJob(library_folder("bart", place / "imported"), folders.runs))
    longer = ConvertSettings(length=128, window=16)
    result(ConvertModelJob(library_folder("pegasus", place / "longer"), folders.runs, longer))


def _corpus(folder: Path, source: Path) -> None:
    """A corpus with its statistics, of rows of which one is left out."""
    write_pairs(source, [*TEXTS, ""], [*SUMMARIES, "Of nothing."])
    prepare(folder, [source])


def _joined(folders: Folders, documents: Path) -> None:
    """One summary of several documents, in the history."""
    sources = tuple(NamedSource(p.name, SourceRef(path=p)) for p in sorted(documents.iterdir()))
    combined, _ = result(TogetherJob(sources, SummariseSettings(length="4s"), processes=1))
    HistoryKeeper(folders).keep_combined(combined, "auto", "command")


def _worked_through(folders: Folders, documents: Path) -> None:
    """A batch that the queue has summarised, with what its process has written."""
    folder = folders.batches / "summarised"
    with BatchStore(folder, make=True) as store:
        found = sorted(documents.iterdir())
        store.add([FoundSource(str(path), path.name) for path in found], [str(documents)])
        save_job_file(folder, store)
    queue = JobQueue.of_this_user()
    job = queue.add(specify_batch(folder))
    lane.attend(queue)
    last = list(events_of(queue, job.id))[-1]
    end_all(folders.data.parent)
    assert isinstance(last, Finished), last

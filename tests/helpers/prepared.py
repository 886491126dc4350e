"""Corpora that tests prepare, small and quickly."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.data.settings import CorpusSettings
from core.events import Event, Finished
from core.jobs.corpora.make_corpus import MakeCorpusJob
from core.jobs.job import Job
from core.jobs.run import run_inline
from core.stop import StopToken
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs
from tests.helpers.shelf import copied, kept


def result(job: Job) -> Any:
    """What a job makes; a failed one fails the test."""
    *_, last = events(job)
    assert isinstance(last, Finished), last
    return last.result


def events(job: Job) -> list[Event]:
    """All that a job tells."""
    return list(run_inline(job, StopToken()))


def prepare(folder: Path, sources: Sequence[Path | str], **values: Any) -> Path:
    """A corpus of some sources, prepared here and now.

    Args:
        folder: Where it is to be.
        sources: What it is made of.
        **values: Of its settings.

    Returns:
        Its folder.
    """
    settings = CorpusSettings.checked({"processes": 1} | values)
    folder.parent.mkdir(parents=True, exist_ok=True)
    result(MakeCorpusJob(tuple(map(str, sources)), settings, folder))
    return folder


def pairs_corpus(folder: Path, times: int = 1, **values: Any) -> Path:
    """A corpus of small documents with summaries; one that was prepared before is copied."""
    name = folder.name

    def make(place: Path) -> None:
        source = write_pairs(place / f"{name}.parquet", TEXTS * times, SUMMARIES * times)
        prepare(place / name, [source], **values)

    place = kept(f"{name}: {times} times pairs, prepared with {values}", make)
    folder.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(place / f"{name}.parquet", folder.parent)
    return copied(place / name, folder)

"""What the window learns of a batch, and what it changes there; for a thread of the window."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import EpitomeError
from core.events import Event, Finished, Progress
from core.jobs.batches.rows import BatchRow, BatchSettings
from core.jobs.batches.store import FILE, BatchStore
from core.jobs.batches.tables import BatchTable
from core.jobs.batches.work import NOW_FILE
from core.stop import StopToken
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular

MOST_AT_ONCE = 500


@dataclass(frozen=True)
class BatchNews:
    """What has changed in a batch.

    Args:
        rows: Documents that changed, in their order.
        revision: Ask next for what came after this.
        after: Ask next for the documents after this number.
        has_more: Whether more documents have changed: ask again at once.
        counts: As `BatchStore.counts`.
        settings: Those of the batch.
        sources: The files and folders that were added.
        resumed: The sentence on what was done before; may be empty.
        now: How far the documents are that are being read, by number.
        history_problem: As `BatchStore.history_problem`.
        tables: As `BatchStore.tables`.
        cluster: As `BatchStore.cluster`.
    """

    rows: tuple[BatchRow, ...]
    revision: int
    after: int
    has_more: bool
    counts: dict[str, int]
    settings: BatchSettings
    sources: tuple[str, ...]
    resumed: str
    now: dict[int, Progress] = field(default_factory=dict)
    history_problem: str = ""
    tables: tuple[BatchTable, ...] = ()
    cluster: str = ""


def read_news(folder: Path, since: int = 0, after: int = 0, until: int = 0) -> BatchNews:
    """Reads what has changed in a batch.

    Args:
        folder: The folder of the batch.
        since: The revision that is known.
        after: The documents up to this number are known as they are in *until*.
        until: The revision that a look in several steps aims at; 0 begins one.

    Returns:
        The changes, up to `MOST_AT_ONCE` rows.
    """
    with BatchStore(folder) as store:
        until = until or store.revision
        rows = tuple(store.news(since, after, MOST_AT_ONCE, until))
        has_more = len(rows) == MOST_AT_ONCE
        return BatchNews(
            rows,
            until,
            rows[-1].number if has_more else 0,
            has_more,
            store.counts(),
            store.settings,
            store.sources,
            store.resumed,
            _now(folder),
            store.history_problem,
            store.tables,
            store.cluster,
        )


def _now(folder: Path) -> dict[int, Progress]:
    with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        told = parse_json(read_regular(folder / NOW_FILE))
        return {int(number): Progress(*values) for number, values in told.items()}
    return {}


def change_batch(folder: Path, change: Callable[[BatchStore], object]) -> None:
    """Changes a batch.

    Args:
        folder: The folder of the batch.
        change: What is done to it.
    """
    with BatchStore(folder) as store:
        change(store)


@dataclass(frozen=True)
class ListedBatch:
    """A batch on disk.

    Args:
        folder: Its folder.
        sources: The files and folders that were added.
        counts: As `BatchStore.counts`.
        changed_s: When something was last done, in seconds since 1970.
    """

    folder: Path
    sources: tuple[str, ...]
    counts: dict[str, int]
    changed_s: float


@dataclass(frozen=True)
class ListBatchesJob:
    """Lists the batches there are, the newest first.

    Args:
        batches: Where they lie.
    """

    batches: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with `ListedBatch` objects; one that cannot be read is left out."""
        found: list[ListedBatch] = []
        for file in self.batches.glob(f"*/{FILE}"):
            stop.raise_if_set()
            with suppress(EpitomeError, OSError), BatchStore(file.parent) as store:
                changed_s = file.stat().st_mtime
                found.append(ListedBatch(file.parent, store.sources, store.counts(), changed_s))
        yield Finished(tuple(sorted(found, key=lambda batch: -batch.changed_s)))

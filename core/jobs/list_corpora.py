"""Lists the person's corpora: what `epitome corpus --out NAME` and the queue have prepared."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.data.corpus import CARD, STAGING_SUFFIX, STATISTICS, read_card
from core.errors import EpitomeError
from core.events import Event, Finished
from core.regular_files import read_regular
from core.stop import StopToken


@dataclass(frozen=True)
class ListedCorpus:
    """A corpus as a list shows it.

    Args:
        folder: Where it lies.
        make: What its rows are: "gsg", "pairs" or "text"; empty where it cannot be read.
        counts: How many rows each split has.
        skipped: How many rows of its sources were skipped.
        words: Words of all documents; None where they were not counted.
        made_s: When it was prepared, in seconds since 1970.
        fault: Why it cannot be read; empty if it can.
        remedy: What to do then.
    """

    folder: Path
    make: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    skipped: int = 0
    words: int | None = None
    made_s: float = 0.0
    fault: str = ""
    remedy: str = ""

    @property
    def name(self) -> str:
        """What a person calls it."""
        return self.folder.name

    @property
    def documents(self) -> int:
        """How many rows it has."""
        return sum(count for _, count in self.counts)


@dataclass(frozen=True)
class ListCorporaJob:
    """Looks which corpora there are; their documents are not read.

    Args:
        corpora: The folder of all corpora.
    """

    corpora: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a tuple of `ListedCorpus`, the newest first."""
        yield Finished(_listed(self.corpora))


def _listed(corpora: Path) -> tuple[ListedCorpus, ...]:
    try:
        folders = [path for path in corpora.iterdir() if (path / CARD).exists()]
    except FileNotFoundError:
        return ()
    found = [describe_corpus(path) for path in folders if path.suffix != STAGING_SUFFIX]
    return tuple(sorted(found, key=lambda each: (-each.made_s, each.name)))


def describe_corpus(folder: Path) -> ListedCorpus:
    """What is told of a corpus in a list.

    Args:
        folder: The corpus.

    Returns:
        Its numbers, or why it cannot be read.
    """
    try:
        card = read_card(folder)
        made, rows = card["made"], card["rows"]
        return ListedCorpus(
            folder,
            str(made["make"]),
            tuple((str(split), int(count)) for split, count in rows.items()),
            int(made.get("skipped", 0)),
            _words(folder),
            (folder / CARD).stat().st_mtime,
        )
    except EpitomeError as error:
        return ListedCorpus(folder, fault=error.message, remedy=error.remedy)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        fault = f"The corpus {folder} is damaged ({CARD}: {error})."
        return ListedCorpus(folder, fault=fault, remedy="Prepare it again, or delete its folder.")


def _words(folder: Path) -> int | None:
    try:
        numbers: dict[str, Any] = json.loads(read_regular(folder / STATISTICS))
        return int(numbers["all"]["words"]["sum"])
    except (OSError, ValueError, KeyError, TypeError):
        return None

"""Shows what is in a prepared corpus: its numbers, its documents, where words stand in them.

These jobs run in a warm process beside the window, one after the other, which keeps the corpus and
the last document open: however large a corpus is, only what is looked at is read.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.data.corpus import SKIPPED, STATISTICS, open_corpus, read_card
from core.documents.document import Document
from core.documents.plain import plain_document
from core.errors import EpitomeError, needs_training
from core.events import Event, Finished, Started
from core.gsg.settings import GapPairSettings
from core.stop import StopToken
from core.storage.parsing import parse_json
from core.storage.regular_files import open_regular, read_regular

if TYPE_CHECKING:
    from core.data.stored_rows import StoredRows

MOST_SKIPPED = 20_000
"""So many skipped rows are listed at most; all are counted."""
_NEEDED = "Corpora are read"


@dataclass(frozen=True)
class SkippedRow:
    """A row of a source that is not in the corpus.

    Args:
        origin: Where it stands.
        reason: Why, in the plural.
        details: What exactly was wrong; may be empty.
    """

    origin: str
    reason: str
    details: str = ""


@dataclass(frozen=True, eq=False)
class OpenedCorpus:
    """A corpus that is shown.

    Args:
        folder: Where it lies.
        make: What its rows are: "gsg", "pairs" or "text".
        masking: Of gap sentences: what stands in their place.
        counts: How many rows each split has, in their order.
        lengths: [N, 2] int32: words of each document and of each summary.
        skipped: The skipped rows, at most `MOST_SKIPPED`.
        num_skipped: How many there are.
        statistics: As `statistics.json` has them.
        sources: One sentence per source on what was read.
        fingerprint: The same for the same rows in the same splits.
        gap_settings: How gap sentences were chosen when it was prepared; the defaults where they
            cannot be told.
        tokenizer: The folder of the tokenizer that was made for it last; None where none was.
    """

    folder: Path
    make: str
    masking: str
    counts: tuple[tuple[str, int], ...]
    lengths: NDArray[np.int32]
    skipped: tuple[SkippedRow, ...]
    num_skipped: int
    statistics: dict[str, Any] = field(repr=False)
    sources: tuple[str, ...]
    fingerprint: str
    gap_settings: GapPairSettings = field(default_factory=GapPairSettings)
    tokenizer: Path | None = None

    @property
    def name(self) -> str:
        """What a person calls it."""
        return self.folder.name

    def __len__(self) -> int:
        return len(self.lengths)


@dataclass(frozen=True)
class OpenCorpusJob:
    """Opens a corpus to be browsed.

    Args:
        folder: Where it lies.
    """

    folder: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with an `OpenedCorpus`."""
        yield Started("Opening a corpus")
        rows = _rows(self.folder)
        corpus = rows.corpus
        card = read_card(self.folder)
        made = card["made"]
        lengths = yield from rows.lengths(stop)
        skipped = tuple(_skipped(self.folder))
        yield Finished(
            OpenedCorpus(
                self.folder,
                corpus.make,
                corpus.masking,
                tuple((split, corpus.counts[split]) for split in corpus.splits),
                lengths,
                skipped,
                int(made.get("skipped", len(skipped))),
                _statistics(self.folder),
                tuple(made.get("sources", ())),
                corpus.fingerprint,
                _gap_settings(card),
                _newest_tokenizer(self.folder),
            )
        )


def read_titles(folder: Path, numbers: tuple[int, ...]) -> tuple[str, ...]:
    """Reads the titles of documents of a corpus.

    Args:
        folder: The corpus.
        numbers: The rows.

    Returns:
        The titles.
    """
    rows = _rows(folder)
    return tuple(title for n in numbers for title in rows.titles(n, 1))


@dataclass(frozen=True)
class RowsFound(Event):
    """Rows in which words were found.

    Args:
        numbers: Those found since the last event.
        done: How many rows were looked at.
        total: How many there are.
    """

    numbers: tuple[int, ...]
    done: int
    total: int


@dataclass(frozen=True)
class FindRowsJob:
    """Looks for words in all documents of a corpus.

    Args:
        folder: The corpus.
        words: What is looked for; upper and lower case are the same.
    """

    folder: Path
    words: str

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `RowsFound` as it goes, then `Finished`."""
        rows = _rows(self.folder)
        for done, numbers in rows.find(self.words):
            yield RowsFound(tuple(numbers), done, len(rows))
            stop.raise_if_set()
        yield Finished()


@dataclass(frozen=True, eq=False)
class RowShown:
    """A document of a corpus as it is read in the window.

    Args:
        number: Its row.
        id: Its id in its source.
        split: The split it stands in.
        document: Its text.
        starts: [S] int64: where each of its sentences begins.
        ends: [S] int64: where it ends.
        summary: Its summary; empty for none.
        gaps: [G] of a row with gap sentences: which of the sentences they are.
    """

    number: int
    id: str
    split: str
    document: Document
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    summary: str
    gaps: tuple[int, ...] = ()


@dataclass(frozen=True)
class ReadRowJob:
    """Reads a document of a corpus.

    Args:
        folder: The corpus.
        number: The row.
    """

    folder: Path
    number: int

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a `RowShown`."""
        yield Started("Reading a document")
        rows = _rows(self.folder)
        if not 0 <= self.number < len(rows):
            told = f"row {self.number + 1}; it has rows 1 to {len(rows)}"
            raise EpitomeError(
                f"The corpus {self.folder.name} has no {told}.",
                "Choose one of these.",
            )
        row, text = rows[self.number], rows.text(self.number)
        spans = sentences_of(self.folder, rows.corpus.fingerprint, self.number)
        starts = np.array([start for start, _ in spans], np.int64)
        ends = np.array([end for _, end in spans], np.int64)
        title = rows.titles(self.number, 1)[0]
        document = plain_document(text, title, row["id"])
        summary = row.get("summary", "")
        yield Finished(
            RowShown(
                self.number,
                row["id"],
                rows.split_of(self.number),
                document,
                starts,
                ends,
                summary,
                _gap_places(row, text, starts),
            )
        )


def text_of_row(folder: Path, number: int) -> str:
    """The whole text of a row.

    Args:
        folder: The corpus.
        number: The row.

    Returns:
        Its text, as gap sentences are chosen from it.
    """
    return _rows(folder).text(number)


@lru_cache(maxsize=2)
def sentences_of(folder: Path, fingerprint: str, number: int) -> tuple[tuple[int, int], ...]:
    """The spans of the sentences of a row, as a corpus with gap sentences has them.

    Args:
        folder: The corpus.
        fingerprint: Of its rows.
        number: The row.

    Returns:
        Half-open spans in the text of the row.
    """
    from core.data.gaps import sentence_spans

    return tuple(sentence_spans(text_of_row(folder, number)))


def fingerprint_of(folder: Path) -> str:
    """What tells the rows of a corpus from those of others."""
    return _rows(folder).corpus.fingerprint


def _rows(folder: Path) -> "StoredRows":
    """The rows of a corpus; a corpus made anew under the same name is opened anew."""
    with needs_training(_NEEDED):
        import pyarrow  # noqa: F401
    corpus = open_corpus(folder)
    return _opened(folder, corpus.fingerprint)


@lru_cache(maxsize=2)
def _opened(folder: Path, fingerprint: str) -> "StoredRows":
    from core.data.stored_rows import StoredRows

    return StoredRows(open_corpus(folder))


def _statistics(folder: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = parse_json(read_regular(folder / STATISTICS))
    except (OSError, ValueError):
        return {}
    return found


def _gap_settings(card: dict[str, Any]) -> GapPairSettings:
    """The settings of gap sentences in a corpus's card."""
    kept = card.get("settings")
    names = GapPairSettings.model_fields
    try:
        return GapPairSettings.checked(
            {n: v for n, v in kept.items() if n in names} if kept else {}
        )
    except (EpitomeError, AttributeError):  # a card that was changed by hand
        return GapPairSettings()


def _newest_tokenizer(corpus: Path) -> Path | None:
    found = [file for file in corpus.glob("tokenizer-*/tokenizer.json") if file.is_file()]
    newest = max(found, key=lambda file: file.stat().st_mtime_ns, default=None)
    return newest.parent if newest is not None else None


def _skipped(folder: Path) -> Iterator[SkippedRow]:
    try:
        with open_regular(folder / SKIPPED, "rb") as lines:
            for _, line in zip(range(MOST_SKIPPED), lines, strict=False):
                yield SkippedRow(**parse_json(line))
    except (OSError, ValueError, TypeError):
        return


def _gap_places(row: dict[str, Any], text: str, starts: NDArray[np.int64]) -> tuple[int, ...]:
    """Which sentences the gap sentences of a row are."""
    places, found = [], 0
    for gap in row.get("gaps", ()):
        at = text.find(gap.strip(), found)
        if at < 0:
            return ()
        places.append(max(int(np.searchsorted(starts, at, side="right")) - 1, 0))
        found = at + len(gap.strip())
    return tuple(places)

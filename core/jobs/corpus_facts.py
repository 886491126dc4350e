"""What is known of each prepared corpus without opening its documents."""

import json
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.data.corpus import CARD, STATISTICS
from core.events import Event, Finished
from core.regular_files import read_regular
from core.stop import StopToken


@dataclass(frozen=True)
class CorpusFacts:
    """A prepared corpus.

    Args:
        folder: Where it lies.
        name: Its name.
        make: What its rows are: gsg, pairs or text.
        rows: How many rows each split has.
        words: Words of all documents.
        percentiles: Words of a document, by the share in percent that has no more.
        summary_percentiles: The same of summaries; empty where there are none.
        tokenizers: Sizes of the vocabularies that were trained on it.
        changed_ns: When it was prepared, in nanoseconds since 1970.
    """

    folder: Path
    name: str
    make: str
    rows: dict[str, int]
    words: int = 0
    percentiles: dict[float, int] = field(default_factory=dict)
    summary_percentiles: dict[float, int] = field(default_factory=dict)
    tokenizers: tuple[int, ...] = ()
    changed_ns: int = 0

    @property
    def documents(self) -> int:
        """Rows of all splits."""
        return sum(self.rows.values())

    @property
    def mean_words(self) -> float:
        """Words of a document on average."""
        return self.words / max(self.documents, 1)

    def words_at(self, percent: float) -> float:
        """How many words the documents up to a share have at most; 0 where nobody knows."""
        if not self.percentiles:
            return 0.0
        shares = sorted(self.percentiles)
        return float(np.interp(percent, shares, [self.percentiles[each] for each in shares]))

    def share_longer(self, words: float) -> float:
        """The share of documents with more words, from 0 to 1, between the known percentiles."""
        if not self.percentiles:
            return 0.0
        shares = sorted(self.percentiles)
        lengths = [self.percentiles[each] for each in shares]
        if words >= lengths[-1]:
            return 0.0
        return 1 - float(np.interp(words, lengths, shares)) / 100


@dataclass(frozen=True)
class CorpusFactsJob:
    """Looks which corpora there are.

    Args:
        corpora: The folder of all corpora.
        more: Folders of corpora that lie elsewhere.
    """

    corpora: Path
    more: tuple[Path, ...] = ()

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a tuple of `CorpusFacts`, the newest first."""
        inside = sorted(self.corpora.iterdir()) if self.corpora.is_dir() else []
        found = [facts for path in (*inside, *self.more) if (facts := facts_of(path))]
        yield Finished(tuple(sorted(found, key=lambda each: -each.changed_ns)))


def facts_of(folder: Path) -> CorpusFacts | None:
    """What is known of a corpus; None where there is none, or its card is damaged."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        card = tomllib.loads(read_regular(folder / CARD).decode())
        facts = CorpusFacts(
            folder,
            folder.name,
            str(card["made"]["make"]),
            {str(name): int(count) for name, count in card["rows"].items()},
            tokenizers=_tokenizers(folder),
            changed_ns=(folder / CARD).stat().st_mtime_ns,
        )
        return _with_statistics(facts, folder)
    return None


def _tokenizers(folder: Path) -> tuple[int, ...]:
    sizes = (path.name.removeprefix("tokenizer-") for path in folder.glob("tokenizer-*"))
    return tuple(sorted(int(size) for size in sizes if size.isdigit()))


def _with_statistics(facts: CorpusFacts, folder: Path) -> CorpusFacts:
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        whole: dict[str, Any] = json.loads(read_regular(folder / STATISTICS))["all"]
        return CorpusFacts(
            facts.folder,
            facts.name,
            facts.make,
            facts.rows,
            int(whole["words"]["sum"]),
            _percentiles(whole["words"]),
            _percentiles(whole.get("summary_words", {})),
            facts.tokenizers,
            facts.changed_ns,
        )
    return facts


def _percentiles(spread: dict[str, Any]) -> dict[float, int]:
    return {float(share): int(count) for share, count in spread.get("percentiles", {}).items()}

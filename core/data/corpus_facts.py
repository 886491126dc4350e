"""Lists prepared corpora: what is known of each without opening its documents.

The one door for the Corpus panel, the Train panel, the Models panel and `epitome list corpora`.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.data.corpus import CARD, STAGING_SUFFIX, STATISTICS, corpus_of, read_card
from core.errors import EpitomeError
from core.storage.files import entries_of
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular


@dataclass(frozen=True)
class CorpusFacts:
    """A prepared corpus.

    Args:
        folder: Where it lies.
        name: Its name.
        make: What its rows are: gsg, pairs or text; empty where it cannot be read.
        rows: How many rows each split has.
        words: Words of all documents; 0 where they were not counted.
        percentiles: Words of a document, by the share in percent that has no more.
        summary_percentiles: The same of summaries; empty where there are none.
        tokenizers: Sizes of the vocabularies that were trained on it.
        changed_ns: When it was prepared, in nanoseconds since 1970.
        skipped: How many rows of its sources were skipped.
        fault: Why it cannot be used, one sentence; empty if it can.
        remedy: What to do then.
    """

    folder: Path
    name: str
    make: str = ""
    rows: dict[str, int] = field(default_factory=dict)
    words: int = 0
    percentiles: dict[float, int] = field(default_factory=dict)
    summary_percentiles: dict[float, int] = field(default_factory=dict)
    tokenizers: tuple[int, ...] = ()
    changed_ns: int = 0
    skipped: int = 0
    fault: str = ""
    remedy: str = ""

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


def list_corpora(corpora: Path, more: tuple[Path, ...] = ()) -> tuple[CorpusFacts, ...]:
    """Lists the corpora of a folder, the newest first.

    Args:
        corpora: The folder of all corpora.
        more: Corpora in other places.

    Returns:
        What is known of each.
    """
    found = [facts for path in (*_inside(corpora), *more) if (facts := facts_of(path))]
    return tuple(sorted(found, key=lambda each: (-each.changed_ns, each.name)))


def facts_of(folder: Path) -> CorpusFacts | None:
    """What is known of a corpus.

    Args:
        folder: The corpus.

    Returns:
        Its numbers, or why it cannot be used; None if there is no corpus.
    """
    try:
        changed_ns = (folder / CARD).lstat().st_mtime_ns  # a link may lead nowhere
    except (FileNotFoundError, NotADirectoryError):
        return None
    facts = CorpusFacts(folder, folder.name, changed_ns=changed_ns)
    try:
        card = read_card(folder)
        corpus = corpus_of(folder, card)
        return _with_statistics(
            replace(
                facts,
                make=corpus.make,
                rows={str(split): int(count) for split, count in corpus.counts.items()},
                tokenizers=_tokenizers(folder),
                skipped=int(card["made"].get("skipped", 0)),
            )
        )
    except EpitomeError as error:
        return replace(facts, fault=error.message, remedy=error.remedy)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        fault = f"The corpus {folder} is damaged ({CARD}: {error})."
        return replace(facts, fault=fault, remedy="Prepare it again with epitome corpus.")


def _inside(corpora: Path) -> list[Path]:
    """What lies in the folder of all corpora, without corpora that are being prepared."""
    return [path for path in entries_of(corpora) if path.suffix != STAGING_SUFFIX]


def _tokenizers(folder: Path) -> tuple[int, ...]:
    sizes = (path.name.removeprefix("tokenizer-") for path in folder.glob("tokenizer-*"))
    return tuple(sorted(int(size) for size in sizes if size.isdigit()))


def _with_statistics(facts: CorpusFacts) -> CorpusFacts:
    """The same with its lengths, where they were counted."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        whole: dict[str, Any] = parse_json(read_regular(facts.folder / STATISTICS))["all"]
        return replace(
            facts,
            words=int(whole["words"]["sum"]),
            percentiles=_percentiles(whole["words"]),
            summary_percentiles=_percentiles(whole.get("summary_words", {})),
        )
    return facts


def _percentiles(spread: dict[str, Any]) -> dict[float, int]:
    return {float(share): int(count) for share, count in spread.get("percentiles", {}).items()}

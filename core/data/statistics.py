"""Statistics of a corpus.

Letters: N documents.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SHARES = (0, 10, 25, 50, 75, 90, 99, 100)


@dataclass
class Lengths:
    """How many documents have each length; there are far fewer lengths than documents."""

    documents: Counter[int] = field(default_factory=Counter)

    def add(self, lengths: NDArray[np.int64]) -> None:
        """Counts some documents.

        Args:
            lengths: [N].
        """
        found, counts = np.unique(lengths, return_counts=True)
        for length, count in zip(found.tolist(), counts.tolist(), strict=True):
            self.documents[length] += count

    @property
    def sum(self) -> int:
        """All lengths together."""
        return sum(length * count for length, count in self.documents.items())

    def spread(self) -> dict[str, Any]:
        """Sum, mean and percentiles; there must be a document."""
        number, total = self.documents.total(), self.sum
        ranks = [math.floor((number - 1) * (share / 100)) for share in _SHARES]
        lengths = sorted(self.documents)
        up_to = np.cumsum([self.documents[length] for length in lengths])
        at = [lengths[place] for place in np.searchsorted(up_to, ranks, "right").tolist()]
        return {
            "sum": total,
            "mean": round(total / number, 1),
            "percentiles": {str(share): value for share, value in zip(_SHARES, at, strict=True)},
        }


@dataclass
class DocumentCounts:
    """What was counted of some documents, such as those of a split."""

    documents: int = 0
    characters: int = 0
    words: Lengths = field(default_factory=Lengths)
    summary_words: Lengths = field(default_factory=Lengths)

    def add(
        self,
        words: NDArray[np.int64],
        characters: NDArray[np.int64],
        summary_words: NDArray[np.int64],
    ) -> None:
        """Counts some documents.

        Args:
            words: [N] words of each document.
            characters: [N] code points of each document.
            summary_words: [N] words of each summary, 0 where there is none.
        """
        self.documents += len(words)
        self.characters += int(characters.sum())
        self.words.add(words)
        self.summary_words.add(summary_words)

    @classmethod
    def together(cls, counts: Iterable["DocumentCounts"]) -> "DocumentCounts":
        """What was counted of several sets of documents."""
        all_of_them = cls()
        for some in counts:
            all_of_them.documents += some.documents
            all_of_them.characters += some.characters
            all_of_them.words.documents.update(some.words.documents)
            all_of_them.summary_words.documents.update(some.summary_words.documents)
        return all_of_them


@dataclass(frozen=True)
class Duplicates:
    """Documents that occur in a corpus more than once, exactly or nearly.

    Args:
        pairs: Number of duplicate pairs.
        leaks: Number of pairs across two splits.
        examples: Some of the leaks, each with the ids, splits and rows of both documents; rows are
            counted from 0 through the splits.
        others: The same of some pairs within one split.
    """

    pairs: int
    leaks: int
    examples: tuple[dict[str, Any], ...] = ()
    others: tuple[dict[str, Any], ...] = ()


def statistics(
    splits: Mapping[str, DocumentCounts], reasons: Counter[str], duplicates: Duplicates
) -> dict[str, Any]:
    """Plain values for `statistics.json`.

    Args:
        splits: Counts of the documents of each split that has any.
        reasons: Number of skipped rows, by reason.
        duplicates: Documents that occur more than once.

    Returns:
        Counts and the distribution of lengths, for each split and in total.
    """
    together = DocumentCounts.together(splits.values())
    return {
        "documents": together.documents,
        "splits": {name: _numbers(counts) for name, counts in splits.items()},
        "all": _numbers(together),
        "skipped": dict(sorted(reasons.items())),
        "duplicates": {
            "pairs": duplicates.pairs,
            "in_two_splits": duplicates.leaks,
            "examples": list(duplicates.examples),
            "others": list(duplicates.others),
        },
    }


def _numbers(counts: DocumentCounts) -> dict[str, Any]:
    numbers = {
        "documents": counts.documents,
        "characters": counts.characters,
        "words": counts.words.spread(),
    }
    if summary_words := counts.summary_words.sum:
        share = summary_words / max(counts.words.sum, 1)
        numbers |= {
            "summary_words": counts.summary_words.spread(),
            "summary_share": round(share, 4),
        }
    return numbers

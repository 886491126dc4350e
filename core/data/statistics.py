"""Statistics of a corpus.

Letters: N documents.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.data.corpus import SPLITS

_SHARES = (0, 10, 25, 50, 75, 90, 99, 100)


@dataclass(frozen=True, eq=False)
class DocumentCounts:
    """What was counted of each document.

    Args:
        splits: [N] the split of each, an index into `SPLITS`.
        words: [N] words of each document.
        characters: [N] code points of each document.
        summary_words: [N] words of each summary, 0 where there is none.
    """

    splits: NDArray[np.int8]
    words: NDArray[np.int64]
    characters: NDArray[np.int64]
    summary_words: NDArray[np.int64]


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
    documents: DocumentCounts, reasons: Counter[str], duplicates: Duplicates
) -> dict[str, Any]:
    """Plain values for `statistics.json`.

    Args:
        documents: Counts of the documents in the corpus.
        reasons: Number of skipped rows, by reason.
        duplicates: Documents that occur more than once.

    Returns:
        Counts and the distribution of lengths, for each split and in total.
    """
    return {
        "documents": len(documents.splits),
        "splits": {
            name: of_split
            for number, name in enumerate(SPLITS)
            if (of_split := _numbers(documents, documents.splits == number))
        },
        "all": _numbers(documents, np.ones(len(documents.splits), np.bool_)),
        "skipped": dict(sorted(reasons.items())),
        "duplicates": {
            "pairs": duplicates.pairs,
            "in_two_splits": duplicates.leaks,
            "examples": list(duplicates.examples),
            "others": list(duplicates.others),
        },
    }


def _numbers(documents: DocumentCounts, chosen: NDArray[np.bool_]) -> dict[str, Any]:
    """The statistics of some documents; empty if there are none."""
    if not chosen.any():
        return {}
    words, summary_words = documents.words[chosen], documents.summary_words[chosen]
    numbers = {
        "documents": int(chosen.sum()),
        "characters": int(documents.characters[chosen].sum()),
        "words": _spread(words),
    }
    if summary_words.any():
        share = float(summary_words.sum() / max(int(words.sum()), 1))
        numbers |= {"summary_words": _spread(summary_words), "summary_share": round(share, 4)}
    return numbers


def _spread(numbers: NDArray[np.int64]) -> dict[str, Any]:
    """Sum, mean and percentiles."""
    at = np.percentile(numbers, _SHARES, method="lower").tolist()
    return {
        "sum": int(numbers.sum()),
        "mean": round(float(numbers.mean()), 1),
        "percentiles": {str(share): value for share, value in zip(_SHARES, at, strict=True)},
    }

"""What a corpus holds, in numbers.

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
class Facts:
    """What was counted of the documents.

    Args:
        splits: [N] the split of each, a number of `SPLITS`.
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
    """Documents that stand in a corpus more than once, to the letter or nearly.

    Args:
        pairs: How many pairs were found.
        leaks: How many of them stand in two splits.
        examples: Some of the leaks, each with the ids and splits of both documents.
    """

    pairs: int
    leaks: int
    examples: tuple[dict[str, Any], ...] = ()


def statistics(facts: Facts, reasons: Counter[str], same: Duplicates) -> dict[str, Any]:
    """Plain values for `statistics.json`.

    Args:
        facts: Of the documents that are in the corpus.
        reasons: How many rows are not, by reason.
        same: Documents that stand in it more than once.

    Returns:
        Counts, and the spread of lengths, of each split and of all.
    """
    return {
        "documents": len(facts.splits),
        "splits": {
            name: of_split
            for number, name in enumerate(SPLITS)
            if (of_split := _numbers(facts, facts.splits == number))
        },
        "all": _numbers(facts, np.ones(len(facts.splits), np.bool_)),
        "skipped": dict(sorted(reasons.items())),
        "duplicates": {
            "pairs": same.pairs,
            "in_two_splits": same.leaks,
            "examples": list(same.examples),
        },
    }


def _numbers(facts: Facts, chosen: NDArray[np.bool_]) -> dict[str, Any]:
    """The numbers of some documents; empty if there is none."""
    if not chosen.any():
        return {}
    words, summary_words = facts.words[chosen], facts.summary_words[chosen]
    told = {
        "documents": int(chosen.sum()),
        "characters": int(facts.characters[chosen].sum()),
        "words": _spread(words),
    }
    if summary_words.any():
        share = float(summary_words.sum() / max(int(words.sum()), 1))
        told |= {"summary_words": _spread(summary_words), "summary_share": round(share, 4)}
    return told


def _spread(numbers: NDArray[np.int64]) -> dict[str, Any]:
    """Sum, mean, and the values below which shares of the numbers lie."""
    at = np.percentile(numbers, _SHARES, method="lower").tolist()
    return {
        "sum": int(numbers.sum()),
        "mean": round(float(numbers.mean()), 1),
        "percentiles": {str(share): value for share, value in zip(_SHARES, at, strict=True)},
    }

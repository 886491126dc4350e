"""The outline of a document: its headings, each with the first good sentence below it.

Where hardly a sentence is worth picking, this shows more than a summary.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind
from core.summaries.summary import OutlineEntry
from core.summarisers.ranking import Ranking


def outline_of(document: Document, ranking: Ranking) -> tuple[OutlineEntry, ...]:
    """The outline of a document.

    Args:
        document: The document.
        ranking: Its sentences, ranked.

    Returns:
        Its headings in order; none if it has none.
    """
    headings = np.flatnonzero(document.kinds == Kind.HEADING)
    starts = document.starts[headings]
    first = _first_good(starts, ranking)
    return tuple(
        OutlineEntry(
            level=int(document.levels[heading]),
            title=" ".join(document.paragraph(int(heading)).split()),
            start=int(start),
            text=_text_at(document, ranking, first.get(number, -1)),
            text_start=int(ranking.starts[first[number]]) if number in first else -1,
        )
        for number, (heading, start) in enumerate(zip(headings, starts, strict=True))
    )


def _first_good(starts: NDArray[np.int64], ranking: Ranking) -> Mapping[int, int]:
    """From the number of a heading to the first good sentence below it, else to a clear one."""
    order = ranking.by_number
    return _firsts(starts, ranking, order.indices) | _firsts(
        starts, ranking, order.indices[: order.good]
    )


def _firsts(
    starts: NDArray[np.int64], ranking: Ranking, indices: NDArray[np.int64]
) -> dict[int, int]:
    alone = np.sort(indices[ranking.leans_on[indices] < 0])
    below = np.searchsorted(starts, ranking.starts[alone], side="right") - 1
    numbers, firsts = np.unique(below, return_index=True)
    found = zip(numbers.tolist(), alone[firsts].tolist(), strict=True)
    return {number: index for number, index in found if number >= 0}


def _text_at(document: Document, ranking: Ranking, index: int) -> str:
    if index < 0:
        return ""
    start, end = int(ranking.starts[index]), int(ranking.ends[index])
    return " ".join(document.text[start:end].split())

"""The outline of a document: its headings, each with the first good sentence below it.

Of a text with few good sentences it shows more than a summary.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind
from core.summaries.summary import OutlineEntry
from core.summarisers.ranking import Ranking


def build_outline(document: Document, ranking: Ranking) -> tuple[OutlineEntry, ...]:
    """Builds the outline of a document.

    Args:
        document: The document.
        ranking: Its sentences, ranked.

    Returns:
        Its headings in order; none if it has none.
    """
    headings = np.flatnonzero(document.kinds == Kind.HEADING)
    starts = document.starts[headings]
    first = _find_firsts(starts, ranking)
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


def _find_firsts(starts: NDArray[np.int64], ranking: Ranking) -> Mapping[int, int]:
    """Maps headings, by number, to the first offered sentence below, else to a ranked one."""
    order = ranking.by_number
    offered = order.indices[: order.num_offered]
    return _firsts(starts, ranking, order.indices) | _firsts(starts, ranking, offered)


def _firsts(
    starts: NDArray[np.int64], ranking: Ranking, indices: NDArray[np.int64]
) -> dict[int, int]:
    """Maps headings to the first of some sentences below that needs no antecedent."""
    independent = np.sort(indices[ranking.antecedents[indices] < 0])
    below = np.searchsorted(starts, ranking.starts[independent], side="right") - 1
    numbers, firsts = np.unique(below, return_index=True)
    pairs = zip(numbers.tolist(), independent[firsts].tolist(), strict=True)
    return {number: index for number, index in pairs if number >= 0}


def _text_at(document: Document, ranking: Ranking, index: int) -> str:
    if index < 0:
        return ""
    start, end = int(ranking.starts[index]), int(ranking.ends[index])
    return " ".join(document.text[start:end].split())

"""Chooses a summary of a requested length from a ranking: quick enough to follow a slider."""

from core.documents.document import Document
from core.summaries.length import Length
from core.summaries.summary import Summary
from core.summarisers.ranking import Ranking


def choose_summary(
    document: Document,
    ranking: Ranking,
    length: Length,
    pinned: frozenset[int] = frozenset(),
    banned: frozenset[int] = frozenset(),
    seconds: float = 0.0,
) -> Summary:
    """Picks sentences from a ranking.

    Args:
        document: The document.
        ranking: Its sentences, best first.
        length: How long the summary may be.
        pinned: Sentences (indices) that stay.
        banned: Sentences that were dropped or replaced.
        seconds: How long reading and ranking took, to be said with the result.

    Returns:
        The summary.
    """
    from core.summarisers.choice import choose

    return choose(document, ranking, length, pinned=pinned, banned=banned, seconds=seconds)

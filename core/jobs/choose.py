"""Chooses a summary of a requested length from a ranking: quick enough to follow a slider."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.documents.document import Document
from core.events import Event, Finished
from core.length import Length
from core.stop import StopToken
from core.summarisers.ranking import Ranking


@dataclass(frozen=True)
class ChooseJob:
    """Picks sentences from a ranking.

    Args:
        document: The document.
        ranking: Its sentences, best first.
        length: How long the summary may be.
        pinned: Sentences (indices) that stay.
        banned: Sentences that were dropped or replaced.
        seconds: How long reading and ranking took, to be said with the result.
    """

    document: Document
    ranking: Ranking
    length: Length
    pinned: frozenset[int] = frozenset()
    banned: frozenset[int] = frozenset()
    seconds: float = 0.0

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the `core.summary.Summary`."""
        from core.summarisers.choice import choose

        yield Finished(
            choose(
                self.document,
                self.ranking,
                self.length,
                pinned=self.pinned,
                banned=self.banned,
                seconds=self.seconds,
            )
        )

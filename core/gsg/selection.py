"""Which sentences of a document are picked as gap sentences, in what order, with what score.

Letters: S sentences, N scorable ones (those that have words), M picked ones.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np
from numpy.typing import NDArray

from core.errors import EpitomeError
from core.events import Steps, result_of
from core.gsg import document_level, nearest, pairwise, paper, subsequences
from core.gsg.bags import Bags, bags_of
from core.gsg.chance import draws, shuffled
from core.gsg.settings import OTHER_SCRIPTS, GapSentenceSettings
from core.gsg.tokens import Tokens, tokenise
from core.stop import StopToken

Scored = tuple[list[int], NDArray[np.float64] | None]


@dataclass(frozen=True)
class Selection:
    """The picked sentences of a document.

    Args:
        picked: [M] indices over all sentences, in the order of picking.
        scores: [M] the score of each when it was picked; None where the strategy has none.
        num_sentences: S.
        num_scorable: N.
        note: What the person should know; empty when there is nothing to say.
    """

    picked: tuple[int, ...]
    scores: tuple[float | None, ...]
    num_sentences: int
    num_scorable: int
    note: str = ""

    @property
    def in_document_order(self) -> tuple[int, ...]:
        """[M] the picked indices, ascending."""
        return tuple(sorted(self.picked))


def select_gap_sentences(
    sentences: Sequence[str], settings: GapSentenceSettings | None = None
) -> Selection:
    """Picks the gap sentences of a document at once; `select` does it in steps.

    Args:
        sentences: [S] the document's sentences.
        settings: How; the defaults if None.

    Returns:
        The picked sentences.
    """
    settings = settings or GapSentenceSettings()
    stop = StopToken()
    tokens = result_of(tokenise(sentences, stop, settings.tokenizer, settings.stem))
    return result_of(select(tokens, settings, stop))


def select(
    tokens: Tokens,
    settings: GapSentenceSettings,
    stop: StopToken,
    document: int = 0,
) -> Steps[Selection]:
    """Picks as many sentences as the settings ask for.

    Args:
        tokens: [S] the sentences' words.
        settings: How many, and how they are scored.
        stop: Read now and then.
        document: Number of the document; each draws its own random numbers.

    Yields:
        How far it is.

    Returns:
        The picked sentences; none, with a note, when fewer than two have words.
    """
    num_scorable = int(np.count_nonzero(tokens.lengths))
    if num_scorable < 2:
        note = (
            f"Nothing was picked: {num_scorable} of {len(tokens)} sentences "
            f"{'has' if num_scorable == 1 else 'have'} words, and two are needed."
        )
        if settings.tokenizer == "rouge" and len(tokens) > 1:
            note += f" {OTHER_SCRIPTS}"
        return Selection((), (), len(tokens), num_scorable, note)
    count = num_picks(num_scorable, settings, document)
    return (yield from order(tokens, settings, stop, limit=count, document=document))


def num_picks(num_scorable: int, settings: GapSentenceSettings, document: int = 0) -> int:
    """How many sentences are picked: at least one, and never all.

    Args:
        num_scorable: How many sentences have words.
        settings: The count, or the ratio, or the range it is drawn from.
        document: Number of the document.

    Returns:
        The number of picks.
    """
    count = settings.count
    if count is None:
        low, high = settings.ratio, settings.ratio_to or settings.ratio
        share = draws(1, settings.seed, document, "ratio")[0]
        ratio = min(low + (high - low) * share, high)
        count = max(rounded_share(ratio, num_scorable), 1)
    return max(min(count, num_scorable - 1), 0)


def rounded_share(share: float, number: int) -> int:
    """A share of a number, halves up; the share is meant as it is written in decimals."""
    return floor(Fraction(repr(share)) * number + Fraction(1, 2))


def order(
    tokens: Tokens,
    settings: GapSentenceSettings,
    stop: StopToken,
    *,
    given: Collection[int] = (),
    limit: int | None = None,
    document: int = 0,
) -> Steps[Selection]:
    """The order in which a strategy picks sentences; its first *m* are what *m* picks are.

    Args:
        tokens: [S] the sentences' words.
        settings: How they are scored; the ratio and the count are not looked at.
        stop: Read now and then.
        given: Sentences that count as picked before the first pick; those without words are
            ignored.
        limit: How many to pick; None for all that have words.
        document: Number of the document; each draws its own random numbers.

    Yields:
        How far it is.

    Returns:
        The picked sentences, without the given ones. When all are picked the last has score 0 in
        a sequential strategy, since nothing is left to compare with.

    Raises:
        EpitomeError: If a given sentence is not one of the document's.
    """
    stop.raise_if_set()
    scorable = np.flatnonzero(tokens.lengths)
    wrong = [sentence for sentence in given if not 0 <= sentence < len(tokens)]
    if wrong:
        raise EpitomeError(
            f"Sentence {wrong[0]} is not in the document; numbers from 0 to {len(tokens) - 1} are.",
            "Give the numbers of its sentences.",
        )
    before = {int(np.searchsorted(scorable, each)) for each in given if tokens.lengths[each]}
    limit = len(scorable) - len(before) if limit is None else limit
    picked, scores = list[int](), None
    if limit > 0:
        strategy = _Strategy(tokens, settings, stop, document)
        picked, scores = yield from strategy.run(before, limit)
    return Selection(
        picked=tuple(scorable[picked].tolist()),
        scores=tuple([None] * len(picked) if scores is None else scores.tolist()),
        num_sentences=len(tokens),
        num_scorable=len(scorable),
    )


@dataclass(frozen=True)
class _Strategy:
    tokens: Tokens
    settings: GapSentenceSettings
    stop: StopToken
    document: int

    def run(self, given: Collection[int], limit: int) -> Steps[Scored]:
        """The picks in order, numbered over the scorable sentences, and their scores."""
        strategy = self.settings.strategy
        if strategy in ("random", "lead"):
            return self._unscored(given, limit), None
        if self.settings.independent:
            return (yield from self._independent(given, limit))
        if self.settings.algorithm == "paper":
            memo = paper.memo_of(self.tokens, self.settings)
            picked, scores = yield from paper.sequential(memo, given, limit, self.stop)
            return picked, np.array(scores)
        if self.settings.pairwise:
            nearest_only = self.settings.aggregate == "max"
            greedy = nearest.sequential if nearest_only else pairwise.sequential
            return (yield from greedy(self._bags, given, limit, self.stop))
        unique = self.settings.unique
        return (yield from document_level.sequential(self._bags, unique, given, limit, self.stop))

    @property
    def _bags(self) -> Bags:
        return bags_of(self.tokens, 2 if self.settings.rouge == "2" else 1, self.settings.unique)

    def _unscored(self, given: Collection[int], limit: int) -> list[int]:
        numbers: list[int] = list(range(int(np.count_nonzero(self.tokens.lengths))))
        if self.settings.strategy == "random":
            numbers = shuffled(numbers, self.settings.seed, self.document, "picks")
        return [each for each in numbers if each not in given][:limit]

    def _independent(self, given: Collection[int], limit: int) -> Steps[Scored]:
        ranked, scores = yield from self._ranked(len(given) + limit)
        if self.settings.noise:
            lots = draws(len(scores), self.settings.seed, self.document, "noise")
            factors = 1 + self.settings.noise * (2 * np.array(lots) - 1)
            ranked = np.argsort(-scores * factors, kind="stable").tolist()
        picked = [each for each in ranked if each not in given][:limit]
        return picked, scores[picked]

    def _ranked(self, needed: int) -> Steps[tuple[list[int], NDArray[np.float64]]]:
        """All scorable sentences, the first of them in true order, and [N] the scores."""
        if self.settings.algorithm == "paper":
            memo = paper.memo_of(self.tokens, self.settings)
            ranked, scores = yield from paper.independent(memo, self.stop)
            return ranked, np.array(scores)
        if self.settings.rouge == "L":
            return (yield from subsequences.ranked(self.tokens, self.settings, self.stop))
        if not self.settings.pairwise:
            return document_level.independent(self._bags, self.settings.unique)
        if self.settings.aggregate == "max":
            return (yield from nearest.independent(self._bags, self.stop))
        return pairwise.independent(self._bags, needed, self.stop)

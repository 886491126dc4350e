"""Pairwise gap sentences as the paper writes them: Algorithms 1 to 3, with their memo table.

Slow on purpose: about quadratic with a large constant. Its picks are those of the fast algorithm.
F1 values are whole numbers over one common denominator, so that no sum is rounded.

Source: Pre-training Reformer language models for abstractive summarisation (2020), section II-E.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from core.events import Progress, Steps
from core.gsg.settings import GapSentenceSettings
from core.gsg.subsequences import shared_in_order, word_lists
from core.gsg.tokens import Tokens
from core.stop import StopToken

Shared = Callable[[int, int], int]


@dataclass
class Memo:
    """F1 of pairs of sentences, each worked out when it is first asked for.

    Args:
        lengths: [N] the lengths of the sentences.
        shared: What two sentences share, by their numbers.
        aggregate: "mean" or "max" over the references.
    """

    lengths: list[int]
    shared: Shared
    aggregate: str
    table: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        distinct = set(self.lengths)
        self.denominator = math.lcm(*{a + b or 1 for a in distinct for b in distinct})

    def rouge(self, hypothesis: int, reference: int) -> int:
        """F1 of two sentences, times the common denominator."""
        both = self.lengths[hypothesis] + self.lengths[reference] or 1
        return 2 * self.shared(hypothesis, reference) * (self.denominator // both)

    def multiple_references(self, hypothesis: int, references: Iterable[int]) -> int:
        """Algorithm 1: the sum (or the largest) of F1 with each reference."""
        scores = []
        for reference in references:
            if (hypothesis, reference) not in self.table:
                self.table[hypothesis, reference] = self.rouge(hypothesis, reference)
            scores.append(self.table[hypothesis, reference])
        return sum(scores) if self.aggregate == "mean" else max(scores, default=0)

    def multiple_hypotheses(self, hypotheses: Iterable[int], references: Collection[int]) -> int:
        """Algorithm 2: the sum of that over the hypotheses."""
        return sum(self.multiple_references(each, references) for each in hypotheses)

    def score(self, total: int, hypotheses: int, references: int) -> float:
        """The mean that a sum stands for."""
        terms = hypotheses * (references if self.aggregate == "mean" else 1)
        return float(Fraction(total, terms * self.denominator)) if terms else 0.0


def memo_of(tokens: Tokens, settings: GapSentenceSettings) -> Memo:
    """An empty memo table for a document.

    Args:
        tokens: The words of all sentences.
        settings: What is compared, and the aggregate.

    Returns:
        The memo table over its scorable sentences.
    """
    sentences = word_lists(tokens)
    if settings.rouge == "L":
        return Memo(
            lengths=[len(words) for words in sentences],
            shared=lambda a, b: shared_in_order(sentences[a], sentences[b]),
            aggregate=settings.aggregate,
        )
    grams = sentences if settings.rouge == "1" else [list(pairwise(words)) for words in sentences]
    bags = [Counter(set(each) if settings.unique else each) for each in grams]
    return Memo(
        lengths=[bag.total() for bag in bags],
        shared=lambda a, b: (bags[a] & bags[b]).total(),
        aggregate=settings.aggregate,
    )


def sequential(
    memo: Memo, given: Collection[int], limit: int, stop: StopToken
) -> Steps[tuple[list[int], list[float]]]:
    """Algorithm 3: picks sentences one after the other.

    Args:
        memo: The sentences.
        given: Sentences that are picked already.
        limit: How many to pick.
        stop: Read for every candidate.

    Yields:
        How many are picked.

    Returns:
        The picked in order, without the given ones, and the score of each.
    """
    chosen, scores = list(given), list[float]()
    everything = range(len(memo.lengths))
    for done in range(min(limit, len(memo.lengths) - len(chosen))):
        yield Progress(done, limit, "sentences", "Picking")
        taken, best, best_total = set(chosen), -1, -1
        for candidate in everything:
            if candidate in taken:
                continue
            stop.raise_if_set()
            rest = [each for each in everything if each not in taken and each != candidate]
            total = memo.multiple_hypotheses([*chosen, candidate], rest)
            if total > best_total:
                best, best_total = candidate, total
        chosen.append(best)
        scores.append(memo.score(best_total, len(chosen), len(memo.lengths) - len(chosen)))
    return chosen[len(given) :], scores


def independent(memo: Memo, stop: StopToken) -> Steps[tuple[list[int], list[float]]]:
    """Scores each sentence against all others.

    Args:
        memo: The sentences.
        stop: Read for every sentence.

    Yields:
        How many are scored.

    Returns:
        All sentences, the best first; and [N] the score of each, by number.
    """
    totals = []
    for hypothesis in range(len(memo.lengths)):
        stop.raise_if_set()
        yield Progress(hypothesis, len(memo.lengths), "sentences", "Scoring")
        rest = [each for each in range(len(memo.lengths)) if each != hypothesis]
        totals.append(memo.multiple_references(hypothesis, rest))
    order = sorted(range(len(totals)), key=lambda index: -totals[index])
    return order, [memo.score(total, 1, len(totals) - 1) for total in totals]

"""The order in which sentences come into a summary: what matters, stands alone and is new.

Letters: S sentences of the document, E candidates.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.summarisers.ranking import Order, Ranking
from core.summarisers.scoring.quality import Quality
from core.summarisers.selection.submodular import covering_order

if TYPE_CHECKING:
    from core.summarisers.built_in import LookedAt

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Taste:
    """How what is known of sentences is weighed.

    Args:
        fault: A fault that is certain takes so much of a sentence's importance (0 to 3).
        most_faulty: A sentence that is more probably faulty is not picked.
        least: Nor is one whose importance, less its faults, is below this, and below `FAR_BELOW` of
            that of the best three, on average.
        covering: How much it counts, beside quality, that a sentence has words and pairs that
            summaries are expected to have and that are not there yet.
        length_power: What a sentence brings is divided by its words to this power.
    """

    fault: float
    most_faulty: float
    least: float
    covering: float
    length_power: float


BY_WORDS = Taste(fault=1.5, most_faulty=0.33, least=0.6, covering=1.5, length_power=0.5)
BY_NUMBER = Taste(fault=3.0, most_faulty=0.25, least=1.1, covering=0.0, length_power=0.0)
"""Chosen on judged documents (importance and faults of what is picked), the first also on
validation documents with summaries (ROUGE): `docs/evaluation.md`."""
LEANING = 0.5
"""A sentence that leans with this probability comes only after the one before it; then leaning is
no fault."""
BOUND = 0.5
"""What it costs then that it brings another along."""
HOPELESS = 0.5
"""A sentence that is more probably faulty is not even picked where most of the text is wanted."""
ENOUGH, ENOUGH_ELSEWHERE = 0.08, 0.2
"""Of all candidates such a share, and the best three, are good enough, even if that takes sentences
that are less clear; more in languages of which little was learnt."""
UNCLEAR = 1.5
"""What a fault takes from those, which lean on nothing that is not there."""
OF_BEST, FAR_BELOW = 3, 0.7
FEWEST_DOUBTED = 8
"""Of a document with fewer sentences all may be wanted."""
HIGHEST = 3.0
"""The greatest importance."""


def ranking_of(
    seen: "LookedAt",
    quality: Quality,
    fewest: int,
    tastes: tuple[Taste, Taste] = (BY_WORDS, BY_NUMBER),
    enough: float = ENOUGH,
    partners: NDArray[np.int64] | None = None,
) -> Ranking:
    """Ranks the sentences of a document.

    Args:
        seen: What is seen of its candidates.
        quality: How good they are.
        fewest: So many are ranked at least, if there are as many; where words are counted at least
            a tenth of all.
        tastes: How it is weighed where words, and where sentences are counted.
        enough: Such a share of the candidates is good enough, however good they are.
        partners: [E] which other candidate each needs by its own words, -1 for none.

    Returns:
        The ranking: those that are good enough, each for what is new in it, then the others.
    """
    found = seen.candidates
    leans_on = bound_to(seen, quality, partners)
    ranker = np.maximum(0.0, seen.judgement.worth)
    ranker = ranker / max(1e-9, float(ranker.max(initial=0.0)))

    def order(taste: Taste, limit: int) -> Order:
        worth = worth_of(quality, leans_on, taste)
        both = np.where(worth >= 0, worth + taste.covering * ranker, -1.0)
        picked, gains = covering_order(
            both, seen.judgement, found.words, leans_on,
            covering=taste.covering, power=taste.length_power, limit=limit,
        )  # fmt: skip
        others = _others(quality, leans_on, picked)
        least = max(OF_BEST, math.ceil(enough * len(found.indices)))
        good = max(len(picked), min(least, len(picked) + len(others)))
        every = np.array([*picked, *others][: max(limit, good)], np.int64)
        scores = np.array([*gains, *[0.0] * len(others)][: len(every)], np.float64)
        sound = len(picked) if _can_come(_sound(quality, leans_on, taste)[1], leans_on).any() else 0
        return Order(found.indices[every], scores, good, len(picked) + len(others), sound)

    everywhere = np.full(len(found.sentences), -1)
    everywhere[found.indices] = np.where(leans_on < 0, -1, found.indices[leans_on])
    by_words, by_number = tastes
    return Ranking(
        starts=found.sentences.starts,
        ends=found.sentences.ends,
        words=found.num_words,
        by_words=order(by_words, max(fewest, len(found.indices) // 10)),
        by_number=order(by_number, fewest),
        leans_on=everywhere,
        num_candidates=len(found.indices),
        best=_best(quality),
    )


def _others(quality: Quality, leans_on: NDArray[np.int64], picked: list[int]) -> list[int]:
    """What is not good enough, but no rubble, best first; after what it needs."""
    fault = np.where(leans_on >= 0, quality.fault - quality.leans, quality.fault)
    if len(fault) < FEWEST_DOUBTED:  # of a few lines, all may be wanted
        fault = np.zeros(len(fault))
    there = set(picked)
    order: list[int] = []
    for index in np.argsort(
        -(quality.importance - UNCLEAR * quality.fault), kind="stable"
    ).tolist():
        chain = []
        while index >= 0 and index not in there and fault[index] <= HOPELESS:
            chain.append(index)
            index = int(leans_on[index])
        if index < 0 or index in there:
            there.update(chain)
            order += reversed(chain)
    return order


def _best(quality: Quality) -> float:
    if len(quality.importance) < FEWEST_DOUBTED:
        return math.inf
    best = np.sort(quality.importance - BY_WORDS.fault * quality.fault)[-OF_BEST:]
    return float(best.mean())


def worth_of(quality: Quality, leans_on: NDArray[np.int64], taste: Taste) -> Floats:
    """[E] what each sentence is worth, 0 to 1; -1 for one that is not good enough.

    Args:
        quality: How good they are.
        leans_on: [E] the sentence after which alone each comes, -1 for none.
        taste: How it is weighed.

    Returns:
        The worths.
    """
    worth, good = _sound(quality, leans_on, taste)
    if not _can_come(good, leans_on).any():  # then the best few are better than nothing
        alone = leans_on < 0
        good = alone & (worth >= np.sort(worth[alone])[-OF_BEST:].min(initial=HIGHEST))
    return np.where(good, np.maximum(0.0, worth) / HIGHEST, -1.0)


def _can_come(good: NDArray[np.bool_], leans_on: NDArray[np.int64]) -> NDArray[np.bool_]:
    """[E] which good sentences lean on nothing, or on one that can come itself."""
    able = good & (leans_on < 0)
    while True:
        more = good & (leans_on >= 0) & able[leans_on] & ~able
        if not more.any():
            return able
        able |= more


def _sound(
    quality: Quality, leans_on: NDArray[np.int64], taste: Taste
) -> tuple[Floats, NDArray[np.bool_]]:
    """[E] how much of each sentence's importance its faults leave, and whether that is enough."""
    bound = leans_on >= 0
    fault = np.where(bound, np.maximum(0.0, quality.fault - quality.leans), quality.fault)
    worth = quality.importance - taste.fault * fault - BOUND * bound
    good = fault <= taste.most_faulty
    best = np.sort(worth[good])[-OF_BEST:]
    far_below = FAR_BELOW * max(0.0, float(best.mean() if len(best) else 0.0))
    return worth, good & (worth >= min(taste.least, far_below))


def bound_to(
    seen: "LookedAt", quality: Quality, partners: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """[E] its partner, or the sentence before, for one that is understood only with it; else -1."""
    found = seen.candidates
    paragraphs = found.sentences.paragraphs[found.indices]
    number = np.arange(len(found.indices))
    follows = np.zeros(len(number), bool)
    follows[1:] = (np.diff(found.indices) == 1) & (np.diff(paragraphs) == 0)
    before = np.where(follows & (quality.leans >= LEANING), number - 1, -1)
    return before if partners is None else np.where(partners >= 0, partners, before)

"""BLEU-1 to 4 of a whole set of texts, through `sacrebleu`.

BLEU is no mean over documents: what it counts is summed over all of them first. So each document
gives its counts, and any weighted sum of these gives the scores.

Source: Papineni et al. (2002); Post (2018), A call for clarity in reporting BLEU scores.
"""

from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.errors import needs_training

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU

ORDERS = (1, 2, 3, 4)
NUM_COUNTS = 2 * len(ORDERS) + 2
_TOKENIZER = "13a"
_SMOOTHING = "exp"


def bleu_counts(prediction: str, reference: str) -> NDArray[np.int64]:
    """What BLEU counts in one document.

    Args:
        prediction: The text to judge.
        reference: What it is held against.

    Returns:
        [10] runs of 1 to 4 words that both share, runs in the prediction, words of the
        prediction, words of the reference.

    Raises:
        EpitomeError: If sacrebleu is not installed.
    """
    counted = _bleu().corpus_score([prediction], [[reference]])
    return np.array([*counted.counts, *counted.totals, counted.sys_len, counted.ref_len], np.int64)


def bleu_of(counts: NDArray[np.int64]) -> tuple[float, ...]:
    """The scores of a set of documents.

    Args:
        counts: [10] the sum of their `bleu_counts`.

    Returns:
        BLEU-1 to BLEU-4, from 0 to 100; each the geometric mean over runs up to its length.
    """
    *grams, num_found, num_wanted = map(int, counts)
    shared, total = grams[: len(ORDERS)], grams[len(ORDERS) :]
    scores = (
        _bleu().compute_bleu(
            shared[:order],
            total[:order],
            num_found,
            num_wanted,
            smooth_method=_SMOOTHING,
            max_ngram_order=order,
        )
        for order in ORDERS
    )
    return tuple(float(score.score) for score in scores)


def recipe() -> str:
    """How the scores are made, to stand beside them: "sacrebleu 2.6.0, …"."""
    return (
        f"sacrebleu {version('sacrebleu')}, over the whole set, tokenizer {_TOKENIZER}, case kept, "
        f"smoothing {_SMOOTHING}, one reference"
    )


@cache
def _bleu() -> "BLEU":
    with needs_training("BLEU is counted"):
        from sacrebleu.metrics.bleu import BLEU
    return BLEU(tokenize=_TOKENIZER, smooth_method=_SMOOTHING)

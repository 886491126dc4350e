"""Corpus BLEU-1 to 4, computed with `sacrebleu`.

BLEU is not a mean over documents: its counts are summed over all documents first. So counts are
kept per document, and scores are computed from any weighted sum of them.

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
_TOKENIZER = "13a"
_SMOOTHING = "exp"


def bleu_counts(prediction: str, reference: str) -> NDArray[np.int64]:
    """The counts of BLEU for one document.

    Args:
        prediction: The text to score.
        reference: The text to compare it with.

    Returns:
        [10] matching n-grams for n = 1 to 4, n-grams of the prediction for n = 1 to 4, words of the
        prediction, words of the reference.

    Raises:
        EpitomeError: If sacrebleu is not installed.
    """
    counted = _bleu().corpus_score([prediction], [[reference]])
    return np.array([*counted.counts, *counted.totals, counted.sys_len, counted.ref_len], np.int64)


def check_package() -> None:
    """Raises `MissingPartError` if sacrebleu is not installed."""
    _bleu()


def bleu_of(counts: NDArray[np.int64]) -> tuple[float, ...]:
    """The BLEU scores of a set of documents.

    Args:
        counts: [10] the sum of their `bleu_counts`.

    Returns:
        BLEU-1 to BLEU-4, from 0 to 100; each the geometric mean over n-grams up to its order.
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
    """How the scores are computed, to be reported with them: "sacrebleu 2.6.0, …"."""
    return (
        f"sacrebleu {version('sacrebleu')}, corpus level, tokenizer {_TOKENIZER}, case kept, "
        f"smoothing {_SMOOTHING}, one reference"
    )


@cache
def _bleu() -> "BLEU":
    with needs_training("BLEU is counted"):
        from sacrebleu.metrics.bleu import BLEU
    return BLEU(tokenize=_TOKENIZER, smooth_method=_SMOOTHING)

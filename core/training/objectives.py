"""What a run learns: from a document and its summary to tokens and labels."""

import numpy as np
from numpy.typing import NDArray

from core.data.tokenizer import EOS_ID, MASK_ID, SUMM_ID
from core.errors import EpitomeError
from core.models.batch import NO_LOSS
from core.training.settings import Objective

Tokens = NDArray[np.int64]
_MAKES: dict[Objective, tuple[str, ...]] = {
    "gsg": ("gsg",),
    "summary": ("pairs",),
    "language-model": ("text", "pairs", "gsg"),
}


def check_objective(objective: Objective, make: str) -> None:
    """Refuses a corpus that holds nothing of what is to be learnt.

    Args:
        objective: What is to be learnt.
        make: What the corpus holds: gsg, pairs or text.

    Raises:
        EpitomeError: If they do not go together.
    """
    if make not in (allowed := _MAKES[objective]):
        raise EpitomeError(
            f"The objective {objective} needs a corpus made with --make {' or '.join(allowed)}; "
            f"this one was made with --make {make}.",
            "Choose another --objective, or prepare another corpus.",
        )


def tokens_and_labels(
    source: NDArray[np.integer],
    summary: NDArray[np.integer] | None,
    objective: Objective,
    *,
    ends: bool = True,
) -> tuple[Tokens, Tokens]:
    """A row for a language model: document, `<SUMM>`, summary; each position predicts the next.

    Args:
        source: [S] token ids of the document.
        summary: [M] token ids of its summary; None for plain text.
        objective: `language-model` learns document and summary, the others the summary alone.
        ends: Whether the row ends where its text ends, and so predicts `<EOS>`.

    Returns:
        [T] tokens and [T] labels, `NO_LOSS` where nothing is learnt; T = S + 1 + M, or S of plain
        text. `<SUMM>` and `<MASK>` are read but never learnt. Source: methods 1.2.
    """
    parts = [source] if summary is None else [source, np.array([SUMM_ID]), summary]
    tokens = np.concatenate(parts).astype(np.int64)
    labels = np.append(tokens[1:], EOS_ID if ends else NO_LOSS)
    if objective != "language-model":
        labels[: len(source)] = NO_LOSS
    labels[(labels == SUMM_ID) | (labels == MASK_ID)] = NO_LOSS
    return tokens, labels

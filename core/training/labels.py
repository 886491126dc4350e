"""What a row predicts: each position the next token, where anything is learnt there."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.models.batch import NO_LOSS
from core.models.special_tokens import SpecialTokens
from core.training.settings import Objective

Tokens = NDArray[np.int64]


def tokens_and_labels(
    source: NDArray[np.integer],
    summary: NDArray[np.integer] | None,
    objective: Objective,
    special: SpecialTokens,
    *,
    ends: bool = True,
) -> tuple[Tokens, Tokens]:
    """A row for a language model: document, `<SUMM>`, summary; each position predicts the next.

    Args:
        source: [S] token ids of the document.
        summary: [M] token ids of its summary; None for plain text.
        objective: `language-model` learns document and summary, the others the summary alone.
        special: The ids of special tokens.
        ends: Whether the row ends where its text ends, and so predicts `<EOS>`.

    Returns:
        [T] tokens and [T] labels, `NO_LOSS` where nothing is learnt; T = S + 1 + M, or S of plain
        text. `<SUMM>` and `<MASK>` are read but never learnt. Source: methods 1.2.
    """
    parts = [source] if summary is None else [source, np.array([special.summary]), summary]
    tokens = np.concatenate(parts).astype(np.int64)
    labels = np.append(tokens[1:], special.end if ends else NO_LOSS)
    if objective != "language-model":
        labels[: len(source)] = NO_LOSS
    labels[(labels == special.summary) | (labels == special.mask)] = NO_LOSS
    return tokens, labels


def target_and_labels(
    summary: NDArray[np.integer], start_ids: Sequence[int], special: SpecialTokens
) -> tuple[Tokens, Tokens]:
    """What an encoder-decoder writes: start ids, summary; each position predicts the next.

    Args:
        summary: [M] token ids.
        start_ids: What every text begins with; one id or more, the later ones forced.
        special: The ids of special tokens.

    Returns:
        [T] tokens and [T] labels, `NO_LOSS` where the next token is forced; T = start ids + M.
    """
    tokens = np.concatenate([np.array(start_ids), summary]).astype(np.int64)
    forced = np.full(len(start_ids) - 1, NO_LOSS)
    return tokens, np.concatenate([forced, summary, [special.end]]).astype(np.int64)

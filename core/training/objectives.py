"""What a run learns: from a document and its summary to tokens and labels."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import EpitomeError
from core.models.batch import NO_LOSS
from core.models.special_tokens import SpecialTokens
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


def check_pairs(objective: Objective, family: str) -> None:
    """Refuses an objective that an encoder-decoder cannot learn.

    Args:
        objective: What is to be learnt.
        family: The model's.

    Raises:
        EpitomeError: If it is `language-model`.
    """
    if objective == "language-model":
        raise EpitomeError(
            f"The objective language-model is not for the family {family}, which learns to write "
            "a target from a source.",
            "Choose the objective gsg or summary.",
        )


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

"""Which next tokens are forbidden, and how texts of different length compare."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from core.decoding.settings import DecodingSettings


def repeating(ids: Sequence[int], size: int) -> list[int]:
    """The tokens after which a run of ids would stand there twice.

    Args:
        ids: What is written so far, start ids included.
        size: How many tokens make a run; 2 or more.

    Returns:
        The tokens that must not come next.
    """
    if len(ids) < size:
        return []
    tail, before = ids[len(ids) - size + 1 :], size - 2
    last = tail[-1]
    return [
        ids[at + 1]
        for at, each in enumerate(ids[:-1])
        if each == last and at >= before and ids[at - before : at + 1] == tail
    ]


@dataclass(frozen=True)
class Rules:
    """What the settings mean for one model.

    Args:
        settings: How a text is written.
        start_ids: What every text begins with.
        end_id: What ends it.
    """

    settings: DecodingSettings
    start_ids: tuple[int, ...]
    end_id: int

    def forbid(self, log_probs: Tensor, texts: Sequence[Sequence[int]]) -> None:
        """Makes forbidden tokens impossible, in place.

        Args:
            log_probs: [N, V] of the next token.
            texts: [N] what is written so far, start ids included; all of one length.
        """
        if self.settings.block_repeats:
            self._forbid_repeats(log_probs, texts)
        if len(texts[0]) - len(self.start_ids) < self.settings.min_length:
            log_probs[:, self.end_id] = -math.inf

    def _forbid_repeats(self, log_probs: Tensor, texts: Sequence[Sequence[int]]) -> None:
        for row, ids in enumerate(texts):
            tokens = repeating(ids, self.settings.block_repeats)
            if tokens:
                log_probs[row, tokens] = -math.inf

    def normalised(self, score: float, length: int) -> float:
        """A score that texts of different length can be compared by.

        As in `generate` of transformers: the end token counts, and so does each start id after
        the first (a forced first token).

        Args:
            score: Sum of log-probabilities.
            length: Number of ids, start ids and end token included.

        Returns:
            The score divided by a power of the length.
        """
        return float(score / max(length - 1, 1) ** self.settings.length_penalty)

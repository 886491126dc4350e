"""Greedy decoding: each text takes its likeliest next token."""

import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

from torch import Tensor, tensor

from core.decoding.blocking import Rules
from core.decoding.streaming import Begun, Decided, Decoded, Ending, TextLimit, refuse_nan
from core.models.protocol import Decodable
from core.stop import StopToken

State = TypeVar("State")


class _Text:
    """A text being written."""

    def __init__(self, row: TextLimit, rules: Rules) -> None:
        self.row = row
        self.ids = list(rules.start_ids)
        self.open = True
        self._rules = rules
        self._score = 0.0
        self._last = len(self.ids) + row.limit

    def take(self, score: float, token: int) -> Decided:
        """Writes a token, and ends the text if it was the last."""
        refuse_nan(score, self.row.number)
        if score == -math.inf:
            return self.end("blocked")
        self._score += score
        if token == self._rules.end_id:
            return self.end("end")
        self.ids.append(token)
        if len(self.ids) == self._last:
            return self.end(self.row.at_limit, (token,))
        return Decided(self.row.number, (token,))

    def end(self, why: Ending, news: tuple[int, ...] = ()) -> Decided:
        """Writes no more."""
        self.open = False
        normalised = self._rules.normalised(self._score, len(self.ids) + (why == "end"))
        ids = tuple(self.ids[len(self._rules.start_ids) :])
        return Decided(self.row.number, news, Decoded(ids, self._score, normalised, why))


def write(
    model: Decodable[State], begun: Begun[State], rules: Rules, stop: StopToken
) -> Iterator[Decided]:
    """Writes all texts; those that have ended leave the batch.

    Args:
        model: Whose state `begun` holds.
        begun: The texts to be written; one or more.
        rules: What is forbidden.
        stop: Read before each token.

    Yields:
        Each token as it is chosen.

    Raises:
        EpitomeError: If the model's numbers are no numbers.
    """
    state, log_probs = begun.state, begun.log_probs
    texts = [_Text(row, rules) for row in begun.rows]
    while True:
        if stop:
            yield from (text.end("stopped") for text in texts)
            return
        rules.forbid(log_probs, [text.ids for text in texts])
        scores, tokens = log_probs.max(-1)
        yield from _taken(texts, scores, tokens)
        kept = [at for at, text in enumerate(texts) if text.open]
        if not kept:
            return
        if len(kept) < len(texts):
            rows = tensor(kept, device=tokens.device)
            texts, tokens = [texts[at] for at in kept], tokens[rows]
            state = model.reorder(state, rows)
        log_probs, state = model.advance(state, tokens)


def _taken(texts: Sequence[_Text], scores: Tensor, tokens: Tensor) -> Iterator[Decided]:
    for text, score, token in zip(texts, scores.tolist(), tokens.tolist(), strict=True):
        yield text.take(score, token)

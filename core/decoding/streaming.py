"""What decoding gives while it runs, and at the end."""

import math
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, TypeVar

from torch import Tensor

from core.errors import UNUSABLE_TEXT, EpitomeError

State = TypeVar("State")
Ending = Literal["end", "length", "room", "blocked", "stopped"]
"""Why a text ended: the model wrote its end token; it has the greatest length allowed; the model
has no room for more; every next token was forbidden or impossible; a person stopped it."""


@dataclass(frozen=True)
class Decoded:
    """The text of one source.

    Args:
        ids: What was written, without start ids and end token.
        score: Sum of the log-probabilities of what was written, the end token's too, in nats.
        normalised: The score by which drafts are compared: `score / length ** length_penalty`.
        ended: Why no more was written.
    """

    ids: tuple[int, ...]
    score: float
    normalised: float
    ended: Ending


class Decided(NamedTuple):
    """News of one source's text.

    Args:
        row: The number of the source.
        ids: Tokens that follow those told before; nothing changes them any more.
        done: The whole text, with the last news of it.
    """

    row: int
    ids: tuple[int, ...]
    done: Decoded | None = None


class TextLimit(NamedTuple):
    """How long a text may become that is about to be written.

    Args:
        number: The number of its source.
        limit: How many tokens may be written, the end token counted.
        at_limit: Why it ends there.
    """

    number: int
    limit: int
    at_limit: Ending


@dataclass
class Begun(Generic[State]):
    """A model that has read its sources and start ids.

    Args:
        rows: [N] the texts to be written.
        log_probs: [N, V] of the first token.
        state: The model's, of N rows.
    """

    rows: list[TextLimit]
    log_probs: Tensor
    state: State


def refuse_nan(score: float, number: int) -> None:
    """Ends the work when a model's numbers are no numbers.

    Args:
        score: A log-probability.
        number: The number of the source.

    Raises:
        EpitomeError: If it is NaN.
    """
    if math.isnan(score):
        raise EpitomeError(
            f"The model's probabilities for text {number + 1} are not numbers (NaN).",
            "Use the built-in summariser or another model; the weights of this one are ruined.",
            kind=UNUSABLE_TEXT,
        )

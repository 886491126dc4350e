"""A model whose next token depends on its source, on how many tokens stand there, and on the last
two of them, by a random table.

It keeps the decoding protocol strictly: a state that was used up, a row fed past its room, or a
tensor that is no [N] int64 fails the test.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

KINDS = 3  # tables; a source's first token chooses one
STEPS = 16  # then the table begins again; without it, two orders of the same runs would tie


@dataclass
class TableState:
    """What was fed: how many tokens, the last two; each row's table, and its room."""

    step: int
    last: Tensor
    kinds: Tensor
    room: Tensor
    used: bool = False

    def use(self) -> "TableState":
        assert not self.used, "A state was used twice."
        self.used = True
        return self


@dataclass
class TableModel:
    """Token 0 starts (the first of the start ids), token 1 ends."""

    seed: int = 0
    vocabulary_size: int = 5
    start_ids: tuple[int, ...] = (0,)
    end_id: int = 1
    length: int = 1000
    sharpness: float = 1.0
    impossible: float = 0.0
    fed: list[int] = field(default_factory=list)  # how many rows each call of `advance` fed

    def __post_init__(self) -> None:
        chance = torch.Generator().manual_seed(self.seed)
        shape = (KINDS, STEPS, *[self.vocabulary_size] * 3)
        scores = torch.randn(shape, generator=chance, dtype=torch.float64) * self.sharpness
        lots = torch.rand(shape, generator=chance, dtype=torch.float64)
        lots[..., -1] = 1  # one token is always possible
        scores[lots < self.impossible] = -math.inf
        self.table = scores.log_softmax(-1)

    def begin(self, sources: Sequence[Sequence[int]]) -> TableState:
        kinds = torch.tensor([source[0] % KINDS for source in sources])
        room = torch.tensor([self.length - len(source) for source in sources])
        return TableState(0, torch.zeros(len(sources), 2, dtype=torch.int64), kinds, room)

    def advance(self, state: TableState, tokens: Tensor) -> tuple[Tensor, TableState]:
        state.use()
        assert tokens.dtype == torch.int64 and tokens.shape == state.room.shape
        assert (state.room > 0).all(), "A row was fed past its room."
        assert (tokens != self.end_id).all(), "The end token was fed."
        self.fed.append(len(tokens))
        last = torch.stack([state.last[:, 1], tokens], 1)
        step = state.step + 1
        log_probs = self.table[state.kinds, step % STEPS, last[:, 0], last[:, 1]]
        return log_probs, TableState(step, last, state.kinds, state.room - 1)

    def reorder(self, state: TableState, rows: Tensor) -> TableState:
        state.use()
        assert rows.dtype == torch.int64 and rows.ndim == 1
        return TableState(state.step, state.last[rows], state.kinds[rows], state.room[rows])

    def room(self, state: TableState) -> Tensor:
        return state.room

    def next_log_probs(self, source: Sequence[int], ids: Sequence[int]) -> list[float]:
        """What follows ids (start ids included), as plain numbers: for the twins."""
        first, second = (0, *ids)[-2:]
        row: list[float] = self.table[source[0] % KINDS, len(ids) % STEPS, first, second].tolist()
        return row

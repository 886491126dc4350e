"""The model of the toy family, and its decoder."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.models.batch import NO_LOSS, Batch
from core.models.parts.randomness import Randomness, generator
from core.models.protocol import Model
from tests.helpers.toy_family.family import ToySettings


class ToyModel(Model):
    """Predicts from the decaying sum of the embeddings of what stands before."""

    def __init__(self, settings: ToySettings) -> None:
        super().__init__()
        self.settings: ToySettings = settings
        shape = settings.vocabulary_size, settings.width
        source = generator("weights", settings.seed)
        self.embedding = nn.Parameter(torch.randn(shape, generator=source) / settings.width)
        self.output = nn.Parameter(torch.randn(shape, generator=source) / settings.width)

    def step(self, total: Tensor, tokens: Tensor) -> Tensor:
        """[B, D], the sum after one more token of each row."""
        return self.settings.decay * total + self.embedding[tokens]

    def logits(self, total: Tensor) -> Tensor:
        """[B, V], of what comes next."""
        return total @ self.output.T

    def loss(
        self, batch: Batch, randomness: Randomness | None = None, smoothing: float = 0.0
    ) -> Tensor:
        """As `Model`."""
        assert batch.labels is not None
        present = torch.ones_like(batch.tokens) if batch.present is None else batch.present
        total, found = self.embedding.new_zeros(len(batch.tokens), self.settings.width), []
        for tokens, is_there in zip(batch.tokens.T, present.T, strict=True):
            total = torch.where(is_there[:, None] > 0, self.step(total, tokens), total)
            found.append(self.logits(total))
        return F.cross_entropy(
            torch.stack(found, 1).flatten(0, 1), batch.labels.flatten(), ignore_index=NO_LOSS,
            reduction="sum", label_smoothing=smoothing,
        )  # fmt: skip


@dataclass
class ToyState:
    """The sum and the number of tokens of each row."""

    total: Tensor
    num_fed: Tensor


class ToyDecoder:
    """Writes with a toy model; the sum is all that it remembers."""

    def __init__(self, model: ToyModel, start_ids: Sequence[int], end_id: int) -> None:
        self.model, self.start_ids, self.end_id = model, tuple(start_ids), end_id
        self.vocabulary_size = model.settings.vocabulary_size

    def begin(self, sources: Sequence[Sequence[int]]) -> ToyState:
        """As `Decodable`."""
        totals = []
        for source in sources:
            total = self.model.embedding.new_zeros(1, self.model.settings.width)
            for token in source:
                total = self.model.step(total, torch.tensor([token]))
            totals.append(total)
        return ToyState(torch.cat(totals), torch.tensor([len(source) for source in sources]))

    def advance(self, state: ToyState, tokens: Tensor) -> tuple[Tensor, ToyState]:
        """As `Decodable`."""
        total = self.model.step(state.total, tokens)
        log_probs = self.model.logits(total).log_softmax(-1)
        return log_probs.detach(), ToyState(total, state.num_fed + 1)

    def reorder(self, state: ToyState, rows: Tensor) -> ToyState:
        """As `Decodable`."""
        return ToyState(state.total[rows], state.num_fed[rows])

    def room(self, state: ToyState) -> Tensor:
        """As `Decodable`."""
        return self.model.settings.length - state.num_fed

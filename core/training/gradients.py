"""The gradients of a whole step: over all its parts and all processes.

However many processes and parts a step's rows are spread over, its gradients are the same: its
loss is the sum over its loss tokens by their number, which is counted before the first backward
pass, and what is drawn at random depends on the run, the step and a row's place in the step.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from core.data.sampler import EpochPlan
from core.models.batch import TrainingBatch
from core.models.parts.randomness import Randomness
from core.models.protocol import Model
from core.training.rows import Rows
from core.training.settings import TrainSettings
from core.training.step import TrainingStep
from core.training.team import Team


@dataclass(frozen=True)
class StepTotals:
    """Totals of a step, over all its parts and processes.

    Args:
        epoch: The epoch it belongs to, from 0.
        loss: Mean cross-entropy of its loss tokens in nats.
        loss_tokens: How many there are.
        tokens: Number of all tokens, without padding.
    """

    epoch: int
    loss: float
    loss_tokens: int
    tokens: int


@dataclass(frozen=True)
class StepGradients:
    """Computes the gradients of steps.

    Args:
        model: The model.
        step: Its training step.
        rows: The training data.
        plan: Which rows each step reads.
        settings: Seed, padding, and in how many parts a step is worked on.
        team: The processes that share its rows.
    """

    model: Model
    step: TrainingStep
    rows: Rows
    plan: EpochPlan
    settings: TrainSettings
    team: Team

    def __call__(self, number: int) -> StepTotals:
        """Adds a step's gradients to the model's, in every process.

        Args:
            number: The step's, from 1.

        Returns:
            Its totals; the same in every process.
        """
        epoch, chosen = self.plan.batch_at(number - 1)
        mine = self.team.share(enumerate(chosen.tolist()))
        with self.team.together():
            batches = list(self._batches(mine, number))
        loss_tokens, tokens = self._counted([batch for batch, _ in batches])
        total = torch.zeros((), dtype=torch.float64, device=self.team.exact_device)
        with self.team.together():
            for batch, places in batches:
                randomness = Randomness(self.settings.seed, number, places)
                loss = self.step.add_gradients(
                    batch.to(self.team.device), max(loss_tokens, 1), randomness
                )
                total += loss.to(total)
        self.team.sum_gradients(self.model.parameters())
        return StepTotals(epoch, float(self.team.sum(total)), loss_tokens, tokens)

    def _batches(
        self, mine: Sequence[tuple[int, int]], number: int
    ) -> Iterator[tuple[TrainingBatch, tuple[int, ...]]]:
        """The parts of this process's rows, and the places of their rows in the step."""
        size = max(1, -(-len(mine) // self.settings.accumulate))
        for first in range(0, len(mine), size):
            places, rows = zip(*mine[first : first + size], strict=True)
            yield self.rows.batch(rows, self.settings, number, places), places

    def _counted(self, batches: Sequence[TrainingBatch]) -> tuple[int, int]:
        """Loss tokens and all tokens of the step, over all processes."""
        counts = [[batch.num_loss_tokens, batch.num_tokens] for batch in batches]
        sums = torch.tensor([[0, 0], *counts], device=self.team.device).sum(0)
        loss_tokens, tokens = self.team.sum(sums).tolist()
        return loss_tokens, tokens

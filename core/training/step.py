"""One training step: loss, gradients, update. Runs repeat it, profiling measures it.

However many processes and parts a step's rows are spread over, its gradients are the same: its
loss is the sum over its loss tokens by their number, which is counted before the first backward
pass, and what is drawn at random depends on the run, the step and a row's place in the step.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor, nn

from core.models.batch import TrainingBatch
from core.models.parts.randomness import Randomness
from core.models.protocol import Model
from core.system.allocator import keep_freed_memory
from core.training.device import autocast, check_precision
from core.training.optimizers import adam
from core.training.settings import StepSettings, TrainSettings
from core.training.team import Team

if TYPE_CHECKING:  # profiling measures steps without data
    from core.data.sampler import EpochPlan
    from core.training.rows import Rows


class Learner(Protocol):
    """What a training step needs of a model."""

    def loss(
        self, batch: Any, randomness: Randomness | None = None, smoothing: float = 0.0
    ) -> Tensor:
        """The SUM of the loss tokens' cross-entropy in nats, a scalar."""
        ...

    def parameters(self) -> Iterator[nn.Parameter]:
        """All weights, each once."""
        ...


@dataclass(frozen=True)
class Stepped:
    """The result of one step.

    Args:
        loss: Mean cross-entropy of the loss tokens in nats, before the update; a scalar without
            gradient, on the model's device.
        gradient_norm: Norm of all gradients before clipping, a scalar; None without clipping.
    """

    loss: Tensor
    gradient_norm: Tensor | None


class TrainingStep:
    """A model's training step, with its optimiser.

    Args:
        model: The model; it is already on the device.
        settings: Precision, learning rate, clip.
        device: The model's device.
        optimizer: The optimiser; Adam if None.

    Raises:
        EpitomeError: If the device does not support the precision.
    """

    def __init__(
        self,
        model: Learner,
        settings: StepSettings,
        device: torch.device,
        optimizer: torch.optim.Optimizer | None = None,
    ) -> None:
        self._model = model
        self._clip, self._smoothing = settings.clip, settings.smoothing
        self._precision = settings.precision
        self._device = device
        check_precision(settings.precision, device)
        keep_freed_memory()
        self.optimizer = optimizer or adam(model.parameters(), settings.learning_rate)
        self.scaler = torch.amp.GradScaler(device.type, enabled=settings.precision == "fp16")

    def __call__(self, batch: TrainingBatch, randomness: Randomness | None = None) -> Stepped:
        """Trains on a batch.

        Args:
            batch: On the model's device; at least one of its positions carries loss.
            randomness: The model's source of random numbers.

        Returns:
            Loss and gradient norm.

        Raises:
            ValueError: If no position carries loss, so that there is no mean.
        """
        if not (num_loss_tokens := batch.num_loss_tokens):
            raise ValueError("no position of the batch carries loss")
        loss = self.add_gradients(batch, num_loss_tokens, randomness)
        return Stepped(loss, self.update())

    def add_gradients(
        self, batch: TrainingBatch, num_loss_tokens: int, randomness: Randomness | None = None
    ) -> Tensor:
        """Accumulates the gradients of a batch, or of a part of one.

        Args:
            batch: On the model's device.
            num_loss_tokens: Loss tokens of the whole step, of which this may be a part.
            randomness: The model's source of random numbers.

        Returns:
            This part's share of the step's mean loss, a scalar without gradient.
        """
        with autocast(self._precision, self._device):
            loss = self._model.loss(batch, randomness, self._smoothing) / num_loss_tokens
        self.scaler.scale(loss).backward()
        return loss.detach()

    def gradient_norm(self) -> Tensor:
        """Norm of all gradients, a scalar; called once per step, before the update."""
        self.scaler.unscale_(self.optimizer)
        return nn.utils.get_total_norm(self._gradients())

    def update(self, norm: Tensor | None = None) -> Tensor | None:
        """Clips the gradients, updates the weights, and clears the gradients.

        Args:
            norm: The result of `gradient_norm`, if it was called.

        Returns:
            The gradient norm before clipping; None if it was not computed.
        """
        if self._clip is not None:
            norm = self.gradient_norm() if norm is None else norm
            nn.utils.clip_grads_with_norm_(self._model.parameters(), self._clip, norm)
        self.scaler.step(self.optimizer)
        self.skip()
        return norm

    def skip(self) -> None:
        """Clears the gradients, which frees their memory for the next forward pass."""
        self.scaler.update()
        self.optimizer.zero_grad()

    def _gradients(self) -> list[Tensor]:
        return [weight.grad for weight in self._model.parameters() if weight.grad is not None]


@dataclass(frozen=True)
class StepTotals:
    """Totals of a step, over all its parts and processes.

    Args:
        epoch: The epoch it belongs to, from 0.
        loss: Mean cross-entropy of its loss tokens in nats.
        loss_tokens: How many there are.
        tokens: Number of all tokens, without padding.
        data_seconds: How long this process took to read its rows and to make batches of them.
    """

    epoch: int
    loss: float
    loss_tokens: int
    tokens: int
    data_seconds: float = 0.0


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
    rows: "Rows"
    plan: "EpochPlan"
    settings: TrainSettings
    team: Team

    def __call__(self, number: int) -> StepTotals:
        """Adds a step's gradients to the model's, in every process.

        Args:
            number: The step's, from 1.

        Returns:
            Its totals; the same in every process.
        """
        began_s = time.perf_counter()
        epoch, chosen = self.plan.batch_at(number - 1)
        mine = self.team.share(enumerate(chosen.tolist()))
        with self.team.together():
            batches = list(self._batches(mine, number))
        data_seconds = time.perf_counter() - began_s
        loss_tokens, tokens = self._counted([batch for batch, _ in batches])
        total = torch.zeros((), dtype=torch.float64, device=self.team.exact_device)
        with self.team.together():
            for batch, places in batches:
                randomness = Randomness(self.settings.seed, number, places)
                part = self.step.add_gradients(
                    batch.to(self.team.device), max(loss_tokens, 1), randomness
                )
                total += part.to(total)
        self.team.sum_gradients(self.model.parameters())
        loss = float(self.team.sum(total))
        return StepTotals(epoch, loss, loss_tokens, tokens, data_seconds)

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

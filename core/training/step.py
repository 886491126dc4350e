"""One training step: loss, gradients, update. Runs repeat it, profiling measures it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from core.models.batch import TrainingBatch
from core.models.parts.randomness import Randomness
from core.training.allocator import keep_freed_memory
from core.training.device import autocast, check_precision
from core.training.settings import StepSettings


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


def adam(weights: Iterable[nn.Parameter], learning_rate: float) -> torch.optim.Optimizer:
    """Adam, fused into one pass over the weights."""
    return torch.optim.Adam(weights, learning_rate, fused=True)

"""One training step: loss, gradients, update. What a run repeats, and what profiling measures."""

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
    """What a step asks of a model."""

    def loss(
        self, batch: Any, randomness: Randomness | None = None, smoothing: float = 0.0
    ) -> Tensor:
        """The SUM of the loss tokens' cross-entropy in nats, a scalar."""
        ...

    def parameters(self) -> Iterator[nn.Parameter]:
        """All its weights, each once."""
        ...


@dataclass(frozen=True)
class Stepped:
    """What one step gave.

    Args:
        loss: Mean cross-entropy of the loss tokens in nats, before the update; a scalar without
            gradient, on the model's device.
        gradient_norm: Length of all gradients together before they were cut, a scalar; None
            where they are not cut.
    """

    loss: Tensor
    gradient_norm: Tensor | None


class TrainingStep:
    """A model's training step, with its optimiser.

    Args:
        model: What learns; it lies on the device already.
        settings: Precision, learning rate, clip.
        device: Where the model lies.
        optimizer: What moves the weights; Adam if None.

    Raises:
        EpitomeError: If the device cannot compute in that precision.
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
        """Learns from a batch.

        Args:
            batch: On the model's device; at least one of its positions carries loss.
            randomness: What the model draws from.

        Returns:
            Loss and gradient's length.

        Raises:
            ValueError: If no position carries loss: there is nothing to learn, and no mean.
        """
        if not (num_loss_tokens := batch.num_loss_tokens):
            raise ValueError("no position of the batch carries loss")
        loss = self.add_gradients(batch, num_loss_tokens, randomness)
        return Stepped(loss, self.update())

    def add_gradients(
        self, batch: TrainingBatch, num_loss_tokens: int, randomness: Randomness | None = None
    ) -> Tensor:
        """Adds the gradients of a batch, or of a part of one, to those that are there.

        Args:
            batch: On the model's device.
            num_loss_tokens: Loss tokens of the whole step, of which this may be a part.
            randomness: What the model draws from.

        Returns:
            This part's share of the step's mean loss, a scalar without gradient.
        """
        with autocast(self._precision, self._device):
            loss = self._model.loss(batch, randomness, self._smoothing) / num_loss_tokens
        self.scaler.scale(loss).backward()
        return loss.detach()

    def gradient_norm(self) -> Tensor:
        """Length of all gradients together, a scalar; called once a step, before the update."""
        self.scaler.unscale_(self.optimizer)
        return nn.utils.get_total_norm(self._gradients())

    def update(self, norm: Tensor | None = None) -> Tensor | None:
        """Cuts the gradients, moves the weights, and forgets the gradients.

        Args:
            norm: What `gradient_norm` gave, where it was asked.

        Returns:
            The gradients' length before they were cut; None where nobody needed it.
        """
        if self._clip is not None:
            norm = self.gradient_norm() if norm is None else norm
            nn.utils.clip_grads_with_norm_(self._model.parameters(), self._clip, norm)
        self.scaler.step(self.optimizer)
        self.skip()
        return norm

    def skip(self) -> None:
        """Forgets the gradients, so that the next forward pass has their memory."""
        self.scaler.update()
        self.optimizer.zero_grad()

    def _gradients(self) -> list[Tensor]:
        return [weight.grad for weight in self._model.parameters() if weight.grad is not None]


def adam(weights: Iterable[nn.Parameter], learning_rate: float) -> torch.optim.Optimizer:
    """Adam in one pass over the weights instead of a dozen, on every device that has it."""
    return torch.optim.Adam(weights, learning_rate, fused=True)

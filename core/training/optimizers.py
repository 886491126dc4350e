"""The optimisers, by name."""

from collections.abc import Iterable

import torch
from torch import nn

from core.training.settings import TrainSettings


def optimizer_of(weights: Iterable[nn.Parameter], settings: TrainSettings) -> torch.optim.Optimizer:
    """Makes the optimiser.

    Args:
        weights: All trainable weights.
        settings: Optimiser and weight decay; the learning rate is set at each step.

    Returns:
        Adam and AdamW in one pass over all weights; Adafactor with the rate as it is given.
    """
    rate, decay = settings.learning_rate, settings.weight_decay
    if settings.optimizer == "adafactor":
        return torch.optim.Adafactor(weights, rate, weight_decay=decay)
    kind = torch.optim.Adam if settings.optimizer == "adam" else torch.optim.AdamW
    return kind(weights, rate, weight_decay=decay, fused=True)


def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Sets the learning rate of the next step."""
    for group in optimizer.param_groups:
        group["lr"] = rate

"""The optimisers, and the learning rate of each step."""

import math
from collections.abc import Iterable
from inspect import unwrap
from typing import TypeVar, cast

import torch
from torch import nn

from core.training.settings import TrainSettings

_Kind = TypeVar("_Kind", bound=torch.optim.Optimizer)


def without_compiler(kind: type[_Kind]) -> type[_Kind]:
    """An optimiser that does the same without torch's compiler.

    torch's own optimisers load it when they are made, which takes a process seconds and some
    100 MB, only to tell it to leave them alone. No step of ours is compiled as a whole.

    Args:
        kind: The optimiser.

    Returns:
        The same with the methods that training uses as they are inside.
    """
    whole = {name: unwrap(getattr(kind, name)) for name in ("add_param_group", "zero_grad")}
    whole["step"] = torch.no_grad()(unwrap(kind.step))
    return cast(type[_Kind], type(kind.__name__, (kind,), whole))


Adam = without_compiler(torch.optim.Adam)
AdamW = without_compiler(torch.optim.AdamW)
Adafactor = without_compiler(torch.optim.Adafactor)


def optimizer_of(weights: Iterable[nn.Parameter], settings: TrainSettings) -> torch.optim.Optimizer:
    """Makes the optimiser.

    Args:
        weights: All trainable weights.
        settings: Optimiser with its constants; the learning rate is set at each step.

    Returns:
        Adam and AdamW in one pass over all weights; Adafactor with the rate as it is given.
    """
    rate, decay = settings.learning_rate, settings.weight_decay
    if settings.optimizer == "adafactor":
        return Adafactor(weights, rate, weight_decay=decay)
    kind = Adam if settings.optimizer == "adam" else AdamW
    betas = 0.9, settings.adam_beta2
    return kind(weights, rate, betas, settings.adam_epsilon, decay, fused=True)


def adam(weights: Iterable[nn.Parameter], learning_rate: float) -> torch.optim.Optimizer:
    """Adam, fused into one pass over the weights."""
    return Adam(weights, learning_rate, fused=True)


def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Sets the learning rate of the next step."""
    for group in optimizer.param_groups:
        group["lr"] = rate


def learning_rate(step: int, settings: TrainSettings) -> float:
    """The learning rate of a step.

    Args:
        step: From 1 to `settings.steps`.
        settings: Peak rate, schedule, warm-up and number of steps.

    Returns:
        The rate: it rises linearly to its peak at the end of the warm-up, then stays
        (constant), falls to 0 one step after the last (linear; cosine, by half a wave), or falls
        with the root of the step (inverse-square-root).
    """
    warm_up = min(settings.warm_up, settings.steps)
    if step <= warm_up:
        return settings.learning_rate * step / warm_up
    gone = (step - warm_up) / (settings.steps - warm_up + 1)
    factor = {
        "constant": 1.0,
        "linear": 1 - gone,
        "cosine": (1 + math.cos(math.pi * gone)) / 2,
        "inverse-square-root": math.sqrt(max(warm_up, 1) / step),
    }[settings.schedule]
    return settings.learning_rate * factor

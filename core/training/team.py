"""The processes that make a run together: one, or as many as a launcher has started.

Gradients are summed, not averaged, over the processes: each has divided by the loss tokens of the
whole step before. So a run's result does not depend on how many there are.
"""

import os
from collections.abc import Iterable
from typing import TypeVar

import torch
from torch import Tensor, distributed, nn

T = TypeVar("T")
# Gradients summed at once: few enough to need little memory, many enough to be quick.
_AT_ONCE = 1 << 24


class Team:
    """This process among those of its run.

    Args:
        device: Where tensors lie; with CUDA and several processes, each takes its own.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.rank, self.count = 0, int(os.environ.get("WORLD_SIZE", "1"))
        if self.count > 1:
            from accelerate import PartialState  # slow to import

            state = PartialState(cpu=device.type == "cpu")
            self.rank = state.process_index
            if device.type != "cpu":
                self.device = state.device

    @property
    def exact_device(self) -> torch.device:
        """Where float64 can be summed: Apple's devices have none."""
        return torch.device("cpu") if self.device.type == "mps" else self.device

    @property
    def leads(self) -> bool:
        """Whether this process writes what all have made."""
        return self.rank == 0

    def share(self, rows: Iterable[T]) -> list[T]:
        """The part of a step's rows that is this process's."""
        return list(rows)[self.rank :: self.count]

    def sum(self, values: Tensor) -> Tensor:
        """Adds up what each process has; in place.

        Args:
            values: Of the same shape and dtype in every process.

        Returns:
            The same tensor, with the sum in every process.
        """
        if self.count > 1:
            distributed.all_reduce(values)
        return values

    def sum_gradients(self, weights: Iterable[nn.Parameter]) -> None:
        """Adds up the gradients of every process; one that has none counts as 0."""
        if self.count == 1:
            return
        for group in _groups(weights):
            for weight in group:
                weight.grad = torch.zeros_like(weight) if weight.grad is None else weight.grad
            gradients = [weight.grad for weight in group if weight.grad is not None]
            summed = self.sum(torch.cat([gradient.flatten() for gradient in gradients]))
            sizes = [gradient.numel() for gradient in gradients]
            for gradient, part in zip(gradients, summed.split(sizes), strict=True):
                gradient.copy_(part.view_as(gradient))

    def agreed(self, value: T) -> T:
        """Lets every process go by what the first one says; all wait for it.

        Args:
            value: Anything that pickles; the others' is passed over.

        Returns:
            The first process's value, in every process.
        """
        if self.count == 1:
            return value
        told = [value]
        distributed.broadcast_object_list(told)
        return told[0]


def _groups(weights: Iterable[nn.Parameter]) -> Iterable[list[nn.Parameter]]:
    group: list[nn.Parameter] = []
    size = 0
    for weight in weights:
        if group and size + weight.numel() > _AT_ONCE:
            yield group
            group, size = [], 0
        group.append(weight)
        size += weight.numel()
    if group:
        yield group

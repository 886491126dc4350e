"""Reversible stacks: layers whose input follows from their output, so that nothing is kept.

A stack is a row of residual functions on two streams: each takes (a, b) to (b, a + f(b)). The
backward pass goes the other way: from (b, c) it finds f(b) again, a = c - f(b), and the gradients.

Source: Gomez et al.: The Reversible Residual Network (2017); Kitaev et al.: Reformer (2020).
"""

from collections.abc import Collection, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from core.models.parts.products import add_outer


class Gradients:
    """Gradients of weights and memory, summed over functions and pieces.

    Args:
        weights: The stack's parameters.
        memory: What its functions look at beside the streams; None if there is nothing.
    """

    def __init__(self, weights: Sequence[Tensor], memory: Tensor | None) -> None:
        self._places = {id(weight): place for place, weight in enumerate(weights)}
        # All at once and side by side: made one by one, they would lie between what is freed, and
        # the heap would grow with depth.
        self.of_weights = [torch.zeros_like(w) if w.requires_grad else None for w in weights]
        self.of_memory = None if memory is None else torch.zeros_like(memory)

    def _of(self, weight: Tensor) -> Tensor:
        total = self.of_weights[self._places[id(weight)]]
        assert total is not None
        return total

    def add(self, weights: Sequence[Tensor], found: Sequence[Tensor]) -> None:
        """Adds what one backward pass found for these weights."""
        for weight, grad in zip(weights, found, strict=True):
            self._of(weight).add_(grad)

    def add_product(self, weight: Tensor, pull: Tensor, x: Tensor) -> None:
        """Adds the gradient of x · weightᵀ, if the weight is learnt.

        Args:
            weight: [N, M].
            pull: [B, t, N], the gradient of the product.
            x: [B, t, M].
        """
        if not weight.requires_grad:
            return
        add_outer(self._of(weight), pull.flatten(0, -2), x.flatten(0, -2))


class ResidualFunction(Protocol):
    """What a stack is made of; one object stands for one depth and one step."""

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        ...

    def __call__(self, x: Tensor, memory: Tensor | None) -> Tensor:
        """[B, T, D] to [B, T, D], the plain way; 0 where its output is not needed."""
        ...

    def add(self, x: Tensor, total: Tensor, memory: Tensor | None, keep: bool) -> Any:
        """Adds its output to the other stream.

        Args:
            x: [B, T, D], the stream it reads; it changes before `rewind`, so what is kept of it
                is a copy.
            total: [B, T, D], the stream it adds to, in place.
            memory: What it may look at beside the stream: an encoder's output, or None.
            keep: Whether activations are kept, which costs memory and saves their recomputation.

        Returns:
            What `rewind` needs beside the streams: activations if they are kept, and what a
            recomputation must not find anew (hashes can flip).
        """
        ...

    def rewind(
        self,
        x: Tensor,
        total: Tensor,
        dx: Tensor,
        dtotal: Tensor,
        memory: Tensor | None,
        kept: Any,
        gradients: Gradients,
    ) -> None:
        """Takes its output from the other stream again, and adds to the gradients.

        Args:
            x: [B, T, D], the stream it read.
            total: [B, T, D], the stream it added to; changed in place to what it was.
            dx: [B, T, D], the gradient of x, to which is added in place.
            dtotal: [B, T, D], the gradient of the other stream.
            memory: As in `add`.
            kept: What `add` gave.
            gradients: Those of weights and memory, to which is added.
        """
        ...


def run_plain(
    functions: Sequence[ResidualFunction],
    x: Tensor,
    memory: Tensor | None,
    *,
    checkpointing: bool = False,
) -> Tensor:
    """The same stack with all activations kept, for comparison.

    Args:
        functions: The stack.
        x: [B, T, D]: both streams begin with it.
        memory: What functions look at beside the streams.
        checkpointing: Whether only the streams are kept, and all else is computed again.

    Returns:
        [B, T, D], the mean of the streams.
    """
    a = b = x
    for function in functions:
        if checkpointing and torch.is_grad_enabled():
            # No generator is touched: what is random follows from seeds.
            found = checkpoint(function, b, memory, use_reentrant=False, preserve_rng_state=False)
        else:
            found = function(b, memory)
        a, b = b, a + found
    return (a + b) / 2


def run_reversible(
    functions: Sequence[ResidualFunction],
    x: Tensor,
    memory: Tensor | None,
    keep: Collection[int] = (),
) -> Tensor:
    """The stack with activations recomputed in the backward pass.

    Args:
        functions: The stack.
        x: [B, T, D]: both streams begin with it.
        memory: What functions look at beside the streams.
        keep: Which functions keep their activations, which costs memory and saves time.

    Returns:
        [B, T, D], the mean of the streams.
    """
    weights = list({id(w): w for function in functions for w in function.weights()}.values())
    keep = keep if torch.is_grad_enabled() else ()
    out: Tensor = _Reversible.apply(functions, keep, x, memory, *weights)
    return out


class _Reversible(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        functions: Sequence[ResidualFunction],
        keep: Collection[int],
        x: Tensor,
        memory: Tensor | None,
        *weights: Tensor,
    ) -> Tensor:
        ctx.functions, ctx.weights, ctx.kept = functions, weights, []
        ctx.autocast = _Autocast(x.device.type)
        a = b = x
        with ctx.autocast.entered():
            for j, function in enumerate(functions):
                total = a.clone() if j < 2 else a  # the first two would write into the input
                ctx.kept.append(function.add(b, total, memory, j in keep))
                a, b = b, total
        ctx.save_for_backward(a, b, *(() if memory is None else (memory,)))
        return (a + b) / 2

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        a, b, *rest = ctx.saved_tensors
        memory = rest[0] if rest else None
        # The streams are rewound in place, and what is kept goes as soon as it was used; but a
        # second backward pass would need both again.
        left = ctx.kept
        if backward_may_come_again():
            a, b, left = a.clone(), b.clone(), list(left)
        da, db = grad / 2, grad / 2
        gradients = Gradients(ctx.weights, memory)
        with ctx.autocast.entered():
            for function in reversed(ctx.functions):
                function.rewind(a, b, da, db, memory, left.pop(), gradients)
                a, b, da, db = b, a, db, da
        return None, None, da.add_(db), gradients.of_memory, *gradients.of_weights


def backward_may_come_again() -> bool:
    """Whether the caller asked to keep the graph; torch tells it by a private name alone."""
    return bool(torch._C._autograd._get_current_graph_task_keep_graph())


class _Autocast:
    """The mixed precision of the forward pass, for the recomputation.

    Its cache of cast weights is off: what was cast without gradients must not be met again where
    there are some.
    """

    def __init__(self, device: str) -> None:
        self._device = device
        self._enabled = torch.is_autocast_enabled(device)
        self._dtype = torch.get_autocast_dtype(device)

    def entered(self) -> torch.autocast:
        return torch.autocast(self._device, self._dtype, self._enabled, cache_enabled=False)

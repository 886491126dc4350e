"""Reversible stacks: layers whose input follows from their output, so that nothing is kept.

A stack is a row of residual functions on two streams: each takes (a, b) to (b, a + f(b)). The
backward pass goes the other way: from (b, c) it finds f(b) again, a = c - f(b), and the gradients.

Source: Gomez et al.: The Reversible Residual Network (2017); Kitaev et al.: Reformer (2020).
"""

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor


class ResidualFunction(Protocol):
    """What a stack is made of; one object stands for one depth and one step."""

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        ...

    def pieces(self, num_positions: int) -> list[slice]:
        """The positions it may be given at once; more than one piece if it is position-wise."""
        ...

    def __call__(
        self, x: Tensor, where: slice, memory: Tensor | None, kept: Any
    ) -> tuple[Tensor, Any]:
        """Its output for some positions.

        Args:
            x: [B, t, D], the stream at these positions.
            where: The positions.
            memory: What it may look at beside the stream: an encoder's output, or None.
            kept: What the first call gave; None in the first call.

        Returns:
            [B, t, D], and what a recomputation must not find anew (hashes can flip).
        """
        ...


def one_piece(num_positions: int) -> list[slice]:
    """All positions at once."""
    return [slice(0, num_positions)]


def split_evenly(num_positions: int, num_pieces: int) -> list[slice]:
    """Positions in pieces of one size, the last perhaps smaller; none is empty."""
    step = max(1, -(-num_positions // num_pieces))
    return [slice(i, min(i + step, num_positions)) for i in range(0, num_positions, step)]


def run_plain(functions: Sequence[ResidualFunction], x: Tensor, memory: Tensor | None) -> Tensor:
    """The same stack with activations kept, for comparison and for short inputs.

    Args:
        functions: The stack.
        x: [B, T, D]: both streams begin with it.
        memory: See `ResidualFunction`.

    Returns:
        [B, T, D], the mean of the streams.
    """
    a = b = x
    for function in functions:
        found = [function(b[:, w], w, memory, None)[0] for w in function.pieces(b.shape[1])]
        a, b = b, a + (found[0] if len(found) == 1 else torch.cat(found, 1))
    return (a + b) / 2


def run_reversible(
    functions: Sequence[ResidualFunction], x: Tensor, memory: Tensor | None, keep: int = 0
) -> Tensor:
    """The stack with activations recomputed in the backward pass.

    Args:
        functions: The stack.
        x: [B, T, D]: both streams begin with it.
        memory: See `ResidualFunction`.
        keep: How many functions at the end keep their activations, which costs memory and saves
            their recomputation.

    Returns:
        [B, T, D], the mean of the streams.
    """
    weights = list({id(w): w for function in functions for w in function.weights()}.values())
    keep = keep if torch.is_grad_enabled() else 0
    out: Tensor = _Reversible.apply(functions, keep, x, memory, *weights)
    return out


class _Reversible(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        functions: Sequence[ResidualFunction],
        keep: int,
        x: Tensor,
        memory: Tensor | None,
        *weights: Tensor,
    ) -> Tensor:
        ctx.functions, ctx.weights = functions, weights
        ctx.autocast = _Autocast(x.device.type)
        ctx.kept, ctx.graphs = [], {}
        a = b = x
        with ctx.autocast.entered():
            for j, function in enumerate(functions):
                # The first two would write into the input, and what has a graph is still needed.
                total = a.clone() if j < 2 or j - 1 in ctx.graphs else a
                kept = None
                for where in function.pieces(b.shape[1]):
                    if j < len(functions) - keep:
                        found, kept = function(b[:, where], where, memory, kept)
                    else:
                        graph = _Graph(function, b[:, where], where, memory, kept)
                        found, kept = graph.out.detach(), graph.kept
                        ctx.graphs.setdefault(j, []).append(graph)
                    total[:, where] += found
                ctx.kept.append(kept)
                a, b = b, total
        ctx.save_for_backward(a, b, *(() if memory is None else (memory,)))
        return (a + b) / 2

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        a, b, *rest = ctx.saved_tensors
        memory = rest[0] if rest else None
        # Clones: the streams are rewound in place, and a second backward pass needs them again.
        a, b, da, db = a.clone(), b.clone(), grad / 2, grad / 2
        sums = _Sums(ctx.weights, memory)
        with ctx.autocast.entered():
            for j in reversed(range(len(ctx.functions))):
                # (a, b) is (before, before + f(…)): b - f(a) is what a's partner was.
                _rewind(ctx, j, a, b, da, db, memory, sums)
                a, b, da, db = b, a, db, da
        return None, None, da.add_(db), sums.of_memory, *sums.of_weights


def _rewind(
    ctx: Any,
    j: int,
    a: Tensor,
    b: Tensor,
    da: Tensor,
    db: Tensor,
    memory: Tensor | None,
    sums: "_Sums",
) -> None:
    """Takes b = c + f(a) back to c, and adds to da what flows through f."""
    function, graphs = ctx.functions[j], ctx.graphs.get(j)
    for number, where in enumerate(function.pieces(a.shape[1])):
        graph = (
            graphs[number] if graphs else _Graph(function, a[:, where], where, memory, ctx.kept[j])
        )
        b[:, where] -= graph.out.detach()
        da[:, where] += graph.backward(db[:, where], sums, again=graphs is not None)


class _Graph:
    """One function at some positions, with what its backward pass needs."""

    def __init__(
        self,
        function: ResidualFunction,
        x: Tensor,
        where: slice,
        memory: Tensor | None,
        kept: Any,
    ) -> None:
        with torch.enable_grad():
            self._x = _leaf(x)
            self._memory = None if memory is None else _leaf(memory)
            self.out, self.kept = function(self._x, where, self._memory, kept)
        self._weights = [weight for weight in function.weights() if weight.requires_grad]

    def backward(self, grad: Tensor, sums: "_Sums", again: bool) -> Tensor:
        """[B, t, D], the gradient of its input; those of weights and memory go into the sums."""
        inputs = [self._x, *self._weights]
        if self._memory is not None:
            inputs.append(self._memory)
        found = torch.autograd.grad(
            self.out, inputs, grad.to(self.out.dtype), allow_unused=True, retain_graph=again
        )
        num_weights = len(self._weights)
        sums.add(self._weights, found[1 : 1 + num_weights], found[1 + num_weights :])
        return found[0]


class _Sums:
    """Gradients of weights and memory, summed over functions and pieces."""

    def __init__(self, weights: Sequence[Tensor], memory: Tensor | None) -> None:
        self._places = {id(weight): place for place, weight in enumerate(weights)}
        self.of_weights: list[Tensor | None] = [None] * len(weights)
        self.of_memory = None if memory is None else torch.zeros_like(memory)

    def add(
        self,
        weights: Sequence[Tensor],
        grads: Sequence[Tensor | None],
        of_memory: Sequence[Tensor | None],
    ) -> None:
        for weight, grad in zip(weights, grads, strict=True):
            if grad is None:
                continue
            place = self._places[id(weight)]
            before = self.of_weights[place]
            self.of_weights[place] = grad if before is None else before.add_(grad)
        if self.of_memory is not None and of_memory and of_memory[0] is not None:
            self.of_memory.add_(of_memory[0])


def _leaf(x: Tensor) -> Tensor:
    return x.detach().requires_grad_()


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

"""Two kinds of residual function, from which every layer of a reversible stack is made.

`PiecewiseFunction` works on runs of positions that need no others: feed-forward, attention to a
memory. `StagedFunction` looks at other positions too, but only in its middle: what comes before and
after is done in pieces, so that little exists for all at a time.

Letters: B batch, T positions, D width.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import _engine_run_backward

from core.models.parts.reversible import Gradients, backward_may_come_again


def split_evenly(where: slice, num_pieces: int) -> list[slice]:
    """Positions in pieces of one size, the last perhaps smaller; none is empty.

    Args:
        where: The positions.
        num_pieces: How many pieces, at most.

    Returns:
        The pieces, in order.
    """
    step = max(1, -(-(where.stop - where.start) // num_pieces))
    stops = [*range(where.start + step, where.stop, step), where.stop]
    starts = [where.start, *stops[:-1]]
    return [slice(start, stop) for start, stop in zip(starts, stops, strict=True) if start < stop]


class PiecewiseFunction(ABC):
    """A function that works on runs of positions, one after the other."""

    @abstractmethod
    def weights(self) -> list[Tensor]:
        """Its parameters."""

    @abstractmethod
    def pieces(self, num_positions: int) -> list[slice]:
        """What it works on at once; what no piece writes is not needed."""

    @abstractmethod
    def run(self, x: Tensor, piece: slice, memory: Tensor | None) -> Tensor:
        """[B, t, D], the positions of a piece, to [B, t, D]."""

    def __call__(self, x: Tensor, memory: Tensor | None) -> Tensor:
        """As `ResidualFunction`."""
        total = torch.zeros_like(x)
        for piece in self.pieces(x.shape[1]):
            total[:, piece] = self.run(x[:, piece], piece, memory)
        return total

    def add(self, x: Tensor, total: Tensor, memory: Tensor | None, keep: bool) -> Any:
        """As `ResidualFunction`."""
        graphs = []
        for piece in self.pieces(x.shape[1]):
            if keep:
                graphs.append(_Graph(self, x[:, piece].clone(), piece, memory))
                total[:, piece] += graphs[-1].out.detach()
            else:
                total[:, piece] += self.run(x[:, piece], piece, memory)
        return graphs

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
        """As `ResidualFunction`."""
        for number, piece in enumerate(self.pieces(x.shape[1])):
            graph = kept[number] if kept else _Graph(self, x[:, piece], piece, memory)
            total[:, piece] -= graph.out.detach()
            dx[:, piece] += graph.backward(dtotal[:, piece], gradients)


class _Graph:
    """A piece with what its backward pass needs."""

    def __init__(
        self, function: PiecewiseFunction, x: Tensor, piece: slice, memory: Tensor | None
    ) -> None:
        self._weights = learnt(function.weights())
        self._memory = None if memory is None else leaf(memory)
        with torch.enable_grad():
            self._x = leaf(x)
            self.out = function.run(self._x, piece, self._memory)

    def backward(self, grad: Tensor, gradients: Gradients) -> Tensor:
        """[B, t, D], the gradient of its input; the others go into the sums."""
        inputs = [self._x, *self._weights, *(() if self._memory is None else (self._memory,))]
        of_x, *found = pulled_back(
            self.out, inputs, grad.to(self.out.dtype), again=backward_may_come_again()
        )
        gradients.add(self._weights, found[: len(self._weights)])
        if gradients.of_memory is not None and self._memory is not None:
            gradients.of_memory.add_(found[-1])
        return of_x


class StagedFunction(ABC):
    """A function of three stages, of which only the middle one looks at all positions."""

    @abstractmethod
    def stages(self, num_positions: int) -> tuple[list[slice], list[slice]]:
        """The pieces of the first stage, which cover all that is read, and those of the last.

        The middle sees what is read alone.
        """

    @abstractmethod
    def first_weights(self) -> list[Tensor]:
        """Parameters of the first stage."""

    def middle_weights(self) -> list[Tensor]:
        """Parameters of the middle stage; most have none."""
        return []

    @abstractmethod
    def last_weights(self) -> list[Tensor]:
        """Parameters of the last stage."""

    @abstractmethod
    def first(self, x: Tensor) -> tuple[Tensor, ...]:
        """[B, t, D] to what the middle reads, each [B, t, …]."""

    @abstractmethod
    def pulled_first(self, x: Tensor, pulls: Sequence[Tensor], gradients: Gradients) -> Tensor:
        """[B, t, D], the gradient of `first`'s input, from those of its parts.

        The gradients of its weights go into the sums.
        """

    @abstractmethod
    def decide(self, parts: Sequence[Tensor]) -> Any:
        """What a recomputation must not find anew: where the hashes put each position."""

    @abstractmethod
    def middle(self, parts: Sequence[Tensor], read: slice, decided: Any) -> Tensor:
        """From the first stage's parts, [B, r, …] each, to [B, r, D]: the positions read."""

    @abstractmethod
    def last(self, found: Tensor, where: slice) -> Tensor:
        """[B, t, D] of the middle's output to [B, t, D] of the whole function's."""

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return [*self.first_weights(), *self.middle_weights(), *self.last_weights()]

    def __call__(self, x: Tensor, memory: Tensor | None) -> Tensor:
        """As `ResidualFunction`."""
        total = torch.zeros_like(x)
        read, parts = self._parts(x)
        found = self.middle(parts, read, self.decide(parts))
        for where in self.stages(x.shape[1])[1]:
            total[:, where] = self.last(found[:, _within(read, where)], where)
        return total

    def _parts(self, x: Tensor) -> tuple[slice, list[Tensor]]:
        """The positions that are read, r of them, and the parts made of them, [B, r, …] each."""
        pieces = self.stages(x.shape[1])[0]
        read = slice(pieces[0].start, pieces[-1].stop)
        whole: list[Tensor] = []
        for where in pieces:
            parts = self.first(x[:, where])
            if len(pieces) == 1:
                return read, list(parts)
            if not whole:
                shape = (x.shape[0], read.stop - read.start)
                whole = [part.new_empty(*shape, *part.shape[2:]) for part in parts]
            for room, part in zip(whole, parts, strict=True):
                room[:, _within(read, where)] = part
        return read, whole

    def add(self, x: Tensor, total: Tensor, memory: Tensor | None, keep: bool) -> Any:
        """As `ResidualFunction`."""
        read, parts = self._parts(x)
        decided = self.decide(parts)
        middle = _Middle(self, parts, read, decided) if keep else None
        found = self.middle(parts, read, decided) if middle is None else middle.out.detach()
        del parts
        for where in self.stages(x.shape[1])[1]:
            total[:, where] += self.last(found[:, _within(read, where)], where)
        return decided, middle

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
        """As `ResidualFunction`."""
        decided, middle = kept
        if middle is None:
            read, parts = self._parts(x)
            middle = _Middle(self, parts, read, decided)
            del parts
        read = middle.read
        pull = self._rewind_last(middle, total, dtotal, gradients)
        weights, again = learnt(self.middle_weights()), backward_may_come_again()
        found = pulled_back(middle.out, [*middle.parts, *weights], pull, again=again)
        pulls, of_weights = found[: len(middle.parts)], found[len(middle.parts) :]
        gradients.add(weights, of_weights)
        del middle, pull, found
        for where in self.stages(x.shape[1])[0]:
            of_parts = [whole[:, _within(read, where)] for whole in pulls]
            dx[:, where] += self.pulled_first(x[:, where], of_parts, gradients)

    def _rewind_last(
        self, middle: "_Middle", total: Tensor, dtotal: Tensor, gradients: Gradients
    ) -> Tensor:
        """[B, r, D], the gradient of the middle's output; 0 where no piece reads it."""
        found = middle.out.detach()
        pull, weights = torch.zeros_like(found), learnt(self.last_weights())
        for where in self.stages(total.shape[1])[1]:
            here = _within(middle.read, where)
            with torch.enable_grad():
                part = leaf(found[:, here])
                out = self.last(part, where)
            total[:, where] -= out.detach()
            grad = dtotal[:, where].to(out.dtype)
            pull[:, here], *of_weights = pulled_back(out, (part, *weights), grad)
            gradients.add(weights, of_weights)
        return pull


class _Middle:
    """The middle of a staged function, with what its backward pass needs."""

    def __init__(
        self, function: StagedFunction, parts: Sequence[Tensor], read: slice, decided: Any
    ) -> None:
        self.read = read
        with torch.enable_grad():
            self.parts = [leaf(part) for part in parts]
            self.out = function.middle(self.parts, read, decided)


def _within(read: slice, where: slice) -> slice:
    """Positions, counted from the first that is read."""
    return slice(where.start - read.start, where.stop - read.start)


def leaf(x: Tensor) -> Tensor:
    """The same numbers, as the beginning of a graph."""
    return x.detach().requires_grad_()


def learnt(weights: Sequence[Tensor]) -> list[Tensor]:
    """Those that are not frozen."""
    return [weight for weight in weights if weight.requires_grad]


def pulled_back(
    out: Tensor, inputs: Sequence[Tensor], pull: Tensor, *, again: bool = False
) -> tuple[Tensor, ...]:
    """What `torch.autograd.grad` gives, straight from its engine.

    Before it asks the engine, it loads sympy to compare two shapes, which takes the first step of
    each process more than a second and its memory some 50 MB.

    Args:
        out: What was made.
        inputs: What it was made of; all of them have a part in it.
        pull: The gradient of *out*, of its shape and dtype.
        again: Whether the graph is kept.

    Returns:
        The gradient of each input.
    """
    found: tuple[Tensor, ...] = _engine_run_backward(
        (out,), (pull,), again, False, tuple(inputs), False, accumulate_grad=False
    )
    return found

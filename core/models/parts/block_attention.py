"""Attention of blocks: each block of queries sees its own block of keys and the ones beside it.

Every kind of attention that is cheaper than the square of the length comes down to this: positions
stand in some order, are cut into blocks of m, and a query looks at its own block and the one
before it (and the one after, where the future may be seen). What it may not see there is hidden.
With several rounds, each has an order of its own, and their outputs are weighted by the log-sum-exp
of their scores, as if one softmax ran over all that the rounds show.

Letters: B batch, H heads, T positions, K width of a head, m size of a block, n blocks, S = n·m ≥ T
places, W keys that a block sees (2m, or 3m with the block after).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from core.models.parts.kernels import attend, attend_backward

# Added to the score of a key that is hidden. Finite, so that a query which sees nothing in one
# round weighs nothing there, instead of becoming "not a number".
HIDDEN = -1e30
# Added to the score of a position on itself: it counts only where there is nothing else, and is
# small enough for float32 to keep the score beside it.
SELF = -1e3
# Places worked on at once: their scores stay in the processor's cache.
_PIECE = 2048
# No query has the number of a key that fills a block.
_FILL_QUERY, _FILL_KEY = -1, -2


@dataclass(frozen=True)
class Round:
    """One order of the positions of a row, for each head or (H' = 1) for all of them.

    Args:
        groups: [T, H'] int32, in the order of the places: a query sees keys of its own group.
        order: [T, H] int64, the position at each place; None where positions stand in order.
        places: [T, H] int64, the place of each position; None like `order`.
        seen: [T, H] int32 for each earlier round, in this order: a pair whose numbers differ by
            less than the pattern's `reach` was seen there, and is hidden here.
        after: [T, H] int32, in the order of the places: a query sees keys whose number is not
            above its own; None where the pattern alone says so.
    """

    groups: Tensor
    order: Tensor | None = None
    places: Tensor | None = None
    seen: tuple[Tensor, ...] = ()
    after: Tensor | None = None


@dataclass(frozen=True)
class Pattern:
    """What a block sees, whatever stands in it.

    Args:
        bias: [m, W] float: `HIDDEN`, `SELF` or 0 for each query and key of a block.
        reach: See `Round.seen`.
        shift: Added to the difference before it is compared with the reach.
    """

    bias: Tensor
    reach: int = 0
    shift: int = 0

    @property
    def size(self) -> int:
        """Positions of a block, m."""
        return self.bias.shape[0]

    @property
    def looks_ahead(self) -> bool:
        """Whether a block sees the one after it."""
        return self.bias.shape[1] > 2 * self.size


def block_attention(
    q: Tensor, k: Tensor, v: Tensor, rounds: list[list[Round]], pattern: Pattern, scale: float
) -> Tensor:
    """Attention over what the rounds show.

    Args:
        q: [B, T, H, K] float.
        k: [B, T, H, K].
        v: [B, T, H, K].
        rounds: For each row of the batch, its rounds; every position must see a key in the first.
        pattern: What a block sees.
        scale: Factor of the scores.

    Returns:
        [B, T, H, K], float32 at least, whatever the dtype of q: so precise are scores and sums.
    """
    out: Tensor = _BlockAttention.apply(q, k, v, rounds, pattern, scale)
    return out


class _BlockAttention(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        rounds: list[list[Round]],
        pattern: Pattern,
        scale: float,
    ) -> Tensor:
        exact = torch.promote_types(q.dtype, torch.float32)
        q, k, v = q.to(exact), k.to(exact), v.to(exact)
        out, logs = torch.empty_like(q), q.new_empty(q.shape[:3])
        for b, row in enumerate(rounds):
            out[b], logs[b] = _attend_row(q[b], k[b], v[b], row, pattern, scale)
        ctx.save_for_backward(q, k, v, out, logs)
        ctx.rounds, ctx.pattern, ctx.scale = rounds, pattern, scale
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, out, logs = ctx.saved_tensors
        grads = [torch.empty_like(x) for x in (q, k, v)]
        for b, row in enumerate(ctx.rounds):
            saved = (q[b], k[b], v[b], out[b], logs[b], grad[b])
            for whole, part in zip(
                grads, _attend_row_backward(saved, row, ctx.pattern, ctx.scale), strict=True
            ):
                whole[b] = part
        return *grads, None, None, None


def _attend_row(
    q: Tensor, k: Tensor, v: Tensor, rounds: list[Round], pattern: Pattern, scale: float
) -> tuple[Tensor, Tensor]:
    """One row, [T, H, K]: what each round sees, merged as one softmax would."""
    out = logs = None
    for one in rounds:
        found, weight = _attend_round(q, k, v, one, pattern, scale)
        if out is None or logs is None:
            out, logs = found, weight
            continue
        both = torch.logaddexp(logs, weight)
        out.mul_((logs - both).exp_()[..., None])
        out.addcmul_(found, (weight - both).exp_()[..., None])
        logs = both
    assert out is not None and logs is not None
    return out, logs


def _attend_round(
    q: Tensor, k: Tensor, v: Tensor, one: Round, pattern: Pattern, scale: float
) -> tuple[Tensor, Tensor]:
    view = _Places(one, pattern, q.shape)
    queries, keys, values = view.queries(q), view.keys(k), view.keys(v)
    out, logs = torch.empty_like(queries), queries.new_empty(queries.shape[:2])
    for piece in view.pieces():
        found, weight = attend(
            piece.of_queries(queries), piece.of_keys(keys), piece.of_keys(values),
            piece.bias(q.dtype), scale,
        )  # fmt: skip
        piece.of_queries(out).copy_(found)
        piece.of_queries(logs[..., None]).copy_(weight[..., None])
    return view.back(out), view.back(logs[..., None])[..., 0]


def _attend_row_backward(
    saved: tuple[Tensor, ...], rounds: list[Round], pattern: Pattern, scale: float
) -> list[Tensor]:
    """Gradients of q, k and v of one row, summed over the rounds.

    A round's share follows from the output and the log-sum-exp of all rounds together: what it
    would have weighed in the one softmax.
    """
    total: list[Tensor] = []
    for one in rounds:
        found = _round_backward(saved, one, pattern, scale)
        if total:
            for whole, part in zip(total, found, strict=True):
                whole.add_(part)
        else:
            total = found
    return total


def _round_backward(
    saved: tuple[Tensor, ...], one: Round, pattern: Pattern, scale: float
) -> list[Tensor]:
    q, k, v, out, logs, grad = saved
    view = _Places(one, pattern, q.shape)
    queries, outs, grads = view.queries(q), view.queries(out), view.queries(grad)
    weights = view.queries(logs[..., None])
    keys, values = view.keys(k), view.keys(v)
    of_queries = torch.empty_like(queries)
    of_keys, of_values = torch.zeros_like(keys), torch.zeros_like(values)
    for piece in view.pieces():
        dq, dk, dv = attend_backward(
            piece.of_queries(grads), piece.of_queries(queries), piece.of_keys(keys),
            piece.of_keys(values), piece.of_queries(outs),
            piece.of_queries(weights)[..., 0], piece.bias(q.dtype), scale,
        )  # fmt: skip
        piece.of_queries(of_queries).copy_(dq)
        piece.add_to_keys(of_keys, dk)
        piece.add_to_keys(of_values, dv)
    return [
        view.back(of_queries), view.back(view.inner(of_keys)), view.back(view.inner(of_values))
    ]  # fmt: skip


class _Places:
    """The places of a round: from positions to places, to blocks of places, and back."""

    def __init__(self, one: Round, pattern: Pattern, shape: torch.Size) -> None:
        num_positions, self._heads = shape[:2]
        self._pattern, self._num_positions = pattern, num_positions
        m = pattern.size
        self._num_blocks = -(-num_positions // m)
        self._fill = self._num_blocks * m - num_positions
        self._behind = self._fill + (m if pattern.looks_ahead else 0)
        self._of_queries = self._of_keys = self._back = None
        if one.order is not None and one.places is not None:
            head = torch.arange(self._heads, device=one.order.device)
            rows = one.order * self._heads + head
            self._of_queries = self._filled(rows, 0, self._fill).reshape(-1)
            self._of_keys = self._filled(rows, m, self._behind).reshape(-1)
            self._back = (one.places * self._heads + head).reshape(-1)
        self._conditions = [
            (
                self._filled(x, 0, self._fill, _FILL_QUERY),
                self._filled(x, m, self._behind, _FILL_KEY),
            )
            for x in (one.groups, *one.seen, *([] if one.after is None else [one.after]))
        ]
        self._num_seen = len(one.seen)

    @staticmethod
    def _filled(x: Tensor, front: int, behind: int, value: int = 0) -> Tensor:
        if front == behind == 0:
            return x
        whole = x.new_empty(front + len(x) + behind, *x.shape[1:])
        whole[:front], whole[front + len(x) :] = value, value
        whole[front : front + len(x)] = x
        return whole

    def queries(self, x: Tensor) -> Tensor:
        """[T, H, K] by position to [S, H, K] by place."""
        if self._of_queries is None:
            return self._filled(x, 0, self._fill)
        return self._gathered(x, self._of_queries)

    def keys(self, x: Tensor) -> Tensor:
        """[T, H, K] by position to [m + S (+ m), H, K] by place, a block of nothing in front."""
        if self._of_keys is None:
            return self._filled(x, self._pattern.size, self._behind)
        return self._gathered(x, self._of_keys)

    def inner(self, x: Tensor) -> Tensor:
        """[m + S (+ m), H, K] to the S places between."""
        m = self._pattern.size
        return x[m : m + self._num_blocks * m]

    def back(self, x: Tensor) -> Tensor:
        """[S, H, K] by place to [T, H, K] by position."""
        if self._back is None:
            return x[: self._num_positions]
        return self._gathered(x, self._back)

    def _gathered(self, x: Tensor, rows: Tensor) -> Tensor:
        flat = x.reshape(-1, x.shape[-1])
        return flat.index_select(0, rows).view(-1, self._heads, x.shape[-1])

    def pieces(self) -> Iterator["_Piece"]:
        """Runs of blocks that are worked on at once."""
        step = max(1, _PIECE // self._pattern.size)
        for first in range(0, self._num_blocks, step):
            yield _Piece(self, first, min(first + step, self._num_blocks))


@dataclass(frozen=True)
class _Piece:
    """Blocks `first` to `last` (n of them) of a round."""

    whole: _Places
    first: int
    last: int

    @property
    def _size(self) -> int:
        return self.whole._pattern.size

    def of_queries(self, x: Tensor) -> Tensor:
        """[S, H, K] to [n, H, m, K], a view."""
        part = x[self.first * self._size : self.last * self._size]
        return part.unflatten(0, (-1, self._size)).transpose(1, 2)

    def of_keys(self, x: Tensor) -> Tensor:
        """[m + S (+ m), H, K] to [n, H, W, K], a view in which blocks share their neighbours."""
        seen = self.whole._pattern.bias.shape[1]
        part = x[self.first * self._size : (self.last - 1) * self._size + seen]
        return part.unfold(0, seen, self._size).transpose(2, 3)

    def add_to_keys(self, x: Tensor, found: Tensor) -> None:
        """Adds [n, H, W, K] to [m + S (+ m), H, K], where neighbours meet."""
        m = self._size
        for j in range(found.shape[2] // m):
            part = x[(self.first + j) * m : (self.last + j) * m].unflatten(0, (-1, m))
            part.add_(found[:, :, j * m : (j + 1) * m].transpose(1, 2))

    def bias(self, dtype: torch.dtype) -> Tensor:
        """[n, H', m, W]: the pattern, with what is not to be seen hidden."""
        pattern, pairs = self.whole._pattern, self._pairs()
        query, key = next(pairs)
        shown = query == key
        for _ in range(self.whole._num_seen):
            query, key = next(pairs)
            shown &= (query - key).add_(pattern.shift).abs_() >= pattern.reach
        for query, key in pairs:
            shown &= key <= query
        return torch.where(shown, pattern.bias.to(dtype), HIDDEN)

    def _pairs(self) -> Iterator[tuple[Tensor, Tensor]]:
        """Each condition's numbers, [n, H', m, 1] of queries and [n, H', 1, W] of keys."""
        for queries, keys in self.whole._conditions:
            key = self.of_keys(keys[..., None])
            yield self.of_queries(queries[..., None]), key.transpose(2, 3)

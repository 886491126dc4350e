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
# Places worked on at once: what is made for them stays in a processor's cache, or keeps a GPU busy.
_PIECE, _GPU_PIECE = 2048, 32_768
# A vector shorter than this has no direction.
SHORTEST = 1e-6


@dataclass(frozen=True)
class Round:
    """One order of the positions of a row, for each head or (H' = 1) for all of them.

    What is compared is held as float: whole numbers, exact below 2^24 in float32.

    Args:
        groups: [T, H'] float, from 0, in the order of the places: a query sees keys of its group.
        order: [T, H] int64, the position at each place; None where positions stand in order.
        places: [T, H] int64, the place of each position; None like `order`.
        seen: [T, H] float for each earlier round, in this order: a pair whose numbers differ by
            less than the pattern's `reach` was seen there, and is hidden here.
        after: [T, H] float, in the order of the places: a query sees keys whose number is not
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
    def ahead(self) -> int:
        """Keys that a block sees behind its own."""
        return self.bias.shape[1] - 2 * self.size


def block_attention(
    q: Tensor,
    k: Tensor | None,
    v: Tensor,
    rounds: list[list[Round]],
    pattern: Pattern,
    scale: float,
) -> Tensor:
    """Attention over what the rounds show.

    Args:
        q: [B, T, H, K] float.
        k: [B, T, H, K]; None if the keys are the queries, scaled to unit length.
        v: [B, T, H, K].
        rounds: For each row of the batch, its rounds; every position must see a key in the first.
        pattern: What a block sees.
        scale: Factor of the scores.

    Returns:
        [B, T, H, K], float32 at least, whatever the dtype of q: so precise are scores and sums.
    """
    exact = torch.promote_types(q.dtype, torch.float32)
    k = None if k is None else _in_rows(k, exact)
    out: Tensor = _BlockAttention.apply(
        _in_rows(q, exact), k, _in_rows(v, exact), rounds, pattern, scale
    )
    return out


class _BlockAttention(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        q: Tensor,
        k: Tensor | None,
        v: Tensor,
        rounds: list[list[Round]],
        pattern: Pattern,
        scale: float,
    ) -> Tensor:
        rows = [
            _Row(q[b], None if k is None else k[b], v[b], pattern, scale).attend(rounds[b])
            for b in range(len(rounds))
        ]
        out, logs = (_stacked(parts) for parts in zip(*rows, strict=True))
        ctx.save_for_backward(q, k, v, out, logs)
        ctx.rounds, ctx.pattern, ctx.scale = rounds, pattern, scale
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, out, logs = ctx.saved_tensors
        grad = _in_rows(grad, out.dtype)
        rows = []
        for b, rounds in enumerate(ctx.rounds):
            row = _Row(q[b], None if k is None else k[b], v[b], ctx.pattern, ctx.scale)
            rows.append(row.backward(rounds, out[b], logs[b], grad[b]))
        dq, dk, dv = (
            None if parts[0] is None else _stacked(parts) for parts in zip(*rows, strict=True)
        )
        return dq, dk, dv, None, None, None


class _Row:
    """One row of the batch; q, k and v are [T, H, K]."""

    def __init__(
        self, q: Tensor, k: Tensor | None, v: Tensor, pattern: Pattern, scale: float
    ) -> None:
        self._q, self._k, self._v = q, k, v
        self._pattern, self._scale = pattern, scale
        # [T, H, 1]: what makes a query a key.
        self._shrink = (
            q.norm(dim=-1, keepdim=True).clamp_min_(SHORTEST).reciprocal_() if k is None else None
        )

    def attend(self, rounds: list[Round]) -> tuple[Tensor, Tensor]:
        """[T, H, K] what is found, [T, H] its log-sum-exp: the rounds merged as one softmax."""
        out, logs = self._attend_round(rounds[0])
        for one in rounds[1:]:
            found, weight = self._attend_round(one)
            both = torch.logaddexp(logs, weight)
            out.mul_((logs - both).exp_()[..., None])
            out.addcmul_(found, (weight - both).exp_()[..., None])
            logs = both
        return out, logs

    def _attend_round(self, one: Round) -> tuple[Tensor, Tensor]:
        places = _Places(one, self._pattern, self._q.shape)
        found, weights = [], []
        for piece in places.pieces():
            out, logs = attend(*self._taken(piece).blocks(), piece.bias(), self._scale)
            found.append(out.transpose(1, 2).flatten(0, 1))
            weights.append(logs.transpose(1, 2).flatten(0, 1)[..., None])
        return places.back(_joined(found)), places.back(_joined(weights))[..., 0]

    def _taken(self, piece: "_Piece") -> "_Taken":
        values = piece.keys(self._v)
        if self._k is not None:
            return _Taken(piece, piece.queries(self._q), piece.keys(self._k), values)
        assert self._shrink is not None
        shared, shrink = piece.keys(self._q), piece.keys(self._shrink)
        return _Taken(piece, piece.inner(shared), shared * shrink, values, shrink)

    def backward(
        self, rounds: list[Round], out: Tensor, logs: Tensor, grad: Tensor
    ) -> list[Tensor | None]:
        """Gradients of q, k and v, summed over the rounds.

        A round's share follows from the output and the log-sum-exp of all rounds together: from
        what its keys weighed in the one softmax.
        """
        of_q, of_v = (x.new_zeros(x.shape) for x in (self._q, self._v))
        of_k = None if self._k is None else self._k.new_zeros(self._k.shape)
        for one in rounds:
            for piece in _Places(one, self._pattern, self._q.shape).pieces():
                taken = self._taken(piece)
                grads, outs, weights = (
                    piece.blocks_of_queries(piece.queries(x)) for x in (grad, out, logs[..., None])
                )
                dq, dk, dv = attend_backward(
                    grads, *taken.blocks(), outs, weights[..., 0], piece.bias(), self._scale
                )
                piece.add_to_queries(of_q, dq.transpose(1, 2).flatten(0, 1))
                pull = taken.pull_of_keys(piece.folded(dk))
                piece.add_to_keys(of_q if of_k is None else of_k, pull)
                piece.add_to_keys(of_v, piece.folded(dv))
        return [of_q, of_k, of_v]


@dataclass(frozen=True)
class _Taken:
    """What a piece works on: [n·m, H, K] queries, [n·m + W - m, H, K] keys and values.

    `shrink`, [·, H, 1], made the keys of the shared vectors; None where keys are their own.
    """

    piece: "_Piece"
    queries: Tensor
    keys: Tensor
    values: Tensor
    shrink: Tensor | None = None

    def blocks(self) -> tuple[Tensor, Tensor, Tensor]:
        """[n, H, m, K] queries, [n, H, W, K] keys and values."""
        of_keys = self.piece.blocks_of_keys
        return self.piece.blocks_of_queries(self.queries), of_keys(self.keys), of_keys(self.values)

    def pull_of_keys(self, pull: Tensor) -> Tensor:
        """The keys' gradient, or the shared vectors' where the keys were made of them."""
        if self.shrink is None:
            return pull
        along = (pull * self.keys).sum(-1, keepdim=True)
        return pull.addcmul_(self.keys, along, value=-1).mul_(self.shrink)


class _Places:
    """The places of a round: from positions to places, in pieces, and back."""

    def __init__(self, one: Round, pattern: Pattern, shape: torch.Size) -> None:
        self.pattern = pattern
        self.num_positions, self.num_heads = shape[:2]
        self.num_blocks = -(-self.num_positions // pattern.size)
        # Places behind the last position: the rest of its block, and what that sees ahead.
        self._behind = self.num_blocks * pattern.size - self.num_positions + pattern.ahead
        self._rows = self._back = None
        if one.order is not None and one.places is not None:
            head = torch.arange(self.num_heads, device=one.order.device)
            self._rows = self._filled(one.order * self.num_heads + head, 0).reshape(-1)
            self._back = (one.places * self.num_heads + head).reshape(-1)
        self.groups = self._filled(one.groups, -1)
        # What fills the last block is of a group of its own, place by place.
        self.groups[len(self.groups) - self._behind :] -= torch.arange(self._behind)[:, None].to(
            self.groups
        )
        self.seen = [self._filled(numbers, 0) for numbers in one.seen]
        self.after = None if one.after is None else self._filled(one.after, 0)

    def _filled(self, x: Tensor, value: float) -> Tensor:
        """[T, …] to [m + T + behind, …]."""
        front = self.pattern.size
        whole = x.new_full((front + len(x) + self._behind, *x.shape[1:]), value)
        whole[front : front + len(x)] = x
        return whole

    def pieces(self) -> Iterator["_Piece"]:
        """Runs of blocks that are worked on at once."""
        piece = _PIECE if self.groups.device.type == "cpu" else _GPU_PIECE
        step = max(1, piece // self.pattern.size)
        for first in range(0, self.num_blocks, step):
            yield _Piece(self, first, min(first + step, self.num_blocks))

    def take(self, x: Tensor, first: int, last: int) -> Tensor:
        """[T, H, K] by position to [last - first, H, K]: what stands at these places."""
        if self._rows is not None:
            front = self.pattern.size
            rows = self._rows[(first + front) * self.num_heads : (last + front) * self.num_heads]
            flat = x.reshape(-1, x.shape[-1]).index_select(0, rows)
            return flat.view(last - first, self.num_heads, x.shape[-1])
        inside = x[max(first, 0) : last]
        if len(inside) == last - first:
            return inside
        whole = x.new_zeros(last - first, *x.shape[1:])
        start = max(-first, 0)
        whole[start : start + len(inside)] = inside
        return whole

    def add(self, x: Tensor, first: int, found: Tensor) -> None:
        """Adds [places, H, K], from place `first` on, to [T, H, K] by position."""
        start, stop = max(first, 0), min(first + len(found), self.num_positions)
        found = found[start - first : stop - first]
        if self._rows is None:
            x[start:stop] += found
        else:
            front = self.pattern.size
            rows = self._rows[(start + front) * self.num_heads : (stop + front) * self.num_heads]
            x.view(-1, x.shape[-1]).index_add_(0, rows, found.flatten(0, 1))

    def back(self, x: Tensor) -> Tensor:
        """[n·m, H, K] by place to [T, H, K] by position."""
        if self._back is None:
            return x[: self.num_positions]
        flat = x.reshape(-1, x.shape[-1]).index_select(0, self._back)
        return flat.view(self.num_positions, self.num_heads, x.shape[-1])


@dataclass(frozen=True)
class _Piece:
    """Blocks `first` to `last` (n of them) of a round."""

    whole: _Places
    first: int
    last: int

    @property
    def _size(self) -> int:
        return self.whole.pattern.size

    def queries(self, x: Tensor) -> Tensor:
        """[T, H, K] by position to [n·m, H, K]."""
        return self.whole.take(x, self.first * self._size, self.last * self._size)

    def keys(self, x: Tensor) -> Tensor:
        """[T, H, K] by position to [n·m + W - m, H, K]: with the neighbours of the blocks."""
        behind = self.last * self._size + self.whole.pattern.ahead
        return self.whole.take(x, (self.first - 1) * self._size, behind)

    def add_to_queries(self, x: Tensor, found: Tensor) -> None:
        """Adds [n·m, H, K] to [T, H, K] by position."""
        self.whole.add(x, self.first * self._size, found)

    def add_to_keys(self, x: Tensor, found: Tensor) -> None:
        """Adds [n·m + W - m, H, K] to [T, H, K] by position."""
        self.whole.add(x, (self.first - 1) * self._size, found)

    def _part(self, x: Tensor) -> Tensor:
        """The numbers of its keys."""
        return x[self.first * self._size : (self.last + 1) * self._size + self.whole.pattern.ahead]

    def inner(self, x: Tensor) -> Tensor:
        """What of the keys belongs to the queries."""
        return x[self._size : self._size * (1 + self.last - self.first)]

    def blocks_of_queries(self, x: Tensor) -> Tensor:
        """[n·m, H, K] to [n, H, m, K], a view."""
        return x.unflatten(0, (-1, self._size)).transpose(1, 2)

    def blocks_of_keys(self, x: Tensor) -> Tensor:
        """[n·m + W - m, H, K] to [n, H, W, K], a view in which blocks share their neighbours."""
        return x.unfold(0, self.whole.pattern.bias.shape[1], self._size).transpose(2, 3)

    def folded(self, x: Tensor) -> Tensor:
        """[n, H, W, K] to [n·m + W - m, H, K], summed where blocks share neighbours."""
        count, num_heads, seen, width = x.shape
        total = x.new_empty((count - 1) * self._size + seen, num_heads, width)
        total[: count * self._size] = x[:, :, : self._size].transpose(1, 2).flatten(0, 1)
        total[count * self._size :] = 0
        for start in range(self._size, seen, self._size):
            part = total[start : start + count * self._size].unflatten(0, (-1, self._size))
            part.add_(x[:, :, start : start + self._size].transpose(1, 2))
        return total

    def bias(self) -> Tensor:
        """[n, H', m, W]: the pattern, with what is not to be seen hidden.

        All in float and in place, which is many times faster than choosing by truth values.
        """
        pattern = self.whole.pattern
        hidden = self._differences(self.whole.groups).abs_()
        for numbers in self.whole.seen:
            apart = self._differences(numbers)
            if pattern.shift:
                apart.add_(pattern.shift)
            hidden.add_(apart.abs_().neg_().add_(pattern.reach).relu_())
        if self.whole.after is not None:
            hidden.add_(self._differences(self.whole.after).neg_().relu_())
        return hidden.mul_(HIDDEN).add_(pattern.bias)

    def _differences(self, x: Tensor) -> Tensor:
        """[n, H', m, W]: the query's number less the key's."""
        keys = self._part(x)[..., None]
        queries, keys = self.blocks_of_queries(self.inner(keys)), self.blocks_of_keys(keys)
        return queries.contiguous() - keys.transpose(2, 3).contiguous()


def _in_rows(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Numbers of a vector side by side, which the library's kernel takes for granted."""
    x = x.to(dtype)
    return x if x.stride(-1) == 1 else x.contiguous()


def _stacked(parts: Any) -> Tensor:
    return parts[0][None] if len(parts) == 1 else torch.stack(parts)


def _joined(parts: list[Tensor]) -> Tensor:
    return parts[0] if len(parts) == 1 else torch.cat(parts)

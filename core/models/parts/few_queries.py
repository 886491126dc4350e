"""Hashed attention of a few positions: in the last layer only those with loss are needed.

What `lsh_attention` finds, but query by query: each takes the keys of its windows out of the sorted
positions. That costs more a query than blocks do, and less than blocks of all positions.

Letters: T positions, t that are wanted, H heads, K width of a head, R rounds, w size of a window.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

from core.models.parts.block_attention import HIDDEN, SELF, SHORTEST
from core.models.parts.residual import leaf, pulled_back

# Numbers of keys that are taken out at once.
_NUMBERS_AT_ONCE = 1 << 19


def lsh_attention_at(
    wanted: slice, shared: Tensor, values: Tensor, buckets: Tensor, window: int
) -> Tensor:
    """Attention of some positions to the last ones of their buckets, in each round.

    Args:
        wanted: Which positions look.
        shared: [B, T, H, K], queries, which serve as keys when scaled to unit length.
        values: [B, T, H, K].
        buckets: [B, R, H, T] int16, from 0; padding has a bucket of its own.
        window: Positions seen in a round, itself among them.

    Returns:
        [B, T, H, K] of the dtype of `shared`; zeros where nothing is wanted.
    """
    out: Tensor = _FewQueries.apply(wanted, shared, values, buckets, window)
    return out


class _FewQueries(torch.autograd.Function):
    """Taken-out keys are many times as large as what they are taken from: only pieces exist."""

    @staticmethod
    def forward(
        ctx: Any, wanted: slice, shared: Tensor, values: Tensor, buckets: Tensor, window: int
    ) -> Tensor:
        ctx.save_for_backward(shared, values, buckets)
        ctx.wanted, ctx.window = wanted, min(window, shared.shape[1])
        out = shared.new_zeros(shared.shape)
        for piece in _pieces(shared, values, buckets, wanted, ctx.window):
            out[piece.row, piece.at] = _attend(*piece.taken(), piece.bias).to(out.dtype)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        shared, values, buckets = ctx.saved_tensors
        of_shared, of_values = (x.new_zeros(x.shape) for x in (shared, values))
        for piece in _pieces(shared, values, buckets, ctx.wanted, ctx.window):
            with torch.enable_grad():
                q, k, v = (leaf(x) for x in piece.taken())
                found = _attend(q, k, v, piece.bias)
            pull = grad[piece.row, piece.at].to(found.dtype)
            dq, dk, dv = pulled_back(found, (q, k, v), pull)
            of_shared[piece.row, piece.at] += dq
            for total, more in ((of_shared, dk), (of_values, dv)):
                flat = total[piece.row].view(-1, total.shape[-1])
                flat.index_add_(0, piece.seen.flatten(), more.flatten(0, 2).to(flat.dtype))
        return None, of_shared, of_values, None, None


class _Piece(NamedTuple):
    """A few queries of one row.

    Args:
        shared: [B, T, H, K].
        values: [B, T, H, K].
        row: Which row.
        at: Which positions, t of them.
        seen: [t, H, R · w] int64, position · H + head of each key.
        bias: [t, H, R · w], added to its score.
    """

    shared: Tensor
    values: Tensor
    row: int
    at: slice
    seen: Tensor
    bias: Tensor

    def taken(self) -> tuple[Tensor, Tensor, Tensor]:
        """[t, H, K] queries, [t, H, R · w, K] keys that are not of unit length yet, and values."""
        width, exact = self.shared.shape[-1], self.bias.dtype
        keys, values = (
            x[self.row].reshape(-1, width).index_select(0, self.seen.flatten()).to(exact)
            for x in (self.shared, self.values)
        )
        shape = (*self.seen.shape, width)
        return self.shared[self.row, self.at].to(exact), keys.view(shape), values.view(shape)


def _pieces(
    shared: Tensor, values: Tensor, buckets: Tensor, wanted: slice, window: int
) -> Iterator[_Piece]:
    exact = torch.promote_types(shared.dtype, torch.float32)
    for row in range(len(shared)):
        seen, bias = _seen(buckets[row], wanted, window, exact)
        step = max(1, _NUMBERS_AT_ONCE // (seen[0].numel() * shared.shape[-1]))
        for first in range(0, len(seen), step):
            part = slice(first, min(first + step, len(seen)))
            at = slice(wanted.start + part.start, wanted.start + part.stop)
            yield _Piece(shared, values, row, at, seen[part], bias[part])


def _attend(q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
    """[t, H, K], what is found in [t, H, R · w, K] keys and values."""
    keys = F.normalize(k, dim=-1, eps=SHORTEST)
    scores = (keys @ q[..., None])[..., 0] * q.shape[-1] ** -0.5 + bias
    return (scores.softmax(-1)[..., None, :] @ v)[..., 0, :]


def _seen(buckets: Tensor, wanted: slice, window: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """What each wanted position sees in its windows, of one row.

    Args:
        buckets: [R, H, T] int16.
        wanted: The positions, t of them.
        window: w.
        dtype: Of the bias.

    Returns:
        [t, H, R · w] int64, position · H + head of each key; and what is added to its score.
    """
    R, H, T = buckets.shape
    groups, order = buckets.long().sort(dim=-1, stable=True)
    places = torch.empty_like(order)
    places.scatter_(-1, order, torch.arange(T, device=order.device).expand_as(order))
    # Between buckets the numbers leave a gap as wide as the window: a pair was seen in a round if
    # they differ by less than it.
    numbers = places + buckets.long() * window
    back = torch.arange(window, device=order.device)
    at = places[..., wanted, None] - back  # [R, H, t, w], places
    inside = at >= 0
    at = at.clamp_min(0).flatten(2)
    seen = order.gather(2, at).view(R, H, -1, window)
    own = groups.gather(2, at).view_as(seen) == buckets[..., wanted, None]
    hidden = ~(inside & own)
    for first in range(R):
        of_keys = numbers[first][None].expand(R, -1, -1).gather(2, seen.flatten(2)).view_as(seen)
        near = (numbers[first][None, :, wanted, None] - of_keys).abs() < window
        hidden[first + 1 :] |= near[first + 1 :]
    bias = torch.where(hidden, HIDDEN, 0.0).to(dtype)
    bias[..., 0] += SELF
    head = torch.arange(H, device=order.device)[:, None, None]
    flat, bias = (x.permute(2, 1, 0, 3).flatten(2) for x in (seen * H + head, bias))
    return flat, bias

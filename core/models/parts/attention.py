"""Attention as functions of queries, keys and values; `attention_kinds` names them.

All take and give [B, H, T, K] float (B batch, H heads, T positions, K width of a head). Without
keys (None) the queries serve as keys, scaled to unit length, as in the Reformer. `present` is
[B, T] bool, False at padding, which is never seen by what is present. `scale` is 1/√K unless given.
With `self_last` a position attends to itself only if there is nothing else.

| kind | position i sees |
| --- | --- |
| full | all positions ≤ i |
| local | positions i-w+1 … i |
| lsh | in each round, the last w positions ≤ i of its own bucket |
| local-chunk | those ≤ i in its chunk of m and in the one before |
| lsh-chunk | the same among positions sorted by (bucket, position) |

The first three are exactly causal. The chunked kinds are the papers' own: `local-chunk` depends on
where chunks begin, and in `lsh-chunk` which keys share a chunk depends on later positions.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

from core.models.parts.block_attention import (
    HIDDEN,
    SELF,
    SHORTEST,
    Pattern,
    Round,
    block_attention,
)

# Scores made at once where padding takes the fused kernel away from full attention.
_SCORES_AT_ONCE = 1 << 22


def full_attention(
    q: Tensor,
    k: Tensor | None,
    v: Tensor,
    present: Tensor | None = None,
    *,
    causal: bool = True,
    self_last: bool = True,
    scale: float | None = None,
) -> Tensor:
    """Attention to all positions, or (`causal`) to all up to one's own."""
    k = F.normalize(q, dim=-1, eps=SHORTEST) if k is None else k
    if causal and present is None:
        if not self_last:
            return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale)
        # Only the first position has nothing but itself: the others see what is before them.
        rest = F.scaled_dot_product_attention(
            q[:, :, 1:], k[:, :, :-1], v[:, :, :-1], is_causal=True, scale=scale
        )
        return torch.cat((v[:, :, :1], rest), 2)
    if present is None and not self_last:
        return F.scaled_dot_product_attention(q, k, v, scale=scale)
    if present is None:
        present = torch.ones(q.shape[0], q.shape[2], dtype=torch.bool, device=q.device)
    step = max(1, _SCORES_AT_ONCE // (q.shape[0] * k.shape[2]))
    parts = [
        F.scaled_dot_product_attention(
            part,
            k,
            v,
            _shown(present, first, part.shape[2], causal, self_last, q.dtype),
            scale=scale,
        )
        for first, part in zip(range(0, q.shape[2], step), q.split(step, 2), strict=True)
    ]
    return torch.cat(parts, 2)


def attention_to_present(q: Tensor, k: Tensor, v: Tensor, present: Tensor | None) -> Tensor:
    """Attention of each query to all keys that are present, before and after it.

    Args:
        q: [B, H, T, K] float.
        k: [B, H, S, K].
        v: [B, H, S, K].
        present: [B, S] bool, False at padding; None without padding.

    Returns:
        [B, H, T, K]; zeros in rows without any key.
    """
    # One line of the mask serves all queries, so nothing is made for each pair.
    mask = None if present is None else present[:, None, None]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def _shown(
    present: Tensor, first: int, count: int, causal: bool, self_last: bool, dtype: torch.dtype
) -> Tensor:
    """[B, 1, count, T]: what the queries from `first` on see. Padding sees padding."""
    T = present.shape[1]
    query = torch.arange(first, first + count, device=present.device)[:, None]
    key = torch.arange(T, device=present.device)
    shown = present[:, None, :] == present[:, first : first + count, None]
    if causal:
        shown = shown & (key <= query)
    bias = torch.where(shown, 0.0, HIDDEN).to(dtype)
    if self_last:
        bias = bias + torch.where(key == query, SELF, 0.0).to(dtype)
    return bias[:, None]


def local_attention(
    q: Tensor,
    k: Tensor | None,
    v: Tensor,
    window: int,
    present: Tensor | None = None,
    *,
    causal: bool = True,
    self_last: bool = True,
    scale: float | None = None,
) -> Tensor:
    """Attention to the `window` positions up to one's own, or as many to both sides."""
    window = min(window, q.shape[2])  # no window is wider than the text
    pattern = Pattern(_window_bias(window, 2 if causal else 3, self_last, _groups(present, q)))
    return _in_order(q, k, v, present, pattern, scale)


def local_chunk_attention(
    q: Tensor,
    k: Tensor | None,
    v: Tensor,
    chunk: int,
    present: Tensor | None = None,
    *,
    self_last: bool = True,
    scale: float | None = None,
) -> Tensor:
    """Attention to earlier positions of one's own chunk and of the one before."""
    chunk = min(chunk, q.shape[2])
    query = torch.arange(chunk, device=q.device)[:, None] + chunk
    key = torch.arange(2 * chunk, device=q.device)
    bias = torch.where(key <= query, 0.0, HIDDEN).to(_groups(present, q).dtype)
    bias[key == query] = SELF if self_last else 0.0
    return _in_order(q, k, v, present, Pattern(bias), scale)


def lsh_attention(
    q: Tensor,
    k: Tensor | None,
    v: Tensor,
    buckets: Tensor,
    window: int,
    *,
    scale: float | None = None,
) -> Tensor:
    """Attention to the last `window` positions of one's own bucket in each round.

    Args:
        q: [B, H, T, K].
        k: [B, H, T, K].
        v: [B, H, T, K].
        buckets: [B, R, H, T] int16, from 0; padding has a bucket of its own.
        window: Positions seen in a round, itself among them.
        scale: Factor of the scores.

    Returns:
        [B, H, T, K].
    """
    window = min(window, q.shape[2])
    order, places, groups = _sorted(buckets, q.dtype)
    # Between buckets the numbers leave a gap as wide as the window, so that one comparison tells
    # whether a pair was seen in a round: same bucket, and near enough.
    widest = int(buckets.max()) * window + q.shape[2] if buckets.numel() else 0
    numbers = places + buckets.transpose(2, 3).to(_exact_for(widest, groups)) * window
    pattern = Pattern(_window_bias(window, 2, True, groups), reach=window)
    rounds = _rounds(order, places, groups, numbers)
    return _over(q, k, v, rounds, pattern, scale)


def lsh_chunk_attention(
    q: Tensor,
    k: Tensor | None,
    v: Tensor,
    buckets: Tensor,
    chunk: int,
    present: Tensor | None = None,
    *,
    scale: float | None = None,
) -> Tensor:
    """Attention to earlier positions among the sorted ones of one's own chunk and the one before.

    Args:
        q: [B, H, T, K].
        k: [B, H, T, K].
        v: [B, H, T, K].
        buckets: [B, R, H, T] int16.
        chunk: Positions of a chunk.
        present: [B, T] bool, False at padding.
        scale: Factor of the scores.

    Returns:
        [B, H, T, K].
    """
    chunk = min(chunk, q.shape[2])
    order, places, groups = _sorted(buckets, q.dtype)
    query = torch.arange(chunk, device=q.device)[:, None] + chunk
    bias = groups.new_zeros(chunk, 2 * chunk)
    bias[query == torch.arange(2 * chunk, device=q.device)] = SELF
    # A pair was seen in a round if the key's chunk is the query's or the one before.
    pattern = Pattern(bias, reach=2, shift=-1)
    chunks = (places // chunk * 2).to(groups.dtype)
    groups = _groups(present, q)[:, None].expand_as(order).gather(2, order)
    rounds = _rounds(order, places, groups, chunks, after=order.to(groups.dtype))
    return _over(q, k, v, rounds, pattern, scale)


def _window_bias(window: int, num_blocks: int, self_last: bool, like: Tensor) -> Tensor:
    """[w, w · num_blocks]: the band of a window over a block and those beside it."""
    query = torch.arange(window, device=like.device)[:, None] + window
    back = query - torch.arange(window * num_blocks, device=like.device)
    near = back.abs() < window if num_blocks == 3 else (back >= 0) & (back < window)
    bias = torch.where(near, 0.0, HIDDEN).to(like.dtype)
    if self_last:
        bias[back == 0] = SELF
    return bias


def _in_order(
    q: Tensor,
    k: Tensor | None,
    v: Tensor,
    present: Tensor | None,
    pattern: Pattern,
    scale: float | None,
) -> Tensor:
    rounds = [[Round(row)] for row in _groups(present, q)]
    return _over(q, k, v, rounds, pattern, scale)


def _groups(present: Tensor | None, q: Tensor) -> Tensor:
    """[B, T, 1]: 0 where something stands, 1 at padding."""
    dtype = torch.promote_types(q.dtype, torch.float32)
    if present is None:
        return torch.zeros(q.shape[0], q.shape[2], 1, dtype=dtype, device=q.device)
    return (~present).to(dtype)[..., None]


def _over(
    q: Tensor,
    k: Tensor | None,
    v: Tensor,
    rounds: list[list[Round]],
    pattern: Pattern,
    scale: float | None,
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    k = None if k is None else k.transpose(1, 2)
    found = block_attention(q.transpose(1, 2), k, v.transpose(1, 2), rounds, pattern, scale)
    return found.transpose(1, 2).to(q.dtype)


def _sorted(buckets: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    """[B, R, H, T] buckets to order, places and buckets by place (float), [B, R, T, H] each."""
    groups, order = buckets.sort(dim=-1, stable=True)
    places = torch.empty_like(order)
    places.scatter_(-1, order, torch.arange(order.shape[-1], device=order.device).expand_as(order))
    return (
        order.transpose(2, 3),
        places.transpose(2, 3),
        groups.transpose(2, 3).to(torch.promote_types(dtype, torch.float32)),
    )


def _exact_for(largest: int, like: Tensor) -> torch.dtype:
    """A float that holds whole numbers up to this one."""
    return like.dtype if largest < 1 << 24 else torch.float64


def _rounds(
    order: Tensor, places: Tensor, groups: Tensor, numbers: Tensor, after: Tensor | None = None
) -> list[list[Round]]:
    """Rows of rounds; each knows by `numbers`, [B, R, T, H], what earlier ones have shown."""
    return [
        [
            Round(
                groups[b, r],
                order[b, r],
                places[b, r],
                tuple(numbers[b, s].gather(0, order[b, r]) for s in range(r)),
                None if after is None else after[b, r],
            )
            for r in range(order.shape[1])
        ]
        for b in range(order.shape[0])
    ]

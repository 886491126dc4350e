"""What `lsh` attention remembers while texts are written token by token; see `caches`.

Letters: N rows, T positions of the longest source, D width, H heads, K width of a head, R rounds,
w positions seen in a round.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

from core.models.parts.block_attention import HIDDEN, SELF
from core.models.parts.caches import Cache, CachedAttention, grown, make_keys
from core.models.parts.hashing import hash_vectors
from core.models.parts.modules import SharedAttention


class HashedAttention(CachedAttention):
    """Attention to the last positions of one's own bucket.

    Args:
        module: The layer's weights.
        rotations: [H or 1, K, R, buckets / 2], those of evaluation.
        buckets: Buckets of a round.
        window: w, the positions seen in a round.
    """

    def __init__(
        self, module: SharedAttention, rotations: Tensor, buckets: int, window: int
    ) -> None:
        super().__init__(module)
        self.heads, self.rounds = module.heads, rotations.shape[2]
        self.buckets, self.window = buckets, window
        self._rotations = rotations.to(self._device, self._dtype)
        self._directions = _directions(self._rotations, self.heads)
        # What is seen stands in the order of the positions; the newest comes once a round.
        count = self.rounds * self.window
        self._added = torch.zeros(count, dtype=self._dtype, device=self._device)
        self._added[count - self.rounds] = SELF

    def begin(self, x: Tensor, lengths: Tensor) -> "Buckets":
        """All positions in one pool, and the last w of each bucket."""
        present = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
        projected = self.project_all(x)
        pool = torch.cat((projected.new_zeros(1, *projected.shape[2:]), projected[present]))
        make_keys(pool)
        numbers = present.flatten().cumsum(0).view_as(present)  # in the pool
        found = hash_vectors(projected[:, :, :, 0], self._rotations, self.buckets).transpose(1, 2)
        found = found.masked_fill(~present[:, None, None], self.buckets)
        return Buckets(self, pool, self._last(found, numbers), len(x))

    def _last(self, found: Tensor, numbers: Tensor) -> Tensor:
        """[N, H, R, T] buckets and [N, T] numbers to the last entries of each bucket, [·, w]."""
        num_rows, device = len(found), found.device
        groups, order = found.sort(dim=-1, stable=True)
        ends = torch.searchsorted(groups, groups, right=True)
        back = ends - torch.arange(groups.shape[-1], device=device)  # 1 is the last
        head = torch.arange(self.heads, device=device)[:, None, None]
        entries = numbers[:, None, None].expand_as(order).gather(-1, order) * self.heads + head
        places = (self.first_bucket(num_rows, device)[..., None] + groups + 1) * self.window - back
        kept = (back <= self.window) & (groups < self.buckets)
        count = num_rows * self.heads * self.rounds * self.buckets
        last = torch.zeros(count, self.window, dtype=torch.int32, device=device)
        last.view(-1)[places[kept]] = entries[kept].int()
        return last

    def first_bucket(self, num_rows: int, device: torch.device) -> Tensor:
        """[N, H, R]: the number of each round's first bucket."""
        count = num_rows * self.heads * self.rounds
        numbers = torch.arange(0, count * self.buckets, self.buckets, device=device)
        return numbers.view(num_rows, self.heads, self.rounds)

    def hash(self, projected: Tensor) -> Tensor:
        """[N, H, 2, K] to the buckets, [N, H, R]."""
        vectors = projected[:, :, 0].permute(1, 2, 0)  # [H, K, N]
        with torch.autocast(vectors.device.type, enabled=False):
            scores = torch.bmm(self._directions, vectors)
        return scores.unflatten(1, (self.rounds, -1)).argmax(2).permute(2, 0, 1)

    def bias(self, entries: Tensor) -> Tensor:
        """[N, H, R·w] entries in order, to what hides those that are none, or there before."""
        before = F.pad(entries[..., :-1], (1, 0))
        return torch.where(entries == before, HIDDEN, self._added)


def _directions(rotations: Tensor, heads: int) -> Tensor:
    """[H or 1, K, R, buckets / 2] to [H, R·buckets, K]: one direction of each bucket."""
    both = torch.cat((rotations, -rotations), -1)
    if not both.shape[-1]:  # one bucket
        both = F.pad(both, (0, 1))
    return both.flatten(2).transpose(1, 2).expand(heads, -1, -1).contiguous()


class Buckets(Cache):
    """The positions of N rows, by bucket.

    Rows that go on from one source share its part of the pool, so `reorder` moves small numbers
    only. What no row points to any more stays in the pool.

    Args:
        attention: Whose they are.
        pool: [entries, H, 2, K], keys and values of all positions; the first entry is none.
        last: [N·H·R·buckets, w] int32: for each bucket where its last positions are in the pool
            (entry times H plus head), the newest last; 0 where there are fewer.
        num_rows: N.
    """

    def __init__(
        self, attention: HashedAttention, pool: Tensor, last: Tensor, num_rows: int
    ) -> None:
        self._attention = attention
        self._pool, self._used = grown(pool, 0), len(pool)
        self._last = last
        self._first = attention.first_bucket(num_rows, pool.device)

    def advance(self, x: Tensor, positions: Tensor) -> Tensor:
        """As `Cache`."""
        attention = self._attention
        projected = attention.project(x)
        entries = self._append(projected)
        buckets = (self._first + attention.hash(projected)).view(-1)
        last = self._last.index_select(0, buckets)
        last = torch.cat((last[:, 1:], entries.expand(self._first.shape).reshape(-1, 1)), 1)
        self._last.index_copy_(0, buckets, last)
        seen = last.view(*entries.shape[:2], -1).sort(-1).values
        found = self._pool.flatten(0, 1).index_select(0, seen.view(-1))
        found = found.unflatten(0, seen.shape)  # [N, H, R·w, 2, K]
        return attention.find(projected, found, attention.bias(seen))

    def _append(self, projected: Tensor) -> Tensor:
        """[N, H, 1] int32: where the new positions are in the pool."""
        first, (count, heads) = self._used, projected.shape[:2]
        if first + count > len(self._pool):
            self._pool = grown(self._pool, 0)
        self._used += count
        self._pool[first : self._used] = projected
        make_keys(self._pool[first : self._used])
        first, last = first * heads, self._used * heads
        places = torch.arange(first, last, dtype=torch.int32, device=projected.device)
        return places.view(count, heads, 1)

    def reorder(self, rows: Tensor) -> None:
        """As `Cache`."""
        by_row = self._last.view(len(self._first), -1).index_select(0, rows)
        self._last = by_row.view(-1, self._last.shape[1])
        self._first = self._attention.first_bucket(len(rows), rows.device)

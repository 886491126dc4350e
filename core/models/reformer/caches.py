"""What the attention of one depth remembers while texts are written token by token.

| kind | what is kept | what a token costs |
| --- | --- | --- |
| full | keys and values of all positions | grows with the length |
| local, local-chunk | keys and values of the last positions, in a ring | constant |
| lsh | all keys and values in one pool; for every bucket, which are its last | constant |

`lsh-chunk` has no cache: what a position sees there depends on later ones.

Letters: N rows, T positions of the longest source, D width, H heads, K width of a head, W slots of
a ring, R rounds, w positions seen in a round.
"""

from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F
from torch import Tensor

from core.errors import EpitomeError
from core.models.parts.block_attention import HIDDEN, SELF, SHORTEST
from core.models.parts.hashing import hash_vectors
from core.models.parts.kernels import attend
from core.models.parts.layers import SharedAttention
from core.models.reformer.settings import ReformerSettings
from core.models.reformer.steps import layer_rotations

# Positions for which memory is asked at once, and the share by which it grows if that is more.
_AHEAD, _GROWTH = 256, 4


class Cache(ABC):
    """The caches of N rows at one depth; all that was fed is in them."""

    @abstractmethod
    def advance(self, x: Tensor, positions: Tensor) -> Tensor:
        """Attention of one more position of each row.

        Args:
            x: [N, D], the stream that the layer reads.
            positions: [N] int64, the place of the position: how many stand before it.

        Returns:
            [N, D], what the layer adds to the other stream.
        """

    @abstractmethod
    def reorder(self, rows: Tensor) -> None:
        """Takes rows, [N] int64; see `Decodable`."""


class CachedAttention(ABC):
    """An attention layer at one depth, with its weights as they are now.

    Args:
        layer: The layer.
        settings: The model's.
    """

    def __init__(self, layer: SharedAttention, settings: ReformerSettings) -> None:
        heads, width = settings.heads, settings.width // settings.heads
        weights = [part.weight.detach() for part in (layer.shared, layer.values)]
        both = torch.stack([weight.unflatten(0, (heads, width)) for weight in weights], 1)
        self._weight = both.flatten(0, 2)  # [H·2·K, D]: one product instead of two
        self._shape = (heads, 2, width)
        self._layer = layer
        self.dtype = torch.promote_types(self._weight.dtype, torch.float32)

    @abstractmethod
    def begin(self, x: Tensor, lengths: Tensor) -> Cache:
        """Caches of what the rows have read.

        Args:
            x: [N, T, D], the stream that the layer reads; row n is padded after lengths[n].
            lengths: [N] int64.
        """

    def project(self, x: Tensor) -> Tensor:
        """[…, D] to the shared vectors and the values, […, H, 2, K]."""
        found = F.linear(self._layer.norm(x), self._weight).to(self.dtype)
        return found.view(*x.shape[:-1], *self._shape)

    def find(self, projected: Tensor, seen: Tensor, bias: Tensor) -> Tensor:
        """What the newest positions find.

        Args:
            projected: [N, H, 2, K].
            seen: [N, H, S, 2, K], keys and values.
            bias: [N, H or 1, S], added to the scores.

        Returns:
            [N, D], the layer's output.
        """
        queries, keys, values = projected[:, :, :1], seen[:, :, :, 0], seen[:, :, :, 1]
        found, _ = attend(queries, keys, values, bias[:, :, None], queries.shape[-1] ** -0.5)
        out: Tensor = self._layer.out(found.reshape(len(found), -1).to(self._weight.dtype))
        return out


def _store(projected: Tensor, room: Tensor) -> None:
    """Writes shared vectors as keys, and values, […, 2, K], into a cache."""
    lengths = projected[..., :1, :].norm(dim=-1, keepdim=True).clamp_min_(SHORTEST)
    torch.div(projected[..., :1, :], lengths, out=room[..., :1, :])
    room[..., 1, :] = projected[..., 1, :]


def _grown(x: Tensor, dim: int, most: int) -> Tensor:
    """The same with more room behind."""
    size = x.shape[dim]
    more = min(max(_AHEAD, size // _GROWTH), most - size)
    return torch.cat((x, x.new_zeros(*x.shape[:dim], more, *x.shape[dim + 1 :])), dim)


# --- the kinds whose keys are the last positions ---


class RingAttention(CachedAttention):
    """`full`, `local` or `local-chunk` attention."""

    def __init__(self, layer: SharedAttention, settings: ReformerSettings, depth: int) -> None:
        super().__init__(layer, settings)
        kind, window = settings.kinds[depth], settings.bucket_size
        self.chunk = window if kind == "local-chunk" else None
        sizes = {"full": settings.length, "local": window, "local-chunk": 2 * window}
        self.size = min(sizes[kind], settings.length)  # W
        device = self._weight.device
        # Of two turns of the ring, [2·W]: how long ago a slot was written, and what that adds.
        ages = torch.arange(self.size - 1, -1, -1, device=device).repeat(2)
        self._ages = ages
        self._own = torch.where(ages == 0, SELF, 0.0).to(self.dtype)

    def begin(self, x: Tensor, lengths: Tensor) -> "Ring":
        """The last W positions of each row, at the end of what is filled."""
        filled = min(self.size, x.shape[1])
        last = lengths[:, None] + torch.arange(-filled, 0, device=x.device)
        # Before its beginning a row has anything, which is never seen.
        part = x.gather(1, last.clamp_min_(0)[..., None].expand(-1, -1, x.shape[2]))
        projected = self.project(part).transpose(1, 2)
        room = _grown(torch.empty_like(projected), 2, self.size)
        _store(projected, room[:, :, :filled])
        return Ring(self, room, filled)

    def bias(self, slot: int, num_slots: int, positions: Tensor) -> Tensor:
        """[N, slots]: hides what a row does not see, when the newest position is in this slot."""
        part = slice(self.size - 1 - slot, self.size - 1 - slot + num_slots)
        furthest = positions
        if self.chunk is not None:
            furthest = torch.minimum(positions, positions % self.chunk + self.chunk)
        return torch.where(self._ages[part] > furthest[:, None], HIDDEN, self._own[part])


class Ring(Cache):
    """The last positions of N rows, all of which write into the same slot.

    Args:
        attention: Whose they are.
        room: [N, H, slots, 2, K], keys and values; fewer than W slots while no more are needed.
        num_fed: Positions written since the ring was empty.
    """

    def __init__(self, attention: RingAttention, room: Tensor, num_fed: int) -> None:
        self._attention = attention
        self._room = room
        self._num_fed = num_fed

    def advance(self, x: Tensor, positions: Tensor) -> Tensor:
        """As `Cache`."""
        attention, size = self._attention, self._attention.size
        slot, num_slots = self._num_fed % size, min(self._num_fed + 1, size)
        if num_slots > self._room.shape[2]:
            self._room = _grown(self._room, 2, size)
        projected = attention.project(x)
        _store(projected, self._room[:, :, slot])
        self._num_fed += 1
        bias = attention.bias(slot, num_slots, positions)
        return attention.find(projected, self._room[:, :, :num_slots], bias[:, None])

    def reorder(self, rows: Tensor) -> None:
        """As `Cache`."""
        self._room = self._room[rows]


# --- the kind whose keys are the last ones of a bucket ---


class HashedAttention(CachedAttention):
    """`lsh` attention, with the rotations of evaluation."""

    def __init__(self, layer: SharedAttention, settings: ReformerSettings, depth: int) -> None:
        super().__init__(layer, settings)
        self.heads, self.rounds, self.buckets = settings.heads, settings.rounds, settings.buckets
        self.window = min(settings.bucket_size, settings.length)
        rotations = layer_rotations(settings, depth, self.buckets, None)
        self._rotations = rotations.to(self._weight.device, self.dtype)
        both = torch.cat((self._rotations, -self._rotations), -1)
        # [H or 1, K, R·buckets]: the scores of all rounds by one product.
        self._directions = (
            both.flatten(2) if self.buckets > 1 else both.new_zeros(1, both.shape[1], self.rounds)
        )
        # What is seen stands in the order of the positions; the newest comes once a round.
        count = self.rounds * self.window
        self._own = torch.zeros(count, dtype=self.dtype, device=both.device)
        self._own[count - self.rounds] = SELF

    def begin(self, x: Tensor, lengths: Tensor) -> "Buckets":
        """All positions in one pool, and the last w of each bucket."""
        present = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
        projected = self.project(x)
        pool = projected.new_zeros(1 + int(lengths.sum()), *projected.shape[2:])
        _store(projected[present], pool[1:])
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
        scores = torch.matmul(projected[:, :, 0].transpose(0, 1), self._directions)
        return scores.unflatten(-1, (self.rounds, -1)).argmax(-1).transpose(0, 1)

    def bias(self, entries: Tensor) -> Tensor:
        """[N, H, R·w] entries in order, to what hides those that are none, or there before."""
        before = F.pad(entries[..., :-1], (1, 0))
        return torch.where(entries == before, HIDDEN, self._own)


class Buckets(Cache):
    """The positions of N rows, by bucket.

    Rows that go on from one source share its part of the pool, so `reorder` moves small numbers
    only. What no row points to any more stays in the pool.

    Args:
        attention: Whose they are.
        pool: [1 + P, H, 2, K], keys and values of all positions; what stands first is none.
        last: [N·H·R·buckets, w] int32: for each bucket the places of its last positions, the newest
            last, in the pool as [(1 + P)·H, 2, K]; below H where there are fewer.
        num_rows: N.
    """

    def __init__(
        self, attention: HashedAttention, pool: Tensor, last: Tensor, num_rows: int
    ) -> None:
        self._attention = attention
        self._pool, self._used = pool, len(pool)
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
        return attention.find(
            projected, found.view(*seen.shape, *found.shape[1:]), attention.bias(seen)
        )

    def _append(self, projected: Tensor) -> Tensor:
        """[N, H, 1] int32: where the new positions are in the pool."""
        first, (count, heads) = self._used, projected.shape[:2]
        if first + count > len(self._pool):
            self._pool = _grown(self._pool, 0, 2**31 // heads)
        self._used += count
        _store(projected, self._pool[first : self._used])
        places = torch.arange(
            first * heads, self._used * heads, dtype=torch.int32, device=projected.device
        )
        return places.view(count, heads, 1)

    def reorder(self, rows: Tensor) -> None:
        """As `Cache`."""
        self._last = self._last.view(len(self._first), -1)[rows].view(-1, self._attention.window)
        self._first = self._attention.first_bucket(len(rows), rows.device)


def cached_attention(
    layer: SharedAttention, settings: ReformerSettings, depth: int
) -> CachedAttention:
    """The attention of one depth, as decoding needs it.

    Args:
        layer: Its weights.
        settings: The model's.
        depth: From 0.

    Raises:
        EpitomeError: If its kind cannot be cached.
    """
    kind = settings.kinds[depth]
    if kind == "lsh-chunk":
        raise EpitomeError(
            f"Layer {depth + 1} has attention of the kind “lsh-chunk”, which cannot write token by "
            "token: which positions it sees changes with those that follow.",
            "Use the kind “lsh”, which takes the same weights.",
        )
    attention = HashedAttention if kind == "lsh" else RingAttention
    return attention(layer, settings, depth)

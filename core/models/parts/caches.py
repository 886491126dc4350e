"""What the attention of one depth remembers while texts are written token by token.

| kind | what is kept | what a token costs |
| --- | --- | --- |
| full | keys and values of all positions | grows with the length |
| local, local-chunk | keys and values of the last positions, in a ring | constant |
| lsh | all keys and values in one pool; for every bucket, which are its last | constant |

`lsh-chunk` has no cache: what a position sees there depends on later ones.

Letters: N rows, T positions of the longest source, D width, H heads, K width of a head, S keys that
are seen, W slots of a ring.
"""

from abc import ABC, abstractmethod

import torch
from torch import Tensor

from core.models.parts.block_attention import HIDDEN, SELF, SHORTEST
from core.models.parts.few_rows import FewRows
from core.models.parts.kernels import attend
from core.models.parts.modules import SharedAttention
from core.models.parts.products import linear

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
        module: The layer's.
    """

    def __init__(self, module: SharedAttention) -> None:
        heads, width = module.heads, module.shared.in_features // module.heads
        weights = [weight.detach() for weight in module.projections]
        both = torch.stack([weight.unflatten(0, (heads, width)) for weight in weights], 1)
        self._weight = both.flatten(0, 2)  # [H·2·K, D]: one product instead of two
        self._both = FewRows(self._weight)
        self._out = FewRows(module.out.weight, module.out.bias)
        self._shape = (heads, 2, width)
        self._norm = module.norm
        self._dtype = torch.promote_types(both.dtype, torch.float32)
        self._device = both.device

    @abstractmethod
    def begin(self, x: Tensor, lengths: Tensor) -> Cache:
        """Caches of what the rows have read.

        Args:
            x: [N, T, D], the stream that the layer reads; row n is padded after lengths[n].
            lengths: [N] int64.

        Returns:
            The caches of the N rows.
        """

    def project(self, x: Tensor) -> Tensor:
        """[N, D] to the shared vectors and the values, [N, H, 2, K]."""
        return self._both(self._norm(x)).to(self._dtype).unflatten(-1, self._shape)

    def project_all(self, x: Tensor) -> Tensor:
        """[N, T, D] to the same of all positions, [N, T, H, 2, K]."""
        return linear(self._norm(x), self._weight).to(self._dtype).unflatten(-1, self._shape)

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
        return self._out(found.reshape(len(found), -1).to(self._weight.dtype))


def make_keys(cached: Tensor) -> None:
    """Makes keys of shared vectors, in place, in […, 2, K] of shared vectors and values."""
    keys = cached.select(-2, 0)
    keys.div_(torch.linalg.vector_norm(keys, dim=-1, keepdim=True).clamp_min_(SHORTEST))


def grown(x: Tensor, dim: int, most: int | None = None) -> Tensor:
    """The same with more room behind, `most` places at most."""
    size = x.shape[dim]
    more = max(_AHEAD, size // _GROWTH)
    if most is not None:
        more = min(more, most - size)
    return torch.cat((x, x.new_zeros(*x.shape[:dim], more, *x.shape[dim + 1 :])), dim)


class RingAttention(CachedAttention):
    """Attention to the last positions.

    Args:
        module: The layer's weights.
        size: W, the positions that are remembered.
        chunk: Where a position sees its chunk and the one before, the size of a chunk.
    """

    def __init__(self, module: SharedAttention, size: int, chunk: int | None = None) -> None:
        super().__init__(module)
        self.size, self.chunk = size, chunk
        # For two turns of the ring, [2·W]: how long ago a slot was written, and what is added to
        # its score.
        self._ages = torch.arange(self.size - 1, -1, -1, device=self._device).repeat(2)
        self._added = torch.where(self._ages == 0, SELF, 0.0).to(self._dtype)

    def begin(self, x: Tensor, lengths: Tensor) -> "Ring":
        """The last W positions of each row, at the end of what is filled."""
        filled = min(self.size, x.shape[1])
        last = lengths[:, None] + torch.arange(-filled, 0, device=x.device)
        # Before its beginning a row has anything, which is never seen.
        part = x.gather(1, last.clamp_min_(0)[..., None].expand(-1, -1, x.shape[2]))
        room = grown(self.project_all(part).transpose(1, 2), 2, self.size)
        make_keys(room)
        return Ring(self, room, filled)

    def bias(self, slot: int, num_slots: int, positions: Tensor) -> Tensor:
        """[N, slots]: hides what a row does not see, when the newest position is in this slot."""
        part = slice(self.size - 1 - slot, self.size - 1 - slot + num_slots)
        furthest = positions
        if self.chunk is not None:
            furthest = torch.minimum(positions, positions % self.chunk + self.chunk)
        return torch.where(self._ages[part] > furthest[:, None], HIDDEN, self._added[part])


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
            self._room = grown(self._room, 2, size)
        projected = attention.project(x)
        self._room[:, :, slot] = projected
        make_keys(self._room[:, :, slot])
        self._num_fed += 1
        bias = attention.bias(slot, num_slots, positions)
        return attention.find(projected, self._room[:, :, :num_slots], bias[:, None])

    def reorder(self, rows: Tensor) -> None:
        """As `Cache`."""
        self._room = self._room.index_select(0, rows)

"""What a causal layer remembers of the rows that are written."""

from torch import Tensor, nn


class Written:
    """Vectors of the places that were written so far, with room for more.

    Args:
        rows: N.
        places: How many there is room for.
        heads: H.
        out: What reads the vectors, all heads joined: it has their width, dtype and device.
    """

    def __init__(self, rows: int, places: int, heads: int, out: nn.Linear) -> None:
        shape = rows, heads, places, out.in_features // heads
        self._room = out.weight.new_empty(shape)
        self.count = 0

    @property
    def all(self) -> Tensor:
        """[N, H, count, K], a view."""
        return self._room[:, :, : self.count]

    def add(self, vectors: Tensor) -> None:
        """Writes [N, H, 1, K] down, in place."""
        self._room[:, :, self.count] = vectors[:, :, 0]
        self.count += 1

    def add_zeros(self, count: int) -> None:
        """Writes zeros at the next places."""
        self._room[:, :, self.count : self.count + count] = 0
        self.count += count

    def reorder(self, rows: Tensor) -> None:
        """Takes rows, [N] int64; places that are not written yet are not moved."""
        room = self._room.new_empty(len(rows), *self._room.shape[1:])
        room[:, :, : self.count] = self.all.index_select(0, rows)
        self._room = room

"""Numbers that are appended for hours, without a pause when there are many."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_FIRST_CAPACITY = 256
_NEARLY_FULL = 7 / 8
_COPIED_AT_LEAST, _COPIED_FOR_EACH = 1024, 16


class Growing:
    """Numbers in one array. Near its end, each append copies some of them into a larger one.

    So no single append copies all numbers, which would stop a window for a moment.
    """

    def __init__(self) -> None:
        self._data: Floats = np.empty(_FIRST_CAPACITY)
        self._larger: Floats = np.empty(0)
        self._count = self._copied = 0

    def __len__(self) -> int:
        return self._count

    @property
    def values(self) -> Floats:
        """All numbers, as a view that is not to be written."""
        view = self._data[: self._count]
        view.flags.writeable = False
        return view

    def append(self, values: ArrayLike) -> None:
        """Adds numbers at the end."""
        added = np.atleast_1d(np.asarray(values, dtype=np.float64))
        needed = self._count + len(added)
        if needed > len(self._data):
            self._grow(needed)
        self._data[self._count : needed] = added
        self._count = needed
        if needed > _NEARLY_FULL * len(self._data):
            self._prepare(len(added))

    def keep(self, count: int) -> None:
        """Drops all numbers but the first ones."""
        self._count = min(count, self._count)
        self._copied = min(self._copied, self._count)

    def _prepare(self, num_added: int) -> None:
        """Copies some of the numbers into the array that is needed soon."""
        if not len(self._larger):
            self._larger = np.empty(2 * len(self._data))
        end = min(self._copied + _COPIED_FOR_EACH * num_added + _COPIED_AT_LEAST, self._count)
        self._larger[self._copied : end] = self._data[self._copied : end]
        self._copied = end

    def _grow(self, needed: int) -> None:
        if len(self._larger) < needed:
            self._larger, self._copied = np.empty(max(3 * needed // 2, 2 * len(self._data))), 0
        self._larger[self._copied : self._count] = self._data[self._copied : self._count]
        self._data, self._larger, self._copied = self._larger, np.empty(0), 0

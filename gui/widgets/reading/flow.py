"""A tall column of items of which only those on screen are ever measured.

Heights are guessed in one go with numpy and put right when an item comes near the screen. The
place on screen hangs on an item, not on a sum of guesses, so that what is read does not jump.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

_MAX_PASSES = 4  # the ends of the column may need putting right more than once


class Flow:
    """Where the items of a column are, in logical px.

    Attributes:
        item: The first item on screen.
        y: Its top, measured from the top of the screen (negative when it begins above).
    """

    def __init__(
        self,
        guesses: NDArray[np.int32],
        measure: Callable[[int], int],
        *,
        before: int = 0,
        after: int = 0,
    ) -> None:
        """Begins at the top.

        Args:
            guesses: [Q] height of each item as far as it can be told without laying it out.
            measure: Gives the true height of an item.
            before: Space above the first item.
            after: Space below the last item.
        """
        self._heights = guesses.astype(np.int64)
        self._measured = np.zeros(len(guesses), bool)
        self._measure = measure
        self._tops: NDArray[np.int64] | None = None
        self.before = before
        self.after = after
        self.item = 0
        self.y = before

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def num_measured(self) -> int:
        """How many items were measured so far."""
        return int(self._measured.sum())

    @property
    def total(self) -> int:
        """Height of the whole column, the space around it included."""
        return self.before + int(self._sums()[-1]) + self.after

    @property
    def value(self) -> int:
        """How far the column is scrolled, as the scroll bar counts."""
        return self.top(self.item) - self.y

    def top(self, item: int) -> int:
        """Where an item begins, from the top of the column."""
        return self.before + int(self._sums()[item])

    def height(self, item: int) -> int:
        """Height of an item, measured now if it was only guessed."""
        if not self._measured[item]:
            self._measured[item] = True
            height = self._measure(item)
            if height != self._heights[item]:
                self._heights[item] = height
                self._tops = None
        return int(self._heights[item])

    def forget(self, item: int) -> None:
        """Measures an item again when it is next needed."""
        self._measured[item] = False

    def move(self, distance: int) -> None:
        """Scrolls down by a distance (up when negative); meant for less than a few screens."""
        self.y -= distance

    def jump(self, value: int) -> None:
        """Scrolls to a value of the scroll bar."""
        if len(self):
            found = int(np.searchsorted(self._sums(), value - self.before, side="right")) - 1
            self.item = min(max(found, 0), len(self) - 1)
            self.y = self.top(self.item) - value

    def place(self, item: int, y: int) -> None:
        """Scrolls so that an item begins at a height of the screen."""
        self.item, self.y = item, y

    def fill(self, screen: int) -> list[tuple[int, int]]:
        """Measures what is on screen and keeps the column from leaving it.

        Args:
            screen: Height of the screen.

        Returns:
            The items on screen and the top of each, from the top of the screen.
        """
        if not len(self):
            return []
        for _ in range(_MAX_PASSES):
            self._find_first()
            shown = self._shown(screen)
            last, top = shown[-1]
            gap = screen - self.after - (top + self.height(last))
            if last < len(self) - 1 or gap <= 0 or (self.item == 0 and self.y >= self.before):
                break
            self.y += gap
        return shown

    def _find_first(self) -> None:
        while self.y > 0 and self.item > 0:
            self.item -= 1
            self.y -= self.height(self.item)
        while self.y + self.height(self.item) <= 0 and self.item < len(self) - 1:
            self.y += self.height(self.item)
            self.item += 1
        if self.item == 0:
            self.y = min(self.y, self.before)

    def _shown(self, screen: int) -> list[tuple[int, int]]:
        shown: list[tuple[int, int]] = []
        item, y = self.item, self.y
        while item < len(self) and (y < screen or not shown):
            shown.append((item, y))
            y += self.height(item)
            item += 1
        return shown

    def _sums(self) -> NDArray[np.int64]:
        if self._tops is None:
            self._tops = np.zeros(len(self._heights) + 1, np.int64)
            np.cumsum(self._heights, out=self._tops[1:])
        return self._tops

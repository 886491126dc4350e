"""The upright letters of a page in the order in which they are read.

Letters: C characters.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout import directions
from core.documents.readers.pdf_layout.glyphs import Glyphs

_SAME_LINE = 0.3  # of the type size, from baseline to baseline


@dataclass(frozen=True)
class Letters:
    """The upright characters of a page, y downwards.

    Args:
        at: [C] their indices among all characters.
        x0: [C] left edges.
        x1: [C] right edges.
        base: [C] baselines.
        size: [C] type sizes.
        spaced: [C] True where there is a space before it.
        has_leftward: True if some of them are read from right to left.
        is_mirrored: True if most are, so that the page is mirrored.
    """

    at: NDArray[np.int64]
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    base: NDArray[np.float64]
    size: NDArray[np.float64]
    spaced: NDArray[np.bool_]
    has_leftward: bool = False
    is_mirrored: bool = False

    def __len__(self) -> int:
        return len(self.at)

    def take(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> "Letters":
        """Only some of the characters: a mask or indices."""
        return replace(
            self,
            at=self.at[which],
            x0=self.x0[which],
            x1=self.x1[which],
            base=self.base[which],
            size=self.size[which],
            spaced=self.spaced[which],
        )

    def in_reading_order(
        self, glyphs: Glyphs, visible: NDArray[np.bool_], width: float
    ) -> "Letters":
        """Sets Arabic, Hebrew and the like in the order in which they are read.

        Args:
            glyphs: All characters of the page. These here include its spaces.
            visible: True for those of them that are seen.
            width: Of the page.

        Returns:
            The characters without the spaces.
        """
        drawn = visible[self.at]
        between, has_place = self._set_between(drawn)
        known = between.take(drawn | (glyphs.objects[self.at] > 0) | has_place)
        placed = directions.place_letters(
            glyphs.codes[known.at], known.x0, known.x1, known.base, known.size, width
        )
        ordered = replace(
            known.take(placed.order),
            x0=placed.x0,
            x1=placed.x1,
            base=placed.base,
            has_leftward=True,
            is_mirrored=placed.is_mirrored,
        )
        drawn = visible[ordered.at]
        spaced = np.diff(np.cumsum(~drawn)[drawn], prepend=-1) > 0
        return replace(ordered.take(drawn), spaced=spaced)

    def _set_between(self, drawn: NDArray[np.bool_]) -> tuple["Letters", NDArray[np.bool_]]:
        """Moves spaces between their neighbours, for pdfium gives no place to those it adds.

        Args:
            drawn: [C] True for what is no space.

        Returns:
            The characters; and [C] True for the spaces whose neighbours are next to each other.
        """
        letters, spaces = np.flatnonzero(drawn), np.flatnonzero(~drawn)
        after = np.searchsorted(letters, spaces)
        inside = (after > 0) & (after < len(letters))
        spaces, after = spaces[inside], after[inside]
        one, other = letters[after - 1], letters[after]
        is_ahead = self.x0[one] < self.x0[other]
        left = np.where(is_ahead, self.x1[one], self.x1[other])
        right = np.where(is_ahead, self.x0[other], self.x0[one])
        near = np.abs(self.base[one] - self.base[other]) < _SAME_LINE * self.size[one]
        near &= np.abs(right - left) < self.size[one]
        spaces, one = spaces[near], one[near]
        x0, x1, base, size = self.x0.copy(), self.x1.copy(), self.base.copy(), self.size.copy()
        x0[spaces] = x1[spaces] = 0.5 * (left + right)[near]
        base[spaces], size[spaces] = base[one], size[one]
        has_place = np.zeros(len(self), bool)
        has_place[spaces] = True
        return replace(self, x0=x0, x1=x1, base=base, size=size), has_place

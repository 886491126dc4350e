"""Tables of features, of which each model reads the columns that it was trained with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Columns of numbers by name, one row for each candidate (or word, or pair of words).

    Letters: E rows, F columns.

    Args:
        columns: [F] names, each with [E] float64 numbers.
    """

    columns: Mapping[str, Floats]

    @classmethod
    def build(cls, columns: Iterable[tuple[str, NDArray[np.generic]]]) -> Self:
        """Makes a table of names and columns of equal length."""
        return cls({name: np.asarray(column, np.float64) for name, column in columns})

    @property
    def names(self) -> tuple[str, ...]:
        """[F] the names of the columns."""
        return tuple(self.columns)

    def __getitem__(self, name: str) -> Floats:
        """[E] one column."""
        return self.columns[name]

    def __or__(self, other: Self) -> Self:
        """Returns a table with the columns of another one behind its own."""
        return type(self)({**self.columns, **other.columns})

    def select_rows(self, rows: NDArray[np.int64]) -> Self:
        """Returns a table of some rows."""
        return type(self)({name: column[rows] for name, column in self.columns.items()})

    def to_matrix(self, names: Sequence[str] | None = None) -> NDArray[np.float32]:
        """Returns columns side by side.

        Args:
            names: The columns, in order; all if None.

        Returns:
            [E, F] float32.
        """
        columns = [self.columns[name] for name in (self.columns if names is None else names)]
        return np.column_stack([column.astype(np.float32) for column in columns])


def percentile_ranks(values: Floats) -> Floats:
    """Returns the share of rows with a smaller value, for each of [E] values."""
    return np.sort(values).searchsorted(values) / max(1, len(values) - 1)

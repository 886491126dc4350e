"""The listed documents as rows of a table; a row is made when it is shown."""

from collections.abc import Hashable

import numpy as np
from PySide6.QtCore import Qt

from gui.panels.compare.state import CompareState
from gui.panels.compare.words import named, tr, with_unit
from gui.widgets.tables.table_model import Cell, Column, Record, TableModel

DOCUMENT, WORDS, SPREAD, AHEAD = "document", "words", "spread", "ahead"


class DocumentsModel(TableModel):
    """Title, words, what each system scores, and how far they are apart.

    Args:
        state: The comparison, and which of its documents are listed; it must be open.
    """

    def __init__(self, state: CompareState) -> None:
        super().__init__(_columns(state))
        assert state.opened is not None
        self._names, self._numbers = state.opened.names, state.rows.copy()
        values, ahead = state.values(), state.ahead()
        spread = state.disagreement()
        self._values: dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]] = {
            WORDS: np.array(self._names.words, np.float64)[self._numbers]
        }
        if values is not None:
            self._values |= {str(at): each[self._numbers] for at, each in enumerate(values)}
        if ahead is not None and spread is not None:
            self._values |= {SPREAD: spread[self._numbers], AHEAD: ahead[self._numbers]}
        self._order = self._sorted()

    @property
    def numbers(self) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        """The documents in the order in which they are shown."""
        return self._numbers[np.array(self._order, np.int64)]

    def record(self, row: int) -> Record:
        at = self._order[row]
        number = int(self._numbers[at])
        cells: dict[str, Cell] = {name: float(v[at]) for name, v in self._values.items()}
        cells |= {DOCUMENT: self._names.titles[number], WORDS: self._names.words[number]}
        return Record(number, cells)

    def is_failed(self, row: int) -> bool:
        return False

    def place_of(self, key: Hashable) -> int:
        found = np.flatnonzero(self._numbers == key)
        if not len(found):
            raise KeyError(key)
        return int(found[0])

    def _sorted(self) -> list[int]:
        if self.sorted_by is None:
            return list(range(len(self._numbers)))
        column, direction = self.sorted_by
        name = self.columns[column].name
        if name == DOCUMENT:
            titles = [self._names.titles[number].casefold() for number in self._numbers]
            order = sorted(range(len(titles)), key=titles.__getitem__)
        else:
            order = np.argsort(self._values[name], kind="stable").tolist()
        return order[::-1] if direction == Qt.SortOrder.DescendingOrder else order


def _columns(state: CompareState) -> list[Column]:
    assert state.opened is not None
    about = state.opened.about
    measure = state.measure
    unit = dict(about.measures).get(measure, "")
    columns = [
        Column(DOCUMENT, tr("Document"), kept=True, strong=True),
        Column(WORDS, tr("Words"), number=True, width=80),
    ]
    columns += [
        Column(str(number), named(system.title), number=True, width=96, kept=number < 2,
               words=lambda value: with_unit(measure, value, unit))
        for number, system in enumerate(about.systems)
    ]  # fmt: skip
    if state.ahead() is not None:
        columns += [
            Column(SPREAD, tr("Disagreement"), number=True, width=108, words=_one),
            Column(AHEAD, tr("Ahead"), number=True, width=76, words=_signed),
        ]
    return columns


def _one(value: float) -> str:
    return f"{value:.1f}"


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")

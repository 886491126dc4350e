"""The rows of a table: their cells, their order, and the same as text."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from core.display_names import shown
from core.export.csv_file import csv_text
from gui.widgets.support.numbers import format_decimal
from gui.widgets.support.ticks import readable

RowState = Literal["plain", "done", "note", "running", "waiting", "paused", "failed"]
AnyIndex = QModelIndex | QPersistentModelIndex

_NO_INDEX = QModelIndex()


@dataclass(frozen=True)
class Interval:
    """A value with the ends of its interval, drawn as a line with a dot.

    Args:
        value: The value.
        low: Lower end.
        high: Upper end.
        color: Token of the line.
    """

    value: float
    low: float
    high: float
    color: str = "s1"


@dataclass(frozen=True)
class Measure:
    """A number that was measured or forecast, within or over a limit."""

    value: float
    forecast: bool = False
    over: bool = False


@dataclass(frozen=True)
class State:
    """A state in a word, with its icon."""

    kind: RowState
    text: str


@dataclass(frozen=True)
class Progress:
    """A bar with words beside it; its length is unknown where the share is None."""

    share: float | None
    text: str = ""


Cell = str | int | float | Interval | Measure | State | Progress | None


@dataclass(frozen=True)
class Column:
    """One column.

    Args:
        name: In the program, as the records use it.
        title: In the head.
        number: Whether it is right-aligned.
        width: In px; 0 shares what is left.
        kept: Whether it stays where there is little room; the others fold from the last on.
        strong: Whether its words have weight.
        scale: Ends of its intervals; empty where it has none.
        words: How its values are told where the usual way would not do.
        is_path: Whether the end of a value matters most: a long one loses its beginning.
        decimals: Decimals of its intervals; -1 for as many as the value needs.
        share: Without a width: its part of what is left.
    """

    name: str
    title: str
    number: bool = False
    width: int = 0
    kept: bool = False
    strong: bool = False
    scale: tuple[float, ...] = ()
    words: Callable[[Any], str] | None = None
    is_path: bool = False
    decimals: int = -1
    share: int = 1

    def value_words(self, cell: Interval) -> str:
        """The value of an interval: "31.4"."""
        told = f"{cell.value:.{self.decimals}f}" if self.decimals >= 0 else readable(cell.value)
        return told.replace("-", "−")

    def half_words(self, cell: Interval) -> str:
        """Half of an interval in the digits of its value: "± 1.3"."""
        places = len(self.value_words(cell).partition(".")[2])
        return f"± {(cell.high - cell.low) / 2:.{places}f}"


@dataclass(frozen=True)
class Record:
    """One row.

    Args:
        key: What it is known by.
        cells: By the names of columns; a missing one is empty.
        state: Gives the row its look.
        reason: Of a failed one: what happened.
        remedy: Of a failed one: the verb on its button, or "".
        second: Of a failed one: the verb on a quieter button beside it, or "".
        color: Token of the square before its first cell, or "".
    """

    key: Hashable
    cells: Mapping[str, Cell] = field(default_factory=dict)
    state: RowState = "plain"
    reason: str = ""
    remedy: str = ""
    color: str = ""
    second: str = ""


class TableModel(QAbstractTableModel):
    """Rows by key, sorted by a column or as they came."""

    def __init__(self, columns: Sequence[Column], records: Iterable[Record] = ()) -> None:
        """A table.

        Args:
            columns: Left to right.
            records: Its rows; keys must differ.
        """
        super().__init__()
        self.columns = tuple(columns)
        self._records = list(records)
        self._order = list(range(len(self._records)))
        self._rows = {record.key: index for index, record in enumerate(self._records)}
        self.sorted_by: tuple[int, Qt.SortOrder] | None = None

    # Reading

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def record(self, row: int) -> Record:
        """The record that is shown in a row."""
        return self._records[self._order[row]]

    def row_of(self, key: Hashable) -> int:
        """The row in which a record is shown; a key that is none is a KeyError."""
        return self._order.index(self.place_of(key))

    def place_of(self, key: Hashable) -> int:
        """Which record has a key, in the order in which they came."""
        return self._rows[key]

    def is_failed(self, row: int) -> bool:
        """Whether a row is one that failed, which is higher than others."""
        return self.record(row).state == "failed"

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column, record = self.columns[index.column()], self.record(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return told(record.cells.get(column.name), column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = told(record.cells.get(column.name), column)
            if index.column() == 0 and record.reason:
                words = f"{words}. {record.reason}"
            return f"{column.title} {words}"
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self.columns[section].title
        return str(section + 1)

    # Changing

    def set_records(self, records: Iterable[Record]) -> None:
        """Shows other rows."""
        self.beginResetModel()
        self._records = list(records)
        self._rows = {record.key: index for index, record in enumerate(self._records)}
        self._order = self._sorted()
        self.endResetModel()

    def append(self, *records: Record) -> None:
        """Adds rows at the end, wherever the order would have them."""
        first = len(self._order)
        self.beginInsertRows(QModelIndex(), first, first + len(records) - 1)
        for record in records:
            self._rows[record.key] = len(self._records)
            self._order.append(len(self._records))
            self._records.append(record)
        self.endInsertRows()

    def update(self, record: Record) -> None:
        """Shows a row anew; it stays where it is. A key that is none is a KeyError."""
        self._records[self._rows[record.key]] = record
        row = self.row_of(record.key)
        self.dataChanged.emit(self.index(row, 0), self.index(row, len(self.columns) - 1))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        places = [self._order[index.row()] for index in kept]
        self.sorted_by = (column, order) if column >= 0 else None
        self._order = self._sorted()
        rows = {place: row for row, place in enumerate(self._order)}
        moved = [
            self.index(rows[place], index.column())
            for place, index in zip(places, kept, strict=True)
        ]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _sorted(self) -> list[int]:
        order = list(range(len(self._records)))
        if self.sorted_by is None:
            return order
        at, direction = self.sorted_by
        name = self.columns[at].name
        values = [sort_value(record.cells.get(name)) for record in self._records]
        filled = [index for index in order if values[index] is not None]
        empty = [index for index in order if values[index] is None]
        descending = direction == Qt.SortOrder.DescendingOrder
        filled.sort(key=lambda index: values[index] or (0, 0, ""), reverse=descending)
        return filled + empty

    # As text

    def csv(self) -> str:
        """All rows as CSV in their order; intervals in three columns."""
        return self._text(range(self.rowCount()), ",")

    def tsv(self, rows: Iterable[int]) -> str:
        """Some rows as tab-separated text, as spreadsheets take it from the clipboard."""
        return self._text(rows, "\t")

    def _text(self, rows: Iterable[int], delimiter: str) -> str:
        lines: list[Iterable[object]] = [[head for each in self.columns for head in _heads(each)]]
        for row in rows:
            cells = self.record(row).cells
            lines.append(
                [part for each in self.columns for part in _parts(cells.get(each.name), each)]
            )
        return csv_text(lines, delimiter)


def told(cell: Cell, column: Column) -> str:
    """The words of a cell."""
    return shown(_words(cell, column))


def _words(cell: Cell, column: Column) -> str:
    match cell:
        case None:
            return ""
        case _ if column.words is not None and not isinstance(cell, State | Progress):
            return column.words(cell)
        case Interval():
            return f"{column.value_words(cell)} {column.half_words(cell)}"
        case Measure(value, forecast):
            return f"≈\u202f{readable(value)}" if forecast else readable(value)
        case State(text=text) | Progress(text=text):
            return text
        case bool() | str():
            return str(cell)
        case _:
            return format_decimal(float(cell))


def sort_value(cell: Cell) -> tuple[int, float, str] | None:
    """What a cell is sorted by: numbers before words; None is always last."""
    match cell:
        case None | "":
            return None
        case Interval(value=value) | Measure(value=value):
            return (0, value, "")
        case Progress(share=share):
            return (0, -1.0 if share is None else share, "")
        case State(text=text):
            return (1, 0.0, text.casefold())
        case str():
            return (1, 0.0, cell.casefold())
        case _:
            return None if cell != cell else (0, float(cell), "")


def _heads(column: Column) -> list[str]:
    ends = [f"{column.title} low", f"{column.title} high"] if column.scale else []
    return [column.title, *ends]


def _parts(cell: Cell, column: Column) -> list[str]:
    if column.scale:
        if isinstance(cell, Interval):
            return [f"{each:.12g}" for each in (cell.value, cell.low, cell.high)]
        return [told(cell, column), "", ""]
    if isinstance(cell, Measure):
        return [f"{cell.value:.12g}"]
    if isinstance(cell, int | float) and cell == cell:
        return [f"{cell:.12g}"]
    return [told(cell, column)]

"""The documents of a batch as rows of a table; only those in sight are ever made."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QModelIndex, Qt

from core.documents.languages import language_of
from core.events import Progress as Done
from core.jobs.batches.rows import NO_RECORD, BatchRow
from core.jobs.summaries.summarise import SummariseSettings
from core.numbers import format_count
from gui.control_words import in_window
from gui.panels.batch.state import BatchState
from gui.widgets.tables.table_model import (
    AnyIndex,
    Cell,
    Column,
    Progress,
    Record,
    RowState,
    State,
    TableModel,
    sort_value,
)

_NO_INDEX = QModelIndex()
_MOST_MADE = 2_000


def _tr(text: str) -> str:
    return QCoreApplication.translate("Batch", text)


def columns() -> tuple[Column, ...]:
    """The columns, left to right."""
    return (
        Column("name", _tr("File"), width=230, kept=True, strong=True),
        Column("pages", _tr("Pages"), number=True, width=66),
        Column("words", _tr("Words"), number=True, width=80),
        Column("language", _tr("Language"), width=92),
        Column("state", _tr("State"), width=172, kept=True),
        Column("sentences", _tr("Sentences"), number=True, width=92),
        Column("seconds", _tr("Time, s"), number=True, width=74, words=lambda s: f"{s:.1f}"),
        Column("first", _tr("Summary begins"), kept=True, share=3),
        Column("read", _tr("Read")),  # mostly "all"
    )


class BatchModel(TableModel):
    """The documents that are shown, by number.

    Args:
        state: The batch.
    """

    def __init__(self, state: BatchState) -> None:
        super().__init__(columns())
        self._state = state
        self._numbers: list[int] = []
        self._places: dict[int, int] = {}
        self._made: dict[int, Record] = {}
        self._keys: dict[int, tuple[int, float, str, int] | None] = {}
        """What the documents are sorted by; those that have changed are left out."""

    # Reading

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._numbers)

    def record(self, row: int) -> Record:
        """The record of a row; made when it is asked for."""
        number = self._numbers[row]
        made = self._made.get(number)
        if made is None:
            if len(self._made) >= _MOST_MADE:
                self._made.clear()
            state = self._state
            document = state.rows[number]
            if len(state.tables) == 1:
                document = _within_table(document)
            made = record_of(document, state.now.get(number), state.settings)
            self._made[number] = made
        return made

    def row_of(self, key: Hashable) -> int:
        """The row in which a document is shown; one that is not is a KeyError."""
        if not isinstance(key, int):
            raise KeyError(key)
        return self._places[key]

    def has(self, number: int) -> bool:
        """Whether a document is shown."""
        return number in self._places

    def is_failed(self, row: int) -> bool:
        """Whether the document of a row could not be read."""
        return self._state.rows[self._numbers[row]].state == "failed"

    # Changing

    def show(self, numbers: Sequence[int]) -> None:
        """Shows these documents, in the order that is chosen."""
        numbers = self._in_order(numbers)
        before = len(self._numbers)
        if numbers == self._numbers:
            return
        if before and numbers[:before] == self._numbers:
            self.beginInsertRows(_NO_INDEX, before, len(numbers) - 1)
            self._set(numbers)
            self.endInsertRows()
            return
        self.beginResetModel()
        self._set(numbers)
        self.endResetModel()

    def redraw(self, numbers: Iterable[int]) -> None:
        """Draws documents anew that have changed."""
        for number in numbers:
            self._made.pop(number, None)
            self._keys.pop(number, None)
            row = self._places.get(number)
            if row is not None:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(self.columns) - 1))

    def redraw_all(self) -> None:
        """Draws all anew: the settings they are held against have changed."""
        self._made.clear()
        if self._numbers:
            last = self.index(len(self._numbers) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def clear(self) -> None:
        """Shows nothing: another batch is open."""
        self.beginResetModel()
        self._set([])
        self._made.clear()
        self._keys.clear()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        numbers = [self._numbers[index.row()] for index in kept]
        self.sorted_by = (column, order) if column >= 0 else None
        self._keys.clear()
        self._set(self._in_order(sorted(self._numbers)))
        moved = [
            self.index(self._places[number], index.column())
            for number, index in zip(numbers, kept, strict=True)
        ]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _set(self, numbers: list[int]) -> None:
        self._numbers = numbers
        self._places = {number: row for row, number in enumerate(numbers)}

    def _in_order(self, numbers: Sequence[int]) -> list[int]:
        """The documents as they are sorted; equal ones by number."""
        if self.sorted_by is None:
            return list(numbers)
        at, direction = self.sorted_by
        name, rows, keys = self.columns[at].name, self._state.rows, self._keys
        descending = direction == Qt.SortOrder.DescendingOrder
        for number in numbers:
            if number not in keys:
                value = sort_value(_sorted_cell(rows[number], name))
                keys[number] = value and (*value, -number if descending else number)
        if len(numbers) == len(self._numbers) and self._places.keys() == set(numbers):
            numbers = self._numbers  # nearly in order already, which sorts several times as fast
        filled = [number for number in numbers if keys[number] is not None]
        empty = sorted(number for number in numbers if keys[number] is None)
        filled.sort(key=keys.__getitem__, reverse=descending)  # type: ignore[arg-type]
        return filled + empty


def _sorted_cell(row: BatchRow, name: str) -> Cell:
    match name:
        case "name":
            return row.name
        case "state":
            return f"{row.state} {row.has_note}"
        case "language":
            return language_of(row.language).name if row.language else None
        case "read":
            return row.read or row.message or None
        case "first":
            return row.first or None
        case _:
            number: float = getattr(row, name)
            return number or None


def _within_table(row: BatchRow) -> BatchRow:
    """A row of the only table under its title alone: the table stands above."""
    prefix = f"{Path(row.path).name}: "
    is_row = row.record != NO_RECORD and row.name.startswith(prefix)
    return replace(row, name=row.name.removeprefix(prefix)) if is_row else row


def record_of(row: BatchRow, now: Done | None, settings: SummariseSettings) -> Record:
    """A document as a row of the table.

    Args:
        row: The document.
        now: How far it is; None if it is not being read.
        settings: Those of the batch.

    Returns:
        The row.
    """
    kind, words = _state_of(row, now)
    is_done = row.state == "done" and now is None
    cells: dict[str, Cell] = {
        "name": row.name,
        "pages": row.pages or None,
        "words": row.words or None,
        "language": language_of(row.language).name if row.language else None,
        "state": State(kind, words),
        "sentences": row.sentences if is_done else None,
        "seconds": row.seconds if is_done else None,
        "first": row.first or None if now is None else _progress_of(now),
        "read": _read_of(row, settings) if is_done else None,
    }
    if kind != "failed":
        return Record(row.number, cells, "plain" if kind in ("done", "note") else kind)
    told = _REST if row.kind == "password" else row.remedy
    reason = in_window(f"{row.message} {told}")
    remedy = _tr("Enter password") if row.kind == "password" else _tr("Try again")
    return Record(row.number, cells, "failed", reason, remedy, second=_tr("Skip"))


_REST = "The other files go on."


def _state_of(row: BatchRow, now: Done | None) -> tuple[RowState, str]:
    if now is not None:
        return "running", _tr("summarising")
    match row.state:
        case "done":
            return ("note", _tr("done, with a note")) if row.has_note else ("done", _tr("done"))
        case "failed":
            return "failed", _tr("not read")
        case "skipped":
            return "paused", _tr("skipped")
    return "waiting", _tr("waiting")


def _read_of(row: BatchRow, settings: SummariseSettings) -> str:
    notes = [_tr("made with other settings.")] if row.is_stale(settings) else []
    if row.message:
        told = _tr("could not be made again: {0} {1}")
        notes.append(in_window(told.format(row.message, row.remedy)))
    return " ".join([*notes, row.read]).strip() or _tr("all")


def _progress_of(now: Done) -> Progress:
    if not now.total:
        return Progress(None, now.what.lower())
    unit = now.unit.removesuffix("s")
    words = f"{unit} {format_count(now.done)} of {format_count(now.total)}"
    return Progress(now.done / now.total, words)

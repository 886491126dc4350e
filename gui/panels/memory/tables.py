"""The tables of the Memory panel: peak memory, time of a step, and all numbers of each point."""

from collections.abc import Sequence
from typing import Literal

from core.numbers import THIN_SPACE, format_count
from gui.control_words import in_window
from gui.panels.memory.charts import color_of
from gui.panels.memory.points import Cell, Row
from gui.panels.memory.state import PARTS, MemoryState
from gui.panels.memory.words import GB, tr
from gui.theme.theme import Theme
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Column, Measure, Record, TableModel

What = Literal["memory", "time", "all"]
_VALUE_PX, _FITS_PX, _NUMBER_PX = 84, 150, 104


def table_of(theme: Theme, state: MemoryState, what: What) -> Table:
    """The table of what is shown; as high as its rows."""
    if what == "all":
        columns, records = _all_columns(state), _all_records(state)
    elif state.axis == PARTS:
        columns, records = _part_columns(), _part_records(state)
    else:
        columns, records = _columns(state, what), _records(state, what)
    titles = {"memory": tr("Peak memory"), "time": tr("Time for one step"), "all": tr("All points")}
    table = Table(theme, TableModel(columns, records), name=titles[what])
    table.stay_whole()
    return table


def _columns(state: MemoryState, what: What) -> list[Column]:
    first = tr("Peak memory, GB") if what == "memory" else tr("Time for one step, s")
    columns = [Column("name", first, kept=True, strong=True)]
    columns += [
        Column(f"v{at}", _head(value), number=True, width=_VALUE_PX, words=None)
        for at, value in enumerate(state.values)
    ]
    if what == "memory" and state.varied.can_fit:
        title = tr("Longest that fits") if "length" in state.axis else tr("Largest that fits")
        columns.append(Column("fits", title, number=True, width=_FITS_PX, kept=True))
    return columns


def _head(value: str) -> str:
    return format_count(int(value)) if value.isdecimal() else value


def _records(state: MemoryState, what: What) -> list[Record]:
    return [
        Record(
            row.variant.key,
            {
                "name": row.variant.title,
                "fits": _fits(row),
                **{f"v{at}": _measure(state, cell, what) for at, cell in enumerate(row.cells)},
            },
            color=color_of(row.color),
        )
        for row in state.rows
    ]


def _fits(row: Row) -> str:
    if row.fits is None:
        return ""
    return format_count(int(float(f"{row.fits:.2g}"))) if row.fits else tr("none")


def _measure(state: MemoryState, cell: Cell, what: What) -> Measure | str | None:
    value = cell.peak_bytes if what == "memory" else cell.step_s
    if value is None:
        return "–"
    scale = GB if what == "memory" else 1.0
    return Measure(value / scale, not cell.is_measured, state.is_over(cell))


def _part_columns() -> list[Column]:
    return [
        Column("name", tr("Model"), kept=True, strong=True),
        Column("memory", tr("Peak memory, GB"), number=True, width=140, kept=True),
        Column("time", tr("Step, s"), number=True, width=120, kept=True),
    ]


def _part_records(state: MemoryState) -> list[Record]:
    return [
        Record(
            cell.value,
            {
                "name": cell.value,
                "memory": _measure(state, cell, "memory"),
                "time": _measure(state, cell, "time"),
            },
        )
        for row in state.rows
        for cell in row.cells
    ]


def _all_columns(state: MemoryState) -> list[Column]:
    on_gpu = state.machine.on_gpu
    rows: list[tuple[str, str, int]] = [
        ("value", state.varied.title, _NUMBER_PX),
        ("process", tr("Process, GB"), _NUMBER_PX),
    ]
    if on_gpu:
        rows += [
            ("allocated", tr("Allocated, GB"), 116),
            ("reserved", tr("Reserved, GB"), 116),
            ("driver", tr("Driver, GB"), _NUMBER_PX),
        ]
    rows += [
        ("forecast", tr("Forecast, GB"), 116),
        ("error", tr("Off by"), 84),
        ("step", tr("Step, s"), 84),
        ("forecast_s", tr("Forecast, s"), _NUMBER_PX),
        ("error_s", tr("Off by"), 84),
        ("rate", tr("Tokens/s"), _NUMBER_PX),
    ]
    kept = ("value", "process", "reserved" if on_gpu else "error")
    first = Column("name", tr("Model"), kept=True, strong=True)
    return [first, *(Column(n, t, number=True, width=w, kept=n in kept) for n, t, w in rows)]


def _all_records(state: MemoryState) -> list[Record]:
    return [
        _record(row, cell)
        for row in state.rows
        for cell in row.cells
        if cell.told is not None or cell.problem
    ]


def _record(row: Row, cell: Cell) -> Record:
    key = (row.variant.key, cell.value)
    cells: dict[str, str | Measure | None] = {"name": row.variant.title, "value": _head(cell.value)}
    if cell.told is None:
        return Record(key, cells, "failed", cell.problem)
    kept = cell.dated.kept if cell.dated else None
    told_bytes = kept.forecast_bytes if kept else cell.told.peak_bytes
    told_s = kept.forecast_s if kept else cell.told.longest_step_s
    cells |= {
        "forecast": Measure(told_bytes / GB, forecast=True),
        "forecast_s": Measure(told_s, forecast=True),
    }
    if kept is None:
        return Record(key, cells, color=color_of(row.color))
    if kept.found is None:
        reason = in_window(" ".join(filter(None, (kept.failure, kept.remedy))))
        return Record(key, cells, "failed", reason)
    found = kept.found
    cells |= {
        "process": _gb(found.baseline_bytes + found.peak_bytes),
        "allocated": _gb(found.allocated_bytes),
        "reserved": _gb(found.reserved_bytes),
        "driver": _gb(found.driver_bytes),
        "error": _off(found.total_bytes, told_bytes),
        "step": Measure(found.step_s),
        "error_s": _off(found.step_s, told_s),
        "rate": format_count(round(found.tokens_per_s)),
    }
    return Record(key, cells, color=color_of(row.color))


def _gb(num_bytes: int | None) -> Measure | None:
    return None if num_bytes is None else Measure(num_bytes / GB)


def _off(measured: float, told: float) -> str:
    """How far a forecast was off: above 0 if less was measured than forecast."""
    return f"{100 * (told / measured - 1):+.0f}{THIN_SPACE}%" if measured else ""


def paper_table(theme: Theme, lines: Sequence[tuple[str, str, str]]) -> Table:
    """What a paper says beside what is found here."""
    columns = [
        Column("what", tr("In the paper’s figure"), kept=True, strong=True),
        Column("paper", tr("Paper"), number=True, width=160, kept=True),
        Column("here", tr("Here"), number=True, width=160, kept=True),
    ]
    records = [
        Record(at, {"what": what, "paper": paper, "here": here})
        for at, (what, paper, here) in enumerate(lines)
    ]
    table = Table(theme, TableModel(columns, records), name=tr("The paper’s numbers"))
    table.stay_whole()
    return table

"""What the Memory panel says of its charts, in sentences. Without Qt's widgets."""

from datetime import datetime

from core.numbers import THIN_SPACE, format_count, format_quantity
from core.profiling.paper_figures import PaperNumber
from gui.panels.memory.points import Cell, Row, crossing, forecast_errors
from gui.panels.memory.state import PARTS, MemoryState
from gui.panels.memory.variants import BASE
from gui.panels.memory.words import gigabytes, lasting, tokens, tr
from gui.widgets.support.ticks import readable

_UNIT = 1024**3
_SAME = 1.01  # peaks that differ by less are told as one
_LONG_S = 60.0  # a step that takes longer is told


def headline(state: MemoryState) -> str:
    """The sentence above the charts: what fits, or how far memory goes."""
    if state.base is None:
        return tr("Correct the marked values first.")
    if state.values_problem:
        return state.values_problem
    rows = state.rows
    if not rows or not any(cell.told for row in rows for cell in row.cells):
        return tr("Tick a variant to draw it.")
    known = [row for row in rows if row.fits is not None]
    if known:
        return _fitting(state, known)
    if state.axis == PARTS:
        return _least_part(rows[0])
    return _growth(state, rows[0])


def _fitting(state: MemoryState, rows: list[Row]) -> str:
    where = tr("in this GPU") if state.machine.on_gpu else tr("in this machine")
    ordered = sorted(rows, key=lambda row: row.fits or 0)
    as_set = [row for row in rows if row.variant.key == BASE and row.fits]
    best, worst = (as_set or ordered[-1:])[0], ordered[0]
    if not best.fits:
        return tr("None of these fits {where}.").format(where=where)
    count = f"{tokens(best.fits)} {state.varied.unit}"
    told = tr("With {best}, {count} fit {where}").format(
        best=_inside(best.variant.title), count=count, where=where
    )
    seconds = state.seconds_at(best.variant, best.fits)
    if seconds >= _LONG_S:
        told += tr(" (about {0} for a step)").format(lasting(seconds))
    if len(ordered) < 2 or best.fits < 1.1 * max(worst.fits or 0, 1):
        return f"{told}."
    stops = tr("{worst} stops at {count}").format(
        worst=_inside(worst.variant.title), count=tokens(worst.fits or 0)
    )
    return f"{told}; {stops}."


def _growth(state: MemoryState, row: Row) -> str:
    cells = [cell for cell in row.cells if cell.peak_bytes]
    low, high = (min(cells, key=_peak), max(cells, key=_peak))
    if _peak(high) < _SAME * _peak(low):
        words = tr("{name}: {size} from {first} to {last} ({axis}).")
        return words.format(
            name=row.variant.title,
            size=gigabytes(_peak(high)),
            first=_value(cells[0].value),
            last=_value(cells[-1].value),
            axis=state.varied.title.lower(),
        )
    words = tr("{name}: from {low} at {at_low} to {high} at {at_high} ({axis}).")
    return words.format(
        name=row.variant.title,
        low=gigabytes(_peak(low)),
        at_low=_value(low.value),
        high=gigabytes(_peak(high)),
        at_high=_value(high.value),
        axis=state.varied.title.lower(),
    )


def _least_part(row: Row) -> str:
    cells = [cell for cell in row.cells if cell.peak_bytes]
    least = min(cells, key=_peak)
    words = tr("“{name}” needs the least memory: {size}.")
    return words.format(name=least.value, size=gigabytes(_peak(least)))


def _peak(cell: Cell) -> float:
    return cell.peak_bytes or 0.0


def hashing(state: MemoryState) -> str:
    """From which length hashing pays here; empty where it is not compared."""
    found = crossing(state.rows) if state.axis == "length" else None
    if found is None:
        return ""
    length, is_measured, longest = found
    by = tr("measured") if is_measured else tr("forecast")
    if length is None:
        words = tr("Hashing is not faster than full attention up to {0} tokens ({1}).")
        return words.format(format_count(longest), by)
    words = tr("Hashing is faster than full attention from about {0} tokens ({1}).")
    return words.format(tokens(length), by)


def foot(state: MemoryState) -> list[str]:
    """What the signs mean, when and how it was measured, and how far forecasts were off."""
    told = [tr("Hatched: more than there is.  ≈ forecast.")]
    cells = [cell for row in state.rows for cell in row.cells if cell.point]
    done = [cell for cell in cells if cell.is_measured]
    over = [cell for cell in cells if cell.dated is None and state.is_over(cell)]
    if done:
        words = tr("Measured {0} of {1}").format(len(done), format_quantity(len(cells), "point"))
        if over:
            words += tr("; {0} do not fit and were not tried").format(len(over))
        told.append(f"{words}.")
        told.append(_measured_when(done))
    disturbed = [c for c in done if c.dated and c.dated.kept.found
                 and c.dated.kept.found.was_disturbed]  # fmt: skip
    if disturbed:
        words = tr("Other programs used the cores during {0}: their times are too long.")
        told.append(words.format(format_quantity(len(disturbed), "point")))
    if errors := forecast_errors(state.kept.values()):
        memory, time, count = errors
        words = tr("Forecasts were off by {memory} in memory and {time} in time ({count} here).")
        told.append(
            words.format(
                memory=_percent(memory), time=_percent(time), count=format_quantity(count, "point")
            )
        )
    else:
        told.append(tr("Nothing was measured on this machine yet."))
    return told


def _measured_when(done: list[Cell]) -> str:
    last = max(cell.dated.time for cell in done if cell.dated)
    when = datetime.fromisoformat(last).astimezone()
    point = done[-1].point
    assert point is not None
    steps = format_quantity(point.step.steps, "step")
    words = tr("Last {date}, median of {steps}, {precision}.")
    date = f"{when.day} {when:%B %Y}"
    return words.format(date=date, steps=steps, precision=point.step.precision)


def _percent(share: float) -> str:
    return f"{100 * share:.0f}{THIN_SPACE}%"


def paper_lines(state: MemoryState) -> list[tuple[str, str, str]]:
    """What a paper says of its figure, and what is found here: of what, paper, here."""
    if state.figure is None:
        return []
    rows = state.figure_rows
    return [
        (number.what, number.paper, _here(number, rows, state)) for number in state.figure.numbers
    ]


def _here(number: PaperNumber, rows: tuple[Row, ...], state: MemoryState) -> str:
    row = rows[number.variant]
    cells = [cell for cell in row.cells if cell.peak_bytes and cell.step_s]
    if not cells:
        return "–"
    cell = next((each for each in cells if each.value == number.value), cells[-1])
    match number.kind:
        case "at":
            size = f"{readable(_peak(cell) / _UNIT)}{THIN_SPACE}GiB"
            return _sign(cell) + size
        case "fits":
            if row.fits is None:
                return "–"
            return f"≈{THIN_SPACE}{tokens(row.fits)} {state.varied.unit}"
        case "growth":
            return _sign(cells[0], cells[-1]) + readable(_peak(cells[-1]) / _peak(cells[0]))
        case "speed-up":
            return _ratio(_same(rows[0], cell), cell, "time")
        case "memory-ratio":
            return _ratio(cell, _same(rows[-1], cell), "memory")
        case "time-ratio":
            return _ratio(cell, _same(rows[0], cell), "time")
    raise ValueError(number.kind)


def _same(row: Row, cell: Cell) -> Cell:
    """The point of another variant at the same value."""
    return next((each for each in row.cells if each.value == cell.value), cell)


def _ratio(over: Cell, under: Cell, what: str) -> str:
    top = over.peak_bytes if what == "memory" else over.step_s
    bottom = under.peak_bytes if what == "memory" else under.step_s
    if not top or not bottom:
        return "–"
    return _sign(over, under) + readable(top / bottom)


def _sign(*cells: Cell) -> str:
    """The sign of a forecast, unless all was measured."""
    return "" if all(cell.is_measured for cell in cells) else f"≈{THIN_SPACE}"


def _value(text: str) -> str:
    return format_count(int(text)) if text.isdecimal() else text


def _inside(title: str) -> str:
    """A title in the middle of a sentence; names keep their capitals."""
    first = title.partition(" ")[0].rstrip(",")
    return title if first.isupper() or ":" in title else title[:1].lower() + title[1:]

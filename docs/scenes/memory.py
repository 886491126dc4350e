"""Measured points for the pictures of the Memory panel."""

from pathlib import Path

from core.profiling.events import PointMeasured, StepMeasured
from core.profiling.kept_points import keep
from core.profiling.memory_sweeps import Machine, forecast_of
from core.runs.events_file import EventsFile
from gui.panels.memory.state import MemoryState

HELD_BYTES, MEMORY_BYTES = 3_100_000_000, 32_000_000_000
MACHINE = Machine(cores=8, rate=6e10, limit_bytes=MEMORY_BYTES - HELD_BYTES)
"""What the pictures are made for, so that they do not change with the machine; the status bar of
all pictures tells of the same memory."""
_LONGEST_S = 60.0  # what takes longer was not measured


def measure(state: MemoryState, file: Path) -> None:
    """Writes a measurement of each shown point that fits and does not take too long.

    Args:
        state: What is shown.
        file: Where measurements are kept.
    """
    store = EventsFile(file)
    for row in state.rows:
        for cell in row.cells:
            if cell.point is None or state.is_over(cell) or (cell.step_s or 0) > _LONGEST_S:
                continue
            told = forecast_of(cell.point, MACHINE)
            # Some variants need more than was forecast, others less; times are further off.
            off = 0.97 + 0.03 * row.color
            found = _found(told.peak_bytes * off, told.longest_step_s * (0.8 + 0.07 * row.color))
            store.append(keep(PointMeasured(cell.point, found), told))


def _found(peak_bytes: float, step_s: float) -> StepMeasured:
    return StepMeasured(
        device="cpu",
        threads=7,
        num_parameters=4_200_000,
        num_tokens=4096,
        first_step_s=1.5 * step_s,
        step_s=step_s,
        step_times_s=(step_s,) * 5,
        baseline_bytes=300_000_000,
        peak_bytes=round(peak_bytes) - 300_000_000,
        code_bytes=24_000_000,
        state_bytes=67_000_000,
        memory_by="high-water mark",
        allocated_bytes=None,
        reserved_bytes=None,
        matmul_flops=round(4e11 * step_s),
        matmul_rate=4.2e11,
        load_1min=0.4,
        num_cores=8,
    )

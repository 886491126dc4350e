"""What the Memory panel can measure, how long that takes, and its commands. Without Qt."""

from collections.abc import Iterable

from core.jobs.profiling.queued_profile import Sweep
from core.profiling.profile_command import profile_commands, profile_words
from core.system.shell import shell_line
from gui.panels.memory.points import Cell
from gui.panels.memory.state import PARTS, MemoryState
from gui.panels.memory.variants import Variant, single_parts

_START_S = 4.0  # of a fresh process


def missing_points(state: MemoryState, again: bool = False) -> list[tuple[Variant, list[Cell]]]:
    """What can be measured: points that fit and were not tried.

    Args:
        state: What is shown.
        again: Whether those that were measured are measured once more.

    Returns:
        The points of each shown variant that has any.
    """
    found = []
    for row in state.rows:
        cells = [
            cell
            for cell in row.cells
            if cell.point and (again or cell.dated is None) and not state.is_over(cell)
        ]
        if cells:
            found.append((row.variant, cells))
    return found


def num_missing(state: MemoryState) -> int:
    """How many points can be measured and were not."""
    return sum(len(cells) for _, cells in missing_points(state))


def seconds_of(missing: Iterable[tuple[Variant, list[Cell]]]) -> float:
    """About how long it takes to measure points."""
    total = 0.0
    for variant, cells in missing:
        times = variant.step.steps + variant.step.warm_up + 1  # one counts operations
        total += sum(_START_S + times * (cell.step_s or 0.0) for cell in cells)
    return total


def sweeps_of(state: MemoryState, again: bool = False) -> list[Sweep]:
    """What is to be measured, a sweep for each variant; `again` as in `missing_points`."""
    missing = missing_points(state, again)
    if state.axis == PARTS:
        points = [cell.point for _, cells in missing for cell in cells]
        return [Sweep(point.model, point.step) for point in points if point]
    made = []
    for variant, cells in missing:
        vary = (f"{state.axis}={','.join(cell.value for cell in cells)}",)
        made.append(Sweep(variant.model, variant.step.model_copy(update={"vary": vary})))
    return made


def commands_of(state: MemoryState) -> str:
    """The commands that measure what is shown, a line each."""
    if state.axis == PARTS:
        alone = single_parts(state.variants)
        return "\n".join(shell_line(profile_words(each.model, each.step)) for each in alone)
    variants = [(each.model, each.step) for each in state.shown]
    if not variants or not state.values:
        return ""
    words = profile_commands(variants, state.axis, "".join(state.tried.split()))
    return "\n".join(map(shell_line, words))

"""The door to forecasts for the window: what a job will need, told without loading torch."""

from core.models.sizes import num_parameters as num_parameters
from core.profiling.advice import Advice as Advice
from core.profiling.advice import advice as advice
from core.profiling.forecast import MEMORY_SPREAD as MEMORY_SPREAD
from core.profiling.forecast import TIME_SPREAD as TIME_SPREAD
from core.profiling.forecast import Forecast as Forecast
from core.profiling.forecast import forecast as forecast

_FIXED = ("weights", "gradients", "optimizer")
_SCALED = ("activations", "attention", "workspace")


def part_bytes(told: Forecast, peak_bytes: float | None = None) -> dict[str, float]:
    """The parts of a forecast, in the order of a bar.

    Args:
        told: The forecast.
        peak_bytes: The peak that was measured; None where none was.

    Returns:
        By name of the part, bytes. They add up to what was measured: weights, gradients and
        optimiser states are known, and the others keep their ratios.
    """
    parts = {name: float(getattr(told, name)) for name in (*_FIXED, *_SCALED)}
    if peak_bytes is None:
        return parts
    fixed = sum(parts[name] for name in _FIXED)
    factor = max(peak_bytes - fixed, 0.0) / max(told.peak_bytes - fixed, 1)
    return parts | {name: factor * parts[name] for name in _SCALED}

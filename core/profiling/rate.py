"""How fast this machine multiplies matrices: what a step's speed is compared with."""

import time

import torch

from core.training.device import DTYPES, synchronize
from core.training.settings import Precision

_SIDE_ON_CPU, _SIDE_ON_GPU = 2048, 8192  # so long that starting the work takes no time beside it
_LEAST_SIDE = 256
TIMES = 5
BUDGET_S = 2.0  # one core in fp32 has time for the longest side


def matmul_rate(precision: Precision, device: torch.device) -> float:
    """Multiplies two large square matrices into a third a few times.

    Args:
        precision: The type of their numbers.
        device: Where; on the processor with as many threads as torch now uses.

    Returns:
        The best rate, in floating-point operations a second: what the machine can do.
    """
    if device.type != "cpu":
        return _rate(_SIDE_ON_GPU, precision, device)
    # Some processors take a minute for a large product in bf16: a small one tells.
    return _rate(side_for(_rate(_LEAST_SIDE, precision, device)), precision, device)


def side_for(rate: float) -> int:
    """The side of the matrices by which a processor is measured.

    Args:
        rate: About how many operations a second it makes.

    Returns:
        The longest side, of those that double, whose products take `BUDGET_S` at most.
    """
    side = _SIDE_ON_CPU
    while side > _LEAST_SIDE and TIMES * 2 * side**3 > BUDGET_S * rate:
        side //= 2
    return side


def _rate(side: int, precision: Precision, device: torch.device) -> float:
    dtype = DTYPES[precision]
    a, b, product = (torch.rand(side, side, device=device, dtype=dtype) for _ in range(3))
    times_s = []
    for _ in range(TIMES):
        start_s = time.perf_counter()
        torch.mm(a, b, out=product)
        synchronize(device)
        times_s.append(time.perf_counter() - start_s)
    return 2 * side**3 / min(times_s)

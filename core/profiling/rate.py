"""How fast this machine multiplies matrices: what a step's speed is compared with."""

import time

import torch

from core.training.device import DTYPES, synchronize
from core.training.settings import Precision

_SIDE_ON_CPU, _SIDE_ON_GPU = 2048, 8192  # so long that starting the work takes no time beside it
_TIMES = 5


def matmul_rate(precision: Precision, device: torch.device) -> float:
    """Multiplies two large square matrices into a third a few times.

    Args:
        precision: The type of their numbers.
        device: Where; on the processor with as many threads as torch now uses.

    Returns:
        The best rate, in floating-point operations a second: what the machine can do.
    """
    side, dtype = _SIDE_ON_CPU if device.type == "cpu" else _SIDE_ON_GPU, DTYPES[precision]
    a, b, product = (torch.rand(side, side, device=device, dtype=dtype) for _ in range(3))
    times_s = []
    for _ in range(_TIMES):
        start_s = time.perf_counter()
        torch.mm(a, b, out=product)
        synchronize(device)
        times_s.append(time.perf_counter() - start_s)
    return 2 * side**3 / min(times_s)

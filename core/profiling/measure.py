"""Measures training steps in this process, which should be a fresh one."""

import gc
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

import psutil
import torch
from torch import Tensor, nn

from core.errors import EpitomeError, GpuOutOfMemoryError, OutOfMemoryError
from core.numbers import format_count
from core.profiling.events import StepMeasured
from core.profiling.flops import count_flops
from core.profiling.memory import limit_memory, watched_peak
from core.profiling.rate import matmul_rate
from core.profiling.settings import ProfileSettings
from core.training.device import synchronize

MEBIBYTE = 2**20
_NO_MEMORY = ("can't allocate memory", "not enough memory", "bad_alloc", "out of memory")


@dataclass(frozen=True)
class Trial:
    """Something that learns: this program's model, or another one to compare it with.

    Args:
        model: What learns.
        optimizer: What moves its weights.
        step: Takes one whole step, from the batch to the update; is given the step's number.
    """

    model: nn.Module
    optimizer: torch.optim.Optimizer
    step: Callable[[int], object]


def measure(
    prepare: Callable[[], Trial], settings: ProfileSettings, num_tokens: int, device: torch.device
) -> StepMeasured:
    """Measures a training step of anything that learns.

    Args:
        prepare: Makes model, optimiser and data; is called once, and its memory counts.
        settings: How many steps, in which precision the rate is measured, how much memory is
            allowed.
        num_tokens: Tokens of a step.
        device: Where it runs.

    Returns:
        Time, memory and operations of the step.

    Raises:
        OutOfMemoryError: If it needs more memory than there is.
    """
    load_1min = psutil.getloadavg()[0]
    with _told_when_memory_ends(_limit(settings, device), device):
        _reset(device)
        with watched_peak() as peak:
            trial = prepare()
            times_s = _times(trial, settings.warm_up + settings.steps, device)
        allocated, reserved, driver = _device_peaks(device)
        state_bytes = _state_bytes(trial)
        flops = count_flops(lambda: trial.step(len(times_s)))
        parameters = list(trial.model.parameters())
        timed_s = tuple(times_s[settings.warm_up :])
        return StepMeasured(
            device=str(device),
            threads=torch.get_num_threads(),
            num_parameters=sum(p.numel() for p in parameters),
            num_tokens=num_tokens,
            first_step_s=times_s[0],
            step_s=median(timed_s),
            step_times_s=timed_s,
            baseline_bytes=peak.baseline_bytes,
            peak_bytes=peak.peak_bytes,
            code_bytes=peak.code_bytes,
            state_bytes=state_bytes,
            memory_by=peak.by,
            allocated_bytes=allocated,
            reserved_bytes=reserved,
            matmul_flops=flops,
            matmul_rate=matmul_rate(settings.precision, device),
            load_1min=load_1min,
            num_cores=psutil.cpu_count() or 1,
            driver_bytes=driver,
        )


def _times(trial: Trial, count: int, device: torch.device) -> list[float]:
    times_s = []
    for number in range(count):
        synchronize(device)
        start_s = time.perf_counter()
        trial.step(number)
        synchronize(device)
        times_s.append(time.perf_counter() - start_s)
    return times_s


def _state_bytes(trial: Trial) -> int:
    """Weights, a gradient for each, and what the optimiser keeps."""
    weights = list(trial.model.parameters())
    kept = [v for state in trial.optimizer.state.values() for v in state.values()]
    return (
        _bytes(weights)
        + _bytes(weight for weight in weights if weight.requires_grad)
        + _bytes(value for value in kept if isinstance(value, Tensor))
    )


def _bytes(tensors: Iterable[Tensor]) -> int:
    return sum(tensor.nbytes for tensor in tensors)


def _reset(device: torch.device) -> None:
    gc.collect()
    if device.type == "cuda":
        torch.zeros(1, device=device)  # the device's own context is no part of a step
        torch.cuda.reset_peak_memory_stats(device)


def _device_peaks(device: torch.device) -> tuple[int | None, int | None, int | None]:
    """What the allocator handed out and what it reserved at most, and what the driver sees."""
    if device.type != "cuda":
        return None, None, None
    free, total = torch.cuda.mem_get_info(device)
    allocated = torch.cuda.max_memory_allocated(device)
    return allocated, torch.cuda.max_memory_reserved(device), total - free


def _limit(settings: ProfileSettings, device: torch.device) -> int | None:
    wished = settings.memory_limit
    if wished is not None and (sys.platform != "linux" or device.type != "cpu"):
        raise EpitomeError(
            f"“memory_limit” is allowed on a Linux machine's processor only; it was {wished} MiB.",
            "Leave it out.",
        )
    # A GPU's driver reserves far more addresses than memory, so nothing is limited beside it.
    return limit_memory(wished and wished * MEBIBYTE) if device.type == "cpu" else None


@contextmanager
def _told_when_memory_ends(limit: int | None, device: torch.device) -> Iterator[None]:
    try:
        yield
    except (MemoryError, RuntimeError) as error:  # torch has its own, which is a RuntimeError
        told = str(error).lower()
        if isinstance(error, RuntimeError) and not any(text in told for text in _NO_MEMORY):
            raise
        allowed = limit or psutil.virtual_memory().total
        lacking = OutOfMemoryError if device.type == "cpu" else GpuOutOfMemoryError
        raise lacking(
            f"The step needs more memory than the {format_count(round(allowed / MEBIBYTE))} MiB "
            "that are available.",
            "Use a smaller model, length or batch, or a machine with more memory.",
        ) from error

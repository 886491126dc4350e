"""The device to compute on, and the precisions it supports."""

import platform
import sys
from contextlib import AbstractContextManager, nullcontext

import psutil
import torch

from core.errors import EpitomeError
from core.system.machine import bf16_units, usable_cores
from core.training.settings import Precision, StepSettings

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
"""The dtype of matrix multiplications, by precision."""

_X86 = ("x86_64", "AMD64")
_ALLOWED = {"fp32": ("cpu", "cuda", "mps"), "bf16": ("cpu", "cuda"), "fp16": ("cuda",)}


def autocast(precision: Precision, device: torch.device) -> AbstractContextManager[object]:
    """Context in which matrices are multiplied in a precision; no change for fp32."""
    if precision == "fp32":
        return nullcontext()
    return torch.autocast(device.type, DTYPES[precision])


def check_precision(precision: Precision, device: torch.device) -> None:
    """Checks that a device supports a precision.

    Args:
        precision: The precision.
        device: The device.

    Raises:
        EpitomeError: If it does not.
    """
    if device.type not in (allowed := _ALLOWED[precision]):
        raise EpitomeError(
            f"The precision {precision} works on the device {' or '.join(allowed)} only; "
            f"the device was {device}.",
            "Choose --precision fp32.",
        )


def is_slow(precision: Precision, device: torch.device) -> bool:
    """Whether a device is known to compute far more slowly in a precision than in fp32."""
    if precision != "bf16" or device.type != "cpu":
        return False
    units = bf16_units()
    if units is None and platform.machine() in _X86:  # the system does not tell, but torch does
        names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
        units = any(getattr(torch.cpu, name, bool)() for name in names)
    return units is False


def open_device(settings: StepSettings) -> torch.device:
    """Sets the number of threads, and gives the device that the settings name.

    Args:
        settings: Device and threads.

    Returns:
        The device; for `auto` the first CUDA device, else Apple's, else the processor.

    Raises:
        EpitomeError: If this machine, or this torch, does not have it.
    """
    torch.set_num_threads(settings.threads or max(1, usable_cores() - 1))
    if settings.device == "auto":
        return torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
    device = torch.device(settings.device)
    if not _has(device):
        raise EpitomeError(
            f"The device {settings.device} does not exist; "
            f"this machine has {', '.join(_devices())}.",
            "Choose one of these, or auto.",
        )
    return device


def synchronize(device: torch.device) -> None:
    """Waits until the device has finished all its work."""
    if device.type != "cpu":
        torch.accelerator.synchronize(device)


def peak_memory_mib(device: torch.device) -> float:
    """Most memory so far, in MiB: a GPU's own, else this process's."""
    if device.type == "cuda":
        return round(torch.cuda.max_memory_reserved(device) / 2**20, 1)
    if sys.platform == "win32":
        return round(int(psutil.Process().memory_info().peak_wset) / 2**20, 1)
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    peak: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak * unit / 2**20, 1)


def _has(device: torch.device) -> bool:
    if device.type == "cuda":
        return (device.index or 0) < torch.cuda.device_count()
    return device.type == "cpu" or torch.backends.mps.is_available()


def _devices() -> list[str]:
    cuda = [f"cuda:{index}" for index in range(torch.cuda.device_count())]
    return ["cpu", *cuda, *(["mps"] if torch.backends.mps.is_available() else [])]

"""The environment of a run: what must stay the same for bit-exact results."""

import os
import platform
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from core.models.parts.products import Products, products_in_use
from core.runs.folder import OWN_PROCESSES, RunFolder
from core.storage.files import write_json
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular
from core.training.meeting import STORE_VARIABLE
from core.training.team import Team
from core.version import VERSION

_FOR_THE_BITS = ("torch", "device", "processor", "threads", "processes", "products", "arithmetic")
# To be raised when models sum in another order than before, so that resumed runs say so. 2: a few
# positions of a hashed last layer attend one by one.
_ARITHMETIC = 2
# Of runs whose environment does not say.
_BEFORE = {"products": "blas", "arithmetic": 1}


def environment(team: Team) -> dict[str, Any]:
    """The environment of this process.

    Args:
        team: The processes of the run.

    Returns:
        Versions, device and command, as plain values.
    """
    device = team.device
    on_gpu = device.type == "cuda"
    return {
        "epitome": VERSION,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "system": platform.platform(),
        "device": torch.cuda.get_device_name(device) if on_gpu else device.type,
        "processor": _processor(),
        "threads": torch.get_num_threads(),
        "processes": team.count,
        # Those that this program has started, and starts again; a launcher is started by the user.
        OWN_PROCESSES: team.count if STORE_VARIABLE in os.environ else 1,
        "products": products_in_use(),
        "arithmetic": _ARITHMETIC,
        "command": sys.argv,
    }


def changes_since(folder: RunFolder, now: dict[str, Any]) -> list[str]:
    """What has changed since the run was last started, as far as bit-exact results depend on it.

    Args:
        folder: The run's.
        now: What `environment` gave.

    Returns:
        "torch 2.13.0 → 2.14.0" and so on; empty if nothing has changed.
    """
    before = _before(folder)
    return [
        f"{name} {before.get(name)} → {now[name]}"
        for name in _FOR_THE_BITS
        if before.get(name) != now[name]
    ]


def products_before(folder: RunFolder) -> Products:
    """The matrix products that a run was last started with."""
    return "onednn" if _before(folder)["products"] == "onednn" else "blas"


def _before(folder: RunFolder) -> dict[str, Any]:
    before: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        before = parse_json(read_regular(folder.environment_file))
    return _BEFORE | before


def write_environment(folder: RunFolder, now: dict[str, Any]) -> None:
    """Writes what `environment` gave; fails as `write_whole` does."""
    write_json(folder.environment_file, now)


def _processor() -> str:
    names = Path("/proc/cpuinfo")
    lines = names.read_text("utf-8").splitlines() if names.exists() else []
    found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return found[0] if found else platform.processor()

"""The generated files fit the project that they were generated for."""

import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "packaging" / "constraints.txt").read_text("utf-8").splitlines()
PINS = [line for line in LINES if not line.startswith("#")]
MAX_DOWNLOAD_BYTES = 150_000_000


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_requirement_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(item for extra in extras for item in extra)]
    names = {normalised(re.split(r"[=<>~!\[;\s]", item)[0]) for item in wanted}
    assert names <= {normalised(pin.split("==")[0]) for pin in PINS}


def test_constraints_hold_pins_alone() -> None:
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+(?: ; .+)?", pin) for pin in PINS)


def test_window_is_small_to_download() -> None:
    sizes = json.loads((ROOT / "resources" / "sizes.json").read_text("utf-8"))["download_bytes"]
    assert sum(sizes.values()) <= MAX_DOWNLOAD_BYTES
    assert not {"torch", "scipy", "pyarrow", "numba"} & {name.split("-")[0] for name in sizes}


def test_sizes_were_measured_with_these_constraints() -> None:
    pins = {tuple(map(normalised, pin.split(" ;")[0].split("=="))) for pin in PINS}
    sizes = json.loads((ROOT / "resources" / "sizes.json").read_text("utf-8"))["download_bytes"]
    measured = {
        tuple(map(normalised, name.removesuffix(".tar.gz").rsplit("-", 1))) for name in sizes
    }
    assert {item for item in measured if item[0] not in ("pip", "setuptools")} <= pins

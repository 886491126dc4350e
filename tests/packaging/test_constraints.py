"""The generated files fit the project that they were generated for."""

import json
import re
import tomllib
from pathlib import Path

import pytest

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


def blocks(name: str) -> list[str]:
    """The packages of a lock, each with its hashes."""
    text = (ROOT / "packaging" / "locks" / f"{name}.txt").read_text("utf-8")
    return [block for block in re.split(r"\n(?=\S)", text.strip()) if not block.startswith("#")]


@pytest.mark.parametrize(
    "name", ["base", "cluster", "dev", "fast", "gguf", "lora", "scans", "tools", "training"]
)
def test_every_locked_package_has_hashes_and_the_pinned_version(name: str) -> None:
    pins = {pin.split(" ;")[0] for pin in PINS}
    for block in blocks(name):
        pin, *hashes = [line.rstrip(" \\").strip() for line in block.splitlines()]
        assert hashes and all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes)
        assert pin.split(" ;")[0] in pins or pin.startswith("pip=="), pin


def test_locks_name_everything_that_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    for name, wanted in {"base": project["dependencies"], **extras}.items():
        if name in ("benchmarks", "ranker"):
            continue  # installed by nobody but their developers
        names = {normalised(re.split(r"[=<>~!\[;\s]", item)[0]) for item in wanted}
        locked = {normalised(block.split("==")[0]) for block in (*blocks("base"), *blocks(name))}
        assert names <= locked, name

"""What the machine has, told without an engine."""

import shutil
from pathlib import Path

import pytest

from core.machine import bf16_units, lane_of


@pytest.mark.parametrize(
    ("device", "lane"),
    [
        ("cpu", "cpu"),
        ("mps", "mps"),
        ("cuda", "cuda:0"),
        ("cuda:0", "cuda:0"),
        ("cuda:3", "cuda:3"),
    ],
)
def test_jobs_of_one_device_share_a_lane(device: str, lane: str) -> None:
    assert lane_of(device) == lane


def test_auto_is_the_gpu_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    without = lane_of("auto")
    assert without in ("cpu", "mps")
    driver = tmp_path / "nvidia-smi"
    driver.write_text("#!/bin/sh\n")
    driver.chmod(0o755)
    if shutil.which("nvidia-smi"):
        assert lane_of("auto") == "cuda:0"


@pytest.mark.parametrize(
    ("told", "units"),
    [
        ("processor\t: 0\nflags\t\t: fpu avx avx2 fma\nbugs\t\t: none\n", False),
        ("flags\t\t: fpu avx512f avx512bw avx512vl avx512_vnni\n", False),
        ("flags\t\t: fpu avx512f avx512_bf16\n", True),
        ("flags\t\t: fpu amx_bf16 amx_tile amx_int8\n", True),
        ("processor\t: 0\nFeatures\t: fp asimd bf16 i8mm\n", True),
        ("Features\t: fp asimd\n", False),
        ("processor\t: 0\nhart\t\t: 1\n", None),
        ("", None),
    ],
)
def test_a_processor_says_whether_it_multiplies_bf16(
    told: str, units: bool | None, tmp_path: Path
) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text(told)
    assert bf16_units(file) is units


def test_nobody_knows_it_where_the_system_does_not_tell(tmp_path: Path) -> None:
    assert bf16_units(tmp_path / "cpuinfo") is None

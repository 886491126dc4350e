"""What the machine has, told without an engine."""

import shutil
from pathlib import Path

import pytest

from core.machine import lane_of


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

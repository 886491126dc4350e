"""What the machine has, told without an engine."""

import shutil
from pathlib import Path

import pytest

from core.system import machine
from core.system.machine import bf16_units, lane_of, processor_quota, usable_cores


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
    driver.write_text("#!/bin/sh\n", "utf-8")
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
    file.write_text(told, "utf-8")
    assert bf16_units(file) is units


def test_nobody_knows_it_where_the_system_does_not_tell(tmp_path: Path) -> None:
    assert bf16_units(tmp_path / "cpuinfo") is None


V2 = "31 23 0:28 {top} /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
V1 = "32 31 0:29 {top} /sys/fs/cgroup/cpu,cpuacct rw master:9 - cgroup cgroup rw,cpu,cpuacct\n"
OF_V1 = "sys/fs/cgroup/cpu,cpuacct"


def system(root: Path, mounts: str, groups: str, files: dict[str, str]) -> Path:
    """The files in which a kernel tells of control groups."""
    told = {"proc/self/mountinfo": mounts, "proc/self/cgroup": groups, **files}
    for name, text in told.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", "utf-8")
    return root


def of_v1(group: str, quota: str, period: str = "100000") -> dict[str, str]:
    folder = f"{OF_V1}/{group}"
    return {f"{folder}/cpu.cfs_quota_us": quota, f"{folder}/cpu.cfs_period_us": period}


@pytest.mark.parametrize(
    ("mounts", "groups", "files", "quota"),
    [
        (V2, "0::/", {"sys/fs/cgroup/cpu.max": "200000 100000"}, 2.0),
        (V2, "0::/", {"sys/fs/cgroup/cpu.max": "max 100000"}, None),
        (V2, "0::/", {}, None),
        (V2, "0::/a/b", {"sys/fs/cgroup/a/b/cpu.max": "50000 100000"}, 0.5),
        (
            V2, "0::/a/b",
            {
                "sys/fs/cgroup/a/b/cpu.max": "max 100000",
                "sys/fs/cgroup/a/cpu.max": "150000 100000",
                "sys/fs/cgroup/cpu.max": "400000 100000",
            },
            1.5,
        ),
        (V2, "0::/../beside", {"sys/fs/cgroup/cpu.max": "300000 100000"}, 3.0),
        (V2, "0::/", {"sys/fs/cgroup/cpu.max": "damaged"}, None),
        (V2, "0::/", {"sys/fs/cgroup/cpu.max": "1000 0"}, None),
        (V1, "4:cpu,cpuacct:/", of_v1("", "250000", "50000"), 5.0),
        (V1, "4:cpu,cpuacct:/", of_v1("", "-1"), None),
        (V1, "4:cpu,cpuacct:/a/b", of_v1("a/b", "-1") | of_v1("a", "100000"), 1.0),
        (
            V2 + V1, "5:memory:/m\n4:cpu,cpuacct:/a\n0::/a", of_v1("a", "300000"), 3.0,
        ),
    ],
)  # fmt: skip
def test_the_lowest_quota_of_the_groups_around_a_process_holds(
    tmp_path: Path, mounts: str, groups: str, files: dict[str, str], quota: float | None
) -> None:
    assert processor_quota(system(tmp_path, mounts.format(top="/"), groups, files)) == quota


def test_a_container_sees_its_own_group_only(tmp_path: Path) -> None:
    mounts = V1.format(top="/docker/0123")
    root = system(tmp_path, mounts, "4:cpu,cpuacct:/docker/0123/own", of_v1("own", "100000"))
    assert processor_quota(root) == 1.0
    (root / OF_V1 / "own" / "cpu.cfs_quota_us").write_text("-1\n", "utf-8")
    system(tmp_path, mounts, "4:cpu,cpuacct:/docker/0123/own", of_v1("", "200000"))
    assert processor_quota(root) == 2.0


def test_without_control_groups_there_is_no_quota(tmp_path: Path) -> None:
    assert processor_quota(tmp_path) is None


@pytest.mark.parametrize(("quota", "cores"), [(None, 4), (0.2, 1), (1.5, 2), (3.0, 3), (9.0, 4)])
def test_cores_are_those_that_the_quota_can_keep_busy(
    monkeypatch: pytest.MonkeyPatch, quota: float | None, cores: int
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {0, 1, 2, 3}, raising=False)
    monkeypatch.setattr(machine, "processor_quota", lambda: quota)
    assert usable_cores() == cores

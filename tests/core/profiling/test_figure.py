"""Sweeps become pictures, whatever was varied and whatever failed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from PIL import Image

from core.errors import EpitomeError
from core.profiling.events import PointMeasured
from core.profiling.figure import _spread, check_can_draw, save_figure
from tests.helpers.measurements import done, failed, sweep


def picture(points: list[PointMeasured], folder: Path) -> Image.Image:
    path = folder / "figure.png"
    save_figure(points, path, replace=True)
    with Image.open(path) as image:
        return image.convert("RGB")


@pytest.mark.parametrize(
    "vary",
    [
        ("length=1024..16384x2", "depth=2,4,8"),
        ("rounds=1..8+1",),
        ("attention=full,lsh,lsh+local", "precision=fp32,bf16"),
        ("ff_chunks=none,1,10",),
        ("reversible=on,off", "depth=1..7+1", "batch=1,2"),
        ("dropout=0..0.3+0.1",),
        ("depth=2",),
    ],
)
def test_any_sweep_is_drawn_without_a_warning(vary: tuple[str, ...], tmp_path: Path) -> None:
    points = [
        done(p, step_s=0.1 + p.length / 1e5, peak_bytes=p.length * 9999) for p in sweep(*vary)
    ]
    image = picture(points, tmp_path)
    assert image.size == (1080, 960)
    assert (40, 80, 158) in {colour for _, colour in image.getcolors(10**6)}  # the first line


def test_points_that_failed_do_not_hide_the_others(tmp_path: Path) -> None:
    points = sweep("length=1024..8192x2", "attention=lsh,full")
    some = [done(p) if p.length < 4096 else failed(p) for p in points]
    none_of_a_line = [done(p) if p.model.attention == ("lsh",) else failed(p) for p in points]
    for rows in (some, none_of_a_line):
        assert picture(rows, tmp_path).size == (1080, 960)


def test_heights_that_hardly_differ_are_drawn_from_zero(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Figure] = []
    monkeypatch.setattr(Figure, "draw_without_rendering", lambda one: drawn.append(one))
    points = sweep("rounds=1,2,4,8")
    picture([done(p, step_s=p.model.rounds**1.5, peak_bytes=10**8) for p in points], tmp_path)
    memory, time = drawn[0].axes
    assert memory.get_yscale() == "linear" and memory.get_ylim()[0] == 0
    assert time.get_yscale() == "log"


@pytest.mark.parametrize(
    ("heights", "top", "wanted"),
    [
        ([10.0, 50.0], 100.0, [10.0, 50.0]),
        ([10.0, 12.0, 13.0], 100.0, [10.0, 22.0, 34.0]),
        ([98.0, 99.0, 99.0], 100.0, [76.0, 88.0, 100.0]),
    ],
)
def test_names_of_lines_keep_their_distance(
    heights: list[float], top: float, wanted: list[float]
) -> None:
    assert _spread(heights, top) == wanted


def test_a_figure_of_nothing_varied_is_refused_before_the_work() -> None:
    with pytest.raises(EpitomeError) as error:
        check_can_draw(sweep())
    assert error.value.message == "A figure needs a varied setting, and none is varied."
    assert error.value.remedy == "Vary one, such as --vary length=1024..8192x2."
    check_can_draw(sweep("depth=1,2"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such device")
@pytest.mark.parametrize("is_endless", [True, False])
def test_a_figure_is_not_drawn_as_the_current_folder_says(tmp_path: Path, is_endless: bool) -> None:
    planted = tmp_path / "matplotlibrc"
    if is_endless:
        planted.symlink_to("/dev/zero")
    else:
        planted.write_text("text.usetex: True\n", "utf-8")
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", _DRAW]
    run = subprocess.run(command, cwd=tmp_path, env=environment, timeout=120)
    assert run.returncode == 0
    assert (tmp_path / "figure.png").is_file()


_DRAW = """
import resource
resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
from pathlib import Path
from core.profiling.figure import save_figure
from tests.helpers.measurements import done, sweep
save_figure([done(point) for point in sweep("length=1024,2048")], Path("figure.png"))
"""

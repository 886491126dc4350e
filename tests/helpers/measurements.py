"""Measurements as a sweep would find them, without measuring; and measuring without processes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
import torch

from core.jobs.profiling import profile
from core.jobs.run import run_inline
from core.models.reformer.settings import ReformerSettings
from core.profiling import measure, rate
from core.profiling.events import PointMeasured, StepMeasured
from core.profiling.settings import ProfileSettings
from core.profiling.sweep import Point, points_of

MEASURED = StepMeasured(
    device="cpu",
    threads=2,
    num_parameters=1_000,
    num_tokens=4_096,
    first_step_s=2.0,
    step_s=0.5,
    step_times_s=(0.4, 0.5, 0.6),
    baseline_bytes=300 * 2**20,
    peak_bytes=100 * 2**20,
    code_bytes=2**20,
    state_bytes=40 * 2**20,
    memory_by="high-water mark",
    allocated_bytes=None,
    reserved_bytes=None,
    matmul_flops=10**9,
    matmul_rate=4e9,
    load_1min=0.5,
    num_cores=2,
)
FAILURE = "The step needs more memory than the 100 MiB that are available."


def sweep(*vary: str, **settings: Any) -> tuple[Point, ...]:
    """The points of a sweep over a small model."""
    return points_of(ReformerSettings(), ProfileSettings(vary=vary, **settings))


def done(point: Point, **changes: Any) -> PointMeasured:
    """A point that was measured."""
    return PointMeasured(point, replace(MEASURED, **changes))


def failed(point: Point) -> PointMeasured:
    """A point that could not be measured."""
    return PointMeasured(point, None, FAILURE)


@contextmanager
def measuring_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Steps are really made, but all in this process, so that what they need says nothing.

    A fresh process for each loads torch first: `tests/core/jobs/test_profile.py` does that.
    """
    threads = torch.get_num_threads()
    monkeypatch.setattr(profile, "run_in_child", run_inline)
    monkeypatch.setattr(measure, "_limit", lambda settings, device: None)  # it would stay
    monkeypatch.setattr(rate, "_SIDE_ON_CPU", 128)  # the rate takes longer than the steps else
    yield
    torch.set_num_threads(threads)

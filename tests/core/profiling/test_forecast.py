"""How long a step takes in 16 bits, which depends on the processor; what a run takes beside it."""

import pytest

from core.decoding.settings import DecodingSettings
from core.models.transformer.settings import PRESETS
from core.profiling.forecast import HALF_GAIN, RUN_MIB, Forecast, bf16_gain, forecast
from core.profiling.work import MIB
from core.system.machine import bf16_units
from core.training.settings import Precision, TrainSettings


def step_s(precision: Precision, *, on_gpu: bool = False, units: bool | None = None) -> float:
    train = TrainSettings(batch=2, precision=precision)
    return forecast(
        PRESETS["paper-2"], train, DecodingSettings(), on_gpu=on_gpu, units=units
    ).longest_step_s


def test_bf16_is_faster_with_units_for_it_and_far_slower_without() -> None:
    plain_s = step_s("fp32")
    assert step_s("bf16", units=True) == pytest.approx(plain_s / HALF_GAIN)
    # Measured with AVX2 alone: 10.4 s instead of 0.63 s.
    assert 10 < step_s("bf16", units=False) / plain_s < 20


def test_a_gpu_has_units_whatever_the_processor_has() -> None:
    plain_s = step_s("fp32", on_gpu=True)
    assert step_s("bf16", on_gpu=True, units=False) == pytest.approx(plain_s / HALF_GAIN)


def test_a_machine_is_asked_and_where_it_does_not_tell_nothing_is_gained() -> None:
    assert step_s("fp32") / step_s("bf16") == pytest.approx(bf16_gain(bf16_units()))
    assert bf16_gain(None) == 1


def test_a_run_takes_more_than_its_largest_step_on_a_processor() -> None:
    def told(on_gpu: bool) -> Forecast:
        return forecast(PRESETS["paper-2"], TrainSettings(), DecodingSettings(), on_gpu=on_gpu)

    assert told(False).run_peak_bytes == told(False).peak_bytes + RUN_MIB * MIB
    assert told(True).run_peak_bytes == told(True).peak_bytes

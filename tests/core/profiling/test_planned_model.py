"""A run's own settings are forecast in the Memory panel as in the form of a new job."""

import json
from dataclasses import replace

import pytest

from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.models.families import BUILT_FAMILIES
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.settings import SequenceSettings
from core.profiling.forecast import forecast
from core.profiling.memory_fields import PRESET_TITLES, preset_model, preset_of
from core.profiling.memory_sweeps import Machine, forecast_of, point_for
from core.profiling.planned_model import planned_model
from core.training.plan import RunPlan
from core.training.settings import RunSettings, TrainSettings

_BART = {"model_type": "bart", "is_encoder_decoder": True, "vocab_size": 100}


def plan(preset: str, **train: object) -> RunPlan:
    settings = TrainSettings.checked({"objective": "summary", "device": "cpu", **train})
    return RunPlan(RunSettings(corpus="c"), preset_model(preset), settings, DecodingSettings())


@pytest.mark.parametrize("preset", PRESET_TITLES)
@pytest.mark.parametrize("train", [{}, {"batch": 6, "accumulate": 4}, {"precision": "bf16"},
                                   {"objective": "language-model"}])  # fmt: skip
def test_the_forecast_is_that_of_the_form(preset: str, train: dict[str, object]) -> None:
    made = plan(preset, **train)
    planned = planned_model("run", made)
    own = made.model
    name = "length" if isinstance(own, SequenceSettings) else "source_length"
    point = point_for(planned.model, planned.step, name, str(getattr(own, name)))
    told = forecast_of(point, Machine())
    assert told.peak_bytes == forecast(own, made.train, made.decoding).peak_bytes


def test_the_title_names_run_model_and_rows() -> None:
    planned = planned_model("patents-16k", plan("small", batch=6, accumulate=4))
    assert planned.title == "patents-16k: LSH, reversible, batch 2" and planned.step.batch == 2


def test_what_the_forecast_leaves_out_is_said() -> None:
    assert planned_model("run", plan("small")).notes == ()
    notes = planned_model("run", plan("small", batch=4, accumulate=2, optimizer="adafactor")).notes
    assert len(notes) == 2 and "2 parts" in notes[0] and "Adafactor" in notes[1]


def test_a_family_that_is_not_forecast_is_refused() -> None:
    model = HuggingFaceSettings(architecture=json.dumps(_BART))
    foreign = replace(plan("small"), model=model)
    with pytest.raises(EpitomeError, match="“run” is of hugging-face"):
        planned_model("run", foreign)


def test_each_family_has_a_preset() -> None:
    for family in BUILT_FAMILIES.classes:
        assert preset_model(preset_of(family)).family == family


def test_a_plan_is_read_back_from_its_text() -> None:
    made = plan("paper-4", batch=2)
    assert RunPlan.of_json(made.to_json()) == made

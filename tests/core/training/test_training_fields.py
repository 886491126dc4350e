"""A form shows one flat class; its plan and its command are the same job."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from core.cli.main import main
from core.decoding.settings import DecodingSettings
from core.events import Message
from core.jobs.run import run_inline
from core.jobs.training.job_presets import BUILT_IN, JobPreset, OwnPresetsJob, save_preset
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.language_model.gpt2_settings import settings_of_folder
from core.models.language_model.settings import LanguageModelSettings
from core.models.reformer.settings import ReformerSettings
from core.stop import StopToken
from core.training.plan import RunPlan
from core.training.settings import RunSettings, TrainSettings
from core.training.train_command import train_words
from core.training.training_fields import fields_class, flat_of, plan_of_flat

BART = {
    "model_type": "bart", "is_encoder_decoder": True, "d_model": 16, "vocab_size": 99,
    "max_position_embeddings": 64, "decoder_start_token_id": 2, "eos_token_id": 2,
}  # fmt: skip
FAMILIES = ("reformer", "reformer-encoder-decoder")


def plans() -> list[RunPlan]:
    return [preset.plan for preset in BUILT_IN]


@pytest.mark.parametrize("preset", BUILT_IN, ids=lambda preset: preset.name)
def test_a_plan_comes_back_from_its_fields(preset: JobPreset) -> None:
    plan = preset.plan
    assert plan_of_flat(flat_of(plan), plan.run, plan.train.objective) == plan


def test_a_given_model_keeps_its_sizes() -> None:
    origin = ReformerSettings(width=64, heads=2)
    flat = flat_of(BUILT_IN[0].plan)
    assert plan_of_flat(flat, RunSettings(), "gsg", origin).model == origin


def test_of_a_hugging_face_model_the_lengths_can_be_set() -> None:
    origin = HuggingFaceSettings.checked({"architecture": json.dumps(BART), "source_length": 40})
    plan = RunPlan(RunSettings(), origin, TrainSettings(), DecodingSettings())
    flat = flat_of(plan).model_copy(update={"source_length": 32})
    made = plan_of_flat(flat, RunSettings(), "summary", origin).model
    assert isinstance(made, HuggingFaceSettings)
    assert (made.source_length, made.architecture) == (32, origin.architecture)


def test_of_a_hugging_face_model_the_prompt_can_be_set_if_it_has_a_place_for_the_text() -> None:
    origin = HuggingFaceSettings.checked({"architecture": json.dumps(BART)})
    assert "prompt" in origin.free_fields
    flat = flat_of(RunPlan(RunSettings(), origin, TrainSettings(), DecodingSettings()))
    asked = type(flat).model_validate(flat.model_dump() | {"prompt": "short: {text}"})
    made = plan_of_flat(asked, RunSettings(), "summary", origin).model
    assert isinstance(made, HuggingFaceSettings) and made.prompt == "short: {text}"
    with pytest.raises(ValidationError, match="“prompt” must hold"):
        type(flat).model_validate(flat.model_dump() | {"prompt": "short"})


CHOSEN = {
    "source_embeddings": "none", "dropout": 0.3, "length": 96, "checkpointing": True,
    "smear": True, "pointer": True, "loss_chunks": 2,
}  # fmt: skip


@pytest.fixture
def gpt2(tmp_path: Path) -> Path:
    folder = tmp_path / "gpt2"
    folder.mkdir()
    sizes = {"vocab_size": 400, "n_positions": 192, "n_embd": 16, "n_layer": 2, "n_head": 2}
    (folder / "config.json").write_text(json.dumps({"model_type": "gpt2", **sizes}), "utf-8")
    return folder


def plan_from(gpt2: Path, **changes: Any) -> RunPlan:
    """What the form makes of a folder of the form of GPT-2, and some fields."""
    run, origin = RunSettings(corpus="pairs", start_from=str(gpt2)), settings_of_folder(gpt2)
    flat = flat_of(RunPlan(run, origin, TrainSettings(), DecodingSettings()))
    flat = type(flat).model_validate(flat.model_dump() | changes)
    return plan_of_flat(flat, run, "summary", origin)


def test_of_a_gpt2_folder_all_but_its_sizes_can_be_set(gpt2: Path) -> None:
    assert settings_of_folder(gpt2).free_fields == CHOSEN.keys()
    made = plan_from(gpt2, **CHOSEN, width=32, heads=4).model
    sizes = settings_of_folder(gpt2).model_dump()
    assert made == LanguageModelSettings(**(sizes | CHOSEN))


def test_the_command_of_a_gpt2_folder_does_the_same_job(
    gpt2: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for changes in ({}, CHOSEN):
        plan = plan_from(gpt2, **changes)
        assert main([*train_words(plan, "first")[1:], "--print-config"]) == 0
        (file := tmp_path / "job.toml").write_text(capsys.readouterr().out, "utf-8")
        assert RunPlan.read(file) == plan


def test_a_run_of_a_language_model_keeps_all_of_its_model() -> None:
    assert LanguageModelSettings().free_fields == frozenset()


@pytest.mark.parametrize(
    ("family", "values", "told"),
    [
        ("reformer", {"heads": 3}, "heads must divide the width"),
        ("reformer", {"rouge_rows": 500}, "must not exceed"),
        ("reformer", {"min_length": 999}, "min_length"),
        ("reformer-encoder-decoder", {"heads": 3}, "heads must divide the width"),
        ("reformer", {"steps": 0}, "greater than or equal to 1"),
    ],
)
def test_what_the_classes_refuse_the_form_refuses(
    family: str, values: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValidationError, match=told):
        fields_class(family).model_validate({"family": family} | values)


@st.composite
def changed_plans(draw: st.DrawFn) -> RunPlan:
    """A preset with a few other values."""
    plan = draw(st.sampled_from(plans()))
    values: dict[str, Any] = {
        "steps": draw(st.integers(1, 9999)),
        "clip": draw(st.sampled_from([None, 0.5, 1.0])),
        "reversible": draw(st.booleans()),
        "dropout": draw(st.sampled_from([0.0, 0.1])),
        "optimizer": draw(st.sampled_from(["adam", "adamw", "adafactor"])),
        "freeze": draw(st.sampled_from([(), ("a.b",), ("a.b", "c")])),
        "beams": draw(st.integers(1, 4)),
        "seed": draw(st.integers(0, 3)),
        "tied_embeddings": draw(st.booleans()),
        "patience": draw(st.sampled_from([None, 3])),
    }
    flat = flat_of(plan)
    known = {name: value for name, value in values.items() if name in type(flat).model_fields}
    flat = type(flat).model_validate(flat.model_dump() | known)
    run = RunSettings(corpus="reports", tokenizer=draw(st.sampled_from(["", "words"])))
    return plan_of_flat(flat, run, draw(st.sampled_from(["gsg", "summary"])))


@given(plan=changed_plans())
@settings(max_examples=40)
def test_the_command_does_the_same_job(plan: RunPlan) -> None:
    import contextlib
    import io
    import tempfile

    words = train_words(plan, "first")
    assert words[:2] == ["epitome", "train"] and "first" in words
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([*words[1:], "--print-config"]) == 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "job.toml"
        file.write_text(out.getvalue(), "utf-8")
        assert RunPlan.read(file) == plan


def test_the_command_names_what_it_starts_from_and_no_option_of_the_model() -> None:
    run = RunSettings(corpus="pairs", start_from="first")
    plan = RunPlan(run, ReformerSettings(width=64), TrainSettings(), DecodingSettings())
    words = train_words(plan, "second")
    assert words[words.index("--from") + 1] == "first"
    assert "--width" not in words


def test_own_presets_come_back_and_damaged_ones_hide_themselves_alone(tmp_path: Path) -> None:
    plan = BUILT_IN[1].plan
    path = save_preset(tmp_path, "My own: 2nd", plan)
    assert path.name == "My-own-2nd.toml"
    (tmp_path / "damaged.toml").write_text("[run", "utf-8")
    told, last = run_inline(OwnPresetsJob(tmp_path), StopToken())
    assert isinstance(told, Message)
    assert told.text.startswith("The preset “damaged” is left out. The job file ")
    (preset,) = last.result  # type: ignore[attr-defined]
    assert (preset.title, preset.plan, preset.own) == ("My-own-2nd", plan, True)


def test_a_preset_replaces_no_other(tmp_path: Path) -> None:
    first, second = (save_preset(tmp_path, "mine", each.plan) for each in BUILT_IN[:2])
    assert (first.name, second.name) == ("mine.toml", "mine-2.toml")
    *_, last = run_inline(OwnPresetsJob(tmp_path), StopToken())
    assert {each.title for each in last.result} == {"mine", "mine-2"}  # type: ignore[attr-defined]

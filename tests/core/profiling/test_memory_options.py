"""What saves memory is measured side by side, for every family."""

import json
from pathlib import Path

import pytest

from core.cli.main import main
from core.cli.train_plan import model_named
from core.models.language_model.settings import LanguageModelSettings
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.settings import ReformerSettings
from core.models.settings import ModelSettings
from core.models.transformer.settings import TransformerSettings
from core.profiling.memory_options import OPTION
from core.profiling.point_forecast import forecast_point
from core.profiling.settings import ProfileSettings
from core.profiling.sweep import Point, points_of
from tests.helpers.library_folders import library_folder
from tests.helpers.measurements import measuring_here
from tests.helpers.schemas import validate

STEP = ProfileSettings(batch=4, memory_options=True)
USUAL = ["none", "half the length", "bf16", "accumulation", "checkpointing", "all"]


def options(model: ModelSettings, step: ProfileSettings = STEP) -> dict[str, Point]:
    return {str(point.varied[OPTION]): point for point in points_of(model, step)}


@pytest.mark.parametrize(
    "model",
    [
        TransformerSettings(),
        LanguageModelSettings(),
        ReformerSettings(reversible=False),
    ],
)
def test_each_option_changes_one_thing_and_the_last_all(model: ModelSettings) -> None:
    found = options(model)
    assert list(found) == USUAL
    assert found["half the length"].length < found["none"].length
    assert found["bf16"].step.precision == "bf16"
    assert found["accumulation"].step.accumulate == 4
    assert getattr(found["checkpointing"].model, "checkpointing", False)
    together = found["all"]
    assert together.length == found["half the length"].length
    assert (together.step.precision, together.step.accumulate) == ("bf16", 4)
    assert getattr(together.model, "checkpointing", False)


@pytest.mark.parametrize("model", [ReformerSettings(), ReformerEncoderDecoderSettings()])
def test_reversible_layers_are_not_checkpointed(model: ModelSettings) -> None:
    assert list(options(model)) == [name for name in USUAL if name != "checkpointing"]


def test_what_the_step_has_already_is_left_out() -> None:
    step = ProfileSettings(batch=1, precision="bf16", memory_options=True)
    assert list(options(TransformerSettings(), step)) == [
        "none", "half the length", "checkpointing", "all",
    ]  # fmt: skip


def test_options_stand_beside_what_is_varied() -> None:
    step = STEP.model_copy(update={"vary": ("source_length=256,512",)})
    found = points_of(TransformerSettings(), step)
    assert len(found) == 2 * len(USUAL)
    lengths = [point.varied["source_length"] for point in found[:2]]
    assert lengths == [256, 256]
    assert found[0].length == found[1].length + 128


def test_accumulation_is_forecast_to_need_less() -> None:
    found = options(TransformerSettings())
    whole, parts = (forecast_point(found[name]) for name in ("none", "accumulation"))
    assert parts.peak_bytes < whole.peak_bytes


def test_an_imported_model_is_named_by_its_folder(tmp_path: Path) -> None:
    folder = library_folder("bart", tmp_path / "bart")
    model = model_named(str(folder))
    assert list(options(model)) == USUAL


def test_the_command_measures_a_folder_side_by_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = library_folder("t5", tmp_path / "t5")
    words = ["profile", "--from", str(folder), "--batch", "2", "--steps", "1", "--warm-up", "1"]
    more = ["--source-length", "64", "--target-length", "16", "--memory-options", "--json"]
    with measuring_here(monkeypatch):
        assert main([*words, *more, "--threads", "1", "--device", "cpu"]) == 0
    told = json.loads(capsys.readouterr().out)
    validate(told, "profile")
    points = told["result"]["points"]
    assert [each["varied"][OPTION] for each in points] == USUAL
    assert all(each["measured"] for each in points), [each["failure"] for each in points]
    assert points[1]["length"] == 48


def test_a_preset_beside_a_folder_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = library_folder("t5", tmp_path / "t5")
    assert main(["profile", "--from", str(folder), "--preset", "quick"]) == 2
    assert "--preset and --from both name a model." in capsys.readouterr().err

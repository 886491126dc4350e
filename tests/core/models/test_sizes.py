"""What is said of a model before it is built is what it then is."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.decoding.settings import DecodingSettings
from core.distribution.parts import part_of
from core.models.builders import build
from core.models.families import num_parameters
from core.models.hugging_face.family import HUGGING_FACE
from core.models.hugging_face.folder import read_settings
from core.models.hugging_face.model import HuggingFaceModel
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.settings import ReformerSettings
from core.models.transformer.settings import TransformerSettings
from core.profiling.forecast import forecast
from core.profiling.work import step_work
from core.training.settings import TrainSettings
from tests.helpers.library_folders import chat_folder, library_folder

FAMILIES = (
    ReformerSettings(vocabulary_size=50, length=40, width=16, depth=2),
    ReformerEncoderDecoderSettings(vocabulary_size=50, source_length=40, target_length=9, width=16),
    TransformerSettings(vocabulary_size=50, source_length=40, target_length=9, width=16),
)


@pytest.mark.parametrize("settings", FAMILIES, ids=lambda each: each.family)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"smear": True},
        {"pointer": True},
        {"smear": True, "pointer": True, "tied_embeddings": False, "shared_layers": True},
    ],
    ids=str,
)
def test_parameters_are_counted_without_building(settings: Any, changes: dict[str, Any]) -> None:
    settings = settings.model_copy(update=changes)
    built = sum(weight.numel() for weight in build(settings).parameters())
    assert num_parameters(settings) == built


@pytest.mark.parametrize("settings", FAMILIES, ids=lambda each: each.family)
def test_a_pointer_head_is_part_of_the_estimate(settings: Any) -> None:
    plain, copying = (
        step_work(settings.model_copy(update={"pointer": pointer}), TrainSettings())
        for pointer in (False, True)
    )
    assert copying.flops > plain.flops
    assert copying.activations > plain.activations and copying.workspace > plain.workspace


@pytest.mark.skipif(not part_of("lora").is_installed, reason="the part “lora” is not installed")
@pytest.mark.parametrize("targets", ["", "q_proj,k_proj,v_proj"])
@pytest.mark.parametrize("make", [partial(library_folder, "bart"), chat_folder])
def test_lora_trains_about_as_many_as_is_forecast(
    make: Callable[[Path], Path], targets: str, tmp_path: Path
) -> None:
    plain = read_settings(make(tmp_path))
    settings = plain.model_copy(update={"lora_rank": 4, "lora_targets": targets})
    model = HuggingFaceModel(settings)
    trained = sum(each.numel() for each in model.parameters() if each.requires_grad)
    assert HUGGING_FACE.num_trained(settings) == pytest.approx(trained, rel=0.25)
    assert HUGGING_FACE.num_trained(plain) == num_parameters(plain) > 5 * trained
    told = [
        forecast(each, TrainSettings(), DecodingSettings(), units=False)
        for each in (settings, plain)
    ]
    assert told[0].gradients == 4 * HUGGING_FACE.num_trained(settings) < told[1].gradients
    assert told[0].weights == told[1].weights
    assert told[0].disk_bytes < told[1].disk_bytes / 2

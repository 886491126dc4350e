"""What is said of a model before it is built is what it then is."""

from typing import Any

import pytest

from core.models.builders import build
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.settings import ReformerSettings
from core.models.sizes import num_parameters
from core.models.transformer.settings import TransformerSettings
from core.profiling.work import step_work
from core.training.settings import TrainSettings

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

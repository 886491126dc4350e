"""What a step of a Transformer needs, foreseen from its settings alone."""

from typing import Any

import pytest

from core.decoding.settings import DecodingSettings
from core.models.language_model.settings import PRESETS as LANGUAGE_MODELS
from core.models.transformer.settings import PRESETS
from core.profiling.advice import advice
from core.profiling.flops import count_flops
from core.profiling.forecast import forecast
from core.profiling.point import random_batch
from core.profiling.settings import ProfileSettings
from core.profiling.sweep import Point
from core.profiling.work import step_work
from core.training.settings import TrainSettings
from tests.helpers.transformers import DECODER_KINDS, ENCODER_KINDS

BASE = PRESETS["paper-2"]
TRAIN = TrainSettings(batch=2)


def work(**changes: Any) -> Any:
    return step_work(BASE.model_copy(update=changes), TRAIN)


@pytest.mark.parametrize(
    "changes",
    [
        *({"encoder_attention": (kind,)} for kind in ENCODER_KINDS),
        *({"decoder_attention": (kind,)} for kind in DECODER_KINDS[1:]),
        {"shortening": 4},
        {"norm": "pre", "positions": "learned"},
        {"heads": 2, "head_width": 16},
    ],
    ids=str,
)
def test_foreseen_operations_are_those_executed(changes: dict[str, Any]) -> None:
    """Of matrix products; taps of light convolutions are none."""
    import torch

    from core.models.builders import build

    small = {"width": 64, "source_length": 192, "target_length": 64, "vocabulary_size": 500}
    model = BASE.model_copy(update=small | changes)
    plain = model.model_copy(update={"kernel_size": 1})
    step = ProfileSettings(batch=2)
    batch = random_batch(Point(plain, step, 256, {}), torch.device("cpu"))
    built = build(plain)
    executed = count_flops(lambda: built.loss(batch).backward())
    foreseen = step_work(plain, TRAIN).flops
    assert foreseen == pytest.approx(executed, rel=0.12)


@pytest.mark.parametrize(
    "changes", [{}, {"norm": "post", "source_embeddings": "none"}, {"checkpointing": True}], ids=str
)
def test_foreseen_operations_of_a_language_model_are_those_executed(
    changes: dict[str, Any],
) -> None:
    import torch

    from core.models.builders import build

    small = {"width": 64, "length": 256, "vocabulary_size": 500}
    model = LANGUAGE_MODELS["paper-5"].model_copy(update=small | changes)
    batch = random_batch(Point(model, ProfileSettings(batch=2), 256, {}), torch.device("cpu"))
    built = build(model)
    executed = count_flops(lambda: built.loss(batch).backward())
    assert step_work(model, TRAIN).flops == pytest.approx(executed, rel=0.12)


def test_domain_adaptive_steps_are_the_largest() -> None:
    """All tokens carry loss there."""
    model = LANGUAGE_MODELS["paper-5"]
    end_task = TrainSettings(batch=2, steps=10)
    both = TrainSettings(batch=2, steps=10, domain_adaptive=0.5)
    decoding = DecodingSettings(max_length=110)
    assert forecast(model, both, decoding).longest_step_s > (
        forecast(model, end_task, decoding).longest_step_s
    )
    told = [each.words for each in advice(model, both, decoding)]
    assert "Recompute layers (checkpointing)" in told and "Halve the length to 312 tokens" in told


def test_faster_encoders_are_foreseen_to_be_faster_on_long_sources() -> None:
    plain = work(source_length=4000)
    for kind in ENCODER_KINDS[1:]:
        assert work(source_length=4000, encoder_attention=(kind,)).flops < 0.8 * plain.flops, kind
    shorter = work(source_length=4000, shortening=4)
    assert shorter.flops < 0.4 * plain.flops
    assert shorter.activations < 0.5 * plain.activations


def test_recomputed_layers_need_less_memory_and_more_operations() -> None:
    kept, recomputed = work(), work(checkpointing=True)
    assert recomputed.activations < 0.6 * kept.activations
    assert recomputed.flops > 1.1 * kept.flops


def test_recomputing_is_advised_until_it_is_done() -> None:
    def told(**changes: Any) -> list[str]:
        model = BASE.model_copy(update={"source_length": 2000} | changes)
        return [each.words for each in advice(model, TRAIN, DecodingSettings())]

    assert "Recompute layers (checkpointing)" in told()
    assert not any("Recompute" in words for words in told(checkpointing=True))
    assert "Halve the source length to 1 000 tokens" in [w.replace("\u202f", " ") for w in told()]


def test_a_forecast_counts_the_weights() -> None:
    assert forecast(BASE, TRAIN, DecodingSettings()).parameters == 7_619_840

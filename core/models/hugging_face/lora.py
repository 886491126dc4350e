"""LoRA: a model of the library whose weights stay, with small additions that are trained.

Beside the weight W of a layer stand two thin matrices: it computes W + B·A · alpha / rank. `peft`
makes the layers. What they learnt is added to the weights by plain arithmetic, so a finished model
needs no peft. Source: Hu et al. 2021, LoRA: Low-Rank Adaptation of Large Language Models.
"""

from collections.abc import Mapping
from typing import Any, Final

import torch
from torch import Tensor

from core.errors import EpitomeError
from core.models.hugging_face.settings import HuggingFaceSettings
from core.parts import part_of

_BASE, _DOWN, _UP = ".base_layer.", ".lora_A.default.weight", ".lora_B.default.weight"
_USUAL: Final = ("q_proj", "v_proj")
_TARGETS: Final = {
    "led": ("query", "value", *_USUAL),
    "bigbird_pegasus": ("query", "value", *_USUAL),
    "t5": ("q", "v"),
    "longt5": ("q", "v"),
    "prophetnet": ("query_proj", "value_proj"),
}
"""The projections of queries and values, as the paper has it, where they are not the usual ones."""


def targets_of(settings: HuggingFaceSettings) -> tuple[str, ...]:
    """The names of the layers that get additions."""
    named = tuple(name.strip() for name in settings.lora_targets.split(",") if name.strip())
    return named or _TARGETS.get(settings.model_type, _USUAL)


def adapt(inner: Any, settings: HuggingFaceSettings) -> None:
    """Gives a model its additions, and freezes all else.

    Args:
        inner: The library's model; it is changed.
        settings: Rank, alpha and targets.

    Raises:
        EpitomeError: If peft is not installed, or no layer has such a name.
    """
    part, targets = part_of("lora"), targets_of(settings)
    if not part.is_installed:
        raise EpitomeError(
            f"The part “{part.title}” (peft) is not installed.",
            f"Run {part.command}.",
            kind="missing-lora",
        )
    _check(inner, targets)
    from peft import LoraConfig, inject_adapter_in_model

    config = LoraConfig(
        r=settings.lora_rank, lora_alpha=settings.lora_alpha, target_modules=list(targets)
    )
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(0)
        inject_adapter_in_model(config, inner)


def _check(inner: Any, targets: tuple[str, ...]) -> None:
    linear = {
        name.rpartition(".")[2]
        for name, module in inner.named_modules()
        if isinstance(module, torch.nn.Linear)
    }
    if odd := [name for name in targets if name not in linear]:
        raise EpitomeError(
            f"No layer of this model is named “{odd[0]}”.",
            f"Choose LoRA targets among {', '.join(sorted(linear))}.",
        )


def plain_name(name: str) -> str:
    """The name that a weight has without additions."""
    return name.replace(_BASE, ".")


def is_addition(name: str) -> bool:
    """Whether a weight is part of an addition."""
    return name.endswith((_DOWN, _UP))


def merged(weights: Mapping[str, Tensor], settings: HuggingFaceSettings) -> dict[str, Tensor]:
    """The weights of the model without additions that computes the same.

    Args:
        weights: Those of a model with or without additions, by name.
        settings: The model's.

    Returns:
        By plain name; what had no addition is handed on as it is.
    """
    scale = settings.lora_alpha / settings.lora_rank if settings.lora_rank else 0.0
    made = {}
    for name, weight in weights.items():
        layer, mark, _ = name.partition(_BASE + "weight")
        if mark and layer + _DOWN in weights:
            added = weights[layer + _UP].double() @ weights[layer + _DOWN].double()
            weight = (weight.double() + scale * added).to(weight.dtype)
        if not is_addition(name):
            made[plain_name(name)] = weight
    return made

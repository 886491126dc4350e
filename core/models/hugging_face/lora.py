"""LoRA: a model of the library whose weights stay, with small additions that are trained.

Beside the weight W of a layer stand two thin matrices: it computes W + B·A · alpha / rank. `peft`
makes the layers. What they learnt is added to the weights by plain arithmetic, so a finished model
needs no peft. Source: Hu et al. 2021, LoRA: Low-Rank Adaptation of Large Language Models.
"""

import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from core.distribution.parts import part_of
from core.errors import EpitomeError
from core.models.hugging_face.loading_report import named_tensors
from core.models.hugging_face.settings import HuggingFaceSettings

_BASE, _DOWN, _UP = ".base_layer.", ".lora_A.default.weight", ".lora_B.default.weight"
_LINEAR = (nn.Linear, Conv1D)
_REMEDY = "Use a checkpoint that this model made."
_QUERY, _VALUE = re.compile(r"q(uery)?(_proj)?"), re.compile(r"v(alue)?(_proj)?")


def targets_of(inner: Any, settings: HuggingFaceSettings) -> tuple[str, ...]:
    """The layers that get additions: queries and values, as the paper has it.

    Where a model computes them in one fused projection, that gets them: a layer of an attention
    module that gives more features than it takes. Where a model has no attention, all layers but
    the output do.

    Args:
        inner: The library's model.
        settings: The model's, with the last parts of the names of the layers that are chosen.

    Returns:
        Their whole names.

    Raises:
        EpitomeError: If no layer has such a name.
    """
    layers = {name: each for name, each in inner.named_modules() if isinstance(each, _LINEAR)}
    if chosen := [name.strip() for name in settings.lora_targets.split(",") if name.strip()]:
        last = {name.rpartition(".")[2] for name in layers}
        if odd := [name for name in chosen if name not in last]:
            raise EpitomeError(
                f"No layer of this model is named “{odd[0]}”.",
                f"Choose LoRA targets among {', '.join(sorted(last))}.",
            )
        return tuple(name for name in layers if name.rpartition(".")[2] in chosen)
    queries, values = (_named(layers, pattern) for pattern in (_QUERY, _VALUE))
    if queries and values:
        return (*queries, *values)
    output = inner.get_output_embeddings()
    attending = {
        name: each
        for name, each in layers.items()
        if "attention" in type(inner.get_submodule(name.rpartition(".")[0])).__name__.lower()
    } or {name: each for name, each in layers.items() if each is not output}
    fused = [name for name, each in attending.items() if _features(each)[1] > _features(each)[0]]
    return tuple(fused or attending)


def _named(layers: Iterable[str], pattern: re.Pattern[str]) -> list[str]:
    """The names whose last part is of a pattern."""
    return [name for name in layers if pattern.fullmatch(name.rpartition(".")[2])]


def _features(layer: Any) -> tuple[int, int]:
    """How many features a layer takes, and gives."""
    given, taken = layer.weight.shape
    return (given, taken) if isinstance(layer, Conv1D) else (taken, given)


def adapt(inner: Any, settings: HuggingFaceSettings) -> None:
    """Gives a model its additions, and freezes all else.

    Args:
        inner: The library's model; it is changed.
        settings: Rank, alpha and targets.

    Raises:
        EpitomeError: If peft is not installed, or no layer has such a name.
    """
    part = part_of("lora")
    if not part.is_installed:
        raise EpitomeError(
            f"The part “{part.title}” (peft) is not installed.",
            f"Run {part.command}.",
            kind="missing-lora",
        )
    targets = targets_of(inner, settings)
    from peft import LoraConfig, inject_adapter_in_model

    config = LoraConfig(
        r=settings.lora_rank,
        lora_alpha=settings.lora_alpha,
        target_modules=list(targets),
        fan_in_fan_out=all(isinstance(inner.get_submodule(name), Conv1D) for name in targets),
    )
    with torch.random.fork_rng(devices=()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of layers stored the other way round beside others
        torch.manual_seed(0)
        inject_adapter_in_model(config, inner)


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

    Raises:
        EpitomeError: If one of the matrices of an addition is missing, or of another rank.
    """
    _check_additions(weights, settings)
    scale = settings.lora_alpha / settings.lora_rank if settings.lora_rank else 0.0
    transposed = _transposed(settings) if settings.lora_rank else frozenset()
    made = {}
    for name, weight in weights.items():
        layer, mark, _ = name.partition(_BASE + "weight")
        if mark:
            added = weights[layer + _UP].double() @ weights[layer + _DOWN].double()
            added = added.T if layer in transposed else added
            weight = (weight.double() + scale * added).to(weight.dtype)
        if not is_addition(name):
            made[plain_name(name)] = weight
    return made


def _check_additions(weights: Mapping[str, Tensor], settings: HuggingFaceSettings) -> None:
    """Refuses weights that lack a part of an addition: they would be those of another model."""
    layers = {
        name.partition(mark)[0]
        for name in weights
        for mark in (_BASE + "weight", _DOWN, _UP)
        if mark in name
    }
    needed = {layer + part for layer in layers for part in (_BASE + "weight", _DOWN, _UP)}
    if missing := needed - weights.keys():
        raise EpitomeError(
            f"What LoRA has learnt is not whole: {named_tensors(missing)} missing.", _REMEDY
        )
    ranks = {weights[layer + _DOWN].shape[0] for layer in layers}
    if ranks != ({settings.lora_rank} if settings.lora_rank else set()):
        found = " and ".join(map(str, sorted(ranks)))
        raise EpitomeError(
            f"The model's settings say that its LoRA rank is {settings.lora_rank}, and its weights "
            f"have {f'rank {found}' if found else 'no additions'}.",
            _REMEDY,
        )


def _transposed(settings: HuggingFaceSettings) -> frozenset[str]:
    """The names, as in `named_weights`, of the layers whose matrices are stored as [in, out]."""
    from core.models.hugging_face.model import make_inner

    with torch.device("meta"):
        inner = make_inner(settings)
    return frozenset(
        f"inner.{name}" for name, each in inner.named_modules() if isinstance(each, Conv1D)
    )

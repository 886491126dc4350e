"""The causality gauge: does the end of a text change what a model says of the places before?

A language model that is causal says the same of a prefix whatever follows it, so that what it
learns in training is what it does when it writes.
"""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from core.models.batch import Batch
from core.models.builders import build
from core.models.families import get_family
from core.models.settings import ModelSettings
from core.profiling.events import TailEffect
from core.training.device import autocast, check_precision, open_device
from core.training.settings import StepSettings

THRESHOLD = 1e-5
_MOST_TOKENS = 4096  # all logits of two texts are held at once
_TAIL = 5  # the last fifth of the text changes


def gauge_kinds(model: ModelSettings, step: StepSettings) -> Iterator[TailEffect]:
    """Gauges a model with first weights, on random tokens whose last fifth changes.

    Args:
        model: One longer than 4,096 tokens is gauged on so many.
        step: Device, threads and precision.

    Yields:
        What the change does, for each kind of attention: every layer is of that kind.

    Raises:
        EpitomeError: If the device is not there, or cannot compute in that precision.
    """
    device = open_device(step)
    check_precision(step.precision, device)
    source = torch.Generator().manual_seed(model.seed)
    length = min(model.row_length, _MOST_TOKENS)
    tokens = torch.randint(model.vocabulary_size, (step.batch, length), generator=source)
    for kind in get_family(model).attention_names:
        gauged = build(model.model_copy(update={"attention": (kind,)})).to(device)
        with autocast(step.precision, device):
            yield gauge(gauged, tokens.to(device), max(1, length // _TAIL), kind)


def gauge(
    model: Callable[[Batch], Tensor], tokens: Tensor, num_changed: int, kind: str
) -> TailEffect:
    """Changes every one of the last tokens, and compares the logits before them.

    Args:
        model: Takes a `Batch` to its logits [B, T, V], in evaluation.
        tokens: [B, T] int64.
        num_changed: How many of the last tokens of each row change.
        kind: What to call it in the report.

    Returns:
        How many places before the change have a logit that moved by more than `THRESHOLD`, and
        how far one moved at most.
    """
    changed, num_prefix = tokens.clone(), tokens.shape[1] - num_changed
    with torch.no_grad():
        before = model(Batch(tokens))
        changed[:, num_prefix:] = (changed[:, num_prefix:] + 1) % before.shape[-1]
        before = before[:, :num_prefix]
        far = (model(Batch(changed))[:, :num_prefix] - before).abs().amax(-1)
    return TailEffect(
        kind=kind,
        num_prefix=far.numel(),
        moved=int((far > THRESHOLD).sum()),
        furthest=float(far.max()) if far.numel() else 0.0,
        spread=float(before.std()) if far.numel() else 0.0,
        threshold=THRESHOLD,
    )

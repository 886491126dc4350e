"""The full-attention twin: the same weights with hashing off."""

import torch

from core.models.batch import Batch
from core.models.builders import build
from core.models.protocol import Model
from core.profiling.point import random_batch
from core.profiling.sweep import FULL, Point
from core.training.device import autocast, open_device


def full_twin(model: Model) -> Model:
    """A model with the same weights that attends to everything.

    Args:
        model: Of any attention kinds: they share one shape, so their weights fit.

    Returns:
        A copy with full attention in every layer, on the same device, in the same mode.
    """
    twin = build(model.settings.model_copy(update={"attention": FULL}))
    weight = next(model.parameters())
    twin.to(device=weight.device, dtype=weight.dtype).load_state_dict(model.state_dict())
    return twin.train(model.training)


def compare_losses(model: Model, batch: Batch) -> tuple[float, float]:
    """The losses of a model and of its full twin.

    Args:
        model: Any language model whose attention can be full.
        batch: What both read; at least one position carries loss.

    Returns:
        Mean cross-entropy in nats of the model, and of its twin.
    """
    with torch.no_grad():
        own, full = (float(m.loss(batch)) for m in (model, full_twin(model)))
    return own / batch.num_loss_tokens, full / batch.num_loss_tokens


def compare_point(point: Point) -> tuple[float, float]:
    """The losses, on random tokens, of the first weights of a point's model and of its twin."""
    device = open_device(point.step)
    batch = random_batch(point, device)
    assert isinstance(batch, Batch)
    model = build(point.model).to(device)
    with autocast(point.step.precision, device):
        return compare_losses(model, batch)

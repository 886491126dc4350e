"""Measures a training step of the Reformer language model in this process."""

import torch

from core.models.batch import NO_LOSS, Batch
from core.models.parts.randomness import Randomness
from core.models.reformer.language_model import ReformerLM
from core.profiling.events import StepMeasured
from core.profiling.measure import Trial, measure
from core.profiling.sweep import Point
from core.training.device import open_device
from core.training.step import TrainingStep


def measure_point(point: Point) -> StepMeasured:
    """Measures a training step of the Reformer language model.

    Args:
        point: What is measured.

    Returns:
        Time, memory and operations of the step.

    Raises:
        EpitomeError: If the step needs more memory than there is, or the device is not there.
    """
    device = open_device(point.step)

    def prepare() -> Trial:
        model = ReformerLM(point.model).to(device)
        step = TrainingStep(model, point.step, device)
        batch = random_batch(point, device)
        rows = tuple(range(point.step.batch))
        seed = point.model.seed
        return Trial(
            model, step.optimizer, lambda number: step(batch, Randomness(seed, number, rows))
        )

    return measure(prepare, point.step, point.step.batch * point.length, device)


def random_batch(point: Point, device: torch.device) -> Batch:
    """Rows of random tokens without padding, each to be followed by the next.

    Args:
        point: Rows, length, vocabulary, and how many of the last tokens carry loss.
        device: Where to put it.

    Returns:
        The batch, the same for the same seed.
    """
    source = torch.Generator().manual_seed(point.model.seed)
    shape = (point.step.batch, point.length + 1)
    text = torch.randint(1, point.model.vocabulary_size, shape, generator=source)
    labels = text[:, 1:].clone()
    if point.step.loss_tokens is not None:
        labels[:, : max(0, point.length - point.step.loss_tokens)] = NO_LOSS
    return Batch(text[:, :-1].contiguous().to(device), labels.to(device))

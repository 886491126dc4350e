"""Measures a training step of a model in this process."""

from dataclasses import dataclass, replace
from typing import Self

import torch

from core.models.batch import NO_LOSS, Batch, PairBatch
from core.models.builders import build
from core.models.parts.randomness import Randomness
from core.models.settings import PairSettings
from core.profiling.events import StepMeasured
from core.profiling.measure import Trial, measure
from core.profiling.sweep import Point
from core.training.device import open_device
from core.training.step import TrainingStep


@dataclass(frozen=True)
class Parts:
    """How a step is computed in parts, one after the other.

    Args:
        count: How many.
        rows: Of each; where the batch cannot be shared out evenly, the last is measured larger
            than it is.
    """

    count: int
    rows: int

    @classmethod
    def of(cls, batch: int, accumulate: int) -> Self:
        """Those of a step."""
        count = min(accumulate, batch)
        return cls(count, -(-batch // count))

    def make(self, step: TrainingStep, batch: Batch | PairBatch, seed: int, number: int) -> None:
        """Takes the whole step.

        Args:
            step: The training step.
            batch: The rows of one part, which all parts read.
            seed: For what is drawn at random.
            number: The step's number.
        """
        for part in range(self.count):
            places = tuple(range(part * self.rows, (part + 1) * self.rows))
            randomness = Randomness(seed, number, places)
            step.add_gradients(batch, self.count * batch.num_loss_tokens, randomness)
        step.update()


def measure_point(point: Point) -> StepMeasured:
    """Measures a training step of a model.

    Args:
        point: What is measured.

    Returns:
        Time, memory and operations of the step.

    Raises:
        EpitomeError: If the step needs more memory than there is, or the device is not there.
    """
    device = open_device(point.step)

    def prepare() -> Trial:
        model = build(point.model).to(device)
        step = TrainingStep(model, point.step, device)
        parts = Parts.of(point.step.batch, point.step.accumulate)
        one = replace(point, step=point.step.model_copy(update={"batch": parts.rows}))
        batch = random_batch(one, device)
        seed = point.model.seed
        return Trial(model, step.optimizer, lambda number: parts.make(step, batch, seed, number))

    return measure(prepare, point.step, point.step.batch * point.length, device)


def random_batch(point: Point, device: torch.device) -> Batch | PairBatch:
    """Rows of random tokens without padding, each to be followed by the next.

    Args:
        point: Rows, lengths, vocabulary, and how many of the last tokens carry loss.
        device: Where to put it.

    Returns:
        The batch that the model's family takes, the same for the same seed.
    """
    random, model = torch.Generator().manual_seed(point.model.seed), point.model
    if isinstance(model, PairSettings):
        source = _random_rows(point, model.source_length, random)
        target = _random_rows(point, model.target_length, random)
        return PairBatch(Batch(source.tokens), target).to(device)
    return _random_rows(point, point.length, random).to(device)


def _random_rows(point: Point, length: int, random: torch.Generator) -> Batch:
    shape = (point.step.batch, length + 1)
    text = torch.randint(1, point.model.vocabulary_size, shape, generator=random)
    labels = text[:, 1:].clone()
    if point.step.loss_tokens is not None:
        labels[:, : max(0, length - point.step.loss_tokens)] = NO_LOSS
    return Batch(text[:, :-1].contiguous(), labels)

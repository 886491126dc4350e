"""What a run reads: rows of tokens with their labels, and batches of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.data.batches import Row, collate
from core.data.fitting import Fitted
from core.models.batch import Batch
from core.training.objectives import tokens_and_labels
from core.training.settings import Objective, TrainSettings


@dataclass(frozen=True)
class Rows:
    """The rows of one split, as the objective wants them.

    Args:
        fitted: Documents, or pieces of them, that the model can read.
        objective: What is learnt.
        length: The model's.
    """

    fitted: Fitted
    objective: Objective
    length: int

    def __len__(self) -> int:
        return len(self.fitted)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """[R, 2]: tokens of each row's document and summary."""
        return self.fitted.lengths

    def source(self, number: int) -> list[int]:
        """The token ids of a row's document."""
        found: list[int] = self.fitted[number].source.tolist()
        return found

    def summary(self, number: int) -> list[int]:
        """The token ids of a row's summary; none of plain text."""
        summary = self.fitted[number].summary
        return [] if summary is None else list(summary.tolist())

    def batch(
        self,
        numbers: Sequence[int],
        settings: TrainSettings,
        step: int = 0,
        places: Sequence[int] | None = None,
    ) -> Batch:
        """Puts rows beside each other.

        Args:
            numbers: [B] which rows.
            settings: Padding and seed.
            step: The number of the step.
            places: [B] each row's place in the step, which its random position is drawn for; None
                where nothing is drawn, and every row begins at position 0.

        Returns:
            The batch, on the CPU.
        """
        fixed = settings.padding == "fixed" and places is not None
        return collate(
            [self._row(number) for number in numbers],
            length=self.length if fixed else None,
            model_length=self.length,
            places="left" if places is None else "random",
            seed=settings.seed,
            step=step,
            numbers=places or (),
        )

    def _row(self, number: int) -> Row:
        example = self.fitted[number]
        document, _, stop, _, _ = self.fitted.rows[number].tolist()
        ends = stop == int(self.fitted.examples.lengths[document, 0])
        return tokens_and_labels(
            example.source,
            example.summary,
            self.objective,
            ends=ends or example.summary is not None,
        )


def moved(batch: Batch, device: torch.device) -> Batch:
    """A batch on a device."""
    if device.type == "cpu":
        return batch
    rest = (batch.labels, batch.present, batch.positions)
    others = (None if part is None else part.to(device) for part in rest)
    return Batch(batch.tokens.to(device), *others)

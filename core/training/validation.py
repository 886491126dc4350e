"""Validation on examples that the model does not train on: loss, and ROUGE of its summaries.

The loss is that of the rows, as in training. Summaries are written from the start of each document.
"""

import math
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.data.tokenizer import Tokenizer
from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from core.events import Progress
from core.metrics.rouge import rouge
from core.models.batch import TrainingBatch
from core.models.builders import decoder_of
from core.models.protocol import Model
from core.stop import Stopping, StopToken
from core.training.device import autocast
from core.training.events import SampleWritten
from core.training.rows import Rows
from core.training.settings import TrainSettings
from core.training.team import Team

ROUGE_TYPES = ("1", "2", "L")


@dataclass(frozen=True)
class ValidationResult:
    """The result of a validation.

    Args:
        loss: Mean cross-entropy of the loss tokens in nats.
        loss_tokens: How many there are.
        rouge: F1 by type, the mean over the written summaries; empty if none was written.
        samples: Some of the written summaries.
        seconds: How long it took.
    """

    loss: float
    loss_tokens: int
    rouge: dict[str, float]
    samples: tuple[SampleWritten, ...]
    seconds: float


class Validator:
    """Validates on the same rows each time, drawn once from the validation split.

    Args:
        rows: The split's.
        tokenizer: Turns what is written into text.
        settings: How many rows, batch, precision, seed.
        decoding: How summaries are written.
        team: The processes that share the work.
    """

    def __init__(
        self,
        rows: Rows,
        tokenizer: Tokenizer,
        settings: TrainSettings,
        decoding: DecodingSettings,
        team: Team,
    ) -> None:
        self._rows, self._tokenizer, self._decoding = rows, tokenizer, decoding
        self._settings, self._team = settings, team
        drawn = np.random.default_rng(settings.seed).permutation(len(rows))
        self._chosen: list[int] = drawn[: settings.validate_rows].tolist()

    def __call__(
        self, model: Model, step: int, stop: StopToken
    ) -> Generator[Progress, None, ValidationResult]:
        """Validates a model.

        Args:
            model: As it is now; it is not changed.
            step: After which step.
            stop: Read after every batch; of several processes, the first one's counts for all.

        Yields:
            How far it is.

        Returns:
            The result; the same in every process, except for the samples.

        Raises:
            EpitomeError: If the model cannot generate text.
            Stopping: If an end was asked for; what was found so far is dropped.
        """
        began_s = time.perf_counter()
        loss, tokens = yield from self._loss(model, stop)
        rouge_of, samples = dict[str, float](), tuple[SampleWritten, ...]()
        if math.isfinite(loss):  # else there is nothing to write with
            rouge_of, samples = yield from self._written(model, step, stop)
        return ValidationResult(loss, tokens, rouge_of, samples, time.perf_counter() - began_s)

    def _loss(self, model: Model, stop: StopToken) -> Generator[Progress, None, tuple[float, int]]:
        sums = torch.zeros(2, dtype=torch.float64, device=self._team.exact_device)
        # Of like lengths, so that little is padded.
        mine = sorted(self._team.share(self._chosen), key=lambda row: self._rows.lengths[row].sum())
        size = max(1, self._settings.batch // self._settings.accumulate)
        with self._team.together():
            for done, some in self._batches(mine, size, stop):
                batch = self._rows.batch(some, self._settings)
                if batch.num_loss_tokens:
                    sums[0] += self._batch_loss(model, batch).to(sums)
                    sums[1] += batch.num_loss_tokens
                yield Progress(done, len(mine), "rows", "Validating")
        self._stop_together(stop)
        loss, tokens = self._team.sum(sums).tolist()
        return (loss / tokens if tokens else float("nan")), int(tokens)

    @torch.no_grad()
    def _batch_loss(self, model: Model, batch: TrainingBatch) -> Tensor:
        with autocast(self._settings.precision, self._team.device):
            return model.loss(batch.to(self._team.device))

    def _written(
        self, model: Model, step: int, stop: StopToken
    ) -> Generator[Progress, None, tuple[dict[str, float], tuple[SampleWritten, ...]]]:
        chosen = self._chosen[: self._settings.rouge_rows]
        if not chosen:
            return {}, ()
        sums = torch.zeros(len(ROUGE_TYPES), dtype=torch.float64, device=self._team.exact_device)
        mine, samples = self._team.share(chosen), []
        with self._team.together():
            for done, some in self._batches(mine, self._settings.batch, stop):
                for sample in self._samples(model, step, some):
                    scores = rouge(sample.text, sample.reference, ROUGE_TYPES)
                    sums += sums.new_tensor([scores[name].f1 for name in ROUGE_TYPES])
                    samples.append(sample)
                yield Progress(done, len(mine), "rows", "Writing summaries")
        self._stop_together(stop)
        means = (self._team.sum(sums) / len(chosen)).tolist()
        return dict(zip(ROUGE_TYPES, means, strict=True)), tuple(samples[: self._settings.samples])

    @torch.no_grad()
    def _samples(self, model: Model, step: int, rows: list[int]) -> list[SampleWritten]:
        decoder = decoder_of(model, self._tokenizer.special)
        written = decode_at_once(decoder, [self._rows.opening(r) for r in rows], self._decoding)
        samples = []
        for row, text in zip(rows, written, strict=True):
            reference = self._tokenizer.decode(self._rows.summary(row))
            told = self._tokenizer.decode(text.ids)
            samples.append(SampleWritten(step, row, reference, told, text.ended))
        return samples

    def _batches(
        self, rows: list[int], size: int, stop: StopToken
    ) -> Iterator[tuple[int, list[int]]]:
        """The rows in batches, each after how many rows are done with it.

        The first process makes no more of them once it is to stop.
        """
        for first in range(0, len(rows), size):
            if stop and self._team.leads:
                return
            some = rows[first : first + size]
            yield first + len(some), some

    def _stop_together(self, stop: StopToken) -> None:
        if wish := self._team.agreed_wish(stop.wish):
            raise Stopping(wish)

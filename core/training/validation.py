"""How good a model is on rows it does not learn from: loss, and ROUGE of what it writes."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.data.tokenizer import EOS_ID, SUMM_ID, Tokenizer
from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from core.metrics.rouge import rouge
from core.models.batch import Batch
from core.models.builders import decoder_of
from core.models.reformer.language_model import ReformerLM
from core.training.device import autocast
from core.training.events import SampleWritten
from core.training.rows import Rows, moved
from core.training.settings import TrainSettings
from core.training.team import Team

ROUGE_TYPES = ("1", "2", "L")


@dataclass(frozen=True)
class Found:
    """What a validation found.

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
    """Reads the same rows each time, drawn once from the validation split.

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

    def __call__(self, model: ReformerLM, step: int) -> Found:
        """Tries a model.

        Args:
            model: As it is now; it is not changed.
            step: After which step.

        Returns:
            What was found, the same in every process but for the samples.

        Raises:
            EpitomeError: If the model cannot write.
        """
        began_s = time.perf_counter()
        with torch.no_grad():
            loss, tokens = self._loss(model)
            rouge_of, samples = self._written(model, step)
        return Found(loss, tokens, rouge_of, samples, time.perf_counter() - began_s)

    def _loss(self, model: ReformerLM) -> tuple[float, int]:
        sums = torch.zeros(2, dtype=torch.float64, device=self._team.exact_device)
        # Of like lengths, so that little is padded.
        mine = sorted(self._team.share(self._chosen), key=lambda row: self._rows.lengths[row].sum())
        size = max(1, self._settings.batch // self._settings.accumulate)
        with self._team.together():
            for first in range(0, len(mine), size):
                batch = self._rows.batch(mine[first : first + size], self._settings)
                if batch.num_loss_tokens:
                    sums[0] += self._batch_loss(model, batch).to(sums)
                    sums[1] += batch.num_loss_tokens
        loss, tokens = self._team.sum(sums).tolist()
        return (loss / tokens if tokens else float("nan")), int(tokens)

    def _batch_loss(self, model: ReformerLM, batch: Batch) -> Tensor:
        with autocast(self._settings.precision, self._team.device):
            return model.loss(moved(batch, self._team.device))

    def _written(
        self, model: ReformerLM, step: int
    ) -> tuple[dict[str, float], tuple[SampleWritten, ...]]:
        chosen = self._chosen[: self._settings.rouge_rows]
        if not chosen:
            return {}, ()
        sums = torch.zeros(len(ROUGE_TYPES), dtype=torch.float64, device=self._team.exact_device)
        with self._team.together():
            samples = list(self._samples(model, step, self._team.share(chosen)))
            for sample in samples:
                scores = rouge(sample.text, sample.reference, ROUGE_TYPES)
                sums += sums.new_tensor([scores[name].f1 for name in ROUGE_TYPES])
        means = (self._team.sum(sums) / len(chosen)).tolist()
        return dict(zip(ROUGE_TYPES, means, strict=True)), tuple(samples[: self._settings.samples])

    def _samples(self, model: ReformerLM, step: int, rows: list[int]) -> Iterator[SampleWritten]:
        decoder = decoder_of(model, (SUMM_ID,), EOS_ID)
        size = self._settings.batch
        for first in range(0, len(rows), size):
            some = rows[first : first + size]
            written = decode_at_once(decoder, [self._rows.source(r) for r in some], self._decoding)
            for row, text in zip(some, written, strict=True):
                reference = self._tokenizer.decode(self._rows.summary(row))
                told = self._tokenizer.decode(text.ids)
                yield SampleWritten(step, row, reference, told, text.ended)

"""What a run reads and learns: rows of tokens with their labels, and batches of them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.data.batches import LabelledTokens, collate
from core.data.examples import Examples
from core.data.fitting import MARKS, Fitted, fit
from core.errors import EpitomeError
from core.models.batch import NO_LOSS, Batch, PairBatch, TrainingBatch
from core.models.settings import ModelSettings, PairSettings, SequenceSettings
from core.models.special_tokens import SpecialTokens
from core.numbers import format_quantity
from core.training.labels import target_and_labels, tokens_and_labels
from core.training.settings import Objective, TrainSettings

_ROWS_COUNTED = 1000  # enough to know how frequent tokens are

_MAKES: dict[Objective, tuple[str, ...]] = {
    "gsg": ("gsg",),
    "summary": ("pairs",),
    "language-model": ("text", "pairs", "gsg"),
}


@dataclass(frozen=True)
class Rows(ABC):
    """The rows of one split, as a model family reads them.

    Args:
        fitted: Documents, or pieces of them, that the model can read.
        special: The ids of special tokens.
    """

    fitted: Fitted
    special: SpecialTokens

    def __len__(self) -> int:
        return len(self.fitted)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """[R, 2]: tokens of each row's document and summary."""
        return self.fitted.lengths

    def opening(self, number: int) -> list[int]:
        """What a summary of a row's document is written from: its start, as long as the row.

        The row itself may be the window that the reference chose, which nobody knows who asks for
        a summary. Gap sentences are written from the piece in which they stood.
        """
        examples = self.fitted.examples
        document, start, stop, _, _ = self.fitted.rows[number].tolist()
        if examples.make == "pairs":
            start, stop = 0, stop - start
        found: list[int] = examples[document].source[start:stop].tolist()
        return found

    def summary(self, number: int) -> list[int]:
        """The token ids of a row's summary; none of plain text."""
        summary = self.fitted[number].summary
        return [] if summary is None else list(summary.tolist())

    @abstractmethod
    def batch(
        self,
        numbers: Sequence[int],
        settings: TrainSettings,
        step: int = 0,
        places: Sequence[int] | None = None,
    ) -> TrainingBatch:
        """Puts rows beside each other.

        Args:
            numbers: [B] which rows.
            settings: Padding and seed.
            step: The number of the step.
            places: [B] each row's place in the step, for which it draws; None where nothing is
                drawn, and every row begins at position 0.

        Returns:
            The batch, on the CPU.
        """


@dataclass(frozen=True)
class SequenceRows(Rows):
    """Rows of a language model: document, `<SUMM>`, summary.

    Args:
        objective: What is learnt.
        length: The model's.
        adaptive_steps: How many of the first steps learn document and summary instead.
        is_divided: Whether the model asks what each token is a part of; its positions restart at
            the summary, and so begin at 0.
    """

    objective: Objective
    length: int
    adaptive_steps: int = 0
    is_divided: bool = False

    def objective_at(self, step: int) -> Objective:
        """What a step learns, from 1."""
        return "language-model" if step <= self.adaptive_steps else self.objective

    def batch(
        self,
        numbers: Sequence[int],
        settings: TrainSettings,
        step: int = 0,
        places: Sequence[int] | None = None,
    ) -> Batch:
        """As `Rows`; a row's random position is drawn for its place in the step.

        Without places, as in validation, the labels are those of the last step.
        """
        fixed = settings.padding == "fixed" and places is not None
        objective = self.objective if places is None else self.objective_at(step)
        return collate(
            [self._row(number, objective) for number in numbers],
            pad=self.special.pad,
            length=self.length if fixed else None,
            model_length=self.length,
            places="left" if places is None or self.is_divided else "random",
            seed=settings.seed,
            step=step,
            numbers=places or (),
            divider=self.special.summary if self.is_divided else None,
        )

    def label_counts(self, vocabulary_size: int) -> NDArray[np.int64]:
        """[V]: how often the first step is to predict each token, in some rows, evenly spaced."""
        counts = np.zeros(vocabulary_size, np.int64)
        for number in range(0, len(self), -(-len(self) // _ROWS_COUNTED)):
            labels = self._row(number, self.objective_at(1))[1]
            counts += np.bincount(labels[labels != NO_LOSS], minlength=vocabulary_size)
        return counts

    def _row(self, number: int, objective: Objective) -> LabelledTokens:
        example = self.fitted[number]
        document, _, stop, _, _ = self.fitted.rows[number].tolist()
        ends = stop == int(self.fitted.examples.lengths[document, 0])
        return tokens_and_labels(
            example.source,
            example.summary,
            objective,
            self.special,
            ends=ends or example.summary is not None,
        )


@dataclass(frozen=True)
class PairRows(Rows):
    """Rows of an encoder-decoder: the document is read, its summary written.

    Args:
        start_ids: What every text that is written begins with.
        source_length: The model's, what stands before and behind a source counted.
        target_length: The model's, start ids counted.
        vocabulary_size: The model's.
    """

    start_ids: tuple[int, ...]
    source_length: int
    target_length: int
    vocabulary_size: int

    def batch(
        self,
        numbers: Sequence[int],
        settings: TrainSettings,
        step: int = 0,
        places: Sequence[int] | None = None,
    ) -> PairBatch:
        """As `Rows`; nothing is drawn, and padding stands behind."""
        fixed = settings.padding == "fixed" and places is not None
        sources = self._collated([self._source(number) for number in numbers],
                                 self.source_length, fixed)  # fmt: skip
        targets = self._collated([self._target(number) for number in numbers],
                                 self.target_length, fixed)  # fmt: skip
        return PairBatch(replace(sources, labels=None), targets)

    def _collated(self, rows: Sequence[LabelledTokens], length: int, fixed: bool) -> Batch:
        width = length if fixed else None
        return collate(rows, pad=self.special.pad, length=width, model_length=length, places="left")

    def _source(self, number: int) -> LabelledTokens:
        special, source = self.special, self.fitted[number].source
        tokens = np.array([*special.before, *source.tolist(), *special.after], np.int64)
        if (highest := int(tokens.max(initial=0))) >= self.vocabulary_size:
            raise EpitomeError(
                f"The document contains the token {highest}; the model only knows tokens below "
                f"{self.vocabulary_size}.",
                "Use the model's own tokenizer; if it has no mask, make the corpus with "
                "--masking remove.",
            )
        return tokens, np.full(len(tokens), NO_LOSS)

    def _target(self, number: int) -> LabelledTokens:
        summary = self.fitted[number].summary
        assert summary is not None  # the objective was checked
        return target_and_labels(summary, self.start_ids, self.special)


def rows_of(
    examples: Examples, model: ModelSettings, train: TrainSettings, special: SpecialTokens
) -> Rows:
    """Makes the rows of a split that fit a model.

    Args:
        examples: The examples of the split.
        model: How long its rows may be.
        train: What is learnt, and what becomes of documents that are longer.
        special: The ids of special tokens.

    Returns:
        The rows, of the kind that the model's family reads.

    Raises:
        EpitomeError: If the objective is none of the corpus or of the family, or nothing fits.
    """
    check_objective(train.objective, examples.make)
    if isinstance(model, SequenceSettings):
        fitted = fit(examples, model.length, train.too_long)
        how = train.objective, model.length, train.adaptive_steps, model.is_divided
        return SequenceRows(fitted, special, *how)
    assert isinstance(model, PairSettings)
    check_pairs(train, model.family)
    start_ids = model.start_ids(special)
    special = replace(special, end=model.end_id(special))  # what the model is known to end with
    fitted = fit(
        examples,
        model.source_length,
        train.too_long,
        marks=len(special.before) + len(special.after),
        summary_length=model.target_length - len(start_ids),
    )
    lengths = model.source_length, model.target_length
    return PairRows(fitted, special, start_ids, *lengths, model.vocabulary_size)


def check_some(rows: Rows, model: ModelSettings, train: TrainSettings) -> None:
    """Refuses rows of which none is left, and names the setting that left none.

    Args:
        rows: Those of the split to train on.
        model: How long they may be.
        train: What becomes of documents that are longer.

    Raises:
        EpitomeError: If there are examples, but none fits.
    """
    examples = rows.fitted.examples
    if len(rows) or not len(examples.lengths):
        return
    shortest = int(examples.lengths[:, 1].min())
    if isinstance(model, PairSettings):
        name, length = "target_length", model.target_length
        least = shortest + len(model.start_ids(rows.special))
        fits = (
            f"“source_length” ({model.source_length} tokens) with a summary that fits into "
            f"“target_length” ({length} tokens)"
        )
    else:
        name, length = "length", model.row_length
        least = shortest + MARKS + 1  # a token of the document
        together = "" if examples.make == "text" else " with its summary"
        fits = f"“length” ({length} tokens){together}"
    if least > length or train.too_long != "skip":
        raise _too_long(examples, name, length, least)
    raise EpitomeError(
        f"No document fits into {fits}, and “too_long” is skip.",
        "Set “too_long” to start, or the lengths higher.",
    )


def _too_long(examples: Examples, name: str, length: int, least: int) -> EpitomeError:
    what, more, remedy = "gap sentence", "", f"Set “{name}” higher"
    if examples.make != "gsg":
        shortest = int(examples.lengths[:, 1].min())
        what, more = "summary", f": the shortest has {format_quantity(shortest, 'token')}"
        remedy = f"Set “{name}” to {least} or more"
    return EpitomeError(
        f"Every {what} is longer than “{name}” ({length} tokens) allows{more}.",
        f"{remedy}, or choose a corpus with shorter ones.",
    )


def check_objective(objective: Objective, make: str) -> None:
    """Refuses a corpus that holds nothing of what is to be learnt.

    Args:
        objective: What is to be learnt.
        make: What the corpus holds: gsg, pairs or text.

    Raises:
        EpitomeError: If they do not go together.
    """
    if make not in (allowed := _MAKES[objective]):
        raise EpitomeError(
            f"The objective {objective} needs a corpus made with --make {' or '.join(allowed)}; "
            f"this one was made with --make {make}.",
            "Choose another --objective, or prepare another corpus.",
        )


def check_pairs(train: TrainSettings, family: str) -> None:
    """Refuses what an encoder-decoder cannot learn.

    Args:
        train: What is to be learnt.
        family: The model's.

    Raises:
        EpitomeError: If it is `language-model`, of all steps or of the first.
    """
    if train.adaptive_steps:
        raise EpitomeError(
            "Domain-adaptive steps learn document and summary as one sequence, but the family "
            f"{family} reads and writes them apart.",
            "Set “domain_adaptive” to 0, or choose the family language-model or reformer.",
        )
    if train.objective == "language-model":
        raise EpitomeError(
            f"The objective language-model is not for the family {family}, which learns to write "
            "a target from a source.",
            "Choose the objective gsg or summary.",
        )

"""Events of a training run."""

from dataclasses import dataclass

from core.events import Event


@dataclass(frozen=True)
class StepDone(Event):
    """A step was done: the weights were updated.

    Args:
        step: Its number, from 1.
        epoch: The epoch it belongs to, from 0.
        loss: Mean cross-entropy of the loss tokens in nats, before the update.
        gradient_norm: Norm of all gradients, before clipping.
        learning_rate: The learning rate of the step.
        loss_tokens: Number of tokens that carry loss.
        tokens: Number of all tokens, without padding.
        seconds: How long it took.
        peak_mib: Most memory so far, of the GPU or else of the process, in MiB; None in runs of
            older programs.
        data_seconds: How much of that time its rows took to be read; None in runs of older
            programs.
    """

    step: int
    epoch: int
    loss: float
    gradient_norm: float
    learning_rate: float
    loss_tokens: int
    tokens: int
    seconds: float
    peak_mib: float | None = None
    data_seconds: float | None = None


@dataclass(frozen=True)
class StepSkipped(Event):
    """A step was skipped: the weights were not updated.

    Args:
        step: Its number, from 1.
        reason: Why, a clause.
    """

    step: int
    reason: str


@dataclass(frozen=True)
class ValidationDone(Event):
    """The model was validated on examples it does not train on.

    Args:
        step: After which step.
        loss: Mean cross-entropy of their loss tokens in nats.
        loss_tokens: How many there are.
        rouge: Mean F1 by type of ROUGE over the generated summaries; empty if there are none.
        best: Whether it is the best so far.
        seconds: How long it took.
    """

    step: int
    loss: float
    loss_tokens: int
    rouge: dict[str, float]
    best: bool
    seconds: float


@dataclass(frozen=True)
class SampleWritten(Event):
    """A summary that the model generated in validation.

    Args:
        step: After which step.
        row: The number of its row in the validation split.
        reference: The summary of the row.
        text: The generated summary.
        ended: Why it ended, as `core.decoding.streaming.Ending`.
    """

    step: int
    row: int
    reference: str
    text: str
    ended: str


@dataclass(frozen=True)
class CheckpointSaved(Event):
    """A checkpoint was saved.

    Args:
        step: After which step.
        mib: Size in MiB.
    """

    step: int
    mib: float


KINDS: tuple[type[Event], ...] = (
    StepDone, StepSkipped, ValidationDone, SampleWritten, CheckpointSaved,
)  # fmt: skip
"""All of a run's own, for whoever reads its file of events."""

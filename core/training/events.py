"""What a training run says."""

from dataclasses import dataclass

from core.events import Event


@dataclass(frozen=True)
class StepDone(Event):
    """The weights were moved.

    Args:
        step: Its number, from 1.
        epoch: The pass over the rows it belongs to, from 0.
        loss: Mean cross-entropy of the loss tokens in nats, before the update.
        gradient_norm: Length of all gradients together, before they were cut.
        learning_rate: How far the step went.
        loss_tokens: Tokens that carried loss.
        tokens: All tokens that were read, without padding.
        seconds: How long it took.
    """

    step: int
    epoch: int
    loss: float
    gradient_norm: float
    learning_rate: float
    loss_tokens: int
    tokens: int
    seconds: float


@dataclass(frozen=True)
class StepSkipped(Event):
    """The weights stayed as they were.

    Args:
        step: Its number, from 1.
        reason: Why, a clause.
    """

    step: int
    reason: str


@dataclass(frozen=True)
class ValidationDone(Event):
    """The model was tried on rows it does not learn from.

    Args:
        step: After which step.
        loss: Mean cross-entropy of their loss tokens in nats.
        loss_tokens: How many there are.
        rouge: F1 by type of ROUGE, the mean over the summaries that were written; empty if none.
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
    """A text the model wrote.

    Args:
        step: After which step.
        row: The number of its row in the validation split.
        reference: What the row's summary is.
        text: What the model wrote.
        ended: Why it ended, as `core.decoding.streaming.Ending`.
    """

    step: int
    row: int
    reference: str
    text: str
    ended: str


@dataclass(frozen=True)
class CheckpointSaved(Event):
    """All that is needed to go on lies on the disk.

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

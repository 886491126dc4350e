"""When training goes wrong: which steps are skipped, which weights are ruined, what to do then."""

import math

from core.numbers import format_count
from core.runs.checkpoints import Checkpoints
from core.training.settings import TrainSettings
from core.training.state import RunState
from core.training.step import StepTotals

NO_LOSS = "none of its tokens carries loss"
OTHER_DATA = "Check the corpus, or choose another --objective or --too-long."
LOWER_RATE = "Start a new run with a lower --learning-rate."

_DECAY = 0.98  # of the running means of loss and gradient norm
_TRUSTED_STEPS = 20  # after so many, the mean of the norm says what is usual
_FAR_NATS = 1.0  # a validation loss so far above the usual one, and worse than guessing, is ruin


def fault_of(totals: StepTotals, norm: float, state: RunState, settings: TrainSettings) -> str:
    """Why a step must be skipped.

    Args:
        totals: What the step's gradients were made of.
        norm: Their norm.
        state: Where the run stands; its step is this one.
        settings: How many times the usual norm is too much.

    Returns:
        A clause; empty where the step can be made.
    """
    if not totals.loss_tokens:
        return NO_LOSS
    if not math.isfinite(totals.loss) or not math.isfinite(norm):
        return "its loss or its gradient is not finite"
    usual = state.usual_norm
    if usual and state.step > _TRUSTED_STEPS and norm > settings.spike * usual:
        return f"its gradient norm is {norm / usual:.3g} times the average"
    return ""


def remember(loss: float, norm: float, state: RunState) -> None:
    """Notes loss and gradient norm of a step that was made."""
    state.usual_norm = _mean_with(state.usual_norm, norm)
    state.usual_loss = _mean_with(state.usual_loss, loss)
    state.skipped = 0


def _mean_with(mean: float | None, value: float) -> float:
    return _DECAY * (value if mean is None else mean) + (1 - _DECAY) * value


def is_ruined(loss: float, state: RunState, vocabulary_size: int) -> bool:
    """Whether a validation loss shows that the weights are of no use.

    Args:
        loss: Mean cross-entropy in nats.
        state: What loss was usual in training, and the lowest in validation.
        vocabulary_size: Number of tokens among which the model chooses.

    Returns:
        True where the loss is not finite, or where it is worse than guessing and far above the
        training loss or the lowest validation loss.
    """
    if not math.isfinite(loss):
        return True
    known = [each for each in (state.lowest_loss, state.usual_loss) if each is not None]
    return bool(known) and loss > max(math.log(vocabulary_size), min(known) + _FAR_NATS)


def way_back(checkpoints: Checkpoints, state: RunState, settings: TrainSettings) -> str:
    """What to do about a run that diverged; sets its last checkpoint aside unless it is proven.

    Args:
        checkpoints: The run's.
        state: The last steps were skipped; the weights are those of the step before them.
        settings: The rate that was too high.

    Returns:
        A remedy, with the step from whose weights another run can start.
    """
    rate = f"{settings.learning_rate / 10:g}"
    before = state.step - state.skipped
    if not checkpoints.is_proven(before):
        checkpoints.set_aside(checkpoints.at(before), "diverged")
    good = checkpoints.named("best") or checkpoints.newest()
    if good is None:
        return f"Start a new run with a lower learning rate, such as {rate}, or a longer warm-up."
    return (
        f"Start a new run with --from {checkpoints.run}, which takes the weights of step "
        f"{format_count(good.step)}, and a lower learning rate, such as {rate}."
    )

"""When training goes wrong: which steps are skipped, which weights are ruined, what to do then."""

import math

from core.numbers import format_count
from core.runs.checkpoints import Checkpoint, Checkpoints
from core.training.settings import TrainSettings
from core.training.state import RunState
from core.training.step import StepTotals

NO_LOSS = "none of its tokens carries loss"
OTHER_DATA = "Check the corpus, or choose another --objective or --too-long."
LOWER_RATE = "Start a new run with a lower --learning-rate."

_DECAY = 0.98  # of the running means of loss and gradient norm
_TRUSTED_STEPS = 20  # after so many, the mean of the norm says what is usual
_FAR_NATS = 1.0  # a validation loss so far above the usual one, and worse than guessing, is ruin
_LEARNT_NATS = 1.0  # a training loss so far below guessing is that of a model that has overfitted
_SENSIBLE_RATE = 1e-3  # above it, few models of these families learn anything
_MOST_RUINED = 3  # validations in a row, after which a run does not come back


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
    lowest = state.usual_loss if state.lowest_usual is None else state.lowest_usual
    state.lowest_usual = min(lowest, state.usual_loss)
    state.skipped = 0


def _mean_with(mean: float | None, value: float) -> float:
    return _DECAY * (value if mean is None else mean) + (1 - _DECAY) * value


def is_ruined(loss: float, state: RunState, vocabulary_size: int) -> bool:
    """Whether a validation loss shows that the weights are of no use.

    Args:
        loss: Mean cross-entropy in nats.
        state: The lowest losses of training and of validation so far.
        vocabulary_size: Number of tokens among which the model chooses.

    Returns:
        True where the loss is not finite, or where it is worse than guessing and far above the
        lowest training loss or the lowest validation loss.
    """
    if not math.isfinite(loss):
        return True
    lowest = (state.lowest_loss, state.lowest_usual, state.usual_loss)
    known = [each for each in lowest if each is not None]
    return bool(known) and loss > max(math.log(vocabulary_size), min(known) + _FAR_NATS)


def fault_of_course(loss: float, state: RunState, vocabulary_size: int) -> str:
    """Why a run must end: validations in a row showed that its weights are ruined.

    A model that learns its rows by heart also becomes worse than guessing on others, and is no such
    run: its training loss is low, and its best checkpoint stays.

    Args:
        loss: That of the last validation, in nats.
        state: How many validations showed ruin, and what loss is usual in training.
        vocabulary_size: Number of tokens among which the model chooses.

    Returns:
        A sentence; empty where the run goes on.
    """
    usual = state.usual_loss
    learns = usual is not None and usual < math.log(vocabulary_size) - _LEARNT_NATS
    if state.ruined < _MOST_RUINED or (learns and math.isfinite(loss)):
        return ""
    return (
        f"The run has diverged: its last {state.ruined} validations are worse than guessing, with "
        f"a loss of {loss:.3g} after step {format_count(state.step)}."
    )


def fault_of_end(state: RunState, vocabulary_size: int) -> str:
    """Why a run that made all its steps has no model that is of use.

    Args:
        state: Where the run ended.
        vocabulary_size: Number of tokens among which the model chooses.

    Returns:
        A sentence; empty where its last validation, or without any its training loss, shows none.
    """
    if state.best is not None:
        return ""
    if state.ruined:
        return (
            "The run has diverged: no validation was better than guessing, or near the training "
            "loss."
        )
    loss = state.usual_loss
    if not state.validated and loss is not None and is_ruined(loss, state, vocabulary_size):
        return (
            f"The run has diverged: its training loss is {loss:.3g}, and was "
            f"{state.lowest_usual:.3g} before."
        )
    return ""


def way_back(checkpoints: Checkpoints, state: RunState, settings: TrainSettings) -> str:
    """What to do about a run that diverged; sets its last checkpoint aside unless it is proven.

    Args:
        checkpoints: The run's.
        state: The last steps were skipped; the weights are those of the step before them.
        settings: The rate that was too high.

    Returns:
        A remedy, with the step from whose weights another run can start.
    """
    before = state.step - state.skipped
    if not checkpoints.is_proven(before):
        checkpoints.set_aside(checkpoints.at(before), "diverged")
    return restart(checkpoints, checkpoints.named("best") or checkpoints.newest(), settings)


def restart(checkpoints: Checkpoints, good: Checkpoint | None, settings: TrainSettings) -> str:
    """Says how to begin again, with a lower rate.

    Args:
        checkpoints: The run's.
        good: The one to begin with; None where there is none.
        settings: The rate that was too high.

    Returns:
        A remedy.
    """
    rate = f"{min(settings.learning_rate / 10, _SENSIBLE_RATE):g}"
    if good is None:
        return f"Start a new run with a lower learning rate, such as {rate}, or a longer warm-up."
    return (
        f"Start a new run with --from {checkpoints.run}, which takes the weights of step "
        f"{format_count(good.step)}, and a lower learning rate, such as {rate}."
    )

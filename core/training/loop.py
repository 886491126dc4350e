"""The run: step after step, with what is due between them."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from core.errors import FULL, EpitomeError
from core.events import Event, Finished, Message, Progress, Stopped
from core.models.reformer.language_model import ReformerLM
from core.runs.checkpoints import Checkpoints
from core.stop import StopToken
from core.training.checkpoint import save_checkpoint
from core.training.events import CheckpointSaved, StepDone, StepSkipped, ValidationDone
from core.training.gradients import StepGradients
from core.training.optimizers import set_learning_rate
from core.training.record import Record
from core.training.schedules import learning_rate
from core.training.settings import TrainSettings
from core.training.state import RunState
from core.training.step import TrainingStep
from core.training.team import Team
from core.training.validation import Found, Validator

_LOOK_AGAIN_S = 2.0
# The usual length of gradients: a running mean, trusted after some steps.
_USUAL, _TRUSTED = 0.98, 20


@dataclass(frozen=True)
class Trained:
    """How a run ended.

    Args:
        step: Steps made.
        best: The best validation's loss, or its ROUGE-1; None if there was none.
        early: Whether it ended because nothing became better.
    """

    step: int
    best: float | None
    early: bool


@dataclass(frozen=True)
class Trainer:
    """All parts of a run.

    Args:
        model: What learns; it lies on the team's device.
        step: Its training step.
        gradients: Makes the gradients of its steps.
        validator: Tries the model; None where there is nothing to try it on.
        settings: The run's.
        state: Where the run stands.
        checkpoints: Those of the run.
        record: Where events go.
        team: The processes that make the run.
    """

    model: ReformerLM
    step: TrainingStep
    gradients: StepGradients
    validator: Validator | None
    settings: TrainSettings
    state: RunState
    checkpoints: Checkpoints
    record: Record
    team: Team

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Trains from where the run stands to its end.

        Args:
            stop: Read after every step.

        Yields:
            What happens; at the end `Finished` with a `Trained`, or `Stopped`.

        Raises:
            EpitomeError: If training cannot go on; the last checkpoint stays.
        """
        for event in self._events(stop):
            yield from self._with_room(partial(self.record.keep, event), stop)
            yield event

    def _events(self, stop: StopToken) -> Iterator[Event]:
        state, settings = self.state, self.settings
        saved = state.step
        while True:
            validates = self._due(settings.validate_every)
            if state.step > saved and (validates or self._due(settings.checkpoint_every)):
                yield from self._checkpoint(stop)
                saved = state.step
            if self.validator and validates and state.validated < state.step:
                yield from self._validate(self.validator)
            early = settings.patience is not None and state.worse >= settings.patience
            if state.step == settings.steps or early:
                best = state.best if settings.best_by == "loss" else _negative(state.best)
                yield Finished(Trained(state.step, best, early))
                return
            if wish := self.team.agreed_wish(stop.wish):
                if state.step > saved and wish != "cancel":
                    yield from self._checkpoint(stop)
                yield Stopped(wish)
                return
            yield self._make_step()
            yield Progress(state.step, settings.steps, "steps", "Training")
            self.record.alive(stop)

    def _due(self, every: int | None) -> bool:
        """Whether what is done every so many steps, and at the end, is due after the last step."""
        step = self.state.step
        return step == self.settings.steps or bool(step and every and step % every == 0)

    # --- one step ---

    def _make_step(self) -> StepDone | StepSkipped:
        began_s = time.perf_counter()
        state, number = self.state, self.state.step + 1
        made = self.gradients(number)
        norm = self.step.gradient_norm()
        length = float(norm)
        state.step = number
        if reason := self._fault(made.loss, length, made.loss_tokens):
            return self._skip(reason)
        rate = learning_rate(number, self.settings)
        set_learning_rate(self.step.optimizer, rate)
        self.step.update(norm)
        usual = length if state.usual_norm is None else state.usual_norm
        state.usual_norm = _USUAL * usual + (1 - _USUAL) * length
        state.skipped = 0
        seconds = time.perf_counter() - began_s
        return StepDone(
            number, made.epoch, made.loss, length, rate, made.loss_tokens, made.tokens, seconds
        )

    def _fault(self, loss: float, norm: float, loss_tokens: int) -> str:
        """Why a step must not be made; empty if it may."""
        if not loss_tokens:
            return "none of its tokens carries loss"
        if not math.isfinite(loss) or not math.isfinite(norm):
            return "its loss or its gradient is no number"
        usual = self.state.usual_norm
        if usual and self.state.step > _TRUSTED and norm > self.settings.spike * usual:
            return f"its gradient is {norm / usual:.3g} times as long as usual"
        return ""

    def _skip(self, reason: str) -> StepSkipped:
        self.step.skip()
        self.state.skipped += 1
        if self.state.skipped >= self.settings.most_skipped:
            raise EpitomeError(
                f"{self.state.skipped} steps one after the other were skipped, the last because "
                f"{reason}.",
                "Begin a new run with --from this one, a lower learning rate and a longer warm-up.",
            )
        return StepSkipped(self.state.step, reason)

    # --- between steps ---

    def _checkpoint(self, stop: StopToken) -> Iterator[Event]:
        if not self.team.leads:
            return
        self.state.last_event = self.record.last_number
        saved: list[float] = []

        def save() -> None:
            saved.append(save_checkpoint(self.checkpoints, self.model, self.step, self.state))

        yield from self._with_room(save, stop)
        self.checkpoints.prune(self.settings.keep)
        yield CheckpointSaved(self.state.step, saved[-1])

    def _validate(self, validator: Validator) -> Iterator[Event]:
        step = self.state.step
        self.state.validated = step
        try:
            found = validator(self.model, step)
        except (EpitomeError, RuntimeError) as error:
            reason = str(error).rstrip(".")
            told = f"The validation after step {step:,} failed: {reason}. The run goes on."
            yield Message("warning", told)
            return
        yield from found.samples
        best = self._judged(found)
        yield ValidationDone(step, found.loss, found.loss_tokens, found.rouge, best, found.seconds)

    def _judged(self, found: Found) -> bool:
        """Whether a validation is the best so far; then its checkpoint is named so."""
        score = found.loss if self.settings.best_by == "loss" else -found.rouge["1"]
        best = math.isfinite(score) and (self.state.best is None or score < self.state.best)
        self.state.worse = 0 if best else self.state.worse + 1
        if best:
            self.state.best = score
            if self.team.leads:
                self.checkpoints.name("best", self.state.step)
        return best

    def _with_room(self, write: Callable[[], None], stop: StopToken) -> Iterator[Event]:
        """Writes; while the disk is full the run waits, and nothing is lost."""
        told = False
        while True:
            try:
                write()
            except EpitomeError as error:
                if error.kind != FULL or stop:
                    raise
                if not told:
                    yield Message("warning", f"{error.message} The run waits until there is room.")
                told = True
                stop.wait(_LOOK_AGAIN_S)
                continue
            return


def _negative(score: float | None) -> float | None:
    return None if score is None else -score

"""The run: step after step, with what is due between them."""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from functools import partial

from core.errors import FULL, EpitomeError
from core.events import Event, Finished, Message, Progress, Stopped
from core.models.protocol import Model
from core.numbers import format_count, format_quantity
from core.runs.checkpoints import Checkpoints
from core.stop import Stopping, StopToken
from core.training.checkpoint import is_finite, save_checkpoint
from core.training.device import peak_memory_mib
from core.training.divergence import (
    LOWER_RATE,
    NO_LOSS,
    OTHER_DATA,
    fault_of,
    fault_of_course,
    fault_of_end,
    is_ruined,
    remember,
    restart,
    way_back,
)
from core.training.events import CheckpointSaved, StepDone, StepSkipped, ValidationDone
from core.training.optimizers import learning_rate, set_learning_rate
from core.training.plan import RunPlan
from core.training.processor_share import ProcessorShare
from core.training.record import Record
from core.training.settings import TrainSettings
from core.training.state import RunState
from core.training.step import StepGradients, TrainingStep
from core.training.team import Team
from core.training.validation import ValidationResult, Validator

_LOOK_AGAIN_S = 2.0


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
        plan: What the run is made of.
        state: Where the run stands.
        checkpoints: Those of the run.
        record: Where events go.
        team: The processes that make the run.
        tokenizer: The fingerprint of its tokenizer.
        share: The share of the processor that the run gets.
    """

    model: Model
    step: TrainingStep
    gradients: StepGradients
    validator: Validator | None
    plan: RunPlan
    state: RunState
    checkpoints: Checkpoints
    record: Record
    team: Team
    tokenizer: str
    share: ProcessorShare = field(default_factory=ProcessorShare)

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Trains from where the run stands to its end.

        Args:
            stop: Read after every step, and in a validation after every batch.

        Yields:
            What happens; at the end `Finished` with a `Trained`, or `Stopped`.

        Raises:
            EpitomeError: If training cannot go on; the last checkpoint stays.
        """
        for event in self._events(stop):
            for write in self.record.writes(event):
                yield from self._with_room(write, stop)
            yield event
            if isinstance(event, Progress):
                self.record.alive(stop)

    @property
    def settings(self) -> TrainSettings:
        """How the run is trained."""
        return self.plan.train

    def _events(self, stop: StopToken) -> Iterator[Event]:
        state, settings = self.state, self.settings
        saved, is_cut_short = state.step, False
        unproven = state.step > 0 and not self.checkpoints.is_proven(state.step)
        while True:
            if self._saves(saved):
                yield from self._checkpoint(stop)
                saved, unproven = state.step, True
            if self.validator and self._due(settings.validate_every, state.validated):
                try:
                    is_good = yield from self._validate(self.validator, stop)
                    unproven = yield from self._still(unproven, saved, is_good, stop)
                except Stopping:
                    is_cut_short = True  # made again when the run goes on
            early = settings.patience is not None and state.worse >= settings.patience
            if (state.step == settings.steps or early) and not is_cut_short:
                yield from self._unsaved(saved)
                if fault := fault_of_end(state, self.plan.model.vocabulary_size):
                    raise EpitomeError(fault, self._restart())
                best = state.best if settings.best_by == "loss" else _negative(state.best)
                yield Finished(Trained(state.step, best, early))
                return
            if wish := self.team.agreed_wish(stop.wish):
                if state.step > saved and wish != "cancel":
                    yield from self._checkpoint(stop)
                yield Stopped(wish)
                return
            began_s = time.thread_time()
            event = self._make_step()
            yield event
            yield from self._note_share(event, time.thread_time() - began_s)
            is_good = isinstance(event, StepDone)
            unproven = yield from self._still(unproven, saved, is_good, stop)
            yield Progress(state.step, settings.steps, "steps", "Training")

    def _saves(self, saved: int) -> bool:
        every = self.settings.validate_every, self.settings.checkpoint_every
        return any(self._due(steps, saved) for steps in every)

    def _due(self, every: int | None, last: int) -> bool:
        """Whether what is done every so many steps, and at the end, is due after this step.

        While steps are being skipped nothing is: the weights may be ruined.
        """
        step = self.state.step
        if self.state.skipped or step == last:
            return False
        return step == self.settings.steps or bool(every and step // every > last // every)

    # --- one step ---

    def _make_step(self) -> StepDone | StepSkipped:
        began_s = time.perf_counter()
        state, number = self.state, self.state.step + 1
        made = self.gradients(number)
        norm = self.team.spread(self.step.gradient_norm())  # other processors sum otherwise
        length = float(norm)
        state.step = number
        if reason := fault_of(made, length, state, self.settings):
            return self._skip(reason)
        rate = learning_rate(number, self.settings)
        set_learning_rate(self.step.optimizer, rate)
        self.step.update(norm)
        remember(made.loss, length, state)
        seconds = time.perf_counter() - began_s
        peak_mib = peak_memory_mib(self.team.device)
        return StepDone(
            number,
            made.epoch,
            made.loss,
            length,
            rate,
            made.loss_tokens,
            made.tokens,
            seconds,
            peak_mib,
            made.data_seconds,
        )

    def _note_share(self, event: Event, processor_s: float) -> Iterator[Event]:
        """Says once that the run gets too little of the processor.

        Not where the thread waits for a GPU or for other processes: that says nothing.
        """
        is_alone = self.team.count == 1 and self.team.device.type == "cpu"
        if isinstance(event, StepDone) and is_alone:
            seconds = event.seconds - (event.data_seconds or 0.0)
            if note := self.share.add_step(seconds, processor_s):
                yield Message("note", note)

    def _skip(self, reason: str) -> StepSkipped:
        self.step.skip()
        self.state.skipped += 1
        if self.state.skipped >= self.settings.most_skipped:
            raise EpitomeError(
                f"{self.state.skipped} consecutive steps were skipped, the last because {reason}.",
                OTHER_DATA if reason == NO_LOSS else self._way_back(),
            )
        return StepSkipped(self.state.step, reason)

    def _way_back(self) -> str:
        if self.team.leads:
            return way_back(self.checkpoints, self.state, self.settings)
        return LOWER_RATE

    def _restart(self) -> str:
        if self.team.leads:
            return restart(self.checkpoints, self.checkpoints.named("best"), self.settings)
        return LOWER_RATE

    # --- between steps ---

    def _checkpoint(self, stop: StopToken) -> Iterator[Event]:
        with self.team.together():
            if not self.team.leads:
                return
            if self.state.skipped:
                yield from self._unsaved(0)
                return
            if not is_finite(self.model):
                told = f"No checkpoint of step {format_count(self.state.step)} is written"
                yield Message("warning", f"{told}: its weights are not finite.")
                return
            self.state.last_event = self.record.last_number
            saved: list[float] = []

            def save() -> None:
                parts = self.model, self.step, self.state, self.plan.values()
                saved.append(save_checkpoint(self.checkpoints, *parts, self.tokenizer))

            yield from self._with_room(save, stop)
            yield CheckpointSaved(self.state.step, saved[-1])

    def _unsaved(self, saved: int) -> Iterator[Event]:
        """Says so where a run ends while steps are being skipped, after its last checkpoint."""
        if self.state.skipped and self.state.step > saved and self.team.leads:
            told = (
                f"No checkpoint of step {format_count(self.state.step)} is written, because the "
                f"last {format_quantity(self.state.skipped, 'step')} had to be skipped."
            )
            yield Message("warning", told)

    def _still(
        self, unproven: bool, saved: int, is_good: bool, stop: StopToken
    ) -> Generator[Event, None, bool]:
        """Whether the checkpoint of step `saved` is still unproven; older ones stay till then.

        It is proven once its weights were validated or a step could be made with them.
        """
        if unproven and is_good and self.team.leads:
            yield from self._with_room(partial(self.checkpoints.name, "proven", saved), stop)
            self.checkpoints.prune(self.settings.keep)
        return unproven and not is_good

    def _validate(self, validator: Validator, stop: StopToken) -> Generator[Event, None, bool]:
        """Tries the model; gives whether its weights are of use."""
        step = self.state.step
        before, self.state.validated = self.state.validated, step
        try:
            found = yield from validator(self.model, step, stop)
        except Stopping:
            self.state.validated = before
            raise
        except Exception as error:
            after = f"The validation after step {format_count(step)} failed"
            told = f"{after}: {_reason(error)}. The run goes on."
            yield Message("warning", told)
            return False
        yield from found.samples
        ruined = is_ruined(found.loss, self.state, self.plan.model.vocabulary_size)
        if ruined:
            after = f"The validation loss after step {format_count(step)}"
            told = f"{after} is {found.loss:.3g}: the run diverges."
            yield Message("warning", told)
        best = self._is_best(found) and not ruined
        self.state.worse = 0 if best else self.state.worse + 1
        if best:
            self.state.best = self._score(found)
            if self.team.leads:
                yield from self._with_room(partial(self.checkpoints.name, "best", step), stop)
        self.state.ruined = self.state.ruined + 1 if ruined else 0
        if not ruined:
            self.state.lowest_loss = min(found.loss, self.state.lowest_loss or found.loss)
        yield ValidationDone(step, found.loss, found.loss_tokens, found.rouge, best, found.seconds)
        if fault := fault_of_course(found.loss, self.state, self.plan.model.vocabulary_size):
            raise EpitomeError(fault, self._restart())
        return not ruined

    def _score(self, found: ValidationResult) -> float:
        return found.loss if self.settings.best_by == "loss" else -found.rouge["1"]

    def _is_best(self, found: ValidationResult) -> bool:
        return self.state.best is None or self._score(found) < self.state.best

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
                    yield Message(
                        "warning", f"{error.message} Training waits until there is space."
                    )
                told = True
                stop.wait(_LOOK_AGAIN_S)
                continue
            return


def _reason(error: Exception) -> str:
    """An error as a clause; of other code's errors the first line, with their class."""
    if isinstance(error, EpitomeError):
        return str(error).rstrip(".")
    lines = str(error).splitlines() or [""]
    return f"{type(error).__name__}, {lines[0]}".rstrip(".")


def _negative(score: float | None) -> float | None:
    return None if score is None else -score

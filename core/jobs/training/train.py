"""Trains a model: what `epitome train` does."""

import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import EpitomeError, check_installed, explained
from core.events import Event, Finished, Message, Progress, Started
from core.jobs.run import failed
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.library.preferences import load_preferences
from core.runs.corpus_use import corpus_in_use
from core.runs.folder import Heartbeat, RunFolder, at_work, check_holds_no_other, check_no_run
from core.stop import StopToken
from core.system.keep_awake import kept_awake

if TYPE_CHECKING:
    from core.training.loop import Trained, Trainer
    from core.training.plan import RunPlan


@dataclass(frozen=True)
class TrainJob:
    """Trains a new run, or goes on with one.

    Args:
        folder: The run's.
        plan: What a new run is made of; None to go on with the one that is there.
        stay_awake: Whether the computer is kept awake meanwhile, unless the person's settings
            say otherwise.
    """

    memory_remedy = "Use a smaller batch, shorter rows or a smaller model."

    folder: Path
    plan: "RunPlan | None" = None
    stay_awake: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Trains.

        Args:
            stop: Once set, the run keeps what it has and ends.

        Yields:
            The run's events; at the end `Finished` with a `core.training.loop.Trained`.

        Raises:
            EpitomeError: If training cannot begin or go on; the last checkpoint stays.
        """
        check_installed("torch", "Models are trained")
        folder = RunFolder(self.folder)
        leads = os.environ.get("RANK", "0") == "0"
        makes = leads and not self.folder.exists()
        if leads or _is_on_one_machine():
            self.check(folder, makes=leads)
        try:
            yield from self._at_work(folder, leads, stop)
        finally:
            if makes and not folder.exists:
                _remove_begun(folder)

    def _at_work(self, folder: RunFolder, leads: bool, stop: StopToken) -> Iterator[Event]:
        working = at_work(folder) if leads else nullcontext()
        using = self._corpus_in_use() if leads else nullcontext()
        awake = _kept_awake() if leads and self.stay_awake else nullcontext()
        steps: Progress | None = None
        with working as heartbeat, using, awake as note:
            for event in self._train(folder, heartbeat, stop, note):
                if heartbeat and isinstance(event, Progress):
                    steps = event if event.unit == "steps" else steps
                    # The share of the run is that of its steps: during a validation it stays, and
                    # before the first step nobody knows it, however much of the corpus is read.
                    shown = steps or replace(event, total=0)
                    heartbeat.show(replace(shown, what=event.what))
                yield event

    @contextmanager
    def _corpus_in_use(self) -> Iterator[None]:
        """Keeps the corpus where it is, from before the run is set up until it ends."""
        from core.training.plan import RunPlan

        folders = Folders.of_this_user()
        with ExitStack() as told:
            with suppress(EpitomeError):  # what is wrong with either is told by the run itself
                plan = self.plan or RunPlan.load(RunFolder(self.folder))
                corpus = named_folder(plan.run.corpus, folders.corpora)
                told.enter_context(corpus_in_use(corpus, self.folder, folders.corpora_in_use))
            yield

    def check(self, folder: RunFolder, *, makes: bool = True) -> None:
        """Makes the folder of a new run, or finds that of one to go on with.

        Args:
            folder: The run's.
            makes: Whether this process makes it; the first of several does.

        Raises:
            EpitomeError: If there is a run where none may be, or none where one must be.
        """
        if self.plan is None:
            if not folder.exists:
                told = f"There is no run in {self.folder}."
                raise EpitomeError(told, "Train one with epitome train.")
            return
        check_no_run(folder)
        if makes:  # the others may come when the first has begun to write there
            check_holds_no_other(folder)
            with explained(f"{self.folder} cannot be made", "Choose another --out."):
                self.folder.mkdir(parents=True, exist_ok=True)

    def _train(
        self,
        folder: RunFolder,
        heartbeat: Heartbeat | None,
        stop: StopToken,
        note: Message | None,
    ) -> Iterator[Event]:
        yield Started("Training")
        from core.jobs.models.model_languages import record_languages
        from core.training.loop import Trained
        from core.training.team import leave_team

        try:
            told: list[Event] = [note] if note else []
            yield from told
            run = yield from _noted(self._set_up(folder, heartbeat, stop), told)
            if heartbeat is not None:  # of several processes the one that leads
                record_languages(folder)
            if isinstance(run, Trained):
                yield Finished(run)
            else:
                yield from self._recorded(run, told, stop)
        finally:
            leave_team()

    def _recorded(self, trainer: "Trainer", told: list[Event], stop: StopToken) -> Iterator[Event]:
        """Trains; writes down what was told before, and what the run failed with."""
        try:
            for event in told:
                trainer.record.keep(event)
            yield from trainer.run(stop)
        except Exception as error:
            trainer.record.keep(failed(error, self.memory_remedy))
            raise
        finally:
            trainer.record.close()

    def _set_up(
        self, folder: RunFolder, heartbeat: Heartbeat | None, stop: StopToken
    ) -> "Generator[Event, None, Trainer | Trained]":
        from core.training.setup import begin, resume

        if self.plan is None:
            return resume(folder, heartbeat, stop)
        return begin(self.plan, folder, heartbeat, stop)


def _remove_begun(folder: RunFolder) -> None:
    """Removes a folder that was made for a run which never began; other files in it keep it."""
    with suppress(OSError):
        for file in (folder.progress_file, folder.process_file, folder.lock_file):
            file.unlink(missing_ok=True)
        folder.path.rmdir()


def _is_on_one_machine() -> bool:
    """Whether all processes of the run are on this machine; others need not see its folder."""
    count = os.environ.get("WORLD_SIZE", "1")
    return os.environ.get("LOCAL_WORLD_SIZE", count) == count


@contextmanager
def _kept_awake() -> Iterator[Message | None]:
    """Keeps the computer awake; gives what is said of that in the log of the run."""
    preferences, _ = load_preferences(Folders.of_this_user().settings_file)
    if not preferences.keep_awake:
        yield None
        return
    with kept_awake("A model is being trained") as refused:
        told = "The computer stays awake while the run trains."
        if refused:
            told = f"The computer may go to sleep while the run trains ({refused})."
        yield Message("info", told)


def _noted(
    steps: "Generator[Event, None, Trainer | Trained]", told: list[Event]
) -> "Generator[Event, None, Trainer | Trained]":
    """Passes events on and notes them."""
    while True:
        try:
            event = next(steps)
        except StopIteration as end:
            run: Trainer | Trained = end.value
            return run
        told.append(event)
        yield event

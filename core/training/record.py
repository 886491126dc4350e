"""What a run writes into its folder: events, samples, heartbeat."""

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial

from core.events import Event, Progress
from core.runs.control import ControlFile
from core.runs.events import Resumed
from core.runs.events_file import EventsFile, read_events
from core.runs.folder import Heartbeat, RunFolder
from core.stop import StopToken
from core.storage.atomic_files import write_whole
from core.storage.files import append_whole
from core.training.events import SampleWritten
from core.training.tensorboard_log import TensorBoardLog


class Record:
    """Writes events, samples and the heartbeat; reads requests.

    Args:
        folder: The run's.
        heartbeat: Its sign of life; None in a process that does not lead, which writes nothing.
        tensorboard: Whether to write a log for TensorBoard.
    """

    def __init__(
        self, folder: RunFolder, heartbeat: Heartbeat | None, *, tensorboard: bool = False
    ) -> None:
        self._folder, self._heartbeat = folder, heartbeat
        self._events = EventsFile(folder.events_file) if heartbeat else None
        self._control = ControlFile(folder.control_file, heartbeat.start if heartbeat else 0)
        self._draws = heartbeat is not None and tensorboard
        self._log: TensorBoardLog | None = None  # made when there is something to draw

    @property
    def last_number(self) -> int:
        """The number of the last event."""
        return self._events.last_number if self._events else 0

    def keep(self, event: Event) -> None:
        """Writes an event; fails as the `writes` of it do."""
        for write in self.writes(event):
            write()

    def writes(self, event: Event) -> list[Callable[[], None]]:
        """What is to be written of an event: nothing of progress, which follows from the steps.

        Args:
            event: What happened.

        Returns:
            Functions that write one thing each, whole or not at all: one that fails because the
            disk is full can be called again.
        """
        if self._events is None or isinstance(event, Progress):
            return []
        writes: list[Callable[[], None]] = [partial(self._append, self._events, event)]
        if self._draws:
            writes.append(partial(self._draw, event))
        if isinstance(event, SampleWritten):
            writes.append(partial(self._keep_sample, event))
        return writes

    def resume(self, resumed: Resumed) -> None:
        """Records where the run resumes, and removes the samples of steps that will be repeated."""
        if self._events is None:
            return
        self._events.append(resumed)
        if self._draws:
            self._log = TensorBoardLog(self._folder.tensorboard, after=resumed.step)
        counting = read_events(self._folder.events_file)
        samples = [each.values for each in counting if each.kind == SampleWritten.__name__]
        lines = [json.dumps(sample, ensure_ascii=False) + "\n" for sample in samples]
        write_whole(self._folder.samples_file, "".join(lines).encode(), replace=True)

    def alive(self, stop: StopToken) -> None:
        """Says that the run is alive, and passes on what was asked of it."""
        if self._heartbeat:
            self._heartbeat.beat()
            self._control.pass_on(stop)

    def close(self) -> None:
        """Closes the TensorBoard log."""
        if self._log:
            self._log.close()

    @staticmethod
    def _append(events: EventsFile, event: Event) -> None:
        events.append(event)

    def _draw(self, event: Event) -> None:
        self._log = self._log or TensorBoardLog(self._folder.tensorboard)
        self._log.keep(event)

    def _keep_sample(self, sample: SampleWritten) -> None:
        line = json.dumps(asdict(sample), ensure_ascii=False) + "\n"
        append_whole(self._folder.samples_file, line.encode("utf-8", "replace"))

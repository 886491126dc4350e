"""What a run leaves in its folder while it runs."""

import json
from dataclasses import asdict

from core.errors import FULL, EpitomeError
from core.events import Event, Progress
from core.runs.control import ControlFile
from core.runs.events import Resumed
from core.runs.events_file import EventsFile, read_events
from core.runs.folder import Heartbeat, RunFolder
from core.settings import write_whole
from core.stop import StopToken
from core.training.board import Board
from core.training.events import SampleWritten


class Record:
    """Writes events, samples and the heartbeat; reads requests.

    Args:
        folder: The run's.
        heartbeat: Its sign of life; None in a process that only helps, and so writes nothing.
        tensorboard: Whether TensorBoard is to read the run's numbers.
    """

    def __init__(
        self, folder: RunFolder, heartbeat: Heartbeat | None, *, tensorboard: bool = False
    ) -> None:
        self._folder, self._heartbeat = folder, heartbeat
        self._events = EventsFile(folder.events_file) if heartbeat else None
        self._control = ControlFile(folder.control_file, heartbeat.start if heartbeat else 0)
        self._draws = heartbeat is not None and tensorboard
        self._board: Board | None = None  # made when there is something to draw

    @property
    def last_number(self) -> int:
        """The number of the last event."""
        return self._events.last_number if self._events else 0

    def keep(self, event: Event) -> None:
        """Writes an event, but not how far the run is: that follows from its steps.

        Args:
            event: What happened.

        Raises:
            EpitomeError: If it cannot be written.
        """
        if self._events is None or isinstance(event, Progress):
            return
        self._events.append(event)
        if self._draws:
            self._board = self._board or Board(self._folder.tensorboard)
            self._board.keep(event)
        if isinstance(event, SampleWritten):
            self._keep_sample(event)

    def resume(self, resumed: Resumed) -> None:
        """Says where the run goes on, and takes away the samples of steps that are made again."""
        if self._events is None:
            return
        self._events.append(resumed)
        if self._draws:
            self._board = Board(self._folder.tensorboard, after=resumed.step)
        counting = read_events(self._folder.events_file)
        samples = [each.values for each in counting if each.kind == SampleWritten.__name__]
        lines = [json.dumps(sample, ensure_ascii=False) + "\n" for sample in samples]
        write_whole(self._folder.samples_file, "".join(lines).encode())

    def alive(self, stop: StopToken) -> None:
        """Says that the run is alive, and passes on what was asked of it."""
        if self._heartbeat:
            self._heartbeat.beat()
            self._control.pass_on(stop)

    def close(self) -> None:
        """Ends what it has begun."""
        if self._board:
            self._board.close()

    def _keep_sample(self, sample: SampleWritten) -> None:
        try:
            with self._folder.samples_file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(sample), ensure_ascii=False) + "\n")
        except OSError as error:
            told = f"{self._folder.samples_file} cannot be written ({error.strerror or error})."
            raise EpitomeError(told, "Free some space on its disk.", FULL) from error

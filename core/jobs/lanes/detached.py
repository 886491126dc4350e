"""What the process of a queued job executes: it works in the job's folder and outlives the window.

`core.jobs.lanes.lane` starts it. It takes the job over from the queue, and records how it ended.
"""

import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from core.errors import EpitomeError
from core.events import Event, Progress, is_last
from core.jobs.lanes.kinds import KINDS, JobKind, kind_of
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.queued import QueuedJob
from core.jobs.run import run_inline
from core.library.folders import Folders
from core.runs.control import ControlFile
from core.runs.events_file import EventsFile
from core.runs.folder import RunFolder, at_work
from core.stop import StopToken
from core.system import crash_reports
from core.system.processes import give_way, go_first_when_memory_ends, python_command

_LOOK_S = 0.2  # how soon a request is heeded, at most
_CONSOLE_ENDS = (2, 5, 6)  # CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT
_CONSOLE_PATIENCE_S = 20.0
_KEPT: list[object] = []  # handlers that Windows calls, and Python must not free


def command(id: str, start: int) -> list[str]:
    """The command line of the process for one start of a queued job."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--queued-job", id, str(start)]
    code = (
        "import sys; from core.jobs.lanes.detached import main; main(sys.argv[1], int(sys.argv[2]))"
    )
    return python_command("-c", code, id, str(start))


def main(id: str, start: int, kinds: Mapping[str, JobKind] = KINDS) -> None:
    """Does a job that is starting.

    Args:
        id: The job's, in the queue.
        start: The number of the start this process was made for; it does nothing when the job was
            given to another meanwhile.
        kinds: The known kinds of job.
    """
    crash_reports.begin("job", Folders.of_this_user().crashes)
    queue = JobQueue.of_this_user(sets_aside=False)
    lock = queue.claim(id, start)
    job = queue.job(id)
    if lock is None or job is None:
        return
    go_first_when_memory_ends()
    give_way()
    stop, is_over, is_written = StopToken(), threading.Event(), threading.Event()
    control = ControlFile(RunFolder(job.folder).control_file, start)
    is_terminated = _heed_termination(is_written)
    listening = (control, stop, is_over, is_terminated)
    listener = threading.Thread(target=_listen, args=listening, daemon=True)
    listener.start()
    last: Event | None = None
    for event in run_inline(_InItsFolder(job, kinds), stop):
        last = event
    is_over.set()
    listener.join()
    now = queue.job(id)
    if last is not None and now is not None and now.wish != "cancel":
        with suppress(EpitomeError):  # whoever watches reads the last event, and tries again
            queue.end(id, start, last)
    # The folder of a cancelled job is moved by whoever watches, when nobody has it open.
    lock.release()
    is_written.set()


def _heed_termination(is_written: threading.Event) -> list[int]:
    """Takes the end of the session for a pause.

    Args:
        is_written: Set when the job has ended, and nothing of it is lost any more.

    Returns:
        A list that is filled when the end of the session is announced.
    """
    came: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: came.append(number))
    if sys.platform == "win32":  # which sends no signal
        import ctypes

        kind = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint)
        _KEPT.append(kind(lambda event: _answer_console(event, came, is_written)))
        ctypes.windll.kernel32.SetConsoleCtrlHandler(_KEPT[-1], 1)
    return came


def _answer_console(event: int, came: list[int], is_written: threading.Event) -> bool:
    """Handles an event of Windows' console; the process ends as soon as this returns.

    Args:
        event: The event's number.
        came: Filled when the process is to end.
        is_written: Waited for then, as long as Windows does at most.

    Returns:
        True if the event was one that ends the process.
    """
    if event not in _CONSOLE_ENDS:
        return False
    came.append(event)
    is_written.wait(_CONSOLE_PATIENCE_S)
    return True


def _listen(
    control: ControlFile, stop: StopToken, is_over: threading.Event, is_terminated: list[int]
) -> None:
    while not is_over.wait(_LOOK_S):
        control.pass_on(stop)
        if is_terminated:
            stop.request("pause")


@dataclass(frozen=True)
class _InItsFolder:
    """A queued job, with what it leaves in its folder."""

    job: QueuedJob
    kinds: Mapping[str, JobKind]

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields the job's events."""
        kind = kind_of(self.job.kind, self.kinds)
        events = run_inline(kind.load(self.job.folder), stop)
        yield from events if kind.keeps_record else self._recorded(events)

    def _recorded(self, events: Iterator[Event]) -> Iterator[Event]:
        folder = RunFolder(self.job.folder)
        with at_work(folder) as heartbeat:
            file = EventsFile(folder.events_file)
            for event in events:
                heartbeat.beat()
                if isinstance(event, Progress):
                    heartbeat.show(event)
                else:
                    file.append(event)
                yield event
                if is_last(event):
                    return

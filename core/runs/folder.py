"""A run's folder: what lies where, and who is at work in it."""

import os
import platform
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from core.errors import EpitomeError, NotFoundError, explained, of_system
from core.events import Progress
from core.storage.files import FileLock, write_json
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular
from core.storage.temporary_names import is_temporary_name

_QUEUED = "queued.toml"
_OF_FILE_MANAGERS = {".DS_Store", "Thumbs.db", "desktop.ini"}
JOB_FILE = "job.toml"
_HEARTBEAT_S = 5.0
_PROGRESS_S = 0.25
_MOST_PROCESSES = 1024
OWN_PROCESSES = "own_processes"
"""In the environment file: the number of processes of this machine that the program started."""
_LOCK_PATIENCE_S = 0.5  # somebody may be looking whether the lock is held


@dataclass(frozen=True)
class RunFolder:
    """The places in a run's folder. It is a model's folder too, and may be taken anywhere.

    Args:
        path: The folder.
    """

    path: Path

    @property
    def job_file(self) -> Path:
        """The whole job, as it was when the run began."""
        return self.path / JOB_FILE

    @property
    def environment_file(self) -> Path:
        """Versions, device and command of the last start."""
        return self.path / "environment.json"

    @property
    def events_file(self) -> Path:
        """All that happened, an event a line."""
        return self.path / "events.jsonl"

    @property
    def samples_file(self) -> Path:
        """Texts that the model wrote, a line each."""
        return self.path / "samples.jsonl"

    @property
    def tensorboard(self) -> Path:
        """The run's numbers as TensorBoard reads them, if that was wished for."""
        return self.path / "tensorboard"

    @property
    def tokenizer(self) -> Path:
        """The tokenizer's own folder."""
        return self.path / "tokenizer"

    @property
    def checkpoints(self) -> Path:
        """The folder of checkpoints."""
        return self.path / "checkpoints"

    @property
    def control_file(self) -> Path:
        """Requests from outside, a line each."""
        return self.path / "control.jsonl"

    @property
    def process_file(self) -> Path:
        """The process that is, or was, at work here."""
        return self.path / "process.json"

    @property
    def lock_file(self) -> Path:
        """The lock that whoever is at work here holds."""
        return self.path / "lock"

    @property
    def progress_file(self) -> Path:
        """How far the process at work is."""
        return self.path / "progress.json"

    @property
    def log_file(self) -> Path:
        """What a process without a terminal has printed."""
        return self.path / "log.txt"

    @property
    def about_file(self) -> Path:
        """The name and the notes that a person has given the run."""
        return self.path / "about.json"

    @property
    def evaluations_file(self) -> Path:
        """What the run's model scored, with the recipes."""
        return self.path / "evaluations.json"

    @property
    def card_file(self) -> Path:
        """What travels with the run's model: its licence, its languages, where it came from."""
        return self.path / "model.json"

    @property
    def exists(self) -> bool:
        """Whether a run has begun here, however its job file may be now."""
        return os.path.lexists(self.job_file)


def processes_before(folder: RunFolder) -> int:
    """Returns how many processes this program started for a run the last time, at least 1.

    Args:
        folder: The run's.

    Returns:
        The number; 1 for what its environment file says wrongly.
    """
    with suppress(OSError, ValueError, AttributeError, RecursionError):
        number = parse_json(read_regular(folder.environment_file)).get(OWN_PROCESSES, 1)
        if type(number) is int and 1 <= number <= _MOST_PROCESSES:
            return number
    return 1


def check_no_run(folder: RunFolder) -> None:
    """Refuses the folder of a run for a new one.

    Args:
        folder: The folder; need not be there.

    Raises:
        EpitomeError: If a run has begun in it.
    """
    if folder.exists:
        raise EpitomeError(
            f"There is a run in {folder.path} already.",
            "Resume it with --resume, or choose another --out.",
        )


def check_holds_no_other(folder: RunFolder) -> None:
    """Refuses the folder of a new run that holds something else.

    Args:
        folder: The folder; need not be there.

    Raises:
        EpitomeError: If it holds files that are not of a run, or is a file.
    """
    if folder.exists or not os.path.lexists(folder.path):
        return
    own = _names_before_begin(folder) | _OF_FILE_MANAGERS
    with explained(f"{folder.path} cannot be used", "Choose another folder."):
        for path in sorted(folder.path.iterdir()):
            if path.is_symlink() or not (path.name in own or is_temporary_name(path.name)):
                raise EpitomeError(
                    f"{folder.path} holds other files ({path.name}); a run needs a new folder.",
                    "Choose another folder, or an empty one.",
                )


def _names_before_begin(folder: RunFolder) -> set[str]:
    """The files that a run leaves which is queued, or was ended before it began.

    A name alone does not make a file one of a run: there is a queued job, or the process file says
    that a process of this program was at work.
    """
    has_worked = _about(0).keys() <= _process(folder).keys()
    if not has_worked and not os.path.lexists(folder.path / _QUEUED):
        return set()
    places = [folder.process_file, folder.progress_file, folder.control_file, folder.log_file]
    places += [folder.lock_file, folder.events_file, folder.about_file]
    if has_worked:  # and was killed a moment before it wrote the job file
        places += [folder.tokenizer, folder.environment_file]
    return {place.name for place in places} | {_QUEUED, "process.lock"}


def not_written(what: str, folder: Path, error: OSError) -> EpitomeError:
    """Why a file of a run, or of another job, cannot be written.

    Args:
        what: The file, as a sentence begins.
        folder: The run's folder, or the job's.
        error: What the system raised.

    Returns:
        The error; it says so where the folder was moved away while a process worked in it.
    """
    if not folder.is_dir():
        return gone(folder)
    return of_system(error, f"{what} cannot be written", "Make the run's folder writable.")


def gone(folder: Path) -> EpitomeError:
    """The folder in which a process works was moved, renamed or deleted."""
    return NotFoundError(f"The folder {folder} is gone.", "Move it back, and resume.")


def new_run_name(model: str) -> str:
    """A name for a new run.

    Args:
        model: What is trained, in letters and hyphens.

    Returns:
        "2026-11-21-reformer-small-a1b2": the day, the model, and four digits drawn at random.
    """
    return f"{datetime.now().astimezone():%Y-%m-%d}-{model}-{secrets.token_hex(2)}"


def last_start(folder: RunFolder) -> int:
    """The number of the last start in a folder; 0 where there was none."""
    number: int = _process(folder).get("start", 0)
    return number


def process_at_work(folder: RunFolder) -> psutil.Process | None:
    """The process of the last start, while it lives on this machine."""
    told = _process(folder)
    with suppress(KeyError, TypeError, ValueError, psutil.Error):
        process = psutil.Process(told["pid"])
        if process.create_time() == told["started"]:
            return process
    return None


def began_before_boot(folder: RunFolder, start: int) -> bool:
    """Whether the machine was switched off, or started anew, since that start began."""
    told = _process(folder)
    began_s = told.get("started")
    if told.get("start") != start or not isinstance(began_s, int | float):
        return False
    return began_s < psutil.boot_time()


def begin_start(folder: RunFolder, number: int) -> None:
    """Writes down that this process is the start of that number.

    Args:
        folder: The run's.
        number: As `last_start` gives it, plus one.

    Raises:
        EpitomeError: If nothing can be written there.
    """
    write_json(folder.process_file, _about(number))


def _about(number: int) -> dict[str, Any]:
    return {
        "start": number,
        "pid": os.getpid(),
        "started": psutil.Process().create_time(),
        "host": platform.node(),
    }


def _process(folder: RunFolder) -> dict[str, Any]:
    with suppress(OSError, ValueError, RecursionError):
        told = parse_json(read_regular(folder.process_file))
        if isinstance(told, dict) and isinstance(told.get("start", 0), int):
            return told
    return {}


def _own_start(folder: RunFolder) -> int:
    """The number of this process's start: the one written down for it, or the next."""
    told = _process(folder)
    number: int = told.get("start", 0)
    is_own = "heartbeat" not in told and _about(number).items() <= told.items()
    return number if is_own else number + 1


class Heartbeat:
    """Says in a run's folder that its process is alive, and how far it is.

    A folder that was moved away is not made anew: the run would go on in one without its job.

    Args:
        folder: The run.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._next_s = self._next_progress_s = 0.0
        self.start = _own_start(folder)
        self._about = _about(self.start)

    def beat(self) -> None:
        """Writes the time, not more often than every five seconds."""
        now_s = time.monotonic()
        if now_s < self._next_s:
            return
        self._next_s = now_s + _HEARTBEAT_S
        with suppress(EpitomeError):  # a full disk is told where something would be lost
            told = self._about | {"heartbeat": datetime.now(UTC).isoformat()}
            write_json(self._folder.process_file, told, makes_folder=False)

    def show(self, progress: Progress) -> None:
        """Writes how far the job is, not more often than four times a second.

        The work does not wait for the disk: a power cut may lose this file.

        Args:
            progress: The newest.
        """
        now_s = time.monotonic()
        if now_s < self._next_progress_s:
            return
        self._next_progress_s = now_s + _PROGRESS_S
        with suppress(EpitomeError):
            told = asdict(progress) | {"start": self.start}
            write_json(self._folder.progress_file, told, flush=False, makes_folder=False)


@contextmanager
def at_work(folder: RunFolder) -> Iterator[Heartbeat]:
    """Keeps every other process from working in a run's folder.

    Args:
        folder: The run; its folder is there.

    Yields:
        The heartbeat, to be called now and then.

    Raises:
        EpitomeError: If another process is at work there, or the folder cannot be written.
    """
    lock = FileLock(folder.lock_file)
    try:
        free = lock.acquire(patience_s=_LOCK_PATIENCE_S)
    except OSError as error:
        raise of_system(
            error,
            f"The run {folder.path} cannot be written",
            "Make its folder writable, or copy it to another place.",
        ) from error
    if not free:
        raise EpitomeError(
            f"The run {folder.path} is being worked on{_by_whom(folder)}.",
            "Wait until it has ended, or stop it.",
        )
    try:
        heartbeat = Heartbeat(folder)
        heartbeat.beat()
        yield heartbeat
    finally:
        lock.release()


def _by_whom(folder: RunFolder) -> str:
    with suppress(KeyError):
        told = _process(folder)
        return f" by process {told['pid']} of {told['host']}"
    return " by another process"

"""Errors that a person reads, and the one place where the errors of other code become such.

Code that asks something of the system names what failed and what to do about it::

    with explained(f"{path} cannot be written", "Choose another place."):
        path.write_bytes(data)

What the map below knows better, such as a full disk, keeps its own remedy. A job names once what
makes its work smaller (`core.jobs.job.memory_remedy`), and `foreign` says so when memory runs out.
"""

import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import ClassVar, Final

from core.installation import installation

FULL: Final = "full"
"""The kind of an error that a full disk gives: when there is room again, the work can go on."""

NO_RUN: Final = "no-run"
"""The kind of an error about a folder in which there is no run, and so no model."""


UNUSABLE_TEXT: Final = "unusable-text"
"""The kind of an error that a model gives which writes nothing of use; another one may."""


class EpitomeError(Exception):
    """Something a person can understand and mend.

    Args:
        message: One sentence: what was wrong, with its value, and what is allowed.
        remedy: One sentence: the one thing to do.
        kind: A short word by which a caller tells errors apart that it answers differently,
            such as ``"password"``; empty for that of the class.
    """

    own_kind: ClassVar[str] = ""

    def __init__(self, message: str, remedy: str, kind: str = "") -> None:
        kind = kind or self.own_kind
        super().__init__(message, remedy, kind)
        self.message = message
        self.remedy = remedy
        self.kind = kind

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}"


class SystemRefusalError(EpitomeError):
    """The operating system refused something, for a reason that has no class of its own."""


class DiskFullError(SystemRefusalError):
    """A disk, or a person's share of it, is full."""

    own_kind = FULL


class NoPermissionError(SystemRefusalError):
    """The person may not do this, or nobody may: the disk is read-only."""

    own_kind = "permission"


class NotFoundError(SystemRefusalError):
    """A file or folder is not there."""

    own_kind = "not-found"


class WrongFileKindError(SystemRefusalError):
    """A folder where a file was meant, or the other way round."""

    own_kind = "file-kind"


class ExistsError(EpitomeError):
    """There is a file in the place of a new one."""

    own_kind = "exists"


class TooManyOpenFilesError(SystemRefusalError):
    """The system opens no more files for this program, or for any."""

    own_kind = "open-files"


class OutOfMemoryError(EpitomeError):
    """The machine's memory is not enough."""

    own_kind = "memory"


class GpuOutOfMemoryError(OutOfMemoryError):
    """The GPU's memory is not enough."""

    own_kind = "gpu-memory"


class NewerFileError(EpitomeError):
    """A newer version of the program wrote a file; this version leaves the file as it is."""

    own_kind = "newer"


class MissingPartError(EpitomeError):
    """A package of the training part is not installed."""

    own_kind = "missing-part"


USE_LESS_MEMORY: Final = "Close other programs, and try again."

MOST_PATH: Final = 259
"""Characters that Windows takes for a path, unless its registry allows more."""

_MOST_NAME = 255
_UNCLEAR = frozenset({errno.ENOENT, errno.EINVAL, errno.ENOTDIR})  # of a path that is too long

_MAKE_ROOM = "Free some space on its disk."
_CLOSE_SOME = "Close other programs, and try again."
_SHORTEN = "Choose a shorter name."

# By error number: the class, and the remedy that holds whatever was tried ("" where that depends).
_BY_NUMBER: Final[dict[int, tuple[type[EpitomeError], str]]] = {
    errno.ENOSPC: (DiskFullError, _MAKE_ROOM),
    getattr(errno, "EDQUOT", -1): (DiskFullError, _MAKE_ROOM),
    errno.EACCES: (NoPermissionError, ""),
    errno.EPERM: (NoPermissionError, ""),
    errno.EROFS: (NoPermissionError, ""),
    errno.ENOENT: (NotFoundError, ""),
    errno.ENOTDIR: (WrongFileKindError, ""),
    errno.EISDIR: (WrongFileKindError, ""),
    errno.ENAMETOOLONG: (SystemRefusalError, _SHORTEN),
    errno.EMFILE: (TooManyOpenFilesError, _CLOSE_SOME),
    errno.ENFILE: (TooManyOpenFilesError, _CLOSE_SOME),
    errno.ENOMEM: (OutOfMemoryError, USE_LESS_MEMORY),
}

# What to do where nobody who knew more about it named a remedy.
_REMEDIES: Final[dict[type[EpitomeError], str]] = {
    NoPermissionError: "Ask its owner for permission, or choose another place.",
    NotFoundError: "Check whether it was moved or renamed, and whether its disk is connected.",
    WrongFileKindError: "Choose another name.",
}

_GPU_MEMORY: Final = frozenset({"torch.OutOfMemoryError", "torch.cuda.OutOfMemoryError"})
_CPU_MEMORY: Final = "DefaultCPUAllocator: "  # torch has no class for it


def of_system(error: OSError, what: str, remedy: str, when_full: str = "") -> EpitomeError:
    """What the operating system refused, in a person's words.

    Args:
        error: What it raised.
        what: What failed, a clause without a full stop ("report.md cannot be written").
        remedy: What to do, where the reason does not say that by itself.
        when_full: What to do about a full disk, where there is more to say than to free space.

    Returns:
        The error; its class and kind say the reason.
    """
    is_long = is_too_long(error)
    number = errno.ENAMETOOLONG if is_long else error.errno or 0
    kind, better = _BY_NUMBER.get(number, (SystemRefusalError, ""))
    if kind is DiskFullError and when_full:
        better = when_full
    reason = (error.strerror or str(error) or type(error).__name__).rstrip(".")
    if is_long and error.errno != errno.ENAMETOOLONG:  # the system's own words are wrong
        reason = f"Windows takes paths of {MOST_PATH} characters, and names of {_MOST_NAME}"
    return kind(f"{what} ({reason}).", better or remedy)


def is_too_long(error: OSError, system: str = sys.platform) -> bool:
    """True if the system refused a name or path because of its length.

    Args:
        error: What it raised. Windows says that a long path is not found.
        system: As `sys.platform` names it.

    Returns:
        Whether it did.
    """
    if error.errno == errno.ENAMETOOLONG:
        return True
    path = error.filename2 or error.filename
    if system != "win32" or not isinstance(path, str) or error.errno not in _UNCLEAR:
        return False
    return len(path) > MOST_PATH or max(map(len, re.split(r"[/\\]", path))) > _MOST_NAME


@contextmanager
def explained(what: str, remedy: str, when_full: str = "") -> Iterator[None]:
    """Puts what the operating system refuses inside the block into words, as `of_system` does.

    Args:
        what: As there.
        remedy: As there.
        when_full: As there.

    Yields:
        None: files are used inside the block.

    Raises:
        EpitomeError: For each `OSError`.
    """
    try:
        yield
    except OSError as error:
        raise of_system(error, what, remedy, when_full) from error


def check_not_newer(what: str, version: object, known: int) -> None:
    """Refuses a file that a newer version of the program wrote.

    Args:
        what: The file, as a sentence begins ("The queue of jobs queue.json").
        version: The schema version that the file names.
        known: The newest one that this program knows.

    Raises:
        NewerFileError: If the file's is newer. What is no whole number is for the caller to judge.
    """
    if type(version) is int and version > known:
        raise NewerFileError(
            f"{what} was made by a newer Epitome, and this version leaves it alone.",
            "Use the newer version for it.",
        )


@contextmanager
def needs_training(what: str) -> Iterator[None]:
    """Imports inside the block may be missing.

    Args:
        what: What is done with them, the beginning of a sentence ("A corpus is read").

    Yields:
        None: imports are tried inside the block.

    Raises:
        MissingPartError: If one is not installed.
    """
    try:
        yield
    except ImportError as error:
        raise _missing_part(what, error.name or str(error)) from error


def check_installed(package: str, what: str) -> None:
    """Looks for a package of the training part without loading it.

    Args:
        package: Its import name.
        what: As `needs_training` takes it.

    Raises:
        MissingPartError: If it is not installed.
    """
    if find_spec(package) is None:
        raise _missing_part(what, package)


def _missing_part(what: str, module: str) -> MissingPartError:
    package = module.partition(".")[0]
    return MissingPartError(
        f"{what} with the training part, which is not installed ({package} is missing).",
        f"Run {installation().adding('training')}.",
    )


def foreign(error: Exception, memory_remedy: str = USE_LESS_MEMORY) -> EpitomeError | None:
    """An error of other code in a person's words, wherever in a job it came up.

    Args:
        error: Any error.
        memory_remedy: What makes the work smaller, where memory is not enough for it.

    Returns:
        The error to be told; None where nobody foresaw such a one.
    """
    if isinstance(error, EpitomeError):
        return error
    if _GPU_MEMORY & {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}:
        return GpuOutOfMemoryError("The GPU has not enough memory for this.", memory_remedy)
    if isinstance(error, MemoryError) or _is_memory(error):
        return OutOfMemoryError("There is not enough memory for this.", memory_remedy)
    if isinstance(error, OSError) and (error.errno in _BY_NUMBER or error.filename is not None):
        return _of_path(error)
    return None


def _is_memory(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    return isinstance(error, RuntimeError) and _CPU_MEMORY in str(error)


def _of_path(error: OSError) -> EpitomeError:
    """An error of the system that no caller explained: it is told by the file it came up with."""
    path = error.filename2 or error.filename
    what = os.fsdecode(path) if isinstance(path, str | bytes) else "A file"
    kind, _ = _BY_NUMBER.get(error.errno or 0, (SystemRefusalError, ""))
    remedy = _REMEDIES.get(kind, "Check the file and its disk.")
    return of_system(error, f"{what} cannot be used", remedy)

"""Reports of crashes: the stacks of all threads, in a file of the log folder.

Each process opens its file when it begins, since a process that crashes cannot, and removes it when
it ends well. A report holds names of files and functions, and no text of a document.
"""

import atexit
import faulthandler
import os
import sys
from contextlib import suppress
from pathlib import Path

from core.storage.regular_files import read_regular, rename_patiently

_VARIABLE = "EPITOME_CRASH_REPORTS"  # names the folder to bounded children, which know no home
_KEPT = 5  # of each kind of process
_SUFFIX, _SEEN = ".txt", ".seen.txt"
_MOST_BYTES = 1_000_000
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


class _Own:
    """The file of this process."""

    path: Path | None = None
    pid = 0
    descriptor = -1


def _refuse_link(folder: Path) -> None:
    """Raises `OSError` for a link: whatever is there is not of this program."""
    if folder.is_symlink():
        raise NotADirectoryError(folder)


def begin(kind: str, folder: Path | None = None) -> None:
    """Lets this process leave a report if it crashes.

    Args:
        kind: The kind of process, a word.
        folder: Where reports are kept; None for the folder of the process that started this one,
            and for the error output where that has none.
    """
    inherited = os.environ.get(_VARIABLE)
    folder = folder or (Path(inherited) if inherited else None)
    try:
        if folder is None:
            faulthandler.enable()
            return
        os.environ[_VARIABLE] = str(folder)
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_link(folder)
        _tidy(folder)
        path = folder / f"{kind}-{os.getpid()}{_SUFFIX}"
        with suppress(FileNotFoundError):
            rename_patiently(path, path.with_suffix(_SEEN))  # of an older process of this number
        _Own.descriptor = os.open(path, _FLAGS, 0o600)
        _Own.path, _Own.pid = path, os.getpid()
        faulthandler.enable(_Own.descriptor)
        atexit.register(end)
    except (OSError, RuntimeError):  # nothing can be written there, or there is no error output
        with suppress(RuntimeError):
            faulthandler.enable()


def end() -> None:
    """Removes the file of this process, since it ends well."""
    if _Own.path is not None and _Own.pid == os.getpid():
        faulthandler.disable()
        os.close(_Own.descriptor)
        with suppress(OSError):
            _Own.path.unlink()
        _Own.path = None


def read_report(folder: Path, pid: int) -> str:
    """The report of a process that has ended; empty where it left none."""
    return next((_read(path) for path in _reports(folder) if _pid(path) == pid), "")


def take_report(folder: Path, kind: str) -> str:
    """The newest report of a kind of process that was not taken yet; empty for none.

    Args:
        folder: Where reports are kept.
        kind: As `begin` takes it.

    Returns:
        The report. All reports of the kind are taken then.
    """
    path = take_file(folder, kind)
    return _read(path) if path else ""


def take_file(folder: Path, kind: str) -> Path | None:
    """As `take_report`, with the file of the report."""
    taken = None
    for path in _reports(folder):
        if _kind(path) == kind and _SEEN not in path.name:
            with suppress(OSError):
                taken = rename_patiently(path, path.with_suffix(_SEEN))
    return taken


def count_reports(folder: Path) -> int:
    """The number of reports that are kept."""
    return len(_reports(folder))


def is_in_use(path: Path) -> bool:
    """True if a file in the folder of reports is that of a living process."""
    return path.suffix == _SUFFIX and _is_alive(_pid(path))


def _files(folder: Path) -> list[tuple[Path, int]]:
    """The files of processes that have ended, with their sizes, the newest last."""
    found = []
    with suppress(OSError):
        for path in folder.glob(f"*-*{_SUFFIX}"):
            status = path.lstat()
            found.append((status.st_mtime_ns, path, status.st_size))
    return [(path, size) for _, path, size in sorted(found) if not _is_alive(_pid(path))]


def _reports(folder: Path) -> list[Path]:
    """The files of processes that have crashed, the newest last."""
    return [path for path, size in _files(folder) if size]


def _tidy(folder: Path) -> None:
    """Deletes the files of processes that were killed, and older reports than are kept."""
    gone, by_kind = list[Path](), dict[str, list[Path]]()
    for path, size in _files(folder):
        (by_kind.setdefault(_kind(path), []) if size else gone).append(path)
    for reports in by_kind.values():
        gone += reports[:-_KEPT]
    for path in gone:
        with suppress(OSError):  # another process has just done the same
            path.unlink()


def _read(path: Path) -> str:
    with suppress(OSError):
        return read_regular(path, _MOST_BYTES).decode("utf-8", "replace").strip()
    return ""


def _kind(path: Path) -> str:
    return path.name.rpartition("-")[0]


def _pid(path: Path) -> int:
    """The number of the process that a file belongs to; 0 for none."""
    number = path.name.partition(".")[0].rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32":
        import psutil  # elsewhere no package is imported for this: it is part of the start

        return psutil.pid_exists(pid)
    try:
        os.kill(pid, 0)
    except OSError as error:
        return isinstance(error, PermissionError)
    except OverflowError:
        return False
    return pid > 0

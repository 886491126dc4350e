"""Reads the program's own small files, whatever became of them since they were written.

Nothing here stops the window: a file that cannot be read or understood gives its default and a
sentence about it, and is renamed, so that nothing the person may want back is written over. A file
that a newer version of the program wrote is neither renamed nor written over.
"""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from core.errors import EpitomeError, NewerFileError, of_system
from core.storage import regular_files
from core.storage.files import check_file_known, check_known, set_aside

T = TypeVar("T")

MOST_BYTES = 4_000_000
"""Far more than any settings file holds."""

_UNREAD: set[Path] = set()
"""Files whose last reading failed for a passing reason: what they hold may be good."""

# What stays wrong until somebody mends it; a disk that fails now may answer later.
_LASTING = (
    errno.EACCES,
    errno.EFBIG,
    errno.EINVAL,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENXIO,
    errno.EPERM,
)


def read_regular(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """All bytes of a small file; fails as `core.storage.regular_files.read_regular` does."""
    return regular_files.read_regular(path, most_bytes)


def read_home_file(
    path: Path,
    parse: Callable[[bytes], T],
    default: T,
    what: str,
    instead: str,
    *,
    known: int = 1,
    of_newer: Callable[[bytes], T] | None = None,
) -> tuple[T, str]:
    """What a file of the program says.

    Args:
        path: The file.
        parse: Makes the value of its bytes; may fail in any way.
        default: The value when there is no file, or no good one.
        what: What the file is, as a sentence begins: "The settings file".
        instead: What holds without it: "the defaults are used".
        known: The newest version of the file that this program knows.
        of_newer: Makes the value of the bytes that a newer version wrote; None for the default.

    Returns:
        The value, and what a person should be told; empty when all is well.
    """
    _UNREAD.discard(path)
    named = f"{what} {path.name}"
    data = b""
    try:
        data = read_regular(path)
        check_known(named, data, known)
        return parse(data), ""
    except FileNotFoundError:
        return default, ""
    except OSError as error:
        problem = of_system(error, f"{named} cannot be read", "").message
        moved = set_aside(path) if error.errno in _LASTING else None
        if error.errno not in _LASTING:
            _UNREAD.add(path)
    except NewerFileError as error:
        value = of_newer(data) if of_newer else default
        return value, f"{error.message} {instead.capitalize()}."
    except EpitomeError as error:
        begins_so = error.message.startswith(what)  # it says itself which file it is
        problem = error.message if begins_so else f"{named} cannot be used. {error.message}"
        moved = set_aside(path)
    except Exception:  # parsers fail in many ways, of which deep nesting is one
        problem = f"{named} is damaged."
        moved = set_aside(path)
    kept = f"It is kept as {moved.name}; {instead}." if moved else f"{instead.capitalize()}."
    return default, f"{problem} {kept}"


def check_may_replace(path: Path, known: int = 1) -> None:
    """Refuses to replace a file with something in it that would be lost.

    Args:
        path: The file; it need not be there.
        known: The newest version of it that this program knows.

    Raises:
        EpitomeError: If its last reading failed for a passing reason, or a newer version of the
            program has written it, perhaps since it was read.
    """
    check_file_known(path, known)
    if path in _UNREAD:
        raise EpitomeError(
            f"{path} could not be read, so it is not replaced.",
            "Start Epitome again once the file can be read.",
        )

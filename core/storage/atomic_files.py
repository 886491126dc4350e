"""Writes files whole: a reader sees the old one or the new one, never a half.

Each is written under a temporary name beside its place and then put there. A file that is there is
replaced only on request; one that appears meanwhile is not lost either.
"""

import errno
import itertools
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Literal

from core.errors import EpitomeError, ExistsError, explained
from core.storage.portable_names import check_file_name, make_portable
from core.storage.regular_files import LINK_REFUSED, flush_to_disk, rename_patiently
from core.storage.temporary_names import open_temporary

Links = Literal["refuse", "replace", "follow"]
"""Treatment of a link in the place of a file.

*refuse* is for places that a user names: the link may have been planted, or be there on purpose.
*replace* is for the program's own files, which are in its folders and not elsewhere. *follow* is
for files of the home that users edit and keep elsewhere, as managers of dotfiles do.
"""


def write_whole(
    path: Path,
    data: bytes,
    remedy: str = "Choose another place.",
    *,
    replace: bool = False,
    links: Links = "refuse",
    flush: bool = True,
    makes_folder: bool = True,
) -> None:
    """Writes a file; its arguments and errors are those of `open_whole`."""
    with open_whole(
        path, remedy, replace=replace, links=links, flush=flush, makes_folder=makes_folder
    ) as file:
        file.write(data)


@contextmanager
def open_whole(
    path: Path,
    remedy: str = "Choose another place.",
    *,
    replace: bool = False,
    links: Links = "refuse",
    flush: bool = True,
    makes_folder: bool = True,
) -> Iterator[BinaryIO]:
    """Opens a new file that is put in its place when the block ends.

    A file that is replaced keeps its permissions. A read-only file, a folder, a device or a pipe is
    never replaced.

    Args:
        path: Its place.
        remedy: Remedy when nothing can be written there, unless the disk is full.
        replace: Whether a file that is there is replaced.
        links: Treatment of a link in its place.
        flush: Whether to wait until the data is on the disk, so that it survives a power cut.
        makes_folder: Whether its folder is made if it is not there.

    Yields:
        The file, under its temporary name.

    Raises:
        ExistsError: If there is a file, and it is not to be replaced.
        EpitomeError: If it cannot be written. Nothing is left of the attempt in either case, nor
            where the block raises.
    """
    with explained(f"{path} cannot be written", remedy):
        target = Path(os.path.realpath(path)) if links == "follow" and path.is_symlink() else path
        check_file_name(path)
        mode = _replaced_mode(target, replace, links)
        if makes_folder:
            target.parent.mkdir(parents=True, exist_ok=True)
        # Until it is whole, only those read it who may read the file that it replaces.
        file = open_temporary(target, 0o666 if mode is None else 0o600)
        temporary = Path(file.name)
        try:
            with file:
                yield file
                file.flush()
                if flush:
                    flush_to_disk(file.fileno())
            if mode is not None:
                temporary.chmod(mode)
            put_in_place(temporary, target, replace=replace)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise


def check_place(path: Path, remedy: str = "Choose another place.", *, replace: bool) -> None:
    """Refuses a place that `open_whole` would refuse, before any work is done for it.

    Args:
        path: The place, as a user named it.
        remedy: As `open_whole` takes it.
        replace: As `open_whole` takes it.

    Raises:
        ExistsError: If there is a file, and it is not to be replaced.
        EpitomeError: If something is there that is never replaced.
    """
    with explained(f"{path} cannot be written", remedy):
        check_file_name(path)
        _replaced_mode(path, replace, "refuse")


def write_beside(
    places: Iterable[Path], write: Callable[[Path], object], *, replace: bool
) -> tuple[Path, Path | None]:
    """Writes a file to the first place that can be used, for batches that ask nobody.

    Args:
        places: Places without end, the best first.
        write: Writes the file, as `write_whole` does.
        replace: As `write` takes it.

    Returns:
        The place, and the first one in which something stays; None where there was nothing.

    Raises:
        EpitomeError: If it cannot be written.
    """
    occupied: Path | None = None
    for path in places:
        try:
            check_place(path, replace=replace)
        except EpitomeError:
            occupied = occupied or path
            continue
        try:
            write(path)
        except ExistsError:  # it came a moment ago
            occupied = occupied or path
            continue
        return path, occupied
    raise ValueError("the places had an end")


def numbered_places(folder: Path, stem: str, suffix: str, middle: str = "") -> Iterator[Path]:
    """Yields "report.md", "report-2.md", "report-3.md" without end, for `write_beside`.

    Args:
        folder: Their folder.
        stem: Their beginning, such as the name of a source; made one that every system takes.
        suffix: Their ending, with its dot.
        middle: A part before the number that is never cut.

    Yields:
        The places.
    """
    for number in itertools.count(1):
        counted = middle if number == 1 else f"{middle}-{number}"
        yield folder / make_portable(stem, "document", f"{counted}{suffix}")


def _replaced_mode(path: Path, replace: bool, links: Links) -> int | None:
    """The permissions of the file that will be replaced; None where there is no such file."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if stat.S_ISLNK(mode):
        if links == "replace" and replace:
            return None
        raise OSError(errno.ELOOP, LINK_REFUSED)
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not an ordinary file")
    if not replace:
        raise _exists(path)
    if not mode & 0o222 or not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is read-only")
    return stat.S_IMODE(mode)


def put_in_place(temporary: Path, path: Path, *, replace: bool) -> None:
    """Gives a file that is whole its name.

    Args:
        temporary: The file, as it was written.
        path: Its name.
        replace: Whether another file of that name is replaced, or a link to one.

    Raises:
        ExistsError: If something has that name, also since a moment ago, and is not to be replaced.
        OSError: If it cannot be renamed.
    """
    if replace:
        rename_patiently(temporary, path)
        return
    try:
        try:
            os.link(temporary, path)
        except FileExistsError:
            raise
        except OSError:  # the file system has no hard links
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            rename_patiently(temporary, path)
        else:
            temporary.unlink()
    except FileExistsError as error:
        raise _exists(path) from error


def _exists(path: Path) -> ExistsError:
    return ExistsError(f"{path} exists already.", "Choose another name, or replace it by --force.")

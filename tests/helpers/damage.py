"""Ways in which a file of the program goes bad, and who reads it then."""

import codecs
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.jobs.documents.warm_up import WarmUpJob
from core.stop import StopToken
from tests.helpers.systems import make_link, make_pipe

NOBODY = 65534


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def fill(file: Path) -> None:
    file.write_bytes(bytes(range(256)) * 8)


def nest(file: Path) -> None:
    file.write_bytes(b"[" * 100_000)


def put_value(file: Path) -> None:
    file.write_bytes(b"[1, 2]")


def swell(file: Path) -> None:
    os.truncate(file, 5_000_000_000)


def put_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()
    (file / "mine.txt").write_text("kept", "utf-8")


def put_pipe(file: Path) -> None:
    file.unlink()
    make_pipe(file)


def put_socket(file: Path) -> None:
    if not hasattr(socket, "AF_UNIX"):
        pytest.skip("Python on Windows makes no sockets in folders")
    file.unlink()
    here = Path.cwd()
    os.chdir(file.parent)  # the name of a socket may not be long
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(file.name)
    finally:
        os.chdir(here)


def put_loop(file: Path) -> None:
    file.unlink()
    make_link(file, file.name)


def close(file: Path) -> None:
    file.chmod(0)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "cut in half": cut,
    "other bytes": fill,
    "nested deep": nest,
    "another value": put_value,
    "far too large": swell,
    "a folder": put_folder,
    "a named pipe": put_pipe,
    "a socket": put_socket,
    "a link to itself": put_loop,
}


@contextmanager
def as_nobody(*owned: Path) -> Iterator[None]:
    """Runs the block without the rights of root, for whom no file is closed.

    Args:
        *owned: Folders and files that belong to the person of the block.
    """
    codecs.lookup("utf-8-sig")  # Python's own folder may be closed to others, too
    if os.geteuid():
        yield
        return
    temporary = Path(tempfile.gettempdir())
    for path in owned:
        os.chown(path, NOBODY, NOBODY)
        for parent in path.parents:
            if parent.stat().st_uid == 0 and temporary in parent.parents:
                parent.chmod(parent.stat().st_mode | 0o111)
    list(WarmUpJob().run(StopToken()))  # the interpreter's own modules may be closed to others
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)

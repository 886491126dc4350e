"""Marks of tests that only some systems can pass."""

import ctypes
import os
import sys
from pathlib import Path

import pytest

on_windows = pytest.mark.skipif(sys.platform != "win32", reason="acts on Windows only")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="acts on Linux only")
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such thing")


def make_pipe(path: Path) -> None:
    """Makes a named pipe in a folder; skips the test where there are none."""
    if sys.platform == "win32":
        pytest.skip("Windows has no named pipes in folders")
    os.mkfifo(path)


def make_link(path: Path, target: Path | str) -> None:
    """Makes a symbolic link; skips the test on Windows, where links need a right."""
    if sys.platform == "win32":
        pytest.skip("links need a right on Windows")
    path.symlink_to(target)


def is_wine() -> bool:
    """True if the Windows that runs this is Wine, which knows limits of jobs but not of memory."""
    return sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")

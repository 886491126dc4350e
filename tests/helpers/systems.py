"""Marks of tests that only some systems can pass."""

import ctypes
import sys

import pytest

on_windows = pytest.mark.skipif(sys.platform != "win32", reason="acts on Windows only")
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such thing")


def is_wine() -> bool:
    """True if the Windows that runs this is Wine, which knows limits of jobs but not of memory."""
    return sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")

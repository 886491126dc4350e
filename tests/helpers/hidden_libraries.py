"""Starts a program from whose loader system libraries are hidden, as if they were not installed."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

_ALONE = ("unshare", "--map-root-user", "--mount")
_SWAP = 'mount --bind "$1" "$2" && mount --bind "$3" "$1" && shift 3 && exec "$@"'


def without_libraries(hidden: Sequence[str], folder: Path) -> list[str]:
    """The beginning of a command whose program finds no file of these names.

    In a mount namespace of its own, links to all other files stand in the place of the libraries'
    folder.

    Args:
        hidden: Beginnings of names of libraries ("libEGL.").
        folder: An empty folder to work in.

    Returns:
        What to put before a command.
    """
    try:
        able = subprocess.run([*_ALONE, "true"], capture_output=True).returncode == 0
    except OSError:
        able = False
    if not able:
        pytest.skip("needs a system that lets this user make a mount namespace")
    libraries = library_folder()
    real, shown = folder / "real", folder / "shown"
    real.mkdir()
    shown.mkdir()
    for path in libraries.iterdir():
        if not path.name.startswith(tuple(hidden)):
            (shown / path.name).symlink_to(real / path.name)
    return [*_ALONE, "sh", "-c", _SWAP, "sh", str(libraries), str(real), str(shown)]


def library_folder() -> Path:
    """Where the system keeps its libraries."""
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
    lines = [line for line in listed.splitlines() if line.strip().startswith("libEGL.so.1 ")]
    if not lines:
        pytest.skip("Qt's libraries are not installed")
    return Path(lines[0].rpartition("=> ")[2]).resolve().parent

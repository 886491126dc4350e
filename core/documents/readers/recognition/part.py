"""The optional part that recognises the text of scans: whether it is there, and how to get it."""

from importlib.util import find_spec
from typing import Final

from packaging.tags import platform_tags

from core.documents.readers.recognition.language_data import find_language_data, name_of

COMMAND: Final = "python3 packaging/bootstrap.py run --with-scans"
"""Installs the part."""

NOT_OFFERED: Final = "There is no text recognition (OCR) for this system: tesserocr has no wheel."

_WHEELS = frozenset(  # of tesserocr: Linux with glibc 2.28 or musl 1.2, macOS 15, Windows
    (
        "manylinux_2_28_x86_64",
        "manylinux_2_28_aarch64",
        "musllinux_1_2_x86_64",
        "macosx_15_0_arm64",
        "macosx_15_0_x86_64",
        "win_amd64",
    )
)


def is_installed() -> bool:
    """Whether scans can be read: the program is there, with the data of a language."""
    return bool(languages())


def languages() -> tuple[str, ...]:
    """The names of the languages in which scans can be read; none without the program for it."""
    if find_spec("tesserocr") is None:
        return ()
    return tuple(map(name_of, find_language_data()))


def is_offered() -> bool:
    """Whether the part can be installed on this system."""
    return not _WHEELS.isdisjoint(platform_tags())


def advice() -> str:
    """What to do about a scan while the part is not installed, one sentence."""
    if is_offered():
        return f"Run {COMMAND} to install text recognition (OCR), and open the file again."
    return f"{NOT_OFFERED[:-1]}; recognise the text with another program, and open the result."

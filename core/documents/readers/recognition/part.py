"""The optional part that recognises the text of scans: whether it is there, and how to get it."""

from importlib.util import find_spec
from typing import Final

from packaging.tags import platform_tags

from core.distribution.parts import activate, part_of
from core.documents.readers.recognition.language_data import find_language_data, name_of
from core.installation import installation

COMMAND: Final = installation().adding("scans")
"""Installs the part."""

NOT_OFFERED: Final = "There is no text recognition (OCR) for this system: tesserocr has no wheel."


def is_installed() -> bool:
    """Whether scans can be read: the program is there, with the data of a language."""
    return bool(languages())


def languages() -> tuple[str, ...]:
    """The names of the languages in which scans can be read; none without the program for it."""
    if find_spec("tesserocr") is None and not (activate() and find_spec("tesserocr")):
        return ()
    return tuple(map(name_of, find_language_data()))


def is_offered() -> bool:
    """Whether the part can be installed on this system."""
    return not part_of("scans").systems.isdisjoint(platform_tags())


def missing_kind() -> str:
    """The kind of an error about a scan: it tells whether the part would help."""
    return "missing-scans" if is_offered() and not is_installed() else "scan"


def advice() -> str:
    """What to do about a scan while the part is not installed, one sentence."""
    if is_offered():
        return f"Run {COMMAND} to install text recognition (OCR), and open the file again."
    return f"{NOT_OFFERED[:-1]}; recognise the text with another program, and open the result."

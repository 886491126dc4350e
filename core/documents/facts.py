"""What can be said of a file that failed to be read."""

from dataclasses import dataclass
from pathlib import Path

from core.documents.readers.door import formats
from core.numbers import format_size


@dataclass(frozen=True)
class FileFacts:
    """A file as a person would describe it.

    Args:
        name: Its name.
        folder: The folder it lies in.
        size: Its size in words ("1.2 MB"); empty if it cannot be told.
        format: What it is by its name ("PDF", "Word document"), or its suffix; empty without one.
    """

    name: str
    folder: str
    size: str = ""
    format: str = ""


def file_facts(path: Path) -> FileFacts:
    """Describes a file; never fails, whatever the path is.

    Args:
        path: The file.

    Returns:
        What is known without opening it.
    """
    names = {suffix: name for name, suffixes in formats() for suffix in suffixes}
    suffix = path.suffix.lower()
    try:
        num_bytes = path.stat().st_size if path.is_file() else -1
    except (OSError, ValueError):
        num_bytes = -1
    return FileFacts(
        name=path.name or str(path),
        folder=str(path.parent),
        size=format_size(num_bytes) if num_bytes >= 0 else "",
        format=names.get(suffix, suffix),
    )

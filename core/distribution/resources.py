"""The way to everything in the `resources` folder, from source and from an installed program."""

from importlib.resources import files
from pathlib import Path


def resource(*parts: str) -> Path:
    """The path of a bundled file or folder.

    Args:
        *parts: Its place under `resources`, part by part.

    Returns:
        The path.

    Raises:
        FileNotFoundError: If there is none; that is a fault of the program.
    """
    path = Path(str(files("resources"))).joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(path)
    return path

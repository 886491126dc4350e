"""Modules in the current folder that a started process must not import."""

from pathlib import Path

_PLANTED = """
import sys
open("was-run", "w").close()
sys.path[:] = [place for place in sys.path if place]
del sys.modules["{name}"]
import {name}
"""


def plant_modules(folder: Path, *names: str) -> None:
    """Makes modules that write the file ``was-run`` beside them when they are imported.

    Each then gives way to the module that it hides, so that the process goes on with its work and
    a test fails instead of waiting for it.
    """
    folder.mkdir()
    for name in names:
        (folder / f"{name}.py").write_text(_PLANTED.format(name=name), "utf-8")

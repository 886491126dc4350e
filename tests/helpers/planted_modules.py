"""Modules in the current folder that a started process must not import."""

import sys
from importlib.metadata import packages_distributions
from pathlib import Path

# Python itself imports these before it runs a line of the program, from wherever it searches.
_OF_THE_START = {"encodings", "runpy", "site"}

_PLANTED = """
import os, sys
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "was-run"), "a") as note:
    note.write("{name}\\n")
sys.path[:] = [place for place in sys.path if place and os.path.abspath(place) != here]
del sys.modules["{name}"]
import {name}
"""


def plant_modules(folder: Path, *names: str) -> None:
    """Makes modules that note their name in the file ``was-run`` beside them when imported.

    Each then gives way to the module that it hides, so that the process goes on with its work and
    a test fails instead of waiting for it.
    """
    folder.mkdir()
    for name in names:
        (folder / f"{name}.py").write_text(_PLANTED.format(name=name), "utf-8")


def importable_names() -> set[str]:
    """The names of all that is installed, of the program, and what Python imports by itself."""
    names = {*packages_distributions(), *sys.stdlib_module_names, "core", "gui", "resources"}
    return {name for name in names | {"usercustomize"} if name.isidentifier()} - _OF_THE_START

"""The environment of every process of the program.

Documents lie in folders of any origin, and the program is started there: no process searches the
current folder for programs, modules or libraries. An empty entry of `PATH` or `PYTHONPATH` is the
current folder, and so is the first place where `python -m` and Windows search.

`packaging/bootstrap.py` imports this before anything is installed: standard library only, and no
syntax that is newer than Python 3.7.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

_SEARCH_PATHS = (
    "PATH",
    "PYTHONPATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
)
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Each decides how threads of OpenMP wait; the last three are those of one library only.
_WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY")


def prepare_process() -> None:
    """Prepares this process, and so all that it and its libraries start; called first of all."""
    _leave_current_folder()
    safe = safe_environment(os.environ)
    for name in set(os.environ) - set(safe):
        del os.environ[name]
    os.environ.update(safe)


def safe_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Returns an environment for a process that is started.

    Args:
        given: The environment that it would inherit.

    Returns:
        The same, without relative places to search. Threads that wait for one another leave the
        processor to other programs, unless the user has chosen how they wait.
    """
    safe = dict(given)
    for name in _SEARCH_PATHS:
        places = [*filter(os.path.isabs, safe.pop(name, "").split(os.pathsep))]
        if places:  # an empty one would be the current folder again
            safe[name] = os.pathsep.join(places)
    safe.setdefault("NoDefaultCurrentDirectoryInExePath", "1")  # heeded by Windows
    if not any(name in safe for name in _WAITING):
        # A thread that spins takes its core from the thread that all wait for, where another
        # program is busy on one of them.
        safe["OMP_WAIT_POLICY"] = "PASSIVE"
    return safe


def find_program(name: str) -> str | None:
    """Returns the path of a program in the absolute folders of `PATH`; None if there is none."""
    import shutil

    endings = [""]
    if sys.platform == "win32":
        endings = os.environ.get("PATHEXT", ".EXE").split(os.pathsep)
    for folder in filter(os.path.isabs, os.get_exec_path()):
        for ending in endings:
            # With its folder: `shutil.which` would look into the current one on Windows.
            found = shutil.which(os.path.join(folder, name + ending))
            if found:
                return found
    return None


def _leave_current_folder() -> None:
    """Removes what Python's path has of the current folder, unless the program itself is there."""
    try:
        here = os.getcwd()
    except OSError:  # it was deleted: nothing is found there
        return
    given = os.environ.get("PYTHONPATH")
    entries = given.split(os.pathsep) if given else []
    # Python has made them absolute.
    left = {os.path.abspath(each) for each in entries if not os.path.isabs(each)}
    left -= {_ROOT, *entries}
    if sys.path and not sys.flags.safe_path and sys.path[0] == here != _ROOT:
        del sys.path[0]  # of `python -m`
    sys.path[:] = [
        each for each in sys.path if each not in left and (os.path.isabs(each) or here == _ROOT)
    ]

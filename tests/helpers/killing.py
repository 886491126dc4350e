"""The end of processes that are killed, on every system."""

import sys
from typing import Final

KILL: Final = 9
"""Number of the signal that ends a process at once: on Windows, the exit status that it gets."""

KILLED: Final = (
    "it ended with status 9"
    if sys.platform == "win32"
    else "it was ended by signal 9, SIGKILL: memory ran out, or somebody ended it"
)
"""The program's words for the end of a process that was killed."""

KILLED_STATUS: Final = KILL if sys.platform == "win32" else -KILL
"""The exit status of such a process."""

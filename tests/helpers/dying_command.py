"""The command, killed when it has touched files so many times: the same moment on all machines.

    python dying_command.py PART TIMES WORDS...

What counts is each file or folder with PART in its path that is opened, made, renamed or deleted.
WORDS are the command's.
"""

import os
import sys
from typing import Any

from core.cli.main import main
from tests.helpers.killing import KILL

_TOUCHES = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}


def die_after(part: str, times: int) -> None:
    """Kills this process at a touch."""
    left = times

    def look(event: str, about: tuple[Any, ...]) -> None:
        nonlocal left
        if event in _TOUCHES and any(part in str(each) for each in about):
            left -= 1
            if not left:
                os.kill(os.getpid(), KILL)

    sys.addaudithook(look)


if __name__ == "__main__":
    die_after(sys.argv[1], int(sys.argv[2]))
    raise SystemExit(main(sys.argv[3:]))

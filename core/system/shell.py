"""A command as the shell of the system reads it."""

import re
import shlex
import subprocess
import sys
from collections.abc import Sequence

_ACTS_IN_CMD = re.compile(r"[&|<>^()!;,=']")


def shell_line(words: Sequence[str], system: str = sys.platform) -> str:
    """A line to paste into a terminal.

    Args:
        words: The program and its arguments.
        system: As `sys.platform` names it; Windows quotes with ``"``, all others with ``'``.

    Returns:
        The line; each word reaches the program as it is given here.
    """
    if system == "win32":
        return " ".join(map(_quoted_for_windows, words))
    return shlex.join(words)


def _quoted_for_windows(word: str) -> str:
    quoted = subprocess.list2cmdline([word])
    # `list2cmdline` knows how programs split a line, but not what cmd.exe does before that.
    return f'"{quoted}"' if quoted == word and _ACTS_IN_CMD.search(word) else quoted

"""Where the program starts: with a command it never loads Qt, without one it opens the window."""

import sys
from collections.abc import Sequence
from pathlib import Path

ENGINE_CHILD = "--engine-child"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program.

    Args:
        argv: What was typed after ``epitome``; None for the process's own arguments.

    Returns:
        The exit code.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == [ENGINE_CHILD]:
        from core.jobs.child import main as serve

        serve()
        return 0
    if arguments and not _are_files(arguments):
        from core.cli.main import main as run_command

        return run_command(arguments)
    from gui.window import open_window

    return open_window([Path(argument) for argument in arguments])


def _are_files(arguments: Sequence[str]) -> bool:
    """Whether the first argument names a file, or can be nothing else (``report.pdf``)."""
    from core.cli.main import COMMANDS

    first = arguments[0]
    if first in COMMANDS or first.startswith("-"):
        return False
    return Path(first).exists() or Path(first).suffix != ""

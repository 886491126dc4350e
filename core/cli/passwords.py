"""The password of an encrypted source: from a file, or asked for; never kept or printed."""

import getpass
import sys
from collections.abc import Iterator
from pathlib import Path

from core.cli.options import WrongUsageError, as_wrong_usage
from core.cli.sources import STANDARD_INPUT
from core.errors import explained
from core.storage.regular_files import read_given

PASSWORD_HELP = "File whose first line is the password of an encrypted source"
_MOST_ATTEMPTS = 3
_MOST_BYTES = 100_000


def read_password(place: str) -> str:
    """The first line of a file or of standard input.

    Args:
        place: The file's path, "-" for standard input, or empty for no password.

    Returns:
        The password without its line end.

    Raises:
        WrongUsageError: If the file cannot be read, or holds more than a password.
    """
    if not place:
        return ""
    if place == STANDARD_INPUT:
        return _first_line(sys.stdin.readline(_MOST_BYTES))
    what, remedy = f"The password file {place} cannot be read", "Name another file."
    try:
        with as_wrong_usage(), explained(what, remedy):
            data = read_given(Path(place), _MOST_BYTES)
        return _first_line(data.decode())
    except ValueError as error:  # not UTF-8, or a zero byte in the file's name
        raise WrongUsageError(f"{what} ({error}).", remedy) from error


def _first_line(text: str) -> str:
    return text.partition("\n")[0].rstrip("\r")


def asked_passwords(name: str) -> Iterator[str]:
    """Asks for a password, a few times at most; never where nobody could answer.

    Args:
        name: The source it opens.

    Yields:
        What was typed, until an empty line.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    for _ in range(_MOST_ATTEMPTS):
        password = getpass.getpass(f"Password of {name}: ", sys.stderr)
        if not password:
            return
        yield password

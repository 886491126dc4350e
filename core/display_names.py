"""Names of files as a person reads them: on one line, in the order of their letters.

On most systems a name may hold line breaks, commands for a terminal, marks that turn the direction
of reading round ("report\u202efdp.exe"), and bytes that are no text at all.
"""

import os
import re

_BREAKS = "\n\u2028\u2029"
_MISLEADING = "\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_ODD = re.compile(f"[{_MISLEADING}]")
_ODD_OR_BREAK = re.compile(f"[{_MISLEADING}{_BREAKS}]")


def shown(text: str, *, lines: bool = False) -> str:
    """A name or a message as it is shown; what could mislead a reader is "�".

    Args:
        text: The name, or a message with names in it.
        lines: Whether line breaks are meant, and stay.

    Returns:
        The text; nothing changes where there is nothing odd in it.
    """
    return (_ODD if lines else _ODD_OR_BREAK).sub("�", text)


def storable_path(path: str) -> str | bytes:
    """A path as SQLite takes it: as bytes where it is no UTF-8."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return path


def storable_name(name: str) -> str:
    """A name as Arrow takes it; two names stay two, and one that is no UTF-8 is spelt out."""
    return name.encode("utf-8", "backslashreplace").decode()


def storable_text(text: str) -> str:
    """A text as SQLite and Arrow take it: halves of surrogate pairs are replaced."""
    return text.encode("utf-8", "replace").decode()

"""Names of files and folders that every system takes, since both travel between systems."""

import errno
import re
import sys
import unicodedata
from pathlib import PurePath

from core.storage.temporary_names import MOST_NAME_BYTES, fitting_name

_REFUSED = re.compile(r'[<>:"|?*/\\\0-\x1f\ud800-\udfff]')
_DEVICE = re.compile(
    r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³]) *(\..*)?", re.IGNORECASE | re.DOTALL
)
"""Names of devices: Windows opens them instead of a file, whatever ending they have."""


def find_name_problem(name: str) -> str:
    """Returns why no new file or folder gets a name, as a clause; an empty text if it may.

    Args:
        name: A name, not a path.

    Returns:
        The clause, whose subject is the name.
    """
    if problem := _find_misplacement(name):
        return problem
    if len(name.encode()) > MOST_NAME_BYTES:
        return f"it is too long, since a name has at most {MOST_NAME_BYTES} bytes"
    return ""


def check_file_name(path: PurePath, system: str = sys.platform) -> None:
    """Refuses a file that Windows would put elsewhere: into a device, or beside another file.

    Args:
        path: The file.
        system: As `sys.platform` names it; all others than Windows take any name.

    Raises:
        OSError: If its name is one of these.
    """
    if system == "win32" and (problem := _find_misplacement(path.name)):
        raise OSError(errno.EINVAL, problem)


def _find_misplacement(name: str) -> str:
    """Why some system gives a file another name or place, as a clause; empty if none does."""
    if match := _REFUSED.search(name):
        is_mark = match[0].isprintable()
        shown = 'none of / \\ < > : " | ? *' if is_mark else "no control characters"
        return f"a name that every system takes has {shown}"
    if not name or name.endswith((".", " ")):
        return "a name that every system takes ends with no dot or space"
    if _DEVICE.fullmatch(name):
        return "Windows has a device of this name"
    return ""


def make_portable(name: str, otherwise: str, ending: str = "") -> str:
    """Returns a name that every system takes, as near as can be to one that was found somewhere.

    Args:
        name: The name, such as that of a source.
        otherwise: The name where nothing of it is left.
        ending: An ending that stays whole behind it, such as "-2.md".

    Returns:
        The same name with the ending if it may be one.
    """
    clean = _REFUSED.sub("-", name).lstrip(".")
    if _DEVICE.fullmatch(clean):
        clean = f"_{clean}"
    clean = fitting_name(clean, "", MOST_NAME_BYTES - len(ending.encode())).rstrip(". ")
    return (clean or otherwise) + ending


def compose_name(name: str) -> str:
    """Returns a name with composed accents: macOS may list "é" as two characters."""
    return unicodedata.normalize("NFC", name)


def fold_name(name: str) -> str:
    """Returns a name without what some systems ignore: capitals, and how accents are composed."""
    return compose_name(name).casefold()


def path_key(path: str, system: str = sys.platform) -> str:
    """Returns the same text for all paths that a system takes for one.

    Args:
        path: An absolute path.
        system: As `sys.platform` names it.

    Returns:
        The text, by which paths are compared.
    """
    if system == "win32":
        return path.lower()
    return compose_name(path) if system == "darwin" else path

"""Whose the person's data are, where the program runs as root."""

import os
import sys

from core.library.folders import Folders


def owner_note(folders: Folders) -> str:
    """Says that what root writes into somebody's data, that person cannot change.

    Args:
        folders: Where the program keeps its files.

    Returns:
        Two sentences; empty where this process is not root, or the data are root's own.
    """
    if sys.platform == "win32" or os.geteuid():
        return ""
    place = next(path for path in (folders.data, *folders.data.parents) if path.exists())
    owner = place.stat().st_uid
    if not owner:
        return ""
    name = _name_of(owner)
    return (
        f"Epitome runs as root, and its data lie in {place}, which belongs to {name}, who cannot "
        f"change what is written there now. Start it as {name}, or set EPITOME_HOME."
    )


def _name_of(uid: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"

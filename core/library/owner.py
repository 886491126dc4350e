"""Whose the person's data are, where the program runs as root."""

import os
import sys
from contextlib import suppress

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
    import pwd

    name = f"user {owner}"
    with suppress(KeyError):  # it has no name here
        name = pwd.getpwuid(owner).pw_name
    return (
        f"Epitome runs as root, and its data lie in {place}, which belongs to {name}, who cannot "
        f"change what is written there now. Start it as {name}, or set EPITOME_HOME."
    )

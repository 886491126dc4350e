"""What the Settings panel shows, without Qt."""

import os
from collections.abc import Iterator
from pathlib import Path

from core.library.preferences import Preferences

_BREAK = "\u200b"


def changed(preferences: Preferences, name: str, value: object) -> Preferences:
    """The settings with another value.

    Args:
        preferences: As they are.
        name: The setting.
        value: Its new value.

    Returns:
        New settings; the same object when nothing differs.

    Raises:
        EpitomeError: If the value is not allowed.
    """
    made = Preferences.checked({**preferences.model_dump(), name: value})
    return preferences if made == preferences else made


def matches(wanted: str, *texts: str) -> bool:
    """Whether every word looked for begins or stands in one of the texts, whatever its case."""
    within = " ".join(texts).casefold()
    return all(word in within for word in wanted.casefold().split())


def shown_path(path: Path) -> str:
    """A path with "~" for the person's own folder, and places where a line may end."""
    try:
        text = str(Path("~") / path.relative_to(Path.home()))
    except ValueError:
        text = str(path)
    return text.replace(os.sep, os.sep + _BREAK)


def measure(folder: Path) -> Iterator[int]:
    """Sums the sizes of all files under a folder, in steps that take no time each.

    Args:
        folder: Where; links are not followed, and what cannot be read counts nothing.

    Yields:
        Bytes so far, after each file or folder.
    """
    total, folders = 0, [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(Path(entry.path))
                    elif entry.is_file(follow_symlinks=False):
                        total += entry.stat(follow_symlinks=False).st_size
                    yield total
        except OSError:
            yield total

"""What a person says of a run: its name and notes, kept in its folder beside the job."""

from contextlib import suppress
from dataclasses import asdict, dataclass

from core.runs.folder import RunFolder
from core.storage.files import make_way, write_json
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular
from core.storage.schema import KEY


@dataclass(frozen=True)
class RunAbout:
    """A run in a person's words.

    Args:
        title: Its name; empty for the name of its folder.
        notes: Anything.
    """

    title: str = ""
    notes: str = ""


def read_about(folder: RunFolder) -> RunAbout:
    """The name and notes of a run.

    Args:
        folder: The run's.

    Returns:
        What was written there; nothing where there is no such file, or it is damaged.
    """
    with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        told = parse_json(read_regular(folder.about_file))
        return RunAbout(str(told.get("title", "")), str(told.get("notes", "")))
    return RunAbout()


def write_about(folder: RunFolder, about: RunAbout) -> None:
    """Keeps the name and notes of a run.

    Args:
        folder: The run's.
        about: What is kept.

    Raises:
        EpitomeError: If it cannot be written, or a newer program wrote the file that is there.
    """
    make_way(folder.about_file, 1)
    write_json(folder.about_file, {KEY: 1, **asdict(about)}, makes_folder=False)


def title_of(folder: RunFolder) -> str:
    """What a run is called: as a person has named it, or else as its folder."""
    return read_about(folder).title or folder.path.name

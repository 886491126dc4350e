"""What a run has written into a folder, so that it can go on after an interruption.

A hidden file in the folder has a line for each summary; it is deleted when the run has ended. A
summary counts as done only while its source has the same size and time, the settings are the same,
and the file is as it was written.
"""

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from core.errors import EpitomeError
from core.jobs.sources.source_files import NamedSource
from core.jobs.sources.sources import SourceRef
from core.settings import Settings
from core.storage.files import append_whole
from core.storage.parsing import parse_json
from core.storage.regular_files import open_regular, read_regular
from core.version import VERSION

NOTES: Final = ".epitome-unfinished.jsonl"
_LONGEST_LINE = 10_000


class UnfinishedRun:
    """The summaries in a folder that an interrupted run has written.

    Args:
        folder: The folder; it need not be there. None for none: nothing is noted then.
        settings: All that determines what is written.
    """

    def __init__(self, folder: Path | None, settings: Sequence[Settings | str | bool]) -> None:
        self._folder = folder
        plain = [each.model_dump() if isinstance(each, Settings) else each for each in settings]
        self._settings = json.dumps([VERSION, *plain], sort_keys=True)
        self._done = self._read()

    def place_of(self, named: NamedSource) -> Path | None:
        """The summary of a source; None where it is to be made."""
        return self._done.get(self._key(named))

    def note(self, named: NamedSource, place: Path | None) -> None:
        """Notes a summary that was written; one that cannot be noted is made again."""
        key = self._key(named)
        if self._folder is not None and key and place is not None:
            with suppress(OSError, EpitomeError):
                value = {"source": key, "place": place.name, "sha256": _hash_of(place)}
                append_whole(self._folder / NOTES, json.dumps(value).encode() + b"\n")

    def end(self) -> None:
        """Deletes the notes: the run has ended."""
        if self._folder is not None:
            with suppress(OSError):
                (self._folder / NOTES).unlink(missing_ok=True)

    def _key(self, named: NamedSource) -> str:
        """Tells sources, their contents and the settings apart; empty where that is not known."""
        source = named.source
        if self._folder is None or not isinstance(source, SourceRef) or source.path is None:
            return ""
        try:
            status = source.path.stat()
        except (OSError, ValueError):
            return ""
        facts = [str(source.path.absolute()), status.st_size, status.st_mtime_ns, self._settings]
        if named.record is not None:
            facts.append(named.record)
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    def _read(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        if self._folder is None:
            return found
        with suppress(OSError), open_regular(self._folder / NOTES, "rb") as file:
            while line := file.readline(_LONGEST_LINE):
                with suppress(ValueError, TypeError, KeyError, OSError):
                    key, place = _checked(parse_json(line), self._folder)
                    found[key] = place
        return found


def _checked(value: Any, folder: Path) -> tuple[str, Path]:
    key, name, digest = value["source"], value["place"], value["sha256"]
    place = folder / name
    if not isinstance(key, str) or not key or place.name != name or _hash_of(place) != digest:
        raise ValueError("the file is not as it was written")
    return key, place


def _hash_of(place: Path) -> str:
    return hashlib.sha256(read_regular(place)).hexdigest()

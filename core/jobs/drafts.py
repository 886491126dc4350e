"""The draft of a job that is being set up, kept in a small file."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.events import Event, Finished
from core.files import write_json
from core.parsing import parse_json
from core.regular_files import read_regular
from core.stop import StopToken


@dataclass(frozen=True)
class ReadDraftJob:
    """Reads a draft.

    Args:
        file: Where it is kept.
    """

    file: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with its values; none where there is no draft, or it is damaged."""
        values: dict[str, Any] = {}
        with suppress(OSError, ValueError, RecursionError):
            found = parse_json(read_regular(self.file))
            values = found if isinstance(found, dict) else {}
        yield Finished(values)


def write_draft(file: Path, values: Mapping[str, Any]) -> None:
    """Keeps a draft; fails as `core.files.write_json` does."""
    write_json(file, dict(values))

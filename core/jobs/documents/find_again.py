"""Finds the document of an earlier summary again, by its place and its content."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.events import Event, Finished
from core.stop import StopToken
from core.storage.regular_files import open_regular

Found = Literal["same", "changed", "gone"]
_PART_BYTES = 4_000_000


@dataclass(frozen=True)
class FindAgainJob:
    """Looks whether a file is there, and as it was.

    Args:
        path: Where it was.
        sha256: Hash of its bytes then, in hex.
    """

    path: Path
    sha256: str

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with "same", "changed" or "gone"; a file nobody may read is gone."""
        found: Found = "changed"
        try:
            with open_regular(self.path, "rb") as file:
                digest = hashlib.sha256()
                while part := file.read(_PART_BYTES):
                    stop.raise_if_set()
                    digest.update(part)
            found = "same" if digest.hexdigest() == self.sha256 else "changed"
        except OSError:
            found = "gone"
        yield Finished(found)
